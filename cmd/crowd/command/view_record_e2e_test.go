//go:build e2e

package command

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// viewer talks to crowd view as a page does.
type viewer struct {
	t    *testing.T
	conn *websocket.Conn
}

func visit(t *testing.T, url string) *viewer {
	t.Helper()
	conn, _, err := websocket.Dial(t.Context(), "ws"+strings.TrimPrefix(url, "http")+"live", nil)
	if err != nil {
		t.Fatal(err)
	}
	conn.SetReadLimit(-1)
	t.Cleanup(func() { conn.CloseNow() })
	return &viewer{t, conn}
}

func (v *viewer) say(messages ...string) {
	v.t.Helper()
	for _, m := range messages {
		if err := v.conn.Write(v.t.Context(), websocket.MessageText, []byte(m)); err != nil {
			v.t.Fatal(err)
		}
	}
}

// until reads messages until one is as it should be, and asks for frames beside, without which nothing runs.
func (v *viewer) until(done func(m map[string]any) bool) {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(v.t.Context(), 2*time.Minute)
	defer cancel()
	const next = `{"do":"next","view":[0,0,100,100],"pixels":[100,100],"color":"speed"}`
	v.say(next)
	for {
		kind, data, err := v.conn.Read(ctx)
		if err != nil {
			v.t.Fatal(err)
		}
		if kind == websocket.MessageBinary {
			v.say(next)
			continue
		}
		var m map[string]any
		if json.Unmarshal(data, &m) != nil {
			continue
		}
		if m["kind"] == "error" {
			v.t.Fatalf("error: %v", m["text"])
		}
		if done(m) {
			return
		}
	}
}

// step waits for a step of a scene.
func (v *viewer) step(least float64) {
	v.t.Helper()
	v.until(func(m map[string]any) bool { return m["kind"] == "stats" && m["step"].(float64) >= least })
}

// TestViewRecord verifies that what is done by hand in a view is recorded, that it runs again with the same bits, that
// any step of it can be shown, and that another scene is recorded beside it.
func TestViewRecord(t *testing.T) {
	file := filepath.Join(t.TempDir(), "seek.replay")
	url, stop := viewing(t, "seek", "--agents", "40", "--listen", "127.0.0.1:0", "--record", file)
	v := visit(t, url)
	v.step(5)
	v.say(`{"do":"pointer","at":[100,50]}`, `{"do":"set","name":"groups[0].max-speed","value":90}`, `{"do":"add","at":[300,300],"radius":20}`)
	v.step(80)
	v.say(`{"do":"pointer"}`, `{"do":"seek","tick":40}`)
	v.until(func(m map[string]any) bool { return m["kind"] == "stats" && m["step"].(float64) < 80 })
	v.say(`{"do":"goal","at":[10,10]}`)
	v.step(100)
	v.say(`{"do":"scene","name":"arrival"}`)
	v.until(func(m map[string]any) bool { return m["kind"] == "scene" && m["name"] == "arrival" })
	v.step(10)
	if code := stop(); code != exitOK {
		t.Errorf("exit code: got=%d, want=%d", code, exitOK)
	}
	for name, scene := range map[string]string{file: "seek", strings.TrimSuffix(file, ".replay") + "-2.replay": "arrival"} {
		code, out, errs := command(t, t.Context(), "replay", name, "--workers", "1")
		if code != exitOK || !strings.HasPrefix(out, "the same, ") || !strings.HasSuffix(out, " of "+scene+"\n") || errs != "" {
			t.Errorf("replay %s: got=%d %q %q", name, code, out, errs)
		}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, input := range []string{`{"name":"pointer","data":{"at":{"X":100,"Y":50}}}`, `"name":"set"`, `"name":"add"`, `"name":"goal"`} {
		if !strings.Contains(string(data), input) {
			t.Errorf("the recording has no %s", input)
		}
	}
	code, out, _ := command(t, t.Context(), "replay", "diff", file, file)
	if code != exitOK || !strings.HasPrefix(out, "the same") {
		t.Errorf("replay diff: got=%d %q", code, out)
	}
	if code, out, errs := command(t, t.Context(), "replay", file, "--agent", "3", "--to", "90"); code != exitOK || !strings.Contains(out, `"shares"`) {
		t.Errorf("replay --agent: got=%d %.200q %q", code, out, errs)
	}

	url, stop = viewing(t, file, "--listen", "127.0.0.1:0")
	defer stop()
	v = visit(t, url)
	v.say(`{"do":"pause","on":true}`, `{"do":"seek","tick":97}`)
	v.until(func(m map[string]any) bool { return m["kind"] == "stats" && m["step"] == 97. })
	code, _, errs := command(t, t.Context(), "view", file, "--seed", "3")
	if code != exitBadInput || !strings.Contains(errs, "--seed is for a scene, and "+file+" is a recording") {
		t.Errorf("view --seed: got=%d %q", code, errs)
	}
}
