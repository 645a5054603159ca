package systems

import (
	"fmt"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// runProbes scans as the tutorials do, for circles and agents that are points.
func (s *ThreatScan) runProbes(b *Batch) {
	pos, vel, scan, threat := s.pos.Of(b), s.vel.Of(b), s.scan.Of(b), s.threat.Of(b)
	seen := s.seen.Of(b)
	seen.rows += uint64(len(pos))
	for i := range pos {
		seen.look(2 * scan[i].LookAhead) // for the centers
		var ok bool
		threat[i], ok = s.Obstacles.probe(s.Mode, pos[i].Vec, vec.Unit(vel[i].Vec), scan[i].LookAhead)
		if ok {
			seen.threats++
		}
	}
}

// probe looks for a threat by points ahead: the look-ahead, half of it (A30),
// and with ScanNearestFirst the agent itself (A33). Among the circles that hold
// a point, or among all with ScanNearestFirst, the one with the nearest center
// counts (A31, A32). The threat's contact is the point ahead, and its normal
// leads from the center there (A34).
func (o *Obstacles) probe(mode ScanMode, p, dir r2.Vec, lookAhead float64) (c.Threat, bool) {
	if !vec.Finite(p) || !vec.Finite(dir) {
		return c.Threat{}, false
	}
	ahead, half := vec.AddScaled(p, lookAhead, dir), vec.AddScaled(p, lookAhead/2, dir)
	i, ok := o.index.Probes(p, ahead, half)
	if mode == ScanNearestFirst {
		// The nearest circle of all is a threat if it holds a point, so it is the
		// nearest of those that hold one, and no other is nearer.
		i, ok = o.index.Probes(p, ahead, half, p)
		ok = ok && !o.index.CenterNearer(p, i)
	}
	if !ok {
		return c.Threat{}, false
	}
	out := vec.Sub(ahead, o.shapes[i].A)
	if out == (r2.Vec{}) {
		out = vec.Scale(-1, dir) // at the center itself there is no direction out: straight back (A35)
	}
	return c.Threat{Contact: ahead, Normal: vec.Unit(out), Distance: lookAhead, Obstacle: o.entities[i]}, true
}

// wantCircles panics if there are obstacles that the tutorials' scans do not
// know.
func (o *Obstacles) wantCircles() {
	for i := range o.shapes {
		if s := &o.shapes[i]; s.Ring != nil || s.A != s.B {
			panic(fmt.Sprintf("crowd: the scan by probes knows circles only; obstacle %v is none", o.entities[i]))
		}
	}
}
