package scene

import (
	"math"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// mostPosts bounds how many ends of walls are compared with one another.
const mostPosts = 1000

// post is an end of an obstacle, such as a side of a door.
type post struct {
	at     r2.Vec
	radius float64
	of     int // obstacle
}

// openings finds openings in walls through which some of the group fit and others do not:
// those stay there, and block the first.
func (l *linter) openings() {
	least, most := 2*l.Radius.least(), 2*l.Radius.most()
	if !(least > 0 && least < most) {
		return
	}
	posts, sides := l.posts()
	if len(posts) > mostPosts {
		return
	}
	for i, p := range posts {
		for _, q := range posts[:i] {
			way := vec.Sub(q.at, p.at)
			width := vec.Norm(way) - p.radius - q.radius
			if p.of == q.of || width < least || width >= most {
				continue
			}
			middle := vec.AddScaled(vec.Scale(0.5, vec.Add(p.at, q.at)), float64((p.radius-q.radius)/2), vec.Unit(way))
			if clearance(middle, sides) < 0.49*width {
				continue // something else is nearer
			}
			l.warn(true, "an opening at [%.4g, %.4g] is %.4g m wide, and bodies are up to %.4g m: those stay before it, and block the others; widen it, or lower radius", middle.X, middle.Y, width, most)
			return
		}
	}
}

// posts returns the ends and corners of all obstacles with sides, and the sides.
func (s *Scene) posts() (posts []post, sides []Wall) {
	obstacle := 0
	outline := func(corners []r2.Vec) {
		for i, p := range corners {
			posts = append(posts, post{p, 0, obstacle})
			sides = append(sides, Wall{A: p, B: corners[(i+1)%len(corners)]})
		}
		obstacle++
	}
	o := &s.Obstacles
	for _, w := range o.Walls {
		posts = append(posts, post{w.A, w.Radius, obstacle}, post{w.B, w.Radius, obstacle})
		sides = append(sides, w)
		obstacle++
	}
	for _, p := range o.Polygons {
		outline(p)
	}
	for i := range o.Boxes {
		outline(o.Boxes[i].corners())
	}
	return posts, sides
}

// clearance returns how far a point is from the nearest of some sides.
func clearance(p r2.Vec, sides []Wall) float64 {
	nearest := math.Inf(1)
	for _, w := range sides {
		along, to := vec.Sub(w.B, w.A), vec.Sub(p, w.A)
		u := 0.
		if l2 := vec.Norm2(along); l2 > 0 {
			u = min(max(vec.Dot(to, along)/l2, 0), 1)
		}
		nearest = min(nearest, vec.Norm(vec.Sub(to, vec.Scale(u, along)))-w.Radius)
	}
	return nearest
}
