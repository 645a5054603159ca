package scene

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/8f878440/crowd/internal/formats/recorded"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

// What recordings leave to the simulator.
const (
	recordingDt     = 1. / 30
	recordingRadius = 0.2 // m, of each body
	recordingGoal   = 0.5 // m
	recordingLeast  = 0.1 // m/s, for people who mostly stood
	recordingSlack  = 30  // s, for those who are later than they were
)

// openRecording reads a recording, and lets people walk who come where and when those recorded
// did, go to where those were seen last at the median of their speeds, and leave there.
func openRecording(_ io.ReadSeeker, path string, o OpenOptions) (*Scene, error) {
	if o.Obstacles != "" {
		return nil, fmt.Errorf("%s: obstacles from a file go with a file of agents, not with a recording", path)
	}
	crowd, err := recorded.Open(path, recorded.Options{FrameRate: o.FrameRate, Unit: recorded.Unit(o.Unit), Columns: o.Columns, Context: o.Context})
	if err != nil {
		return nil, err
	}
	if n := len(crowd.People); n > world.MaxAgents {
		return nil, fmt.Errorf("%s: %d people, want at most %d", path, n, world.MaxAgents)
	}
	beyond := r2.Vec{X: 1, Y: 1} // m
	box := crowd.Box()
	s := &Scene{
		Recorded: true, Name: baseName(path), Text: "people who start and go where others were recorded", Seed: 1, Dt: recordingDt, Files: []string{path},
		Box:   r2.Box{Min: vec.Sub(box.Min, beyond), Max: vec.Add(box.Max, beyond)},
		Steps: int(math.Ceil((crowd.End - crowd.Start + recordingSlack) / recordingDt)),
		Notes: []string{"people come where and when those recorded did, and go at the median of their speeds to where those were seen last"},
	}
	g := Group{
		Name: "people", Count: len(crowd.People), Source: &Source{AtOnce: 1}, Target: &Place{},
		Radius: Same(recordingRadius), Goal: &Goal{Radius: Same(recordingGoal), Then: Leave},
	}
	for i := range crowd.People {
		p := &crowd.People[i]
		speed, _ := p.MedianSpeed()
		g.At.Points, g.Target.Points = append(g.At.Points, p.At[0]), append(g.Target.Points, p.At[len(p.At)-1])
		g.MaxSpeed.Each = append(g.MaxSpeed.Each, max(speed, recordingLeast))
		come := &g.Source.Schedule
		if at := p.Times[0] - crowd.Start; len(*come) > 0 && (*come)[len(*come)-1].Time == at {
			(*come)[len(*come)-1].N++
		} else {
			*come = append(*come, world.Batch{Time: at, N: 1})
		}
	}
	s.Groups = []Group{g}
	s.steer(o.model())
	return s, nil
}

// isRecording reports whether a file has trajectories, by how it begins.
func isRecording(f io.Reader, path string) bool {
	const head = 4096
	if strings.HasSuffix(strings.ToLower(path), ".toml") {
		return false
	}
	text, _ := unzipped(f).Peek(head) // of what can't be read another reader tells
	return recorded.Is(text)
}
