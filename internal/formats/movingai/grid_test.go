package movingai

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// read returns a map of rows with slashes between them.
func read(t *testing.T, text string) *Map {
	t.Helper()
	rows := strings.Split(text, "/")
	file := filepath.Join(t.TempDir(), "x.map")
	text = fmt.Sprintf("type octile\nheight %d\nwidth %d\nmap\n%s\n", len(rows), len(rows[0]), strings.Join(rows, "\n"))
	must(t, os.WriteFile(file, []byte(text), 0o666))
	m, err := ReadMap(context.Background(), file)
	must(t, err)
	return m
}

// TestLength verifies lengths over the grid that one can count.
func TestLength(t *testing.T) {
	for _, test := range []struct {
		rows     string
		from, to [2]int
		want     float64
	}{
		{"..../@@@./....", [2]int{0, 0}, [2]int{0, 0}, 0},
		{"..../@@@./....", [2]int{0, 0}, [2]int{3, 0}, 3},
		{"..../@@@./....", [2]int{0, 0}, [2]int{3, 2}, 5},
		{"..../@@@./....", [2]int{0, 0}, [2]int{0, 2}, 8},
		{"..../@@@./....", [2]int{0, 0}, [2]int{0, 1}, math.Inf(1)},
		{"@./.@", [2]int{1, 0}, [2]int{0, 1}, math.Inf(1)}, // past the corner of a blocked cell
		{strings.Repeat("/.........", 9)[1:], [2]int{0, 0}, [2]int{8, 5}, 3 + 5*math.Sqrt2},
	} {
		if got := NewGrid(read(t, test.rows)).Length(test.from, test.to); math.Abs(got-test.want) > 1e-9 && got != test.want {
			t.Errorf("%s: %v to %v: got=%v, want=%v", test.rows, test.from, test.to, got, test.want)
		}
	}
}
