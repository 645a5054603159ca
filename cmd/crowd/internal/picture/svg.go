package picture

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/spatial/r2"
)

// MaxSVG is how many shapes an SVG may have: more are slow to open anywhere.
const MaxSVG = 200_000

// ErrTooLarge is the error of an SVG with more than MaxSVG shapes.
var ErrTooLarge = errors.New("the SVG is too large")

// WriteSVG writes the picture of c as SVG: the same as Draw's, in shapes. It
// returns an error when an option is out of range, when there are more than
// MaxSVG shapes in view, or when to can't be written.
func WriteSVG(to io.Writer, c *Crowd, o Options) error {
	if err := o.Validate(); err != nil {
		return err
	}
	p := &Painter{o: o, sheet: compose(c, o)}
	p.colors = p.sheet.colors
	p.spots = spottingFor(p.sheet.frame, c.Agents, o.MinRadius)
	w := &vectors{w: bufio.NewWriter(to), sheet: &p.sheet, theme: p.colors.theme}
	if err := w.write(p, c); err != nil {
		return err
	}
	return w.w.Flush()
}

// vectors writes a picture as shapes, and is the pen of its legend.
type vectors struct {
	w     *bufio.Writer // which keeps its first error for Flush
	sheet *sheet
	theme *theme
	bars  int
}

// put writes some text of the file.
func (v *vectors) put(format string, args ...any) { fmt.Fprintf(v.w, format, args...) }

