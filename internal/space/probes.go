package space

import (
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Probes returns the circle whose center is nearest to p among those that hold
// one of the points, the rim included; of circles as near the one with the
// lowest ID.
//
// Source: "Understanding Steering Behaviors: Collision Avoidance", which takes
// a point ahead and one half-way there.
func (x *Index) Probes(p r2.Vec, points ...r2.Vec) (int, bool) {
	if !within(p) {
		return 0, false
	}
	best, found := 0., uint32(none)
	for _, q := range points {
		if !within(q) {
			continue
		}
		x.near(q, 0, func(list []entry) {
			for i := range list {
				k := list[i].Piece
				pc := &x.pieces[k]
				if !x.isCircle(pc) || vec.Norm2(vec.Sub(q, pc.a)) > float64(pc.radius*pc.radius) {
					continue
				}
				d := vec.Norm2(vec.Sub(p, pc.a))
				if found == none || d < best || d == best && k < found {
					best, found = d, k
				}
			}
		})
	}
	if found == none {
		return 0, false
	}
	return x.index(x.pieces[found].rank), true
}

// CenterNearer reports whether another circle than shape i has its center nearer
// to p, or as near and a lower ID.
//
// Source: the cocos2d-x variant of the same article.
func (x *Index) CenterNearer(p r2.Vec, i int) bool {
	if !within(p) {
		return false
	}
	s := &x.shapes[i]
	d := vec.Norm2(vec.Sub(p, s.A))
	nearer := false
	x.near(p, vec.Norm(vec.Sub(p, s.A)), func(list []entry) {
		for i := range list {
			k := list[i].Piece
			if pc := &x.pieces[k]; !nearer && x.isCircle(pc) {
				e := vec.Norm2(vec.Sub(p, pc.a))
				nearer = e < d || e == d && x.shape(pc.rank).ID < s.ID
			}
		}
	})
	return nearer
}

// isCircle reports whether a piece is a whole shape and a circle.
func (x *Index) isCircle(pc *piece) bool {
	return pc.kind == circle && x.shape(pc.rank).Ring == nil
}
