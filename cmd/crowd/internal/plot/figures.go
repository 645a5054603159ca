package plot

import (
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot/sheet"
	"github.com/8f878440/crowd/cmd/crowd/internal/quantile"
)

// chiefFigures are those that tell best how a crowd did, the first ones first.
var chiefFigures = []string{
	"mean_arrival_time", "path_ratio", "arrived_share", "collisions", "obstacle_collisions", "ns_per_agent_step",
	"speed_up", "allocs_per_step", "bytes_per_agent",
}

// figureNames returns the figure that is asked for, or the chief ones that there
// are and that differ, or the first ones.
func (p *drawing) figureNames() ([]string, error) {
	if p.X != "" {
		return []string{p.X}, p.checkColumn("--x", p.X)
	}
	all, most := p.columns(true), 6
	var names []string
	for _, name := range chiefFigures {
		if slices.Contains(all, name) && len(names) < most {
			names = append(names, name)
		}
	}
	if len(names) < 2 {
		names = all[:min(len(all), most)]
	}
	return names, nil
}

// uneven tells whether values are so far apart that a logarithmic axis is better.
func uneven(values []float64) bool {
	const far = 40
	var above []float64
	for _, x := range values {
		if x < 0 {
			return false
		}
		if x > 0 {
			above = append(above, x)
		}
	}
	return len(above) > 2 && slices.Max(above) > far*quantile.Of(above, 0.5)
}

// eachFigure draws a panel for each figure.
func (p *drawing) eachFigure(one func(groups []group, column string) *sheet.Panel) (*sheet.Sheet, error) {
	names, err := p.figureNames()
	if err != nil {
		return nil, err
	}
	groups, err := p.groups()
	if err != nil {
		return nil, err
	}
	s := &sheet.Sheet{Style: p.style, Title: p.title(), Columns: min(len(names), 3)}
	if len(names) == 4 {
		s.Columns = 2
	}
	for _, name := range names {
		s.Panels = append(s.Panels, one(groups, name))
		p.noteMissing(groups, name)
	}
	s.ShareLegend()
	return s, nil
}

// title is how much of what there is.
func (p *drawing) title() string {
	rows := 0
	for _, f := range p.files {
		rows += len(f.Table.Rows)
	}
	title := numbers.Plural(rows, p.noun())
	if len(p.files) == 1 {
		return title + " of " + p.files[0].Label
	}
	return title + " of " + numbers.Plural(len(p.files), "file")
}
