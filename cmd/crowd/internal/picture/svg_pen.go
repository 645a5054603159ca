package picture

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

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
