package view

import (
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

// patience is how long a test waits for what must come: only a hang takes so long.
const patience = time.Minute

// server is a view at an address.
type server struct {
	*View
	listener net.Listener
	url      string // with a slash at its end
}

// setup is what a test serves.
type setup struct {
	name     string
	scene    *scene.Scene
	listener net.Listener // nil: pipes
	Scenes
	Options
}

// serve serves a scene of n agents until the test ends.
func serve(t *testing.T, name string, agents int, change func(*setup)) *server {
	t.Helper()
	sc := named(t, name)
	if agents > 0 {
		sc.Resize(agents)
	}
	o := setup{
		name: name, scene: sc, Scenes: Scenes{List: []Named{{"arrival", "a"}, {"plaza", "b"}, {"flee", "c"}}, Open: byName},
		Options: Options{
			Version: "test",
			delays:  delays{time.Hour, time.Hour, time.Hour}, // a busy machine sends none away
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

// listen runs a view and serves it, at a listener if there is one, until stop is called.
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

// answer serves a view, at a listener if there is one, until stop is called.
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

// port returns the port of a server.
func (s *server) port() string {
	_, port, _ := net.SplitHostPort(s.listener.Addr().String())
	return port
}

func named(t *testing.T, name string) *scene.Scene {
	t.Helper()
	s, err := scene.Named(name)
	must(t, err)
	return s
}

// client is a viewer without a screen.
type client struct {
	t    *testing.T
	conn *websocket.Conn
	last *decoded
	text map[string]map[string]any // the newest message of each kind
}

func connect(t *testing.T, s *server) *client {
	t.Helper()
	conn, err := dial(s)
	must(t, err)
	t.Cleanup(func() { conn.CloseNow() })
	return &client{t: t, conn: conn, text: map[string]map[string]any{}}
}

// dial connects as a viewer.
func dial(s *server) (*websocket.Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(s.url, "http")+"live", &websocket.DialOptions{HTTPClient: web(s)})
	if err == nil {
		conn.SetReadLimit(-1)
	}
	return conn, err
}

// send sends a message, and fails if that takes too long.
func (c *client) send(kind websocket.MessageType, data []byte) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return c.conn.Write(ctx, kind, data)
}

func (c *client) say(format string, args ...any) {
	c.t.Helper()
	if err := c.send(websocket.MessageText, fmt.Appendf(nil, format, args...)); err != nil {
		c.t.Fatal(err)
	}
}

// hear takes one message and returns its kind.
func (c *client) hear() string {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	kind, data, err := c.conn.Read(ctx)
	if err != nil {
		c.t.Fatal(err)
	}
	if kind == websocket.MessageBinary {
		switch data[0] {
		case kindObstacles:
			return "obstacles"
		case kindField:
			return "field"
		}
		c.last = decode(c.t, data)
		return "frame"
	}
	m := map[string]any{}
	if err := json.Unmarshal(data, &m); err != nil {
		c.t.Fatal(err)
	}
	name, _ := m["kind"].(string)
	c.text[name] = m
	return name
}

// until takes messages until one of a kind comes for which the test holds.
func (c *client) until(kind string, holds func() bool) {
	c.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); {
		if got := c.hear(); got == kind && (holds == nil || holds()) {
			return
		}
	}
	c.t.Fatalf("the %s that was waited for never came; the last one: %v", kind, c.text[kind])
}

// gone takes messages until the server ends the connection, and returns why.
func (c *client) gone() error {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for {
		if _, _, err := c.conn.Read(ctx); err != nil {
			if ctx.Err() != nil {
				c.t.Error("the connection is never ended")
			}
			return err
		}
	}
}

const asks = `{"do":"next","view":[0,0,800,600],"pixels":[800,600],"color":"speed","layers":["targets","threats","steering","cells"]}`

// look asks for a frame and takes it.
func (c *client) look() *decoded {
	c.t.Helper()
	c.say(asks)
	c.until("frame", nil)
	return c.last
}

// after takes frames until one of a later step comes.
func (c *client) after(step float64) {
	c.t.Helper()
	for end := time.Now().Add(patience); c.look().step <= step; {
		if time.Now().After(end) {
			c.t.Fatalf("step %v: no later one comes", step)
		}
	}
}

func TestViewer(t *testing.T) {
	s := serve(t, "arrival", 0, nil)
	c := connect(t, s)
	if got := c.hear(); got != "hello" {
		t.Fatalf("first message: got=%s, want=hello", got)
	}
	c.until("scene", nil)
	if got := c.text["scene"]["name"]; got != "arrival" {
		t.Errorf("scene: got=%v, want=arrival", got)
	}
	first := c.look()
	if len(first.pos) != 40 || first.layers != 15 {
		t.Errorf("first frame: got %d agents and layers %b, want 40 and 1111", len(first.pos), first.layers)
	}
	c.after(first.step)

	c.say(`{"do":"pause","on":true}`)
	c.until("stats", func() bool { return c.text["stats"]["paused"] == true })
	before := c.look().step
	c.say(`{"do":"step","n":7}`)
	c.until("stats", func() bool { return c.text["stats"]["step"].(float64) >= before+7 })
	c.until("stats", nil)
	if got := c.text["stats"]["step"]; got != before+7 {
		t.Errorf("after 7 steps: got=%v, want=%v", got, before+7)
	}

	c.say(`{"do":"pointer","at":[123,45]}`)
	c.say(`{"do":"step","n":1}`)
	for c.look().pointer.X != 123 {
	}
	c.say(`{"do":"select","at":[400,300],"within":1000}`)
	c.until("agent", func() bool { return c.text["agent"]["alive"] == true })
	explanation := c.text["agent"]["explanation"].(map[string]any)
	if shares := explanation["shares"].([]any); len(shares) == 0 {
		t.Errorf("explanation has no shares: %v", explanation)
	}
	if got := c.look().marked; !finite(got) {
		t.Errorf("selected agent is not marked")
	}

	c.say(`{"do":"set","name":"groups[0].arrival.slowing-radius","value":250}`)
	c.until("scene", func() bool { return strings.Contains(fmt.Sprint(c.text["scene"]["parameters"]), "250") })
	c.say(`{"do":"set","name":"groups[0].arrival.slowing-radius","value":-1}`)
	c.until("error", nil)
	c.say(`{"do":"scene","name":"../../etc/passwd"}`)
	c.until("error", func() bool { return strings.Contains(fmt.Sprint(c.text["error"]["text"]), "no scene is named") })

	c.say(`{"do":"scene","name":"plaza"}`)
	c.until("scene", func() bool { return c.text["scene"]["name"] == "plaza" })
	c.say(`{"do":"agents","n":1000}`)
	c.until("scene", func() bool { return c.text["scene"]["agents"] == 1000. })
	c.say(`{"do":"seed","seed":"18446744073709551615"}`)
	c.until("scene", func() bool { return c.text["scene"]["seed"] == "18446744073709551615" })
	if got := c.look(); got.agents != 1000 || len(got.cells) == 0 {
		t.Errorf("plaza: got %d agents, %d cells", got.agents, len(got.cells))
	}
}

// TestObstacles verifies that viewers edit obstacles, and all get them anew.
func TestObstacles(t *testing.T) {
	s := serve(t, "flee", 0, nil)
	c, other := connect(t, s), connect(t, s)
	other.look()
	version := c.look().obstacles
	c.say(`{"do":"add","at":[100,100],"radius":30}`)
	for c.look().obstacles == version {
	}
	for other.look().obstacles == version {
	}
	solids := s.sim.current.Load().solids
	if solids.count != 1 {
		t.Fatalf("obstacles: got=%d, want=1", solids.count)
	}
	for id := range solids.byID {
		c.say(`{"do":"move","id":%d,"to":[200,100]}`, id)
		for c.look().obstacles == version+1 {
		}
		c.say(`{"do":"remove","id":%d}`, id)
		for c.look().obstacles == version+2 {
		}
		c.say(`{"do":"remove","id":%d}`, id)
	}
	c.until("error", func() bool { return strings.Contains(fmt.Sprint(c.text["error"]["text"]), "is gone") })
	if got := s.sim.current.Load().solids.count; got != 0 {
		t.Errorf("obstacles: got=%d, want=0", got)
	}
}

// get asks for a path with a Host and perhaps more.
func get(t *testing.T, s *server, path, host string, header http.Header) *http.Response {
	t.Helper()
	base, _ := url.Parse(s.url)
	req, err := http.NewRequest("GET", "http://"+base.Host+path, nil)
	must(t, err)
	if header != nil {
		req.Header = header
	}
	if req.Host = host; host == "" {
		req.Host = base.Host
	}
	client := web(s)
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	resp, err := client.Do(req)
	must(t, err)
	t.Cleanup(func() { resp.Body.Close() })
	return resp
}

func TestHost(t *testing.T) {
	s := serve(t, "flee", 0, func(o *setup) { o.Hosts = []string{"our.example"} })
	for _, tc := range []struct {
		host string
		want int
	}{
		{"", 200}, {"localhost:" + s.port(), 200}, {"[::1]:" + s.port(), 200}, {"192.168.0.1", 200}, {"our.example", 200}, {"Our.Example:80", 200},
		{"evil.example:" + s.port(), 403}, {"evil.example", 403}, {"our.example.evil.example", 403}, {"127.0.0.1.evil.example", 403},
	} {
		if got := get(t, s, "/", tc.host, nil).StatusCode; got != tc.want {
			t.Errorf("host %q: got=%d, want=%d", tc.host, got, tc.want)
		}
		if got := get(t, s, "/live", tc.host, nil).StatusCode; tc.want == 403 && got != 403 {
			t.Errorf("host %q, /live: got=%d, want=403", tc.host, got)
		}
	}
}

// TestOrigin verifies that pages of other origins cannot connect.
func TestOrigin(t *testing.T) {
	s := serve(t, "flee", 0, nil)
	for origin, want := range map[string]int{
		"http://127.0.0.1:" + s.port(): 101, "http://evil.example": 403, "http://127.0.0.1:2": 403, "null": 403,
	} {
		resp := get(t, s, "/live", "", http.Header{
			"Connection": {"Upgrade"}, "Upgrade": {"websocket"}, "Sec-Websocket-Version": {"13"},
			"Sec-Websocket-Key": {"AAAAAAAAAAAAAAAAAAAAAA=="}, "Origin": {origin},
		})
		if resp.StatusCode != want {
			t.Errorf("origin %q: got=%d, want=%d", origin, resp.StatusCode, want)
		}
	}
}

func TestHeaders(t *testing.T) {
	s := serve(t, "flee", 0, nil)
	for _, path := range []string{"/", "/page/main.js", "/page/nothing", "/live"} {
		h := get(t, s, path, "", nil).Header
		if h.Get("Content-Security-Policy") != policy || h.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: got=%v, want the policy", path, h)
		}
	}
	resp := get(t, s, "/", "", nil)
	text, _ := io.ReadAll(resp.Body)
	for _, never := range []string{"<style", " style=", " onclick=", "javascript:", "http://", "https://", "<script>"} {
		if strings.Contains(strings.ToLower(string(text)), never) {
			t.Errorf("the page has %q, which its policy forbids", never)
		}
	}
	if got := get(t, s, "/../server.go", "", nil).StatusCode; got == 200 {
		t.Errorf("a file outside the page is served")
	}
}

