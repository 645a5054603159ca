//go:build e2e

package command

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/coder/websocket"
)

// viewing runs crowd view until stop is called, and returns the address that it prints. stop returns the exit
// code.
func viewing(t *testing.T, errs *os.File, line string) (url string, stop func() int) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	read, write := io.Pipe()
	code := make(chan int)
	go func() { code <- execute(ctx, strings.Fields("view --quiet --listen 127.0.0.1:0 "+line), write, errs) }()
	text := make(chan string, 1)
	go func() {
		data := make([]byte, 1000)
		n, _ := read.Read(data)
		text <- string(data[:n])
		io.Copy(io.Discard, read)
	}()
	select {
	case text := <-text:
		if url = regexp.MustCompile(`http://\S+`).FindString(text); url == "" {
			t.Fatalf("got=%q, want an address", text)
		}
	case <-time.After(time.Minute):
		t.Fatal("got no output in a minute, want an address")
	}
	return url, func() int {
		cancel()
		return <-code
	}
}

type viewer struct {
	t    *testing.T
	conn *websocket.Conn
}

func visit(t *testing.T, url string) *viewer {
	t.Helper()
	conn, _, err := websocket.Dial(t.Context(), "ws"+strings.TrimPrefix(url, "http")+"live", nil)
	testkit.Must(t, err)
	conn.SetReadLimit(-1)
	t.Cleanup(func() { conn.CloseNow() })
	return &viewer{t, conn}
}

func (v *viewer) say(messages ...string) {
	v.t.Helper()
	for _, m := range messages {
		testkit.Must(v.t, v.conn.Write(v.t.Context(), websocket.MessageText, []byte(m)))
	}
}

// until returns the first message for which done returns true. It requests frames, because the scene runs
// only for pages that do.
func (v *viewer) until(done func(m map[string]any) bool) map[string]any {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(v.t.Context(), 2*time.Minute)
	defer cancel()
	const next = `{"do":"next","view":[0,0,100,100],"pixels":[100,100],"color":"speed"}`
	v.say(next)
	for {
		kind, data, err := v.conn.Read(ctx)
		testkit.Must(v.t, err)
		if kind == websocket.MessageBinary {
			v.say(next)
			continue
		}
		var m map[string]any
		if json.Unmarshal(data, &m) != nil {
			continue
		}
		if m["kind"] == "error" {
			v.t.Fatalf("got the error %v, want none", m["text"])
		}
		if done(m) {
			return m
		}
	}
}

func (v *viewer) step(least float64) {
	v.t.Helper()
	v.until(func(m map[string]any) bool { return m["kind"] == "stats" && m["step"].(float64) >= least })
}

func (v *viewer) scene(name string) map[string]any {
	v.t.Helper()
	return v.until(func(m map[string]any) bool { return m["kind"] == "scene" && m["name"] == name })
}

func TestView(t *testing.T) {
	_, recording := besideFiles(t)
	file := filepath.Join(testkit.Files(t, map[string]string{
		"far.toml": "dt = 0.1\n[[groups]]\ncount = 2\nat = {points = [[1000, 500], [1100, 560]]}\nradius = 0.3\nmax-speed = 1\nmax-force = 5\n",
	}), "far.toml")
	url, stop := viewing(t, os.Stderr, file+" --recording frame-rate=10,unit=cm --beside "+recording)
	resp, err := http.Get(url)
	testkit.Must(t, err)
	text, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	contains(t, url, string(text), `id="stage"`)
	m := visit(t, url).scene(file)
	b := m["box"].([]any)
	if x0, y0, x1, y1 := b[0].(float64), b[1].(float64), b[2].(float64), b[3].(float64); x0 > 1000 || x1 < 1100 || y0 > 500 || y1 < 560 {
		t.Errorf("box: got=%v, want=a box around (1000, 500) to (1100, 560)", b)
	}
	if b := m["beside"].(map[string]any); b["name"] != recording || b["people"] != 1. || fmt.Sprint(b["box"]) != "[3 5 7.9 5]" {
		t.Errorf("got=%+v, want one person of %s from (3, 5) to (7.9, 5)", b, recording)
	}
	testkit.Equal(t, stop(), exitOK, "exit code when interrupted")
}

