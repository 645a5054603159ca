package picture

import (
	"bytes"
	"image"
	"testing"
)

// TestPanels verifies where the panels are: side by side or one above another, with what is
// theirs in each and paper between them.
func TestPanels(t *testing.T) {
	left, right := &Crowd{View: square, Agents: []Agent{{Position: vec(5, 5), Radius: 2}}}, &Crowd{View: square}
	o := Options{Width: 212, Bare: true}
	for _, test := range []struct {
		stacked     bool
		size        image.Point
		full, empty image.Point // the middles of the panels
		between     image.Point
	}{
		{false, image.Pt(212, 100), image.Pt(50, 50), image.Pt(162, 50), image.Pt(106, 50)},
		{true, image.Pt(212, 436), image.Pt(106, 106), image.Pt(106, 330), image.Pt(106, 218)},
	} {
		p := NewPanels([]*Crowd{left, right}, o, test.stacked)
		img := p.Draw(left, right)
		if got := img.Rect.Size(); got != test.size || p.Size() != test.size {
			t.Errorf("stacked %v: size got=%v and %v, want=%v", test.stacked, got, p.Size(), test.size)
		}
		at := func(p image.Point) any { return img.RGBAAt(p.X, p.Y) }
		if at(test.full) != ramp[0] || at(test.empty) != floor || at(test.between) != paper {
			t.Errorf("stacked %v: got=%v, %v, %v, want an agent, the floor and paper", test.stacked, at(test.full), at(test.empty), at(test.between))
		}
	}
	one := NewPanels([]*Crowd{left}, o, false)
	if got, want := one.Draw(left), Draw(left, o); got.Rect != want.Rect || !bytes.Equal(got.Pix, want.Pix) {
		t.Error("one panel is not the picture of its crowd")
	}
}
