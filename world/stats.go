package world

import (
	"time"

	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/measure"
)

// Stats is what a crowd counted since it was made.
type Stats struct {
	Steps    int
	Agents   int           // rows that systems went over in the last step
	StepTime time.Duration // of the last step, without measuring

	Goals           int     // agents spawned with a Goal
	Arrived         int     // arrivals at a Goal, each time anew
	ArrivedOnce     int     // agents that arrived at least once
	Left            int     // agents that left the world when they arrived
	MeanArrivalTime float64 // s, from the beginning of the way to the arrival; 0 without arrivals
	Skipped         uint64  // rows left alone in a step because a number in them was not finite

	Looked  uint64 // agents that scanned for obstacles, each step anew
	Threats uint64 // of those, agents that saw one

	Looks     uint64 // agents that looked for neighbors, each step anew
	Neighbors uint64 // that they found; see sense.Neighbors

	ObstacleCollisions measure.ObstacleCollisionCount // zero unless Config.Measure is set
	Trips              measure.TripCount              // the same
	Times              ArrivalTimes                   // the same
	AgentCollisions    measure.AgentCollisionCount    // zero unless Config.Safety is set
	Nearest            NearestNeighbor                // the same
	Lines              []measure.LineCount            // of Config.Lines
	Areas              []measure.AreaCount            // of Config.Areas
	Frame              frame.Stats                    // times a system if Config.Profile is set

	arrivalTime float64
}

// ArrivalTimes are times in seconds from the beginning of a way to the arrival;
// all are 0 without arrivals. P95 is the smallest time that 95 of 100 arrivals
// do not exceed, and Median the same for 50.
type ArrivalTimes struct{ Median, P95, Max float64 }

// NearestNeighbor are percentiles of the distance in meters from an agent's
// center to the nearest other one; see measure.AgentCollisions. Known is false where
// agents saw no other.
type NearestNeighbor struct {
	P1, P5, P50 float64
	Known       bool
}

// Stats returns what the crowd counted.
func (w *World) Stats() Stats {
	if w.final != nil {
		return *w.final
	}
	s := w.counts
	s.Frame = w.Frame.Stats()
	s.Agents, s.Skipped = s.Frame.Rows, s.Frame.Skipped
	s.Looked, s.Threats = w.scan.Scanned()
	if s.Arrived > 0 {
		s.MeanArrivalTime = s.arrivalTime / float64(s.Arrived)
	}
	s.Looks, s.Neighbors = w.Neighbors.Met()
	w.measures.count(&s)
	return s
}

// Left returns how many agents have left the world when they arrived; see
// components.Goal.
func (w *World) Left() int { return w.counts.Left }

// StepTime returns how long the last step took, without measuring.
func (w *World) StepTime() time.Duration { return w.counts.StepTime }
