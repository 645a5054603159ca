//go:build e2e

package command

import (
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/8f878440/crowd/internal/testkit"
)

// TestPprof verifies that profiles, labeled by system, are served only during a run and for the right host.
func TestPprof(t *testing.T) {
	name := filepath.Join(t.TempDir(), "stderr")
	file, err := os.Create(name)
	testkit.Must(t, err)
	defer file.Close()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan int, 1)
	go func() {
		ended <- execute(ctx, strings.Fields("run --quiet --picture none --agents 500 --steps 100000000 --profile http=127.0.0.1:0"), io.Discard, file)
	}()
	var found []string
	for begin := time.Now(); found == nil; time.Sleep(10 * time.Millisecond) {
		found = regexp.MustCompile(`profiles at http://(127\.0\.0\.1:(\d+))/debug/pprof/\n`).FindStringSubmatch(string(readFile(t, name)))
		if time.Since(begin) > time.Minute {
			t.Fatal("got no address of profiles in a minute, want one")
		}
	}
	address, port := found[1], found[2]
	get := func(path, host string) (int, string) {
		t.Helper()
		r, err := http.NewRequest("GET", "http://"+address+path, nil)
		testkit.Must(t, err)
		r.Host = host
		resp, err := http.DefaultClient.Do(r)
		testkit.Must(t, err)
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		testkit.Must(t, err)
		return resp.StatusCode, string(body)
	}
	for host, want := range map[string]int{
		address: 200, "localhost:" + port: 200, "[::1]:" + port: 200,
		"attacker.example:" + port: 403, "attacker.example": 403, "localhost": 403,
		"127.0.0.1:1": 403, "192.168.0.1:" + port: 403, "127.0.0.1.attacker.example:" + port: 403,
	} {
		got, _ := get("/debug/pprof/cmdline", host)
		testkit.Equal(t, got, want, "host %q", host)
	}
	if _, page := get("/debug/pprof/", address); !strings.Contains(page, "goroutine") {
		t.Errorf("got=%q, want the list of profiles", page)
	}
	for begin, page := time.Now(), ""; !strings.Contains(page, `"crowd_system":`); { // until a system runs
		if _, page = get("/debug/pprof/goroutine?debug=1", address); time.Since(begin) > time.Minute {
			t.Fatal("got no goroutine with the label of a system in a minute, want one")
		}
	}
	stop()
	testkit.Equal(t, <-ended, exitOK, "exit code")
	if resp, err := http.Get("http://" + address + "/debug/pprof/"); err == nil {
		resp.Body.Close()
		t.Error("got profiles after the run, want an error")
	}
}

// TestPprofWarns verifies that a line warns, even with --quiet, only if other machines can read profiles.
func TestPprofWarns(t *testing.T) {
	for address, want := range map[string]int{"0.0.0.0:0": 1, "127.0.0.1:0": 0} {
		_, errs := succeed(t, "run --quiet --picture none --agents 10 --steps 1 --profile http-anywhere="+address)
		if n := strings.Count(errs, "crowd: warning: any machine that can reach this one can read the profiles"); n != want || strings.Count(errs, "ssh -L") != want {
			t.Errorf("--profile http-anywhere=%s: got=%q, want=%d warnings", address, errs, want)
		}
	}
}
