// Package vec provides vector arithmetic that returns the same bits on every processor.
//
// On some processors, Go may fuse x*y + z, so that only the sum is rounded. An explicit conversion,
// float64(x*y) + z, prevents this. So the code of a step uses this package or such a conversion for each
// product. The package has its own elementary functions, because results of package math may differ in the
// last bit between platforms.
//
// The functions never panic. None returns NaN for finite arguments, except Log of a negative number,
// Shrink(0, 0), and Dot and Cross if both products overflow. Sums, products and lengths of NaN and infinite
// vectors are NaN or infinite.
package vec

import (
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

// Limits on the length of a vector. Outside them, Norm2 loses bits to underflow or overflow.
const (
	MinNorm = 0x1p-480
	MaxNorm = 0x1p480

	MinNorm2 = MinNorm * MinNorm
	MaxNorm2 = MaxNorm * MaxNorm
)

// Factors for vectors whose squared length is too small or too large.
const (
	grow   = 0x1p600
	shrink = 0x1p-600
)

// Add returns a + b.
func Add(a, b r2.Vec) r2.Vec { return r2.Vec{X: a.X + b.X, Y: a.Y + b.Y} }

// Sub returns a - b.
func Sub(a, b r2.Vec) r2.Vec { return r2.Vec{X: a.X - b.X, Y: a.Y - b.Y} }

// Scale returns f·v, rounded, so a sum with an inlined Scale cannot be fused.
func Scale(f float64, v r2.Vec) r2.Vec {
	return r2.Vec{X: float64(f * v.X), Y: float64(f * v.Y)}
}

// AddScaled returns a + f·v.
func AddScaled(a r2.Vec, f float64, v r2.Vec) r2.Vec {
	return r2.Vec{X: a.X + float64(f*v.X), Y: a.Y + float64(f*v.Y)}
}

// Dot returns the scalar product a·b.
func Dot(a, b r2.Vec) float64 { return float64(a.X*b.X) + float64(a.Y*b.Y) }

// Cross returns the z component of a×b, positive if b points to the left of a.
func Cross(a, b r2.Vec) float64 { return float64(a.X*b.Y) - float64(a.Y*b.X) }

// Norm2 returns |v|², which may overflow or underflow.
func Norm2(v r2.Vec) float64 { return float64(v.X*v.X) + float64(v.Y*v.Y) }

// Norm returns |v|. It is +Inf only if |v| exceeds the largest float64.
func Norm(v r2.Vec) float64 {
	// A call to Norm2 would prevent inlining.
	n2 := float64(v.X*v.X) + float64(v.Y*v.Y)
	if n2 >= MinNorm2 && n2 <= MaxNorm2 {
		return math.Sqrt(n2)
	}
	s := grow
	if n2 > 1 {
		s = shrink
	}
	x, y := s*v.X, s*v.Y
	return math.Sqrt(float64(x*x)+float64(y*y)) / s
}

// moderate returns v, or v times a power of two if |v|² is out of range.
func moderate(v r2.Vec) r2.Vec {
	switch n2 := Norm2(v); {
	case n2 < MinNorm2:
		return Scale(grow, v)
	case n2 > MaxNorm2:
		return Scale(shrink, v)
	}
	return v
}

// Factor returns the factor that scales a vector of length d to length n, or 0 if d is below MinNorm.
// Scale(Factor(n, Norm(v)), v) is an inlined WithNorm(v, n). Factor loses precision if n is below 2^-1022·d.
func Factor(n, d float64) float64 {
	if d < MinNorm {
		return 0
	}
	return n / d
}

// Shrink returns the factor that truncates a vector to a length of at most limit. n2 is the vector's Norm2.
// Scale(Shrink(Norm2(v), limit), v) is an inlined Truncate(v, limit) if n2 <= MaxNorm2 and limit >= MinNorm.
// Shrink has no branch: the processor could not predict one for agents at their maximum speed.
func Shrink(n2, limit float64) float64 { return min(1, limit/math.Sqrt(n2)) }

// Unit returns v/|v|, or zero for the zero vector.
func Unit(v r2.Vec) r2.Vec { return WithNorm(v, 1) }

// WithNorm returns v scaled to length |n|, and reversed if n is negative. The zero vector stays zero.
func WithNorm(v r2.Vec, n float64) r2.Vec {
	n2, size := Norm2(v), math.Abs(n)
	if n2 >= MinNorm2 && n2 <= MaxNorm2 && size >= MinNorm && size <= MaxNorm {
		return Scale(n/math.Sqrt(n2), v)
	}
	if n == 0 || v == (r2.Vec{}) {
		return r2.Vec{}
	}
	// n/|v| may overflow or underflow; the unit vector does not.
	v = moderate(v)
	return Scale(n, Scale(1/Norm(v), v))
}

// Truncate returns v, shortened to the given limit if it is longer. A limit that is NaN or negative counts as
// zero. No coordinate grows.
//
// Source: Reynolds 1999, "truncate".
func Truncate(v r2.Vec, limit float64) r2.Vec {
	if n2 := Norm2(v); n2 <= MaxNorm2 && limit >= MinNorm {
		return Scale(Shrink(n2, limit), v)
	}
	return truncate(v, limit)
}

// truncate is the slow path of Truncate, for vectors and limits of any size.
func truncate(v r2.Vec, limit float64) r2.Vec {
	if !(limit > 0) {
		return r2.Vec{}
	}
	n := Norm(v)
	if n <= limit {
		return v
	}
	if limit >= MinNorm && n <= MaxNorm {
		return Scale(limit/n, v)
	}
	w := moderate(v)
	if f := limit / Norm(w); f >= MinNorm2 {
		return Scale(f, w)
	}
	return WithNorm(v, limit)
}

// Left returns v rotated by a quarter turn to the left, (-y, x).
func Left(v r2.Vec) r2.Vec { return r2.Vec{X: -v.Y, Y: v.X} }

// Right returns v rotated by a quarter turn to the right, (y, -x).
func Right(v r2.Vec) r2.Vec { return r2.Vec{X: v.Y, Y: -v.X} }

// Rotate returns v rotated to the left by the angle with cosine c and sine s.
func Rotate(v r2.Vec, c, s float64) r2.Vec {
	return r2.Vec{
		X: float64(c*v.X) - float64(s*v.Y),
		Y: float64(s*v.X) + float64(c*v.Y),
	}
}

// Residue returns 0 if v is finite, and NaN otherwise. A sum of residues tests several vectors at once.
func Residue(v r2.Vec) float64 {
	return (v.X - v.X) + (v.Y - v.Y)
}

// Finite reports whether both coordinates of v are finite.
func Finite(v r2.Vec) bool { return Residue(v) == 0 }

// Clamp returns the point of a box that is nearest to p.
func Clamp(p r2.Vec, box r2.Box) r2.Vec {
	return r2.Vec{X: min(max(p.X, box.Min.X), box.Max.X), Y: min(max(p.Y, box.Min.Y), box.Max.Y)}
}
