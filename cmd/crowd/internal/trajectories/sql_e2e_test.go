//go:build e2e

package trajectories

import (
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestSQLLoads(t *testing.T) {
	if _, err := exec.LookPath("sqlite3"); err != nil {
		t.Skip("skipped: sqlite3 is not installed")
	}
	var text strings.Builder
	w := newSQL(&text, Source{Box: room, FrameRate: 1. / 3})
	step := make([]Sample, atOnce+3)
	for i := range step {
		step[i] = Sample{ID: uint64(i) + 1, X: 1, Y: 2}
	}
	step[0] = Sample{ID: 1 << 63, X: math.Inf(1), Y: math.Inf(-1), VX: math.Inf(1)}
	step[1] = Sample{ID: 2, X: math.MaxFloat64, Y: math.SmallestNonzeroFloat64, Heading: r2.Vec{Y: -1}}
	err := errors.Join(
		w.Write(0, step, &Ground{hash: math.MinInt64, obstacles: []world.ObstacleShape{{A: r2.Vec{X: 5, Y: 5}, B: r2.Vec{X: 5, Y: 5}, Radius: 20}}}),
		w.Write(1, nil, nil), w.Write(2, step[2:4], nil), w.Close())
	testkit.Must(t, err)
	file := filepath.Join(t.TempDir(), "x.sqlite")
	sqlite := func(in string, args ...string) string {
		t.Helper()
		sqlite3 := exec.Command("sqlite3", append([]string{file}, args...)...)
		sqlite3.Stdin = strings.NewReader(in)
		out, err := sqlite3.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	check := func(tests ...[2]string) {
		t.Helper()
		for _, test := range tests {
			testkit.Equal(t, sqlite("", test[0]), test[1], "%s", test[0])
		}
	}
	for range 2 { // the second load replaces the first one
		testkit.Equal(t, sqlite(text.String()), "", "output of sqlite3")
		check([][2]string{
			{"PRAGMA integrity_check", "ok"},
			{"SELECT name, type FROM pragma_table_info('trajectory_data')", "frame|INTEGER\nid|INTEGER\npos_x|REAL\npos_y|REAL\nori_x|REAL\nori_y|REAL"},
			{"SELECT name, type FROM pragma_table_info('metadata')", "key|TEXT\nvalue|TEXT"},
			{"SELECT name, type FROM pragma_table_info('geometry')", "hash|INTEGER\nwkt|TEXT"},
			{"SELECT name, type FROM pragma_table_info('frame_data')", "frame|INTEGER\ngeometry_hash|INTEGER"},
			{"SELECT name FROM sqlite_master WHERE type = 'index' AND sql NOT NULL ORDER BY name", "frame_id_idx\ngeometry_hash"},
			{"SELECT frame, count(*) FROM trajectory_data GROUP BY frame", "0|503\n2|2"},
			{"SELECT id, pos_x = 9e999, pos_y = -9e999, ori_x, ori_y FROM trajectory_data WHERE id < 0", "-9223372036854775808|1|1|1.0|0.0"},
			{"SELECT pos_x = 1.7976931348623157e308, pos_y > 0, ori_x, ori_y FROM trajectory_data WHERE id = 2", "1|1|0.0|-1.0"},
			{"SELECT DISTINCT typeof(pos_x), typeof(ori_y) FROM trajectory_data", "real|real"},
			{"SELECT * FROM frame_data", "0|-9223372036854775808\n1|-9223372036854775808\n2|-9223372036854775808"},
			{"SELECT value FROM metadata WHERE key = 'fps'", "0.3333333333333333"},
			{"SELECT value FROM metadata WHERE key = 'geometry -9223372036854775808'", "the whole box: obstacles leave no walkable area"},
		}...)
	}
	testkit.Must(t, os.Remove(file))
	_ = sqlite(strings.TrimSuffix(text.String(), "COMMIT;\n"))
	check([2]string{"SELECT count(*) FROM sqlite_master", "0"}) // truncated, so there are no tables
	sqlite(schema + "INSERT INTO metadata VALUES\n" + pair("it's", "a\n'b';\n--c") + ";\nCOMMIT;\n")
	check([2]string{"SELECT * FROM metadata", "it's|a\n'b';\n--c"})
}
