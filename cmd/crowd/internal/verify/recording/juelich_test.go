package recording

import (
	"math"
	"strings"
	"testing"
)

func TestReadJuelich(t *testing.T) {
	const text = "# PersID Frame X Y Z\n\n7 12 100 -250.5 170\n 7 13 101 -250 170\n3 10 1e2 0 160 more\n"
	r, err := ReadJuelich(strings.NewReader(text), "f", 16)
	if err != nil {
		t.Fatal(err)
	}
	if r.Dt != 1./16 || r.Frames != 4 || len(r.People) != 2 {
		t.Fatalf("got=%+v, want 2 people in 4 frames", r)
	}
	if p := r.People[0]; p.ID != 7 || p.First != 2 || p.Last() != 3 || p.At[0] != xy(1, -2.505) || !p.In(3) || p.In(1) || p.Place(3) != xy(1.01, -2.5) {
		t.Errorf("got=%+v", p)
	}
	if p := r.People[1]; p.ID != 3 || p.First != 0 || len(p.At) != 1 {
		t.Errorf("got=%+v", p)
	}
}

// TestReadJuelichErrors holds that an error names file, line, what is there and what is
// wanted.
func TestReadJuelichErrors(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", "f: nobody, want lines of a person, a frame, x, y"},
		{"# only a comment\n", "f: nobody, want lines"},
		{"1 2 3\n", "f:1: 3 numbers, want a person, a frame, x, y"},
		{"x 2 3 4\n", `f:1: person is "x", want a whole number from 0`},
		{"-1 2 3 4\n", `f:1: person is "-1", want`},
		{"1 -2 3 4\n", `f:1: frame is "-2", want a whole number from 0 to 1e9`},
		{"1 2000000000 3 4\n", `f:1: frame is "2000000000", want`},
		{"1 2.5 3 4\n", `f:1: frame is "2.5", want`},
		{"1 2 NaN 4\n", `f:1: x is "NaN", want centimeters from -1e9 to 1e9`},
		{"1 2 3 Inf\n", `f:1: y is "Inf", want`},
		{"1 2 3 1e300\n", `f:1: y is "1e300", want`},
		{"1 2 3 4\n\n1 4 3 4\n", "f:3: frame 4 of person 1, want 3, the one after the last"},
		{"1 2 3 4\n1 2 3 4\n", "f:2: frame 2 of person 1, want 3"},
		{"1 2 3 4\n2 2 3 4\n1 3 3 4\n", "f:3: person 1 again, want all lines of a person together"},
		{"1 2 3 4\n" + strings.Repeat("1", 1<<17), "f:2: "},
	} {
		_, err := ReadJuelich(strings.NewReader(test.text), "f", 16)
		if err == nil || !strings.HasPrefix(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.30q: got=%v, want=%s", test.text, err, test.want)
		}
	}
}

// FuzzReadJuelich holds that whatever is read has people in order, at finite places.
func FuzzReadJuelich(f *testing.F) {
	f.Add("1 2 3 4 5\n1 3 3 4 5\n2 0 1 1 1\n")
	f.Add("# x\n\n18446744073709551615 1000000000 -1e9 1e9")
	f.Add("1 2 NaN 4")
	f.Add("1 2 3 4\n1 1 1 1")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ReadJuelich(strings.NewReader(text), "f", 16)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f:") {
				t.Errorf("got=%v, want an error that names the file", err)
			}
			return
		}
		first := math.MaxInt
		for i := range r.People {
			p := &r.People[i]
			first = min(first, p.First)
			if p.First < 0 || p.Last() >= r.Frames || len(p.At) == 0 {
				t.Fatalf("got=frames %d to %d of %d", p.First, p.Last(), r.Frames)
			}
			for _, at := range p.At {
				if !(math.Abs(at.X) <= 1e7 && math.Abs(at.Y) <= 1e7) {
					t.Fatalf("got=%v", at)
				}
			}
		}
		if first != 0 {
			t.Errorf("got=%d as the first frame, want=0", first)
		}
		if all := r.Crossings(xy(0, 0), xy(1, 1)); len(all) > len(r.People) {
			t.Errorf("got=%d crossings of %d people", len(all), len(r.People))
		}
	})
}
