package scene

import (
	"fmt"
	"math"
	"math/bits"
	"reflect"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/measure"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

var (
	notNegative = number(zeroOrMore)
	positive    = number(aboveZero)
	length      = number(inWorldTo)
	values      = valueOf(zeroOrMore)
	speeds      = orByAge(values)

	bounds  = word[systems.BoundsMode]("none", "bounce", "faithful-bounce", "wrap", "clamp")
	scan    = word[systems.ScanMode]("exact", "probes", "nearest-first")
	aheadOf = word[systems.Prediction]("meeting", "distance", "bearing")
	unit    = word[Unit]("any", "m", "px")
	colorBy = word[ColorBy]("any", "speed", "heading", "group")
	wayOf   = word[Way]("straight", "route", "field", "boundary", "quickest")
	then    = word[Then]("stay", "leave", "wander", "again", "repeat")
	stop    = word[systems.StopKind]("place", "box", "flee", "flow", "idle", "follow", "flee-from", "flow-with")
)

const (
	defaultSteps = 600
	defaultDt    = 1. / 60
)

type file struct {
	Scene
	duration float64 // s; 0 means not given
}

func (f *file) keys() []key {
	return []key{
		may("name", &f.Name, text, "", "name of the scene; by default the name of the file"),
		may("text", &f.Text, text, "", "one-line description"),
		bind("notes", &f.Notes, listOf(0, maxValues, text, "a list of strings"), "caveats about the results"),
		may("try", &f.Try, text, "", "what to try in the live view, in a few short sentences"),
		bind("featured", &f.Featured, listOf(0, maxFeatured, text, "a list of up to 5 strings"), "parameters to try, whose sliders come first: groups[0].max-speed refers to the first group, and max-speed to all groups that have it"),
		may("seed", &f.Seed, integer[uint64](0, math.MaxUint64), 1, "seed of all random draws").always(),
		f.dtKey(),
		bind("steps", &f.Steps, integer[int](1, maxSteps), "number of steps that the scene runs by default; 600 if neither steps nor duration is given"),
		bind("duration", &f.duration, positive, "s, instead of steps"),
		bind("box", &f.Box, area, "m, the area of the scene: what pictures show, where random places are drawn, and what bounds act on"),
		may("bounds", &f.Bounds, bounds, systems.BoundsNone, "what happens at the edge of the box"),
		may("scan", &f.Scan, scan, systems.ScanExact, "how threat-scan looks for obstacles; all modes except exact support only circles, and agents without a radius"),
		may("avoid-outward", &f.AvoidOutward, boolean, false, "avoidance pushes out of the obstacle instead of sideways"),
		may("faithful-facing", &f.FaithfulFacing, boolean, false, "facing exactly as in its source, where it depends on dt"),
		may("faithful-arrivals", &f.FaithfulArrivals, boolean, false, "opposing-arrival and damped-arrival exactly as in their source, without limits"),
		may("faithful-walls", &f.FaithfulWalls, boolean, false, "containment and wall-following exactly as in their source"),
		may("faithful-orca", &f.FaithfulORCA, boolean, false, "orca exactly as in its source: no agent steps aside, and agents in a jam may overlap"),
		may("prediction", &f.Prediction, aheadOf, systems.PredictMeeting, "how far ahead pursuit, offset-pursuit, evasion, interpose and hiding predict: until the agents meet, for the time that the distance takes at max-speed, or for that time adjusted for bearing"),
		may("combination", &f.Combination, combination, systems.CombineSum, "how the forces of behaviors are combined: their sum; by priority, until max-force is used up; or by dithering, one chosen at random per step"),
		bind("priority", &f.Priority, listOf(0, maxValues, f.steeringName(), "a list of behaviors that steer"), "if combination is not sum, the behaviors that come first, in this order; other behaviors follow in the order of the manual"),
		bind("chances", &f.Chances, listOf(0, maxValues, number(catalog.Limits{Min: 0.01, Max: 1}), "a list of numbers"), "with dithering, the probability of each behavior in priority, or one number for all behaviors; by default 0.5"),
		may("unit", &f.Unit, unit, UnitAny, "unit of length in the live view: any means px if dt is 1, otherwise m"),
		may("color-by", &f.ColorBy, colorBy, ColorByAny, "what the colors of agents mean by default: any means group if there are several groups, otherwise speed"),
		bind("paths", &f.Paths, listOf(0, maxValues, points, "a list of paths, each [[x, y], …]"), "m, the waypoints of every path, to which groups.path.index refers"),
		bind("lines", &f.Lines, listOf(0, measure.MaxLines, tableOf(lineKeys), "a list of up to 64 lines, each {from = [x, y], to = [x, y]}"), "where a report counts agents that pass"),
		bind("areas", &f.Areas, listOf(0, maxGroups, area, "a list of up to 10,000 boxes, each [[x0, y0], [x1, y1]]"), "m, where a report measures density and speed"),
		bind("portals", &f.Portals, listOf(0, maxPortals, tableOf(portalKeys), "a list of up to 100 portals, each {from = [[x0, y0], [x1, y1]], to = [[x0, y0], [x1, y1]]}"), "pairs of boxes: agents that enter the first come out in the second, as on stairs between floors drawn side by side"),
		bind("zones", &f.Zones, listOf(0, maxZones, tableOf(zoneKeys), "a list of up to 1,000 zones, each {box = [[x0, y0], [x1, y1]], speed = factor}"), "boxes in which agents walk slower or faster: stairs, slopes, smoke"),
		maybeSection("pointer", &f.Pointer, pointerKeys, "a point that moves in a loop, which groups can follow and flee"),
		section("obstacles", &f.Obstacles, obstacleKeys, "obstacles, which agents can avoid"),
		sections("groups", &f.Groups, f.groupKeys, "agents that behave alike"),
	}
}

func (s *Scene) dtKey() key {
	return may("dt", &s.Dt, positive, defaultDt, "s, length of a step; 1 if the units are pixels and frames").always().tuned(tuneClock)
}

func pointerKeys(p *Pointer) []key {
	return []key{
		must("way", &p.Way, way, "m, corners of the closed path that the point follows"),
		must("speed", &p.Speed, positive, "m/s").tuned(tunePointer),
	}
}

func obstacleKeys(o *Obstacles) []key {
	return []key{
		bind("circles", &o.Circles, listOf(0, maxObstacles, tableOf(circleKeys), "a list of up to 1,000,000 circles, each {at = [x, y], radius = r}"), "round obstacles"),
		bind("walls", &o.Walls, listOf(0, maxObstacles, tableOf(wallKeys), "a list of up to 1,000,000 walls, each {from = [x, y], to = [x, y]}"), "straight walls with round ends"),
		bind("polygons", &o.Polygons, listOf(0, maxObstacles, ring, "a list of up to 1,000,000 polygons, each [[x, y], …]"), "m, corners of solid polygons"),
		bind("boxes", &o.Boxes, listOf(0, maxObstacles, tableOf(boxKeys), "a list of up to 1,000,000 boxes, each {box = [[x0, y0], [x1, y1]]}"), "solid rectangles"),
		bind("doors", &o.Doors, listOf(0, maxGroups, tableOf(doorKeys), "a list of up to 10,000 doors, each {from = [x, y], to = [x, y]}"), "walls that exist only while they are closed"),
		maybe("pillars", &o.Pillars, tableOf(pillarKeys), "a grid of circles in the center of the scene's box"),
		bind("random", &o.Random, listOf(0, maxGroups, tableOf(randomKeys), "a list of up to 10,000 tables, each {count = n, radius = r}"), "circles placed at random, clear of one another"),
		wktKey(o),
	}
}

func lineKeys(l *measure.MeasurementLine) []key {
	return []key{
		must("from", &l.A, vector, "m, one end"),
		must("to", &l.B, vector, "m, the other end"),
	}
}

func portalKeys(p *sense.Portal) []key {
	return []key{
		must("from", &p.From, area, "m, the box that agents enter"),
		must("to", &p.To, area, "m, the box where they come out; its corners correspond to the corners of from"),
		may("length", &p.Length, notNegative, 0, "m, length of the passage for pathfinding"),
	}
}

func zoneKeys(z *systems.Zone) []key {
	factor := number(catalog.Limits{Max: 100})
	return []key{
		must("box", &z.Box, area, "m"),
		may("speed", &z.Speed, factor, 1, "factor on the speed at which agents walk elsewhere"),
		may("up", &z.Up, vector, r2.Vec{}, "uphill direction, for example of stairs, of any length; [0, 0] means level"),
		may("speed-up", &z.SpeedUp, factor, 0, "factor instead of speed for agents that go up"),
		may("smoke", &z.Smoke, notNegative, 0, "1/m, the extinction coefficient of smoke, which multiplies the speed by 1 - 0.0807 m·smoke, but at least by 0.1"),
	}
}

func circleKeys(o *Circle) []key {
	return []key{
		must("at", &o.At, vector, "m, the center"),
		must("radius", &o.Radius, length, "m"),
	}
}

func wallKeys(o *Wall) []key {
	return []key{
		must("from", &o.A, vector, "m, one end"),
		must("to", &o.B, vector, "m, the other end"),
		may("radius", &o.Radius, length, 0, "m, half the thickness"),
	}
}

func doorKeys(o *Door) []key {
	return []key{
		must("from", &o.A, vector, "m, one end"),
		must("to", &o.B, vector, "m, the other end"),
		may("radius", &o.Radius, length, 0, "m, half the thickness"),
		may("open", &o.Open, boolean, false, "whether the door is open at the start"),
		may("opens", &o.Opens, notNegative, 0, "s, when the door opens"),
		may("closes", &o.Closes, notNegative, 0, "s, when the door closes; if equal to opens, it moves only by hand"),
		may("period", &o.Period, notNegative, 0, "s, period with which both times repeat; 0 means once"),
	}
}

func boxKeys(o *Box) []key {
	return []key{
		must("box", &o.Box, area, "m, the box before rotation"),
		may("angle", &o.Angle, number(inWorld), 0, "degrees, counterclockwise rotation about its center"),
	}
}

func pillarKeys(o *Pillars) []key {
	return []key{
		must("columns", &o.Columns, integer[int](1, maxObstacles), "number of columns"),
		must("rows", &o.Rows, integer[int](1, maxObstacles), "number of rows"),
		must("pitch", &o.Pitch, length, "m, distance between pillars"),
		may("jitter", &o.Jitter, length, 0, "m, largest random displacement of each pillar along each axis"),
		must("radius", &o.Radius, length, "m"),
	}
}

func randomKeys(o *RandomCircles) []key {
	return []key{
		must("count", &o.Count, integer[int](0, maxRandom), "how many"),
		must("radius", &o.Radius, valueOf(inWorldTo), "m"),
		may("gap", &o.Gap, length, 0, "m, minimum distance from any other circle, from surface to surface"),
		bind("box", &o.Box, area, "m, where their centers are; by default the box of the scene"),
	}
}

func (s *Scene) groupKeys(g *Group) []key {
	keys := []key{
		may("name", &g.Name, text, "", "name for references from other groups"),
		countKey(&g.Count),
		may("at", &g.At, place, Place{}, "where the agents start; by default at random in the box of the scene"),
		may("velocity", &g.Velocity, vector, r2.Vec{}, "m/s at the start; they face the direction of their velocity, or +x if it is zero"),
		startSpeedKey(g),
		bind("radius", &g.Radius, values, "m, radius of the body; by default agents are points").tuned(tuneRadius),
		massKey(&g.Mass),
		must("max-speed", &g.MaxSpeed, speeds, "m/s, maximum speed").tuned(tuneMaxSpeed),
		may("max-force", &g.MaxForce, valueOf(orInfinite), Same(math.Inf(1)), "N, maximum steering force").tuned(tuneMaxForce),
		bind("delay", &g.Delay, values, "s, how long they wait after they appear"),
		maybe("source", &g.Source, tableOf(sourceKeys), "when the agents enter; by default they are present from the start"),
		g.targetKey(),
		maybe("layers", &g.Layers, tableOf(layersKeys), "which agents they see: all agents on any of the layers that they see; by default they are on layer 0 and see all layers"),
		maybe("goal", &g.Goal, tableOf(goalKeys), "when they have arrived at their target, and what they do then"),
		may("way", &g.Way, wayOf, Straight, "how agents find their targets: straight ahead; by a route, each agent's shortest path around obstacles; by a shared field to the nearest of the group's targets, or to its box; by a shared field to the quickest target, given how fast agents on the way walk; or along the boundaries of obstacles in the way, on a side that each agent chooses once"),
		may("field-cell", &g.FieldCell, length, 0, "m, cell width of the field, increased as needed for at most 5,000,000 cells; 0 means half the radius of the largest body, or its radius for quickest paths, increased as needed for at most 250,000"),
		bind("itineraries", &g.Itineraries, listOf(0, maxValues, listOf(1, maxValues, tableOf(stopKeys), "a list of one or more stops, each {at = [x, y]}"), "a list of itineraries, each a list of stops"), "stops of the agents, instead of a target; agent i follows itinerary i, and the list repeats for further agents"),
	}
	return append(keys, s.behaviorKeys(g)...)
}

// countKey binds the count. It is always written, because its default depends on other keys.
func countKey(at *int) key {
	k := bind("count", at, integer[int](0, world.MaxAgents), "number of agents; by default as many as a source with an end makes, or one per point of at, or 1")
	k.reset = func() { *at = 1 }
	return k.always()
}

// massKey binds the mass. For a group without a mass, the number is 1 kg.
func massKey(at *Value) key {
	k := bind("mass", at, valueOf(aboveZero), "kg; by default 1")
	return k.tuned(tuneMass).bound(func(d *binding) {
		d.get = func() float64 {
			if at.Zero() {
				return 1
			}
			return at.mean()
		}
	})
}

func goalKeys(b *Goal) []key {
	return []key{
		must("radius", &b.Radius, values, "m, distance from the target that counts as arrival").tuned(tuneGoal),
		may("then", &b.Then, then, Stay, "what they do when they have arrived: stay, leave the scene, wander to another place drawn at random from target, start again at their starting place, or repeat their itinerary from their current place"),
	}
}

func stopKeys(s *systems.Stop) []key {
	return []key{
		may("kind", &s.Kind, stop, systems.StopPlace, "place goes to at, and box goes into box; flee moves away from at, flow moves in direction, and idle stays, each for duration; follow moves to another agent, flee-from moves away from it, and flow-with moves in the direction of its velocity, while that agent is present"),
		may("at", &s.At, vector, r2.Vec{}, "m"),
		bind("box", &s.Box, area, "m"),
		may("agent", &s.Other, integer[uint32](0, world.MaxAgents), 0, "the agent for follow, flee-from and flow-with: its number in the scene, counted from 1 over all groups"),
		may("direction", &s.Direction, vector, r2.Vec{}, "direction for flow, of any length above 0"),
		may("duration", &s.Duration, notNegative, 0, "s, after which the next stop follows; 0 means when the place is reached, or never"),
		may("speed", &s.Speed, notNegative, 0, "m/s, maximum speed from then on; 0 means as before"),
	}
}

// pointerName stands for the scene's pointer in place of the name of a group.
const pointerName = "pointer"

func referencePath(e *catalog.Entry, p *catalog.Param) string {
	if p.Key == "" {
		return e.Name
	}
	return e.Name + "." + p.Key
}

func (g *Group) name(path, other string) {
	if other == "" {
		delete(g.References, path)
		return
	}
	if g.References == nil {
		g.References = map[string]string{}
	}
	g.References[path] = other
}

func (g *Group) referenceKey(path string, p *catalog.Param) key {
	var other string
	k := must(p.Key, &other, text, p.Help())
	k.read = func(r *reader, n *node) { g.name(path, text.read(r, n)) }
	k.write = func(w *writer) { text.write(w, g.References[path]) }
	return k
}

// pointKey binds a point, or a reference to an entity whose position a component copies to the point.
func (g *Group) pointKey(path string, p *catalog.Param, at *r2.Vec) key {
	either := codec[r2.Vec]{
		read: func(r *reader, n *node) r2.Vec {
			if n.kind == isText {
				g.name(path, n.text)
				return r2.Vec{}
			}
			g.name(path, "")
			return vector.read(r, n)
		},
		write: func(w *writer, at r2.Vec) {
			if other, ok := g.References[path]; ok {
				text.write(w, other)
				return
			}
			vector.write(w, at)
		},
		schema: func() schema { return anyOf(text.schema(), vector.schema()) },
	}
	return must(p.Key, at, either, p.Text+": a point in "+p.Unit+", or \"pointer\", or the name of a group")
}

type reference struct {
	path  string         // such as quarry or flee.from
	name  string         // pointerName, or the name of a group
	entry *catalog.Entry // of the component
	param int            // index of the parameter that holds the entity
}

func (s *Scene) references(g *Group) (all []reference) {
	if target := g.target(); target.pointer || target.group != "" {
		all = append(all, reference{"target", target.name(), s.entryOf(c.Follow{}), 0})
	}
	for b, e := range s.known(g) {
		for i, p := range e.Params(pointerTo(b)) {
			path := referencePath(e, &p)
			name, named := g.References[path]
			if _, is := p.At.(*ecs.Entity); is {
				all = append(all, reference{path, name, e, i})
			} else if p.Keeper != nil && named {
				all = append(all, reference{path, name, s.entryOf(p.Keeper), 0})
			}
		}
	}
	return all
}

func (x *reference) ofGroup() bool { return x.name != "" && x.name != pointerName }

func (x *reference) with(components []any, to ecs.Entity) []any {
	of := reflect.TypeOf(x.entry.Component)
	i := slices.IndexFunc(components, func(comp any) bool { return reflect.TypeOf(comp) == of })
	if i < 0 {
		i, components = len(components), append(components, x.entry.Component)
	}
	b := pointerTo(components[i])
	x.set(b, to)
	components[i] = pointedAt(b)
	return components
}

func (x *reference) set(component any, to ecs.Entity) {
	*x.entry.Params(component)[x.param].At.(*ecs.Entity) = to
}

const maxLayer = 31

// layers is the codec of a set of layers: one bit per layer in memory, and a list of numbers in a file.
var layers = codec[uint32]{
	read: func(r *reader, n *node) (set uint32) {
		for _, k := range numbered.read(r, n) {
			set |= 1 << k
		}
		return set
	},
	write: func(w *writer, set uint32) {
		var all []uint32
		for ; set != 0; set &= set - 1 {
			all = append(all, uint32(bits.TrailingZeros32(set)))
		}
		numbered.write(w, all)
	},
	schema: numbered.schema,
}

var numbered = listOf(0, maxLayer+1, integer[uint32](0, maxLayer), fmt.Sprintf("a list of layers, each 0 to %d", maxLayer))

func layersKeys(l *c.Layers) []key {
	on, sees := bind("on", &l.On, layers, "the layers on which they are seen; by default 0"), bind("sees", &l.Sees, layers, "the layers that they see; by default all")
	on.reset = func() { l.On = 1 }
	sees.reset = func() { l.Sees = math.MaxUint32 }
	on.isReset = func() bool { return l.On == 1 }
	sees.isReset = func() bool { return l.Sees == math.MaxUint32 }
	return []key{on, sees}
}

func (k *key) isNamed(name string) bool { return k.name == name || slices.Contains(k.was, name) }

// find returns the entry of a key, or nil. It adds a warning about a former name, and a fault if
// several names of the key are present.
func (r *reader) find(t *table, k *key) *entry {
	found := t.find(k.name)
	for _, name := range k.was {
		old := t.find(name)
		if old == nil {
			continue
		}
		if found != nil {
			r.enter(name, func() { r.fault(old.offset, "%s and %s are both set, want %s", r.at(), found.name, k.name) })
			continue
		}
		found = old
		r.enter(name, func() { r.note(old.offset, "%s is now called %s", r.at(), k.name) })
	}
	return found
}

func (r *reader) note(offset int, format string, args ...any) {
	if len(r.older) < maxFaults {
		r.older = append(r.older, fault{offset, fmt.Sprintf(format, args...)})
		slices.SortStableFunc(r.older, func(a, b fault) int { return a.offset - b.offset })
	}
}

var olderMeaning = map[reflect.Type]func(r *reader, t *table, behavior any){
	reflect.TypeFor[c.ORCA](): olderORCA,
}

// olderORCA converts neighbors = 0, which meant that agents see no neighbors.
func olderORCA(r *reader, t *table, behavior any) {
	b := behavior.(*c.ORCA)
	for _, name := range []string{"neighbors", "neighbours"} {
		if e := t.find(name); e != nil && b.MaxNeighbors == 0 {
			b.NeighborDist = 0
			r.enter(name, func() {
				r.note(e.offset, "%s = 0 is read as neighbor-dist = 0: max-neighbors = 0 now means no limit", r.at())
			})
		}
	}
}
