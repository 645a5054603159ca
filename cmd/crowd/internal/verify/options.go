package verify

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot"
	"github.com/8f878440/crowd/internal/suggest"
	"github.com/8f878440/crowd/world/scene"
)

// Options say what is verified and how, as flags of the command line.
type Options struct {
	Suites []string `arg:"" optional:"" name:"suite" words:"all,juelich,diagram,throng,rimea,nist" help:"juelich, diagram, throng, rimea, nist or all (default: all)."`

	Model string `placeholder:"NAME" default:"${model}" words:"all" help:"How people walk: ${models}; or all, for one table of all models (default: ${model})."`
	Data  string `placeholder:"FOLDER" help:"Recordings of the Forschungszentrum Jülich, to compare the times between one person and the next."`
	Seeds int    `placeholder:"N" default:"10" help:"Run each experiment of juelich with N seeds, those of other suites with 3 at most (default: 10)."`
	Short bool   `help:"Fewer experiments, with one seed."`
	JSON  bool   `name:"json" help:"Print an array of results as JSON, and nothing else."`
	Out   string `short:"o" placeholder:"FILE.png" help:"Draw a picture of each suite, as the name ends: .png or .svg. With several suites FILE-SUITE.png."`
	Dark  bool   `help:"Use the dark theme."`
}

// mostSeeds is how many seeds may be asked for.
const mostSeeds = 1000

func (o *Options) check(e *cli.Console) error {
	for _, name := range o.Suites {
		if names := append(SuiteNames(), all); !slices.Contains(names, name) {
			return fmt.Errorf("no suite is named %q, %s", name, suggest.OneOf(name, names))
		}
	}
	if names := append(scene.ModelNames(), all); !slices.Contains(names, o.Model) {
		return fmt.Errorf("model is %q, %s", o.Model, suggest.OneOf(o.Model, names))
	}
	if o.Seeds < 1 || o.Seeds > mostSeeds {
		return fmt.Errorf("--seeds is %d, want 1 to %d", o.Seeds, mostSeeds)
	}
	if end := strings.ToLower(filepath.Ext(o.Out)); o.Out != "" && end != ".png" && end != ".svg" {
		return fmt.Errorf("--out is %s, want a name that ends with .png or .svg", o.Out)
	}
	return e.Given.Refuse(
		cli.IdleFlag{Name: "seeds", Idle: o.Short, Why: "and --short contradict one another, want one of them"},
		cli.IdleFlag{Name: "data", Idle: !o.asked("juelich"), Why: "is for juelich, and " + strings.Join(o.Suites, ", ") + " is verified"},
		cli.IdleFlag{Name: "out", Idle: o.Model == all, Why: "is for one model, and all are compared"},
		cli.IdleFlag{Name: "dark", Idle: o.Out == "", Why: "is for the picture, and none is drawn"},
	)
}

// all stands for all suites, or all models.
const all = "all"

// models returns the models that are asked for.
func (o *Options) models() []scene.ModelInfo {
	return slices.DeleteFunc(scene.Models(), func(m scene.ModelInfo) bool { return o.Model != all && o.Model != string(m.Model) })
}

// asked reports whether a suite is to be run.
func (o *Options) asked(name string) bool {
	return len(o.Suites) == 0 || slices.Contains(o.Suites, name) || slices.Contains(o.Suites, all)
}

// seeds returns with how many seeds experiments run that take at most so many.
func (o *Options) seeds(most int) int {
	if o.Short {
		return 1
	}
	return min(o.Seeds, most)
}

func (o *Options) style() *plot.Style {
	if o.Dark {
		return &plot.DarkStyle
	}
	return &plot.LightStyle
}
