package components

import (
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// TrackedEntity is another entity as an agent saw it at the start of the step. The
// system Track keeps it up to date; with the zero Entity it leaves it alone, so
// that a host may set the other fields itself.
//
// It is not seen when the entity is dead, or has no finite position and velocity:
// then At and Velocity stay as they were, and the behaviors that use them pause.
type TrackedEntity struct {
	Entity   ecs.Entity // the entity to track
	At       r2.Vec     // m, where it was
	Velocity r2.Vec     // m/s; zero for an entity without Velocity
	Seen     bool       // whether it was there
}

// Quarry is the entity that Pursuit and OffsetPursuit pursue.
type Quarry TrackedEntity

// Pursuer is the entity that Evasion evades.
type Pursuer TrackedEntity

// Pursuit steers at where the Quarry will be.
type Pursuit struct {
	Gain    float64 // kg/s; 0 pauses
	Horizon float64 // s, how far ahead it predicts at most; 0: it goes to where the quarry is
}

func (p Pursuit) MarshalJSON() ([]byte, error)     { return marshal(p) }
func (p *Pursuit) UnmarshalJSON(data []byte) error { return unmarshal(data, p) }

// Evasion steers away from where the Pursuer will be.
type Evasion struct {
	Gain    float64 // kg/s; 0 pauses
	Horizon float64 // s, how far ahead it predicts at most; 0: it flees from where the pursuer is
	Radius  float64 // m, it evades while the pursuer is within this distance; 0: everywhere
}

func (e Evasion) MarshalJSON() ([]byte, error)     { return marshal(e) }
func (e *Evasion) UnmarshalJSON(data []byte) error { return unmarshal(data, e) }

// OffsetPursuit steers past where the Quarry will be, at a distance.
type OffsetPursuit struct {
	Gain     float64 // kg/s; 0 pauses
	Horizon  float64 // s, how far ahead it predicts at most
	Distance float64 // m, at which it passes; 0: as Pursuit
}

func (p OffsetPursuit) MarshalJSON() ([]byte, error)     { return marshal(p) }
func (p *OffsetPursuit) UnmarshalJSON(data []byte) error { return unmarshal(data, p) }
