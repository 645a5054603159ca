package view

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/world/scene"
	"github.com/coder/websocket"
	"gonum.org/v1/gonum/spatial/r2"
)

// patience is how long a test waits for an event that must come. Only a hang takes this long.
const patience = time.Minute

type server struct {
	*View
	listener net.Listener
	url      string // ends with a slash
}

type setup struct {
	name     string
	scene    *scene.Scene
	listener net.Listener // nil means pipes
	Scenes
	Options
}

// serve serves a built-in scene until the test ends, with its own number of agents if agents is 0. change may
// be nil.
func serve(t testing.TB, name string, agents int, change func(*setup)) *server {
	t.Helper()
	sc := named(t, name)
	if agents > 0 {
		sc.Resize(agents)
	}
	o := setup{
		name: name, scene: sc, Scenes: Scenes{List: []Named{{"arrival", "a"}, {"plaza", "b"}, {"flee", "c"}}, Open: byName},
		Options: Options{
			Version: "test",
			delays:  delays{time.Hour, time.Hour, time.Hour}, // a slow machine must not drop viewers
		},
	}
	if change != nil {
		change(&o)
	}
	live, err := NewScenes(context.Background(), o.name, o.scene, o.Scenes, o.Options)
	must(t, err)
	s, stop := listen(t, live, o.listener)
	t.Cleanup(stop)
	return s
}

// listen runs and serves a view until stop is called, on pipes if the listener is nil.
func listen(t testing.TB, live *View, at net.Listener) (s *server, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var work sync.WaitGroup
	work.Go(func() { live.Run(ctx) })
	s, end := answer(t, live, at)
	return s, func() {
		cancel()
		end()
		work.Wait()
		live.Close()
	}
}

func answer(t testing.TB, live *View, at net.Listener) (s *server, stop func()) {
	t.Helper()
	if at == nil {
		at = testkit.NewListener()
	}
	web, done := &http.Server{Handler: live}, make(chan bool)
	go func() {
		defer close(done)
		web.Serve(at)
	}()
	return &server{live, at, "http://" + at.Addr().String() + "/"}, func() {
		web.Close()
		<-done
	}
}

var must = testkit.Must

func named(t testing.TB, name string) *scene.Scene {
	t.Helper()
	s, err := scene.Named(name)
	must(t, err)
	return s
}

// client is a viewer without a screen.
type client struct {
	t    testing.TB
	conn *websocket.Conn
	last *decoded
	text map[string]map[string]any // the newest message of each kind
}

func connect(t testing.TB, s *server) *client {
	t.Helper()
	conn, err := dial(s)
	must(t, err)
	t.Cleanup(func() { conn.CloseNow() })
	return &client{t: t, conn: conn, text: map[string]map[string]any{}}
}

func dial(s *server) (*websocket.Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	options := &websocket.DialOptions{HTTPClient: web(s)}
	conn, _, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(s.url, "http")+"live", options)
	if err == nil {
		conn.SetReadLimit(-1)
	}
	return conn, err
}

func (c *client) send(kind websocket.MessageType, data []byte) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return c.conn.Write(ctx, kind, data)
}

func (c *client) say(format string, args ...any) {
	c.t.Helper()
	must(c.t, c.send(websocket.MessageText, fmt.Appendf(nil, format, args...)))
}

func (c *client) read() (websocket.MessageType, []byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return c.conn.Read(ctx)
}

func (c *client) hear() string {
	c.t.Helper()
	kind, data, err := c.read()
	must(c.t, err)
	switch {
	case kind == websocket.MessageText:
		m := map[string]any{}
		must(c.t, json.Unmarshal(data, &m))
		name, _ := m["kind"].(string)
		c.text[name] = m
		return name
	case data[0] == kindObstacles:
		return "obstacles"
	case data[0] == kindField:
		return "field"
	}
	c.last = decode(c.t, data)
	return "frame"
}

