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
)

// TestPprof verifies that profiles are there while a crowd runs, and only under the right host.
func TestPprof(t *testing.T) {
	t.Chdir(t.TempDir())
	name := filepath.Join(t.TempDir(), "stderr")
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	ended := make(chan int, 1)
	go func() {
		args := []string{"run", "--quiet", "--picture", "none", "--agents", "500", "--steps", "100000000", "--profile", "http=127.0.0.1:0"}
		ended <- execute(ctx, args, io.Discard, file)
	}()
	var address, port string
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		text, _ := os.ReadFile(name)
		if m := regexp.MustCompile(`profiles at http://(127\.0\.0\.1:(\d+))/debug/pprof/\n`).FindStringSubmatch(string(text)); m != nil {
			address, port = m[1], m[2]
			break
		}
	}
	if address == "" {
		t.Fatal("no address is printed")
	}
	get := func(path, host string) (int, string) {
		t.Helper()
		r, err := http.NewRequest("GET", "http://"+address+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, string(body)
	}
	for _, c := range []struct {
		host string
		want int
	}{
		{address, 200}, {"localhost:" + port, 200}, {"[::1]:" + port, 200},
		{"attacker.example:" + port, 403}, {"attacker.example", 403}, {"localhost", 403},
		{"127.0.0.1:1", 403}, {"192.168.0.1:" + port, 403}, {"127.0.0.1.attacker.example:" + port, 403},
	} {
		if got, _ := get("/debug/pprof/cmdline", c.host); got != c.want {
			t.Errorf("host %q: got=%v, want=%v", c.host, got, c.want)
		}
	}
	if _, page := get("/debug/pprof/", address); !strings.Contains(page, "goroutine") {
		t.Errorf("got=%q, want the list of profiles", page)
	}
	labeled := false
	for end := time.Now().Add(time.Minute); time.Now().Before(end); { // until a system is at work
		if _, page := get("/debug/pprof/goroutine?debug=1", address); strings.Contains(page, `"crowd_system":`) {
			labeled = true
			break
		}
	}
	if !labeled {
		t.Error("no goroutine has the label of a system")
	}
	stop()
	if code := <-ended; code != exitOK {
		t.Errorf("exit code: got=%d, want=0", code)
	}
	if resp, err := http.Get("http://" + address + "/debug/pprof/"); err == nil {
		resp.Body.Close()
		t.Error("profiles are served after the run")
	}
}

// TestPprofWarns verifies that one line says so when others than this machine get
// profiles, in quiet work too.
func TestPprofWarns(t *testing.T) {
	for address, want := range map[string]int{"0.0.0.0:0": 1, "127.0.0.1:0": 0} {
		code, _, errs := command(t, context.Background(), "run", "--quiet", "--picture", "none", "--agents", "10", "--steps", "1", "--profile", "http-anywhere="+address)
		if n := strings.Count(errs, "crowd: warning: any machine that can reach this one can read the profiles"); code != exitOK || n != want || strings.Count(errs, "ssh -L") != want {
			t.Errorf("--profile http=%s: got=%d %q, want=%d warnings", address, code, errs, want)
		}
	}
}
