package render

import (
	"bytes"
	"compress/lzw"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"io"
	"math/bits"
)

// gifWriter writes GIF with one palette for all frames. Colors are not
// dithered: what does not move stays as it is, and compresses.
//
// Source: CompuServe, GIF89a specification, 1990.
type gifWriter struct {
	to      io.Writer
	fps     int
	palette []color.RGBA
	bits    int // of an index
	nearest map[uint32]uint8

	last    *image.RGBA // as it was given
	shown   []uint8     // the picture on the screen, after the pending frame
	pending []byte      // the frame that is not written yet, but for its header
	from    int         // when it begins, in frames
	now     int         // frames so far
	err     error
}

// transparent is the index of the palette that leaves a pixel as it is.
const transparent = 0

// NewGIF returns a writer of a GIF, which plays for ever. fps is 1 to
// MaxGIFFPS. The palette, of 255 colors at most, is what Palette returns for
// pictures like the frames.
func NewGIF(to io.Writer, fps int, palette []color.RGBA) Writer {
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

// begin writes what comes before the first frame.
func (g *gifWriter) begin(frame *image.RGBA) {
	g.shown = make([]uint8, frame.Rect.Dx()*frame.Rect.Dy())
	b := []byte("GIF89a")
	b = binary.LittleEndian.AppendUint16(b, uint16(frame.Rect.Dx()))
	b = binary.LittleEndian.AppendUint16(b, uint16(frame.Rect.Dy()))
	const hasPalette, deep = 0x80, 0x70 // the screen has 8 bits a channel
	b = append(b, hasPalette|deep|uint8(g.bits-1), 0, 0)
	for i := range 1 << g.bits {
		c := color.RGBA{}
		if i < len(g.palette) {
			c = g.palette[i]
		}
		b = append(b, c.R, c.G, c.B)
	}
	b = append(b, "\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"...) // for ever
	g.write(b)
}

// changed returns where the picture on the screen is not as frame would have it.
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

// tolerance is by how much, in squares of levels of luminance, the screen may
// differ from a frame before a pixel is drawn anew. A color that the palette has
// is always drawn, so that nothing remains of what has gone.
const tolerance = 80

// differs reports whether a pixel must be drawn anew.
func (g *gifWriter) differs(pixel []byte, shown uint8) bool {
	i := g.index(pixel)
	if i == shown {
		return false
	}
	c := color.RGBA{pixel[0], pixel[1], pixel[2], 0xff}
	return c == g.palette[i] || distance(c, g.palette[shown]) > tolerance
}

// frame compresses those pixels of a part of a frame that differ from the
// screen, and puts them there.
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
	w.Write(indices) // to a buffer, which does not fail
	w.Close()
	for packed.Len() > 0 {
		part := packed.Next(255)
		b = append(append(b, uint8(len(part))), part...)
	}
	return append(b, 0)
}

// index returns the palette's color that is nearest to a pixel.
func (g *gifWriter) index(pixel []byte) uint8 {
	key := uint32(pixel[0])<<16 | uint32(pixel[1])<<8 | uint32(pixel[2])
	i, known := g.nearest[key]
	if !known {
		i = uint8(1 + nearest(g.palette[1:], color.RGBA{pixel[0], pixel[1], pixel[2], 0xff}))
		g.nearest[key] = i
	}
	return i
}

// flush writes the pending frame. Its time is counted in hundredths of a second
// from the start, so that roundings do not add up.
func (g *gifWriter) flush() {
	at := func(frame int) int { return (100*frame + g.fps/2) / g.fps }
	const keep, hasTransparent = 1 << 2, 1
	b := []byte{0x21, 0xf9, 4, keep | hasTransparent}
	b = binary.LittleEndian.AppendUint16(b, uint16(min(at(g.now)-at(g.from), 1<<16-1)))
	g.write(append(b, transparent, 0))
	g.write(g.pending)
}

func (g *gifWriter) Close() error {
	if g.err == nil && g.last == nil {
		return fmt.Errorf("animation: no frames")
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
