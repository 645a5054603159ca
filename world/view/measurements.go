package view

import (
	"fmt"

	"github.com/8f878440/crowd/systems/measure"
	"github.com/8f878440/crowd/world"
)

// mostAreas bounds the areas that are shown: a file may have thousands.
const mostAreas = measure.MaxLines

// lineMessage is what was measured at a line since the start: measure.LineCount.
type lineMessage struct {
	Passed int    `json:"passed"`
	First  number `json:"first"` // s, when the first one passed; 0: nobody did
	Last   number `json:"last"`  // s
	Speed  number `json:"speed"` // m/s
}

// areaMessage is what was measured in an area since the start: measure.AreaCount.
type areaMessage struct {
	Steps      int    `json:"steps"`      // of all agents in it
	Time       number `json:"time"`       // s, in which anybody was in it
	Density    number `json:"density"`    // agents/m², mean over that time
	MaxDensity number `json:"maxDensity"` // agents/m²
	Speed      number `json:"speed"`      // m/s, mean over the steps
}

// motionMessage is how agents moved since the start: measure.TripCount.
type motionMessage struct {
	Line         number `json:"line"` // m
	Wiggle       number `json:"wiggle"`
	Seconds      number `json:"seconds"`
	Acceleration number `json:"acceleration"` // m/s²
	Reversals    number `json:"reversals"`    // 1/s
	TurnSeconds  number `json:"turnSeconds"`
	Turning      number `json:"turning"` // degrees/s
}

// recordedMessage is what recorded people do, in words.
type recordedMessage struct {
	Wiggle       string `json:"wiggle"`
	Reversals    string `json:"reversals"`
	Acceleration string `json:"acceleration"`
}

// describeMeasurements says where the lines and areas are: those of the scene, or else
// those that the host's world measures.
func (s *simulation) describeMeasurements(m *sceneMessage) {
	config := s.world.Config()
	lines, areas := config.Lines, config.Areas
	if s.scene != nil {
		lines, areas = s.scene.Lines, s.scene.Areas // also of a crowd too large to measure
	}
	if s.units.length == "m" {
		m.Recorded = &recordedMessage{measure.RecordedWiggle, measure.RecordedReversals, measure.RecordedAcceleration}
	}
	m.Lines, m.Areas = [][4]float64{}, [][4]float64{}
	for _, l := range lines {
		m.Lines = append(m.Lines, [4]float64{l.A.X, l.A.Y, l.B.X, l.B.Y})
	}
	if len(areas) > mostAreas {
		m.Notes = append(m.Notes, fmt.Sprintf("the first %d of %d areas are shown", mostAreas, len(areas)))
		areas = areas[:mostAreas]
	}
	for _, a := range areas {
		m.Areas = append(m.Areas, [4]float64{a.Min.X, a.Min.Y, a.Max.X, a.Max.Y})
	}
}

// addMotion adds how agents moved.
func (m *statsMessage) addMotion(n *measure.TripCount) {
	m.Motion = &motionMessage{
		Line: number(n.Line), Wiggle: number(n.Wiggle),
		Seconds: number(n.Seconds), Acceleration: number(n.Acceleration), Reversals: number(n.Reversals),
		TurnSeconds: number(n.TurnSeconds), Turning: number(n.Turning),
	}
}

// addMeasurements adds what the world measured there, nothing if it does not measure.
func (m *statsMessage) addMeasurements(st *world.Stats) {
	m.Lines, m.Areas = []lineMessage{}, []areaMessage{}
	for _, n := range st.Lines {
		m.Lines = append(m.Lines, lineMessage{n.Passed, number(n.First), number(n.Last), number(n.Speed)})
	}
	for _, n := range st.Areas[:min(len(st.Areas), mostAreas)] {
		m.Areas = append(m.Areas, areaMessage{n.Steps, number(n.Time), number(n.Density), number(n.MaxDensity), number(n.Speed)})
	}
}
