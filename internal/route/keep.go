package route

import "github.com/8f878440/crowd/internal/archive"

// Keep keeps which corners have been asked for their links. The links are found again on reading: they
// follow from the index, but who asks first has the work.
func (g *Graph) Keep(a *archive.Archive) {
	asked := make([]bool, len(g.links))
	for i := range g.links {
		asked[i] = g.links[i] != nil
	}
	a.Keep(&asked)
	if !a.Reading() || a.Err() != nil {
		return
	}
	if len(asked) != len(g.links) {
		a.Fail("graph has %d corners, want %d", len(asked), len(g.links))
		return
	}
	for i := range asked {
		if asked[i] {
			g.linksOf(i)
		}
	}
}
