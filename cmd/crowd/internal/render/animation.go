package render

import (
	"image"
)

// Writer takes the frames of an animation, one after another. All must have the
// size of the first. They are not changed, and not kept after the next call.
type Writer interface {
	Add(frame *image.RGBA) error
	// Close completes the animation. What was written to stays open.
	Close() error
}

// Bounds of the frames a second.
const (
	MaxFPS    = 120
	MaxGIFFPS = 50 // faster ones are slowed down to ten a second by browsers
)

// changed returns the smallest rectangle that holds all pixels in which two
// images of the same size differ.
func changed(a, b *image.RGBA) image.Rectangle {
	size := a.Rect.Size()
	box := image.Rectangle{}
	for y := range size.Y {
		p, q := a.Pix[y*a.Stride:][:4*size.X], b.Pix[y*b.Stride:][:4*size.X]
		first, last := 0, len(p)-1
		for first < len(p) && p[first] == q[first] {
			first++
		}
		if first == len(p) {
			continue
		}
		for p[last] == q[last] {
			last--
		}
		box = box.Union(image.Rect(first/4, y, last/4+1, y+1))
	}
	return box
}
