// Package textio reads text and XML files of other programs, within limits, and with errors
// that name the file and the line. Files may be gzipped. XML is read element by element by a
// vocabulary, and may hold what such files have though XML forbids it: any text in comments,
// and comments before the XML declaration.
package textio

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/spatial/r2"
)

// DefaultMaxBytes limits a file, unpacked, when its format does not say.
const DefaultMaxBytes = 4 << 30

// Format says what a file may hold, and how to read it.
type Format struct {
	Vocabulary map[string]Words // by element
	Namespaced bool             // elements may have the root's prefix, and any element attributes of namespaces
	Remarks    bool             // text between elements is a remark, and passed over
	Lenient    bool             // skip what is unknown with a warning, instead of an error
	MaxBytes   int64            // limit of the file, unpacked; 0 or less means DefaultMaxBytes
	OtherRoots []string         // root elements of other files, which an error names beside those that Read takes
	Context    context.Context  // ends reading, with its error; nil: nothing does
}

// Words are the attributes and child elements that an element may hold: those
// that are read, and those that are known and passed over without a word.
type Words struct {
	Attrs, IgnoredAttrs       []string
	Children, IgnoredChildren []string
}

// List splits words at blanks.
func List(s string) []string { return strings.Fields(s) }

// Alternatives is "a, b or c", with the words that are passed over at the end;
// in the format, "?" stands for the word.
func Alternatives(format string, read, ignored []string) string {
	var all []string
	for _, w := range slices.Concat(read, ignored) {
		all = append(all, strings.ReplaceAll(format, "?", w))
	}
	switch n := len(all); n {
	case 0:
		return "none"
	case 1:
		return all[0]
	default:
		return strings.Join(all[:n-1], ", ") + " or " + all[n-1]
	}
}

// Number returns the number that s holds, or else what is wanted in its place:
// one that ok allows, and that is finite in single precision, since that is how
// other programs compute; squares and products of such numbers can't overflow
// here.
func Number(s string, ok func(float64) bool, want string) (x float64, wanted string) {
	x, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	tooLarge := errors.Is(err, strconv.ErrRange) // and x is infinite
	switch {
	case err != nil && !tooLarge || err == nil && math.IsInf(x, 0) || math.IsNaN(x) || !ok(x):
		return 0, want
	case x > math.MaxFloat32:
		return 0, want + ", at most 3.4e+38"
	case x < -math.MaxFloat32:
		return 0, want + ", at least -3.4e+38"
	}
	return x, ""
}

// Outline merges points of a closed outline that coincide with the one before;
// the last point counts as before the first.
func Outline(points []r2.Vec) []r2.Vec {
	outline := slices.Compact(points)
	for n := len(outline); n > 1 && outline[n-1] == outline[0]; n-- {
		outline = outline[:n-1]
	}
	return outline
}
