package data

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/report"
	"github.com/8f878440/crowd/cmd/crowd/internal/terminal"
)

// Parts is what a report has beside single figures.
type Parts struct {
	Systems []report.System `json:"systems"`
	Perf    *report.Perf    `json:"perf"`
}

// readJSON reads what run, score or bench wrote, or any objects with numbers: one
// after another, or in arrays.
func (f *File) readJSON(text []byte) error {
	f.Table = &Table{}
	dec := json.NewDecoder(bytes.NewReader(text))
	for {
		var raw json.RawMessage
		err := dec.Decode(&raw)
		if err == io.EOF {
			break
		}
		if err != nil {
			return jsonError(text, err, dec.InputOffset())
		}
		at := dec.InputOffset() - int64(len(raw))
		if err := f.addJSON(raw); err != nil {
			return jsonError(text, err, at)
		}
	}
	switch {
	case f.Bench != nil:
		return nil
	case len(f.Table.Rows) == 0:
		return errors.New("has no objects; want what run, score or bench print with --json")
	case len(f.Table.Numeric()) == 0:
		return errors.New("has no numbers; want what run, score or bench print with --json")
	}
	return nil
}

// jsonError says where in a text an error is.
func jsonError(text []byte, err error, at int64) error {
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		at, err = int64(len(bytes.TrimSpace(text))), errors.New("is cut off: the JSON ends too early")
	case errors.As(err, &syntax):
		err = fmt.Errorf("is no JSON: %w", err)
		at += syntax.Offset
	}
	at = min(max(at, 0), int64(len(text)))
	return lineError{1 + bytes.Count(text[:at], []byte("\n")), err}
}

// addJSON adds one value at the top of a file.
func (f *File) addJSON(raw json.RawMessage) error {
	objects, array := []json.RawMessage{raw}, raw[0] == '['
	if array {
		if err := json.Unmarshal(raw, &objects); err != nil {
			return err
		}
	}
	for i, object := range objects {
		var fields map[string]json.RawMessage
		if object = bytes.TrimSpace(object); len(object) == 0 || object[0] != '{' || json.Unmarshal(object, &fields) != nil {
			return fmt.Errorf("value %d is %s, want an object", i+1, terminal.Shorten(string(object), 20))
		}
		has := func(names ...string) bool {
			return !slices.ContainsFunc(names, func(name string) bool { return fields[name] == nil })
		}
		kind := TableKind
		switch {
		case has("results", "go_version"):
			kind = BenchKind
		case has("file", "cannot_arrive"):
			kind = ScoreKind
		case has("scene", "ns_per_agent_step", "systems"):
			kind = RunKind
		}
		switch {
		case f.Kind == "":
			f.Kind = kind
		case f.Kind == BenchKind || kind == BenchKind:
			return fmt.Errorf("value %d is %s after %s: want the results of one bench in a file", i+1, kind, f.Kind)
		case f.Kind != kind:
			f.Kind = TableKind
		}
		if kind == BenchKind {
			return f.addBench(object)
		}
		var parts Parts
		if kind == RunKind {
			if err := json.Unmarshal(object, &parts); err != nil {
				return fmt.Errorf("is no report of a run: %w", err)
			}
		}
		f.Runs = append(f.Runs, parts)
		f.Table.Rows = append(f.Table.Rows, nil)
		if err := f.Table.flatten(len(f.Table.Rows)-1, "", object, 0); err != nil {
			return err
		}
		if kind == RunKind {
			f.Table.addSettings(len(f.Table.Rows) - 1)
		}
	}
	return nil
}
