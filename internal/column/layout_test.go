package column

import (
	"math/bits"
	"reflect"
	"strings"
	"testing"

	"github.com/mlange-42/arche/ecs"
)

// TestSameLayout verifies which types can hold one of our types, and that errors name both types.
func TestSameLayout(t *testing.T) {
	if bits.UintSize < 64 {
		t.Skip("skipped: sizes and offsets are for 64-bit platforms")
	}
	type meters float64
	type vec struct{ X, Y float64 }
	type embeds struct{ vec }
	type yx struct{ Y, X float64 }
	type embedsYX struct{ yx }
	type hidden struct{ x, y float64 }
	type halfHidden struct {
		X float64
		y meters
	}
	type flagged struct {
		X    float64
		On   bool
		Kind int32
	}
	type flaggedLater struct {
		X    float64
		Kind int32
		On   bool
	}
	type inner struct {
		X  float64
		On bool
	}
	type flaggedPadded struct {
		inner
		Kind int32
	}
	type leader struct{ Of ecs.Entity }
	type box struct{ Min, Max point }
	type yxBox struct {
		Min point
		Max yx
	}

	const unlessSafe = "unexported"
	for _, c := range []struct {
		ours, host any
		want       string // part of the error, empty if there is none
	}{
		{point{}, point{}, ""},
		{point{}, vec{}, ""},
		{point{}, struct{ A, B meters }{}, ""},
		{point{}, struct{ embeds }{}, ""},
		{point{}, struct{ A [2]float64 }{}, ""},
		{point{}, [2]struct{ A [1]float64 }{}, ""},
		{point{}, [2]float64{}, ""},
		{point{}, struct{ X, Y struct{ Value float64 } }{}, ""},
		{point{}, struct {
			_    struct{}
			X, Y float64
		}{}, ""},
		{point{}, struct{ C complex128 }{}, "complex128 at 0"},
		{point{}, hidden{0, 0}, unlessSafe},
		{point{}, halfHidden{0, 0}, unlessSafe},
		{point{}, struct{ X, _ float64 }{}, unlessSafe},
		{hidden{0, 0}, point{}, unlessSafe},
		{point{}, struct{ X, Y, Z float64 }{}, "float64 at 0, float64 at 8, float64 at 16 (24 bytes)"},
		{point{}, struct{ X float64 }{}, "float64 at 0 (8 bytes)"},
		{point{}, struct {
			X, Y float64
			_    struct{}
		}{}, "(24 bytes)"},
		{point{}, struct{ X, Y float32 }{}, "float32 at 0, float32 at 4 (8 bytes)"},
		{point{}, struct{ A, B, C, D float32 }{}, "float32 at 12 (16 bytes)"},
		{point{}, struct{ X, Y int64 }{}, "int64 at 8"},
		{point{}, struct{ X, Y *float64 }{}, "ptr at 8"},
		{point{}, struct{ S string }{}, "string at 0"},
		{point{}, tag{}, "no fields (0 bytes)"},
		{point{}, 1.5, "float64 at 0 (8 bytes)"},
		{tag{}, struct{}{}, ""},
		{tag{}, point{}, "no fields (0 bytes)"},
		{flagged{}, flagged{}, ""},
		{flagged{}, flaggedLater{}, "int32 at 8, bool at 12"},
		{flagged{}, flaggedPadded{}, "int32 at 16"},
		{leader{}, struct{ Leader ecs.Entity }{}, ""},
		{leader{}, struct{ A, B uint32 }{}, "ecs.Entity at 0 (8 bytes)"},

		{point{}, yx{}, "field Y of column.yx is where column.point has X"},
		{point{}, struct{ y, x float64 }{0, 0}, "field y of struct { y float64; x float64 } is where column.point has X"},
		{point{}, embedsYX{}, "field yx.Y of column.embedsYX is where column.point has X"},
		{point{}, struct{ Y, X struct{ Value float64 } }{}, "field Y.Value of "},
		{point{}, struct{ A, X float64 }{}, "is where column.point has Y"},
		{point{}, struct{ Y, B float64 }{}, "is where column.point has X"},
		{box{}, yxBox{}, "field Max.Y of column.yxBox is where column.box has Max.X"},
		{box{}, [4]float64{}, ""},
		{box{}, struct{ Y, X [2]float64 }{}, ""}, // X and Y are not coordinates here
		{struct{ B, A float64 }{}, yx{}, ""},
	} {
		ours, host := reflect.TypeOf(c.ours), reflect.TypeOf(c.host)
		want := c.want
		if want == unlessSafe && !Copies {
			want = ""
		}
		err := SameLayout(ours, host)
		if (err == nil) != (want == "") {
			t.Errorf("%v for %v: got error %v, want one with %q (none if empty)", host, ours, err, want)
			continue
		}
		for _, part := range []string{want, ours.String(), host.String()} {
			if err != nil && !strings.Contains(err.Error(), part) {
				t.Errorf("%v for %v: got=%v, want=%q in it", host, ours, err, part)
			}
		}
	}
}
