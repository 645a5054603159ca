//go:build !js

package site

import (
	"context"
	"html/template"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world/scene"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestPages(t *testing.T) {
	s := &Static{dir: t.TempDir(), source: "../../../..", pages: template.Must(template.ParseFS(static, "static/pages.html"))}
	testkit.Must(t, s.writePages(context.Background()))
	rules, err := s.rules()
	testkit.Must(t, err)
	if seek := string(rules["seek"]); !strings.Contains(seek, "p, v: position and velocity of the agent") {
		t.Errorf("seek: got the rule %q, want it with the meaning of its symbols", seek)
	}
	for _, e := range systems.Catalog() {
		if rules[e.Name] == "" {
			t.Errorf("%s: got no rule, want one", e.Name)
		}
		page := testkit.Read(t, filepath.Join(s.dir, "behaviors", e.Name+".html"))
		for _, want := range []string{e.Name, string(rules[e.Name]), "Content-Security-Policy", "<crowd-scene"} {
			if !strings.Contains(string(page), want) {
				t.Errorf("%s: got a page without %.60q, want this text in the page", e.Name, want)
			}
		}
	}
}

func TestCaptions(t *testing.T) {
	all, err := (&Static{dir: t.TempDir(), source: "../../../.."}).pictures()
	testkit.Must(t, err)
	for _, p := range all {
		if text := string(p.Text); text == "" || strings.ContainsAny(text, "*[]`#") {
			t.Errorf("%s: got the caption %q, want one without Markdown", p.File, text)
		}
		if strings.Contains(p.Name, "A above B") && !strings.Contains(string(p.Text), "<strong>A</strong>") {
			t.Errorf("%s: got the caption %q, want that of A and B", p.File, p.Text)
		}
	}
}

// led are the behaviors whose demos let the pointer lead a target or a threat.
var led = []string{
	"seek", "kinematic-seek", "flee", "arrival", "opposing-arrival", "damped-arrival", "quarry", "pursuer", "pursuit", "evasion",
	"offset-pursuit", "interpose", "leader-following", "hiding", "separation", "alignment", "cohesion", "queueing",
	"avoidance", "wall-following", "containment", "turn-away", "turn-towards", "smooth-arrival", "drive", "facing", "inertia",
}

func TestDemos(t *testing.T) {
	demos, err := demosOf()
	testkit.Must(t, err)
	for _, e := range systems.Catalog() {
		demo := demos[e.Name]
		if demo == nil {
			t.Errorf("%s: got no demo, want one", e.Name)
			continue
		}
		sc, err := opened(demo)
		testkit.Must(t, err)
		sc.Resize(min(sc.Agents(), 100))
		w, err := sc.Build(scene.Options{Workers: 1})
		testkit.Must(t, err)
		query := w.ECS.Query(ecs.All(ecs.TypeID(w.ECS, reflect.TypeOf(e.Component))))
		if query.Count() == 0 {
			t.Errorf("%s: got no agent in the scene %s that has it, want one or more", e.Name, demo.Name)
		}
		query.Close()
		w.Close()
		if slices.Contains(led, e.Name) && (sc.Pointer == nil || slices.Equal(placesWith(t, sc, sc.Pointer.Way[0]), placesWith(t, sc, sc.Box.Max))) {
			t.Errorf("%s: got agents of %s that ignore the pointer, want some that react to it", e.Name, demo.Name)
		}
	}
}

func TestPlainDemo(t *testing.T) {
	for _, e := range systems.Catalog() {
		if !slices.Contains([]string{"separation", "alignment", "cohesion", "orca"}, e.Name) {
			continue
		}
		sc, err := opened(plain(&e))
		testkit.Must(t, err)
		if names := behaviorsOf(sc); !slices.Contains(names, e.Name) {
			t.Errorf("%s: got agents with %v, want some that have it", e.Name, names)
		}
	}
}

// placesWith returns where the agents are after 200 steps with the pointer at a point.
func placesWith(t *testing.T, sc *scene.Scene, at r2.Vec) (places []r2.Vec) {
	t.Helper()
	w, err := sc.Build(scene.Options{Workers: 1, Point: func() (r2.Vec, bool) { return at, true }})
	testkit.Must(t, err)
	defer w.Close()
	for range 200 {
		testkit.Must(t, w.Step())
	}
	query := w.ECS.Query(ecs.All(ecs.ComponentID[c.Position](w.ECS), ecs.ComponentID[c.Velocity](w.ECS))) // not the pointer
	for query.Next() {
		places = append(places, (*c.Position)(query.Get(ecs.ComponentID[c.Position](w.ECS))).Vec)
	}
	return places
}
