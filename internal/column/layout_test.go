package column

import (
	"math/bits"
	"reflect"
	"strings"
	"testing"

	"github.com/mlange-42/arche/ecs"
)

func TestSameLayout(t *testing.T) {
	if bits.UintSize < 64 {
		t.Skip("skipped: sizes and places are those of 64 bits")
	}
	type meters float64
	type vec struct{ X, Y float64 }
	type named struct{ A, B meters }
	type embeds struct{ vec }
	type embedsTwice struct{ embeds }
	type hidden struct{ x, y float64 }
	type halfHidden struct {
		X float64
		y meters
	}
	type blank struct{ X, _ float64 }
	type array struct{ A [2]float64 }
	type arrays [2]struct{ A [1]float64 }
	type parts struct{ X, Y struct{ Value float64 } }
	type marked struct {
		_    struct{}
		X, Y float64
	}
	type trailing struct {
		X, Y float64
		_    struct{}
	}
	type three struct{ X, Y, Z float64 }
	type one struct{ X float64 }
	type singles struct{ X, Y float32 }
	type fourSingles struct{ A, B, C, D float32 }
	type integers struct{ X, Y int64 }
	type pointers struct{ X, Y *float64 }
	type label struct{ S string }
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
	type follows struct{ Leader ecs.Entity }
	type pair struct{ A, B uint32 }

	type complexPair struct{ C complex128 }

	const unlessSafe = "unexported"
	for _, c := range []struct {
		ours, host any
		want       string // in the error, empty for none
	}{
		{point{}, point{}, ""},
		{point{}, vec{}, ""},
		{point{}, named{}, ""},
		{point{}, embeds{}, ""},
		{point{}, embedsTwice{}, ""},
		{point{}, array{}, ""},
		{point{}, arrays{}, ""},
		{point{}, [2]float64{}, ""},
		{point{}, parts{}, ""},
		{point{}, marked{}, ""},
		{point{}, complexPair{}, "complex128 at 0"},
		{point{}, hidden{0, 0}, unlessSafe},
		{point{}, halfHidden{0, 0}, unlessSafe},
		{point{}, blank{}, unlessSafe},
		{hidden{0, 0}, point{}, unlessSafe},
		{point{}, three{}, "float64 at 0, float64 at 8, float64 at 16 (24 bytes)"},
		{point{}, one{}, "float64 at 0 (8 bytes)"},
		{point{}, trailing{}, "(24 bytes)"},
		{point{}, singles{}, "float32 at 0, float32 at 4 (8 bytes)"},
		{point{}, fourSingles{}, "float32 at 12 (16 bytes)"},
		{point{}, integers{}, "int64 at 8"},
		{point{}, pointers{}, "ptr at 8"},
		{point{}, label{}, "string at 0"},
		{point{}, tag{}, "no fields (0 bytes)"},
		{point{}, 1.5, "float64 at 0 (8 bytes)"},
		{tag{}, struct{}{}, ""},
		{tag{}, point{}, "no fields (0 bytes)"},
		{flagged{}, flagged{}, ""},
		{flagged{}, flaggedLater{}, "int32 at 8, bool at 12"},
		{flagged{}, flaggedPadded{}, "int32 at 16"},
		{leader{}, follows{}, ""},
		{leader{}, pair{}, "ecs.Entity at 0 (8 bytes)"},
	} {
		ours, host := reflect.TypeOf(c.ours), reflect.TypeOf(c.host)
		t.Run(host.String()+" for "+ours.String(), func(t *testing.T) {
			want := c.want
			if want == unlessSafe && !copies {
				want = ""
			}
			err := SameLayout(ours, host)
			if (err == nil) != (want == "") {
				t.Fatalf("got=%v, want=%q", err, want)
			}
			if err == nil {
				return
			}
			for _, part := range []string{want, ours.String(), host.String()} {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("got=%v, want=%q in it", err, part)
				}
			}
		})
	}
}

// TestSwappedAxes verifies that what both types call X and Y stands on the same axis,
// however deep, and that other names are free.
func TestSwappedAxes(t *testing.T) {
	type yx struct{ Y, X float64 }
	type lower struct{ y, x float64 }
	type embeds struct{ yx }
	type parts struct{ Y, X struct{ Value float64 } }
	type onlyX struct{ A, X float64 }
	type onlyY struct{ Y, B float64 }
	type box struct{ Min, Max point }
	type yxBox struct {
		Min point
		Max yx
	}
	type free struct{ B, A float64 }
	type wide struct{ Y, X [2]float64 } // two numbers each: names of something else
	for _, test := range []struct {
		ours, host any
		want       string // in the error; empty: none
	}{
		{point{}, yx{}, "field Y of column.yx stands where column.point has X"},
		{point{}, lower{0, 0}, "field y of column.lower stands where column.point has X"},
		{point{}, embeds{}, "field yx.Y of column.embeds stands where column.point has X"},
		{point{}, parts{}, "field Y.Value of column.parts stands where column.point has X"},
		{point{}, onlyX{}, "field X of column.onlyX stands where column.point has Y"},
		{point{}, onlyY{}, "field Y of column.onlyY stands where column.point has X"},
		{box{}, yxBox{}, "field Max.Y of column.yxBox stands where column.box has Max.X"},
		{point{}, free{}, ""},
		{point{}, [2]float64{}, ""},
		{box{}, [4]float64{}, ""},
		{box{}, wide{}, ""},
		{free{}, yx{}, ""},
		{box{}, box{}, ""},
	} {
		err := SameLayout(reflect.TypeOf(test.ours), reflect.TypeOf(test.host))
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%T for %T: got=%v, want=%q", test.host, test.ours, err, test.want)
		}
	}
}
