package command

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"image/gif"
	"image/png"
	"io"
	"path/filepath"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/trajectories"
	"github.com/parquet-go/parquet-go"
)

// whole returns an error unless the content of a file is complete for its kind.
func whole(name string, text []byte) error {
	switch filepath.Ext(name) {
	case ".png", ".apng":
		if !bytes.HasSuffix(text, []byte("IEND\xaeB`\x82")) {
			return errors.New("does not end with the chunk IEND")
		}
		_, err := png.Decode(bytes.NewReader(text))
		return err
	case ".gif":
		_, err := gif.DecodeAll(bytes.NewReader(text))
		return err
	case ".svg":
		return xml.Unmarshal(text, new(struct{}))
	case ".mp4":
		return wholeMP4(text)
	case ".csv":
		return wholeLines(text, ",", "id,time,x,y,vx,vy\n", 6)
	case ".txt":
		_, text, _ := bytes.Cut(text, []byte("\n"))
		return wholeLines(text, " ", "# id frame x/m y/m z/m\n", 5)
	case ".gz":
		text, err := unzip(text)
		return errors.Join(err, whole(strings.TrimSuffix(name, ".gz"), text))
	case ".parquet":
		return wholeParquet(text)
	case ".sql":
		return wholeSQL(text)
	case ".cpu", ".mem": // these have a checksum at the end
		text, err := unzip(text)
		if err == nil && len(text) == 0 {
			err = errors.New("is empty")
		}
		return err
	case ".trace":
		if !bytes.HasPrefix(text, []byte("go 1.")) || len(text) < 1000 {
			return errors.New("does not begin with go 1., or has fewer than 1000 bytes")
		}
		return nil
	case ".json":
		return json.Unmarshal(text, new(map[string]any))
	case ".lines":
		if !bytes.Contains(text, []byte("\nBenchmark")) || !bytes.HasSuffix(text, []byte("\n")) {
			return errors.New("has no benchmark lines, or does not end with a newline")
		}
		return nil
	}
	return fmt.Errorf("has the unknown extension %q", filepath.Ext(name))
}

func unzip(text []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// wholeLines returns an error unless the header precedes complete rows for one or more steps of 60 agents.
func wholeLines(text []byte, between, header string, fields int) error {
	rows, ok := strings.CutPrefix(string(text), header)
	if !ok || !strings.HasSuffix(rows, "\n") {
		return fmt.Errorf("does not begin with %q, or does not end with a newline", header)
	}
	n := 0
	for row := range strings.Lines(rows) {
		if n++; len(strings.Split(row, between)) != fields {
			return fmt.Errorf("row %d is %q, want %d fields", n, row, fields)
		}
	}
	return steps(n)
}

func steps(rows int) error {
	if rows == 0 || rows%60 != 0 {
		return fmt.Errorf("has %d rows, want 60 per step, and at least one step", rows)
	}
	return nil
}

func wholeParquet(text []byte) error {
	rows, err := parquet.Read[trajectories.Sample](bytes.NewReader(text), int64(len(text)))
	return errors.Join(err, steps(len(rows)))
}

// wholeSQL returns an error unless text is one complete SQL transaction with complete steps of 60 agents.
func wholeSQL(text []byte) error {
	if !bytes.Contains(text, []byte("\nBEGIN;\n")) || !bytes.HasSuffix(text, []byte("\nCOMMIT;\n")) {
		return errors.New("has no line BEGIN;, or does not end with the line COMMIT;")
	}
	rows := 0
	for statement := range strings.SplitSeq(string(text), ";\n") {
		if inserted, ok := strings.CutPrefix(statement, "INSERT INTO trajectory_data VALUES\n"); ok {
			rows += 1 + strings.Count(inserted, "\n")
		}
	}
	return steps(rows)
}

// wholeMP4 returns an error unless the boxes fill the file, and include the index and the data.
func wholeMP4(text []byte) error {
	kinds := ""
	for len(text) > 0 {
		if len(text) < 8 {
			return errors.New("is cut off")
		}
		size := int(binary.BigEndian.Uint32(text))
		if size < 8 || size > len(text) {
			return fmt.Errorf("has a box of %d bytes, want 8 to %d", size, len(text))
		}
		kinds, text = kinds+" "+string(text[4:8]), text[size:]
	}
	if !strings.Contains(kinds, "moov") || !strings.Contains(kinds, "mdat") {
		return fmt.Errorf("has the boxes %q, want moov and mdat among them", kinds)
	}
	return nil
}
