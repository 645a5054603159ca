package systems

import (
	"math"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/8f878440/crowd/systems/catalog"
)

func TestCatalog(t *testing.T) {
	names, components, priorities := map[string]bool{}, map[reflect.Type]bool{}, map[int]bool{}
	capital := regexp.MustCompile(`\B[A-Z]`)
	for _, e := range Catalog() {
		if err := e.Validate(); err != nil {
			t.Errorf("got=%v, want=no error", err)
		}
		typ := reflect.TypeOf(e.Component)
		if names[e.Name] || components[typ] {
			t.Errorf("%s or %v is in the catalog twice, want once", e.Name, typ)
		}
		names[e.Name], components[typ] = true, true
		if want := strings.NewReplacer("o-r-c-a", "orca", "force1995", "force-1995", "force2000", "force-2000").Replace(strings.ToLower(capital.ReplaceAllString(typ.Name(), "-$0"))); e.Name != want {
			t.Errorf("name of %v in the catalog: got=%s, want=%s", typ, e.Name, want)
		}
		if steers := e.Does.Has(catalog.Steers); steers == (e.Priority == 0) || steers && priorities[e.Priority] {
			t.Errorf("%s, steers %v: priority: got=%d, want a different one for each rule that steers, and 0 for others", e.Name, steers, e.Priority)
		}
		priorities[e.Priority] = true
		if e.Text == "" {
			t.Errorf("%s has no text, want one", e.Name)
		}
	}
}

// TestDefaultsAreAllowed verifies that defaults are within the limits, that no limits allow NaN, and
// that the limits in files are within those in Go.
func TestDefaultsAreAllowed(t *testing.T) {
	for _, e := range Catalog() {
		for _, p := range e.Params(e.New()) {
			if problem := p.Problem(); p.Default != nil && problem != "" {
				t.Errorf("%s.%s %s by default", e.Name, p.Key, problem)
			}
			if x, ok := p.Number(); ok && p.Limits.Allow(math.NaN()) {
				t.Errorf("%s.%s, %v by default: limits allow NaN, want limits that do not", e.Name, p.Key, x)
			}
			unit := 1.
			if p.Degrees {
				unit = math.Pi / 180
			}
			if p.File != nil && (unit*p.File.Min < p.Limits.Min || unit*p.File.Max > p.Limits.Max) {
				t.Errorf("%s.%s: limits in files: got=%v, want=within those in Go, %v", e.Name, p.Key, p.File, p.Limits)
			}
		}
	}
}
