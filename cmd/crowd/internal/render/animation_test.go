package render

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"io"
	"math/rand/v2"
	"os"
	"slices"
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

// distinct are the numbers of the first 10 frames that differ from the frames before them.
var distinct = []int{0, 1, 3, 4, 6, 7, 9}

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

func write(t *testing.T, w writer, all []*image.RGBA) {
	t.Helper()
	for _, f := range all {
		testkit.Must(t, w.Add(f))
	}
	testkit.Must(t, w.Close())
}

func create(t *testing.T) *os.File {
	t.Helper()
	f, err := os.CreateTemp(t.TempDir(), "")
	testkit.Must(t, err)
	t.Cleanup(func() { f.Close() })
	return f
}

func same(t *testing.T, got, want *image.RGBA, format string, args ...any) {
	t.Helper()
	testkit.Equal(t, bytes.Equal(got.Pix, want.Pix), true, format+": the same pixels", args...)
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
		testkit.Equal(t, total, (1000+fps/2)/fps, "%d frames a second: duration in hundredths of a second", fps)
		testkit.Equal(t, len(got.Image), len(distinct), "%d frames a second: frames", fps)
		testkit.Equal(t, got.LoopCount, 0, "%d frames a second: loops", fps)
		screen := image.NewRGBA(all[0].Rect)
		for i, part := range got.Image {
			over(screen, part)
			same(t, screen, all[distinct[i]], "%d frames a second: frame %d", fps, i)
			testkit.Equal(t, part.Rect == all[0].Rect, i == 0, "%d frames a second: frame %d: the whole picture", fps, i)
		}
	}
}

func TestLongFrame(t *testing.T) {
	all := frames(2, 6, 12)
	all = append(slices.Repeat(all[:1], 140_000), all[1])
	var b bytes.Buffer
	write(t, newGIF(&b, 50, paletteOf(255, all[0])), all)
	got, err := gif.DecodeAll(&b)
	testkit.Must(t, err)
	testkit.Equal(t, fmt.Sprint(got.Delay), "[65535 65535 65535 65535 17860 2]", "delays in a GIF")
	file := create(t)
	write(t, newAPNG(file, 120), all)
	written := testkit.Read(t, file.Name())
	var delays []uint16
	for _, p := range chunks(t, written) {
		if string(p[0]) == "fcTL" {
			delays = append(delays, binary.BigEndian.Uint16(p[1][20:]))
		}
	}
	testkit.Equal(t, fmt.Sprint(delays), "[65535 65535 8930 1]", "delays in an APNG")
}

func over(to *image.RGBA, from image.Image) {
	for y := from.Bounds().Min.Y; y < from.Bounds().Max.Y; y++ {
		for x := from.Bounds().Min.X; x < from.Bounds().Max.X; x++ {
			if c := from.At(x, y); color.RGBAModel.Convert(c).(color.RGBA).A != 0 {
				to.Set(x, y, c)
			}
		}
	}
}

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
	same(t, screen, all[len(all)-1], "last frame, of plain ground")
}

// chunks returns the name and the data of each chunk of a PNG, and checks the checksums.
func chunks(t *testing.T, b []byte) (all [][2][]byte) {
	t.Helper()
	for b = b[8:]; len(b) > 0; {
		n := binary.BigEndian.Uint32(b)
		testkit.Equal(t, crc32.ChecksumIEEE(b[4:8+n]), binary.BigEndian.Uint32(b[8+n:]), "checksum of %s", b[4:8])
		all = append(all, [2][]byte{b[4:8], b[8 : 8+n]})
		b = b[12+n:]
	}
	return all
}

func TestAPNG(t *testing.T) {
	const fps = 30
	all := frames(10, 40, 30)
	file := create(t)
	write(t, newAPNG(file, fps), all)
	written := testkit.Read(t, file.Name())
	first, err := png.Decode(bytes.NewReader(written))
	testkit.Must(t, err)
	screen := image.NewRGBA(all[0].Rect)
	over(screen, first)
	same(t, screen, all[0], "picture for programs without animation")
	parts := chunks(t, written)
	var names []string
	shown, time := 0, uint16(0)
	var control []byte
	sequence := uint32(0)
	next := func(b []byte) []byte {
		testkit.Equal(t, binary.BigEndian.Uint32(b), sequence, "sequence")
		sequence++
		return b[4:]
	}
	for _, p := range parts {
		name, data := string(p[0]), p[1]
		names = append(names, name)
		switch name {
		case "acTL":
			testkit.Equal(t, binary.BigEndian.Uint32(data), 7, "frames")
		case "fcTL":
			control = next(data)
			time += binary.BigEndian.Uint16(control[16:])
			testkit.Equal(t, binary.BigEndian.Uint16(control[18:]), fps, "delays a second")
		case "fdAT":
			over(screen, decode(t, parts[0][1], control, next(data)))
			shown++
			same(t, screen, all[distinct[shown]], "frame %d", shown)
		}
	}
	testkit.Equal(t, strings.Join(names, " "), "IHDR acTL fcTL IDAT"+strings.Repeat(" fcTL fdAT", 6)+" IEND", "chunks")
	testkit.Equal(t, time, 10, "duration, in frames")
}

