package walking

// Account is what the rules of walking made of what the agent prefers, and why.
type Account struct {
	Free, Speed float64 // m/s, that it prefers alone, and that it prefers among others
	Why         Reason  // of Speed
	Other       uint64  // of the agent that comes, or else of the leader, if Gap is finite
	Gap         float64 // m, that it may walk before it touches the leader; +Inf: it follows none
	Density     float64 // people a square meter, ahead; 0 if anybody comes: it does not look
	Inert       bool    // whether its acceleration keeps it from aiming at that at once
}

// Reason is why an agent prefers a speed.
type Reason int

const (
	Free            Reason = iota // nothing slows it
	ByGap                         // to the leader
	ByDensity                     // ahead
	Oncoming                      // another comes toward it, which it passes at full speed
	OvertakingLeft                // it walks by the leader, on the leader's left
	OvertakingRight               // on its right
)

// among notes what an agent prefers that none comes toward. walking is the speed that the
// density allows; aside is above zero if it turns to the left.
func (x *Account) among(gap, density, walking, speed float64, overtakes bool, aside float64) {
	x.Gap, x.Density, x.Speed = gap, density, speed
	switch {
	case overtakes && aside > 0:
		x.Why = OvertakingLeft
	case overtakes:
		x.Why = OvertakingRight
	case speed < walking:
		x.Why = ByGap
	case speed < x.Free:
		x.Why = ByDensity
	}
}
