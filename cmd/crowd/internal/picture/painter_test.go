package picture

import (
	"bytes"
	"image"
	"math"
	"runtime"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"gonum.org/v1/gonum/spatial/r2"
)

func busy() *Crowd {
	c := crowdOf(2000)
	for i := range 40 {
		a := Agent{Position: vec(float64(i%8)+1, float64(i/8)+2), Radius: 0.3, Speed: 0.05 * float64(i), Heading: vec(1, float64(i-20)), Group: i % 3}
		c.Agents = append(c.Agents, a)
		w := Wake{Agent: a}
		for k := range 20 {
			w.Points = append(w.Points, r2.Add(a.Position, vec(-2+0.1*float64(k), math.Sin(float64(k+i)))))
			w.Speeds = append(w.Speeds, 0.1*float64(k))
		}
		c.Wakes = append(c.Wakes, w)
	}
	c.Obstacles = []Obstacle{pillar(5, 5, 1), {A: vec(1, 1), B: vec(9, 2), Radius: 0.2}}
	c.Targets, c.Dangers = []r2.Vec{vec(3, 3)}, []r2.Vec{vec(7, 7)}
	c.Trails = [][]r2.Vec{{vec(1, 9), vec(9, 9)}}
	c.Paths = []Path{{Points: []r2.Vec{vec(1, 8), vec(6, 2), vec(20, 5)}, Loop: true}}
	c.Doors = []Door{{A: vec(2, 9), B: vec(3, 9)}, {A: vec(5, 9), B: vec(7, 9), Open: true}}
	c.Groups = []string{"first", "second", "third"}
	return c
}

// looks together draw all shapes of busy in all styles.
var looks = []Options{
	{Width: 400}, {Width: 400, Dark: true, Palette: "viridis"}, {Width: 400, Color: Heading},
	{Width: 400, Color: Group}, {Width: 400, Bare: true}, {Width: 400, Heat: &Heat{}}, {Width: 400, NoTargets: true, NoPaths: true},
}

func TestProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	c := busy()
	for i, o := range looks {
		runtime.GOMAXPROCS(1)
		want := Draw(c, o).Pix
		for _, n := range []int{2, 3, 8} {
			runtime.GOMAXPROCS(n)
			if !bytes.Equal(Draw(c, o).Pix, want) {
				t.Errorf("look %d: got other pixels with %d processors than with one, want the same", i, n)
			}
		}
	}
}

func TestPainterFrames(t *testing.T) {
	c := busy()
	for i, o := range looks {
		if o.Heat != nil {
			o.Heat = &Heat{Radius: 0.5, Max: 100}
		}
		p := NewPainter(c, o)
		next := busy()
		for k := range next.Agents {
			next.Agents[k].Position.X = 10 - next.Agents[k].Position.X // the number of agents in view stays the same
		}
		next.Obstacles[0] = pillar(2, 8, 1.5)
		next.Paths[0].Points[0] = vec(2, 2)
		for n, frame := range []*Crowd{c, next, c, c} {
			if n == 3 { // the legend stays the same
				frame.Doors[0].Open, frame.Doors[1].Open = frame.Doors[1].Open, frame.Doors[0].Open
			}
			if !bytes.Equal(p.Draw(frame).Pix, Draw(frame, o).Pix) {
				t.Errorf("look %d, frame %d: got other pixels from a Painter than from Draw, want the same", i, n)
			}
		}
		testkit.Equal(t, p.Draw(c).Rect.Size(), p.Size(), "size")
	}
}

func TestWakeFades(t *testing.T) {
	w := Wake{Agent: Agent{Speed: 2}}
	for i := range 9 {
		w.Points = append(w.Points, vec(1+float64(i), 5))
	}
	c := &Crowd{View: square, MaxSpeed: 2, Wakes: []Wake{w}}
	img := Draw(c, Options{Width: 400, Height: 400, Bare: true})
	last := floor
	for x := 41; x < 355; x++ {
		got := img.RGBAAt(x, 200)
		if got.R > last.R+1 {
			t.Errorf("pixel %d of a fading wake: got=%v, want=no lighter than %v before it", x, got, last)
		}
		last = got
	}
	if tail, head := img.RGBAAt(60, 200), img.RGBAAt(350, 200); !(head.R < tail.R-60 && tail.R < floor.R) {
		t.Errorf("tail and head: got=%v, %v, want a faint and a strong color", tail, head)
	}
	for _, p := range []image.Point{{30, 200}, {370, 200}, {200, 190}, {200, 210}} {
		testkit.Equal(t, img.RGBAAt(p.X, p.Y), floor, "beside the wake at %v", p)
	}
	c.Wakes[0].Points = []r2.Vec{vec(1, 5), vec(9, 5), vec(math.NaN(), 5), vec(9, 6)}
	testkit.Equal(t, Draw(c, Options{Width: 400, Height: 400, Bare: true}).RGBAAt(200, 200), floor, "a leap")
}

func TestManyWakes(t *testing.T) {
	one := &Crowd{View: square, MaxSpeed: 2, Wakes: []Wake{{Agent: Agent{Speed: 1}, Points: []r2.Vec{vec(2, 2), vec(4, 3)}}}}
	many := &Crowd{View: square, MaxSpeed: 2}
	for range 50 {
		many.Wakes = append(many.Wakes, one.Wakes...)
	}
	if !bytes.Equal(Draw(one, bare).Pix, Draw(many, bare).Pix) {
		t.Error("fifty wakes in one place: got other pixels than with one wake, want the same")
	}
}

func TestPointsOf(t *testing.T) {
	for agents, want := range map[int]int{0: 120, 1: 120, 166_666: 120, 200_000: 100, 20_000_000: 1, 20_000_001: 0} {
		testkit.Equal(t, pointsOf(agents), want, "%d agents", agents)
	}
}

func TestTargetsHidden(t *testing.T) {
	c := &Crowd{View: square, Targets: []r2.Vec{vec(5.05, 4.95)}, Dangers: []r2.Vec{vec(2, 2)}}
	o := bare
	o.NoTargets = true
	hidden := Draw(c, o)
	testkit.Equal(t, hidden.RGBAAt(50, 50), floor, "NoTargets")
	nearly(t, Draw(c, bare).RGBAAt(20, 80), light.danger, "danger without NoTargets")
	for i := range manyTargets + 1 {
		c.Targets = append(c.Targets, vec(5.05, 9*float64(i)/manyTargets))
	}
	testkit.Equal(t, Draw(c, bare).RGBAAt(50, 50), floor, "too many targets")
}

func TestPanels(t *testing.T) {
	left, right := &Crowd{View: square, Agents: []Agent{{Position: vec(5, 5), Radius: 2}}}, &Crowd{View: square}
	o := Options{Width: 212, Bare: true}
	for _, test := range []struct {
		stacked     bool
		size        image.Point
		full, empty image.Point // middles of the panels
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
		t.Error("single panel: got another picture than from Draw, want the same")
	}
}
