package engine

import "time"

// What workers ask the server of a sweep, as JSON. Each question but the first has the
// digest of the manifest in a header.
const (
	digestHeader = "Crowd-Sweep"

	hold     = 5 * time.Second // how long a question for points waits for some
	beat     = time.Second     // how often workers give signs of life
	maxTake  = 1024            // points at a time
	maxBody  = 32 << 20        // bytes of a question
	maxWords = 8 << 10         // bytes of an error
)

// joining is the question of a worker that begins. Path /join.
type joining struct {
	ID      string
	Machine string
	Build   string
}

// joined is the answer to it.
type joined struct {
	Manifest Manifest
	Beat     time.Duration // how often it gives signs of life
	Ended    bool          // there is no more to do
}

// life is a sign of life, and a question for points if the worker wants some. It renews the
// leases of the points that it names. Path /life.
type life struct {
	Worker          // with the points at work
	Waiting []int64 // points that wait for a thread, or for their results to arrive
	Late    []int64 // points whose time is up, and so their leases end
	Back    []int64 // points that another worker should do
	Want    int     // how many points more it takes
	Leave   bool    // the worker ends
}

// bringing is what came of points. Path /done.
type bringing struct {
	Worker, Machine string
	Rows            []Row
	Failed          []Dead // tries that failed, but for their numbers
}

// answer is the answer to all of these.
type answer struct {
	Points []int64 `json:",omitempty"` // that the worker wanted
	Ended  bool    `json:",omitempty"` // there is no more to do
}
