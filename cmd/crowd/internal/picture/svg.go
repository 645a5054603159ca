package picture

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"strings"

	"gonum.org/v1/gonum/spatial/r2"
)

// MaxSVG is the maximum number of agents and legs of wakes in an SVG. Programs open larger files slowly.
const MaxSVG = 200_000

// ErrTooLarge is the error that CheckSVG and WriteSVG wrap for more than MaxSVG shapes.
var ErrTooLarge = errors.New("the SVG is too large")

// CheckSVG returns an error that wraps ErrTooLarge for more than MaxSVG shapes.
func CheckSVG(shapes int) error {
	if shapes > MaxSVG {
		return fmt.Errorf("%w: %d shapes, want at most %d; choose .png, or show a smaller part", ErrTooLarge, shapes, MaxSVG)
	}
	return nil
}

// WriteSVG writes the picture of c as SVG. Unless o.Heat is set, the error wraps ErrTooLarge if more than
// MaxSVG agents and legs of wakes are in view.
func WriteSVG(to io.Writer, c *Crowd, o Options) error {
	s := compose(c, o)
	f, size := s.frame, s.size
	seen, strokes := s.spots.seen(c.Agents, f), strokesOf(f, c.Wakes, s.colors, s.spots)
	if o.Heat == nil {
		if err := CheckSVG(len(seen) + len(strokes)); err != nil {
			return err
		}
	}
	v := &vectors{w: bufio.NewWriter(to), em: s.em, theme: s.colors.theme}
	v.put(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="Go, Helvetica, Arial, sans-serif" stroke-linejoin="round">`+"\n",
		size.X, size.Y, size.X, size.Y)
	if title := strings.Join(strings.Fields(c.Title), " "); title != "" {
		v.put("<title>%s</title>\n", escaped(title))
	}
	s.drawGround(v, c)
	v.within(f.bounds, func() {
		if o.Heat != nil {
			img := image.NewRGBA(f.bounds)
			newHeatMap(f, s.heat).draw(img, c.Agents)
			v.image(img)
		}
		s.drawAbove(v, c)
		if o.Heat == nil {
			for _, t := range strokes {
				v.stroke(line{color: s.colors.color(t.value), width: (t.widths[0] + t.widths[1]) / 2, opacity: (t.opacities[0] + t.opacities[1]) / 2}, []r2.Vec{t.a, t.b})
			}
			s.drawAgents(v, c.Agents, seen)
		}
	})
	if s.legend != nil {
		s.legend.draw(v, size.Y, c, s.spots.enlarged)
	}
	v.put("</svg>\n")
	return v.w.Flush()
}

func (s *sheet) drawAgents(to pen, agents []Agent, rows []int) {
	for _, large := range [2]bool{false, true} {
		for _, i := range rows {
			a := &agents[i]
			at, r, c := s.frame.at(a.Position), length(a.Radius)*s.frame.scale, s.colors.color(s.colors.of(a))
			switch {
			case large != (r > leastPuck):
			case large:
				to.puck(at, r, a.Heading, c)
			default:
				to.disc(at, max(r, s.spots.least), c, s.spots.opacity(r))
			}
		}
	}
}

type vectors struct {
	w     *bufio.Writer // Flush returns the first error
	em    float64       // pixels
	theme *theme
	clips int
}

func (v *vectors) put(format string, args ...any) { fmt.Fprintf(v.w, format, args...) }

func along(lines [][]r2.Vec, end string) string {
	var d strings.Builder
	for _, line := range lines {
		for i, p := range line {
			fmt.Fprintf(&d, "%c%s %s", "ML"[min(i, 1)], short(p.X), short(p.Y))
		}
		if len(line) > 0 {
			d.WriteString(end)
		}
	}
	return d.String()
}

// opaque returns an attribute for an opacity, or "" for 1.
func opaque(name string, opacity float64) string {
	if opacity >= 1 {
		return ""
	}
	return fmt.Sprintf(` %s="%s"`, name, short(opacity))
}

func (v *vectors) fill(c color.RGBA, opacity float64, rings ...[]r2.Vec) {
	if d := along(rings, "Z"); d != "" && opacity > 0 {
		v.put(`<path d="%s" fill="%s"%s/>`+"\n", d, hex(c), opaque("fill-opacity", opacity))
	}
}

func (v *vectors) stroke(l line, paths ...[]r2.Vec) {
	dashes := ""
	if l.dash > 0 {
		dashes = fmt.Sprintf(` stroke-dasharray="%s %s"`, short(l.dash), short(l.gap))
	}
	if d := along(paths, ""); d != "" {
		v.put(`<path d="%s" fill="none" stroke="%s"%s stroke-width="%s"%s/>`+"\n",
			d, hex(l.color), opaque("stroke-opacity", l.opacity), short(l.width), dashes)
	}
}

func (v *vectors) disc(p r2.Vec, r float64, c color.RGBA, opacity float64) {
	v.put(`<circle cx="%s" cy="%s" r="%s" fill="%s"%s/>`+"\n", short(p.X), short(p.Y), short(r), hex(c), opaque("opacity", opacity))
}

func (v *vectors) within(r image.Rectangle, draw func()) {
	v.clips++
	v.put(`<clipPath id="clip%d"><rect x="%d" y="%d" width="%d" height="%d"/></clipPath><g clip-path="url(#clip%[1]d)">`+"\n",
		v.clips, r.Min.X, r.Min.Y, r.Dx(), r.Dy())
	draw()
	v.put("</g>\n")
}

func (v *vectors) image(img *image.RGBA) {
	b := img.Rect
	var data bytes.Buffer
	_ = png.Encode(&data, img) // writing to a buffer does not fail
	v.put(`<image x="%d" y="%d" width="%d" height="%d" href="data:image/png;base64,%s"/>`+"\n",
		b.Min.X, b.Min.Y, b.Dx(), b.Dy(), base64.StdEncoding.EncodeToString(data.Bytes()))
}

func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

func short(x float64) string { return numberLabel(math.Round(x*100) / 100) }

func escaped(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // writing to a builder does not fail
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
		short(x), short(y), short(faceSizes[f]*v.em), hex(c), weight, anchor, escaped(s))
}

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
		v.disc(p, r, edge, 1)
	}
	v.disc(p, r-line, fill, 1)
}
