//go:build e2e

package browsertest

import (
	"slices"
	"sync"
	"testing"
	"time"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/view"
	"gonum.org/v1/gonum/spatial/r2"
)

// Orbit is a behavior of a host: to go round the Target.
type Orbit struct{ Gain float64 }

// orbit carries it out.
type orbit struct {
	pos    frame.In[c.Position]
	target frame.In[c.Target]
	par    frame.In[Orbit]
	steer  frame.Out[c.Steering]
}

func (s *orbit) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.target, &s.par)
	n.Write(&s.steer)
}

func (s *orbit) Run(b *frame.Batch) {
	pos, target, par, steer := s.pos.Of(b), s.target.Of(b), s.par.Of(b), s.steer.Of(b)
	for i := range pos {
		to := r2.Sub(target[i].Vec, pos[i].Vec) // a pull inwards too: however long it runs, it stays in sight
		steer[i].Vec = r2.Add(steer[i].Vec, r2.Scale(par[i].Gain, r2.Vec{X: to.X + to.Y, Y: to.Y - to.X}))
	}
}

var orbitEntry = catalog.Of(catalog.Entry{
	Name: "orbit", Text: "go round the target", Doing: "orbiting",
	Needs: []any{c.Target{}}, Adds: []any{c.Steering{}}, System: func(catalog.Options) any { return &orbit{} },
	Phase: catalog.Steer, Does: catalog.Steers, Priority: 105,
}, func(b *Orbit) []catalog.Param { return []catalog.Param{catalog.GainOf(&b.Gain)} })

// TestHostPage shows a host's world in a browser: what is not offered there, and its
// behavior in the legend and in the account of an agent.
func TestHostPage(t *testing.T) {
	t.Parallel()
	wantBrowser(t)
	config := world.Default()
	config.Behaviors = []catalog.Entry{orbitEntry}
	w, err := world.New(config)
	must(t, err)
	t.Cleanup(w.Close)
	components := []any{c.Target{Vec: r2.Vec{X: 5, Y: 5}}, c.Limits{MaxSpeed: 2, MaxForce: 5}, Orbit{Gain: 1}, c.Radius{Meters: 0.5}}
	must(t, w.Spawn(3, components, func(r *world.Rows) {
		for i, at := 0, world.Column[c.Position](r); i < r.Len; i++ {
			at[i].Vec = r2.Vec{X: float64(3 * i), Y: 4}
		}
	}))
	live := view.New(w, view.Options{Name: "harbor", Patience: time.Hour})
	over := make(chan bool)
	var loop sync.WaitGroup
	loop.Go(func() {
		for {
			select {
			case <-over:
				return
			default:
			}
			if err := live.Step(); err != nil {
				t.Error(err)
			}
			time.Sleep(time.Millisecond)
		}
	})
	t.Cleanup(func() {
		close(over)
		loop.Wait()
		live.Close()
	})

	p := browse(t, answer(t, live), 1200, 800)
	p.wait(`!document.getElementById("pause").hidden`)
	shown := value[[]string](p, `[...document.querySelectorAll("[data-can]")].filter(e => !e.hidden).map(e => e.id)`)
	if want := []string{"pause", "step", "tool-obstacle", "tool-wall", "tool-door", "tool-goal"}; !slices.Equal(shown, want) {
		t.Errorf("the page offers %q, want %q", shown, want)
	}
	if !value[bool](p, `document.getElementById("scene").disabled`) {
		t.Error("other scenes can be chosen")
	}
	p.pause()
	for coloring, want := range map[string]string{"behavior": "orbiting", "archetype": "orbit"} {
		p.set("color", coloring)
		p.wait(`[...document.querySelectorAll("#legend-scale li")].some(e => e.textContent === %q)`, want)
	}
	pos, _ := p.agents()
	p.click(pos[2], leftButton)
	p.wait("crowdView.agent && crowdView.agent.alive && crowdView.agent.explanation")
	p.wait(`document.getElementById("inspector").innerText.includes("orbit")`)
	p.keep("agent")
}
