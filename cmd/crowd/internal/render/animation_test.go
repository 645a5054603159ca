package render

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/run"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/world/scene"
)

var (
	ground = color.RGBA{0xf6, 0xf5, 0xf1, 0xff}
	body   = color.RGBA{0x0d, 0x08, 0x87, 0xff}
)

// frames returns frames of a moving square. Frames 3, 6, … equal the frames before them.
func frames(n, width, height int) (all []*image.RGBA) {
	for i := range n {
		img := image.NewRGBA(image.Rect(0, 0, width, height))
		at := image.Pt(i-i/3, 2*(i-i/3))
		for y := range height {
			for x := range width {
				c := ground
				if image.Pt(x, y).Sub(at).In(image.Rect(0, 0, 5, 5)) {
					c = body
				}
				img.SetRGBA(x, y, c)
			}
		}
		all = append(all, img)
	}
	return all
}

type seeker struct {
	bytes []byte
	at    int64
}

func (s *seeker) Write(b []byte) (int, error) {
	if missing := int(s.at) + len(b) - len(s.bytes); missing > 0 {
		s.bytes = append(s.bytes, make([]byte, missing)...)
	}
	s.at += int64(copy(s.bytes[s.at:], b))
	return len(b), nil
}

func (s *seeker) Seek(offset int64, whence int) (int64, error) {
	s.at = offset + [3]int64{0, s.at, int64(len(s.bytes))}[whence]
	return s.at, nil
}

func write(t *testing.T, w writer, all []*image.RGBA) {
	t.Helper()
	for _, f := range all {
		testkit.Must(t, w.Add(f))
	}
	testkit.Must(t, w.Close())
}

func TestGIF(t *testing.T) {
	for _, fps := range []int{1, 7, 30, 50} {
		all := frames(10, 40, 30)
		var b bytes.Buffer
		write(t, newGIF(&b, fps, paletteOf(255, all[0])), all)
		got, err := gif.DecodeAll(&b)
		testkit.Must(t, err)
		total := 0
		for _, d := range got.Delay {
			total += d
		}
		if want := (1000 + fps/2) / fps; total != want {
			t.Errorf("%d frames a second: duration got=%d, want=%d hundredths of a second", fps, total, want)
		}
		if len(got.Image) != 7 || got.LoopCount != 0 {
			t.Errorf("%d frames a second: frames got=%d, want=7; loops got=%d, want=0", fps, len(got.Image), got.LoopCount)
		}
		screen := image.NewRGBA(all[0].Rect)
		for i, part := range got.Image {
			over(screen, part)
			if want := all[[...]int{0, 1, 3, 4, 6, 7, 9}[i]]; !bytes.Equal(screen.Pix, want.Pix) {
				t.Errorf("%d frames a second: frame %d: got other pixels than in the added frame, want the same", fps, i)
			}
			if i > 0 && part.Rect == all[0].Rect {
				t.Errorf("%d frames a second: frame %d: got=%v, the whole picture, want only the changed part", fps, i, part.Rect)
			}
		}
	}
}

// over draws the pixels of an image that are not transparent.
func over(to *image.RGBA, from image.Image) {
	for y := from.Bounds().Min.Y; y < from.Bounds().Max.Y; y++ {
		for x := from.Bounds().Min.X; x < from.Bounds().Max.X; x++ {
			if c := from.At(x, y); color.RGBAModel.Convert(c).(color.RGBA).A != 0 {
				to.Set(x, y, c)
			}
		}
	}
}

// TestGIFTolerance verifies that colors outside the palette are replaced by similar ones, and that
// nothing remains where the ground becomes visible again.
func TestGIFTolerance(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var all []*image.RGBA
	for i := range 6 {
		img := image.NewRGBA(image.Rect(0, 0, 60, 60))
		for k := 0; k < len(img.Pix); k += 4 {
			c := ground
			if i < 5 && k > len(img.Pix)/2 {
				c = color.RGBA{uint8(rng.IntN(256)), uint8(rng.IntN(40)), uint8(100 + rng.IntN(40)), 0xff}
			}
			copy(img.Pix[k:], []byte{c.R, c.G, c.B, c.A})
		}
		all = append(all, img)
	}
	var b bytes.Buffer
	write(t, newGIF(&b, 10, paletteOf(255, all[0])), all)
	got, err := gif.DecodeAll(&b)
	testkit.Must(t, err)
	screen := image.NewRGBA(all[0].Rect)
	for i, part := range got.Image {
		over(screen, part)
		worst := 0.0
		for k := 0; k < len(screen.Pix); k += 4 {
			p, q := screen.Pix[k:], all[i].Pix[k:]
			worst = max(worst, distance(color.RGBA{p[0], p[1], p[2], 0}, color.RGBA{q[0], q[1], q[2], 0}))
		}
		if worst > 1000 {
			t.Errorf("frame %d: distance of a color got=%v, want at most 1000", i, worst)
		}
	}
	if last := all[len(all)-1]; !bytes.Equal(screen.Pix, last.Pix) {
		t.Error("last frame: got other pixels than the plain ground, want the same")
	}
}

