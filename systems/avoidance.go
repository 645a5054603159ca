package systems

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Avoidance pushes each agent with a Threat sideways, away from the point of contact. It pushes an
// agent at rest directly away from the obstacle.
//
// With Outward, in the modes ScanProbes and ScanNearestFirst, it pushes an agent forward, into the
// obstacle, if the point ahead of the agent is beyond the obstacle's center.
//
// Reads Velocity, Threat, Avoidance. Adds to Steering.
//
// Source: the cocos2d-x variant of "Understanding Steering Behaviors: Collision Avoidance" for the
// choice of side, and the original tutorial for Outward.
type Avoidance struct {
	Outward bool // push along the Threat's normal, as in the original tutorial

	vel    frame.In[c.Velocity]
	threat frame.In[c.Threat]
	avoid  frame.In[c.Avoidance]
	steer  frame.Out[c.Steering]
}

func (s *Avoidance) Needs(n *frame.Needs) {
	n.Read(&s.vel, &s.threat, &s.avoid)
	n.Add(&s.steer)
	n.Once()
}

func (s *Avoidance) Run(b *frame.Batch) {
	vel, threat, par, steer := s.vel.Of(b), s.threat.Of(b), s.avoid.Of(b), s.steer.Of(b)
	s.avoid.FetchNext(b)
	var rows [waysAtOnce]uint8
	for first := 0; first < len(threat); first += waysAtOnce {
		end := min(first+waysAtOnce, len(threat))
		s.push(threatened(threat[first:end], &rows), vel[first:end], threat[first:end], par[first:end], steer[first:end])
	}
}

func (s *Avoidance) push(rows []uint8, vel []c.Velocity, threat []c.Threat, par []c.Avoidance, steer []c.Steering) {
	for k := 0; k < len(rows); {
		if !s.Outward {
			k += kernel.Avoid(rows[k:], vel, threat, par, steer)
		}
		for end := kernel.Until(k, len(rows)); k < end; k++ {
			i := rows[k]
			away := threat[i].Normal
			if !s.Outward {
				away = lateral(vel[i].Vec, away)
			}
			steer[i].Vec = vec.AddScaled(steer[i].Vec, par[i].MaxForce, away)
		}
	}
}

// lateral returns the unit vector perpendicular to v on the side of the normal, or to the right if v and the
// normal are parallel. For an agent at rest, it returns the normal. The source tests on which side the center
// of a circle lies; the normal also works for walls.
func lateral(v, normal r2.Vec) r2.Vec {
	speed := vec.Norm(v)
	if speed < vec.MinNorm {
		return normal
	}
	side := vec.Right(vec.Scale(1/speed, v))
	// Without a branch, because the side is unpredictable.
	turn := 0
	if vec.Dot(normal, side) < 0 {
		turn = 2
	}
	return vec.Scale(float64(1-turn), side)
}

var avoidanceEntry = catalog.Of(catalog.Entry{
	Name: "avoidance", Text: "steer away from the obstacle that threat-scan found",
	Source: `the side: the cocos2d-x variant of "Understanding Steering Behaviors: Collision Avoidance"`,
	Needs:  []any{c.ThreatScan{}}, Adds: []any{c.Steering{}},
	System: func(o catalog.Options) any { return &Avoidance{Outward: settings(o).AvoidOutward} }, Phase: catalog.Steer,
	Does: catalog.Steers, Priority: 30, Laws: catalog.AllLaws,
	Doing: "avoiding", While: frame.While2(func(t *c.Threat, b *c.Avoidance) bool { return !t.Obstacle.IsZero() && b.MaxForce != 0 }),
}, func(b *c.Avoidance) []catalog.Param {
	return []catalog.Param{catalog.Number("max-force", &b.MaxForce, "N", "strength of the push").Pausing().AsGain()}
})

// ThreatScan writes to Threat the obstacle that each agent would hit first within its look-ahead, or the zero
// Threat if there is none. An agent at rest is tested at its position.
//
// The exact scan considers the body's radius and all kinds of obstacles. The other modes follow the
// tutorials: agents are points, and obstacles other than circles cause a panic.
//
// Reads Position, Velocity, ThreatScan, Radius if present, and Obstacles. Writes Threat.
//
// Source: "Understanding Steering Behaviors: Collision Avoidance" (ScanProbes), its cocos2d-x
// variant (ScanNearestFirst); the exact scan is ours.
type ThreatScan struct {
	Obstacles *sense.Obstacles // of an earlier frame; nil means those of the same frame
	Mode      ScanMode

	obstacleIndex
	pos    frame.In[c.Position]
	vel    frame.In[c.Velocity]
	scan   frame.In[c.ThreatScan]
	radius frame.In[c.Radius]
	threat frame.Out[c.Threat]
	seen   frame.Scratch[scanned]
}

type scanned struct {
	farSight
	rows    uint64 // in all steps
	threats uint64 // in all steps

	ways [waysAtOnce]space.Way
	hits [waysAtOnce]space.Hit

	sweeps space.Sweeps
}

func (s *ThreatScan) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.vel, &s.scan)
	n.Optional(&s.radius)
	n.Write(&s.threat)
	n.Scratch(&s.seen)
	frame.Before[*Avoidance](n, "push away from the threat of the previous step")
	n.Once()
}

