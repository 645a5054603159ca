package view

import (
	"bytes"
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

type helloMessage struct {
	Kind      string  `json:"kind"`
	Version   string  `json:"version"`
	Scenes    []Named `json:"scenes"`
	MaxAgents int     `json:"maxAgents"`
	Viewer    uint64  `json:"viewer"` // number of the receiver
	Server    string  `json:"server"` // changes when the program restarts
}

// startingMessage is repeated until the scene message follows or Over is set.
type startingMessage struct {
	Kind    string  `json:"kind"`
	Name    string  `json:"name"`
	Agents  int     `json:"agents"`  // 0 means not known yet
	By      uint64  `json:"by"`      // number of the viewer that ordered the crowd
	Seconds float64 `json:"seconds"` // since the order
	Over    bool    `json:"over"`    // building failed or was canceled
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
	Size       int                `json:"size"` // including agents not yet spawned
	Box        [4]float64         `json:"box"`
	Pointer    string             `json:"pointer"`
	Fields     int                `json:"fields"`
	Paths      [][][2]float64     `json:"paths"`
	Lines      [][4]float64       `json:"lines"`    // both ends, m
	Areas      [][4]float64       `json:"areas"`    // two corners, m
	Zones      [][6]float64       `json:"zones"`    // two corners, m, and the uphill direction; 0, 0 means level
	Portals    [][8]float64       `json:"portals"`  // two corners of the entrance and two of the exit, m
	Unit       string             `json:"unit"`     // m or px
	Time       string             `json:"time"`     // s or step
	Recorded   map[string]string  `json:"recorded"` // measurements of people; null if lengths are not in meters
	Groups     []groupMessage     `json:"groups"`
	ColorBy    string             `json:"colorBy"` // initial meaning of colors
	Parameters []parameterMessage `json:"parameters"`
	Behaviors  []string           `json:"behaviors"`
	Archetypes []string           `json:"archetypes"`
	MaxSpeed   number             `json:"maxSpeed"`
	Crowding   crowding           `json:"crowding"`
	Beside     *besideMessage     `json:"beside"` // null means none
	Film       bool               `json:"film"`   // a recording is shown
	Drawn      bool               `json:"drawn"`  // obstacles were edited
	Can        []string           `json:"can"`    // permissions of viewers
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
	First   number `json:"first"` // value when the scene was opened
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
	Collisions     *int             `json:"collisions"` // null means not counted
	Out            *float64         `json:"out"`        // s, when the last agent left; null means not yet
	Timeline       *timelineMessage `json:"timeline"`   // null means that no past is kept
	Seeking        bool             `json:"seeking"`
	Beside         *int             `json:"beside"` // people present; null means no second crowd
	Viewers        int              `json:"viewers"`
	Trace          string           `json:"trace"`     // as crowd run prints it; empty if the world was not shown from its first step
	TraceStep      int              `json:"traceStep"` // step of Trace
	Obstacles      int              `json:"obstacles"`
	Systems        []systemMessage  `json:"systems"`
	Lines          []measured       `json:"lines"`  // empty means not measured
	Areas          []measured       `json:"areas"`  // empty means not measured
	Motion         measured         `json:"motion"` // null means not measured
}

type systemMessage struct {
	Name string  `json:"name"`
	Ns   float64 `json:"ns"` // per agent per step
}

type agentMessage struct {
	Kind        string             `json:"kind"`
	ID          string             `json:"id"` // empty means no agent
	Alive       bool               `json:"alive"`
	Explanation *world.Explanation `json:"explanation,omitempty"`
}

type fileMessage struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
}

type errorMessage struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
}

// number is a float64 whose infinities and NaN are strings in JSON.
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

func encode(message any) []byte {
	data, err := json.Marshal(message)
	if err != nil {
		data, _ = json.Marshal(errorMessage{"error", "cannot encode a message: " + err.Error()})
	}
	return data
}

