package view

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"
)

// order says which crowd comes next: that of the scene that runs, anew, or that of
// another one.
type order struct {
	by     *viewer
	since  time.Time
	scene  string  // its name; empty: the one that runs
	agents int     // 0: as many as the scene has
	seed   *uint64 // nil: that of the scene

	opened atomic.Pointer[opened] // nil: not yet
}

// opened is what is known of a crowd when its scene has been read.
type opened struct {
	name   string
	agents int
}

// orderOf returns the order that a viewer gives, on top of one before that is not
// carried out yet; nil: none.
func orderOf(before *order, by *viewer, a *asked) *order {
	o := &order{by: by, since: time.Now()}
	if before != nil && a.Do != "scene" {
		o.scene, o.agents, o.seed = before.scene, before.agents, before.seed
	}
	switch a.Do {
	case "scene":
		o.scene, o.agents = a.Name, a.N
		if a.Seed != "" {
			o.seed = &a.seed
		}
	case "agents":
		o.agents = a.N
	case "seed":
		o.seed = &a.seed
	}
	return o
}

// message tells viewers of the order.
func (o *order) message(now time.Time) *startingMessage {
	m := &startingMessage{Kind: "starting", By: o.by.number, Name: o.scene, Seconds: now.Sub(o.since).Seconds()}
	if known := o.opened.Load(); known != nil {
		m.Name, m.Agents = known.name, known.agents
	}
	return m
}

// open reads the scene that is ordered: the start of a crowd, without its world.
func (o *order) open(ctx context.Context, s *simulation) (*crowd, error) {
	c, name := s.copyScene(), o.scene
	if c.film != nil && name == "" && o.agents == 0 && o.seed == nil {
		name = c.name // the recording again
	}
	c.film = nil
	if name != "" {
		sc, err := s.scenes.open(ctx, name)
		if err != nil {
			return nil, err
		}
		c = crowdOf(name, sc)
	}
	other := c.copied
	if o.agents > 0 && o.agents != c.scene.Agents() {
		c.scene.Resize(o.agents)
		other = true
	}
	if o.seed != nil && *o.seed != c.scene.Seed {
		c.scene.Seed = *o.seed
		other = true
	}
	if !other {
		c.film = s.filmOf(c.name)
	}
	n := c.scene.Agents()
	if n > MaxAgents {
		return nil, fmt.Errorf("%s has %d agents, the view shows %d at most", c.name, n, MaxAgents)
	}
	o.opened.Store(&opened{c.name, n})
	return c, nil
}
