package picture

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r2"
)

type legend struct {
	*sheet
	margin, height int // pixels
	width          int // pixels, of the picture
	about          []string
	rows           [][]block
	letters        letters
	columns        [][]symbol
	columnWidths   []float64
}

// A block is a part of the legend. The widths of all blocks determine the height of the legend.
type block struct {
	width float64
	draw  func(to pen, at r2.Vec, c *Crowd, enlarged bool)
}

type symbol struct {
	label string
	draw  func(to pen, middle r2.Vec)
}

// Dimensions of the legend, in em.
const (
	marginEm  = 0.9
	rowEm     = 3.5
	gapEm     = 2.2 // between two blocks
	barEm     = 8.0 // longest scale bar
	scaleEm   = 13.0
	wheelEm   = 7.8
	aboutEm   = 1.3  // height of a line
	symbolEm  = 1.6  // from a symbol to its label
	symbolRow = 1.18 // height of a row
)

const (
	mostAbout  = 2 // lines of Crowd.About
	symbolRows = 3 // in a column
)

func newLegend(c *Crowd, s *sheet, pixels int, heat, field bool) *legend {
	em := s.em
	g := &legend{sheet: s, width: pixels, margin: int(marginEm*em + 0.5), letters: newLetters(em)}
	room := g.room()
	title, caption := g.headline(c)
	var blocks []block
	widest := g.letters.fit(textFace, c.Widest, room)
	if w := max(g.letters.width(titleFace, title), g.letters.width(textFace, caption), g.letters.width(textFace, widest)); w > 0 {
		blocks = append(blocks, block{w, g.drawTitle})
	}
	if w := g.arrange(g.symbolsOf(c, heat)); w > 0 {
		blocks = append(blocks, block{w, g.drawSymbols})
	}
	blocks = append(blocks, block{barEm * em, g.drawScaleBar})
	switch {
	case heat:
		blocks = append(blocks, block{scaleEm * em, g.drawDensity})
	case s.colors.by == Speed:
		blocks = append(blocks, block{scaleEm * em, g.drawSpeed})
	case s.colors.by == Heading:
		blocks = append(blocks, block{wheelEm * em, g.drawWheel})
	}
	if field {
		blocks = append(blocks, block{scaleEm * em, g.drawField})
	}
	used := math.Inf(1)
	for _, b := range blocks {
		if used+b.width > room {
			g.rows = append(g.rows, nil)
			used = 0
		}
		last := len(g.rows) - 1
		g.rows[last] = append(g.rows[last], b)
		used += b.width + gapEm*em
	}
	g.about = g.letters.wrap(textFace, c.About, room, mostAbout)
	g.height = int((marginEm*(float64(len(g.rows))+1)+rowEm*float64(len(g.rows))+g.aboutHeight())*em + 0.5)
	return g
}

func (g *legend) aboutHeight() float64 {
	if len(g.about) == 0 {
		return 0
	}
	return marginEm/2 + aboutEm*float64(len(g.about))
}

func (g *legend) room() float64 { return float64(g.width - 2*g.margin) }

func (g *legend) headline(c *Crowd) (title, caption string) {
	return g.letters.fit(titleFace, c.Title, g.room()), g.letters.fit(textFace, c.Caption, g.room())
}

func (g *legend) draw(to pen, height int, c *Crowd, enlarged bool) {
	y := float64(height-g.height) + marginEm*g.em
	for i, line := range g.about {
		to.text(textFace, g.colors.theme.ink, line, float64(g.margin), y+(0.95+aboutEm*float64(i))*g.em, false)
	}
	y += g.aboutHeight() * g.em
	for _, row := range g.rows {
		free := g.room()
		for _, b := range row {
			free -= b.width
		}
		gap := free / float64(max(len(row)-1, 1))
		x := float64(g.margin)
		for _, b := range row {
			b.draw(to, r2.Vec{X: x, Y: y}, c, enlarged)
			x += b.width + gap
		}
		y += (rowEm + marginEm) * g.em
	}
}

