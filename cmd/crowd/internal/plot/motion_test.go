package plot

import (
	"bytes"
	"fmt"
	"runtime"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
)

// crowdLines is a reader of trajectories. Agent i starts at (i, 0), moves 1 m in each step of 1 s, and has the
// velocity (i, 0) m/s, so tests can tell speeds from distances.
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

// TestMotion verifies the metrics and paths of trajectories, and that memory does not grow with their length.
func TestMotion(t *testing.T) {
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	for _, test := range []struct{ agents, steps int }{{1001, 5}, {5, 3 * mostMoments}} {
		before := heap()
		f, err := readFile("f", &crowdLines{agents: test.agents, steps: test.steps}, nil)
		testkit.Must(t, err)
		if grown := int64(heap()) - int64(before); grown > 4<<20 {
			t.Errorf("%v: got=%d bytes held, want at most %d", test, grown, 4<<20)
		}
		m := f.Motion
		last := m.Moments[len(m.Moments)-1]
		n := float64(test.agents - 1)
		if m.Rows != test.agents*test.steps || m.Agents != test.agents || last.Agents != test.agents || last.Time != float64(test.steps-1) ||
			last.Speed != [3]float64{n / 4, n / 2, 3 * n / 4} || last.Distance[1] != last.Time || len(m.Moments) > mostMoments+1 {
			t.Errorf("%v: got=%d rows, %d agents, %d moments, the last %+v, want all rows and agents, at most %d moments, the last at %d s with quartiles of 0 to %v m/s and a median distance of %d m",
				test, m.Rows, m.Agents, len(m.Moments), last, mostMoments+1, test.steps-1, n, test.steps-1)
		}
		if want := min(mostPaths, test.agents); len(m.Paths) != want {
			t.Errorf("%v: paths: got=%d, want=%d", test, len(m.Paths), want)
		}
		for id, path := range m.Paths {
			for i, at := range path {
				if at.x != at.time+float64(id) || i > 0 && at.moment-path[i-1].moment != m.Moments[1].number {
					t.Fatalf("%v: path of %d, place %d: got=%+v, want x=%v and one place in %d moments", test, id, i, at, at.time+float64(id), m.Moments[1].number)
				}
			}
		}
	}
}
