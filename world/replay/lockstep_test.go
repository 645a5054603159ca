package replay_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/replay"
	"gonum.org/v1/gonum/spatial/r2"
)

// turn is the message of one side before each step: the hash of its world and its player's inputs.
type turn struct {
	Hash   uint64
	Clicks []Click
}

// lockstep runs steps on one side of a connection. Each side has its own world, and sends only inputs and
// hashes until the worlds diverge: then it sends its states, and the error names the step and the agent.
func lockstep(peer io.ReadWriter, host bool, w *world.World, steps int, player func(step int) []Click) error {
	in, out := json.NewDecoder(peer), json.NewEncoder(peer)
	for step := range steps + 1 {
		here, there := turn{w.Hash(), player(step)}, turn{}
		sent := make(chan error, 1)
		go func() { sent <- out.Encode(here) }() // while the other side sends, too
		if err := errors.Join(in.Decode(&there), <-sent); err != nil {
			return err
		}
		if here.Hash != there.Hash {
			return parted(in, out, w, step)
		}
		if step == steps {
			break
		}
		clicks := slices.Concat(here.Clicks, there.Clicks) // in the same order on both sides
		if !host {
			clicks = slices.Concat(there.Clicks, here.Clicks)
		}
		for _, click := range clicks {
			if e, ok := w.Entity(click.Agent); ok {
				w.SetDestination(e, click.To)
			}
		}
		if err := w.Step(); err != nil {
			return err
		}
	}
	return nil
}

// parted returns an error with the first agent that differs. Each side sends the states of all its entities.
func parted(in *json.Decoder, out *json.Encoder, w *world.World, step int) error {
	here := slices.Collect(w.Inspect().States())
	sent := make(chan error, 1)
	go func() { sent <- out.Encode(here) }() // while the other side sends, too
	var there []world.EntityState
	if err := errors.Join(in.Decode(&there), <-sent); err != nil {
		return err
	}
	d := replay.First(replay.Differences(slices.Values(here), slices.Values(there)))
	if d == nil {
		return fmt.Errorf("after step %d: hashes differ, but no agent does", step)
	}
	f := d.Fields[0]
	return fmt.Errorf("after step %d: agent %d: %s.%s is %s here, and %s there", step, d.Agent, f.Component, f.Field, f.A, f.B)
}

// newMatch returns the initial world of both sides.
func newMatch() (*world.World, error) {
	config := world.Default()
	config.Seed = 4
	w, err := world.New(config)
	if err != nil {
		return nil, err
	}
	unit := []any{c.Target{}, c.Arrival{Gain: 2, SlowingRadius: 3}, c.Separation{Gain: 1, NeighborDist: 2}, c.Limits{MaxSpeed: 1.5, MaxForce: 9}}
	return w, w.Spawn(20, unit, func(r *world.Rows) {
		at := world.Column[c.Position](r)
		for i := range at {
			at[i].Vec = r2.Vec{X: float64(i), Y: 10}
		}
	})
}

// host and guest are two players. Each of them occasionally sends an agent somewhere.
func host(step int) (clicks []Click) {
	if step%30 == 10 {
		clicks = append(clicks, Click{Agent: 3, To: r2.Vec{X: float64(step)}})
	}
	return clicks
}

func guest(step int) (clicks []Click) {
	if step%30 == 10 {
		clicks = append(clicks, Click{Agent: 3, To: r2.Vec{Y: float64(step)}}, Click{Agent: 7, To: r2.Vec{X: 5}})
	}
	return clicks
}

// Two machines run the same crowd by exchanging their players' inputs. Here they are goroutines connected
// by a pipe.
func Example_lockstep() {
	check := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	ours, theirs := net.Pipe()
	ended := make(chan error)
	go func() { // the guest
		defer theirs.Close()
		w, err := newMatch()
		check(err)
		defer w.Close()
		ended <- lockstep(theirs, false, w, 100, guest)
	}()
	defer ours.Close()
	w, err := newMatch()
	check(err)
	defer w.Close()
	check(lockstep(ours, true, w, 100, host))
	check(<-ended)
	fmt.Println("the same after", w.Stats().Steps, "steps")
	// Output: the same after 100 steps
}
