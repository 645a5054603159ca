package view

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/replay"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

// Options say how a world is shown. The zero value will do.
type Options struct {
	Name string // of what is shown; empty: that of Scene, or "crowd"
	Text string // what it is, in one line
	Box  r2.Box // m, what a page shows at first; empty: Config.Box of the world, or where its agents and obstacles are

	Scene    *scene.Scene // that the world was built from: viewers see its paths and its notes, and tune its numbers; nil: none
	Steering *Steering    // from Config.Steer of the world; nil: the layer of that name stays empty

	Beside *Beside // a second crowd to be shown; nil: none

	// Recording is a run of the first scene of NewScenes that is shown again, with what was done by hand
	// then: viewers go to any step of it. Its inputs are scene.Input. Nil: none.
	Recording *replay.Recording

	ReadOnly bool     // viewers look, and change nothing
	Hosts    []string // names of this machine by which pages may ask for the view, beside localhost and addresses
	Version  string   // of the program, for the page to show; a page that is open loads anew when it differs

	// Patience is how long a viewer may take to answer before the view drops it; 0: 15 s. The page of
	// a dropped viewer connects again.
	Patience time.Duration

	delays delays // of viewers, for tests; 0: Patience
}

// View shows a world to browsers. As an http.Handler it serves the page and what the
// page asks for. One goroutine owns the world: it calls Run, or Step or Update in a
// loop of its own, and nothing else may touch the world meanwhile.
type View struct {
	sim     *simulation
	handler http.Handler
	session context.Context // of all viewers
	end     context.CancelFunc
}

// New returns a view of a world. The world stays the caller's: Close takes the view
// away from it, and leaves it as it is.
func New(w *world.World, o Options) *View {
	c := &crowd{name: o.Name, text: o.Text, box: o.Box, scene: o.Scene, units: units{"m", "s"}, world: w, steering: o.Steering, beside: o.Beside}
	if sc := o.Scene; sc != nil {
		c.name, c.text, c.units = cmp.Or(c.name, sc.Name), cmp.Or(c.text, sc.Text), unitsOf(sc)
		c.sliders = newSliders(sc)
	}
	c.name = cmp.Or(c.name, "crowd")
	c.watch()
	sim := newSimulation(nil, &o)
	_ = sim.show(c) // of a host's world no recording is written
	return newView(sim, &o)
}

func newView(sim *simulation, o *Options) *View {
	v := &View{sim: sim}
	v.session, v.end = context.WithCancel(context.Background())
	v.handler = v.routes(o)
	return v
}

// ServeHTTP answers the requests of browsers. It may be called by any goroutine, while
// the world does a step too. It has no secrets: whoever may ask may look, and steer
// unless Options.ReadOnly is set.
func (v *View) ServeHTTP(w http.ResponseWriter, r *http.Request) { v.handler.ServeHTTP(w, r) }

// Run steps the world until the context ends or the view is closed: at its natural
// rate, or as viewers set it, and only while somebody looks.
func (v *View) Run(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(v.session, cancel)()
	if v.sim.scenes != nil {
		defer context.AfterFunc(ctx, v.sim.interrupt)()
		built := make(chan struct{})
		go func() {
			defer close(built)
			v.sim.builder.run(ctx)
		}()
		defer func() { <-built }()
		defer cancel()
	}
	v.sim.run(ctx)
}

// Step does one step of the world, unless a viewer has paused it, and then what Update
// does. It takes the place of World.Step in a loop, whose pace stays its own; in a
// pause it waits up to a sixtieth of a second. The error is that of World.Step.
func (v *View) Step() error { return v.sim.stepOnce() }

// Update does what viewers ask for, and shows them the world as it is, if they wait for
// that. Call it after each step of the world, in a loop that viewers may not pause.
func (v *View) Update() { v.sim.update() }

// Close sends all viewers away and takes the view out of the world. Call it where the
// world is stepped, when Run has returned.
func (v *View) Close() {
	v.end()
	_ = v.sim.endRecord() // the recorder knows its error
	v.sim.close()
}