func (v *vectors) write(p *Painter, c *Crowd) error {
	f, t, size := v.sheet.frame, v.theme, v.sheet.size
	b := f.bounds
	seen := v.seen(c.Agents, p.spots)
	strokes := strokesOf(f, c.Wakes, p.colors, p.spots)
	if n := len(seen) + len(strokes); v.sheet.heat.scale == nil && n > MaxSVG {
		return fmt.Errorf("%w: %d shapes, want at most %d; choose .png, or show a smaller part", ErrTooLarge, n, MaxSVG)
	}
	v.put(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="Go, Helvetica, Arial, sans-serif">`+"\n",
		size.X, size.Y, size.X, size.Y)
	if title := strings.Join(strings.Fields(c.Title), " "); title != "" {
		v.put("<title>%s</title>\n", escaped(title))
	}
	v.put(`<rect width="%d" height="%d" fill="%s"/>`+"\n", size.X, size.Y, hex(t.paper))
	v.put(`<clipPath id="world"><rect x="%d" y="%d" width="%d" height="%d"/></clipPath>`+"\n", b.Min.X, b.Min.Y, b.Dx(), b.Dy())
	v.put(`<g clip-path="url(#world)">`+"\n"+`<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`+"\n", b.Min.X, b.Min.Y, b.Dx(), b.Dy(), hex(t.floor))
	if v.sheet.heat.scale != nil {
		v.density(c.Agents)
		v.obstacles(c.Obstacles)
		v.doors(c.Doors)
	} else {
		if v.sheet.field != nil {
			v.field(c.Field)
		}
		if v.sheet.targets {
			v.goals(c.Goals, p.colors)
		}
		v.zones(c.Zones, t)
		v.portals(c.Portals, t)
		v.obstacles(c.Obstacles)
		v.doors(c.Doors)
		if v.sheet.paths {
			v.paths(c.Paths)
		}
		v.ways(c.Ways)
		v.trails(c.Trails)
		if v.sheet.targets {
			v.marks(c)
		}
		v.strokes(strokes, p.colors)
		v.agents(c.Agents, seen, p)
	}
	v.put("</g>\n")
	if g := v.sheet.legend; g != nil {
		v.put(`<rect x="%g" y="%g" width="%d" height="%d" fill="none" stroke="%s"/>`+"\n",
			float64(b.Min.X)-0.5, float64(b.Min.Y)-0.5, b.Dx()+1, b.Dy()+1, hex(t.border))
		g.draw(v, size.Y, c, p.spots.enlarged)
	}
	v.put("</svg>\n")
	return nil
}

// seen returns which agents are in the frame.
func (v *vectors) seen(agents []Agent, s spotting) (rows []int) {
	f := v.sheet.frame
	for i := range agents {
		if a := &agents[i]; usable(a.Position) && f.shows(f.at(a.Position), s.reach(a, f)) {
			rows = append(rows, i)
		}
	}
	return rows
}

// agents writes spots color by color, and pucks one by one above them.
func (v *vectors) agents(agents []Agent, rows []int, p *Painter) {
	f, s := v.sheet.frame, p.spots
	fill := func(i int) color.RGBA { return p.colors.color(p.colors.of(&agents[i])) }
	var spots, pucks []int
	for _, i := range rows {
		if length(agents[i].Radius)*f.scale > leastPuck {
			pucks = append(pucks, i)
		} else {
			spots = append(spots, i)
		}
	}
	slices.SortStableFunc(spots, func(a, b int) int { return cmp.Compare(number(fill(a)), number(fill(b))) })
	for n, i := range spots {
		c := fill(i)
		if n == 0 || c != fill(spots[n-1]) {
			v.put("<g fill=%q>\n", hex(c))
		}
		at, r := f.at(agents[i].Position), length(agents[i].Radius)*f.scale
		opacity := ""
		if r < s.least {
			if share := max(s.sheer, r*r/(s.least*s.least)); share < 1 {
				opacity = fmt.Sprintf(` opacity="%s"`, short(share))
			}
		}
		v.put(`<circle cx="%s" cy="%s" r="%s"%s/>`+"\n", short(at.X), short(at.Y), short(max(r, s.least)), opacity)
		if n == len(spots)-1 || c != fill(spots[n+1]) {
			v.put("</g>\n")
		}
	}
	for _, i := range pucks {
		a := &agents[i]
		v.puck(f.at(a.Position), length(a.Radius)*f.scale, a.Heading, fill(i))
	}
}

func number(c color.RGBA) int { return int(c.R)<<16 | int(c.G)<<8 | int(c.B) }

func (v *vectors) obstacles(obstacles []Obstacle) {
	f := v.sheet.frame
	line := rimWidth(f)
	var d strings.Builder
	for i := range obstacles {
		ring := obstacles[i].outline(f)
		if len(ring) > 0 {
			ring = clip(ring, f.bounds.Inset(-int(4*line)-4))
		}
		for k, p := range ring {
			fmt.Fprintf(&d, "%c%s %s", "ML"[min(k, 1)], short(p.X), short(p.Y))
		}
		if len(ring) > 0 {
			d.WriteString("Z")
		}
	}
	if d.Len() > 0 {
		// The rim lies inside: the line is half as thick again as it looks, and the
		// solid that covers its inner half leaves no rim between those that overlap.
		v.put(`<path d="%s" fill="%s" stroke="%s" stroke-width="%s" stroke-linejoin="round"/>`+"\n", d.String(), hex(v.theme.rim), hex(v.theme.rim), short(line))
		v.put(`<path d="%s" fill="%s"/>`+"\n", d.String(), hex(v.theme.solid))
	}
}

func (v *vectors) paths(paths []Path) {
	f, s, color := v.sheet.frame, pathStyleOf(v.sheet.em), v.theme.path
	for i := range paths {
		for _, line := range paths[i].lines(f) {
			var d strings.Builder
			for k, p := range line {
				fmt.Fprintf(&d, "%c%s %s", "ML"[min(k, 1)], short(p.X), short(p.Y))
			}
			v.put(`<path d="%s" fill="none" stroke="%s" stroke-width="%s" stroke-dasharray="%s %s"/>`+"\n",
				d.String(), hex(color), short(s.line), short(s.dash), short(s.gap))
		}
	}
	for _, p := range waypointsOf(f, paths) {
		v.dot(p, s.dot, color)
	}
}

func (v *vectors) trails(trails [][]r2.Vec) {
	f := v.sheet.frame
	c := v.theme.trail
	for _, way := range trails {
		var d strings.Builder
		pen := false
		for i := range way {
			if !usable(way[i]) {
				pen = false
				continue
			}
			p := f.at(way[i])
			if pen = pen && r2.Norm(r2.Sub(p, f.at(way[i-1]))) <= longestLeg*float64(f.bounds.Dx()); pen {
				d.WriteString("L")
			} else {
				d.WriteString("M")
			}
			fmt.Fprintf(&d, "%s %s", short(p.X), short(p.Y))
			pen = true
		}
		v.put(`<path d="%s" fill="none" stroke="%s" stroke-opacity="%s" stroke-width="%s"/>`+"\n",
			d.String(), hex(color.RGBA{c.R, c.G, c.B, 0xff}), short(float64(c.A)/255), short(2*max(float64(f.bounds.Dx())/1600, 0.6)))
	}
}

func (v *vectors) strokes(strokes []stroke, c *coloring) {
	for i := range strokes {
		s := &strokes[i]
		v.put(`<path d="M%s %sL%s %s" stroke="%s" stroke-opacity="%s" stroke-width="%s"/>`+"\n", short(s.a.X), short(s.a.Y), short(s.b.X), short(s.b.Y),
			hex(c.color(s.value)), short((s.opacities[0]+s.opacities[1])/2), short((s.widths[0]+s.widths[1])/2))
	}
}

func (v *vectors) marks(c *Crowd) {
	places, m := marksOf(v.sheet.frame, v.sheet.em, c.Targets)
	for _, p := range places {
		v.target(p, m)
	}
	places, m = marksOf(v.sheet.frame, v.sheet.em, c.Dangers)
	for _, p := range places {
		v.danger(p, m)
	}
}

// density writes the heat map as an image: it has no shapes.
func (v *vectors) density(agents []Agent) {
	b := v.sheet.frame.bounds
	img := image.NewRGBA(b)
	newHeatMap(v.sheet.frame, v.sheet.heat).draw(img, agents)
	v.image(img)
}

// field writes the shading of a field as an image, and its contours as lines.
func (v *vectors) field(g *Field) {
	s, f := v.sheet.field, v.sheet.frame
	img := image.NewRGBA(f.bounds)
	draw.Draw(img, img.Rect, image.NewUniform(v.theme.floor), image.Point{}, draw.Src)
	s.shade(img, f, g)
	v.image(img)
	lines := map[float64]*strings.Builder{}
	s.contours(f, g, func(a, b r2.Vec, way float64) {
		if lines[way] == nil {
			lines[way] = &strings.Builder{}
		}
		fmt.Fprintf(lines[way], "M%s %sL%s %s", short(a.X), short(a.Y), short(b.X), short(b.Y))
	})
	for _, way := range slices.Sorted(maps.Keys(lines)) {
		v.put(`<path d="%s" fill="none" stroke="%s" stroke-width="%s" stroke-linecap="round"/>`+"\n", lines[way].String(), hex(s.contour(way, v.theme)), short(s.line))
	}
}

// image writes pixels.
func (v *vectors) image(img *image.RGBA) {
	b := img.Rect
	var data bytes.Buffer
	_ = png.Encode(&data, img) // to a buffer, which does not fail
	v.put(`<image x="%d" y="%d" width="%d" height="%d" href="data:image/png;base64,%s"/>`+"\n",
		b.Min.X, b.Min.Y, b.Dx(), b.Dy(), base64.StdEncoding.EncodeToString(data.Bytes()))
}

func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// short writes x to a hundredth.
func short(x float64) string {
	return numberLabel(math.Round(x*100) / 100)
}

// escaped returns text that stands for itself in XML.
func escaped(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // to a builder, which does not fail
	return b.String()
}

func (v *vectors) text(f face, c color.RGBA, s string, x, y float64, middle bool) {
	if s == "" {
		return
	}
	weight, anchor := "", ""
	if f == titleFace {
		weight = ` font-weight="bold"`
	}
	if middle {
		anchor = ` text-anchor="middle"`
	}
	v.put(`<text x="%s" y="%s" font-size="%s" fill="%s"%s%s>%s</text>`+"\n",
		short(x), short(y), short(faceSizes[f]*v.sheet.em), hex(c), weight, anchor, escaped(s))
}

func (v *vectors) box(x0, y0, x1, y1 float64, c color.RGBA) {
	v.put(`<rect x="%s" y="%s" width="%s" height="%s" fill="%s"/>`+"\n", short(x0), short(y0), short(x1-x0), short(y1-y0), hex(c))
}

// puck writes a disc of radius r with a line inside its edge, and a nose.
func (v *vectors) puck(p r2.Vec, r float64, heading r2.Vec, fill color.RGBA) {
	line := puckLine(r)
	edge := mix(fill, v.theme.outline, 0.55)
	if n := math.Hypot(heading.X, heading.Y); n > 0 && !math.IsInf(n, 1) {
		cos := 1 / noseReach
		sin := math.Sqrt(1 - cos*cos)
		turn := math.Atan2(-heading.Y, heading.X) * 180 / math.Pi
		v.put(`<path transform="translate(%s %s) rotate(%s)" d="M%s 0L%s %sA%s %s 0 1 1 %s %sZ" fill="%s"/>`+"\n", short(p.X), short(p.Y), short(turn),
			short(noseReach*r), short(r*cos), short(r*sin), short(r), short(r), short(r*cos), short(-r*sin), hex(edge))
	} else {
		v.put(`<circle cx="%s" cy="%s" r="%s" fill="%s"/>`+"\n", short(p.X), short(p.Y), short(r), hex(edge))
	}
	v.put(`<circle cx="%s" cy="%s" r="%s" fill="%s"/>`+"\n", short(p.X), short(p.Y), short(r-line), hex(fill))
}

func (v *vectors) dot(p r2.Vec, r float64, c color.RGBA) {
	v.put(`<circle cx="%s" cy="%s" r="%s" fill="%s"/>`+"\n", short(p.X), short(p.Y), short(r), hex(c))
}

func (v *vectors) target(p r2.Vec, m mark) {
	d := fmt.Sprintf("M%s %sh%sM%s %sv%s", short(p.X-m.arm), short(p.Y), short(2*m.arm), short(p.X), short(p.Y-m.arm), short(2*m.arm))
	v.mark(p, m, d, ringOf(m), v.theme.goal)
}

func (v *vectors) danger(p r2.Vec, m mark) {
	arm := crossOf(m)
	d := fmt.Sprintf("M%s %sl%s %sM%s %sl%s %s", short(p.X-arm), short(p.Y-arm), short(2*arm), short(2*arm),
		short(p.X-arm), short(p.Y+arm), short(2*arm), short(-2*arm))
	v.mark(p, m, d, m.arm, v.theme.danger)
}

func (v *vectors) mark(p r2.Vec, m mark, d string, ring float64, c color.RGBA) {
	v.put(`<g fill="none" stroke="%s" stroke-width="%s" opacity="%s"><path d="%s"/>`, hex(c), short(m.line), short(m.opacity), d)
	if m.ring {
		v.put(`<circle cx="%s" cy="%s" r="%s" stroke-width="%s"/>`, short(p.X), short(p.Y), short(ring), short(0.8*m.line))
	}
	v.put("</g>\n")
}

func (v *vectors) bar(x0, y0, x1, y1 float64, s *scale) {
	v.bars++
	v.put(`<linearGradient id="scale%d">`, v.bars)
	const stops = 16
	for i := range stops + 1 {
		v.put(`<stop offset="%s" stop-color="%s"/>`, short(float64(i)/stops), hex(s[i*topLevel/stops]))
	}
	v.put("</linearGradient>\n")
	v.put(`<rect x="%s" y="%s" width="%s" height="%s" fill="url(#scale%d)"/>`+"\n", short(x0), short(y0), short(x1-x0), short(y1-y0), v.bars)
}

func (v *vectors) wheel(p r2.Vec, inner, outer float64, s *scale) {
	const sectors = 64
	r, width := (inner+outer)/2, outer-inner
	for i := range sectors {
		from := 2 * math.Pi * (float64(i) - 0.52) / sectors // with a little overlap
		to := 2 * math.Pi * (float64(i) + 0.52) / sectors
		v.put(`<path d="M%s %sA%s %s 0 0 0 %s %s" fill="none" stroke="%s" stroke-width="%s"/>`+"\n",
			short(p.X+r*math.Cos(from)), short(p.Y-r*math.Sin(from)), short(r), short(r),
			short(p.X+r*math.Cos(to)), short(p.Y-r*math.Sin(to)), hex(s[i*(topLevel+1)/sectors]), short(width))
	}
}
