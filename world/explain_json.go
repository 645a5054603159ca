package world

import (
	"encoding/json"
	"math"
	"strconv"

	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"gonum.org/v1/gonum/spatial/r2"
)

// MarshalJSON encodes x as docs/report.md describes. Infinities and NaN are encoded as the strings
// Infinity, -Infinity and NaN.
func (x Explanation) MarshalJSON() ([]byte, error) {
	archetype, components, shares := []string{}, append([]Component{}, x.Components...), []any{}
	for _, comp := range x.Components {
		archetype = append(archetype, comp.Name)
	}
	for i := range x.Shares {
		shares = append(shares, x.Shares[i].json())
	}
	looks := []lookJSON(nil)
	for i := range x.Looks {
		looks = append(looks, x.Looks[i].json())
	}
	return json.Marshal(struct {
		ID         uint64      `json:"id"`
		Time       number      `json:"time"`
		Dt         number      `json:"dt"`
		Archetype  []string    `json:"archetype"`
		Components []Component `json:"components"`
		Before     stateJSON   `json:"before"`
		After      stateJSON   `json:"after"`
		Shares     []any       `json:"shares"`
		Force      vector      `json:"force"`
		Truncated  vector      `json:"truncated"`
		MaxForce   number      `json:"maxForce"`
		MaxSpeed   number      `json:"maxSpeed"`
		Mass       number      `json:"mass"`
		MovedBy    string      `json:"movedBy"`
		Looks      []lookJSON  `json:"looks,omitempty"`
		Reciprocal *choiceJSON `json:"reciprocal,omitempty"`
		Threat     *threatJSON `json:"threat"`
		LookAhead  number      `json:"lookAhead"`
		Arrives    bool        `json:"arrives"`
		Leaves     bool        `json:"leaves"`
		Skipped    []string    `json:"skipped,omitempty"`
		LeftOut    []string    `json:"leftOut,omitempty"`

		Combination string `json:"combination"`
	}{
		x.ID, number(x.Time), number(x.Dt), archetype, components, x.Before.json(), x.After.json(),
		shares, vectorOf(x.Force), vectorOf(x.Truncated), number(x.MaxForce), number(x.MaxSpeed), number(x.Mass), x.MovedBy,
		looks, choiceOf(x.Reciprocal), x.Threat.json(), number(x.LookAhead), x.Arrives, x.Leaves, x.Skipped, x.LeftOut, x.Combination.String(),
	})
}

type stateJSON struct {
	Position vector `json:"position"`
	Velocity vector `json:"velocity"`
	Heading  vector `json:"heading"`
}

func (s *State) json() stateJSON {
	return stateJSON{vectorOf(s.Position), vectorOf(s.Velocity), vectorOf(s.Heading)}
}

func (s *Share) json() any {
	if f := s.Force; f != nil {
		return struct {
			Behavior  string `json:"behavior"`
			Raw       vector `json:"raw"`
			RawUnit   string `json:"rawUnit"`
			Gain      number `json:"gain"`
			GainUnit  string `json:"gainUnit"`
			Force     vector `json:"force"`
			Truncated vector `json:"truncated"`

			Granted *vector `json:"granted,omitempty"`
		}{s.Behavior, vectorOf(f.Raw), f.RawUnit, number(f.Gain), f.GainUnit, vectorOf(f.Newtons), vectorOf(f.Truncated), vectorAt(f.Granted)}
	}
	return struct {
		Behavior string  `json:"behavior"`
		Velocity *vector `json:"velocity,omitempty"`
		Turn     *number `json:"turn,omitempty"`
		Speed    *number `json:"speed,omitempty"`
		MaxSpeed *number `json:"maxSpeed,omitempty"`
		Target   *vector `json:"target,omitempty"`
		Position *vector `json:"position,omitempty"`
	}{
		s.Behavior, vectorAt(s.Velocity), (*number)(s.Turn), (*number)(s.Speed), (*number)(s.MaxSpeed),
		vectorAt(s.Target), vectorAt(s.Position),
	}
}

