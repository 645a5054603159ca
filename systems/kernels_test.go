package systems

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// kernels holds the code that uses kernels. Each function runs it over n random rows, and returns what
// it wrote.
var kernels = map[string]func(n int, d *drawing) (writes []any){
	"Seek":                                forces[c.Seek](&Seek{}),
	"Flee":                                forces[c.Flee](&Flee{}),
	"Arrival":                             forces[c.Arrival](&Arrival{}),
	"Integration without Limits and Mass": func(n int, d *drawing) []any { return integration(n, d, &Integration{Hold: d.IntN(4) == 0}) },
	"Integration": func(n int, d *drawing) []any {
		return integration(n, d, &Integration{}, frame.Over(rowsOf[c.Limits](d, n)), frame.Over(rowsOf[c.Mass](d, n)))
	},
	"Separation": func(n int, d *drawing) []any {
		steer := rowsOf[c.Steering](d, n)
		separate(d.sums(n), rowsOf[c.Limits](d, n), rowsOf[c.Separation](d, n), steer)
		return []any{steer}
	},
	"Alignment": func(n int, d *drawing) []any {
		steer := rowsOf[c.Steering](d, n)
		align(d.sums(n), rowsOf[c.Velocity](d, n), rowsOf[c.Limits](d, n), rowsOf[c.Alignment](d, n), steer)
		return []any{steer}
	},
	"Cohesion": func(n int, d *drawing) []any {
		steer := rowsOf[c.Steering](d, n)
		cohere(d.sums(n), rowsOf[c.Limits](d, n), rowsOf[c.Cohesion](d, n), steer)
		return []any{steer}
	},
	"ThreatScan": func(n int, d *drawing) []any {
		ways, pos, vel := make([]kernel.Way, n), rowsOf[c.Position](d, n), rowsOf[c.Velocity](d, n)
		scan, radius := rowsOf[c.ThreatScan](d, n), rowsOf[c.Radius](d, n*d.IntN(2))
		for i := range vel {
			if d.IntN(8) == 0 { // some are at rest
				vel[i] = c.Velocity{}
			}
		}
		far := aim(ways, pos, vel, scan, radius, make([]c.Threat, n))
		return []any{ways, []float64{far}}
	},
	"Avoidance": func(n int, d *drawing) []any {
		s, steer := &Avoidance{Outward: d.IntN(8) == 0}, rowsOf[c.Steering](d, n)
		s.Run(frame.BatchOf(d.clock(), s, frame.Over(rowsOf[c.Velocity](d, n)), frame.Over(threatsOf(d, n)), frame.Over(rowsOf[c.Avoidance](d, n)), frame.Over(steer)))
		return []any{steer}
	},
	"forget": func(n int, d *drawing) []any {
		threat := threatsOf(d, n)
		forget(threat)
		return []any{threat}
	},
	"Arrivals": func(n int, d *drawing) []any {
		s, pos, target, goal := &Arrivals{}, rowsOf[c.Position](d, n), rowsOf[c.Target](d, n), rowsOf[c.Goal](d, n)
		share := d.Float64() * d.Float64()
		for i := range goal { // most agents stay
			inside := vec.Norm2(r2.Sub(target[i].Vec, pos[i].Vec)) <= goal[i].Radius*goal[i].Radius
			goal[i].Inside = inside != (d.Float64() < share)
		}
		s.Run(frame.BatchOf(d.clock(), s, frame.Over(pos), frame.Over(target), frame.Over(goal)))
		s.Observe(nil)
		return []any{goal, s.List()}
	},
	"Bounds": func(n int, d *drawing) []any {
		s, pos, vel := &Bounds{Mode: BoundsMode(d.IntN(5))}, rowsOf[c.Position](d, n), rowsOf[c.Velocity](d, n)
		s.Box = r2.Box{Min: r2.Vec{X: float64(-d.IntN(4)), Y: float64(-d.IntN(4))}, Max: r2.Vec{X: float64(4 + d.IntN(4)), Y: float64(4 + d.IntN(4))}}
		s.Run(frame.BatchOf(d.clock(), s, frame.Over(pos), frame.Over(vel)))
		return []any{pos, vel}
	},
}

func forces[B any](s frame.System) func(n int, d *drawing) []any {
	return func(n int, d *drawing) []any {
		steer := rowsOf[c.Steering](d, n)
		s.Run(frame.BatchOf(d.clock(), s, d.positions(n), frame.Over(rowsOf[c.Velocity](d, n)), frame.Over(rowsOf[c.Target](d, n)),
			frame.Over(rowsOf[c.Limits](d, n)), frame.Over(rowsOf[B](d, n)), frame.Over(steer)))
		return []any{steer}
	}
}

