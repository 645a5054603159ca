package components

// FollowingDistance makes an agent with ORCA keep a distance to those who walk ahead of it,
// as people do.
type FollowingDistance struct {
	TimeGap float64 // s, in which it would cover the gap to them at the speed that it prefers; 0: it prefers full speed in any throng
}

func (f FollowingDistance) MarshalJSON() ([]byte, error)     { return marshal(f) }
func (f *FollowingDistance) UnmarshalJSON(data []byte) error { return unmarshal(data, f) }
