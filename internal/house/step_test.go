package house

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
)

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
	systems := map[string]any{}
	for _, s := range w.Frame.Systems() {
		systems[frame.NameOf(s)] = s
	}
	pick := func(names []string, method string) (picked []string) {
		for _, name := range names {
			if name != "hostSystem" && reflect.ValueOf(systems[name]).MethodByName(method).IsValid() {
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
