//go:build !js

package trajectories

import (
	"database/sql"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/world"
	"github.com/peterstace/simplefeatures/geom"
	"gonum.org/v1/gonum/spatial/r2"
)

var room = r2.Box{Max: r2.Vec{X: 10, Y: 10}}

// newRoom returns a world with one agent at a place, which stays there.
func newRoom(t *testing.T, at r2.Vec) *world.World {
	t.Helper()
	w, err := world.New(world.Config{Dt: 0.5, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	if err := w.Spawn(1, []any{c.Agent{}, c.Position{Vec: at}, c.Velocity{}}, nil); err != nil {
		t.Fatal(err)
	}
	return w
}

// record records steps of a world, before each of which change is called, and opens the file. Its
// name has what means something in the name of a database.
func record(t *testing.T, w *world.World, box r2.Box, every, steps int, change func(step int)) *sql.DB {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "50% of #1?mode=memory&x.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	format, err := FormatOf(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	to, err := format.Begin(file, SourceOf(w, every, box))
	if err != nil {
		t.Fatal(err)
	}
	r := New(to, format, every, w)
	for step := 0; ; step++ {
		if err := r.Record(step); err != nil {
			t.Fatal(err)
		}
		if step == steps {
			break
		}
		change(step + 1)
		if err := w.Step(); err != nil {
			t.Fatal(err)
		}
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	if files, err := os.ReadDir(filepath.Dir(file.Name())); err != nil || len(files) != 1 {
		t.Errorf("files: got=%v, %v, want=one, without a journal", files, err)
	}
	plain := filepath.Join(t.TempDir(), "x.sqlite") // a name that needs no escapes
	if err := os.Rename(file.Name(), plain); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", plain)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// rows returns what a query gives, a line a row.
func rows(t *testing.T, db *sql.DB, query string) string {
	t.Helper()
	all, err := db.Query(query)
	if err != nil {
		t.Fatal(err)
	}
	defer all.Close()
	columns, _ := all.Columns()
	var lines []string
	for all.Next() {
		cells := make([]any, len(columns))
		to := make([]any, len(columns))
		for i := range to {
			to[i] = &cells[i]
		}
		if err := all.Scan(to...); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, strings.Trim(fmt.Sprint(cells), "[]"))
	}
	if err := all.Err(); err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}

// area returns the size of the area that belongs to a frame, in square meters.
func area(t *testing.T, db *sql.DB, frame int) float64 {
	t.Helper()
	g, err := geom.UnmarshalWKT(rows(t, db, fmt.Sprintf("SELECT wkt FROM geometry JOIN frame_data ON hash = geometry_hash WHERE frame = %d", frame)))
	if err != nil {
		t.Fatal(err)
	}
	return g.Area()
}

// TestDatabase holds the tables that JuPedSim writes, and what is in them.
func TestDatabase(t *testing.T) {
	w := newRoom(t, r2.Vec{X: 1, Y: 2})
	if err := w.Spawn(1, []any{c.Agent{}, c.Position{Vec: r2.Vec{X: 5, Y: 5}}, c.Velocity{}, c.Heading{Vec: r2.Vec{X: 0.6, Y: -0.8}}}, nil); err != nil {
		t.Fatal(err)
	}
	db := record(t, w, room, 2, 5, func(int) {})
	for _, test := range []struct{ query, want string }{
		{"PRAGMA integrity_check", "ok"},
		{"SELECT name, type FROM pragma_table_info('trajectory_data')", "frame INTEGER\nid INTEGER\npos_x REAL\npos_y REAL\nori_x REAL\nori_y REAL"},
		{"SELECT name, type FROM pragma_table_info('metadata')", "key TEXT\nvalue TEXT"},
		{"SELECT name, type FROM pragma_table_info('geometry')", "hash INTEGER\nwkt TEXT"},
		{"SELECT name, type FROM pragma_table_info('frame_data')", "frame INTEGER\ngeometry_hash INTEGER"},
		{"SELECT name FROM sqlite_master WHERE type = 'index' AND sql NOT NULL ORDER BY name", "frame_id_idx\ngeometry_hash"},
		{"SELECT * FROM metadata ORDER BY key", "fps 1\nversion 2\nxmax 10\nxmin 0\nymax 10\nymin 0"},
		{"SELECT * FROM trajectory_data", "0 1 1 2 1 0\n0 2 5 5 0.6 -0.8\n1 1 1 2 1 0\n1 2 5 5 0.6 -0.8\n2 1 1 2 1 0\n2 2 5 5 0.6 -0.8"},
		{"SELECT frame FROM frame_data", "0\n1\n2"},
		{"SELECT wkt FROM geometry", "POLYGON((0 0,10 0,10 10,0 10,0 0))"},
		{"SELECT count(*) FROM geometry JOIN frame_data ON hash = geometry_hash", "3"},
	} {
		if got := rows(t, db, test.query); got != test.want {
			t.Errorf("%s: got=%q, want=%q", test.query, got, test.want)
		}
	}
}

// TestDatabaseDoors holds that a door which opens and closes makes two areas, and that both rooms
// are in both of them, for somebody is in the other one later.
func TestDatabaseDoors(t *testing.T) {
	w := newRoom(t, r2.Vec{X: 1, Y: 1})
	for _, y := range []float64{0, 6} {
		if _, err := w.AddObstacle(r2.Vec{X: 6, Y: y}, c.Obstacle{Span: r2.Vec{Y: 4}, Radius: 0.1}); err != nil {
			t.Fatal(err)
		}
	}
	door, err := w.AddDoor(r2.Vec{X: 6, Y: 4}, r2.Vec{X: 6, Y: 6}, 0.1, c.Door{})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name   string
		later  bool
		closed float64 // m²
	}{{"people in one room", false, 59}, {"later in both", true, 98}} {
		db := record(t, w, room, 1, 8, func(step int) {
			if step == 3 || step == 6 {
				if err := w.SetDoor(door, step == 3); err != nil {
					t.Fatal(err)
				}
			}
			if step == 8 && test.later {
				if err := w.Spawn(1, []any{c.Agent{}, c.Position{Vec: r2.Vec{X: 9, Y: 1}}, c.Velocity{}}, nil); err != nil {
					t.Fatal(err)
				}
			}
		})
		if got, want := rows(t, db, "SELECT group_concat(frame) FROM frame_data GROUP BY geometry_hash ORDER BY min(frame)"), "0,1,2,6,7,8\n3,4,5"; got != want {
			t.Errorf("%s: frames of each area: got=%q, want=%q", test.name, got, want)
		}
		if got := area(t, db, 0); math.Abs(got-test.closed) > 0.1 {
			t.Errorf("%s: closed: got=%v m², want=%v", test.name, got, test.closed)
		}
		if got, want := area(t, db, 4), 100-8*0.2; math.Abs(got-want) > 0.1 {
			t.Errorf("%s: open: got=%v m², want=%v", test.name, got, want)
		}
	}
}

// TestDatabaseMovingObstacle holds that one that never rests does not fill the file with areas.
func TestDatabaseMovingObstacle(t *testing.T) {
	w := newRoom(t, r2.Vec{X: 1, Y: 1})
	e, err := w.AddObstacle(r2.Vec{X: 5, Y: 5}, c.Obstacle{Radius: 1})
	if err != nil {
		t.Fatal(err)
	}
	db := record(t, w, room, 1, 2*mostGrounds, func(step int) {
		if err := w.MoveObstacle(e, r2.Vec{X: 5 + float64(step)/1000, Y: 5}); err != nil {
			t.Fatal(err)
		}
	})
	if got, want := rows(t, db, "SELECT count(*) FROM geometry"), fmt.Sprint(mostGrounds); got != want {
		t.Errorf("areas: got=%s, want=%s", got, want)
	}
	if got, want := rows(t, db, "SELECT count(*) FROM geometry JOIN frame_data ON hash = geometry_hash"), fmt.Sprint(2*mostGrounds+1); got != want {
		t.Errorf("frames with an area: got=%s, want=%s", got, want)
	}
}

// TestDatabaseBox holds that the area has room for all people.
func TestDatabaseBox(t *testing.T) {
	for _, test := range []struct {
		name string
		at   r2.Vec
		box  r2.Box
		want string
	}{
		{"inside", r2.Vec{X: 1, Y: 1}, room, "0 10 0 10"},
		{"at the edge", r2.Vec{X: 10, Y: 1}, room, "0 11 0 10"},
		{"outside", r2.Vec{X: -3, Y: 14}, room, "-4 10 0 15"},
		{"no box", r2.Vec{X: 2, Y: 3}, r2.Box{}, "1 3 2 4"},
	} {
		db := record(t, newRoom(t, test.at), test.box, 1, 0, nil)
		if got := strings.ReplaceAll(rows(t, db, "SELECT value FROM metadata WHERE key GLOB '[xy]m*' ORDER BY substr(key, 1, 1), substr(key, -1) = 'x'"), "\n", " "); got != test.want {
			t.Errorf("%s: got=%s, want=%s", test.name, got, test.want)
		}
	}
	w := newRoom(t, r2.Vec{X: 2, Y: 3})
	if _, err := w.AddObstacle(r2.Vec{X: 7, Y: 3}, c.Obstacle{Radius: 1}); err != nil {
		t.Fatal(err)
	}
	if got, want := area(t, record(t, w, r2.Box{}, 1, 0, nil), 0), 8*4-math.Pi; math.Abs(got-want) > 0.1 {
		t.Errorf("around people and obstacles: got=%v m², want=%v", got, want)
	}
}

// TestDatabaseNoArea holds that a file without ground has the whole box, and says why.
func TestDatabaseNoArea(t *testing.T) {
	w := newRoom(t, r2.Vec{X: 2, Y: 3})
	if _, err := w.AddObstacle(r2.Vec{X: 5, Y: 5}, c.Obstacle{Radius: 20}); err != nil {
		t.Fatal(err)
	}
	db := record(t, w, room, 1, 0, nil)
	if got := area(t, db, 0); got != 100 {
		t.Errorf("got=%v m², want=100", got)
	}
	if got, want := rows(t, db, "SELECT value FROM metadata WHERE key LIKE 'geometry %'"), "the whole box: obstacles leave nothing free"; got != want {
		t.Errorf("got=%q, want=%q", got, want)
	}
}

func TestFacing(t *testing.T) {
	for _, test := range []struct {
		s    Sample
		x, y float64
	}{
		{Sample{}, 1, 0},
		{Sample{VX: 3, VY: -4}, 0.6, -0.8},
		{Sample{VX: 3, VY: -4, Heading: r2.Vec{Y: 1}}, 0, 1},
	} {
		if x, y := test.s.facing(); x != test.x || y != test.y {
			t.Errorf("%+v: got=%v %v, want=%v %v", test.s, x, y, test.x, test.y)
		}
	}
}

// TestDatabaseSpeed holds that a million rows take seconds.
func TestDatabaseSpeed(t *testing.T) {
	frames := 1000
	if testing.Short() {
		frames = 50
	}
	file, err := os.Create(filepath.Join(t.TempDir(), "x.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	d, err := newDatabase(file, Source{Box: room, FrameRate: 10})
	if err != nil {
		t.Fatal(err)
	}
	step := slices.Repeat([]Sample{{X: math.Pi, Y: math.E}}, 1000)
	begin := time.Now()
	for frame := range frames {
		if err := d.Write(frame, step, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	took := time.Since(begin)
	t.Logf("%.0f rows a second", float64(frames*len(step))/took.Seconds())
	if took > time.Minute {
		t.Errorf("took %v, want seconds", took)
	}
}
