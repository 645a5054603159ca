package view

import (
	"net/http"
	"testing"
	"testing/synctest"

	"github.com/8f878440/crowd/internal/testkit"
)

// bubble runs a test with a clock of its own, which goes on by itself to the next
// thing that is due when all goroutines wait for time or for one another, and
// stands still otherwise.
func bubble(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, test)
}

// piped lets a server listen at pipes, with the usual delays.
func piped(o *setup) {
	o.Scenes.Options.Workers, o.delays = 1, delays{}
	o.listener = testkit.NewListener()
}

// web returns what connects to a server, by pipes if it listens at some.
func web(s *server) *http.Client {
	transport := &http.Transport{DisableKeepAlives: true}
	if p, ok := s.listener.(*testkit.Listener); ok {
		transport.DialContext = p.Dial
	}
	return &http.Client{Transport: transport}
}
