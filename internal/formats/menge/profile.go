package menge

import (
	"encoding/xml"
	"maps"
	"slices"

	"github.com/8f878440/crowd/internal/textio"
)

// profile is what agents of a kind have in common.
type profile struct {
	name      string
	numbers   map[string]draw // by the name of the attribute
	obstacles float64         // the classes of obstacles that they see, as bits
}

// numbersOfAgents are the attributes that are read, with what they are if no file says.
var numbersOfAgents = map[string]struct {
	limit
	otherwise float64
}{
	"r": {aboveZero, DefaultRadius}, "pref_speed": {notNegative, DefaultPreferredSpeed},
	"max_speed": {notNegative, DefaultMaxSpeed}, "max_accel": {aboveZero, DefaultMaxAccel},
	"neighbor_dist": {notNegative, DefaultNeighborDist}, "max_neighbors": {wholeNumber, DefaultMaxNeighbors},
	"tau": {aboveZero, DefaultTau}, "tauObst": {aboveZero, DefaultTauObst},
}

// otherNumbers are those that are known and not read.
var otherNumbers = []string{"max_angle_vel", "priority"}

// profile reads a profile. It has what the one has that it inherits from, which stands before
// it.
func (r *reader) profile(t textio.Tag) error {
	if err := r.Require(t, "name"); err != nil {
		return err
	}
	p := &profile{numbers: map[string]draw{}, obstacles: 1<<30 - 1}
	a, _ := t.Attr("name")
	p.name = a.Value
	if r.p.profiles[p.name] != nil {
		return r.BadAttr(t, a, "a name that no other profile has")
	}
	if of, ok := t.Attr("inherits"); ok {
		parent := r.p.profiles[of.Value]
		if parent == nil {
			return r.BadAttr(t, of, "the name of a profile that stands before")
		}
		p.numbers, p.obstacles = maps.Clone(parent.numbers), parent.obstacles
	}
	r.p.profiles[p.name] = p
	return r.Element(t, ignore, func(c textio.Tag) error {
		return r.Element(c, func(a xml.Attr) error { return r.setting(p, c, a.Name.Local) }, func(prop textio.Tag) error {
			return r.property(p, c, prop)
		})
	})
}

// setting reads one attribute of a profile.
func (r *reader) setting(p *profile, t textio.Tag, name string) error {
	of, known := numbersOfAgents[name]
	switch {
	case known:
		x := 0.
		err := r.number(&x, t, name, of.limit)
		p.numbers[name] = constant(x)
		return err
	case name == "obstacleSet":
		return r.number(&p.obstacles, t, name, wholeNumber)
	}
	return r.Odd(t.Line, "no time_step", "attribute %s in <%s> of a profile", name, t.Name)
}

// property reads a number that differs from agent to agent.
func (r *reader) property(p *profile, in, t textio.Tag) error {
	if err := r.Require(t, "name"); err != nil {
		return err
	}
	a, _ := t.Attr("name")
	of, known := numbersOfAgents[a.Value]
	if !known {
		if !slices.Contains(otherNumbers, a.Value) {
			if err := r.Odd(t.Line, "the name of a number", "<Property> name=%q in <%s>", textio.Clip(a.Value), in.Name); err != nil {
				return err
			}
		}
		return r.Skip(t)
	}
	d, err := r.distribution(t, "", of.limit)
	if err != nil {
		return err
	}
	p.numbers[a.Value] = d
	return r.Element(t, ignore, nil)
}

// of returns a number of one agent.
func (p *profile) of(name string, h uint64) float64 {
	if d, has := p.numbers[name]; has {
		return d.of(h)
	}
	return numbersOfAgents[name].otherwise
}
