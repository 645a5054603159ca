package scene

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
)

// threats finds scans that miss what is ahead.
func (l *linter) threats() {
	scan, ok := Behavior[c.ThreatScan](l.Group)
	if !ok {
		return
	}
	ahead := scan.LookAhead
	l.warn(ahead < l.stride(), "threat-scan.look-ahead is %v m, less than a step of %.4g m, so that obstacles are seen too late; raise it", ahead, l.stride())
	l.warn(!has[c.Avoidance](l.Group), "threat-scan finds obstacles, but nothing avoids them; add avoidance")
	if smallest := l.smallestCircle(); l.Scan != systems.ScanExact && smallest < ahead/4 {
		l.warn(true, "probes %v m apart miss a circle of radius %v m between them; lower look-ahead to %v m, or take scan = \"exact\"",
			ahead/2, smallest, 4*smallest)
	}
}

// smallestCircle returns the least radius of all circles, infinite if there are
// none.
func (s *Scene) smallestCircle() float64 {
	least := math.Inf(1)
	for _, o := range s.Obstacles.Circles {
		least = min(least, o.Radius)
	}
	if p := s.Obstacles.Pillars; p != nil {
		least = min(least, p.Radius)
	}
	for i := range s.Obstacles.Random {
		least = min(least, s.Obstacles.Random[i].Radius.least())
	}
	return least
}
