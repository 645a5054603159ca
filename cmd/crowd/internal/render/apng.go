package render

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"io"
)

// apng writes an animated PNG.
//
// Source: W3C, Portable Network Graphics, third edition, 2025.
type apng struct {
	to       io.WriteSeeker
	fps      int
	last     *image.RGBA
	pending  []byte          // image data
	box      image.Rectangle // changed by the pending frame
	lasts    int             // duration of the pending frame, in frames
	frames   uint32          // written
	sequence uint32
	control  int64 // offset of the chunk with the number of frames
	err      error
}

func newAPNG(to io.WriteSeeker, fps int) writer { return &apng{to: to, fps: fps} }

func (a *apng) Add(frame *image.RGBA) error {
	if a.err != nil {
		return a.err
	}
	if a.last == nil {
		a.begin(frame)
		a.box, a.pending = frame.Rect, encode((*image.NRGBA)(frame)) // all pixels are opaque
	} else if box := changed(a.last, frame); !box.Empty() {
		a.flush()
		a.box, a.pending, a.lasts = box, encode(difference(a.last, frame, box)), 0
	}
	a.last = frame
	a.lasts++
	return a.err
}

// begin writes the header. Close replaces its frame count.
func (a *apng) begin(frame *image.RGBA) {
	_, a.err = io.WriteString(a.to, "\x89PNG\r\n\x1a\n")
	const bits, rgbAlpha = 8, 6
	header := binary.BigEndian.AppendUint32(nil, uint32(frame.Rect.Dx()))
	header = binary.BigEndian.AppendUint32(header, uint32(frame.Rect.Dy()))
	a.chunk("IHDR", append(header, bits, rgbAlpha, 0, 0, 0))
	if a.err == nil {
		a.control, a.err = a.to.Seek(0, io.SeekCurrent)
	}
	a.count()
}

func (a *apng) count() {
	a.chunk("acTL", binary.BigEndian.AppendUint64(nil, uint64(a.frames)<<32))
}

// flush writes the pending frame, repeatedly if it lasts longer than a frame can.
func (a *apng) flush() {
	for ; a.lasts > longest; a.lasts -= longest {
		a.write(longest)
	}
	a.write(a.lasts)
}

func (a *apng) write(lasts int) {
	const keep, over = 0, 1 // keep the frame for the next one, and draw over the last one
	b := binary.BigEndian.AppendUint32(nil, a.sequence)
	for _, v := range [4]int{a.box.Dx(), a.box.Dy(), a.box.Min.X, a.box.Min.Y} {
		b = binary.BigEndian.AppendUint32(b, uint32(v))
	}
	b = binary.BigEndian.AppendUint16(b, uint16(lasts))
	b = binary.BigEndian.AppendUint16(b, uint16(a.fps))
	a.chunk("fcTL", append(b, keep, over))
	a.sequence++
	if a.frames == 0 {
		a.chunk("IDAT", a.pending)
	} else {
		a.chunk("fdAT", append(binary.BigEndian.AppendUint32(nil, a.sequence), a.pending...))
		a.sequence++
	}
	a.frames++
}

func (a *apng) Close() error {
	if a.err == nil && a.last == nil {
		return fmt.Errorf("the animation has no frames")
	}
	a.flush()
	a.chunk("IEND", nil)
	if a.err == nil {
		_, a.err = a.to.Seek(a.control, io.SeekStart)
	}
	a.count()
	if a.err == nil {
		_, a.err = a.to.Seek(0, io.SeekEnd)
	}
	return a.err
}

func (a *apng) chunk(name string, data []byte) {
	if a.err != nil {
		return
	}
	b := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	b = append(append(b, name...), data...)
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
	_, a.err = a.to.Write(b)
}

// difference returns the part of the next frame in box, with unchanged pixels transparent.
func difference(last, next *image.RGBA, box image.Rectangle) *image.NRGBA {
	d := image.NewNRGBA(box)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		at := next.PixOffset(box.Min.X, y)
		p, q, to := last.Pix[at:], next.Pix[at:], d.Pix[d.PixOffset(box.Min.X, y):]
		for i := 0; i < 4*box.Dx(); i += 4 {
			if [4]byte(p[i:]) != [4]byte(q[i:]) {
				copy(to[i:i+4], q[i:i+4])
			}
		}
	}
	return d
}

// encode returns the compressed pixels of a frame. It does not filter rows: most pixels are transparent.
func encode(frame *image.NRGBA) []byte {
	var b bytes.Buffer
	w, _ := zlib.NewWriterLevel(&b, zlib.BestCompression) // writing to a buffer does not fail
	for y := range frame.Rect.Dy() {
		w.Write([]byte{0})
		w.Write(frame.Pix[y*frame.Stride:][:4*frame.Rect.Dx()])
	}
	w.Close()
	return b.Bytes()
}
