package trajectories

import (
	"errors"
	"io"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/world"
	"github.com/peterstace/simplefeatures/geom"
	"gonum.org/v1/gonum/spatial/r2"
)

var room = r2.Box{Max: at(10, 10)}

// newRoom returns a world with one agent at rest.
func newRoom(t *testing.T, at r2.Vec) *world.World {
	t.Helper()
	w, err := world.New(world.Config{Dt: 0.5, Workers: 1})
	testkit.Must(t, err)
	t.Cleanup(w.Close)
	testkit.Must(t, w.Spawn(1, []any{c.Agent{}, c.Position{Vec: at}, c.Velocity{}}, nil))
	return w
}

// record runs the given steps, with change before each, and returns the SQL of every n-th step, where
// n = every.
func record(t *testing.T, w *world.World, box r2.Box, every, steps int, change func(step int)) string {
	t.Helper()
	format, err := FormatOf("x.sql")
	testkit.Must(t, err)
	var text strings.Builder
	to := format.Begin(&text, SourceOf(w, every, box))
	r := New(to, format, every, w)
	for step := 0; ; step++ {
		testkit.Must(t, r.Record(step))
		if step == steps {
			break
		}
		change(step + 1)
		testkit.Must(t, w.Step())
	}
	testkit.Must(t, to.Close())
	return text.String()
}

// database maps each table to its rows of unquoted cells.
type database map[string][][]string

var statement = regexp.MustCompile(`INSERT INTO (\w+) VALUES\n((?:\(.*\),\n)*\(.*\));\n`)

var cell = regexp.MustCompile(`'(?:[^']|'')*'|[^',()]+`)

var table = regexp.MustCompile(`CREATE TABLE (\w+) \(([^)]*)\)`)

func columns() map[string][]string {
	all := map[string][]string{}
	for _, match := range table.FindAllStringSubmatch(schema, -1) {
		for column := range strings.SplitSeq(match[2], ",") {
			all[match[1]] = append(all[match[1]], strings.Fields(column)[0])
		}
	}
	return all
}

func load(t *testing.T, text string) database {
	t.Helper()
	text, begun := strings.CutPrefix(text, schema)
	text, ended := strings.CutSuffix(text, "COMMIT;\n")
	if !begun || !ended {
		t.Fatalf("got=\n%s\nwant the schema at the start and COMMIT at the end", text)
	}
	d, columns := database{}, columns()
	for _, match := range statement.FindAllStringSubmatch(text, -1) {
		table, all := match[1], strings.Split(match[2], ",\n")
		if len(all) > atOnce {
			t.Errorf("%s: got=%d rows at once, want at most %d", table, len(all), atOnce)
		}
		for _, row := range all {
			inside := row[1 : len(row)-1]
			cells := cell.FindAllString(inside, -1)
			if strings.Join(cells, ",") != inside || len(cells) != len(columns[table]) {
				t.Fatalf("%s: got=row %q, want=%d cells in parentheses", table, row, len(columns[table]))
			}
			for i, c := range cells {
				if strings.HasPrefix(c, "'") {
					cells[i] = strings.ReplaceAll(c[1:len(c)-1], "''", "'")
				}
			}
			d[table] = append(d[table], cells)
		}
	}
	if rest := statement.ReplaceAllString(text, ""); rest != "" {
		t.Fatalf("got=\n%s\nbeside statements that match %v, want nothing", rest, statement)
	}
	return d
}

func (d database) rows(table string) string {
	var lines []string
	for _, cells := range d[table] {
		lines = append(lines, strings.Join(cells, " "))
	}
	return strings.Join(lines, "\n")
}

func (d database) value(key string) string {
	for _, row := range d["metadata"] {
		if row[0] == key {
			return row[1]
		}
	}
	return ""
}

// area returns the walkable area in a frame, in m².
func (d database) area(t *testing.T, frame int) float64 {
	t.Helper()
	for _, row := range d["geometry"] {
		if row[0] != d["frame_data"][frame][1] {
			continue
		}
		g, err := geom.UnmarshalWKT(row[1])
		testkit.Must(t, err)
		return g.Area()
	}
	t.Fatalf("frame %d: got no area, want one", frame)
	return 0
}

