package components

import (
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// TrackedEntity is another entity as seen at the start of the step. systems.Track, or the behavior's own
// system, updates it. If Entity is zero, no system does, and a host may set the other fields.
//
// Seen is false if the entity is dead, has no finite position, or has a velocity that is not finite. Then
// At and Velocity keep their values, and the behaviors that use them pause.
type TrackedEntity struct {
	Entity   ecs.Entity
	At       r2.Vec // m, position
	Velocity r2.Vec // m/s; zero if the entity has no Velocity
	Seen     bool
}

// Quarry is the entity that Pursuit and OffsetPursuit pursue.
type Quarry TrackedEntity

// Pursuer is the entity that Evasion evades.
type Pursuer TrackedEntity

// Pursuit steers toward the future position of the Quarry.
type Pursuit struct {
	Gain    float64 // kg/s; 0 pauses
	Horizon float64 // s, longest prediction; 0 means none
}

func (p Pursuit) MarshalJSON() ([]byte, error)     { return marshal(p) }
func (p *Pursuit) UnmarshalJSON(data []byte) error { return unmarshal(data, p) }

// Evasion steers away from the future position of the Pursuer.
type Evasion struct {
	Gain    float64 // kg/s; 0 pauses
	Horizon float64 // s, longest prediction; 0 means none
	Radius  float64 // m, distance to the pursuer within which the agent evades; 0 means any distance
}

func (e Evasion) MarshalJSON() ([]byte, error)     { return marshal(e) }
func (e *Evasion) UnmarshalJSON(data []byte) error { return unmarshal(data, e) }

// OffsetPursuit steers past the future position of the Quarry at a distance.
type OffsetPursuit struct {
	Gain     float64 // kg/s; 0 pauses
	Horizon  float64 // s, longest prediction; 0 means none
	Distance float64 // m, at which the agent passes the quarry; 0 means as in Pursuit
}

func (p OffsetPursuit) MarshalJSON() ([]byte, error)     { return marshal(p) }
func (p *OffsetPursuit) UnmarshalJSON(data []byte) error { return unmarshal(data, p) }
