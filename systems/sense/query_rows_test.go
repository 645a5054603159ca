package sense

import (
	"math/rand/v2"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
)

// knows is a rule whose answer is the agent's ID. Its rows check the answers.
type knows struct {
	query    Query[c.Radius, uint64]
	agent    frame.In[c.Agent]
	wrong, n int
}

func (s *knows) Needs(n *frame.Needs) {
	n.Read(&s.agent)
	s.query.Ask(n, func(c.Radius) Look { return Look{NeighborDist: 1} }, func(h *Neighborhood, _ c.Radius) uint64 {
		return h.Agents().ID[h.Index]
	})
}

func (s *knows) Run(b *frame.Batch) {
	answers := s.query.Of(b)
	for i, a := range s.agent.Of(b) {
		if s.n++; answers[i] != a.ID {
			s.wrong++
		}
	}
}

type shuffling func(*ecs.World)

func (f shuffling) Sense(w *ecs.World)  { f(w) }
func (f shuffling) Update(w *ecs.World) { f(w) }

// sensor and exclusive return a system of a host. As a type without a name, it does not belong to this module.
func sensor(f shuffling) any    { return &struct{ frame.Sensor }{f} }
func exclusive(f shuffling) any { return &struct{ frame.Exclusive }{f} }

// Answers reach their agents in whatever order rows are, and if a host moves rows in the middle of a step.
func TestAnswersOfMovedRows(t *testing.T) {
	for name, in := range map[string]func(shuffling) any{"Sense": sensor, "Update": exclusive, "between steps": nil} {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			var all []ecs.Entity
			var marker ecs.ID
			rule := &knows{}
			move := func(w *ecs.World) { // to other rows, and some to another archetype
				for range 20 {
					if e := all[r.IntN(len(all))]; w.Has(e, marker) {
						w.Remove(e, marker)
					} else {
						w.Add(e, marker)
					}
				}
			}
			systems := []any{&Neighbors{}, rule}
			if in != nil {
				systems = []any{&Neighbors{}, in(move), rule}
			}
			st := newStage(t, 1, systems...)
			marker = ecs.ComponentID[ballast](st.World)
			for id := range uint64(300) {
				at := xy(r.Float64()*10, r.Float64()*10)
				all = append(all, st.Put(c.Agent{ID: id + 1}, c.Position{Vec: at}, c.Radius{Meters: 0.1}))
			}
			for range 10 {
				if in == nil {
					move(st.World)
				}
				st.Step()
			}
			if rule.n != 3000 || rule.wrong != 0 {
				t.Errorf("answers: got=%d, %d of other agents, want=3000, all of their own", rule.n, rule.wrong)
			}
		})
	}
}
