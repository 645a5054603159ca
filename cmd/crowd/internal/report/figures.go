package report

import (
	"math"

	"github.com/8f878440/crowd/world"
)

// Figures are what a run did beside what it cost. A figure that is nil was not
// measured, or there was nothing to measure.
type Figures struct {
	ArrivedShare      *float64 `json:"arrived_share"`
	TimedOutShare     *float64 `json:"timed_out_share"`
	SuccessShare      *float64 `json:"success_share"`
	MedianArrivalTime *float64 `json:"median_arrival_time"`
	P95ArrivalTime    *float64 `json:"p95_arrival_time"`
	MaxArrivalTime    *float64 `json:"max_arrival_time"`
	Flow              *float64 `json:"flow"`

	AgentPenetration     *float64 `json:"agent_penetration"`
	AgentMaxPenetration  *float64 `json:"agent_max_penetration"`
	AgentTimeInCollision *float64 `json:"agent_time_in_collision"`
	AgentLeastClearance  *float64 `json:"agent_least_clearance"`
	AgentCloseShare      *float64 `json:"agent_close_share"`
	NearestP1            *float64 `json:"nearest_p1"`
	NearestP5            *float64 `json:"nearest_p5"`
	NearestP50           *float64 `json:"nearest_p50"`

	ObstaclePenetration     float64  `json:"obstacle_penetration"`
	ObstacleTimeInCollision float64  `json:"obstacle_time_in_collision"`
	ObstacleLeastClearance  *float64 `json:"obstacle_least_clearance"`
	ObstacleCloseShare      *float64 `json:"obstacle_close_share"`

	PathRatio       *float64 `json:"path_ratio"`
	TimeRatio       *float64 `json:"time_ratio"`
	Energy          *float64 `json:"energy"`
	EnergyOptimum   *float64 `json:"energy_optimum"`
	Effort          *float64 `json:"effort"`
	SteerbenchScore *float64 `json:"steerbench_score"`

	Wiggle       *float64 `json:"wiggle"`
	Reversals    *float64 `json:"reversals"`
	Acceleration *float64 `json:"acceleration"`
	Turning      *float64 `json:"turning"`
	Order        *float64 `json:"order"`
}

// note adds a note to those of the scene.
func (r *Report) note(text string) {
	r.Notes = append(r.Notes[:len(r.Notes):len(r.Notes)], text)
}

// measured fills in what the world measured.
func (r *Report) measured(st *world.Stats) {
	j, o, e := &st.Trips, &st.ObstacleCollisions, &st.AgentCollisions
	safety := e.Steps > 0 && !e.Exceeded
	if e.Exceeded {
		r.note("agents with agents were not measured: too many lay in one place")
	}

	r.ArrivedShare = quotient(float64(st.ArrivedOnce), float64(st.Goals))
	r.TimedOutShare = quotient(float64(st.Goals-st.ArrivedOnce), float64(st.Goals))
	if safety {
		r.SuccessShare = quotient(float64(j.Unharmed), float64(st.Goals))
	}
	if st.Arrived > 0 {
		r.MedianArrivalTime, r.P95ArrivalTime, r.MaxArrivalTime = &st.Times.Median, &st.Times.P95, &st.Times.Max
		r.Flow = quotient(float64(st.ArrivedOnce), st.MeanArrivalTime)
	}

	if safety {
		twice := 2 * e.Collisions
		r.Collisions, r.CollisionsSteerbench = &e.Collisions, &twice
		r.AgentPenetration, r.AgentMaxPenetration = &e.Penetration, &e.MaxPenetration
		r.AgentTimeInCollision, r.AgentLeastClearance = &e.TimeInCollision, finite(e.LeastClearance)
		r.AgentCloseShare = quotient(float64(e.Close), float64(e.Steps))
		if st.Nearest.Known {
			r.NearestP1, r.NearestP5, r.NearestP50 = &st.Nearest.P1, &st.Nearest.P5, &st.Nearest.P50
		}
	}
	r.ObstaclePenetration, r.ObstacleTimeInCollision = o.Penetration, o.TimeInCollision
	r.ObstacleLeastClearance = finite(o.LeastClearance)
	if r.ObstacleLeastClearance != nil {
		r.ObstacleCloseShare = quotient(float64(o.Close), float64(o.Steps))
	}

	if j.StraightWays > 0 {
		r.PathRatio = &j.PathRatio
	}
	if j.LimitedWays > 0 {
		r.TimeRatio = &j.TimeRatio
	}
	if j.Ways > 0 {
		r.Energy, r.EnergyOptimum = &j.Energy, &j.EnergyOptimum
	}
	if j.Frames20 && j.Agents > 0 {
		r.Effort = &j.Effort
		if safety {
			collisions := float64(2*e.Collisions+o.Collisions) / float64(j.Agents)
			score := 50*collisions + j.FirstTime + j.Effort
			r.SteerbenchScore = &score
		}
	}

	if j.Line > 0 {
		r.Wiggle = &j.Wiggle
	}
	if j.Seconds > 0 {
		r.Acceleration, r.Reversals = &j.Acceleration, &j.Reversals
	}
	if j.TurnSeconds > 0 {
		r.Turning = &j.Turning
	}
	if j.OrderSteps > 0 {
		r.Order = &j.Order
	}
}

// quotient returns a/b, nil if b is 0.
func quotient(a, b float64) *float64 {
	if b == 0 {
		return nil
	}
	q := a / b
	return &q
}

// finite returns x, nil if it is infinite.
func finite(x float64) *float64 {
	if math.IsInf(x, 0) {
		return nil
	}
	return &x
}
