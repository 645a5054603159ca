// Package testkit supports tests. It finds scenarios of other programs in the folder that CROWD_DATA names,
// provides connections without a network, and runs systems in a world of their own.
package testkit

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// DataDir returns the absolute path of a file or folder in the folder that the environment variable
// CROWD_DATA names. It skips the test if CROWD_DATA is not set, and fails it if the path does not exist.
func DataDir(t testing.TB, part ...string) string {
	t.Helper()
	data := os.Getenv("CROWD_DATA")
	if data == "" {
		t.Skip("CROWD_DATA is not set: it names the folder of other people's scenarios")
	}
	dir, err := filepath.Abs(filepath.Join(append([]string{data}, part...)...))
	if err == nil {
		_, err = os.Stat(dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// DataManifest returns the rows of MANIFEST.tsv, with its header.
func DataManifest(t testing.TB) [][]string {
	t.Helper()
	file, err := os.Open(DataDir(t, "MANIFEST.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	tsv := csv.NewReader(file)
	tsv.Comma, tsv.FieldsPerRecord, tsv.LazyQuotes = '\t', -1, true
	rows, err := tsv.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// ReadBothWays reads the same input strictly and leniently. An error from the strict read must begin with one
// of the given prefixes. If the strict read succeeds, the lenient read must have an equal result. check
// receives the result of the lenient read, unless that fails.
func ReadBothWays[T any](t *testing.T, read func(lenient bool) (T, error), check func(*testing.T, T), begin ...string) {
	t.Helper()
	strict, err := read(false)
	if err != nil && !slices.ContainsFunc(begin, func(words string) bool { return strings.HasPrefix(err.Error(), words) }) {
		t.Errorf("strict: got=%q, want=an error that begins with one of %q", err, begin)
	}
	lenient, lenientErr := read(true)
	switch {
	case lenientErr == nil:
		check(t, lenient)
	case err == nil:
		t.Errorf("lenient: got=%v, want=no error, as when strict", lenientErr)
	}
	if err == nil && !reflect.DeepEqual(strict, lenient) {
		t.Errorf("lenient: got=%+v, want=%+v, as when strict", lenient, strict)
	}
}

func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Read returns the content of a file.
func Read(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	Must(t, err)
	return b
}

// Fails reports an error unless err contains want or, if want is empty, is nil. The format says what fails.
func Fails(t testing.TB, err error, want, format string, args ...any) {
	t.Helper()
	if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
		t.Errorf("%s: got=%v, want an error with %q (none if empty)", fmt.Sprintf(format, args...), err, want)
	}
}

// Equal reports an error unless got equals want. The format says what is compared.
func Equal[T comparable](t testing.TB, got, want T, format string, args ...any) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got=%v, want=%v", fmt.Sprintf(format, args...), got, want)
	}
}

// Near reports an error unless got, or each of its coordinates, is within a tolerance of want.
func Near[T float64 | r2.Vec](t testing.TB, got, want T, tolerance float64, format string, args ...any) {
	t.Helper()
	var off r2.Vec
	switch got := any(got).(type) {
	case float64:
		off.X = got - any(want).(float64)
	case r2.Vec:
		off = r2.Sub(got, any(want).(r2.Vec))
	}
	if !(math.Abs(off.X) <= tolerance && math.Abs(off.Y) <= tolerance) {
		t.Errorf("%s: got=%v, want=%v ± %v", fmt.Sprintf(format, args...), got, want, tolerance)
	}
}

// Files writes texts, by file name, into a temporary folder, and returns the folder's path.
func Files(t testing.TB, texts map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range texts {
		Must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	return dir
}

func Gzip(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(text)) // a buffer accepts everything
	_ = z.Close()
	return b.String()
}

// Finite reports whether every float64 in v is finite. It looks into structs, slices and arrays only.
func Finite(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Float64:
		return v.Float()-v.Float() == 0
	case reflect.Struct:
		for i := range v.NumField() {
			if !Finite(v.Field(i)) {
				return false
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if !Finite(v.Index(i)) {
				return false
			}
		}
	}
	return true
}
