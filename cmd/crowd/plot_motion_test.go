package main

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"testing"
)

// crowdLines makes trajectories on the fly.
type crowdLines struct {
	agents, steps int
	step, agent   int
	rest          bytes.Buffer
}

func (c *crowdLines) Read(b []byte) (int, error) {
	for c.rest.Len() < len(b) && c.step < c.steps {
		if c.step == 0 && c.agent == 0 {
			c.rest.WriteString("id,time,x,y,vx,vy\n")
		}
		fmt.Fprintf(&c.rest, "%d,%d,%d,0,%d,0\n", c.agent, c.step, c.step+c.agent, c.agent)
		if c.agent++; c.agent == c.agents {
			c.agent, c.step = 0, c.step+1
		}
	}
	return c.rest.Read(b)
}

// TestMotion holds the figures of trajectories, and that memory does not grow with
// their length.
func TestMotion(t *testing.T) {
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	for _, test := range []struct{ agents, steps int }{{1001, 5}, {5, 3 * mostMoments}} {
		before := heap()
		f, err := readPlotFile(context.Background(), "f", &crowdLines{agents: test.agents, steps: test.steps}, motionOptions{ways: 4})
		if err != nil {
			t.Fatal(err)
		}
		if grown := int64(heap()) - int64(before); grown > 4<<20 {
			t.Errorf("%v: %d bytes are held", test, grown)
		}
		m := f.motion
		last := m.times.kept[len(m.times.kept)-1]
		n := float64(test.agents - 1)
		if m.rows != test.agents*test.steps || m.agents != test.agents || last.agents != test.agents || last.time != float64(test.steps-1) ||
			last.speed != [3]float64{n / 4, n / 2, 3 * n / 4} || last.distance[1] != last.time || len(m.times.kept) > mostMoments+1 {
			t.Errorf("%v: got=%+v, of %d rows, %d agents", test, last, m.rows, m.agents)
		}
		if len(m.ways) != min(4, test.agents) {
			t.Errorf("%v: ways got=%d, want=4", test, len(m.ways))
		}
		for _, way := range m.ways {
			for i, at := range way.places {
				if at.x != at.time+float64(way.id) || i > 0 && at.moment-way.places[i-1].moment != m.times.every {
					t.Fatalf("%v: way of %d, place %d: %+v, every %d", test, way.id, i, at, m.times.every)
				}
			}
			if want := (len(m.times.kept)); len(way.places) < want-1 || len(way.places) > want {
				t.Errorf("%v: way of %d has %d places, want %d", test, way.id, len(way.places), want)
			}
		}
	}
}
