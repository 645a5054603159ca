package view

import (
	"fmt"
	"math"
	"slices"
	"sort"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Recorder records the steps of a crowd and the inputs of viewers: a *replay.Recorder, or a host's wrapper
// around one. The view calls its methods in the goroutine that steps the world.
type Recorder interface {
	Input(name string, value any) error  // records an input that precedes the next step
	Stepped() error                      // records a step that was performed
	Back(w *world.World, step int) error // discards everything after the step; the recording continues with w
	Close() error                        // ends the recording
}

type recordWriter struct {
	to    Recorder
	world *world.World // whose steps were recorded last
	from  uint64       // tick at the start of the recording
	step  int          // last recorded step
}

func (s *simulation) beginRecord() error {
	if s.scenes == nil || s.scenes.Record == nil || s.film != nil {
		return nil
	}
	to, err := s.scenes.Record(s.scene, s.world)
	if err != nil {
		return fmt.Errorf("cannot record: %w", err)
	}
	s.record = &recordWriter{to: to, world: s.world, from: s.world.Clock.Tick}
	return nil
}

func (s *simulation) endRecord() error {
	if s.record == nil {
		return nil
	}
	err := s.record.to.Close()
	s.record = nil
	return err
}

// written reports an error to viewers and ends the recording. It does nothing if err is nil.
func (s *simulation) written(err error) {
	if err != nil {
		s.fail(fmt.Errorf("recording stopped: %w", err))
		_ = s.endRecord()
	}
}

// writeOn goes back in the recording to the present step, and records the inputs of that step again. It does
// nothing if the recording is already at that step.
func (s *simulation) writeOn() {
	r := s.record
	if r == nil {
		return
	}
	step := int(s.world.Clock.Tick - r.from)
	if r.world == s.world && r.step == step {
		return
	}
	err := r.to.Back(s.world, step)
	r.world, r.step = s.world, step
	for _, in := range s.past.at(s.world.Clock.Tick) {
		if err == nil {
			err = r.to.Input(in.Do, in)
		}
	}
	s.written(err)
}

func (s *simulation) write(in scene.Input) {
	s.writeOn()
	if s.record != nil {
		s.written(s.record.to.Input(in.Do, in))
	}
}

// writeStep records a step performed for the first time.
func (s *simulation) writeStep() {
	if s.record != nil {
		s.record.step++
		s.written(s.record.to.Stepped())
	}
}

// recorder copies the visible state of agents into a snapshot when a viewer wants one. Agents are entities
// with Position, with Agent or Velocity, and without Obstacle.
type recorder struct {
	to   *snapshot
	does *activities

	pos     frame.In[c.Position]
	agent   frame.In[c.Agent]
	vel     frame.In[c.Velocity]
	heading frame.In[c.Heading]
	radius  frame.In[c.Radius]
	limits  frame.In[c.Limits]
	target  frame.In[c.Target]
	dest    frame.In[c.Destination]
	field   frame.In[c.FlowField]
	route   frame.In[c.Route]
	threat  frame.In[c.Threat]
	scan    frame.In[c.ThreatScan]

	firsts []uint64 // ID of each group's first agent

	touching func(ecs.Entity) ([4]ecs.Entity, int) // returns the obstacles that an agent touches

	near  *sense.Neighbors // empty unless a viewer wants colors by density or contact
	scale crowding

	seen frame.Scratch[seen]
}

func newRecorder(w *world.World, does *activities, scale crowding, firsts []uint64) *recorder {
	return &recorder{does: does, firsts: firsts, touching: w.Inspect().Touching, near: &sense.Neighbors{Cell: scale.Radius}, scale: scale}
}

// seen holds the results of one worker.
type seen struct {
	agents              int
	maxSpeed, maxRadius float64
	entities            []ecs.Entity // of a batch
	words               []uint8      // activities of these agents
}

func (r *recorder) Needs(n *frame.Needs) {
	n.Read(&r.pos)
	n.Optional(&r.agent, &r.vel, &r.heading, &r.radius, &r.limits, &r.target, &r.dest, &r.field, &r.route, &r.threat, &r.scan)
	frame.Without[c.Obstacle](n)
	r.does.needs(n)
	n.Scratch(&r.seen)
}

func (r *recorder) Run(b *frame.Batch) {
	agent, pos, vel, heading := r.agent.Of(b), r.pos.Of(b), r.vel.Of(b), r.heading.Of(b)
	if agent == nil && vel == nil {
		return
	}
	radius, limits, target := r.radius.Of(b), r.limits.Of(b), r.target.Of(b)
	threat, scan, dest, field, route := r.threat.Of(b), r.scan.Of(b), r.dest.Of(b), r.field.Of(b), r.route.Of(b)
	seen, to := r.seen.Of(b), r.to
	kind := r.does.kind(b.Mask())
	seen.words = kind.ask(b, seen.words)
	seen.entities = entitiesOf(b, seen.entities)
	crowded := r.near.Len() > 0
	around := around{scale: r.scale}
	meet := around.meet
	for i := range pos {
		e := seen.entities[i]
		k := placeOf(e)
		if k >= len(to.ids) || !finite(pos[i].Vec) {
			continue
		}
		l := look{behavior: seen.words[i], archetype: kind.archetype}
		ahead := r2.Vec{}
		if vel != nil {
			ahead = vel[i].Vec
			l.speed = float32(math.Sqrt(r2.Norm2(ahead)))
		}
		if heading != nil {
			ahead = heading[i].Vec
		}
		l.aheadX, l.aheadY = float32(ahead.X), float32(ahead.Y)
		if radius != nil {
			l.radius = float32(radius[i].Meters)
			seen.maxRadius = max(seen.maxRadius, radius[i].Meters)
		}
		if limits != nil && limits[i].MaxSpeed <= math.MaxFloat32 {
			seen.maxSpeed = max(seen.maxSpeed, limits[i].MaxSpeed)
		}
		threatened := threat != nil && !threat[i].Obstacle.IsZero()
		if threatened {
			l.threat = nearness(threat[i].Distance, scan, i)
		}
		id := c.IDOf(nil, e)
		if agent != nil {
			id = agent[i].ID
		}
		l.group = r.groupOf(id)
		if crowded {
			around.id, around.at, around.body = id, pos[i].Vec, float64(l.radius)
			around.look(r.near, meet)
			l.density, l.contact = around.density(), around.contact()
			if _, n := r.touching(e); n > 0 {
				l.contact = max(l.contact, 1)
			}
		}
		if to.routes.agents != nil && (route != nil || field != nil) {
			to.routes.agents[k] = router{e, field != nil}
		}
		if to.target != nil {
			to.target[k] = nowhere
			switch {
			case dest != nil: // Target gives only the direction of the path
				to.target[k] = dest[i].Vec
			case target != nil && field == nil:
				to.target[k] = target[i].Vec
			}
		}
		if to.contact != nil {
			to.contact[k] = nowhere
			if threatened {
				to.contact[k] = threat[i].Contact
			}
		}
		to.ids[k], to.pos[k], to.look[k] = id, pos[i].Vec, l
		seen.agents++
	}
}

// groupOf returns the index of an agent's group; 255 also stands for all later groups.
func (r *recorder) groupOf(id uint64) uint8 {
	after := sort.Search(len(r.firsts), func(i int) bool { return r.firsts[i] > id })
	return uint8(min(max(after-1, 0), math.MaxUint8))
}

func entitiesOf(b *frame.Batch, before []ecs.Entity) []ecs.Entity {
	all := slices.Grow(before[:0], b.Len())[:b.Len()]
	b.Entities(0, all)
	return all
}

var nowhere = r2.Vec{X: math.NaN(), Y: math.NaN()}

func finite(p r2.Vec) bool { return p.X-p.X == 0 && p.Y-p.Y == 0 }

// nearness returns how near a threat is, from 1 at the look-ahead distance to 255 for contact. It is 255
// without a look-ahead.
func nearness(distance float64, scan []c.ThreatScan, i int) uint8 {
	if i >= len(scan) || !(scan[i].LookAhead > 0) {
		return 255
	}
	return uint8(255 - 254*min(max(distance/scan[i].LookAhead, 0), 1))
}

// sum returns the combined results of all workers, and resets them.
func (r *recorder) sum() (all seen) {
	r.seen.Each(func(s *seen) {
		all.agents += s.agents
		all.maxSpeed, all.maxRadius = max(all.maxSpeed, s.maxSpeed), max(all.maxRadius, s.maxRadius)
		s.agents, s.maxSpeed, s.maxRadius = 0, 0, 0
	})
	return all
}
