// Package plot draws charts of what run, score and bench wrote.
package plot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/console"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot/data"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot/sheet"
	"github.com/8f878440/crowd/cmd/crowd/internal/terminal"
	"github.com/8f878440/crowd/cmd/crowd/internal/usage"
	"github.com/8f878440/crowd/internal/suggest"
	"github.com/8f878440/crowd/world"
)

// drawing is a picture in the making.
type drawing struct {
	*Options
	files     []*data.File
	kind      data.Kind
	style     *sheet.Style
	obstacles []world.ObstacleShape // of --scene
	notes     []string              // what is not in the picture, and why
}

// Run draws what the options ask for.
func (o *Options) Run(ctx context.Context, e *console.Console) error {
	if err := o.check(e); err != nil {
		return usage.Bad(err)
	}
	var files output.Files
	files.Reads(o.Files...)
	out := files.Add("--out", o.Out)
	if err := files.Open(); err != nil {
		return usage.Bad(err)
	}
	defer files.Discard()
	p := &drawing{Options: o, style: o.style()}
	if err := p.readAll(ctx, e); err != nil {
		if ctx.Err() != nil {
			return err // it is not the file's fault
		}
		return usage.Bad(err)
	}
	if err := p.checkChart(e); err != nil {
		return usage.Bad(err)
	}
	if o.Scene != "" {
		var err error
		if p.obstacles, err = obstaclesOf(ctx, o.Scene); err != nil {
			return usage.Bad(err)
		}
	}
	s, err := p.sheet()
	if err != nil {
		return usage.Bad(err)
	}
	for _, note := range p.notes {
		e.Log.Info(note)
	}
	if err := out.Fill(func(to io.Writer) error { return s.Write(to, o.Out) }); err != nil {
		return err
	}
	_, err = terminal.Fprintf(e.Out, "picture in %s\n", o.Out)
	return err
}

// chart returns what is to be drawn.
func (p *drawing) chart() (c chart, err error) {
	all, what := chartsOf(p.kind), p.What
	switch {
	case p.kind == data.MotionKind && p.X+p.Y+p.By != "":
		return c, fmt.Errorf("--x, --y and --by go with figures, and %s is %s", p.files[0].Name, p.kind)
	case p.kind != data.MotionKind && p.To != nil:
		return c, fmt.Errorf("--to goes with trajectories, and %s is %s", p.files[0].Name, p.kind)
	case what != "":
	case p.X != "" && p.Y != "":
		what = "scatter"
	case p.X != "":
		what = "histogram"
	case p.Y != "":
		return c, errors.New("--y goes with --x: a figure alone is drawn by --x")
	default:
		what = all[0].name
	}
	i := slices.IndexFunc(all, func(c chart) bool { return c.name == what })
	if i < 0 {
		return c, fmt.Errorf("nothing called %s in %s, which is %s; %s", what, p.files[0].Name, p.kind, suggest.OneOf(what, ChartNames(p.kind)))
	}
	return all[i], nil
}

// checkChart returns an error if a flag is given of which the chart makes nothing.
func (p *drawing) checkChart(e *console.Console) error {
	c, err := p.chart()
	if err != nil {
		return err
	}
	for _, flag := range []string{"x", "y", "by", "log", "to", "ways", "scene"} {
		var users []string
		for _, other := range chartsOf(p.kind) {
			if other.uses(flag) {
				users = append(users, other.name)
			}
		}
		why := fmt.Sprintf("is for %s, and the picture is %s", strings.Join(users, ", "), c.name)
		if len(users) == 0 {
			why = fmt.Sprintf("goes with trajectories, and %s is %s", p.files[0].Name, p.kind)
		}
		if err := e.Given.Refuse(usage.IdleFlag{Name: flag, Idle: !c.uses(flag), Why: why}); err != nil {
			return err
		}
	}
	return nil
}

// sheet makes the picture that is asked for.
func (p *drawing) sheet() (*sheet.Sheet, error) {
	c, err := p.chart()
	if err != nil {
		return nil, err
	}
	s, err := c.draw(p)
	if err != nil {
		return nil, err
	}
	p.dress(s)
	if len(p.notes) > 0 {
		s.Caption = append(s.Caption, strings.Join(p.notes, "; "))
	}
	return s, nil
}

// note says what is not in the picture.
func (p *drawing) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(p.notes, text) {
		p.notes = append(p.notes, text)
	}
}
