package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestGoOn verifies that what was done before does not count for how fast the work is.
func TestGoOn(t *testing.T) {
	to, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	must(t, err)
	defer to.Close()
	p := &Progress{to: to, plain: true, total: 1000, unit: "step", start: time.Now().Add(-100 * time.Second), last: time.Now()}
	p.GoOn(900)
	for _, n := range []int{900, 950} {
		p.last = time.Time{}
		p.Set(n)
	}
	got, err := os.ReadFile(to.Name())
	must(t, err)
	first, second, _ := strings.Cut(string(got), "\n")
	if want := "step 900 of 1000, 0 steps/s, time unknown left"; first != want {
		t.Errorf("got=%q, want=%q", first, want)
	}
	var rate float64
	if _, err := fmt.Sscanf(second, "step 950 of 1000, %f steps/s", &rate); err != nil || rate < 0.1 || rate > 0.5 { // on a slow machine it is less
		t.Errorf("got=%q, %v, want 0.5 steps/s", second, err)
	}
}
