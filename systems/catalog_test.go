package systems

import (
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
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

func TestLimitsOfParameters(t *testing.T) {
	for _, e := range Catalog() {
		for _, p := range e.Params(e.New()) {
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

type conditioned struct {
	is  frame.Condition
	pos frame.In[c.Position]
	yes []r2.Vec
}

func (s *conditioned) Needs(n *frame.Needs) {
	n.Read(&s.pos)
	s.is.Needs(n)
}

func (s *conditioned) Run(b *frame.Batch) {
	pos := s.pos.Of(b)
	marks := make([]uint8, b.Len())
	s.is.Mark(b, marks, 7)
	for i, mark := range marks {
		if mark == 7 {
			s.yes = append(s.yes, pos[i].Vec)
		}
	}
}

func TestDoing(t *testing.T) {
	wall := someEntity()
	for _, tc := range []struct {
		behavior string
		agents   [][]any // each at the Position with its index
		want     []float64
	}{
		{"flee", [][]any{{c.Flee{Radius: 1}}, {c.Flee{Radius: 1}}, {c.Flee{}}, {}}, []float64{0, 1, 2}},
		{"flee", [][]any{{}, {}, {c.Flee{Radius: 1}}}, nil},
		{"evasion", [][]any{
			{c.Evasion{Radius: 2}, c.Pursuer{Seen: true}}, {c.Evasion{Radius: 2}, c.Pursuer{}}, {},
			{c.Evasion{Radius: 2}, c.Pursuer{Seen: true, At: r2.Vec{X: 9}}},
		}, []float64{0}},
		{"pursuit", [][]any{{c.Pursuit{}, c.Quarry{Seen: true}}, {c.Pursuit{}, c.Quarry{}}, {c.Quarry{Seen: true}}}, []float64{0}},
		{"offset-pursuit", [][]any{{c.Pursuit{}, c.Quarry{Seen: true}}, {c.OffsetPursuit{}, c.Quarry{Seen: true}}}, []float64{1}},
		{"avoidance", [][]any{
			{c.Avoidance{MaxForce: 1}, c.Threat{Obstacle: wall}}, {c.Avoidance{}, c.Threat{Obstacle: wall}}, {c.Avoidance{MaxForce: 1}, c.Threat{}},
		}, []float64{0}},
		{"free-speed", [][]any{{c.FreeSpeed{Speed: 1}, c.Limits{}}, {c.FreeSpeed{Speed: 1}, c.Limits{MaxSpeed: 1}}, {c.FreeSpeed{}, c.Limits{}}, {c.Limits{}}}, []float64{0}},
		{"goal", [][]any{{c.Goal{}}, {c.Goal{Inside: true}}}, []float64{1}},
	} {
		s := &conditioned{}
		for _, b := range Catalog() {
			if b.Name == tc.behavior {
				s.is = b.While().(frame.Condition)
			}
		}
		w := newStage(t, 1, s)
		for i, agent := range tc.agents {
			w.Put(append(agent, c.Position{Vec: xy(float64(i), 0)})...)
		}
		w.Step()
		var got []float64
		for _, p := range s.yes {
			got = append(got, p.X)
		}
		if slices.Sort(got); !slices.Equal(got, tc.want) {
			t.Errorf("%s: agents: got=%v, want=%v", tc.behavior, got, tc.want)
		}
	}
}
