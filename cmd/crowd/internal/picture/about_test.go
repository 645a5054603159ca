package picture

import (
	"image"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// What a picture shows stands above the legend, in two lines at most, and takes their room.
func TestAbout(t *testing.T) {
	draw := func(about string) *image.RGBA {
		return Draw(&Crowd{Title: "room", About: about, Agents: []Agent{{Position: r2.Vec{X: 1}}, {Position: r2.Vec{X: 9, Y: 9}}}}, Options{Width: 400})
	}
	none, one, two := draw(""), draw("people"), draw(strings.Repeat("people leave the room ", 40))
	a, b, c := none.Rect.Dy(), one.Rect.Dy(), two.Rect.Dy()
	if !(a < b && b < c && c-b < b-a) {
		t.Errorf("got=%d, %d and %d pixels high, want=ever higher, by a line and what is about it, then by a line", a, b, c)
	}
	if ink := func(m *image.RGBA, y0, y1 int) (n int) {
		for y := y0; y < y1; y++ {
			for x := range 400 {
				if m.RGBAAt(x, y).R < 100 {
					n++
				}
			}
		}
		return n
	}; ink(one, a-(b-a), a) == 0 || ink(two, b, c) == 0 {
		t.Error("nothing is written there")
	}
}

func TestWrap(t *testing.T) {
	l := newLetters(10)
	room := l.width(textFace, "people leave")
	for _, tc := range []struct {
		text string
		want []string
	}{
		{"", nil}, {"people", []string{"people"}}, {"people leave\nrooms", []string{"people leave", "rooms"}},
		{"people leave a room, and another", []string{"people leave", "a room, a…"}},
	} {
		if got := l.wrap(textFace, tc.text, room, 2); !slices.Equal(got, tc.want) {
			t.Errorf("%q: got=%q, want=%q", tc.text, got, tc.want)
		}
	}
}

// Figures are in the units of the scene.
func TestUnits(t *testing.T) {
	for _, tc := range []struct {
		pixels, frames bool
		want           string
	}{{false, false, "speed (m/s)"}, {true, false, "speed (px/s)"}, {true, true, "speed (px/step)"}, {false, true, "speed (m/step)"}} {
		var b strings.Builder
		c := &Crowd{Pixels: tc.pixels, Frames: tc.frames, Agents: []Agent{{Speed: 1}, {Position: r2.Vec{X: 9, Y: 9}, Speed: 2}}}
		if err := WriteSVG(&b, c, Options{Width: 800}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), tc.want) {
			t.Errorf("pixels %v, frames %v: got=%s, want=%q in it", tc.pixels, tc.frames, b.String(), tc.want)
		}
	}
}
