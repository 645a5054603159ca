package world

import "github.com/8f878440/crowd/systems"

type choiceJSON struct {
	Preferred  vector       `json:"preferred"`
	Aim        vector       `json:"aim"`
	Chosen     vector       `json:"chosen"`
	Feasible   bool         `json:"feasible"`
	MaxSpeed   number       `json:"maxSpeed"`
	Horizon    number       `json:"horizon"`
	HalfPlanes []planeJSON  `json:"halfPlanes"`
	Others     []heededJSON `json:"others"`
	Walking    *walkingJSON `json:"walking,omitempty"`
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

type heededJSON struct {
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
		make([]planeJSON, 0, len(r.HalfPlanes)), make([]heededJSON, 0, len(r.Others)), nil,
	}
	if x := r.Walking; x != nil {
		j.Walking = &walkingJSON{number(x.Free), number(x.Speed), x.Why, x.Other, number(x.Gap), number(x.Density), x.Inertia}
	}
	for _, h := range r.HalfPlanes {
		j.HalfPlanes = append(j.HalfPlanes, planeJSON{vectorOf(h.Normal), number(h.Least), h.Of})
	}
	for _, o := range r.Others {
		j.Others = append(j.Others, heededJSON{o.ID, vectorOf(o.Offset), vectorOf(o.Velocity), number(o.Reach), number(o.Share)})
	}
	return j
}
