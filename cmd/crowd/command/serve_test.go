package command

import (
	"context"
	"strings"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
)

func TestPprofAddresses(t *testing.T) {
	for _, c := range []struct {
		address  string
		anywhere bool
		ok       bool
	}{
		{"127.0.0.1:0", false, true},
		{"127.0.0.2:0", false, true},
		{"[::1]:6060", false, true},
		{"", false, true},
		{"0.0.0.0:0", false, false},
		{"[::]:0", false, false},
		{":6060", false, false},
		{"localhost:6060", false, false},
		{"10.0.0.1:6060", false, false},
		{"0.0.0.0:0", true, true},
		{"localhost:0", true, true},
		{":0", true, true},
		{"127.0.0.1", true, false},
		{"6060", true, false},
	} {
		err := (&cli.Profiles{Pprof: c.address, PprofAnywhere: c.anywhere}).Check()
		if got := err == nil; got != c.ok {
			t.Errorf("%q, anywhere %v: got=%v, want ok=%v", c.address, c.anywhere, err, c.ok)
		}
	}
	for _, bad := range []string{"0.0.0.0:0", "127.0.0.1:70000", "nothing"} {
		code, out, errs := command(t, context.Background(), "run", "--picture", "none", "--quiet", "--profile", "http="+bad)
		if code != exitBadInput || out != "" || !strings.Contains(errs, "--profile http") || strings.Count(errs, "\n") != 1 {
			t.Errorf("--profile http=%s: got=%d, %q, %q, want one line and exit code 2", bad, code, out, errs)
		}
	}
}
