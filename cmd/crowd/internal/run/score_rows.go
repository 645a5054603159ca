package run

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/report"
	"github.com/8f878440/crowd/internal/textio"
	"github.com/8f878440/crowd/world/scene"
)

// ScoreRow is the result of a file or built-in scene. docs/verification.md describes its fields.
type ScoreRow struct {
	File           string   `json:"file"`
	CannotArrive   int      `json:"cannot_arrive"`
	Reasons        []string `json:"reasons,omitempty"` // for some agents
	Error          string   `json:"error,omitempty"`
	Warnings       []string `json:"warnings,omitempty"`
	*report.Report          // nil if the file did not run

	// These hide fields of Report in the output. The first two would describe the whole process. A batch does
	// not set the third.
	AllocsPerStep     []struct{} `json:"allocs_per_step,omitempty"`
	BytesPerAgent     []struct{} `json:"bytes_per_agent,omitempty"`
	CannotArriveAsked []struct{} `json:"cannot_arrive_asked,omitempty"`

	failed bool // for a reason other than the content of the file
}

func (r *ScoreRow) style() cli.Style {
	switch {
	case r.Error != "":
		return cli.Bad
	case r.Report != nil && r.Interrupted:
		return cli.Warning
	}
	return cli.Plain
}

func (r *ScoreRow) note() string {
	var notes []string
	if r.Error != "" {
		text, own := strings.CutPrefix(r.Error, r.File+":") // the row starts with the name of the file
		text = strings.TrimSpace(text)
		if own && text != "" && '0' <= text[0] && text[0] <= '9' {
			text = "line " + text
		}
		notes = append(notes, strings.ReplaceAll(text, "\n", " "))
	}
	if r.Report != nil && r.Interrupted && r.Error == "" {
		notes = append(notes, "interrupted")
	}
	if r.CannotArrive > 0 {
		notes = append(notes, fmt.Sprintf("%d can't arrive: %s", r.CannotArrive, r.Reasons[0]))
	}
	return strings.Join(notes, "; ")
}

func writeCSV(w io.Writer, rows []ScoreRow) error {
	var header []string
	var fields []reflect.StructField
	for _, field := range reflect.VisibleFields(reflect.TypeFor[ScoreRow]()) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name != "" && isScalar(field.Type) {
			header, fields = append(header, name), append(fields, field)
		}
	}
	out := csv.NewWriter(w)
	_ = out.Write(header) // Error returns the first error
	for i := range rows {
		cells := make([]string, len(fields))
		for k, field := range fields {
			value, err := reflect.ValueOf(rows[i]).FieldByIndexErr(field.Index)
			if err == nil && value.Kind() == reflect.Pointer {
				value = value.Elem()
			}
			if err == nil && value.IsValid() {
				cells[k] = fmt.Sprint(value)
			}
		}
		_ = out.Write(cells)
	}
	out.Flush()
	return out.Error()
}

func isScalar(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Kind() <= reflect.Float64 && t.Kind() != reflect.Invalid || t.Kind() == reflect.String
}

func writeTable(w io.Writer, rows []ScoreRow) error {
	t := cli.NewTable(w)
	t.Head("file\tagents\tsteps\tarrived, %%\tobstacle collisions\tagent collisions\tmean time, s\tcenters inside\tns/agent-step\tnote")
	var all totals
	groups := map[string]*totals{}
	var names []string
	for i := range rows {
		r := &rows[i]
		var one totals
		one.add(r)
		cells := one.cells()
		if r.Report == nil {
			cells = strings.Repeat("\t", 7)
		}
		t.Line(r.style(), "%s\t"+cells+"\t%s", r.File, r.note())
		all.add(r)
		folder := path.Dir(r.File)
		if groups[folder] == nil {
			groups[folder] = &totals{}
			names = append(names, folder)
		}
		groups[folder].add(r)
	}
	t.Line(cli.Plain, strings.Repeat("\t", 9)) // a blank line that keeps the columns aligned
	slices.Sort(names)
	total := func(name string, sum *totals) {
		note := cli.Plural(sum.files, "file")
		if sum.errors > 0 {
			note += fmt.Sprintf(", %d with errors", sum.errors)
		}
		t.Line(cli.Strong, "%s\t"+sum.cells()+"\t%s", name, note)
	}
	if len(names) == 1 { // the same as the total
		names = nil
	}
	for _, name := range names {
		total("total of "+name, groups[name])
	}
	total("total", &all)
	return t.Flush()
}

// sceneEndings are the extensions of scene files, before an optional ".gz".
var sceneEndings = []string{".xml", ".toml", ".scenario", ".wkt"}

// partRoots are the root elements of XML files that are only parts of scenes.
var partRoots = []string{
	"Obstacles", "Policies", // UMANS
	"Experiment", "BFSM", "View", // Menge
}

// findScenes returns the named scenes and files, and the scenes in the named folders. The result parts lists
// the files in the folders that are only parts of scenes. Both lists are sorted, without duplicates.
func findScenes(names []string) (scenes, parts []string, err error) {
	for _, name := range names {
		info, err := os.Stat(name)
		switch {
		case slices.Contains(scene.Names(), name):
			scenes = append(scenes, name)
		case errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(name, "./\\"):
			return nil, nil, scene.UnknownError(name)
		case err != nil:
			return nil, nil, fmt.Errorf("%s: %w", name, errors.Unwrap(err))
		case !info.IsDir():
			scenes = append(scenes, filepath.Clean(name))
		default:
			found, left, err := walk(name)
			if err != nil {
				return nil, nil, err
			}
			if len(found) == 0 {
				return nil, nil, fmt.Errorf("%s: no scene in this folder or its subfolders, want files whose names end in %s or %s", name, strings.Join(sceneEndings[:3], ", "), sceneEndings[3])
			}
			scenes, parts = append(scenes, found...), append(parts, left...)
		}
	}
	slices.Sort(scenes)
	slices.Sort(parts)
	return slices.Compact(scenes), slices.Compact(parts), nil
}

// walk is like findScenes, for one folder. It returns unreadable entries as scenes: opening them reports the
// error.
func walk(folder string) (scenes, parts []string, err error) {
	err = filepath.WalkDir(folder, func(file string, entry fs.DirEntry, err error) error {
		ending := path.Ext(strings.TrimSuffix(file, ".gz"))
		switch {
		case err != nil && file == folder:
			return err
		case err != nil:
			scenes = append(scenes, file)
		case entry.IsDir() || !slices.Contains(sceneEndings, ending):
		case slices.Contains(partRoots, rootElement(file)):
			parts = append(parts, file)
		default:
			scenes = append(scenes, file)
		}
		return nil
	})
	return scenes, parts, err
}

func rootElement(file string) string {
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	tokens := xml.NewDecoder(bytes.NewReader(textio.Head(f, 1<<16)))
	for {
		token, err := tokens.RawToken()
		if err != nil {
			return ""
		}
		if start, ok := token.(xml.StartElement); ok {
			return start.Name.Local
		}
	}
}
