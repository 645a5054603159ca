package replay_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/replay"
	"gonum.org/v1/gonum/spatial/r2"
)

// turn is what one side sends before each step: the hash of its world, and what its player did.
type turn struct {
	Hash   uint64
	Clicks []Click
}

// lockstep does steps on both sides of a connection. Each side has a world of its own, and only
// inputs go over the wire. The error names the step and the agent if the worlds part.
func lockstep(peer io.ReadWriter, host bool, w *world.World, steps int, player func(step int) []Click) error {
	in, out := json.NewDecoder(peer), json.NewEncoder(peer)
	for step := range steps + 1 {
		here, there := turn{w.Hash(), player(step)}, turn{}
		if err := errors.Join(out.Encode(here), in.Decode(&there)); err != nil {
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
				w.Retarget(e, click.To)
			}
		}
		if err := w.Step(); err != nil {
			return err
		}
	}
	return nil
}

// parted says who is the first that differs: each side sends all its agents.
func parted(in *json.Decoder, out *json.Encoder, w *world.World, step int) error {
	here := slices.Collect(w.States())
	sent := make(chan error, 1)
	go func() { sent <- out.Encode(here) }() // while the other side sends, too
	var there []world.EntityState
	if err := errors.Join(in.Decode(&there), <-sent); err != nil {
		return err
	}
	d := replay.First(replay.Differences(slices.Values(here), slices.Values(there)))
	if d == nil {
		return fmt.Errorf("after step %d: hashes differ, and no agent does", step)
	}
	f := d.Fields[0]
	return fmt.Errorf("after step %d: agent %d: %s.%s is %s here, and %s there", step, d.Agent, f.Component, f.Field, f.A, f.B)
}

// newMatch is the world that both sides begin with.
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

// host and guest are two players: each sends some unit somewhere now and then.
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

// Two machines run the same crowd by exchanging what their players do. Here they are goroutines
// with a TCP connection between them.
func Example_lockstep() {
	check := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	defer listener.Close()
	ended := make(chan error)
	go func() { // the guest
		peer, err := net.Dial("tcp", listener.Addr().String())
		check(err)
		defer peer.Close()
		w, err := newMatch()
		check(err)
		defer w.Close()
		ended <- lockstep(peer, false, w, 100, guest)
	}()
	peer, err := listener.Accept()
	check(err)
	defer peer.Close()
	w, err := newMatch()
	check(err)
	defer w.Close()
	check(lockstep(peer, true, w, 100, host))
	check(<-ended)
	fmt.Println("the same after", w.Stats().Steps, "steps")
	// Output: the same after 100 steps
}

// guestAddress tells a test process that it is the guest, and where the host is; cheats, in
// which step it changes something that the host does not hear of.
const guestAddress, cheats = "CROWD_LOCKSTEP_HOST", "CROWD_LOCKSTEP_CHEATS"

// TestLockstepGuest is the other process of TestLockstep.
func TestLockstepGuest(t *testing.T) {
	address := os.Getenv(guestAddress)
	if address == "" {
		t.Skip("skipped: TestLockstep starts it, in a process of its own")
	}
	peer, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer peer.Close()
	w, err := newMatch()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	err = lockstep(peer, false, w, 100, func(step int) []Click {
		if fmt.Sprint(step) == os.Getenv(cheats) {
			e, _ := w.Entity(13)
			w.Retarget(e, r2.Vec{X: -50})
		}
		return guest(step)
	})
	fmt.Printf("guest: %v\n", err)
}

// TestLockstep holds that two processes that exchange inputs only stay the same, and that both name
// the step and the agent if one is made to differ.
func TestLockstep(t *testing.T) {
	for cheat, want := range map[string]string{"": "<nil>", "42": "after step 43: agent 13: "} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer listener.Close()
		other := exec.Command(os.Args[0], "-test.run=^TestLockstepGuest$", "-test.v")
		other.Env = append(os.Environ(), guestAddress+"="+listener.Addr().String(), cheats+"="+cheat)
		var out strings.Builder
		other.Stdout, other.Stderr = &out, &out
		if err := other.Start(); err != nil {
			t.Fatal(err)
		}
		_ = listener.(*net.TCPListener).SetDeadline(time.Now().Add(5 * time.Minute)) // the other one may have died
		peer, err := listener.Accept()
		if err != nil {
			t.Fatal(err)
		}
		defer peer.Close()
		w, err := newMatch()
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		if got := fmt.Sprint(lockstep(peer, true, w, 100, host)); !strings.HasPrefix(got, want) {
			t.Errorf("host: got=%s, want=%s", got, want)
		}
		if err := other.Wait(); err != nil || !strings.Contains(out.String(), "guest: "+want) {
			t.Errorf("guest: %v, %s, want=%s", err, out.String(), want)
		}
	}
}