func (c *client) until(kind string, holds func() bool) {
	c.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); {
		if got := c.hear(); got == kind && (holds == nil || holds()) {
			return
		}
	}
	c.t.Fatalf("%s: got=%v as the last message, want=a message for which the condition holds", kind, c.text[kind])
}

// has reports whether the newest message of a kind has the given pairs of a key and a value, compared as
// text.
func (c *client) has(kind string, pairs ...any) bool {
	for i := 0; i < len(pairs); i += 2 {
		if c.text[kind] == nil || fmt.Sprint(c.text[kind][pairs[i].(string)]) != fmt.Sprint(pairs[i+1]) {
			return false
		}
	}
	return true
}

func (c *client) wait(kind string, pairs ...any) {
	c.t.Helper()
	c.until(kind, func() bool { return c.has(kind, pairs...) })
}

func (c *client) check(kind string, pairs ...any) {
	c.t.Helper()
	if !c.has(kind, pairs...) {
		c.t.Errorf("%s: got=%v, want=%v", kind, c.text[kind], pairs)
	}
}

// refused sends a message and waits for the error that it must cause.
func (c *client) refused(message, want string) {
	c.t.Helper()
	c.say("%s", message)
	c.until("error", func() bool { return strings.Contains(fmt.Sprint(c.text["error"]["text"]), want) })
}

func (c *client) pause() {
	c.t.Helper()
	c.say(`{"do":"pause","on":true}`)
	c.wait("stats", "paused", true)
}

// steps makes a paused simulation perform n steps, and no more.
func (c *client) steps(n int) {
	c.t.Helper()
	want := c.look().Step + float64(n)
	c.say(`{"do":"step","n":%d}`, n)
	c.until("stats", func() bool { return c.text["stats"]["step"].(float64) >= want })
	c.until("stats", nil)
	c.check("stats", "step", want)
}

// gone returns the error with which the server ends the connection.
func (c *client) gone() error {
	c.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); {
		if _, _, err := c.read(); err != nil {
			return err
		}
	}
	c.t.Errorf("connection after %v: got=open, want=ended", patience)
	return nil
}

const asks = `{"do":"next","view":[0,0,800,600],"pixels":[800,600],"color":"speed","layers":["targets","threats","steering","cells"]}`

func (c *client) look() *decoded {
	c.t.Helper()
	c.say(asks)
	c.until("frame", nil)
	return c.last
}

func (c *client) lookUntil(holds func(*decoded) bool) {
	c.t.Helper()
	for end := time.Now().Add(patience); !holds(c.look()); {
		if time.Now().After(end) {
			c.t.Fatalf("got=%+v as the last frame, want=a frame for which the condition holds", c.last)
		}
	}
}

func (c *client) after(step float64) {
	c.t.Helper()
	c.lookUntil(func(d *decoded) bool { return d.Step > step })
}

