package render

import (
	"context"
	"fmt"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/internal/formats/recorded"
	"github.com/8f878440/crowd/world/scene"
)

// Reading is what the file of a recording may not say.
type Reading struct {
	FrameRate float64       `placeholder:"N" help:"Frames a second of a recording, where its file does not say."`
	Unit      recorded.Unit `json:",omitempty" placeholder:"UNIT" help:"Unit of the lengths of a recording, where its file does not say: m or cm."`
	Columns   []string      `placeholder:"NAMES" help:"Columns of a recording, where its file does not say: id, frame (or time, in s), x, y in their order, and - for others (default: id,frame,x,y)."`
}

// To lets a scene be read from a recording.
func (r *Reading) To(o *scene.OpenOptions) {
	o.FrameRate, o.Unit, o.Columns = r.FrameRate, string(r.Unit), r.Columns
}

// Idle returns which flags do nothing with a scene, if no recording is shown beside it.
func (r *Reading) Idle(s *scene.Scene, beside bool) (all []cli.IdleFlag) {
	for _, name := range []string{"frame-rate", "unit", "columns"} {
		all = append(all, cli.IdleFlag{Name: name, Idle: !s.Recorded && !beside, Why: fmt.Sprintf("is for recordings, and %s is none", s.Name)})
	}
	return all
}

// Words returns the flags as they stand on a command line, each after a blank.
func (r *Reading) Words() (text string) {
	if r.FrameRate != 0 {
		text += fmt.Sprintf(" --frame-rate %v", r.FrameRate)
	}
	if r.Unit != "" {
		text += " --unit " + string(r.Unit)
	}
	if r.Columns != nil {
		text += " --columns " + strings.Join(r.Columns, ",")
	}
	return text
}

// Open reads the people to be shown beside simulated ones; nil: nobody.
func (r *Reading) Open(ctx context.Context, o *BesideOptions) (*People, error) {
	people, err := o.open(recorded.Options{FrameRate: r.FrameRate, Unit: r.Unit, Columns: r.Columns, Context: ctx})
	if err != nil {
		return nil, cli.While(ctx, err, "reading "+o.Beside)
	}
	return people, nil
}
