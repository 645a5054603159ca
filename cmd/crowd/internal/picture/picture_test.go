package picture

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"gonum.org/v1/gonum/spatial/r2"
)

// With the options bare, a picture of square shows a meter as ten pixels.
var (
	bare   = Options{Width: 100, Height: 100, Bare: true}
	square = r2.NewBox(0, 0, 10, 10)
)

var (
	paper = light.paper
	floor = light.floor
	rim   = light.rim
	solid = light.solid
	ink   = light.ink
	goal  = light.goal
	ramp  = paletteOf("").speeds(&light)
)

func vec(x, y float64) r2.Vec { return r2.Vec{X: x, Y: y} }

func count(m *image.RGBA, in image.Rectangle, is func(color.RGBA) bool) (n int) {
	for y := in.Min.Y; y < in.Max.Y; y++ {
		for x := in.Min.X; x < in.Max.X; x++ {
			if is(m.RGBAAt(x, y)) {
				n++
			}
		}
	}
	return n
}

func pillar(x, y, r float64) Obstacle { return Obstacle{A: vec(x, y), B: vec(x, y), Radius: r} }

func crowdOf(n int) *Crowd {
	rng := rand.New(rand.NewPCG(1, 2))
	c := &Crowd{Title: "plaza", Caption: "a test", View: square, MaxSpeed: 2}
	for range n {
		c.Agents = append(c.Agents, Agent{
			Position: vec(10*rng.Float64(), 10*rng.Float64()),
			Radius:   0.02, Speed: 2 * rng.Float64(), Heading: vec(1, 0),
		})
	}
	return c
}

func TestColorAtPlace(t *testing.T) {
	wall := Obstacle{A: vec(1, 5), B: vec(9, 5), Radius: 0.5}
	ring := Obstacle{Ring: []r2.Vec{vec(2, 2), vec(2, 8), vec(8, 8), vec(8, 2)}} // clockwise
	cases := []struct {
		name  string
		crowd Crowd
		x, y  int
		want  color.RGBA
	}{
		{"floor", Crowd{}, 50, 50, floor},
		{"slow spot", Crowd{Agents: []Agent{{Position: vec(2, 3), Radius: 0.4}}}, 20, 70, ramp[0]},
		{"fast spot", Crowd{Agents: []Agent{{Position: vec(2, 3), Radius: 0.4, Speed: 2}}}, 20, 70, ramp[topLevel]},
		{"too fast", Crowd{Agents: []Agent{{Position: vec(2, 3), Radius: 0.4, Speed: math.Inf(1)}}}, 20, 70, ramp[topLevel]},
		{"no speed", Crowd{Agents: []Agent{{Position: vec(2, 3), Radius: 0.4, Speed: math.NaN()}}}, 20, 70, ramp[0]},
		{"y is up", Crowd{Agents: []Agent{{Position: vec(2, 3), Radius: 0.4}}}, 20, 30, floor},
		{"fast puck", Crowd{Agents: []Agent{{Position: vec(7, 8), Radius: 1, Speed: 2}}}, 70, 20, ramp[topLevel]},
		{"nose up", Crowd{Agents: []Agent{{Position: vec(5, 5), Radius: 1, Heading: vec(0, 3)}}}, 50, 38, mix(ramp[0], ink, 0.55)},
		{"no nose", Crowd{Agents: []Agent{{Position: vec(5, 5), Radius: 1}}}, 50, 38, floor},
		{"circle", Crowd{Obstacles: []Obstacle{pillar(4, 4, 1)}}, 40, 60, solid},
		{"beside circle", Crowd{Obstacles: []Obstacle{pillar(4, 4, 1)}}, 40, 75, floor},
		{"rim of circle", Crowd{Obstacles: []Obstacle{pillar(4.05, 4, 1)}}, 40, 50, mix(floor, rim, 0.95)},
		{"wall", Crowd{Obstacles: []Obstacle{wall}}, 50, 50, solid},
		{"line", Crowd{Obstacles: []Obstacle{{A: vec(1, 5), B: vec(9, 5)}}}, 50, 70, floor},
		{"polygon", Crowd{Obstacles: []Obstacle{ring}}, 50, 50, solid},
		{"polygon across a wall", Crowd{Obstacles: []Obstacle{ring, wall}}, 50, 50, solid},
		{"all is solid", Crowd{Obstacles: []Obstacle{pillar(-1e5, 5, 2e5)}}, 0, 0, solid},
		{"target", Crowd{Targets: []r2.Vec{vec(5.05, 4.95)}}, 50, 50, goal},
		{"agent above target", Crowd{Targets: []r2.Vec{vec(5, 5)}, Agents: []Agent{{Position: vec(5, 5), Radius: 0.4}}}, 50, 50, ramp[0]},
		{"agent above obstacle", Crowd{Obstacles: []Obstacle{wall}, Agents: []Agent{{Position: vec(5, 5), Radius: 0.4}}}, 50, 50, ramp[0]},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			c.crowd.View, c.crowd.MaxSpeed = square, 2
			nearly(t, Draw(&c.crowd, bare).RGBAAt(c.x, c.y), c.want, "pixel (%d, %d)", c.x, c.y)
		})
	}
}

