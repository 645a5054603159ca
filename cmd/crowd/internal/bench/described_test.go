package bench

import (
	"os"
	"reflect"
	"strings"
	"testing"
)

// TestBenchFileIsDescribed verifies that docs/bench.md describes every field.
func TestBenchFileIsDescribed(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/bench.md")
	must(t, err)
	var words []string
	for _, of := range []reflect.Type{reflect.TypeFor[File](), reflect.TypeFor[Result]()} {
		for _, field := range reflect.VisibleFields(of) {
			words = append(words, "`"+field.Tag.Get("json")+"`")
		}
	}
	for _, word := range words {
		if !strings.Contains(string(page), word) {
			t.Errorf("docs/bench.md does not describe %s", word)
		}
	}
}
