//go:build e2e

package benchmarks

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
)

// TestLimitsDoTheSame compares the C programs in limits with this module's systems.
func TestLimitsDoTheSame(t *testing.T) {
	compiler, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("skipped: no C compiler")
	}
	const agents, steps = 5003, 20 // not a multiple of the number of lanes
	folder := t.TempDir()
	for _, p := range []struct {
		program, workload, obstacles string
	}{{"w2", w2, ""}, {"w3", w3Few, "64"}, {"w3", w3, "1024"}, {"w4", w4, ""}, {"w5", w5Published, ""}} {
		w, err := ByName(p.workload)
		testkit.Must(t, err)
		r, err := w.Start("crowd", agents, 1)
		testkit.Must(t, err)
		for range steps {
			r.Step()
		}
		positions, velocities := r.State()
		r.Close()
		var want [3]float64 // as the programs print them: mean position, mean speed
		for i, at := range positions {
			want[0] += at.X / agents
			want[1] += at.Y / agents
			want[2] += math.Hypot(velocities[i].X, velocities[i].Y) / agents
		}
		for lanes, flags := range map[int]string{1: "", 4: "-mavx2 -mbmi2 -mpopcnt", 8: "-mavx512f -mavx512dq -mavx512vl -mavx512bw -mbmi2 -mpopcnt"} {
			if needs := map[int]string{4: "avx2", 8: "avx512dq"}[lanes]; !hasFlag(needs) {
				t.Logf("skipped: %s in %d lanes: this processor has no %s", p.program, lanes, needs)
				continue
			}
			file := filepath.Join(folder, fmt.Sprintf("%s-%d", p.program, lanes))
			if _, err := os.Stat(file); err != nil { // not yet compiled
				args := strings.Fields("-O1 -std=gnu11 -ffp-contract=off " + flags)
				args = append(args, fmt.Sprintf("-DLANES=%d", lanes), "-o", file, filepath.Join("limits", p.program+".c"), "-lm")
				if out, err := exec.Command(compiler, args...).CombinedOutput(); err != nil {
					t.Fatalf("%s in %d lanes: %v\n%s", p.program, lanes, err, out)
				}
			}
			out, err := exec.Command(file, strings.Fields(fmt.Sprintf("%d %s check", agents, p.obstacles))...).Output()
			if err != nil {
				t.Fatalf("%s in %d lanes: %v", p.program, lanes, err)
			}
			var got [3]float64
			if _, err := fmt.Sscanf(string(out), "after 20 steps: mean position %g %g, mean speed %g", &got[0], &got[1], &got[2]); err != nil {
				t.Fatalf("%s in %d lanes: %v: %s", p.program, lanes, err, out)
			}
			for k := range got {
				if !(math.Abs(got[k]-want[k]) <= 1e-7*want[k]) {
					t.Errorf("%s (%s) in %d lanes: got=%v, want=%v", p.program, p.workload, lanes, got, want)
					break
				}
			}
		}
	}
}

// hasFlag takes a feature's name in Linux, and returns true for "".
func hasFlag(name string) bool {
	text, err := os.ReadFile("/proc/cpuinfo")
	return name == "" || err == nil && strings.Contains(string(text), " "+name+" ")
}
