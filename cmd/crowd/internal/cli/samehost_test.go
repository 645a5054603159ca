package cli

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestAnywhere verifies which hosts are known when others than loopback are.
func TestAnywhere(t *testing.T) {
	for _, c := range []struct {
		asked, host string
		want        bool
	}{
		{"0.0.0.0", "192.168.0.1:6060", true},
		{"0.0.0.0", "[fe80::1]:6060", true},
		{"0.0.0.0", "build.example:6060", false},
		{"build.example", "Build.example:6060", true},
		{"build.example", "attacker.example:6060", false},
		{"0.0.0.0", "", false},
	} {
		served := false
		h := SameHost(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { served = true }), c.asked, "6060", true)
		h.ServeHTTP(httptest.NewRecorder(), &http.Request{Host: c.host})
		if served != c.want {
			t.Errorf("asked for %q, host %q: got=%v, want=%v", c.asked, c.host, served, c.want)
		}
	}
}
