package trajectories

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// rowGroup is the number of samples that a Parquet writer buffers.
const rowGroup = 1 << 17

type parquetWriter struct{ *parquet.GenericWriter[Sample] }

func newParquet(to io.Writer, _ Source) Writer {
	rows := parquet.NewGenericWriter[Sample](to, parquet.MaxRowsPerRowGroup(rowGroup), parquet.Compression(&parquet.Snappy))
	return &parquetWriter{rows}
}

func (p *parquetWriter) Write(_ int, step []Sample, _ *Ground) error {
	_, err := p.GenericWriter.Write(step)
	return err
}

// databaseVersion is the format version that JuPedSim 1.1 to 1.4 write. PedPy and later versions of JuPedSim
// read it too. Version 3 differs only in having no orientation.
const databaseVersion = 2

// schema creates the tables of JuPedSim's format. It drops old tables first: sqlite3 continues after errors,
// so rows would otherwise be appended to them. The index precedes the rows, which arrive in its order.
const schema = `-- JuPedSim's trajectory format, which PedPy also reads. To load this file: sqlite3 FILE.sqlite < FILE.sql
BEGIN;
DROP TABLE IF EXISTS metadata;
DROP TABLE IF EXISTS geometry;
DROP TABLE IF EXISTS frame_data;
DROP TABLE IF EXISTS trajectory_data;
CREATE TABLE metadata (key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE geometry (hash INTEGER NOT NULL, wkt TEXT NOT NULL);
CREATE UNIQUE INDEX geometry_hash ON geometry (hash);
CREATE TABLE frame_data (frame INTEGER NOT NULL, geometry_hash INTEGER NOT NULL);
CREATE TABLE trajectory_data (
	frame INTEGER NOT NULL, id INTEGER NOT NULL,
	pos_x REAL NOT NULL, pos_y REAL NOT NULL, ori_x REAL NOT NULL, ori_y REAL NOT NULL);
CREATE INDEX frame_id_idx ON trajectory_data (frame, id);
`

const atOnce = 500

// sqlText writes the SQL of a JuPedSim database, in one transaction: a truncated file creates no tables.
type sqlText struct {
	buffer    *bufio.Writer
	grounds   *grounds
	frameRate float64
}

func newSQL(to io.Writer, of Source) Writer {
	s := &sqlText{buffer: bufio.NewWriterSize(to, 1<<16), grounds: newGrounds(of.Box), frameRate: of.FrameRate}
	_, _ = s.buffer.WriteString(schema) // Flush returns the first error
	return s
}

func (s *sqlText) Write(frame int, step []Sample, changed *Ground) error {
	s.grounds.visit(step)
	s.insert("frame_data", fmt.Sprintf("(%d,%d)", frame, s.grounds.now(changed)))
	for rows := range slices.Chunk(step, atOnce) {
		before := "INSERT INTO trajectory_data VALUES\n("
		for i := range rows {
			b := append(s.buffer.AvailableBuffer(), before...)
			b = rows[i].appendSQL(b, frame)
			if bytes.Contains(b, []byte("NaN")) {
				return fmt.Errorf("frame %d: the position or heading of agent %d is NaN, which SQL cannot represent", frame, rows[i].ID)
			}
			if _, err := s.buffer.Write(b); err != nil {
				return err
			}
			before = "),\n("
		}
		_, _ = s.buffer.WriteString(");\n")
	}
	return nil
}

func (s *Sample) appendSQL(b []byte, frame int) []byte {
	b = strconv.AppendInt(b, int64(frame), 10)
	b = strconv.AppendInt(append(b, ','), int64(s.ID), 10)
	x, y := s.facing()
	for _, v := range [...]float64{s.X, s.Y, x, y} {
		b = append(b, ',')
		switch {
		case math.IsInf(v, 1):
			b = append(b, "9e999"...) // SQLite reads this as infinity
		case math.IsInf(v, -1):
			b = append(b, "-9e999"...)
		default:
			b = strconv.AppendFloat(b, v, 'g', -1, 64)
		}
	}
	return b
}

