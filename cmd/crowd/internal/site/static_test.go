//go:build !js

package site

import (
	"context"
	"html/template"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world/scene"
	"github.com/mlange-42/arche/ecs"
)

// TestPages verifies that each behavior has a page with its name, its rule, a scene and the policy.
func TestPages(t *testing.T) {
	s := &Static{dir: t.TempDir(), source: "../../../..", pages: template.Must(template.ParseFS(static, "static/pages.html"))}
	testkit.Must(t, s.writePages(context.Background()))
	rules, err := s.rules()
	testkit.Must(t, err)
	for _, e := range systems.Catalog() {
		if rules[e.Name] == "" {
			t.Errorf("%s: got no rule, want one", e.Name)
		}
		page, err := os.ReadFile(filepath.Join(s.dir, "behaviors", e.Name+".html"))
		testkit.Must(t, err)
		for _, want := range []string{e.Name, string(rules[e.Name]), "Content-Security-Policy", "<crowd-scene"} {
			if !strings.Contains(string(page), want) {
				t.Errorf("%s: got a page without %.60q, want this text in the page", e.Name, want)
			}
		}
	}
}

// TestDemos verifies that each behavior has a demo with agents that have the behavior.
func TestDemos(t *testing.T) {
	demos, err := demosOf()
	testkit.Must(t, err)
	for _, e := range systems.Catalog() {
		demo := demos[e.Name]
		if demo == nil {
			t.Errorf("%s: got no demo, want one", e.Name)
			continue
		}
		sc, err := scene.Named(demo.Name)
		if demo.Text != "" {
			sc, err = scene.Read(strings.NewReader(demo.Text), demo.Name, scene.OpenOptions{})
		}
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
	}
}