func TestViewer(t *testing.T) {
	c := connect(t, serve(t, "arrival", 0, nil))
	testkit.Equal(t, c.hear(), "hello", "first message")
	c.wait("scene", "name", "arrival")
	first := c.look()
	testkit.Equal(t, len(first.pos), 40, "agents in the first frame")
	testkit.Equal(t, first.Layers, 15, "layers of the first frame")
	c.after(first.Step)
	c.say(`{"do":"select","at":[400,300],"within":1000}`)
	c.wait("agent", "alive", true)
	explanation := c.text["agent"]["explanation"].(map[string]any)
	if shares := explanation["shares"].([]any); len(shares) == 0 || !finite(c.look().Marked) {
		t.Errorf("got=%v at %v, want an explanation with shares, and the selected agent marked", explanation, c.last.Marked)
	}

	c.say(`{"do":"set","name":"groups[0].arrival.slowing-radius","value":250}`)
	c.until("scene", func() bool { return strings.Contains(fmt.Sprint(c.text["scene"]["parameters"]), "250") })
	c.refused(`{"do":"set","name":"groups[0].arrival.slowing-radius","value":-1}`, "slowing-radius")
	c.refused(`{"do":"set","name":"groups[0].nothing","value":1}`, "groups[0].nothing")
	c.refused(`{"do":"move","id":77,"to":[1,1]}`, "obstacle 77 is gone")
	c.refused(`{"do":"scene","name":"../../etc/passwd"}`, "no scene is named")
	c.refused(`{"do":"scene","name":"wrong.toml","text":"[[groups]]\ncount = 0.5\n"}`, "wrong.toml:2:9: ")
	c.check("scene", "name", "arrival", "build", 1)
	text := strings.Repeat("# a comment\n", maxMessage/10) + "box = [[0, 0], [9, 9]]\n\n[[groups]]\ncount = 3\nat = {rows = [[2, 2], [8, 8]]}\nmax-speed = 2\nmax-force = 10\ntarget = {points = [[5, 5]]}\nseek = {gain = 1}\n"
	c.say(`{"do":"scene","name":"mine.toml","text":%q}`, text)
	c.wait("scene", "name", "mine.toml", "agents", 3)

	c.say(`{"do":"scene","name":"plaza","n":1000,"seed":"18446744073709551615"}`)
	c.wait("scene", "name", "plaza", "agents", 1000, "size", 1000, "seed", "18446744073709551615")
	c.refused(`{"do":"scene","name":"plaza","n":-1}`, "n is -1")
	c.refused(`{"do":"scene","name":"plaza","seed":"x"}`, "seed is")
	if got := c.look(); got.Agents != 1000 || len(got.segments[layerCells]) == 0 {
		t.Errorf("plaza: got=%d agents and %d cells, want=1000 and some", got.Agents, len(got.segments[layerCells]))
	}
}

func TestObstacles(t *testing.T) {
	s := serve(t, "flee", 0, nil)
	c, other := connect(t, s), connect(t, s)
	other.look()
	version := c.look().Obstacles
	changed := func(d *decoded) bool { return d.Obstacles > version }
	c.say(`{"do":"add","at":[100,100],"radius":30}`)
	c.lookUntil(changed)
	other.lookUntil(changed)
	solids := s.sim.current.Load().solids
	testkit.Equal(t, solids.count, 1, "obstacles")
	for id := range solids.byID {
		for _, edit := range []string{`{"do":"move","id":%d,"to":[200,100]}`, `{"do":"remove","id":%d}`} {
			version = c.last.Obstacles
			c.say(edit, id)
			c.lookUntil(changed)
		}
		c.refused(fmt.Sprintf(`{"do":"remove","id":%d}`, id), "is gone")
	}
	testkit.Equal(t, s.sim.current.Load().solids.count, 0, "obstacles")
}

func get(t *testing.T, s *server, path, host string, header http.Header) *http.Response {
	t.Helper()
	base, _ := url.Parse(s.url)
	req, err := http.NewRequest("GET", "http://"+base.Host+path, nil)
	must(t, err)
	if header != nil {
		req.Header = header
	}
	req.Host = cmp.Or(host, base.Host)
	client := web(s)
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	resp, err := client.Do(req)
	must(t, err)
	t.Cleanup(func() { resp.Body.Close() })
	return resp
}

func TestAccess(t *testing.T) {
	s := serve(t, "flee", 0, func(o *setup) { o.Hosts = []string{"our.example"} })
	_, port, _ := net.SplitHostPort(s.listener.Addr().String())
	for host, want := range map[string]int{
		"": 200, "localhost:" + port: 200, "[::1]:" + port: 200, "192.168.0.1": 200, "our.example": 200, "Our.Example:80": 200,
		"evil.example:" + port: 403, "evil.example": 403, "our.example.evil.example": 403, "127.0.0.1.evil.example": 403,
	} {
		testkit.Equal(t, get(t, s, "/", host, nil).StatusCode, want, "host %q", host)
		if got := get(t, s, "/live", host, nil).StatusCode; want == 403 && got != 403 {
			t.Errorf("host %q, /live: got=%d, want=403", host, got)
		}
	}
	for origin, want := range map[string]int{
		"http://127.0.0.1:" + port: 101, "http://evil.example": 403, "http://127.0.0.1:2": 403, "null": 403,
	} {
		resp := get(t, s, "/live", "", http.Header{
			"Connection": {"Upgrade"}, "Upgrade": {"websocket"}, "Sec-Websocket-Version": {"13"},
			"Sec-Websocket-Key": {"AAAAAAAAAAAAAAAAAAAAAA=="}, "Origin": {origin},
		})
		testkit.Equal(t, resp.StatusCode, want, "origin %q", origin)
	}
}

