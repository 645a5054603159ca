package view

import (
	"encoding/json"
	"math"
	"strconv"

	"github.com/8f878440/crowd/world"
)

// The messages to viewers, beside frames. Each has its kind.

type helloMessage struct {
	Kind      string  `json:"kind"`
	Version   string  `json:"version"`
	Scenes    []Named `json:"scenes"`
	MaxAgents int     `json:"maxAgents"`
	Viewer    uint64  `json:"viewer"` // number of who hears it
	Server    string  `json:"server"` // another one after a restart of the program
}

// startingMessage tells of a crowd that is being made, again and again until the
// scene comes, or it is over.
type startingMessage struct {
	Kind    string  `json:"kind"`
	Name    string  `json:"name"`
	Agents  int     `json:"agents"`  // 0: not known yet
	By      uint64  `json:"by"`      // number of the viewer who started it
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
	Size       int                `json:"size"` // agents of the scene, with those who are still to come
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
	Out            *float64         `json:"out"`        // s, when everyone was out; null: somebody is there, or nobody leaves
	Timeline       *timelineMessage `json:"timeline"`   // null: no past is kept
	Seeking        bool             `json:"seeking"`    // it is on its way to a step
	Beside         *int             `json:"beside"`     // how many of the second crowd are there; null: there is none
	Viewers        int              `json:"viewers"`
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