// TestSceneFile verifies that the scene is given away as it is set now, and not to viewers who may only look.
func TestSceneFile(t *testing.T) {
	s := serve(t, "arrival", 0, nil)
	c := connect(t, s)
	c.say(`{"do":"set","name":"groups[0].arrival.slowing-radius","value":123}`)
	c.until("scene", func() bool { return strings.Contains(fmt.Sprint(c.text["scene"]["parameters"]), "123") })
	c.say(`{"do":"file"}`)
	c.until("file", func() bool { return c.text["file"] != nil })
	sc, err := scene.Read(strings.NewReader(c.text["file"]["text"].(string)), "kept.toml", scene.OpenOptions{})
	must(t, err)
	for _, p := range sc.Parameters() {
		if p.Name == "groups[0].arrival.slowing-radius" && p.Value != 123 {
			t.Errorf("%s: got=%v, want=123", p.Name, p.Value)
		}
	}
	locked := connect(t, serve(t, "arrival", 0, func(o *setup) { o.ReadOnly = true }))
	locked.say(`{"do":"file"}`)
	locked.until("error", func() bool { return locked.text["error"] != nil })
}

// TestDrawn verifies that obstacles that were drawn by hand survive a restart, and are in the file of the scene.
func TestDrawn(t *testing.T) {
	c := connect(t, serve(t, "plaza", 20, nil))
	c.until("scene", func() bool { return c.text["scene"] != nil && c.text["scene"]["drawn"] == false })
	before := len(named(t, "plaza").Obstacles.Walls)
	c.say(`{"do":"add","at":[3,3],"to":[3,9],"radius":0.25}`)
	c.until("scene", func() bool { return c.text["scene"]["drawn"] == true })
	c.after(30)
	c.say(`{"do":"pause","on":true}`)
	c.say(`{"do":"seek","tick":20}`) // the scene of then has no wall
	c.until("stats", func() bool { return c.text["stats"]["step"] == 20. && c.text["stats"]["seeking"] == false })
	c.say(`{"do":"restart"}`)
	c.until("scene", func() bool { return c.text["scene"]["build"] == 2. && c.text["scene"]["drawn"] == true })
	c.say(`{"do":"file"}`)
	c.until("file", func() bool { return c.text["file"] != nil })
	sc, err := scene.Read(strings.NewReader(c.text["file"]["text"].(string)), "kept.toml", scene.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := scene.Wall{A: r2.Vec{X: 3, Y: 3}, B: r2.Vec{X: 3, Y: 9}, Radius: 0.25}
	if walls := sc.Obstacles.Walls; len(walls) != before+1 || !slices.Contains(walls, want) {
		t.Errorf("got=%d walls %v, want=%d with %v", len(walls), walls, before+1, want)
	}
}

// TestBroughtScene verifies that a viewer may bring the text of a scene, and hears what is wrong with it.
func TestBroughtScene(t *testing.T) {
	c := connect(t, serve(t, "arrival", 0, nil))
	text := strings.Repeat("# a comment\n", maxMessage/10) + "box = [[0, 0], [9, 9]]\n\n[[groups]]\ncount = 3\nat = {rows = [[2, 2], [8, 8]]}\nmax-speed = 2\nmax-force = 10\ntarget = {points = [[5, 5]]}\nseek = {gain = 1}\n"
	c.say(`{"do":"scene","name":"mine.toml","text":%q}`, text)
	c.until("scene", func() bool { return c.text["scene"]["name"] == "mine.toml" && c.text["scene"]["agents"] == 3. })
	c.say(`{"do":"scene","name":"wrong.toml","text":"[[groups]]\ncount = 0.5\n"}`)
	c.until("error", func() bool { return strings.Contains(fmt.Sprint(c.text["error"]["text"]), "wrong.toml:2:9: ") })
}

// TestFlood verifies that who sends too much, too long or no text is sent away.
func TestFlood(t *testing.T) {
	for name, tc := range map[string]struct {
		send func(c *client) error
		want websocket.StatusCode
	}{
		"flood": {func(c *client) (err error) {
			for i := 0; i < 3*burst && err == nil; i++ {
				err = c.send(websocket.MessageText, []byte(`{"do":"pointer"}`))
			}
			return nil
		}, websocket.StatusPolicyViolation},
		"long": {func(c *client) error {
			c.send(websocket.MessageText, make([]byte, maxScene+1)) // the server may not take all of it
			return nil
		}, websocket.StatusMessageTooBig},
		"binary": {func(c *client) error {
			return c.send(websocket.MessageBinary, []byte("x"))
		}, websocket.StatusUnsupportedData},
	} {
		synctest.Test(t, func(t *testing.T) {
			c := connect(t, serve(t, "flee", 0, piped))
			go func() {
				if err := tc.send(c); err != nil {
					t.Error(err)
				}
			}()
			if err := c.gone(); websocket.CloseStatus(err) != tc.want {
				t.Errorf("%s: got=%v, want=%v", name, err, tc.want)
			}
		})
	}
}
