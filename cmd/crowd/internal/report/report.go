package report

import (
	"io"

	"github.com/8f878440/crowd/cmd/crowd/internal/output"
)

// Report is what a run prints. docs/report.md describes the fields; they keep
// their names and meanings.
type Report struct {
	Scene       string  `json:"scene"`
	File        string  `json:"file,omitempty"`
	Agents      int     `json:"agents"`
	Steps       int     `json:"steps"`
	Workers     int     `json:"workers"`
	Seed        uint64  `json:"seed"`
	Dt          float64 `json:"dt"`
	Interrupted bool    `json:"interrupted"`

	InterruptedStep *int `json:"interrupted_step"`
	ResumedAfter    *int `json:"resumed_after"`
	Conditions
	Model           string `json:"model"`
	ModelParameters string `json:"model_parameters"`

	SetupSeconds    float64 `json:"setup_seconds"`
	BesideSeconds   float64 `json:"beside_seconds"`
	NsPerAgentStep  float64 `json:"ns_per_agent_step"`
	StepsPerSecond  float64 `json:"steps_per_second"`
	RealTimeFactor  float64 `json:"real_time_factor"`
	StepP50Ns       int64   `json:"step_p50_ns"`
	StepP99Ns       int64   `json:"step_p99_ns"`
	AllocsPerStep   float64 `json:"allocs_per_step"`
	BytesPerAgent   float64 `json:"bytes_per_agent"`
	SkippedRowSteps uint64  `json:"skipped_row_steps"`

	UnderThreat          *float64 `json:"under_threat"`
	Arrived              int      `json:"arrived"`
	ArrivedAgents        int      `json:"arrived_agents"`
	TimedOut             int      `json:"timed_out"`
	CannotArrive         *int     `json:"cannot_arrive"`
	CannotArriveAsked    *int     `json:"cannot_arrive_asked"` // of how many
	Reasons              []string `json:"reasons"`             // why, for some of them
	Collisions           *int     `json:"collisions"`
	CollisionsSteerbench *int     `json:"collisions_steerbench"`
	ObstacleCollisions   int      `json:"obstacle_collisions"`
	CentersInside        int      `json:"centers_inside"`
	MaxPenetration       float64  `json:"max_penetration"`
	MeanArrivalTime      *float64 `json:"mean_arrival_time"`
	OutAfter             *float64 `json:"out_after"` // s, when the last agent of a scene that ends left
	Figures

	Neighbors *float64 `json:"neighbors"`
	Lines     []Line   `json:"lines"`
	Areas     []Area   `json:"areas"`

	Systems   []System `json:"systems"`
	Perf      *Perf    `json:"perf"`
	Notes     []string `json:"notes"`
	Hash      string   `json:"hash"`
	TraceHash string   `json:"trace_hash"`
	Version   string   `json:"version"`
	Command   string   `json:"command"`

	ends   bool // whether everyone leaves on arrival
	pixels bool // whether lengths are pixels
	timed  int  // steps of this process
}

// System is what one system cost.
type System struct {
	Name       string  `json:"name"`
	NsPerAgent float64 `json:"ns_per_agent"`
	Share      float64 `json:"share"`
}

// WriteJSON writes the report for programs.
func (r *Report) WriteJSON(w io.Writer) error { return output.WriteJSON(w, r) }