func (s *ThreatScan) Run(b *frame.Batch) {
	if s.Mode != ScanExact {
		s.runProbes(b)
		return
	}
	pos, vel, scan, radius, threat := s.pos.Of(b), s.vel.Of(b), s.scan.Of(b), s.radius.Of(b), s.threat.Of(b)
	seen := s.seen.Of(b)
	seen.rows += uint64(len(pos))
	for first := 0; first < len(pos); first += waysAtOnce {
		last := min(first+waysAtOnce, len(pos))
		ways, hits := seen.ways[:last-first], seen.hits[:last-first]
		seen.look(aim(ways, pos[first:last], vel[first:last], scan[first:last], radius[min(first, len(radius)):], threat[first:last]))
		found := hits[:s.index(s.Obstacles).SweepAll(ways, hits, &seen.sweeps)]
		seen.threats += uint64(len(found))
		forget(threat[first:last])
		for k := range found {
			s.index(s.Obstacles).Warn(&threat[first+found[k].Way], &found[k])
		}
	}
}

// aim sets ways to the sweeps of agents, and returns the maximum distance, in m, from the middle of a sweep
// to a point that the sweep covers.
func aim(ways []space.Way, pos []c.Position, vel []c.Velocity, scan []c.ThreatScan, radius []c.Radius, threat []c.Threat) (far float64) {
	n := len(ways)
	pos, vel, scan = pos[:n], vel[:n], scan[:n]
	var fars [4]float64
	for i := 0; i < n; {
		i += kernel.Aim(ways[i:], pos[i:], vel[i:], scan[i:], radius[min(i, len(radius)):], threat[i:], &fars)
		for end := kernel.Until(i, n); i < end; i++ {
			v, body := vel[i].Vec, 0.
			if i < len(radius) {
				body = radius[i].Meters
			}
			dir := vec.Scale(vec.Factor(1, vec.Norm(v)), v)
			w := &ways[i]
			w.From, w.Dir, w.Length, w.Body = pos[i].Vec, dir, scan[i].LookAhead, body
			if reach := float64(w.Length/2) + body; reach > far {
				far = reach
			}
		}
	}
	return max(far, fars[0], fars[1], fars[2], fars[3])
}

func forget(threat []c.Threat) {
	var rows [waysAtOnce]uint8
	for _, k := range threatened(threat, &rows) {
		threat[k] = c.Threat{}
	}
}

func (s *ThreatScan) Attach(f *frame.Frame, _ *ecs.World) {
	s.find(f, s, s.Obstacles)
}

// Sense panics if there are obstacles that the mode does not support.
func (s *ThreatScan) Sense(*ecs.World) {
	if s.Mode != ScanExact {
		s.index(s.Obstacles).WantCircles()
	}
}

func (s *ThreatScan) Observe(*ecs.World) {
	s.seen.Each(func(f *scanned) { s.index(s.Obstacles).Expect(f.reach) })
}

// Scanned returns the number of scans since Initialize, one per agent and step, and the number of scans that
// found a threat.
func (s *ThreatScan) Scanned() (agents, threats uint64) {
	s.seen.Each(func(f *scanned) {
		agents += f.rows
		threats += f.threats
	})
	return agents, threats
}

// Keep saves or restores the counts of Scanned.
func (s *ThreatScan) Keep(a *frame.Archive) {
	agents, threats := s.Scanned()
	if a.Keep(&agents, &threats); a.Reading() {
		s.seen.Each(func(f *scanned) { f.rows, f.threats = 0, 0 })
		first := s.seen.First()
		first.rows, first.threats = agents, threats
	}
}

func (s *ThreatScan) runProbes(b *frame.Batch) {
	pos, vel, scan, threat := s.pos.Of(b), s.vel.Of(b), s.scan.Of(b), s.threat.Of(b)
	seen := s.seen.Of(b)
	seen.rows += uint64(len(pos))
	for i := range pos {
		seen.look(2 * scan[i].LookAhead) // range to the centers
		var ok bool
		threat[i], ok = s.index(s.Obstacles).Probe(s.Mode == ScanNearestFirst, pos[i].Vec, vec.Unit(vel[i].Vec), scan[i].LookAhead)
		if ok {
			seen.threats++
		}
	}
}

var threatScanEntry = catalog.Of(catalog.Entry{
	Name: "threat-scan", Text: "find the obstacle that the agent would hit first",
	Source: `"Understanding Steering Behaviors: Collision Avoidance"; the exact scan is ours`,
	Adds:   []any{c.Threat{}},
	System: func(o catalog.Options) any {
		return &ThreatScan{Obstacles: catalog.Get[*sense.Obstacles](o), Mode: settings(o).Scan}
	},
	Phase: catalog.Steer, Does: catalog.SeesObstacles, Laws: catalog.AllLaws,
}, func(b *c.ThreatScan) []catalog.Param {
	return []catalog.Param{catalog.Number("look-ahead", &b.LookAhead, "m", "distance ahead; 0 tests the position of the agent").Blinding()}
})

const waysAtOnce = 64 // maximum number of agents per query of the index

// threatened returns the rows that have a threat. Branches would be unpredictable.
func threatened(threat []c.Threat, rows *[waysAtOnce]uint8) []uint8 {
	k, n := kernel.Threatened(threat, rows)
	for ; k < len(threat); k++ {
		rows[n&(waysAtOnce-1)] = uint8(k)
		n += int((uint64(threat[k].Obstacle.ID()) + math.MaxUint32) >> 32) // adds 1 if the ID is not zero
	}
	return rows[:n]
}