func (g *legend) drawTitle(to pen, at r2.Vec, c *Crowd, _ bool) {
	title, caption := g.headline(c)
	titleAt, captionAt := 1.45, 3.05
	if title == "" {
		captionAt = 2.2
	} else if caption == "" {
		titleAt = 2.2
	}
	to.text(titleFace, g.colors.theme.ink, title, at.X, at.Y+titleAt*g.em, false)
	to.text(textFace, g.colors.theme.faintInk, caption, at.X, at.Y+captionAt*g.em, false)
}

const (
	agentLabel    = "agent"
	enlargedLabel = "agent (enlarged)"
)

func (g *legend) symbolsOf(c *Crowd, heat bool) (s []symbol) {
	t, r, half := g.colors.theme, 0.38*g.em, r2.Vec{X: 0.5 * g.em}
	add := func(shown bool, label string, draw func(to pen, p r2.Vec)) {
		if shown {
			s = append(s, symbol{label, draw})
		}
	}
	puck := func(heading r2.Vec, fill color.RGBA) func(to pen, p r2.Vec) {
		return func(to pen, p r2.Vec) { to.puck(p, r, heading, fill) }
	}
	square := func(p r2.Vec, half float64) []r2.Vec { return rect(p.X-half, p.Y-half, p.X+half, p.Y+half) }
	ahead := r2.Vec{X: 1}
	switch {
	case heat || len(c.Agents) == 0:
	case g.colors.by == Group && len(c.Groups) > 1:
		for i, name := range c.Groups {
			add(true, name, puck(ahead, groupColor(i)))
		}
	default:
		example := Agent{Heading: ahead, Speed: 0.6 * g.colors.maxSpeed}
		add(true, agentLabel, puck(ahead, g.colors.color(g.colors.of(&example))))
	}
	if slices.ContainsFunc(c.Obstacles, func(o Obstacle) bool { return o.A != o.B || o.polygon() }) {
		add(true, "obstacle", func(to pen, p r2.Vec) {
			to.fill(t.rim, 1, square(p, r))
			to.fill(t.solid, 1, square(p, r-goalLine(g.em)))
		})
	} else {
		add(len(c.Obstacles) > 0, "obstacle", puck(r2.Vec{}, t.solid))
	}
	add(slices.ContainsFunc(c.Doors, func(d Door) bool { return !d.Open }), "door", func(to pen, p r2.Vec) {
		high := max(0.12*g.em, 1)
		to.fill(t.door, 1, rect(p.X-half.X, p.Y-high, p.X+half.X, p.Y+high))
	})
	add(slices.ContainsFunc(c.Doors, func(d Door) bool { return d.Open }), "open door", func(to pen, p r2.Vec) {
		drawOpenDoor(to, r2.Sub(p, half), r2.Add(p, half), g.em, t)
	})
	add(len(c.Zones) > 0 && !heat, "zone", g.tinted(t.faintInk, zoneFloor, zoneEdge))
	add(len(c.Portals) > 0 && !heat, "portal", g.tinted(t.path, portalFloor, portalEdge))
	if len(c.Goals) > 0 {
		add(g.targets, "goal", g.tinted(g.colors.goalColor(&c.Goals[0]), goalFloor, goalEdge))
	}
	add(len(c.Targets) > 0 && g.targets, "target", func(to pen, p r2.Vec) { markFor(1, g.em).draw(to, t.goal, false, p) })
	add(len(c.Dangers) > 0 && g.targets, "danger", func(to pen, p r2.Vec) { markFor(1, g.em).draw(to, t.danger, true, p) })
	add(len(c.Trips) > 0 && !heat, "start", g.symbolStart)
	add(len(c.Trips) > 0 && !heat, "goal", g.symbolGoal)
	add(g.paths, "path", g.symbolPath)
	return s
}