// near allows for a curved edge that just cuts a pixel.
func near(a, b color.RGBA) bool {
	const most = 8
	off := func(a, b uint8) bool { return max(a, b)-min(a, b) > most }
	return !off(a.R, b.R) && !off(a.G, b.G) && !off(a.B, b.B)
}

func nearly(t *testing.T, got, want color.RGBA, format string, args ...any) {
	t.Helper()
	if !near(got, want) {
		t.Errorf(format+": got=%v, want=%v", append(args, got, want)...)
	}
}

func TestSpotArea(t *testing.T) {
	for _, r := range []float64{0.5, 0.9, 1.7, 4, maxSpot} {
		for _, off := range []r2.Vec{vec(0, 0), vec(0.5, 0.5), vec(0.25, 0.8), vec(0.99, 0.01)} {
			l := newLayer(image.Rect(10, 10, 40, 40))
			l.spot(r2.Add(vec(25, 25), off), r, 1, value{7})
			got, pixels := 0.0, 0
			for _, c := range l.cells {
				got += c.share()
				if c.weight > 0 && c.weight < fullCover {
					pixels++
				}
			}
			if want := math.Pi * r * r; math.Abs(got-want) > 0.03*want {
				t.Errorf("r=%v off=%v: area got=%v, want=%v within 3%%", r, off, got, want)
			}
			if pixels == 0 {
				t.Errorf("r=%v off=%v: got no partly covered pixel on the rim, want some", r, off)
			}
		}
	}
}

func TestRound(t *testing.T) {
	for _, c := range []struct{ x, below, above float64 }{
		{1, 1, 1}, {1.2, 1, 1.5}, {1.99, 1, 2}, {2, 2, 2}, {4.9, 2, 5}, {5, 5, 5}, {9, 5, 10}, {9.99, 5, 10}, {10, 10, 10}, {0.21, 0.2, 0.3}, {0.3, 0.2, 0.3}, {0.07, 0.05, 0.08},
		{83, 50, 100}, {1234, 1000, 1500}, {1e9, 1e9, 1e9},
	} {
		if below, above := RoundBelow(c.x), roundAbove(c.x); math.Abs(below-c.below) > 1e-12*c.below || math.Abs(above-c.above) > 1e-12*c.above {
			t.Errorf("%v: got=%v below, %v above, want=%v, %v", c.x, below, above, c.below, c.above)
		}
	}
	testkit.Equal(t, roundAbove(0), 1, "above 0")
}