// facing returns the heading, or else the direction of the velocity, or else +x.
func (s *Sample) facing() (x, y float64) {
	if s.Heading.X != 0 || s.Heading.Y != 0 {
		return s.Heading.X, s.Heading.Y
	}
	if speed := math.Hypot(s.VX, s.VY); speed > 0 && !math.IsInf(speed, 1) {
		return s.VX / speed, s.VY / speed
	}
	return 1, 0
}

func (s *sqlText) Close() error {
	box := s.grounds.bounds()
	about := []string{
		pair("version", strconv.Itoa(databaseVersion)), pair("fps", number(s.frameRate)),
		pair("xmin", number(box.Min.X)), pair("xmax", number(box.Max.X)), pair("ymin", number(box.Min.Y)), pair("ymax", number(box.Max.Y)),
	}
	for _, g := range s.grounds.all {
		wkt, err := WalkableArea(box, g.obstacles, s.grounds.places)
		if err != nil {
			wkt, about = rectangle(box).AsText(), append(about, pair("geometry "+strconv.FormatInt(g.hash, 10), "the whole box: "+err.Error()))
		}
		s.insert("geometry", fmt.Sprintf("(%d,%s)", g.hash, quoted(wkt)))
	}
	s.insert("metadata", about...)
	_, _ = s.buffer.WriteString("COMMIT;\n")
	return s.buffer.Flush()
}

func (s *sqlText) insert(table string, rows ...string) {
	_, _ = fmt.Fprintf(s.buffer, "INSERT INTO %s VALUES\n%s;\n", table, strings.Join(rows, ",\n"))
}

func pair(key, value string) string { return "(" + quoted(key) + "," + quoted(value) + ")" }

func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

type lines struct {
	buffer *bufio.Writer
	line   func(b []byte, frame int, s *Sample) []byte
}

func newLines(to io.Writer, header string, line func([]byte, int, *Sample) []byte) *lines {
	l := &lines{buffer: bufio.NewWriterSize(to, 1<<16), line: line}
	_, _ = l.buffer.WriteString(header) // Flush returns the first error
	return l
}

func (l *lines) Write(frame int, step []Sample, _ *Ground) error {
	for i := range step {
		if _, err := l.buffer.Write(l.line(l.buffer.AvailableBuffer(), frame, &step[i])); err != nil {
			return err
		}
	}
	return nil
}

func (l *lines) Close() error { return l.buffer.Flush() }

// Numbers read back exactly.
func newCSV(to io.Writer, _ Source) Writer {
	return newLines(to, "id,time,x,y,vx,vy\n", func(b []byte, _ int, s *Sample) []byte {
		b = strconv.AppendUint(b, s.ID, 10)
		for _, x := range [...]float64{s.Time, s.X, s.Y, s.VX, s.VY} {
			b = strconv.AppendFloat(append(b, ','), x, 'g', -1, 64)
		}
		return append(b, '\n')
	})
}

// newPedPy returns a writer for the format of the Pedestrian Dynamics Data Archive, which PedPy's
// load_trajectory reads.
func newPedPy(to io.Writer, of Source) Writer {
	header := fmt.Sprintf("# framerate: %v\n# id frame x/m y/m z/m\n", of.FrameRate)
	return newLines(to, header, func(b []byte, frame int, s *Sample) []byte {
		b = strconv.AppendUint(b, s.ID, 10)
		b = strconv.AppendInt(append(b, ' '), int64(frame), 10)
		b = strconv.AppendFloat(append(b, ' '), s.X, 'g', -1, 64)
		b = strconv.AppendFloat(append(b, ' '), s.Y, 'g', -1, 64)
		return append(b, " 0\n"...)
	})
}

type zipped struct {
	Writer
	gzip *gzip.Writer
}

func newZippedCSV(to io.Writer, of Source) Writer {
	// Digits are almost random: higher levels take much longer and gain little.
	z, _ := gzip.NewWriterLevel(to, gzip.BestSpeed)
	return &zipped{newCSV(z, of), z}
}

func (z *zipped) Close() error { return cmp.Or(z.Writer.Close(), z.gzip.Close()) }
