package plot

import (
	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot/data"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot/sheet"
)

// motionSheet makes a picture of trajectories.
func (p *drawing) motionSheet(panels ...*sheet.Panel) *sheet.Sheet {
	s := &sheet.Sheet{Style: p.style, Panels: panels, Columns: min(2, len(panels))}
	m := p.files[0].Motion
	s.Title = p.files[0].Label
	if len(p.files) > 1 {
		s.Title = numbers.Plural(len(p.files), "run")
	} else {
		last := m.Times.Kept[len(m.Times.Kept)-1].Time
		s.Caption = []string{numbers.Plural(m.Agents, "agent") + ", " + numbers.Figure(m.Times.Kept[0].Time) + " to " + numbers.Figure(last) + " s"}
	}
	for _, f := range p.files {
		if m := f.Motion; m.Skipped > 0 {
			p.note("%s of %s rows of %s have a number that is missing or not finite", numbers.Thousands(m.Skipped), numbers.Thousands(m.Rows), f.Label)
		}
		if f.Motion.Unplaced > 0 {
			p.note("distances and ways are of the first %s agents of %s", numbers.Thousands(data.MostPlaced), f.Label)
		}
	}
	return s
}

func (p *drawing) motionOverview() (*sheet.Sheet, error) {
	return p.motionSheet(p.speedOverTime(), p.agentsOverTime(), p.distanceOverTime(), p.waysPanel(p.files)), nil
}

func (p *drawing) motionSpeed() (*sheet.Sheet, error) {
	return p.motionSheet(p.speedOverTime()), nil
}

func (p *drawing) motionAgents() (*sheet.Sheet, error) {
	return p.motionSheet(p.agentsOverTime()), nil
}

func (p *drawing) motionDistance() (*sheet.Sheet, error) {
	return p.motionSheet(p.distanceOverTime()), nil
}

func (p *drawing) motionWays() (*sheet.Sheet, error) {
	if len(p.files) == 1 {
		s := p.motionSheet(p.waysPanel(p.files))
		s.Row = sheet.RowHeight * 2
		return s, nil
	}
	var panels []*sheet.Panel
	for i := range p.files {
		out := p.waysPanel(p.files[i : i+1])
		out.Title.Text = p.files[i].Label
		panels = append(panels, out)
	}
	s := p.motionSheet(panels...)
	s.Row = sheet.RowHeight * 5 / 4
	return s, nil
}
