// Package datatest finds other people's scenarios for the tests that read them.
// They are no part of this project: where they are missing such tests are skipped,
// and counted, so that a run that passes does not hide what it has not tried.
package datatest

import (
	"encoding/csv"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"sync/atomic"
	"testing"
)

// What may be set in the environment.
const (
	folder = "CROWD_DATA"  // names the folder of the data
	skips  = "CROWD_SKIPS" // names a file that gets a line for each test that is skipped: its name, a tab, and why
)

// beside is where the data is if nothing is set, from the root of the module.
const beside = "../shared/data"

var (
	root, here = module()
	skipped    atomic.Int64
	lastly     atomic.Value // why a test was skipped
)

// module returns the root of the module, and from there the folder of the package
// that is tested. It is called before a test changes the directory.
func module() (root, here string) {
	at, err := os.Getwd()
	if err != nil {
		return "", ""
	}
	for root = at; ; root = filepath.Dir(root) {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil || root == filepath.Dir(root) {
			here, _ = filepath.Rel(root, at)
			return root, filepath.ToSlash(here)
		}
	}
}

// Dir returns the path of a part of the data, or of all of it. It skips the test
// where that is missing.
func Dir(t testing.TB, part ...string) string {
	t.Helper()
	dir, name, why := os.Getenv(folder), filepath.ToSlash(os.Getenv(folder)), ""
	if dir == "" {
		dir, name, why = filepath.Join(root, filepath.FromSlash(beside)), beside, folder+" is not set and "
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range append([]string{""}, part...) {
		dir, name = filepath.Join(dir, filepath.FromSlash(p)), path.Join(name, p)
		if _, err := os.Stat(dir); err != nil {
			skip(t, why+name+" is missing")
		}
	}
	return dir
}

// Manifest returns the rows of the list of the data.
func Manifest(t testing.TB) [][]string {
	t.Helper()
	file, err := os.Open(Dir(t, "MANIFEST.tsv"))
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

// skip skips a test, and takes note of it.
func skip(t testing.TB, why string) {
	t.Helper()
	skipped.Add(1)
	lastly.Store(why)
	if name := os.Getenv(skips); name != "" {
		file, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
		if err != nil {
			t.Fatal(err)
		}
		_, err = fmt.Fprintf(file, "%s %s\t%s\n", here, t.Name(), why)
		if closed := file.Close(); err != nil || closed != nil {
			t.Fatal(err, closed)
		}
	}
	t.Skip("skipped: " + why)
}

// Main is the TestMain of a package with such tests: it ends with how many of them
// were skipped.
func Main(m *testing.M) {
	code := m.Run()
	if n := skipped.Load(); n > 0 {
		fmt.Printf("%s: data tests skipped: %d, because %s\n", here, n, lastly.Load())
	}
	os.Exit(code)
}
