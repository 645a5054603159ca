package steerbench

import (
	"strconv"

	"github.com/8f878440/crowd/internal/formats"
	"github.com/8f878440/crowd/internal/textio"
	"gonum.org/v1/gonum/spatial/r2"
)

type reader struct {
	*textio.Reader
	formats.Options
	test   *TestCase
	agents int // including those of regions
	aims   int // number of goals of these agents
	random int // number of obstacles of regions
	names  []mention
}

type mention struct {
	name string
	line int
}

// testCase reads the root element. The header must come first, because agents depend on the bounds of
// the world.
func (r *reader) testCase(t textio.Tag) error {
	r.test.Line = t.Line
	header := false
	err := r.Element(t, func(c textio.Tag) error {
		switch {
		case c.Name == "header" && header:
			return textio.ErrSecond
		case c.Name == "header":
			header = true
			return r.header(c)
		case !header:
			return r.Fail(c.Line, "<%s> before <header>: want the header first", c.Name)
		}
		switch c.Name {
		case "agent", "agentEmitter", "agentRegion":
			return r.crowd(c)
		default:
			return r.obstacles(c)
		}
	})
	if err == nil && !header {
		err = r.Fail(t.Line, "<%s> without <header>: want one", t.Name)
	}
	return err
}

func (r *reader) header(t textio.Tag) error {
	_, err := r.fields(t, func(c textio.Tag) (err error) {
		switch c.Name {
		case "version":
			version, err := r.Text(c)
			if err != nil || version == "1.0" || version == "1.1" || version == "1.2" {
				return err
			}
			return r.Odd(c.Line, "1.0, 1.1 or 1.2", "<version> %q", textio.Clip(version))
		case "name":
			r.test.Name, err = r.Text(c)
		case "worldBounds":
			r.test.Bounds, err = r.box(c)
		}
		return err
	})
	return err
}

func (r *reader) checkNames() error {
	find := r.test.finder()
	for _, m := range r.names {
		if find(m.name) < 0 {
			err := r.Odd(m.line, "the name of an agent, or its number in the file, from 0", "<targetName> %q", textio.Clip(m.name))
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// fields reads the children of t, each of which may occur at most once, and returns which of them occurred.
func (r *reader) fields(t textio.Tag, read func(textio.Tag) error, needed ...string) (seen map[string]bool, err error) {
	seen = map[string]bool{}
	err = r.Element(t, func(c textio.Tag) error {
		if seen[c.Name] {
			return textio.ErrSecond
		}
		seen[c.Name] = true
		return read(c)
	})
	for _, name := range needed {
		if err == nil && !seen[name] {
			err = r.Fail(t.Line, "<%s> without <%s>: want one", t.Name, name)
		}
	}
	return seen, err
}

var finite = textio.AnyNumber("a finite number")

func (r *reader) number(dst *float64, t textio.Tag, l textio.Limit) error {
	text, err := r.Text(t)
	if err != nil {
		return err
	}
	x, want := l.Parse(text)
	if want != "" {
		return r.bad(t, text, want)
	}
	*dst = x
	return nil
}

func (r *reader) count(dst *int, t textio.Tag) error {
	text, err := r.Text(t)
	if err != nil {
		return err
	}
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return r.bad(t, text, "a whole number from 0 to 2147483647")
	}
	*dst = int(n)
	return nil
}

func (r *reader) boolean(t textio.Tag) (bool, error) {
	text, err := r.Text(t)
	if err == nil && text != "true" && text != "false" {
		err = r.bad(t, text, "true or false")
	}
	return text == "true", err
}

func (r *reader) point(t textio.Tag) (v r2.Vec, random bool, err error) {
	var y float64
	axes := map[string]*float64{"x": &v.X, "y": &y, "z": &v.Y}
	seen, err := r.fields(t, func(c textio.Tag) (err error) {
		if axis := axes[c.Name]; axis != nil {
			return r.number(axis, c, finite)
		}
		random, err = r.boolean(c)
		return err
	})
	if err != nil {
		return v, random, err
	}
	const want = "either <x>, <y> and <z>, or <random>true</random>"
	switch tuple := seen["x"] && seen["y"] && seen["z"]; {
	case random && (seen["x"] || seen["y"] || seen["z"]):
		err = r.Fail(t.Line, "<%s> with both a place and random: want %s", t.Name, want)
	case !random && !tuple:
		err = r.Fail(t.Line, "<%s> without a place: want %s", t.Name, want)
	}
	return v, random, err
}

// box reads a box, whose ends may be in the wrong order.
func (r *reader) box(t textio.Tag) (b r2.Box, err error) {
	var ymin, ymax float64
	ends := map[string]*float64{
		"xmin": &b.Min.X, "xmax": &b.Max.X, "ymin": &ymin, "ymax": &ymax, "zmin": &b.Min.Y, "zmax": &b.Max.Y,
	}
	_, err = r.fields(t, func(c textio.Tag) error {
		return r.number(ends[c.Name], c, finite)
	}, "xmin", "xmax", "ymin", "ymax", "zmin", "zmax")
	return b.Canon(), err
}

func (r *reader) bad(t textio.Tag, text, want string) error {
	return r.Fail(t.Line, "<%s> %q: want %s", t.Name, textio.Clip(text), want)
}
