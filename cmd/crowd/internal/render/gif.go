package render

import (
	"bytes"
	"cmp"
	"compress/lzw"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"math/bits"
	"slices"
)

// A writer encodes the frames of an animation, all of the same size. A frame must not change until the next
// call to Add returns.
type writer interface {
	Add(frame *image.RGBA) error
	Close() error // leaves the file open
}

const (
	maxFPS    = 120 // 1/s
	maxGIFFPS = 50  // 1/s; browsers slow faster GIFs down to 10
)

// longest is the maximum delay of a frame, in hundredths of a second in a GIF, and in frames in an APNG.
const longest = math.MaxUint16

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

// gifWriter writes a GIF with one palette for all frames. It does not dither, so unchanged parts compress
// well.
//
// Source: CompuServe, GIF89a specification, 1990.
type gifWriter struct {
	to      io.Writer
	fps     int
	palette []color.RGBA
	bits    int // bits per index
	nearest map[uint32]uint8

	last    *image.RGBA
	shown   []uint8 // screen after the pending frame
	pending []byte  // without its header
	from    int     // start of the pending frame, in frames
	now     int     // frames so far
	err     error
}

const transparent = 0 // index in the palette that leaves a pixel unchanged

// newGIF uses the first 255 colors of the palette.
func newGIF(to io.Writer, fps int, palette []color.RGBA) writer {
	g := &gifWriter{to: to, fps: fps, nearest: map[uint32]uint8{}}
	g.palette = append([]color.RGBA{{}}, palette[:min(len(palette), 255)]...)
	g.bits = max(bits.Len(uint(len(g.palette)-1)), 2)
	return g
}

func (g *gifWriter) Add(frame *image.RGBA) error {
	if g.err != nil {
		return g.err
	}
	if g.last == nil {
		g.begin(frame)
		g.pending = g.frame(frame, frame.Rect)
	} else if box := g.changed(frame); !box.Empty() {
		g.flush()
		g.pending, g.from = g.frame(frame, box), g.now
	}
	g.last = frame
	g.now++
	return g.err
}

func (g *gifWriter) begin(frame *image.RGBA) {
	g.shown = make([]uint8, frame.Rect.Dx()*frame.Rect.Dy())
	b := []byte("GIF89a")
	b = binary.LittleEndian.AppendUint16(b, uint16(frame.Rect.Dx()))
	b = binary.LittleEndian.AppendUint16(b, uint16(frame.Rect.Dy()))
	const hasPalette, deep = 0x80, 0x70 // 8 bits per channel
	b = append(b, hasPalette|deep|uint8(g.bits-1), 0, 0)
	for i := range 1 << g.bits {
		c := color.RGBA{}
		if i < len(g.palette) {
			c = g.palette[i]
		}
		b = append(b, c.R, c.G, c.B)
	}
	b = append(b, "\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"...) // endless
	g.write(b)
}