// mostAreas is the largest number of areas shown: a scene file may list thousands.
const mostAreas = measure.MaxLines

func (s *simulation) describeMeasurements(m *sceneMessage) {
	config := s.world.Config()
	lines, areas := config.Lines, config.Areas
	if s.scene != nil {
		lines, areas = s.scene.Lines, s.scene.Areas // even for a crowd too large to be measured
	}
	if s.units.length == "m" {
		m.Recorded = map[string]string{
			"wiggle": walking.RecordedWiggle, "reversals": walking.RecordedReversals, "acceleration": walking.RecordedAcceleration,
		}
	}
	m.Lines, m.Areas = [][4]float64{}, [][4]float64{}
	for _, l := range lines {
		m.Lines = append(m.Lines, [4]float64{l.A.X, l.A.Y, l.B.X, l.B.Y})
	}
	if len(areas) > mostAreas {
		m.Notes = append(m.Notes, fmt.Sprintf("only the first %d of %d areas are shown", mostAreas, len(areas)))
		areas = areas[:mostAreas]
	}
	for _, a := range areas {
		m.Areas = append(m.Areas, corners(a))
	}
}

func corners(b r2.Box) [4]float64 { return [4]float64{b.Min.X, b.Min.Y, b.Max.X, b.Max.Y} }

// measured holds the measurements of a line, an area or the trips, by name.
type measured map[string]number

func (m *statsMessage) addMeasurements(st *world.Stats) {
	m.Lines, m.Areas = []measured{}, []measured{}
	for _, n := range st.Lines {
		m.Lines = append(m.Lines, measured{
			"passed": number(n.Passed), "first": number(n.First), "last": number(n.Last), "speed": number(n.Speed),
		})
	}
	for _, n := range st.Areas[:min(len(st.Areas), mostAreas)] {
		m.Areas = append(m.Areas, measured{
			"steps": number(n.Steps), "time": number(n.Time), "density": number(n.Density), "maxDensity": number(n.MaxDensity),
			"speed": number(n.Speed),
		})
	}
}

type units struct{ length, time string }

// unitsOf returns the units of a scene. In a scene in pixels with a step of 1, the unit of time is the step.
func unitsOf(sc *scene.Scene) units {
	switch {
	case !sc.InPixels():
		return units{"m", "s"}
	case sc.Dt == 1:
		return units{"px", "step"}
	}
	return units{"px", "s"}
}

// solids holds the obstacles of a world, as sent to viewers.
type solids struct {
	version uint32
	message []byte
	count   int
	doors   int
	byID    map[uint32]ecs.Entity // by the number that viewers use, which is never reused
	ids     map[ecs.Entity]uint32
	next    uint32
}

const afterVersion = 8 // offset, in bytes

// solidsOf returns a list of the obstacles of a world. Those of the previous list, which may be nil, keep
// their numbers. If nothing has changed, solidsOf returns the previous list.
func solidsOf(w *world.World, before *solids) *solids {
	s := &solids{version: 1, byID: map[uint32]ecs.Entity{}, ids: map[ecs.Entity]uint32{}}
	if before != nil {
		s.version, s.next = before.version+1, before.next
	}
	var rounds, open, doors, rings []world.ObstacleShape
	vertices := 0
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
			vertices += len(o.Corners)
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
	f.f64(origin.X, origin.Y)
	f.u32(uint32(len(rounds)), uint32(len(rings)), uint32(vertices), uint32(len(doors)))
	for i := range rounds {
		o := &rounds[i]
		f.points(origin, o.A, o.B)
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
		f.points(origin, rings[i].Corners...)
	}
	for i := range doors {
		f.u32(s.ids[doors[i].Entity], map[bool]uint32{true: 1}[doors[i].Door.Open])
	}
	if before != nil && before.ids != nil && bytes.Equal(f.out[afterVersion:], before.message[afterVersion:]) {
		return before
	}
	s.message = f.out
	return s
}
