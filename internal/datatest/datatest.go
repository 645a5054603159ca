// Package datatest finds other people's scenarios for the tests that read them. They are
// no part of this project: the variable CROWD_DATA names their folder, and without it such
// tests are skipped.
package datatest

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"testing"
)

// Dir returns the path of a part of the data, or of all of it. It skips the test if
// CROWD_DATA is not set, and fails it if the part is missing.
func Dir(t testing.TB, part ...string) string {
	t.Helper()
	data := os.Getenv("CROWD_DATA")
	if data == "" {
		t.Skip("skipped: CROWD_DATA names no folder of other people's scenarios")
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
