// Package view shows a world to browsers: any number of viewers, each of which sees the
// part of the plane and the colors that it asks for, and may look into an agent, change
// obstacles, and steer what runs.
//
// A host that has a world.World of its own puts a [View] of it behind an address, and
// keeps its loop:
//
//	live := view.New(crowd, view.Options{Name: "harbor"})
//	go http.ListenAndServe("127.0.0.1:8040", live)
//	for running {
//		err := live.Step() // in place of crowd.Step
//		…
//	}
//
// Or it lets the view step the world, by [View.Run]. [NewScenes] is for a program whose
// viewers choose what is shown, as the command does.
//
// The goroutine that steps owns the world. After a step that a viewer waits for
// it copies what there is to see into a snapshot, which no one writes again until
// all have released it. Each viewer's own goroutine makes its frames of the
// newest snapshot, and waits for its own network. So a slow viewer slows neither
// the simulation nor the others, and holds one frame in memory.
//
// protocol.go describes the protocol.
package view

import (
	"cmp"
	"context"
	"fmt"
	"strings"
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
	pages   pages
	sim     *simulation
	hello   helloMessage
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
	v := &View{sim: sim, hello: helloMessage{Kind: "hello", Version: o.Version, Scenes: []Named{}, Server: time.Now().Format(time.RFC3339Nano)}}
	if s := sim.scenes; s != nil && !o.ReadOnly {
		v.hello.Scenes, v.hello.MaxAgents = s.List, MaxAgents
	}
	v.session, v.end = context.WithCancel(context.Background())
	v.pages = v.serve(o)
	return v
}

// Conn carries messages between a view and the page of one viewer. Read and Write may run at the
// same time.
type Conn interface {
	// Read returns the next message of the page, a JSON text of the protocol.
	Read(ctx context.Context) (text []byte, err error)

	// Write sends a JSON text, or binary data. It must not keep data.
	Write(ctx context.Context, data []byte, binary bool) error

	// Ping returns nil once the page has shown that it is still there.
	Ping(ctx context.Context) error

	// Close ends the connection, with a status of RFC 6455 and the reason for it.
	Close(status int, reason string)
}

// Connect serves a viewer over a connection other than the WebSocket of ServeHTTP, until it ends or
// the view is closed. Any goroutine may call it.
func (v *View) Connect(conn Conn) { newViewer(v.sim, conn).serve(v.session, v.hello) }

// Run steps the world until the context ends or the view is closed: at its natural
// rate, or as viewers set it, and only while one looks.
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

// MaxAgents is the greatest number of agents that viewers can start.
const MaxAgents = 2_000_000

// Scenes are what viewers can choose from, and how worlds are made of them.
type Scenes struct {
	List []Named
	Open func(ctx context.Context, name string) (*scene.Scene, error) // opens one of the list; may give up when the context ends

	// Options are those of the worlds. The view adds what it needs to Steer, and sets
	// Point, Context, Profile and, up to 200,000 agents, Measure.
	Options scene.Options

	Admit func(*scene.Scene, scene.Options) error // refuses a scene before its world is built; may be nil
	Fit   func(*scene.Scene, *world.World) r2.Box // m, what a page shows at first of a scene without a box; may be nil

	// Record begins to record a crowd that will run, each one that viewers start: what they do by hand is
	// noted as a scene.Input. It may be nil.
	Record func(*scene.Scene, *world.World) (Recorder, error)
}

// Named is a scene that viewers can choose.
type Named struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// NewScenes returns a view whose viewers choose what is shown: scenes, with as many
// agents and from the seed that they like. It builds the first one, and gives up when
// the context ends. The worlds are its own: step them by Run, and Close ends them. Of
// the options only Beside and Recording, for that scene, ReadOnly, Hosts and Version count.
func NewScenes(ctx context.Context, name string, first *scene.Scene, s Scenes, o Options) (*View, error) {
	sim := newSimulation(&s, &o)
	sim.steps, sim.accompanied, sim.company = viewKeepsPace, name, o.Beside
	sim.recording = o.Recording
	c := crowdOf(name, first)
	c.film = sim.filmOf(name)
	if err := sim.fill(ctx, c); err != nil {
		return nil, err
	}
	if err := sim.show(c); err != nil {
		sim.close()
		return nil, err
	}
	return newView(sim, &o), nil
}

// open reads a scene from a text that a viewer has sent, or else opens the one of the list with that name.
func (s *Scenes) open(ctx context.Context, name, text string) (*scene.Scene, error) {
	if text != "" {
		return scene.Read(strings.NewReader(text), name, scene.OpenOptions{Context: ctx})
	}
	for _, n := range s.List {
		if n.Name == name {
			return s.Open(ctx, name)
		}
	}
	return nil, fmt.Errorf("no scene is named %.40q here", name)
}
