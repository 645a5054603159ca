package scene

import (
	c "github.com/8f878440/crowd/components"
)

// turns finds vehicles that can circle round a target for ever: at a distance d
// at which speed/rate ≥ d, and which is not near enough to have arrived.
func (l *linter) turns() {
	drive, drives := Behavior[c.Drive](l.Group)
	turn, _ := Behavior[c.TurnTowards](l.Group)
	if !drives || turn.Rate == 0 {
		return
	}
	near, key := 0., "a goal"
	if path, ok := Behavior[c.Path](l.Group); ok {
		near, key = path.Reached, "path.reached"
	}
	if l.Goal != nil && l.Goal.Radius.least() > near {
		near, key = l.Goal.Radius.least(), "goal.radius"
	}
	slow := func(float64) float64 { return drive.Speed }
	far := near
	if b, ok := Behavior[c.SmoothArrival](l.Group); ok && b.Gain != 0 {
		slow = func(d float64) float64 { return drive.TopSpeed * smooth(d, b.Min, b.Max) }
		far = max(near, b.Max)
	}
	const parts = 64
	for i := range parts + 1 {
		d := near + float64((far-near)*(float64(i)/parts))
		if radius := slow(d) / turn.Rate; radius > d {
			l.warn(true, "it can circle round its target for ever: at %.4g m/s and turn-towards.rate %v rad/s the turning circle is %.4g m, and %s is %.4g m; raise the rate or %s, or lower drive.speed",
				slow(d), turn.Rate, radius, key, near, key)
			return
		}
	}
}

// smooth is the share of the speed that smooth-arrival leaves at distance d.
func smooth(d, near, far float64) float64 {
	s := max(0, min((d-near)/(far-near), 1))
	return s * s * (3 - float64(2*s))
}
