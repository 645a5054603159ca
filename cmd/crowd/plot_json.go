package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/report"
)

// runParts is what a report has beside single figures.
type runParts struct {
	Systems []report.System `json:"systems"`
	Perf    *report.Perf    `json:"perf"`
}

// readJSON reads what run, score or bench wrote, or any objects with numbers: one
// after another, or in arrays.
func (f *plotFile) readJSON(text []byte) error {
	f.table = &plotTable{}
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
	case f.bench != nil:
		return nil
	case len(f.table.rows) == 0:
		return errors.New("has no objects; want what run, score or bench print with --json")
	case len(f.table.numeric()) == 0:
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
func (f *plotFile) addJSON(raw json.RawMessage) error {
	objects, array := []json.RawMessage{raw}, raw[0] == '['
	if array {
		if err := json.Unmarshal(raw, &objects); err != nil {
			return err
		}
	}
	for i, object := range objects {
		var fields map[string]json.RawMessage
		if object = bytes.TrimSpace(object); len(object) == 0 || object[0] != '{' || json.Unmarshal(object, &fields) != nil {
			return fmt.Errorf("value %d is %s, want an object", i+1, printable(string(object), 20))
		}
		has := func(names ...string) bool {
			return !slices.ContainsFunc(names, func(name string) bool { return fields[name] == nil })
		}
		kind := tableKind
		switch {
		case has("results", "go_version"):
			kind = benchKind
		case has("file", "needs_planning"):
			kind = scoreKind
		case has("scene", "ns_per_agent_step", "systems"):
			kind = runKind
		}
		switch {
		case f.kind == "":
			f.kind = kind
		case f.kind == benchKind || kind == benchKind:
			return fmt.Errorf("value %d is %s after %s: want the results of one bench in a file", i+1, kind, f.kind)
		case f.kind != kind:
			f.kind = tableKind
		}
		if kind == benchKind {
			return f.addBench(object)
		}
		var parts runParts
		if kind == runKind {
			if err := json.Unmarshal(object, &parts); err != nil {
				return fmt.Errorf("is no report of a run: %w", err)
			}
		}
		f.runs = append(f.runs, parts)
		f.table.rows = append(f.table.rows, nil)
		if err := f.table.flatten(len(f.table.rows)-1, "", object, 0); err != nil {
			return err
		}
		if kind == runKind {
			f.table.addSettings(len(f.table.rows) - 1)
		}
	}
	return nil
}

// setPrefix is what the columns of addSettings begin with.
const setPrefix = "set."

// addSettings adds to the row of a run what its command line changed by --set.
func (t *plotTable) addSettings(row int) {
	args := strings.Fields(t.text(row, "command"))
	for i, arg := range args {
		setting, found := strings.CutPrefix(arg, "--set=")
		if arg == "--set" && i+1 < len(args) {
			setting, found = args[i+1], true
		}
		for one := range strings.SplitSeq(setting, ";") {
			if key, value, ok := strings.Cut(one, "="); found && ok {
				t.put(row, setPrefix+key, value)
			}
		}
	}
}

// put sets a cell.
func (t *plotTable) put(row int, column, text string) {
	i := t.column(column)
	for len(t.rows[row]) <= i {
		t.rows[row] = append(t.rows[row], "")
	}
	t.rows[row][i] = text
}

// flatten adds the single values of an object to a row; those of an object within
// have its name and a dot before their own. Arrays are left out.
func (t *plotTable) flatten(row int, prefix string, object json.RawMessage, depth int) error {
	dec := json.NewDecoder(bytes.NewReader(object))
	if _, err := dec.Token(); err != nil {
		return err
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return err
		}
		name := prefix + key.(string)
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return err
		}
		cell := string(value)
		switch cell[0] {
		case '[':
			continue
		case '{':
			if depth < 3 {
				if err := t.flatten(row, name+".", value, depth+1); err != nil {
					return err
				}
			}
			continue
		case '"':
			if err := json.Unmarshal(value, &cell); err != nil {
				return err
			}
		case 'n':
			cell = ""
		}
		t.put(row, name, cell)
	}
	return nil
}
