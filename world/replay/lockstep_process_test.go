//go:build e2e

package replay_test

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/spatial/r2"
)

// Environment variables of the guest process: the host's address, and the step of a change that the
// host does not know of.
const guestAddress, cheats = "CROWD_LOCKSTEP_HOST", "CROWD_LOCKSTEP_CHEATS"

// TestLockstepGuest is the guest process of TestLockstep.
func TestLockstepGuest(t *testing.T) {
	address := os.Getenv(guestAddress)
	if address == "" {
		t.Skip("skipped: TestLockstep starts it in a separate process")
	}
	peer, err := net.Dial("tcp", address)
	must(t, err)
	defer peer.Close()
	w, err := newMatch()
	must(t, err)
	defer w.Close()
	err = lockstep(peer, false, w, 100, func(step int) []Click {
		if fmt.Sprint(step) == os.Getenv(cheats) {
			e, _ := w.Entity(13)
			w.SetDestination(e, r2.Vec{X: -50})
		}
		return guest(step)
	})
	fmt.Printf("guest: %v\n", err)
}

func TestLockstep(t *testing.T) {
	for cheat, want := range map[string]string{"": "<nil>", "42": "after step 43: agent 13: "} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		must(t, err)
		defer listener.Close()
		other := exec.Command(os.Args[0], "-test.run=^TestLockstepGuest$", "-test.v")
		other.Env = append(os.Environ(), guestAddress+"="+listener.Addr().String(), cheats+"="+cheat)
		var out strings.Builder
		other.Stdout, other.Stderr = &out, &out
		must(t, other.Start())
		_ = listener.(*net.TCPListener).SetDeadline(time.Now().Add(5 * time.Minute)) // the guest may have died
		peer, err := listener.Accept()
		must(t, err)
		defer peer.Close()
		w, err := newMatch()
		must(t, err)
		defer w.Close()
		if got := fmt.Sprint(lockstep(peer, true, w, 100, host)); !strings.HasPrefix(got, want) {
			t.Errorf("host: got=%s, want=a text that begins with %q", got, want)
		}
		if err := other.Wait(); err != nil || !strings.Contains(out.String(), "guest: "+want) {
			t.Errorf("guest: got=%v, %s, want=no error, and output that contains %q", err, out.String(), "guest: "+want)
		}
	}
}
