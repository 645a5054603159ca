package run

import (
	"fmt"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/report"
)

// ScoreRow is what became of a file. docs/quality.md describes the fields.
type ScoreRow struct {
	File           string   `json:"file"`
	CannotArrive   int      `json:"cannot_arrive"`
	Reasons        []string `json:"reasons,omitempty"` // why, for some of them
	Error          string   `json:"error,omitempty"`
	Warnings       []string `json:"warnings,omitempty"`
	*report.Report          // nil if the file did not run

	// These stand in front of the report's and are left out: the first two are of the whole
	// process, and so of all files that run at the same time, and the last one only a run has.
	AllocsPerStep     []struct{} `json:"allocs_per_step,omitempty"`
	BytesPerAgent     []struct{} `json:"bytes_per_agent,omitempty"`
	CannotArriveAsked []struct{} `json:"cannot_arrive_asked,omitempty"`

	failed bool // for no fault of the file
}

// style is how the row looks: what failed stands out.
func (r *ScoreRow) style() cli.Style {
	switch {
	case r.Error != "":
		return cli.Bad
	case r.Report != nil && r.Interrupted:
		return cli.Warning
	}
	return cli.Plain
}

// note is the last column of a row.
func (r *ScoreRow) note() string {
	var notes []string
	if r.Error != "" {
		text, own := strings.CutPrefix(r.Error, r.File+":") // the row begins with the file
		text = strings.TrimSpace(text)
		if own && text != "" && '0' <= text[0] && text[0] <= '9' {
			text = "line " + text
		}
		notes = append(notes, strings.ReplaceAll(text, "\n", " "))
	}
	if r.Report != nil && r.Interrupted && r.Error == "" {
		notes = append(notes, "interrupted")
	}
	if r.CannotArrive > 0 {
		notes = append(notes, fmt.Sprintf("%d can't arrive: %s", r.CannotArrive, r.Reasons[0]))
	}
	return strings.Join(notes, "; ")
}
