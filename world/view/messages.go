package view

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/8f878440/crowd/internal/walking"
	"github.com/8f878440/crowd/systems/measure"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// The messages to viewers, beside frames. Each has its kind.

type helloMessage struct {
	Kind      string  `json:"kind"`
	Version   string  `json:"version"`
	Scenes    []Named `json:"scenes"`
	MaxAgents int     `json:"maxAgents"`
	Viewer    uint64  `json:"viewer"` // number of the one that hears it
	Server    string  `json:"server"` // another one after a restart of the program
}

// startingMessage tells of a crowd that is being made, again and again until the
// scene comes, or it is over.
type startingMessage struct {
	Kind    string  `json:"kind"`
	Name    string  `json:"name"`
	Agents  int     `json:"agents"`  // 0: not known yet
	By      uint64  `json:"by"`      // number of the viewer that started it
	Seconds float64 `json:"seconds"` // since then
	Over    bool    `json:"over"`    // nothing is being made any more: it failed, or was called off
}

type sceneMessage struct {
	Kind       string             `json:"kind"`
	Build      uint32             `json:"build"`
	Name       string             `json:"name"`
	Text       string             `json:"text"`
	Try        string             `json:"try"`
	Featured   []string           `json:"featured"` // parameters whose sliders come first
	Notes      []string           `json:"notes"`
	Warnings   []string           `json:"warnings"`
	Seed       string             `json:"seed"`
	Dt         float64            `json:"dt"`
	Agents     int                `json:"agents"`
	Size       int                `json:"size"` // agents of the scene, with those that are still to come
	Box        [4]float64         `json:"box"`
	Pointer    string             `json:"pointer"`
	Fields     int                `json:"fields"`
	Paths      [][][2]float64     `json:"paths"`
	Lines      [][4]float64       `json:"lines"`    // both ends, m
	Areas      [][4]float64       `json:"areas"`    // two corners, m
	Zones      [][6]float64       `json:"zones"`    // two corners of each, m, and where it leads up, 0 and 0 where it is level
	Portals    [][8]float64       `json:"portals"`  // two corners of the box where one enters, and two of that where one comes out, m
	Unit       string             `json:"unit"`     // of lengths: m or px
	Time       string             `json:"time"`     // its unit: s or step
	Recorded   *recordedMessage   `json:"recorded"` // null where lengths are not meters
	Groups     []groupMessage     `json:"groups"`
	ColorBy    string             `json:"colorBy"` // what colors stand for until a viewer chooses
	Parameters []parameterMessage `json:"parameters"`
	Behaviors  []string           `json:"behaviors"`
	Archetypes []string           `json:"archetypes"`
	MaxSpeed   number             `json:"maxSpeed"`
	Crowding   crowding           `json:"crowding"`
	Beside     *besideMessage     `json:"beside"` // a second crowd; null: none
	Film       bool               `json:"film"`   // it is a recording that is shown
	Drawn      bool               `json:"drawn"`  // obstacles were changed by hand
	Can        []string           `json:"can"`    // what viewers may do beside looking
}

type groupMessage struct {
	Name   string `json:"name"`
	Agents int    `json:"agents"`
}

type parameterMessage struct {
	Name    string `json:"name"`
	Group   int    `json:"group"`
	Section string `json:"section"`
	Label   string `json:"label"`
	Help    string `json:"help"`
	Value   number `json:"value"`
	First   number `json:"first"` // the value with which the scene was opened
	Min     number `json:"min"`
	Max     number `json:"max"`
	Step    number `json:"step"`
}

type statsMessage struct {
	Kind           string           `json:"kind"`
	Step           uint64           `json:"step"`
	Time           float64          `json:"time"`
	Agents         int              `json:"agents"`
	StepsPerSecond float64          `json:"stepsPerSecond"`
	Pace           float64          `json:"pace"`
	Paused         bool             `json:"paused"`
	StepMs         float64          `json:"stepMs"`
	Arrived        int              `json:"arrived"`
	Collisions     *int             `json:"collisions"` // null: not counted
	Out            *float64         `json:"out"`        // s, when all were out; null: some are there, or none leaves
	Timeline       *timelineMessage `json:"timeline"`   // null: no past is kept
	Seeking        bool             `json:"seeking"`    // it is on its way to a step
	Beside         *int             `json:"beside"`     // how many of the second crowd are there; null: there is none
	Viewers        int              `json:"viewers"`
	Trace          string           `json:"trace"`     // trace hash, as crowd run prints it; empty: the world was not shown from its first step
	TraceStep      int              `json:"traceStep"` // as of which step
	Obstacles      int              `json:"obstacles"`
	Systems        []systemMessage  `json:"systems"`
	Lines          []lineMessage    `json:"lines"`  // in the order of the scene; empty: not measured
	Areas          []areaMessage    `json:"areas"`  // the same
	Motion         *motionMessage   `json:"motion"` // null: not measured
}

type systemMessage struct {
	Name string  `json:"name"`
	Ns   float64 `json:"ns"` // per agent and step
}

