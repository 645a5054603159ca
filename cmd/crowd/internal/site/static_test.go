//go:build !js

package site

import (
	"context"
	"html/template"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems"
)

// TestPages verifies that each behavior has a page with its name, its rule and the policy.
func TestPages(t *testing.T) {
	s := &Static{dir: t.TempDir(), source: "../../../..", pages: template.Must(template.ParseFS(static, "static/pages.html"))}
	testkit.Must(t, s.writePages(context.Background()))
	rules, err := s.rules()
	testkit.Must(t, err)
	for _, e := range systems.Catalog() {
		if rules[e.Name] == "" {
			t.Errorf("%s: there is no rule", e.Name)
		}
		page, err := os.ReadFile(filepath.Join(s.dir, "behaviors", e.Name+".html"))
		testkit.Must(t, err)
		for _, want := range []string{e.Name, string(rules[e.Name]), "Content-Security-Policy"} {
			if !strings.Contains(string(page), want) {
				t.Errorf("%s: the page lacks %.60q", e.Name, want)
			}
		}
	}
}
