// Package plot draws charts of what other commands wrote. The content of a file decides what it is.
package plot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/internal/textio"
	"gonum.org/v1/plot/vg"
)

// Command is crowd plot.
type Command struct {
	Files []string `arg:"" name:"file" help:"What run and bench wrote as JSON, CSV or Go benchmark lines, or trajectories, also as .gz; - is standard input. Or folders of sweeps, or their results.csv."`

	Out   string    `short:"o" placeholder:"FILE.png" help:"The picture, as the name ends: .png or .svg (default: of a sweep results.png in its folder)."`
	What  string    `placeholder:"NAME" help:"What to draw of the content; the list is above (default: overview)."`
	X     string    `placeholder:"COLUMN" help:"Figure to draw, or the horizontal one; of sweeps those whose means are drawn, such as flow,collisions (default: up to three that differ)."`
	Y     string    `placeholder:"COLUMN" help:"Vertical figure, against --x."`
	By    string    `placeholder:"COLUMN" help:"Color or panel for each value of a column, or folder for that of the scene (default: for each file)."`
	Log   bool      `help:"Logarithmic axes for figures."`
	To    []float64 `placeholder:"X,Y" help:"Measure distances from this point, in meters (default: from where each agent started)."`
	Scene string    `placeholder:"SCENE" help:"Draw the obstacles of this scene, a built-in one or a file, beneath the paths."`

	StudyFlags `group:"Of sweeps:"`
	Look       `group:"Looks:"`
}

// drawnPaths is how many agents have their path drawn.
const drawnPaths = 100

// Look is the flags that all pictures have.
type Look struct {
	Size  cli.Size `placeholder:"WIDTH[xHEIGHT]" help:"Size of the picture in pixels (default: 1200, and as high as needed)."`
	Dark  bool     `help:"Use the dark theme."`
	style *Style
	notes []string // what is not in the picture, and why
}

// Run draws what the files are of.
func (o *Command) Run(ctx context.Context, e *cli.Console) error {
	var idle []cli.IdleFlag
	study := isStudy(o.Files[0])
	for _, name := range []string{"what", "y", "by", "log", "to", "scene"} {
		idle = append(idle, cli.IdleFlag{Name: name, Idle: study, Why: "is not for sweeps, and " + o.Files[0] + " is one"})
	}
	for _, name := range []string{"heat", "pareto", "over", "json"} {
		idle = append(idle, cli.IdleFlag{Name: name, Idle: !study, Why: "is for sweeps, and " + o.Files[0] + " is none"})
	}
	if err := e.Given.Refuse(idle...); err != nil {
		return cli.BadUsage(err)
	}
	if study {
		s := &Sweep{Files: o.Files, Out: o.Out, StudyFlags: o.StudyFlags, Look: o.Look}
		if o.X != "" {
			s.Figure = strings.Split(o.X, ",")
		}
		return s.Run(ctx, e)
	}
	switch {
	case o.Out == "":
		return cli.BadUsage(errors.New("--out is missing, want a name that ends with .png or .svg"))
	case o.To != nil && (len(o.To) != 2 || !cli.Drawable(o.To[0]) || !cli.Drawable(o.To[1])):
		return cli.BadUsage(fmt.Errorf("--to is %v, want X,Y", o.To))
	}
	p := &drawing{Command: o, ctx: ctx}
	if err := o.draw(ctx, e, o.Files, o.Out, func() (*Sheet, error) { return p.sheet(e) }); err != nil {
		return err
	}
	_, err := cli.Fprintf(e.Out, "picture in %s\n", o.Out)
	return err
}

// draw writes the picture that make makes. No name is no picture.
func (l *Look) draw(ctx context.Context, e *cli.Console, reads []string, name string, make func() (*Sheet, error)) error {
	if end := strings.ToLower(filepath.Ext(name)); name != "" && end != ".png" && end != ".svg" {
		return cli.BadUsage(fmt.Errorf("--out is %s, want a name that ends with .png or .svg", name))
	}
	if err := l.Size.Check(200, 10_000); err != nil {
		return cli.BadUsage(err)
	}
	var files output.Files
	files.Reads(reads...)
	out := files.Add("--out", name)
	if err := files.Open(); err != nil {
		return cli.BadUsage(err)
	}
	defer files.Discard()
	if l.style = &LightStyle; l.Dark {
		l.style = &DarkStyle
	}
	s, err := make()
	if ctx.Err() != nil { // the files are not to blame
		return cli.While(ctx, ctx.Err(), "reading files")
	} else if err != nil {
		return cli.BadUsage(err)
	}
	s.Width, s.Height = vg.Length(l.Size.Width)*Pixel, vg.Length(l.Size.Height)*Pixel
	s.Style = l.style
	for _, note := range l.notes {
		e.Log.Info(note)
	}
	if len(l.notes) > 0 {
		s.Caption = append(s.Caption, strings.Join(l.notes, "; "))
	}
	return out.Fill(func(to io.Writer) error { return s.Write(to, name) })
}

// note says what is not in the picture, once.
func (l *Look) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(l.notes, text) {
		l.notes = append(l.notes, text)
	}
}

// read reads files, and shows how far it is.
func read(ctx context.Context, e *cli.Console, names []string, o ReadOptions) (all []*File, err error) {
	for _, name := range names {
		in, size := os.Stdin, 0
		if name == "-" {
			name = "standard input"
		} else {
			if in, err = os.Open(name); err != nil {
				return nil, fmt.Errorf("%s: %w", name, errors.Unwrap(err))
			}
			defer in.Close()
			info, err := in.Stat()
			if err == nil && info.IsDir() {
				return nil, fmt.Errorf("%s: is a folder", name)
			} else if err == nil {
				size = int(info.Size())
			}
		}
		done := &progress{Reader: textio.WithContext(ctx, in), bar: e.Progress(name, size, "byte", size == 0)}
		f, err := ReadFile(name, done, o)
		done.bar.Done()
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}

// progress shows how much has been read.
type progress struct {
	io.Reader
	bar *cli.Progress
	n   int
}

func (p *progress) Read(b []byte) (int, error) {
	n, err := p.Reader.Read(b)
	p.n += n
	p.bar.Set(p.n)
	return n, err
}