func TestHeaders(t *testing.T) {
	s := serve(t, "flee", 0, nil)
	for _, path := range []string{"/", "/page/main.js", "/page/nothing", "/live"} {
		h := get(t, s, path, "", nil).Header
		if h.Get("Content-Security-Policy") != policy || h.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: got=%v, want=the policy, and nosniff", path, h)
		}
	}
	text, _ := io.ReadAll(get(t, s, "/", "", nil).Body)
	for _, never := range []string{"<style", " style=", " onclick=", "javascript:", "http://", "https://", "<script>"} {
		if strings.Contains(strings.ToLower(string(text)), never) {
			t.Errorf("page: got=%q in it, want=a page without it, because the policy forbids it", never)
		}
	}
	if got := get(t, s, "/../server.go", "", nil).StatusCode; got == 200 {
		t.Error("file outside the page: got=status 200, want=another status")
	}
}

func (c *client) file() *scene.Scene {
	c.t.Helper()
	c.say(`{"do":"file"}`)
	c.until("file", nil)
	text := strings.NewReader(c.text["file"]["text"].(string))
	sc, err := scene.Read(text, "kept.toml", scene.OpenOptions{})
	must(c.t, err)
	return sc
}

func TestDrawn(t *testing.T) {
	c := connect(t, serve(t, "plaza", 20, nil))
	c.wait("scene", "drawn", false)
	c.say(`{"do":"set","name":"groups[0].max-speed","value":1.25}`)
	c.wait("scene", "maxSpeed", 1.25)
	before := len(named(t, "plaza").Obstacles.Walls)
	c.say(`{"do":"add","at":[3,3],"to":[3,9],"radius":0.25}`)
	c.wait("scene", "drawn", true)
	c.after(30)
	c.say(`{"do":"pause","on":true}`)
	c.say(`{"do":"seek","tick":20}`) // at that step the scene had no wall
	c.wait("stats", "step", 20, "seeking", false)
	c.say(`{"do":"restart"}`)
	c.wait("scene", "build", 2, "drawn", true)
	want := scene.Wall{A: r2.Vec{X: 3, Y: 3}, B: r2.Vec{X: 3, Y: 9}, Radius: 0.25}
	kept := c.file()
	testkit.Equal(t, kept.Groups[0].MaxSpeed.All, 1.25, "maximum speed in the file")
	if walls := kept.Obstacles.Walls; len(walls) != before+1 || !slices.Contains(walls, want) {
		t.Errorf("got=%d walls %v, want=%d with %v", len(walls), walls, before+1, want)
	}
}

func TestFlood(t *testing.T) {
	for name, tc := range map[string]struct {
		times int
		kind  websocket.MessageType
		data  []byte
		want  websocket.StatusCode
	}{
		"flood":  {3 * burst, websocket.MessageText, []byte(`{"do":"pointer"}`), websocket.StatusPolicyViolation},
		"long":   {1, websocket.MessageText, make([]byte, maxScene+1), websocket.StatusMessageTooBig},
		"binary": {1, websocket.MessageBinary, []byte("x"), websocket.StatusUnsupportedData},
	} {
		synctest.Test(t, func(t *testing.T) {
			c := connect(t, serve(t, "flee", 0, piped))
			go func() {
				for i := 0; i < tc.times && c.send(tc.kind, tc.data) == nil; i++ { // the server may close before it has read all
				}
			}()
			testkit.Equal(t, websocket.CloseStatus(c.gone()), tc.want, "%s", name)
		})
	}
}
