package engine

import "strings"

// sweepName is the name of a sweep on a server; streams, subjects and the bucket of files
// carry it, so that several sweeps share a server.
type sweepName string

func (n sweepName) stream(what string) string  { return "crowd-" + string(n) + "-" + what }
func (n sweepName) subject(what string) string { return "crowd." + string(n) + "." + what }

// Streams, and subjects of the same names. The subjects of tries and of workers end with
// an index, or a worker's name.
const (
	points   = "points"   // which wait or are at work
	results  = "results"  // rows
	dead     = "dead"     // points that were given up
	tries    = "tries"    // the last failure of a point
	workers  = "workers"  // the last sign of life of each, and of the sweep
	files    = "files"    // the bucket
	progress = "progress" // a subject in the stream of workers
	refused  = "refused"  // a subject of no stream: workers of other builds
	ended    = "ended"    // a subject of no stream: there is no more to do
)

// Headers of rows.
const (
	headIndex   = "Crowd-Index"
	headMachine = "Crowd-Machine"
	headFailed  = "Crowd-Failed"
)

// nameOf returns the name of the sweep that a stream of points belongs to.
func nameOf(stream string) (sweepName, bool) {
	rest, ok := strings.CutPrefix(stream, "crowd-")
	name, is := strings.CutSuffix(rest, "-"+points)
	return sweepName(name), ok && is
}

// valid tells whether a name may be part of a subject.
func (n sweepName) valid() bool {
	for _, r := range n {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_') {
			return false
		}
	}
	return n != "" && len(n) <= 64
}
