package components

// FollowingDistance makes an agent with ORCA keep a distance to those who walk ahead of it,
// as people do.
type FollowingDistance struct {
	TimeGap   float64 // s, in which it would cover the gap to them at the speed that it prefers; 0: it prefers full speed in any throng
	Variation float64 // share by which agents differ: the time gap of each is drawn between TimeGap·(1 − Variation) and TimeGap·(1 + Variation)
}

func (f FollowingDistance) MarshalJSON() ([]byte, error)     { return marshal(f) }
func (f *FollowingDistance) UnmarshalJSON(data []byte) error { return unmarshal(data, f) }

// FundamentalDiagram makes an agent with FollowingDistance walk no faster than people do at
// the density ahead of it.
type FundamentalDiagram struct {
	MaxDensity float64 // people a square meter, at which they stand; 0: density does not slow it
}

func (f FundamentalDiagram) MarshalJSON() ([]byte, error)     { return marshal(f) }
func (f *FundamentalDiagram) UnmarshalJSON(data []byte) error { return unmarshal(data, f) }

// Passing makes an agent with FollowingDistance walk where it gets ahead most: it overtakes, and fans
// out where there is room. It keeps to one side before those that come toward it.
type Passing struct {
	Overtaking float64 // tangent of the angle by which it turns aside where it gets ahead faster; 0: it overtakes none, and walks straight on
	Right      float64 // tangent of the angle by which it turns to the right before those that come toward it; below 0: to the left
}

func (p Passing) MarshalJSON() ([]byte, error)     { return marshal(p) }
func (p *Passing) UnmarshalJSON(data []byte) error { return unmarshal(data, p) }

// Inertia limits how fast an agent with ORCA changes the velocity that it aims at. To avoid
// a collision it brakes and turns as fast as it must.
type Inertia struct {
	MaxAcceleration float64 // m/s²; 0: no limit
}

func (i Inertia) MarshalJSON() ([]byte, error)     { return marshal(i) }
func (i *Inertia) UnmarshalJSON(data []byte) error { return unmarshal(data, i) }