type chunk struct {
	name string
	data []byte
}

// chunks returns the chunks of a PNG. It fails the test if a checksum is wrong.
func chunks(t *testing.T, b []byte) (all []chunk) {
	t.Helper()
	for b = b[8:]; len(b) > 0; {
		n := binary.BigEndian.Uint32(b)
		if got, want := crc32.ChecksumIEEE(b[4:8+n]), binary.BigEndian.Uint32(b[8+n:]); got != want {
			t.Fatalf("%s: checksum got=%08x, want=%08x", b[4:8], got, want)
		}
		all = append(all, chunk{string(b[4:8]), b[8 : 8+n]})
		b = b[12+n:]
	}
	return all
}

func TestAPNG(t *testing.T) {
	const fps = 30
	all := frames(10, 40, 30)
	var file seeker
	write(t, newAPNG(&file, fps), all)
	first, err := png.Decode(bytes.NewReader(file.bytes))
	testkit.Must(t, err)
	screen := image.NewRGBA(all[0].Rect)
	over(screen, first)
	if !bytes.Equal(screen.Pix, all[0].Pix) {
		t.Error("picture for programs without animation: got other pixels than in the first frame, want the same")
	}
	parts := chunks(t, file.bytes)
	var names []string
	shown, time := 0, uint16(0)
	var control []byte
	sequence := uint32(0)
	next := func(b []byte) []byte {
		if got := binary.BigEndian.Uint32(b); got != sequence {
			t.Errorf("sequence: got=%d, want=%d", got, sequence)
		}
		sequence++
		return b[4:]
	}
	for _, p := range parts {
		names = append(names, p.name)
		switch p.name {
		case "acTL":
			if got := binary.BigEndian.Uint32(p.data); got != 7 {
				t.Errorf("frames: got=%d, want=7", got)
			}
		case "fcTL":
			control = next(p.data)
			time += binary.BigEndian.Uint16(control[16:])
			if den := binary.BigEndian.Uint16(control[18:]); den != fps {
				t.Errorf("delay: got=1/%d s, want=1/%d s", den, fps)
			}
		case "fdAT":
			data := next(p.data)
			over(screen, decode(t, parts[0].data, control, data))
			shown++
			if want := all[[...]int{0, 1, 3, 4, 6, 7, 9}[shown]]; !bytes.Equal(screen.Pix, want.Pix) {
				t.Errorf("frame %d: got other pixels than in the added frame, want the same", shown)
			}
		}
	}
	want := "IHDR acTL fcTL IDAT" + strings.Repeat(" fcTL fdAT", 6) + " IEND"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("chunks: got=%s, want=%s", got, want)
	}
	if time != 10 {
		t.Errorf("duration: got=%d, want=10 frames", time)
	}
}

// decode returns a frame of an APNG, placed at its position.
func decode(t *testing.T, header, control, data []byte) image.Image {
	t.Helper()
	var b bytes.Buffer
	b.WriteString("\x89PNG\r\n\x1a\n")
	for _, c := range []chunk{{"IHDR", append(append([]byte{}, control[:8]...), header[8:]...)}, {"IDAT", data}, {"IEND", nil}} {
		part := append([]byte(c.name), c.data...)
		binary.Write(&b, binary.BigEndian, uint32(len(c.data)))
		b.Write(part)
		binary.Write(&b, binary.BigEndian, crc32.ChecksumIEEE(part))
	}
	img, err := png.Decode(&b)
	testkit.Must(t, err)
	moved, ok := img.(*image.NRGBA)
	if !ok {
		t.Fatalf("frame: got=%T, want=*image.NRGBA", img)
	}
	at := image.Pt(int(binary.BigEndian.Uint32(control[8:])), int(binary.BigEndian.Uint32(control[12:])))
	moved.Rect = moved.Rect.Add(at)
	return moved
}

