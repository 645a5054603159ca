package components

// Interpose steers to the middle between two other entities.
type Interpose struct {
	Gain          float64       // kg/s; 0 pauses
	First, Second TrackedEntity // the two; the system keeps them up to date
	Horizon       float64       // s, how far ahead it predicts at most; 0: it goes to the middle between where they are
	SlowingRadius float64       // m; 0: full speed up to the middle
}

func (i Interpose) MarshalJSON() ([]byte, error)     { return marshal(i) }
func (i *Interpose) UnmarshalJSON(data []byte) error { return unmarshal(data, i) }