func (g *gifWriter) changed(frame *image.RGBA) (box image.Rectangle) {
	width := frame.Rect.Dx()
	within := changed(g.last, frame)
	for y := within.Min.Y; y < within.Max.Y; y++ {
		for x := within.Min.X; x < within.Max.X; x++ {
			if at := frame.PixOffset(x, y); g.differs(frame.Pix[at:], g.shown[y*width+x]) {
				box = box.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return box
}

// tolerance is the maximum squared distance between colors at which a pixel is not drawn again. A pixel that
// changes to a color of the palette is always drawn, so moving agents leave no traces.
const tolerance = 80

// differs reports whether a pixel must be drawn again. The parameter shown is the index of its color on the
// screen.
func (g *gifWriter) differs(pixel []byte, shown uint8) bool {
	i := g.index(pixel)
	if i == shown {
		return false
	}
	c := color.RGBA{pixel[0], pixel[1], pixel[2], 0xff}
	return c == g.palette[i] || distance(c, g.palette[shown]) > tolerance
}

// frame returns the encoded pixels in box that differ from the screen, and updates the screen.
func (g *gifWriter) frame(frame *image.RGBA, box image.Rectangle) []byte {
	width := frame.Rect.Dx()
	indices := make([]byte, 0, box.Dx()*box.Dy())
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			pixel, shown := frame.Pix[frame.PixOffset(x, y):], &g.shown[y*width+x]
			if g.last != nil && !g.differs(pixel, *shown) {
				indices = append(indices, transparent)
				continue
			}
			*shown = g.index(pixel)
			indices = append(indices, *shown)
		}
	}
	b := []byte{0x2c}
	for _, v := range [4]int{box.Min.X, box.Min.Y, box.Dx(), box.Dy()} {
		b = binary.LittleEndian.AppendUint16(b, uint16(v))
	}
	b = append(b, 0, uint8(g.bits))
	var packed bytes.Buffer
	w := lzw.NewWriter(&packed, lzw.LSB, g.bits)
	w.Write(indices) // writing to a buffer does not fail
	w.Close()
	for packed.Len() > 0 {
		part := packed.Next(255)
		b = append(append(b, uint8(len(part))), part...)
	}
	return append(b, 0)
}

func (g *gifWriter) index(pixel []byte) uint8 {
	key := uint32(pixel[0])<<16 | uint32(pixel[1])<<8 | uint32(pixel[2])
	i, known := g.nearest[key]
	if !known {
		i = uint8(1 + nearest(g.palette[1:], color.RGBA{pixel[0], pixel[1], pixel[2], 0xff}))
		g.nearest[key] = i
	}
	return i
}

// flush writes the pending frame, repeatedly if it lasts longer than a frame can. The delay is a difference
// of rounded times since the start, so rounding errors do not add up.
func (g *gifWriter) flush() {
	at := func(frame int) int { return (100*frame + g.fps/2) / g.fps }
	const keep, hasTransparent = 1 << 2, 1
	for left := at(g.now) - at(g.from); left > 0; left -= longest {
		b := []byte{0x21, 0xf9, 4, keep | hasTransparent}
		b = binary.LittleEndian.AppendUint16(b, uint16(min(left, longest)))
		g.write(append(b, transparent, 0))
		g.write(g.pending)
	}
}

func (g *gifWriter) Close() error {
	if g.err == nil && g.last == nil {
		return fmt.Errorf("the animation has no frames")
	}
	g.flush()
	g.write([]byte{0x3b})
	return g.err
}

func (g *gifWriter) write(b []byte) {
	if g.err == nil {
		_, g.err = g.to.Write(b)
	}
}

type shade struct {
	color.RGBA
	weight float64
}

// paletteOf returns up to n colors: first up to n/2 that cover a large enough share of a sample, then
// repeatedly the rarer color with the greatest weighted distance from those taken, until every color left is
// near one already taken.
//
// Source: after T. Gonzalez 1985.
func paletteOf(n int, samples ...*image.RGBA) []color.RGBA {
	const flat = 0.002 // a color that covers at least this fraction of a sample is kept
	var kept []color.RGBA
	var shades []shade
	counts, most := map[uint32]int{}, map[uint32]float64{}
	for _, img := range samples {
		own := map[uint32]int{}
		for i := 0; i < len(img.Pix); i += 4 {
			own[uint32(img.Pix[i])<<16|uint32(img.Pix[i+1])<<8|uint32(img.Pix[i+2])]++
		}
		for c, k := range own {
			counts[c] += k
			most[c] = max(most[c], 4*float64(k)/float64(len(img.Pix)))
		}
	}
	for c, k := range counts {
		rgb := color.RGBA{uint8(c >> 16), uint8(c >> 8), uint8(c), 0xff}
		if most[c] >= flat {
			kept = append(kept, rgb)
		} else {
			shades = append(shades, shade{rgb, math.Sqrt(float64(k))})
		}
	}
	slices.SortFunc(kept, func(a, b color.RGBA) int {
		return cmp.Or(cmp.Compare(most[key(b)], most[key(a)]), cmp.Compare(key(a), key(b)))
	})
	kept = kept[:min(len(kept), n/2)]
	slices.SortFunc(shades, func(a, b shade) int { return cmp.Compare(key(a.RGBA), key(b.RGBA)) })
	away := make([]float64, len(shades)) // distance from the nearest color taken
	for i := range away {
		away[i] = math.MaxFloat64
		for _, c := range kept {
			away[i] = min(away[i], distance(shades[i].RGBA, c))
		}
	}
	for len(kept) < n {
		next, most := -1, 0.0
		for i := range shades {
			if d := away[i] * shades[i].weight; away[i] > near && d > most {
				next, most = i, d
			}
		}
		if next < 0 {
			break
		}
		kept = append(kept, shades[next].RGBA)
		for i := range shades {
			away[i] = min(away[i], distance(shades[i].RGBA, shades[next].RGBA))
		}
	}
	return kept
}

// near is the maximum squared distance at which a color can replace another.
const near = 180

func key(c color.RGBA) uint32 { return uint32(c.R)<<16 | uint32(c.G)<<8 | uint32(c.B) }

// distance returns the squared weighted distance between two colors, in levels².
func distance(a, b color.RGBA) float64 {
	dr, dg, db := float64(a.R)-float64(b.R), float64(a.G)-float64(b.G), float64(a.B)-float64(b.B)
	return 0.30*dr*dr + 0.52*dg*dg + 0.18*db*db
}

func nearest(palette []color.RGBA, c color.RGBA) int {
	best, least := 0, math.Inf(1)
	for i, p := range palette {
		if d := distance(p, c); d < least {
			best, least = i, d
		}
	}
	return best
}