func decode(t *testing.T, header, control, data []byte) image.Image {
	t.Helper()
	b := []byte("\x89PNG\r\n\x1a\n")
	for _, c := range [][2][]byte{{[]byte("IHDR"), slices.Concat(control[:8], header[8:])}, {[]byte("IDAT"), data}, {[]byte("IEND")}} {
		b = binary.BigEndian.AppendUint32(b, uint32(len(c[1])))
		b = slices.Concat(b, c[0], c[1], binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(slices.Concat(c[0], c[1]))))
	}
	img, err := png.Decode(bytes.NewReader(b))
	testkit.Must(t, err)
	moved := img.(*image.NRGBA)
	moved.Rect = moved.Rect.Add(image.Pt(int(binary.BigEndian.Uint32(control[8:])), int(binary.BigEndian.Uint32(control[12:]))))
	return moved
}

type full struct{ io.WriteSeeker }

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestWriters(t *testing.T) {
	all := frames(10, 40, 30)
	for name, start := range map[string]func(io.WriteSeeker) writer{
		"gif":  func(to io.WriteSeeker) writer { return newGIF(to, 10, paletteOf(255, all[0])) },
		"apng": func(to io.WriteSeeker) writer { return newAPNG(to, 10) },
	} {
		testkit.Equal(t, start(create(t)).Close() != nil, true, "%s without frames: error", name)
		w, err := start(full{}), error(nil)
		for _, f := range all {
			err = w.Add(f)
		}
		if got := w.Close(); err == nil || got == nil || !strings.Contains(got.Error(), "disk full") {
			t.Errorf("%s: got=%v from Add, %v from Close, want an error from both, with %q in that of Close", name, err, got, "disk full")
		}
		plain, alternating := create(t), create(t)
		write(t, start(plain), all)
		w = start(alternating)
		buffers := [2]*image.RGBA{image.NewRGBA(all[0].Rect), image.NewRGBA(all[0].Rect)}
		for i, f := range all {
			copy(buffers[i%2].Pix, f.Pix)
			testkit.Must(t, w.Add(buffers[i%2]))
		}
		testkit.Must(t, w.Close())
		want, _ := os.ReadFile(plain.Name())
		got := testkit.Read(t, alternating.Name())
		testkit.Equal(t, bytes.Equal(got, want), true, "%s: the same bytes with two alternating images", name)
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
	testkit.Equal(t, got[0], ground, "the color of half of the picture")
	for range 5 {
		testkit.Equal(t, slices.Equal(paletteOf(64, img), got), true, "the same colors for the same picture")
	}
	testkit.Equal(t, len(paletteOf(255)), 0, "colors without samples")
}

func TestNoFFmpeg(t *testing.T) {
	t.Setenv("PATH", os.DevNull)
	if _, err := newMP4("x.mp4", image.Pt(4, 4), 30); !errors.Is(err, errNoFFmpeg) {
		t.Errorf("got=%v, want=%v", err, errNoFFmpeg)
	}
}

func TestPlan(t *testing.T) {
	for _, test := range []struct {
		out, at string
		dt      float64
		want    plan
		speed   float64
	}{
		{"x.png", "", 0.1, plan{from: 600, steps: 600, every: 1, frames: 1}, 1},
		{"x.png", "2.5s", 0.1, plan{from: 25, steps: 25, every: 1, frames: 1}, 1},
		{"x.gif", "", 1. / 60, plan{steps: 298, every: 2, frames: 150}, 1},
		{"x.gif", "", 1, plan{steps: 298, every: 2, frames: 150}, 1},
		{"x.gif", "", 0.1, plan{steps: 149, every: 1, frames: 150}, 3},
	} {
		c := Options{Out: test.out, At: run.Span(test.at), FPS: 30, Palette: "plasma"}
		testkit.Must(t, c.checkRanges())
		s := &scene.Scene{Dt: test.dt, Steps: 600}
		got := c.plan(s)
		testkit.Equal(t, got, test.want, "%s, --at %q, steps of %v s", test.out, test.at, test.dt)
		testkit.Equal(t, c.speed(s, got), test.speed, "%s, steps of %v s: speed", test.out, test.dt)
	}
	steps, leave := 600, scene.People("", 20, scene.Place{})
	leave.Goal = &scene.Goal{Then: scene.Leave}
	c, s := Options{Out: "x.png"}, &scene.Scene{Dt: 0.1, Steps: steps, Groups: []scene.Group{leave}}
	if got := c.plan(s); got.out == 0 {
		t.Errorf("scene that ends: got=%+v, want the step in which some have left", got)
	}
	c.Steps = &steps
	testkit.Equal(t, c.plan(s), plan{from: 600, steps: 600, every: 1, frames: 1}, "scene that ends, --steps")
}
