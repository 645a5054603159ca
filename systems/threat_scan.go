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
)

// ThreatScan looks for the obstacle that each agent would hit first within its
// look-ahead, and writes it to Threat, or the zero Threat. An agent that stands
// still is tested where it is.
//
// The exact scan takes the body's radius into account, and knows all kinds of
// obstacles. The other modes are the tutorials' and know circles only, for
// agents that are points; with anything else in the index they panic.
//
// Reads Position, Velocity, ThreatScan, Radius if there is one, and Obstacles.
// Writes Threat.
// Source: "Understanding Steering Behaviors: Collision Avoidance" (ScanProbes),
// its cocos2d-x variant (ScanNearestFirst); the exact scan is ours.
type ThreatScan struct {
	Obstacles *sense.Obstacles // the snapshot to look into, of a frame that runs before; nil: that of the same frame
	Mode      ScanMode

	obstacleIndex
	pos    frame.In[c.Position]
	vel    frame.In[c.Velocity]
	scan   frame.In[c.ThreatScan]
	radius frame.In[c.Radius]
	threat frame.Out[c.Threat]
	seen   frame.Scratch[scanned]
}

// scanned is what a worker saw of the agents that looked ahead.
type scanned struct {
	reach   float64 // m, half the longest look-ahead with the body
	rows    uint64  // agents that looked, all steps together
	threats uint64  // of those, agents that saw a threat

	ways [waysAtOnce]space.Way
	hits [waysAtOnce]space.Hit

	sweeps space.Sweeps
}

// look notes how far an agent looks to either side of the middle of its way, if
// that is a number.
func (s *scanned) look(reach float64) {
	if reach > s.reach && reach <= math.MaxFloat64 {
		s.reach = reach
	}
}

func (s *ThreatScan) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.vel, &s.scan)
	n.Optional(&s.radius)
	n.Write(&s.threat)
	n.Scratch(&s.seen)
	frame.Before[*Avoidance](n, "push away from the threat of the step before")
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

// aim sets the ways of agents, which are points if there is no radius, and
// returns how far the one looks that looks farthest from the middle of its way.
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

// forget sets threats to zero, and writes only those that are not.
func forget(threat []c.Threat) {
	var rows [waysAtOnce]uint8
	for _, k := range threatened(threat, &rows) {
		threat[k] = c.Threat{}
	}
}

// Attach finds the obstacles.
func (s *ThreatScan) Attach(f *frame.Frame, _ *ecs.World) {
	s.find(f, s, s.Obstacles)
}

// Sense refuses obstacles that the mode does not know.
func (s *ThreatScan) Sense(*ecs.World) {
	if s.Mode != ScanExact {
		s.index(s.Obstacles).WantCircles()
	}
}

// Observe lets the obstacles know how far agents look.
func (s *ThreatScan) Observe(*ecs.World) {
	s.seen.Each(func(f *scanned) { s.index(s.Obstacles).Expect(f.reach) })
}

// Scanned returns how many agents looked ahead since the frame was initialized,
// and how many of them saw a threat, counted anew in each step.
func (s *ThreatScan) Scanned() (agents, threats uint64) {
	s.seen.Each(func(f *scanned) {
		agents += f.rows
		threats += f.threats
	})
	return agents, threats
}

// Keep writes what Scanned returns, or reads it.
func (s *ThreatScan) Keep(a *frame.Archive) {
	agents, threats := s.Scanned()
	if a.Keep(&agents, &threats); a.Reading() {
		s.seen.Each(func(f *scanned) { f.rows, f.threats = 0, 0 })
		first := s.seen.First()
		first.rows, first.threats = agents, threats
	}
}

// runProbes scans as the tutorials do, for circles and agents that are points.
func (s *ThreatScan) runProbes(b *frame.Batch) {
	pos, vel, scan, threat := s.pos.Of(b), s.vel.Of(b), s.scan.Of(b), s.threat.Of(b)
	seen := s.seen.Of(b)
	seen.rows += uint64(len(pos))
	for i := range pos {
		seen.look(2 * scan[i].LookAhead) // for the centers
		var ok bool
		threat[i], ok = s.index(s.Obstacles).Probe(s.Mode == ScanNearestFirst, pos[i].Vec, vec.Unit(vel[i].Vec), scan[i].LookAhead)
		if ok {
			seen.threats++
		}
	}
}

var threatScanEntry = catalog.Of(catalog.Entry{
	Name: "threat-scan", Text: "look for the obstacle that the agent would hit first",
	Source: `"Understanding Steering Behaviors: Collision Avoidance"; the exact scan is ours`,
	Adds:   []any{c.Threat{}},
	System: func(o catalog.Options) any {
		return &ThreatScan{Obstacles: catalog.Get[*sense.Obstacles](o), Mode: settings(o).Scan}
	},
	Phase: catalog.Steer, Does: catalog.SeesObstacles, Laws: catalog.AllLaws,
}, func(b *c.ThreatScan) []catalog.Param {
	return []catalog.Param{catalog.Number("look-ahead", &b.LookAhead, "m", "how far ahead; 0 looks at the place where the agent is").Blinding()}
})
