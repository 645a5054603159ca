package report

import (
	"runtime"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"github.com/mlange-42/arche/generic"
)

// Conditions are what the figures of a report depend on, beside the scene, its
// seed and its time step.
type Conditions struct {
	TimeCap          float64  `json:"time_cap"`
	RadiusMin        *float64 `json:"radius_min"`
	RadiusMax        *float64 `json:"radius_max"`
	ArrivalRadiusMin *float64 `json:"arrival_radius_min"`
	ArrivalRadiusMax *float64 `json:"arrival_radius_max"`
	ArrivalThen      string   `json:"arrival_then"`
	CPU              string   `json:"cpu"`
	Cores            int      `json:"cores"`
	OS               string   `json:"os"`
	Arch             string   `json:"arch"`
	Kernels          string   `json:"kernels"`
}

// conditionsOf returns the conditions of a scene and of its world before the
// first step.
func conditionsOf(s *scene.Scene, w *world.World) Conditions {
	c := Conditions{TimeCap: float64(s.Steps) * s.Dt, CPU: cli.Processor(), Cores: runtime.NumCPU(), OS: runtime.GOOS, Arch: runtime.GOARCH, Kernels: kernel.Used().String()}
	bodies := generic.NewFilter1[components.Radius]().Without(generic.T[components.Obstacle]()).Query(w.ECS)
	for bodies.Next() {
		widen(&c.RadiusMin, &c.RadiusMax, bodies.Get().Meters)
	}
	goals := generic.NewFilter1[components.Goal]().Query(w.ECS)
	for goals.Next() {
		widen(&c.ArrivalRadiusMin, &c.ArrivalRadiusMax, goals.Get().Radius)
	}
	then := map[scene.Then]bool{}
	for i := range s.Groups {
		if g := &s.Groups[i]; g.Goal != nil && g.Count > 0 {
			then[g.Goal.Then] = true
		}
	}
	var all []string
	for _, t := range []struct {
		then scene.Then
		name string
	}{{scene.Stay, "stay"}, {scene.Leave, "leave"}, {scene.Wander, "wander"}} {
		if then[t.then] {
			all = append(all, t.name)
		}
	}
	c.ArrivalThen = strings.Join(all, " ")
	return c
}

// widen makes a range include x; a range of nil is empty.
func widen(lo, hi **float64, x float64) {
	if *lo == nil || x < **lo {
		*lo = &x
	}
	if *hi == nil || x > **hi {
		*hi = &x
	}
}