type agentMessage struct {
	Kind        string             `json:"kind"`
	ID          string             `json:"id"` // empty: none
	Alive       bool               `json:"alive"`
	Explanation *world.Explanation `json:"explanation,omitempty"`
}

// fileMessage is the scene as it is set now, in TOML.
type fileMessage struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
}

type errorMessage struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
}

// number is a float64 that may be infinite or no number, for which JSON has texts.
type number float64

func (n number) MarshalJSON() ([]byte, error) {
	switch x := float64(n); {
	case math.IsInf(x, 1):
		return []byte(`"Infinity"`), nil
	case math.IsInf(x, -1):
		return []byte(`"-Infinity"`), nil
	case math.IsNaN(x):
		return []byte(`"NaN"`), nil
	}
	return strconv.AppendFloat(nil, float64(n), 'g', -1, 64), nil
}

// encode returns a message as JSON. What cannot be encoded is a fault of ours.
func encode(message any) []byte {
	data, err := json.Marshal(message)
	if err != nil {
		data, _ = json.Marshal(errorMessage{"error", "cannot be shown: " + err.Error()})
	}
	return data
}

// mostAreas bounds the areas that are shown: a file may have thousands.
const mostAreas = measure.MaxLines

// lineMessage is what was measured at a line since the start: measure.LineCount.
type lineMessage struct {
	Passed int    `json:"passed"`
	First  number `json:"first"` // s, when the first one passed; 0: none did
	Last   number `json:"last"`  // s
	Speed  number `json:"speed"` // m/s
}

// areaMessage is what was measured in an area since the start: measure.AreaCount.
type areaMessage struct {
	Steps      int    `json:"steps"`      // of all agents in it
	Time       number `json:"time"`       // s, with at least one agent in it
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
		m.Recorded = &recordedMessage{walking.RecordedWiggle, walking.RecordedReversals, walking.RecordedAcceleration}
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

// units are those of the figures of a scene, for people to read.
type units struct{ length, time string }

// unitsOf returns those of a scene that has just been opened: in pixels with a step of 1,
// that step is the unit of time.
func unitsOf(sc *scene.Scene) units {
	switch {
	case !sc.InPixels():
		return units{"m", "s"}
	case sc.Dt == 1:
		return units{"px", "step"}
	}
	return units{"px", "s"}
}

// solids are the obstacles of a world, as they are sent to viewers.
type solids struct {
	version uint32
	message []byte
	count   int
	doors   int
	byID    map[uint32]ecs.Entity // by the numbers that viewers know, which never come again
	ids     map[ecs.Entity]uint32
	next    uint32
}

const afterVersion = 8 // bytes of the message

// solidsOf lists the obstacles of a world. Those that were listed before keep
// their numbers; if nothing has changed, it returns the list before.
func solidsOf(w *world.World, before *solids) *solids {
	s := &solids{version: 1, byID: map[uint32]ecs.Entity{}, ids: map[ecs.Entity]uint32{}}
	if before != nil {
		s.version, s.next = before.version+1, before.next
	}
	var rounds, open, doors, rings []world.ObstacleShape
	corners := 0
	w.Inspect().EachObstacle(func(o world.ObstacleShape) {
		id, known := uint32(0), false
		if before != nil {
			id, known = before.ids[o.Entity]
		}
		if !known {
			s.next++
			id = s.next
		}
		s.byID[id], s.ids[o.Entity] = o.Entity, id
		s.count++
		if len(o.Corners) > 0 {
			rings = append(rings, o)
			corners += len(o.Corners)
			return
		}
		if o.Door != nil {
			doors = append(doors, o)
			if o.Door.Open {
				open = append(open, o)
				return
			}
		}
		rounds = append(rounds, o)
	})
	rounds = append(rounds, open...)
	s.doors = len(doors)
	origin := r2.Vec{}
	switch {
	case len(rounds) > 0:
		origin = rounds[0].A
	case len(rings) > 0:
		origin = rings[0].Corners[0]
	}
	f := frames{out: []byte{kindObstacles, 0, 0, 0}}
	f.u32(s.version)
	for _, x := range [...]float64{origin.X, origin.Y} {
		f.out = binary.LittleEndian.AppendUint64(f.out, math.Float64bits(x))
	}
	for _, n := range [...]int{len(rounds), len(rings), corners, len(doors)} {
		f.u32(uint32(n))
	}
	for i := range rounds {
		o := &rounds[i]
		f.point(o.A, origin)
		f.point(o.B, origin)
		f.f32(o.Radius)
		f.u32(s.ids[o.Entity])
	}
	for i := range rings {
		f.u32(s.ids[rings[i].Entity])
	}
	first := 0
	for i := range rings {
		f.u32(uint32(first))
		first += len(rings[i].Corners)
	}
	for i := range rings {
		for _, corner := range rings[i].Corners {
			f.point(corner, origin)
		}
	}
	for i := range doors {
		f.u32(s.ids[doors[i].Entity])
		f.u32(map[bool]uint32{true: 1}[doors[i].Door.Open])
	}
	if before != nil && before.ids != nil && bytes.Equal(f.out[afterVersion:], before.message[afterVersion:]) {
		return before
	}
	s.message = f.out
	return s
}