func TestSQL(t *testing.T) {
	w := newRoom(t, at(1, 2))
	testkit.Must(t, w.Spawn(1, []any{c.Agent{}, c.Position{Vec: at(5, 5)}, c.Velocity{}, c.Heading{Vec: at(0.6, -0.8)}}, nil))
	d := load(t, record(t, w, room, 2, 5, func(int) {}))
	if len(d["geometry"]) != 1 {
		t.Fatalf("geometry: got=%v, want one row", d["geometry"])
	}
	if got, want := columns(), (map[string][]string{
		"metadata": {"key", "value"}, "geometry": {"hash", "wkt"}, "frame_data": {"frame", "geometry_hash"},
		"trajectory_data": {"frame", "id", "pos_x", "pos_y", "ori_x", "ori_y"},
	}); !reflect.DeepEqual(got, want) {
		t.Errorf("columns: got=%v, want=%v", got, want)
	}
	testkit.Equal(t, pair("it's", "''"), "('it''s','''''')", "quotes")
	hash := d["geometry"][0][0]
	for table, want := range map[string]string{
		"metadata":        "version 2\nfps 1\nxmin 0\nxmax 10\nymin 0\nymax 10",
		"trajectory_data": "0 1 1 2 1 0\n0 2 5 5 0.6 -0.8\n1 1 1 2 1 0\n1 2 5 5 0.6 -0.8\n2 1 1 2 1 0\n2 2 5 5 0.6 -0.8",
		"frame_data":      "0 " + hash + "\n1 " + hash + "\n2 " + hash,
		"geometry":        hash + " POLYGON((0 0,10 0,10 10,0 10,0 0))",
	} {
		testkit.Equal(t, d.rows(table), want, "%s", table)
	}
}

func TestSQLRows(t *testing.T) {
	for _, n := range []int{0, 1, atOnce, atOnce + 1} {
		var text strings.Builder
		w := newSQL(&text, Source{Box: room, FrameRate: 1})
		step := make([]Sample, n)
		for i := range step {
			step[i] = Sample{ID: uint64(i), X: math.Sqrt(float64(i)), Y: -1 / float64(i)} // Y of the first agent is -Inf
		}
		testkit.Must(t, errors.Join(w.Write(0, step, nil), w.Close()))
		rows := load(t, text.String())["trajectory_data"]
		if len(rows) != n {
			t.Fatalf("got=%d rows, want=%d", len(rows), n)
		}
		testkit.Equal(t, strings.Count(text.String(), "INTO trajectory_data"), (n+atOnce-1)/atOnce, "%d rows", n)
		for i, row := range rows {
			x, _ := strconv.ParseFloat(row[2], 64)
			y, _ := strconv.ParseFloat(row[3], 64)
			if row[0] != "0" || row[1] != strconv.Itoa(i) || x != step[i].X || y != step[i].Y || strings.Contains(row[3], "Inf") {
				t.Errorf("row %d of %d: got=%v, want=%v", i, n, row, step[i])
			}
		}
	}
}

// sqlite3 would reject a NaN.
func TestSQLNaN(t *testing.T) {
	for _, s := range []Sample{{ID: 7, X: math.NaN()}, {ID: 7, Y: math.NaN()}, {ID: 7, Heading: r2.Vec{X: math.NaN()}}} {
		err := newSQL(io.Discard, Source{}).Write(3, []Sample{s}, nil)
		if want := "frame 3: the position or heading of agent 7 is NaN, which SQL cannot represent"; err == nil || err.Error() != want {
			t.Errorf("%v: got=%v, want=%s", s, err, want)
		}
	}
}

