package data

// Options say what to keep of trajectories.
type Options struct {
	Ways     int       // of how many agents
	To       []float64 // a place that distances are measured to; nil: where each agent began
	Progress func(int) // is told now and then how many lines were read; may be nil
}

// Motion is how agents moved. Its memory does not grow with the length of the file:
// times are thinned out when there are many, and ways are of a sample of the agents.
type Motion struct {
	Times    Thinned[Moment]
	Ways     []Way
	Agents   int // different ones, but for those beyond mostPlaced
	Rows     int
	Skipped  int // rows with a number that is not finite
	Unplaced int // rows of agents beyond mostPlaced, whose beginnings are not known
}

// Moment is what the agents did at a time.
type Moment struct {
	Time            float64
	Agents          int
	Speed, Distance [3]float64 // quartiles; NaN: of nobody
}

// Way is where one agent was.
type Way struct {
	id     uint64
	rank   uint64 // the lowest are kept
	Places []Place
}

// Place is where an agent was at a moment, and how fast.
type Place struct {
	moment            int // from 0
	Time, X, Y, Speed float64
}

const (
	mostMoments = 4096    // finer than a picture shows
	MostPlaced  = 1 << 20 // agents whose beginning is known
	mostSampled = 1 << 20 // agents that the quartiles are of
	noWay       = -1
)
