package scene

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/formats"
	"github.com/8f878440/crowd/internal/textio"
	"github.com/8f878440/crowd/systems"
)

func wanted() string {
	kinds := []string{"a scene in TOML"}
	for i := range foreignFormats {
		if what := foreignFormats[i].What; what != "" {
			kinds = append(kinds, what)
		}
	}
	return "want " + textio.Alternatives("?", kinds, nil)
}

// foreign returns the scene of a file from another program. If the file does not specify how agents
// steer, they walk according to model m.
func foreign(f *formats.Crowd, m Model) *Scene {
	s := &Scene{
		Name: f.Name, Text: f.Text, Notes: f.Notes, Try: f.Try, Featured: f.Featured, Files: f.Files, Warnings: f.Warnings, Recorded: f.Recorded,
		Seed: f.Seed, Dt: f.Dt, Steps: int(max(1, min(f.Steps, maxSteps))), Box: f.Box, Zones: f.Zones, Lines: f.Lines, Areas: f.Areas,
	}
	if f.Wraps {
		s.Bounds = systems.BoundsWrap
	}
	if f.Own || f.Jams {
		s.ColorBy = ColorByGroup
	}
	o := &s.Obstacles
	o.Polygons = f.Polygons
	for _, disc := range f.Circles {
		o.Circles = append(o.Circles, Circle{disc.Center, disc.Radius})
	}
	o.addWalls(f.Walls)
	for _, b := range f.Boxes {
		o.Boxes = append(o.Boxes, Box{Box: b})
	}
	for i := range f.Groups {
		s.Groups = append(s.Groups, foreignGroup(&f.Groups[i], f))
	}
	if !f.Own {
		s.steer(m)
	}
	for i := range s.Groups {
		from, g := &f.Groups[i], &s.Groups[i]
		if from.FieldCell > 0 {
			g.Way, g.FieldCell = Field, from.FieldCell
		}
		if orca, has := Behavior[c.ORCA](g); has && from.ORCA != nil {
			from.ORCA(&orca)
			g.Set(orca)
		}
	}
	return s
}

func foreignGroup(from *formats.Group, f *formats.Crowd) Group {
	var g Group
	if f.Own {
		g = People("", 0, Place{})
	} else {
		g.Radius, g.MaxSpeed, g.MaxForce, g.Delay = foreignValue(from.Radius), foreignValue(from.MaxSpeed), foreignValue(from.MaxForce), foreignValue(from.Delay)
	}
	g.Name, g.Count, g.Velocity, g.Itineraries = from.Name, from.Count, from.Velocity, from.Itineraries
	g.At = foreignPlace(&from.At, true)
	if n := from.Normal; n != nil {
		g.MaxSpeed = Value{Spread: &Spread{Distribution: Normal, Mean: n.Mean, SD: n.SD, Min: n.Min, Max: n.Max}}
	}
	if e := from.Every; e != nil {
		g.Source = &Source{From: e.From, Until: e.Until, Every: Same(e.Interval), AtOnce: e.AtOnce}
	} else if len(from.Come) > 0 {
		g.Source = &Source{AtOnce: 1, Schedule: from.Come}
	}
	if from.Target != nil {
		target := foreignPlace(from.Target, false)
		g.Target = &target
	}
	if from.Then != formats.Nothing {
		if g.Goal == nil {
			g.Goal = &Goal{}
		}
		g.Goal.Then = [...]Then{formats.Stay: Stay, formats.Leave: Leave, formats.Again: Again, formats.Repeat: Repeat}[from.Then]
		if len(from.Reach) > 0 {
			g.Goal.Radius = foreignValue(from.Reach)
		}
	}
	if f.Jams {
		g.Set(jamORCA)
	}
	return g
}

func foreignPlace(from *formats.Place, byArea bool) Place {
	p := Place{Points: from.Points, Box: from.Box, Clear: from.Clear}
	if d := from.Disc; d != nil {
		p.Disc = &Disc{d.Center, d.Radius}
	}
	for _, b := range from.Boxes {
		e := Exit{Box: b}
		if byArea {
			e.Weight = (b.Max.X - b.Min.X) * (b.Max.Y - b.Min.Y)
		}
		p.Exits = append(p.Exits, e)
	}
	return p
}

func foreignValue(all []float64) Value {
	if len(all) == 1 {
		return Same(all[0])
	}
	return Value{Each: all}
}
