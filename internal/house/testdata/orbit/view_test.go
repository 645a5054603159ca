package orbit

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/8f878440/crowd/world/view"
	"github.com/coder/websocket"
)

// message is what the view sends to its viewers.
type message struct {
	Kind       string
	Behaviors  []string
	Archetypes []string
	Parameters []struct{ Name string }

	Explanation struct {
		Shares []struct{ Behavior string }
		Looks  []struct {
			Behavior string
			Seen     []any
		}
	}
}

func TestView(t *testing.T) {
	s := moons(t)
	w := build(t, s)
	live := view.New(w, view.Options{Scene: s})
	server := httptest.NewServer(live)
	over, done := make(chan bool), make(chan bool)
	go func() { // the program's loop
		defer close(done)
		for {
			select {
			case <-over:
				return
			default:
			}
			if err := live.Step(); err != nil {
				t.Error(err)
			}
			time.Sleep(time.Millisecond)
		}
	}()
	t.Cleanup(func() {
		close(over)
		<-done
		live.Close()
		server.Close()
	})
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(server.URL, "http")+"/live", nil)
	must(t, err)
	defer conn.CloseNow()
	must(t, conn.Write(ctx, websocket.MessageText, []byte(`{"do":"select","id":"3"}`)))
	hear := func(kind string) (m message) {
		t.Helper()
		for m.Kind != kind {
			_, data, err := conn.Read(ctx)
			if err != nil {
				t.Fatalf("no %s: %v", kind, err)
			}
			m = message{}
			must(t, json.Unmarshal(data, &m))
		}
		return m
	}
	m := hear("scene")
	if !slices.Contains(m.Behaviors, "orbiting") {
		t.Errorf("what agents do: got=%q, want=orbiting among them", m.Behaviors)
	}
	if !slices.Contains(m.Archetypes, "orbit") {
		t.Errorf("what agents have: got=%q, want=orbit among them", m.Archetypes)
	}
	var sliders []string
	for _, p := range m.Parameters {
		sliders = append(sliders, p.Name)
	}
	if !slices.Contains(sliders, "groups[1].orbit.distance") {
		t.Errorf("sliders: got=%q, want=groups[1].orbit.distance among them", sliders)
	}
	x := hear("agent").Explanation
	if len(x.Shares) != 1 || x.Shares[0].Behavior != "orbiting" {
		t.Errorf("why the moon moves: got=%+v, want=its orbiting", x.Shares)
	}
	if len(x.Looks) != 1 || x.Looks[0].Behavior != "orbiting" || len(x.Looks[0].Seen) != 1 {
		t.Errorf("what the moon sees: got=%+v, want=the planet", x.Looks)
	}
}
