package field

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/path"
	"gonum.org/v1/gonum/graph/simple"
)

// lattice is a grid as a graph of gonum, with eight neighbors a cell.
type lattice struct{ n int }

func (l lattice) Node(id int64) graph.Node { return simple.Node(id) }
func (l lattice) From(id int64) graph.Nodes {
	var all []graph.Node
	x, y := int(id)%l.n, int(id)/l.n
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			if (dx != 0 || dy != 0) && x+dx >= 0 && x+dx < l.n && y+dy >= 0 && y+dy < l.n {
				all = append(all, simple.Node((y+dy)*l.n+x+dx))
			}
		}
	}
	return &nodes{all, -1}
}
func (l lattice) Edge(u, v int64) graph.Edge { return nil }
func (l lattice) Weight(u, v int64) (float64, bool) {
	dx, dy := u%int64(l.n)-v%int64(l.n), u/int64(l.n)-v/int64(l.n)
	return math.Sqrt(float64(dx*dx + dy*dy)), true
}

type nodes struct {
	all []graph.Node
	at  int
}

func (n *nodes) Next() bool       { n.at++; return n.at < len(n.all) }
func (n *nodes) Node() graph.Node { return n.all[n.at] }
func (n *nodes) Len() int         { return len(n.all) - n.at - 1 }
func (n *nodes) Reset()           { n.at = -1 }

func BenchmarkGonum(b *testing.B) {
	for b.Loop() {
		path.DijkstraFrom(simple.Node(500*1000+500), lattice{1000})
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1e6, "ns/cell")
}