// The area with the door closed has only the rooms in which a person is at any time in the run.
func TestSQLDoors(t *testing.T) {
	w := newRoom(t, at(1, 1))
	for _, y := range []float64{0, 6} {
		_, err := w.AddObstacle(at(6, y), c.Obstacle{Span: r2.Vec{Y: 4}, Radius: 0.1})
		testkit.Must(t, err)
	}
	door, err := w.AddDoor(at(6, 4), at(6, 6), 0.1, c.Door{})
	testkit.Must(t, err)
	for _, test := range []struct {
		name   string
		later  bool
		closed float64 // m²
	}{{"people in one room", false, 59}, {"people in both rooms later", true, 98}} {
		d := load(t, record(t, w, room, 1, 8, func(step int) {
			if step == 3 || step == 6 {
				testkit.Must(t, w.SetDoor(door, step == 3))
			}
			if step == 8 && test.later {
				testkit.Must(t, w.Spawn(1, []any{c.Agent{}, c.Position{Vec: at(9, 1)}, c.Velocity{}}, nil))
			}
		}))
		closed, open := d["frame_data"][0][1], d["frame_data"][3][1]
		for frame, row := range d["frame_data"] {
			if want := map[bool]string{false: closed, true: open}[3 <= frame && frame < 6]; closed == open || row[1] != want {
				t.Errorf("%s: frame %d: got=area %s, want=%s", test.name, frame, row[1], want)
			}
		}
		testkit.Near(t, d.area(t, 0), test.closed, 0.1, "%s: closed", test.name)
		testkit.Near(t, d.area(t, 4), 100-8*0.2, 0.1, "%s: open", test.name)
	}
}

func TestSQLMovingObstacle(t *testing.T) {
	w := newRoom(t, at(1, 1))
	e, err := w.AddObstacle(at(5, 5), c.Obstacle{Radius: 1})
	testkit.Must(t, err)
	d := load(t, record(t, w, room, 1, 2*mostGrounds, func(step int) {
		testkit.Must(t, w.MoveObstacle(e, at(5+float64(step)/1000, 5)))
	}))
	testkit.Equal(t, len(d["geometry"]), mostGrounds, "areas")
	known := map[string]bool{}
	for _, row := range d["geometry"] {
		known[row[0]] = true
	}
	if got, want := len(d["frame_data"]), 2*mostGrounds+1; got != want || len(known) != mostGrounds {
		t.Errorf("got=%d frames, %d different areas, want=%d, %d", got, len(known), want, mostGrounds)
	}
	for _, row := range d["frame_data"] {
		if !known[row[1]] {
			t.Errorf("frame %s: got no area, want one", row[0])
		}
	}
}

func TestSQLBox(t *testing.T) {
	for _, test := range []struct {
		name     string
		at       r2.Vec
		box      r2.Box
		obstacle c.Obstacle // at (7, 3), unless it is zero
		want     string
		area     float64 // m²
		note     string
	}{
		{"inside", at(1, 1), room, c.Obstacle{}, "0 10 0 10", 100, ""},
		{"at the edge", at(10, 1), room, c.Obstacle{}, "0 11 0 10", 110, ""},
		{"outside", at(-3, 14), room, c.Obstacle{}, "-4 10 0 15", 210, ""},
		{"no box", at(2, 3), r2.Box{}, c.Obstacle{}, "1 3 2 4", 4, ""},
		{"no box, around an agent and an obstacle", at(2, 3), r2.Box{}, c.Obstacle{Radius: 1}, "1 9 1 5", 8*4 - math.Pi, ""},
		{"obstacles everywhere", at(2, 3), room, c.Obstacle{Radius: 20}, "0 10 0 10", 100, "the whole box: obstacles leave no walkable area"},
	} {
		w := newRoom(t, test.at)
		if test.obstacle != (c.Obstacle{}) {
			_, err := w.AddObstacle(at(7, 3), test.obstacle)
			testkit.Must(t, err)
		}
		d := load(t, record(t, w, test.box, 1, 0, nil))
		testkit.Near(t, d.area(t, 0), test.area, 0.1, "%s: area", test.name)
		testkit.Equal(t, d.value("geometry "+d["geometry"][0][0]), test.note, "%s: note", test.name)
		testkit.Equal(t, strings.Join([]string{d.value("xmin"), d.value("xmax"), d.value("ymin"), d.value("ymax")}, " "), test.want, "%s", test.name)
	}
}

func TestFacing(t *testing.T) {
	for s, want := range map[Sample]r2.Vec{
		{}:                                     at(1, 0),
		{VX: 3, VY: -4}:                        at(0.6, -0.8),
		{VX: 3, VY: -4, Heading: r2.Vec{Y: 1}}: at(0, 1),
	} {
		x, y := s.facing()
		testkit.Equal(t, at(x, y), want, "%+v", s)
	}
}
