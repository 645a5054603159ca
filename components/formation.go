package components

import "gonum.org/v1/gonum/spatial/r2"

// Formation makes the Target of an agent from its place in a formation that moves with a
// leader. All with the same leader, spacing, files, slant and distance are one formation: a
// line with no Files, a column with one, a wedge with no Files and a slant, else a block.
type Formation struct {
	Leader   TrackedEntity // with whom the formation moves; the system keeps it up to date
	Spacing  float64       // m, between neighbors in a rank, and from rank to rank; 0 pauses
	Files    uint32        // how many stand abreast; 0: all of them
	Slant    float64       // how far the sides of a rank hang back, per meter from its middle; negative: they are ahead
	Distance float64       // m, from the leader to the first rank; 0: the leader stands in the middle of it

	TurnRate float64 // rad/s, how fast the formation wheels; 0: it does not
	Lead     float64 // s, how far ahead of its place an agent aims
	TopSpeed float64 // m/s; MaxSpeed is what takes the agent there in time, up to this; 0: MaxSpeed stays as it is

	Number uint32 // of the place of the agent, counted from 1; 0: it has none yet
	Of     uint32 // how many places there are
	Own    bool   // whether a host sets Slot; then the agent takes no place of others
	Slot   r2.Vec // m, the place: X ahead of the leader, Y to the left
	Course r2.Vec // unit vector, where the formation faces; zero: not known yet
	Facing r2.Vec // unit vector, where the leader goes, or faces; zero: nowhere
}
