package house

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
)

var update = flag.Bool("update", false, "rewrite the generated parts of the pages")

// part is generated from the code. In the page, it lies between <!-- name: begin --> and <!-- name: end -->.
type part struct {
	page, name string
	make       func(*testing.T) string
}

// With the tag e2e, generated includes the parts made with go list.
var generated = []part{
	{"docs/rules.md", "behaviors", behaviorTable},
	{"docs/architecture.md", "step", stepChart},
}

// TestGenerated rewrites the parts with -update.
func TestGenerated(t *testing.T) {
	for _, g := range generated {
		t.Run(g.name, func(t *testing.T) {
			file := filepath.Join(root, g.page)
			text, err := os.ReadFile(file)
			testkit.Must(t, err)
			begin, end := fmt.Sprintf("<!-- %s: begin -->\n", g.name), fmt.Sprintf("<!-- %s: end -->", g.name)
			before, rest, ok := strings.Cut(string(text), begin)
			old, after, ended := strings.Cut(rest, end)
			if !ok || !ended {
				t.Fatalf("%s has no part between %q and %q", g.page, begin, end)
			}
			want := g.make(t)
			if old == want {
				return
			}
			if !*update {
				t.Fatalf("%s, part %s is out of date; run go test -tags e2e ./internal/house -run TestGenerated -update\ngot:\n%s\nwant:\n%s", g.page, g.name, old, want)
			}
			testkit.Must(t, os.WriteFile(file, []byte(before+begin+want+end+after), 0o644))
		})
	}
}

func behaviorTable(t *testing.T) string {
	var b strings.Builder
	b.WriteString("| name | component | system | source |\n|---|---|---|---|\n")
	for _, e := range systems.Catalog() {
		var names []string
		for _, system := range e.By {
			names = append(names, reflect.TypeOf(system).Elem().Name())
		}
		if e.System != nil {
			name := reflect.TypeOf(e.System(catalog.Options{})).Elem().Name()
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		fmt.Fprintf(&b, "| %s | `%s` | `%s` | %s |\n", e.Name, reflect.TypeOf(e.Component).Name(), strings.Join(names, "`, `"),
			cmp.Or(e.Source, "ours"))
	}
	return b.String()
}

// hostSystem stands for the steering systems of a host.
type hostSystem struct{}

func (*hostSystem) Observe(*ecs.World) {}

func stepChart(t *testing.T) string {
	config := world.Default()
	config.Workers, config.Steer = 1, []any{&hostSystem{}}
	w, err := world.New(config)
	testkit.Must(t, err)
	defer w.Close()
	var names []string
	for _, s := range w.Frame.Stats().Systems {
		names = append(names, s.Name)
	}
	host := slices.Index(names, "hostSystem")
	if host < 0 {
		t.Fatalf("the host's system is not in the frame: %v", names)
	}
	byName := map[string]any{}
	for _, s := range w.Frame.Systems() {
		byName[frame.NameOf(s)] = s
	}
	pick := func(names []string, method string) (picked []string) {
		for _, name := range names {
			if name != "hostSystem" && reflect.ValueOf(byName[name]).MethodByName(method).IsValid() {
				picked = append(picked, name)
			}
		}
		return picked
	}
	phases := []struct {
		name, about string
		systems     []string
	}{
		{"sense", "Sense, one after another", pick(names, "Sense")},
		{"steer", "Run, batch by batch, all workers", pick(names[:host], "Run")},
		{"move", "Run, batch by batch, all workers", pick(names[host:], "Run")},
		{"observe", "Observe, one after another", pick(names, "Observe")},
	}
	var b strings.Builder
	b.WriteString("```mermaid\nflowchart LR\n")
	for i, p := range phases {
		if len(p.systems) == 0 {
			t.Errorf("no system takes part in %s", p.name)
		}
		fmt.Fprintf(&b, "\tp%d[\"<b>%s</b><br><i>%s</i><br><br>%s\"]\n", i, p.name, p.about, strings.Join(p.systems, "<br>"))
	}
	b.WriteString("\tp0 --> p1 --> p2 --> p3\n```\n")
	return b.String()
}