func (g *legend) tinted(c color.RGBA, floor, edge float64) func(to pen, p r2.Vec) {
	return func(to pen, p r2.Vec) {
		tinted(to, grow(r2.Box{Min: p, Max: p}, 0.42*g.em), g.em, c, floor, edge)
	}
}

func (g *legend) symbolPath(to pen, p r2.Vec) {
	l := pathLine(g.em, g.colors.theme)
	l.dash, l.gap = 0.32*g.em, 0.56*g.em
	to.stroke(l, []r2.Vec{{X: p.X - 0.6*g.em, Y: p.Y}, {X: p.X + 0.6*g.em, Y: p.Y}})
	to.disc(p, waypointSize(g.em), l.color, 1)
}

func (g *legend) symbolStart(to pen, p r2.Vec) {
	s, c := tripStyleOf(g.em), groupColor(0)
	to.fill(c, 1, rect(p.X, p.Y-s.line/2, p.X+0.6*g.em, p.Y+s.line/2))
	to.disc(p, s.dot, c, 1)
}

func (g *legend) symbolGoal(to pen, p r2.Vec) {
	s, c := tripStyleOf(g.em), groupColor(0)
	to.fill(c, 1, rect(p.X-0.6*g.em, p.Y-s.line/2, p.X, p.Y+s.line/2))
	s.drawGoal(to, p, c, g.colors.theme.paper)
}

// arrange puts symbols in columns and returns the total width. A count replaces the symbols that do not fit
// in half of the room.
func (g *legend) arrange(symbols []symbol) (total float64) {
	for len(symbols) > 0 {
		n := min(symbolRows, len(symbols))
		widest := 0.0
		for i := range symbols[:n] {
			label := &symbols[i].label
			if *label == agentLabel {
				widest = max(widest, g.letters.width(smallFace, enlargedLabel))
			}
			*label = g.letters.fit(smallFace, *label, g.room()/3)
			widest = max(widest, g.letters.width(smallFace, *label))
		}
		widest += symbolEm * g.em
		if total > 0 && total+widest+g.em > g.room()/2 {
			last := g.columns[len(g.columns)-1]
			last[len(last)-1] = symbol{fmt.Sprintf("and %d more", len(symbols)+1), func(pen, r2.Vec) {}}
			break
		}
		if total > 0 {
			total += g.em
		}
		total += widest
		g.columns = append(g.columns, symbols[:n])
		g.columnWidths = append(g.columnWidths, widest)
		symbols = symbols[n:]
	}
	return total
}

func (g *legend) drawSymbols(to pen, at r2.Vec, _ *Crowd, enlarged bool) {
	for i, column := range g.columns {
		y := at.Y + (rowEm-symbolRow*float64(len(g.columns[0])-1))/2*g.em
		for _, s := range column {
			label := s.label
			if label == agentLabel && enlarged {
				label = enlargedLabel
			}
			s.draw(to, r2.Vec{X: at.X + symbolEm/3*g.em, Y: y})
			to.text(smallFace, g.colors.theme.ink, label, at.X+symbolEm*g.em, y+0.3*g.em, false)
			y += symbolRow * g.em
		}
		at.X += g.columnWidths[i] + g.em
	}
}

func (g *legend) drawScaleBar(to pen, at r2.Vec, c *Crowd, _ bool) {
	ink := g.colors.theme.ink
	meters := RoundBelow(barEm * g.em / g.frame.scale)
	px := meters * g.frame.scale
	line := max(g.em/9, 1)
	x := at.X + (barEm*g.em-px)/2
	base := at.Y + 2.1*g.em
	to.fill(ink, 1, rect(x, base-line/2, x+px, base+line/2))
	for _, end := range [2]float64{x, x + px - line} {
		to.fill(ink, 1, rect(end, base-0.35*g.em, end+line, base-line/2))
		to.fill(ink, 1, rect(end, base+line/2, end+line, base+0.35*g.em))
	}
	to.text(smallFace, ink, Length(meters, c), x+px/2, base-0.7*g.em, true)
}

