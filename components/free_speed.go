package components

// FreeSpeed is how fast the agent walks where nobody is in its way, and from when on. It
// decides Limits.MaxSpeed.
type FreeSpeed struct {
	Speed float64 // m/s, where no zone changes it
	Start float64 // s, the time of the clock until which the agent stays where it is
}