func TestFit(t *testing.T) {
	stray := crowdOf(1000)
	stray.Agents[7].Position = vec(1e6, -1e6)
	few := crowdOf(50)
	few.Agents[7].Position = vec(1e6, -1e6)
	lost := crowdOf(200)
	for i := range lost.Agents {
		lost.Agents[i].Position = vec(math.NaN(), math.Inf(1))
	}
	cases := []struct {
		name   string
		crowd  *Crowd
		inside []r2.Vec
		widest float64 // m
	}{
		{"nothing", &Crowd{}, nil, 20},
		{"one agent", &Crowd{Agents: []Agent{{Position: vec(100, 100), Radius: 0.3}}}, []r2.Vec{vec(100, 100)}, 20},
		{"a point", &Crowd{Agents: []Agent{{Position: vec(100, 100)}}}, []r2.Vec{vec(100, 100)}, 20},
		{"a row", &Crowd{Agents: []Agent{{Position: vec(0, 1)}, {Position: vec(9, 1)}}}, []r2.Vec{vec(0, 1), vec(9, 1)}, 12},
		{"stray", stray, []r2.Vec{vec(1, 1), vec(9, 9)}, 12},
		{"few", few, []r2.Vec{vec(1, 1), vec(1e6, -1e6)}, 1.1e6},
		{"not finite", lost, nil, 20},
		{"obstacles", &Crowd{Obstacles: []Obstacle{pillar(0, 0, 3), pillar(50, 20, 3)}}, []r2.Vec{vec(-3, -3), vec(53, 23)}, 70},
		{"bad obstacle", &Crowd{Obstacles: []Obstacle{pillar(0, 0, 3), pillar(math.NaN(), 20, 3)}}, []r2.Vec{vec(-3, -3)}, 10},
		{"targets", &Crowd{Targets: []r2.Vec{vec(0, 0), vec(50, 20)}}, []r2.Vec{vec(0, 0), vec(50, 20)}, 60},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := fitCrowd(c.crowd)
			if size := got.Size(); !shown(got) || max(size.X, size.Y) > c.widest {
				t.Errorf("got=%v, want a valid view with sides of at most %v m", got, c.widest)
			}
			for _, p := range c.inside {
				if !got.Contains(p) {
					t.Errorf("got=%v, want %v inside", got, p)
				}
			}
		})
	}
}

func TestAnyInput(t *testing.T) {
	odd := []float64{0, -1, 1, 1e-300, 5e-324, 1e12, -1e12, 1e300, math.Inf(1), math.NaN()}
	c := &Crowd{Title: "a\nb\t\x00", Caption: string(bytes.Repeat([]byte("long "), 500))}
	for _, x := range odd {
		for _, y := range odd {
			c.Agents = append(c.Agents, Agent{Position: vec(x, y), Radius: y, Speed: x, Heading: vec(y, x)})
			c.Obstacles = append(c.Obstacles, Obstacle{A: vec(x, y), B: vec(y, x), Radius: x},
				pillar(x, x, y), Obstacle{Ring: []r2.Vec{vec(x, y), vec(y, 3), vec(2, x)}})
			c.Targets = append(c.Targets, vec(x, y))
			c.Paths = append(c.Paths, Path{Points: []r2.Vec{vec(x, y), vec(1, 2), vec(y, x), vec(x, x)}, Loop: x > y})
		}
	}
	views := []r2.Box{{}, square, r2.NewBox(0, 0, 1e-300, 1), r2.NewBox(0, 0, 1e12, 1), r2.NewBox(0, 0, 1e-6, 1e-6),
		{Min: vec(3, 3), Max: vec(1, 1)}, {Min: vec(math.NaN(), 0), Max: vec(1, 1)}, {Min: vec(math.Inf(-1), 0), Max: vec(1, 1)}}
	sizes := []Options{{Width: 1, Height: 1}, {Width: 1}, {Height: 1}, {Width: 2, Height: 200}, {Width: 200, Height: 2},
		{Width: 170, Height: 60}, {Width: 160}, {Width: 60, Height: 60, Bare: true}}
	for _, radius := range []float64{0, 1e-300, 1e-6, 1e12} {
		sizes = append(sizes, Options{Width: 60, Height: 60, Heat: &Heat{Radius: radius}})
	}
	for _, view := range views {
		for i, o := range sizes {
			c.View, c.MaxSpeed = view, odd[i%len(odd)]
			img := Draw(c, o)
			want := image.Pt(o.Width, o.Height)
			if want.X == 0 {
				want.X = DefaultWidth
			}
			if want.Y == 0 {
				want.Y = img.Rect.Dy()
			}
			if got := img.Rect.Size(); got != want || got.Y < 1 {
				t.Errorf("view %v, %+v: size got=%v, want=%v", view, o, got, want)
			}
		}
	}
	testkit.Equal(t, Draw(&Crowd{}, Options{Width: -5, Height: -5}).Rect.Dx(), DefaultWidth, "width for a negative size")
}