func (c *Crowd) unit() string {
	if c.Pixels {
		return "px"
	}
	return "m"
}

func (g *legend) drawSpeed(to pen, at r2.Vec, c *Crowd, _ bool) {
	time := "s"
	if c.Frames {
		time = "step"
	}
	g.drawScale(to, at, "speed, "+c.unit()+"/"+time, g.colors.scale, g.colors.maxSpeed)
}

func (g *legend) drawDensity(to pen, at r2.Vec, c *Crowd, _ bool) {
	g.drawScale(to, at, "density, agents/"+c.unit()+"²", g.heat.scale, g.heat.top)
}

func (g *legend) drawField(to pen, at r2.Vec, c *Crowd, _ bool) {
	s, label := g.field, "distance to the goal"
	if c.Field.Slowed {
		label += " with delays"
	}
	g.drawScale(to, at, label+", "+c.unit(), s.scale, s.top)
	x0, x1 := math.Floor(at.X+0.5*g.em), math.Floor(at.X+(scaleEm-0.5)*g.em)
	for k := 1.; k*s.every < s.top*(1-1e-9); k++ {
		x := x0 + math.Floor(k*s.every/s.top*(x1-x0-s.line)+0.5)
		to.fill(s.contour(k*s.every, g.colors.theme), 1, rect(x, math.Floor(at.Y+1.35*g.em), x+math.Ceil(s.line), math.Floor(at.Y+2.2*g.em)))
	}
}

func (g *legend) drawScale(to pen, at r2.Vec, label string, s *scale, top float64) {
	ink := g.colors.theme.ink
	x0, x1 := math.Floor(at.X+0.5*g.em), math.Floor(at.X+(scaleEm-0.5)*g.em)
	y0, y1 := math.Floor(at.Y+1.35*g.em), math.Floor(at.Y+2.2*g.em)
	to.text(smallFace, ink, label, x0, at.Y+0.9*g.em, false)
	bar := image.NewRGBA(image.Rect(int(x0), int(y0), int(x1), int(y1)))
	for i := range bar.Rect.Dx() {
		c := s[i*topLevel/max(bar.Rect.Dx()-1, 1)]
		draw.Draw(bar, image.Rect(bar.Rect.Min.X+i, bar.Rect.Min.Y, bar.Rect.Min.X+i+1, bar.Rect.Max.Y), image.NewUniform(c), image.Point{}, draw.Src)
	}
	to.image(bar)
	step := RoundBelow(top / 3)
	thick := max(math.Floor(g.em/14), 1)
	for i := 0; float64(i)*step <= top*(1+1e-9); i++ {
		v := float64(i) * step
		tick := x0 + math.Floor(v/top*(x1-x0-thick)+0.5)
		to.fill(ink, 1, rect(tick, y1, tick+thick, y1+math.Floor(0.3*g.em)))
		to.text(smallFace, ink, numberLabel(v), tick+thick/2, y1+1.15*g.em, true)
	}
}

func (g *legend) drawWheel(to pen, at r2.Vec, _ *Crowd, _ bool) {
	outer := rowEm / 2 * g.em
	middle := r2.Vec{X: at.X + outer, Y: at.Y + outer}
	const sectors = 64
	for i := range sectors {
		var ring []r2.Vec
		for _, edge := range [4][2]float64{{-0.52, outer}, {0.52, outer}, {0.52, outer / 2}, {-0.52, outer / 2}} { // with a small overlap
			sin, cos := math.Sincos(2 * math.Pi * (float64(i) + edge[0]) / sectors)
			ring = append(ring, r2.Vec{X: middle.X + edge[1]*cos, Y: middle.Y - edge[1]*sin})
		}
		to.fill(g.colors.scale[i*(topLevel+1)/sectors], 1, ring)
	}
	to.text(smallFace, g.colors.theme.ink, "heading", at.X+2*outer+0.6*g.em, middle.Y+0.3*g.em, false)
}