func TestViewListen(t *testing.T) {
	for address, warns := range map[string]bool{"0.0.0.0:0": true, "[::]:0": true, ":0": true, "127.0.0.1:0": false, "localhost:0": false} {
		errs, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
		testkit.Must(t, err)
		defer errs.Close()
		url, stop := viewing(t, errs, "seek --listen "+address)
		bare, token, _ := strings.Cut(url, "?token=")
		resp, err := http.Get(bare)
		testkit.Must(t, err)
		resp.Body.Close()
		stop()
		text := string(readFile(t, errs.Name()))
		if !warns {
			testkit.Equal(t, text, "", "--listen %s: warning", address)
			continue
		}
		if strings.Count(text, "\n") != 1 || !strings.HasPrefix(text, "crowd: warning: the token and the picture travel unencrypted") ||
			!regexp.MustCompile(`ssh -L (\d+):127.0.0.1:\d+ HOST or through a TLS proxy`).MatchString(text) {
			t.Errorf("--listen %s: got=%q, want one line that warns, and what to do", address, text)
		}
		if len(token) < 20 || resp.StatusCode != http.StatusForbidden {
			t.Errorf("--listen %s: got=%s, and without the token %d, want=%d", address, url, resp.StatusCode, http.StatusForbidden)
		}
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	testkit.Must(t, err)
	defer taken.Close()
	refuses(t, "view seek --listen", []refusal{{taken.Addr().String(), "address already in use"}})
}

func TestViewRecord(t *testing.T) {
	t.Chdir(t.TempDir())
	url, stop := viewing(t, os.Stderr, "seek --agents 40 --record seek.replay")
	v := visit(t, url)
	v.step(5)
	v.say(`{"do":"pointer","at":[100,50]}`, `{"do":"set","name":"groups[0].max-speed","value":90}`, `{"do":"add","at":[300,300],"radius":20}`)
	v.step(80)
	v.say(`{"do":"pointer"}`, `{"do":"seek","tick":40}`)
	v.until(func(m map[string]any) bool { return m["kind"] == "stats" && m["step"].(float64) < 80 })
	v.say(`{"do":"goal","at":[10,10]}`)
	v.step(100)
	v.say(`{"do":"scene","name":"arrival"}`)
	v.scene("arrival")
	v.step(10)
	testkit.Equal(t, stop(), exitOK, "exit code")
	for name, scene := range map[string]string{"seek.replay": "seek", "seek-2.replay": "arrival"} {
		out, errs := succeed(t, "replay --workers 1 "+name)
		if !strings.HasSuffix(out, " of "+scene+": the same\n") || errs != "" {
			t.Errorf("replay %s: got=%q %q, want the same steps of %s", name, out, errs, scene)
		}
	}
	contains(t, "recording", string(readFile(t, "seek.replay")), `{"name":"pointer","data":{"at":{"X":100,"Y":50}}}`, `"name":"set"`, `"name":"add"`, `"name":"goal"`)
	out, _ := succeed(t, "replay diff seek.replay seek.replay")
	contains(t, "replay diff", out, "the same")
	out, _ = succeed(t, "replay seek.replay --agent 3 --to 90")
	contains(t, "replay --agent", out, `"shares"`)

	url, stop = viewing(t, os.Stderr, "seek.replay")
	defer stop()
	v = visit(t, url)
	v.say(`{"do":"pause","on":true}`, `{"do":"seek","tick":97}`)
	v.until(func(m map[string]any) bool { return m["kind"] == "stats" && m["step"] == 97. })
	refuses(t, "view", []refusal{{"seek.replay --seed 3", "--seed is for a scene, and seek.replay is a recording"}})
}

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
	// TestHost of package site has more hosts.
	for host, want := range map[string]int{address: 200, "localhost:" + port: 200, "attacker.example:" + port: 403} {
		got, _ := get("/debug/pprof/cmdline", host)
		testkit.Equal(t, got, want, "host %q", host)
	}
	_, list := get("/debug/pprof/", address)
	contains(t, "list of profiles", list, "goroutine")
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

func TestPprofWarns(t *testing.T) {
	for address, want := range map[string]int{"0.0.0.0:0": 1, "127.0.0.1:0": 0} {
		_, errs := succeed(t, "run --quiet --picture none --agents 10 --steps 1 --profile http-anywhere="+address)
		if n := strings.Count(errs, "crowd: warning: any machine that can reach this one can read the profiles"); n != want || strings.Count(errs, "ssh -L") != want {
			t.Errorf("--profile http-anywhere=%s: got=%q, want=%d warnings", address, errs, want)
		}
	}
}
