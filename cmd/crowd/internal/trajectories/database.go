//go:build (linux && (386 || amd64 || arm || arm64 || loong64 || ppc64le || riscv64 || s390x)) || (darwin && (amd64 || arm64)) || (windows && (386 || amd64 || arm64)) || (freebsd && (386 || amd64 || arm || arm64)) || (netbsd && amd64) || (openbsd && (amd64 || arm64))

package trajectories

import (
	"cmp"
	"database/sql"
	"errors"
	"math"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/8f878440/crowd/cmd/crowd/internal/walkable"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// databaseVersion is the one that JuPedSim 1.1 to 1.4 write and PedPy reads. Later JuPedSims read it
// too: theirs, 3, is the same without orientation.
const databaseVersion = 2

// schema are the tables of JuPedSim's trajectories. The index grows with the rows, which are in its
// order, so nothing is to be sorted.
const schema = `
CREATE TABLE metadata (key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE geometry (hash INTEGER NOT NULL, wkt TEXT NOT NULL);
CREATE UNIQUE INDEX geometry_hash ON geometry (hash);
CREATE TABLE frame_data (frame INTEGER NOT NULL, geometry_hash INTEGER NOT NULL);
CREATE TABLE trajectory_data (
	frame INTEGER NOT NULL, id INTEGER NOT NULL,
	pos_x REAL NOT NULL, pos_y REAL NOT NULL, ori_x REAL NOT NULL, ori_y REAL NOT NULL);
CREATE INDEX frame_id_idx ON trajectory_data (frame, id);`

// atOnce is how many rows one statement inserts.
const atOnce = 64

// database is the SQLite format of JuPedSim. It is one transaction without a journal: who stops it
// loses all, and the file is not yet in its place.
type database struct {
	db        *sql.DB
	tx        *sql.Tx
	one, many *sql.Stmt // insert a row, and atOnce rows
	args      []any
	grounds   *grounds
	frameRate float64
	err       error // the first
}

var newDatabase = func(to File, of Source) (Writer, error) {
	path, err := filepath.Abs(to.Name())
	if err != nil {
		return nil, err
	}
	if path = filepath.ToSlash(path); !strings.HasPrefix(path, "/") {
		path = "/" + path // with the drive of Windows
	}
	d := &database{grounds: newGrounds(of.Box), frameRate: of.FrameRate}
	name := url.URL{Scheme: "file", Path: path, RawQuery: "_journal_mode=OFF&_synchronous=OFF&_pragma=locking_mode(EXCLUSIVE)&_pragma=cache_size(-8000)"}
	if d.db, err = sql.Open("sqlite", name.String()); err != nil {
		return nil, err
	}
	d.db.SetMaxOpenConns(1)
	if err := d.begin(); err != nil {
		_ = d.db.Close()
		return nil, err
	}
	return d, nil
}

func (d *database) begin() (err error) {
	if d.tx, err = d.db.Begin(); err != nil {
		return cause(err)
	}
	if _, err = d.tx.Exec(schema); err != nil {
		return cause(err)
	}
	const insert, row = "INSERT INTO trajectory_data VALUES ", "(?,?,?,?,?,?)"
	if d.one, err = d.tx.Prepare(insert + row); err != nil {
		return cause(err)
	}
	d.many, err = d.tx.Prepare(insert + row + strings.Repeat(","+row, atOnce-1))
	return cause(err)
}

func (d *database) Write(frame int, step []Sample, changed *Ground) error {
	d.grounds.visit(step)
	d.exec("INSERT INTO frame_data VALUES (?, ?)", frame, d.grounds.now(changed))
	for len(step) > 0 && d.err == nil {
		rows, insert := min(atOnce, len(step)), d.many
		if rows < atOnce {
			rows, insert = 1, d.one
		}
		d.args = d.args[:0]
		for i := range step[:rows] {
			s := &step[i]
			x, y := s.facing()
			d.args = append(d.args, frame, int64(s.ID), s.X, s.Y, x, y)
		}
		_, err := insert.Exec(d.args...)
		d.fail(err)
		step = step[rows:]
	}
	return d.err
}

// facing returns where an agent faces: its heading, or else where it goes, or +x.
func (s *Sample) facing() (x, y float64) {
	if s.Heading.X != 0 || s.Heading.Y != 0 {
		return s.Heading.X, s.Heading.Y
	}
	if speed := math.Hypot(s.VX, s.VY); speed > 0 {
		return s.VX / speed, s.VY / speed
	}
	return 1, 0
}

// Close writes the areas and completes the file.
func (d *database) Close() error {
	if d.err == nil {
		d.areas()
	}
	if d.err == nil {
		d.fail(d.tx.Commit())
	} else {
		_ = d.tx.Rollback()
	}
	return cmp.Or(d.err, d.db.Close())
}

// areas writes the walkable areas and what else is known at the end.
func (d *database) areas() {
	box := d.grounds.bounds()
	about := [][2]string{
		{"version", strconv.Itoa(databaseVersion)}, {"fps", number(d.frameRate)},
		{"xmin", number(box.Min.X)}, {"xmax", number(box.Max.X)}, {"ymin", number(box.Min.Y)}, {"ymax", number(box.Max.Y)},
	}
	for _, g := range d.grounds.all {
		wkt, err := walkable.Area(box, g.obstacles, d.grounds.places)
		if err != nil {
			wkt, about = walkable.Rectangle(box), append(about, [2]string{"geometry " + strconv.FormatInt(g.hash, 10), "the whole box: " + err.Error()})
		}
		d.exec("INSERT INTO geometry VALUES (?, ?)", g.hash, wkt)
	}
	for _, row := range about {
		d.exec("INSERT INTO metadata VALUES (?, ?)", row[0], row[1])
	}
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// exec runs a statement, unless one has failed.
func (d *database) exec(statement string, args ...any) {
	if d.err == nil {
		_, err := d.tx.Exec(statement, args...)
		d.fail(err)
	}
}

// fail keeps the first error.
func (d *database) fail(err error) { d.err = cmp.Or(d.err, cause(err)) }

// cause returns the error of the system, where SQLite has words of its own for it.
func cause(err error) error {
	var of *sqlite.Error
	if errors.As(err, &of) && of.Code() == sqlite3.SQLITE_FULL {
		return syscall.ENOSPC
	}
	return err
}