func TestNoFrames(t *testing.T) {
	for name, w := range map[string]writer{"gif": newGIF(io.Discard, 10, nil), "apng": newAPNG(&seeker{}, 10)} {
		if err := w.Close(); err == nil {
			t.Errorf("%s without frames: got=nil, want an error", name)
		}
	}
}

// full is a file on a full disk.
type full struct{ seeker }

func (*full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestWriteFails(t *testing.T) {
	all := frames(4, 20, 20)
	for name, w := range map[string]writer{"gif": newGIF(&full{}, 10, paletteOf(255, all[0])), "apng": newAPNG(&full{}, 10)} {
		var err error
		for _, f := range all {
			err = w.Add(f)
		}
		if got := w.Close(); err == nil || got == nil || !strings.Contains(got.Error(), "disk full") {
			t.Errorf("%s: got=%v from Add, %v from Close, want an error from both, with %q in that of Close", name, err, got, "disk full")
		}
	}
}

func TestPalette(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 100, 100))
	for i := range 10_000 {
		c := ground
		if i < 5000 {
			c = color.RGBA{uint8(i), uint8(i >> 4), uint8(i >> 8), 0xff}
		}
		img.SetRGBA(i%100, i/100, c)
	}
	got := paletteOf(64, img)
	if len(got) > 64 || len(got) < 32 {
		t.Errorf("colors: got=%d, want 32 to 64", len(got))
	}
	if got[0] != ground {
		t.Errorf("the color of half of the picture: got=%v, want=%v", got[0], ground)
	}
	for range 5 {
		if again := paletteOf(64, img); len(again) != len(got) || again[len(got)-1] != got[len(got)-1] || again[33%len(got)] != got[33%len(got)] {
			t.Fatal("got different colors for the same picture, want the same")
		}
	}
	if got := paletteOf(255); len(got) != 0 {
		t.Errorf("no samples: got=%v, want no colors", got)
	}
}

func TestNoFFmpeg(t *testing.T) {
	t.Setenv("PATH", os.DevNull)
	if _, err := newMP4("x.mp4", image.Pt(4, 4), 30); !errors.Is(err, errNoFFmpeg) {
		t.Errorf("got=%v, want=%v", err, errNoFFmpeg)
	}
}

// TestTwoBuffers verifies that a caller may alternate between two images as buffers.
func TestTwoBuffers(t *testing.T) {
	all := frames(10, 40, 30)
	for name, start := range map[string]func(*seeker) writer{
		"gif":  func(s *seeker) writer { return newGIF(s, 10, paletteOf(255, all[0])) },
		"apng": func(s *seeker) writer { return newAPNG(s, 10) },
	} {
		var want, got seeker
		write(t, start(&want), all)
		w := start(&got)
		buffers := [2]*image.RGBA{image.NewRGBA(all[0].Rect), image.NewRGBA(all[0].Rect)}
		for i, f := range all {
			copy(buffers[i%2].Pix, f.Pix)
			testkit.Must(t, w.Add(buffers[i%2]))
		}
		testkit.Must(t, w.Close())
		if !bytes.Equal(got.bytes, want.bytes) {
			t.Errorf("%s: two alternating images: got other bytes than with an image for each frame, want the same", name)
		}
	}
}

func TestPlan(t *testing.T) {
	for _, test := range []struct {
		out, at string
		dt      float64
		want    plan
	}{
		{"x.png", "", 0.1, plan{from: 600, steps: 600, every: 1, frames: 1}},
		{"x.png", "2.5s", 0.1, plan{from: 25, steps: 25, every: 1, frames: 1}},
		{"x.gif", "", 1. / 60, plan{steps: 298, every: 2, frames: 150}},
		{"x.gif", "", 1, plan{steps: 298, every: 2, frames: 150}},
		{"x.gif", "", 0.1, plan{steps: 149, every: 1, frames: 150}},
	} {
		c := Options{Out: test.out, At: run.Span(test.at), FPS: 30, Palette: "plasma"}
		testkit.Must(t, c.checkRanges())
		if got := c.plan(&scene.Scene{Dt: test.dt, Steps: 600}); got != test.want {
			t.Errorf("%s, --at %q, steps of %v s: got=%+v, want=%+v", test.out, test.at, test.dt, got, test.want)
		}
	}
}