func integration(n int, d *drawing, s *Integration, more ...frame.Slice) []any {
	pos, vel, steer := rowsOf[c.Position](d, n), rowsOf[c.Velocity](d, n), rowsOf[c.Steering](d, n)
	b := frame.BatchOf(d.clock(), s, append(more, frame.Over(pos), frame.Over(vel), frame.Over(steer))...)
	s.Run(b)
	return []any{pos, vel, steer, []float64{float64(b.Skipped())}}
}

func threatsOf(d *drawing, n int) []c.Threat {
	w, threat, share := ecs.NewWorld(), make([]c.Threat, n), d.Float64()
	for i := range threat {
		t := &threat[i]
		d.fill(reflect.ValueOf(&t.Contact).Elem())
		d.fill(reflect.ValueOf(&t.Normal).Elem())
		if t.Distance = d.number(); d.Float64() < share {
			t.Obstacle = w.NewEntity()
		}
	}
	return threat
}

func TestKernels(t *testing.T) {
	defer kernel.Use(kernel.Use(kernel.AVX512))
	for name, run := range kernels {
		for seed := range uint64(4 * 40 * 5) {
			n := int(seed / 4 % 40) // each number with every share of odd values
			kernel.Use(kernel.Off)
			want := run(n, draw(seed))
			for _, width := range []kernel.Width{kernel.AVX2, kernel.AVX512} {
				kernel.Use(width)
				if got := run(n, draw(seed)); !sameBits(reflect.ValueOf(got), reflect.ValueOf(want)) {
					t.Fatalf("%s, %v, seed %d, %d rows:\ngot  %v\nwant %v", name, width, seed, n, got, want)
				}
			}
		}
	}
}

type drawing struct {
	*rand.Rand
	odd float64 // share of values that are not ordinary numbers
}

func draw(seed uint64) *drawing {
	d := &drawing{Rand: rand.New(rand.NewPCG(seed, 0))}
	d.odd = []float64{0, 0.002, 0.05, 0.5}[seed%4]
	return d
}

func (d *drawing) clock() frame.Clock { return frame.Clock{Dt: d.number()} }

func (d *drawing) positions(n int) frame.Slice { return frame.Over(rowsOf[c.Position](d, n)) }

func (d *drawing) sums(n int) *sense.SumColumns {
	s := &sense.SumColumns{N: make([]float64, n), Repel: rowsOf[r2.Vec](d, n), Away: rowsOf[r2.Vec](d, n), Velocity: rowsOf[r2.Vec](d, n)}
	for i := range s.N {
		s.N[i] = float64(d.IntN(5)) // some agents have no neighbors
	}
	return s
}

func (d *drawing) number() float64 {
	if d.Float64() < d.odd {
		odd := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, -math.MaxFloat64,
			math.SmallestNonzeroFloat64, -0x1p-1060, 0x1p-480, 0x1p-481, 0x1p480, 0x1p481, -0x1p500, 0x1p-500, math.Float64frombits(d.Uint64())}
		return odd[d.IntN(len(odd))]
	}
	return float64(d.IntN(9)-2) + d.Float64()*float64(d.IntN(2)) // many are equal or zero
}

func rowsOf[T any](d *drawing, n int) []T {
	rows := make([]T, n)
	for i := range rows {
		d.fill(reflect.ValueOf(&rows[i]).Elem())
	}
	return rows
}

func (d *drawing) fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Float64:
		v.SetFloat(d.number())
	case reflect.Struct:
		for i := range v.NumField() {
			d.fill(v.Field(i))
		}
	case reflect.Bool:
		v.SetBool(d.IntN(2) == 0)
	case reflect.Uint64, reflect.Uint32:
		v.SetUint(d.Uint64() >> (64 - v.Type().Bits()))
	default:
		panic(fmt.Sprintf("no numbers for %v", v.Type()))
	}
}

// sameBits treats all NaNs as equal.
func sameBits(v, w reflect.Value) bool {
	switch v.Kind() {
	case reflect.Interface:
		return sameBits(v.Elem(), w.Elem())
	case reflect.Float64:
		f, g := v.Float(), w.Float()
		return math.Float64bits(f) == math.Float64bits(g) || f != f && g != g
	case reflect.Struct:
		for i := range v.NumField() {
			if !sameBits(v.Field(i), w.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Slice:
		for i := range min(v.Len(), w.Len()) {
			if !sameBits(v.Index(i), w.Index(i)) {
				return false
			}
		}
		return v.Len() == w.Len()
	}
	return v.Equal(w)
}
