package render

import (
	"github.com/8f878440/crowd/world/view"
	"gonum.org/v1/gonum/spatial/r2"
)

// View returns what a live view shows of recorded people; nil: there are none.
func (p *People) View() *view.Beside {
	if p == nil {
		return nil
	}
	return &view.Beside{
		Name: p.Name, People: len(p.People), Radius: BesideRadius, Box: p.Box(), End: p.End - p.from,
		At: func(t float64, show func(at, ahead r2.Vec)) {
			at := p.Time(t)
			for person, place := range p.There(at) {
				_, ahead := moves(person, at)
				show(place, ahead)
			}
		},
	}
}
