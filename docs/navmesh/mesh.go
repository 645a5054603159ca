package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/arl/go-detour/detour"
	"github.com/arl/go-detour/recast"
	"github.com/arl/go-detour/sample/solomesh"
	"github.com/arl/gogeo/f32/d3"
	"gonum.org/v1/gonum/spatial/r2"
)

// Mesh is a navigation mesh. Once Build has succeeded, it implements systems.Planner.
type Mesh struct {
	Radius  float64 // m, of the largest body that fits on all paths
	Ways    int     // number of planned paths
	Longest float64 // m, longest planned path

	query   *detour.NavMeshQuery
	changed bool
}

// Plan appends the points of a path between two places, in m, to path, and returns the result and true. If
// there is no such path, or radius is larger than m.Radius, it returns path unchanged, and false.
func (m *Mesh) Plan(from, to r2.Vec, radius float64, path []r2.Vec) ([]r2.Vec, bool) {
	if radius > m.Radius {
		return path, false // bodies of several sizes need a mesh for each size
	}
	filter := detour.NewStandardQueryFilter()
	reach := d3.NewVec3XYZ(float32(2*m.Radius), 0.5, float32(2*m.Radius)) // a body pressed against a wall is outside the mesh
	_, first, start := m.query.FindNearestPoly(up(from), reach, filter)
	_, last, end := m.query.FindNearestPoly(up(to), reach, filter)
	if first == 0 || last == 0 {
		return path, false
	}
	const most = 256
	var polys, refs [most]detour.PolyRef
	n, status := m.query.FindPath(first, last, start, end, filter, polys[:])
	if detour.StatusFailed(status) || status&detour.PartialResult != 0 { // a partial path does not reach the target
		return path, false
	}
	var flags [most]uint8
	var points [most]d3.Vec3
	for i := range points {
		points[i] = d3.NewVec3()
	}
	n, status = m.query.FindStraightPath(start, end, polys[:n], points[:], flags[:], refs[:], 0)
	if detour.StatusFailed(status) {
		return path, false
	}
	length, at := 0., from
	for _, p := range points[:n] {
		next := r2.Vec{X: float64(p.X()), Y: float64(p.Z())}
		length, at = length+r2.Norm(r2.Sub(next, at)), next
		path = append(path, next)
	}
	m.Ways, m.Longest = m.Ways+1, max(m.Longest, length)
	return path, true
}

// Changed reports whether Build has built a mesh since the last call to Changed. If so, the world replans all
// paths.
func (m *Mesh) Changed() bool {
	changed := m.changed
	m.changed = false
	return changed
}

// Build builds the mesh of a floor with walls. A game with its mesh in a file uses detour.Decode instead.
func (m *Mesh) Build(floor r2.Box, walls []r2.Box) error {
	var obj strings.Builder // in the Wavefront format, which solomesh reads
	rectangle := func(k int, box r2.Box, height float64, face string) {
		for _, at := range box.Vertices() {
			fmt.Fprintf(&obj, "v %g %g %g\n", at.X, height, at.Y)
		}
		fmt.Fprintf(&obj, face, 4*k+1, 4*k+2, 4*k+3, 4*k+4)
	}
	rectangle(0, floor, 0, "f %[4]d %[3]d %[2]d %[1]d\n") // faces up
	for i, wall := range walls {
		rectangle(i+1, wall, 1.5, "f %d %d %d %d\n") // faces down, so no agent stands on it; 1.5 m is too low to walk under
	}
	builder := solomesh.New(recast.NewBuildContext(false))
	if err := builder.LoadGeometry(strings.NewReader(obj.String())); err != nil {
		return err
	}
	settings := solomesh.DefaultSettings()
	settings.AgentRadius, settings.CellSize = float32(m.Radius), 0.1
	builder.SetSettings(settings)
	mesh, ok := builder.Build()
	if !ok {
		return errors.New("no navigation mesh: no room for a body on the floor")
	}
	status, query := detour.NewNavMeshQuery(mesh, 4096)
	if detour.StatusFailed(status) {
		return fmt.Errorf("creating the query of the navigation mesh: status is %#x, want success", status)
	}
	m.query, m.changed = query, true
	return nil
}

// up converts a place on the floor to the coordinates of Recast, in which y points up.
func up(p r2.Vec) d3.Vec3 { return d3.NewVec3XYZ(float32(p.X), 0, float32(p.Y)) }
