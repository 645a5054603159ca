// Package view shows a world in browsers, to at most 32 viewers. Each viewer may inspect agents, change
// obstacles, and control the simulation. A slow viewer delays neither the simulation nor other viewers.
//
// A host with its own world.World serves a [View] of it at an address, and keeps its loop:
//
//	live := view.New(crowd, view.Options{Name: "harbor"})
//	go http.ListenAndServe("127.0.0.1:8040", live)
//	for running {
//		err := live.Step() // in place of crowd.Step
//		…
//	}
//
// Alternatively, [View.Run] steps the world. [NewScenes] is for programs, such as the command crowd, in which
// viewers choose the scene.
//
// The file protocol.go describes the protocol.
package view

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/replay"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

// Options configures a view. The zero value is ready to use.
type Options struct {
	Name string // of the world; empty means the name of Scene, or "crowd"
	Text string // one-line description; empty means that of Scene, if any
	Box  r2.Box // m, initial view; empty means Config.Box of the world or, if that is empty too, the bounds of its agents and obstacles

	Scene    *scene.Scene // from which the world was built; viewers see its groups and notes, and can change its parameters; their changes to obstacles are copied to it; may be nil
	Steering *Steering    // from Config.Steer of the world; nil means that the layer "steering" stays empty

	Beside *Beside // second crowd; may be nil

	// Recording is a run of the first scene of NewScenes. The view replays it, and viewers can seek to any of
	// its steps. Its inputs must be of type scene.Input. Recording may be nil.
	Recording *replay.Recording

	ReadOnly bool     // viewers cannot change or control anything
	Hosts    []string // names of this machine by which browsers may reach the view, besides localhost and IP addresses
	Version  string   // of the program, shown in the page; open pages reload when it changes

	// Patience is the time that a viewer has to respond before the view drops it; 0 means 10 s for the first
	// message, and 15 s otherwise. The page of a dropped viewer reconnects.
	Patience time.Duration

	delays delays // for tests; zeros mean Patience
}

// View shows a world in browsers. As an http.Handler, it serves the page. One goroutine owns the world: it
// calls either Run, or Step or Update in its own loop. Meanwhile, no other goroutine may use the world.
type View struct {
	pages   pages
	sim     *simulation
	hello   helloMessage
	session context.Context // of all viewers
	end     context.CancelFunc
}

// New returns a view of a world that the caller still owns.
func New(w *world.World, o Options) *View {
	c := &crowd{name: o.Name, text: o.Text, box: o.Box, scene: o.Scene, units: units{"m", "s"}, world: w, steering: o.Steering, beside: o.Beside}
	if sc := o.Scene; sc != nil {
		c.name, c.text, c.units = cmp.Or(c.name, sc.Name), cmp.Or(c.text, sc.Text), unitsOf(sc)
		c.sliders = newSliders(sc)
	}
	c.name = cmp.Or(c.name, "crowd")
	c.watch()
	sim := newSimulation(nil, &o)
	_ = sim.show(c) // cannot fail: a host's world is not recorded
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

// Conn carries messages between a view and the page of one viewer. Different methods may be called concurrently.
type Conn interface {
	// Read returns the next message from the page, a JSON text of the protocol.
	Read(ctx context.Context) (text []byte, err error)

	// Write sends data: a JSON text or, if binary is true, a binary message. It must not retain data.
	Write(ctx context.Context, data []byte, binary bool) error

	// Ping returns nil once the page has responded.
	Ping(ctx context.Context) error

	// Close closes the connection, with a status code of RFC 6455 and a reason.
	Close(status int, reason string)
}

// Connect serves a viewer over a connection other than the WebSocket of ServeHTTP. It returns when the
// connection ends, the view drops the viewer, or the view is closed. The caller must release the connection:
// Connect calls conn.Close only to give the viewer a reason. Any goroutine may call Connect.
func (v *View) Connect(conn Conn) { newViewer(v.sim, conn).serve(v.session, v.hello) }

// Run steps the world until ctx is done. It steps only while a connected viewer has asked for frames, at the
// natural pace of the world or at the pace that viewers set. If a step fails, Run shows the error to viewers
// and pauses.
func (v *View) Run(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(v.session, cancel)()
	if v.sim.scenes != nil {
		defer context.AfterFunc(ctx, v.sim.interrupt)()
		var builds sync.WaitGroup
		builds.Go(func() { v.sim.builder.run(ctx) })
		defer builds.Wait()
		defer cancel()
	}
	v.sim.run(ctx)
}

// Step replaces world.World.Step in a loop that sets its own pace. It handles viewers' requests, performs one
// step of the world, and shows the world to viewers that wait for it. While the loop is paused by a viewer,
// Step steps only on request, and otherwise waits up to 1/60 s. A pause ends when no viewer is connected. Step
// returns the error of world.World.Step.
func (v *View) Step() error { return v.sim.stepOnce() }

// Update handles viewers' requests, and shows the world to viewers that wait for it. Call it after each step
// of the world, in a loop that viewers cannot pause.
func (v *View) Update() { v.sim.update() }

// Close disconnects all viewers, and closes the view's own world, or detaches the view from a host's world.
// Call it from the goroutine that steps the world, after Run has returned.
func (v *View) Close() {
	v.end()
	_ = v.sim.endRecord() // the recorder keeps its error
	v.sim.close()
}

// MaxAgents is the largest number of agents with which viewers can start a scene.
const MaxAgents = 2_000_000

// Scenes describes the scenes that viewers can choose, and how worlds are built from them. While Run steps one
// world, the view builds the next in another goroutine, which calls Open, Admit and Fit.
type Scenes struct {
	List []Named
	Open func(ctx context.Context, name string) (*scene.Scene, error) // opens a scene of the list; may give up when ctx is done

	// Options apply to all worlds, which cannot share systems, so Sense and Steer must be empty. The view adds
	// its own system to Steer, and sets Point, Context, Profile and, for up to 200,000 agents, Measure.
	Options scene.Options

	Admit func(*scene.Scene, scene.Options) error // returns an error to refuse a scene before its world is built; may be nil
	Fit   func(*scene.Scene, *world.World) r2.Box // returns the initial view, in m, of a scene without a box; may be nil

	// Record starts to record a crowd that is about to run. The view calls it for each crowd, except while it
	// shows a recording, and closes each Recorder. Inputs are of type scene.Input. Record may be nil.
	Record func(*scene.Scene, *world.World) (Recorder, error)
}

// Named is a scene that viewers can choose.
type Named struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// NewScenes returns a view whose viewers choose the scene, the number of agents and the seed. It builds a
// world from the first scene, which viewers see under the given name. It returns an error if Admit refuses
// that scene, the world cannot be built, Record fails, or ctx is done. The view owns the worlds: Run steps
// them, and Close closes them. Of the fields of o, only ReadOnly, Hosts, Version, Patience, Beside and
// Recording apply, and Beside and Recording only to the first scene.
func NewScenes(ctx context.Context, name string, first *scene.Scene, s Scenes, o Options) (*View, error) {
	if len(s.Options.Sense)+len(s.Options.Steer) > 0 {
		panic("crowd: Scenes.Options has systems in Sense or Steer, which worlds cannot share")
	}
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