type lookJSON struct {
	Behavior string   `json:"behavior"`
	Reach    number   `json:"reach"`
	View     number   `json:"view,omitempty"`
	Facing   vector   `json:"facing"`
	Seen     []uint64 `json:"seen"`
}

func (l *Look) json() lookJSON {
	ids := make([]uint64, len(l.Seen))
	for i := range l.Seen {
		ids[i] = l.Seen[i].ID
	}
	return lookJSON{l.Behavior, number(l.Reach), number(vec.Degrees(l.View)), vectorOf(l.Facing), ids}
}

type threatJSON struct {
	Contact  vector `json:"contact"`
	Normal   vector `json:"normal"`
	Distance number `json:"distance"`
	Obstacle string `json:"obstacle"`
	Kind     string `json:"kind"`
	Position vector `json:"position"`
	Radius   number `json:"radius"`
}

func (t *Threat) json() *threatJSON {
	if t == nil {
		return nil
	}
	return &threatJSON{
		vectorOf(t.Contact), vectorOf(t.Normal), number(t.Distance), entityText(t.Obstacle),
		t.Kind, vectorOf(t.At), number(t.Radius),
	}
}

// number encodes infinities and NaN as strings.
type number float64

func (n number) MarshalJSON() ([]byte, error) {
	x := float64(n)
	switch {
	case math.IsNaN(x):
		return []byte(`"NaN"`), nil
	case math.IsInf(x, 1):
		return []byte(`"Infinity"`), nil
	case math.IsInf(x, -1):
		return []byte(`"-Infinity"`), nil
	}
	return strconv.AppendFloat(nil, x, 'g', -1, 64), nil
}

type vector struct{ X, Y number }

func vectorOf(v r2.Vec) vector { return vector{number(v.X), number(v.Y)} }

func vectorAt(v *r2.Vec) *vector {
	if v == nil {
		return nil
	}
	at := vectorOf(*v)
	return &at
}

type choiceJSON struct {
	Preferred  vector           `json:"preferred"`
	Aim        vector           `json:"aim"`
	Chosen     vector           `json:"chosen"`
	Feasible   bool             `json:"feasible"`
	MaxSpeed   number           `json:"maxSpeed"`
	Horizon    number           `json:"horizon"`
	HalfPlanes []planeJSON      `json:"halfPlanes"`
	Others     []consideredJSON `json:"others"`
	Walking    *walkingJSON     `json:"walking,omitempty"`
}

type walkingJSON struct {
	Free    number `json:"free"`
	Speed   number `json:"speed"`
	Why     string `json:"why"`
	Other   uint64 `json:"other,omitempty"`
	Gap     number `json:"gap"`
	Density number `json:"density"`
	Inertia bool   `json:"inertia"`
}

type planeJSON struct {
	Normal vector `json:"normal"`
	Least  number `json:"least"`
	Of     string `json:"of"`
}

type consideredJSON struct {
	ID       uint64 `json:"id"`
	Offset   vector `json:"offset"`
	Velocity vector `json:"velocity"`
	Reach    number `json:"reach"`
	Share    number `json:"share"`
}

func choiceOf(r *systems.Reciprocal) *choiceJSON {
	if r == nil {
		return nil
	}
	j := &choiceJSON{
		vectorOf(r.Preferred), vectorOf(r.Aim), vectorOf(r.Chosen), r.Feasible, number(r.MaxSpeed), number(r.Horizon),
		make([]planeJSON, 0, len(r.HalfPlanes)), make([]consideredJSON, 0, len(r.Others)), nil,
	}
	if x := r.Walking; x != nil {
		j.Walking = &walkingJSON{number(x.Free), number(x.Speed), x.Why, x.Other, number(x.Gap), number(x.Density), x.Inertia}
	}
	for _, h := range r.HalfPlanes {
		j.HalfPlanes = append(j.HalfPlanes, planeJSON{vectorOf(h.Normal), number(h.Least), h.Of})
	}
	for _, o := range r.Others {
		j.Others = append(j.Others, consideredJSON{o.ID, vectorOf(o.Offset), vectorOf(o.Velocity), number(o.Reach), number(o.Share)})
	}
	return j
}