func TestTargets(t *testing.T) {
	f := newFrame(square, image.Rect(0, 0, 100, 100), true)
	same := make([]r2.Vec, 5000)
	testkit.Equal(t, len(placesOf(f, append(same, vec(3, 3), vec(math.NaN(), 1), vec(-5, 5)))), 2, "places")
	last := markFor(1, 20)
	for _, n := range []int{100, 1000, 5000} {
		m := markFor(n, 20)
		if m.arm > last.arm || m.opacity > last.opacity {
			t.Errorf("%d targets: got=%+v, want arm and opacity at most as in %+v", n, m, last)
		}
		last = m
	}
}

func BenchmarkDraw(b *testing.B) {
	for _, n := range []struct {
		name   string
		agents int
	}{{"5e4", 50_000}, {"1e6", 1_000_000}} {
		c := crowdOf(n.agents)
		b.Run(n.name, func(b *testing.B) {
			for b.Loop() {
				Draw(c, Options{})
			}
		})
	}
}

func TestSmallAgents(t *testing.T) {
	c := &Crowd{View: square, Agents: []Agent{{Position: vec(5, 5), Radius: 1e-6}}}
	before := Draw(c, bare)
	if got := before.RGBAAt(50, 50); got == floor {
		t.Errorf("pixel at the agent: got=%v of the floor, want another color", got)
	}
	c.Agents[0].Position.X += 0.02
	if bytes.Equal(before.Pix, Draw(c, bare).Pix) {
		t.Error("got the same picture after a move of 0.2 pixels, want another")
	}
}

// TestDensity draws so many agents that their spots overlap everywhere.
func TestDensity(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	c := &Crowd{View: square}
	for range 40000 { // the density increases with x
		c.Agents = append(c.Agents, Agent{Position: vec(10*math.Sqrt(rng.Float64()), 10*rng.Float64()), Radius: 1e-4})
	}
	img := Draw(c, bare)
	bright := func(x0, x1 int) (sum int) {
		count(img, image.Rect(x0, 0, x1, 100), func(c color.RGBA) bool { sum += int(c.B); return true })
		return sum
	}
	few, some, many := bright(5, 15), bright(25, 35), bright(85, 95)
	if !(few > some && some > many) {
		t.Errorf("brightness at rising density: got=%v, %v, %v, want falling numbers", few, some, many)
	}
}

func TestOrderOfRows(t *testing.T) {
	for _, o := range []Options{bare, {Width: 100, Bare: true, Heat: &Heat{}}} {
		c := crowdOf(3000)
		want := Draw(c, o).Pix
		rand.New(rand.NewPCG(5, 6)).Shuffle(len(c.Agents), func(i, j int) { c.Agents[i], c.Agents[j] = c.Agents[j], c.Agents[i] })
		if !bytes.Equal(Draw(c, o).Pix, want) {
			t.Errorf("heat %v: got another picture after a shuffle of the agents, want the same", o.Heat != nil)
		}
	}
}

func TestWritePNG(t *testing.T) {
	var file bytes.Buffer
	c := crowdOf(100)
	o := Options{Width: 300, Height: 300}
	testkit.Must(t, WritePNG(&file, c, o))
	got, err := png.Decode(&file)
	testkit.Must(t, err)
	if want := Draw(c, o); got.Bounds() != want.Bounds() || !bytes.Equal(got.(*image.RGBA).Pix, want.Pix) {
		t.Error("decoded file: got another picture than that of Draw, want the same")
	}
	r, w := io.Pipe()
	r.Close()
	if err := WritePNG(w, c, o); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("a writer that fails: got=%v, want=%v", err, io.ErrClosedPipe)
	}
}

func TestTrails(t *testing.T) {
	c := &Crowd{View: r2.NewBox(0, 0, 100, 100), Trails: [][]r2.Vec{{vec(10, 20), vec(30, 20), vec(90, 80), vec(math.NaN(), 80), vec(95, 80)}}}
	img := Draw(c, Options{Width: 400, Height: 400, Bare: true})
	if img.RGBAAt(80, 320) == floor {
		t.Errorf("on the trail: got=%v of the floor, want another color", floor)
	}
	testkit.Equal(t, img.RGBAAt(240, 200), floor, "across a leap")
}
