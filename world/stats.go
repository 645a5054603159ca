package world

import (
	"time"

	"github.com/8f878440/crowd/systems"
)

// Stats is what a crowd counted since it was made.
type Stats struct {
	Steps    int
	Agents   int           // rows that systems went over in the last step
	StepTime time.Duration // of the last step, without measuring

	Goals           int     // agents spawned with a Goal
	Arrived         int     // arrivals at a Goal, each time anew
	ArrivedOnce     int     // agents that arrived at least once
	MeanArrivalTime float64 // s, from the beginning of the way to the arrival; 0 without arrivals
	Skipped         uint64  // rows left alone in a step because a number in them was not finite

	Looked  uint64 // agents that scanned for obstacles, each step anew
	Threats uint64 // of those, agents that saw one

	Contacts systems.ContactCount // zero unless Config.Measure is set
	Frame    systems.Stats        // times a system if Config.Profile is set

	arrivalTime float64
}

// Stats returns what the crowd counted.
func (w *World) Stats() Stats {
	s := w.counts
	s.Frame = w.Frame.Stats()
	s.Agents, s.Skipped = s.Frame.Rows, s.Frame.Skipped
	s.Looked, s.Threats = w.scan.Scanned()
	if s.Arrived > 0 {
		s.MeanArrivalTime = s.arrivalTime / float64(s.Arrived)
	}
	if w.contacts != nil {
		s.Contacts = w.contacts.Count()
	}
	return s
}

// StepTime returns how long the last step took, without measuring.
func (w *World) StepTime() time.Duration { return w.counts.StepTime }
