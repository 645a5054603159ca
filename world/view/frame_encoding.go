package view

import (
	"encoding/binary"
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

// Kinds of binary messages.
const (
	kindFrame     = 1
	kindObstacles = 2
	kindField     = 3
)

// Flags of a frame.
const (
	flagNear = 1 << iota // with headings and radii
	flagCut              // a layer is incomplete

	colorShift = 4 // the color is in the upper four bits
)

const (
	mostInLayer = 20_000
	margin      = 0.2  // fraction of the view's size sent beyond each side, for panning
	nearPixels  = 1.5  // least radius of the largest body, in pixels, at which bodies are drawn
	fewPoints   = 5000 // up to this number, point agents are sent with headings
)

type wish struct {
	view   r2.Box  // m
	width  float64 // pixels
	color  color
	layers layers
	field  int // index, or noField
}

const noField = -1

func (w *wish) window() r2.Box {
	beyond := r2.Scale(margin, r2.Sub(w.view.Max, w.view.Min))
	return r2.Box{Min: r2.Sub(w.view.Min, beyond), Max: r2.Add(w.view.Max, beyond)}
}

type color int

const (
	bySpeed color = iota
	byBehavior
	byThreat
	byHeading
	byArchetype
	byDensity
	byContact
	byGroup
)

var colors = []string{"speed", "behavior", "threat", "heading", "archetype", "density", "contact", "group"}

type layers uint16

const (
	layerTargets layers = 1 << iota
	layerThreats
	layerSteering
	layerCells
	layerNeighbors
	layerRoutes
	layerBeside
)

var layerNames = []string{"targets", "threats", "steering", "cells", "neighbors", "routes", "beside"}

// frames encodes the frames of one viewer, in reused memory.
type frames struct {
	out   []byte
	shown []uint32 // snapshot indexes of the agents in the window
}

// frame returns a frame that is valid until the next call. The parameter sees lists the agents that the
// selected agent sees, and may be nil.
func (f *frames) frame(s *snapshot, w wish, selected uint64, sees *sees) []byte {
	box := w.window()
	near := s.maxRadius*w.width/(w.view.Max.X-w.view.Min.X) >= nearPixels || s.maxRadius == 0 && s.agents <= fewPoints

	f.shown = f.shown[:0]
	marked := nowhere
	for i, id := range s.ids {
		if id == 0 {
			continue
		}
		p := s.pos[i]
		if inside(box, p) {
			f.shown = append(f.shown, uint32(i))
		}
		if id == selected {
			marked = p
		}
	}
	f.head(s, w, box, near, marked)
	f.agents(s, w, box, near)
	for bit := range layerNames {
		if layer := layers(1 << bit); w.layers&s.layers&layer != 0 {
			f.layer(s, layer, box, selected, sees)
		}
	}
	return f.out
}

func (f *frames) head(s *snapshot, w wish, box r2.Box, near bool, marked r2.Vec) {
	flags := byte(w.color) << colorShift
	if near {
		flags |= flagNear
	}
	pointer := nowhere
	if s.hasPointer {
		pointer = s.pointer
	}
	f.out = append(f.out[:0], kindFrame, flags)
	f.u16(uint16(w.layers & s.layers))
	f.u32(s.build)
	f.f64(float64(s.step), s.time, box.Min.X, box.Min.Y, box.Max.X, box.Max.Y)
	f.f64(pointer.X, pointer.Y, marked.X, marked.Y)
	f.f32(s.maxSpeed)
	f.u32(s.obstacles, uint32(s.agents), uint32(len(f.shown)))
}

func (f *frames) agents(s *snapshot, w wish, box r2.Box, near bool) {
	perX, perY := math.MaxUint16/(box.Max.X-box.Min.X), math.MaxUint16/(box.Max.Y-box.Min.Y)
	for _, i := range f.shown {
		f.u16(uint16((s.pos[i].X-box.Min.X)*perX + 0.5))
	}
	for _, i := range f.shown {
		f.u16(uint16((s.pos[i].Y-box.Min.Y)*perY + 0.5))
	}
	if near {
		for _, i := range f.shown {
			f.u16(s.look[i].heading())
		}
		f.pad()
		for _, i := range f.shown {
			f.f32(float64(s.look[i].radius))
		}
	}
	f.pad()
	top := float32(s.maxSpeed)
	for _, i := range f.shown {
		f.out = append(f.out, w.color.value(&s.look[i], top))
	}
	f.pad()
}

// value returns a category, or a position on a scale. On the speed scale, 255 means topSpeed or more.
func (c color) value(l *look, topSpeed float32) uint8 {
	switch c {
	case byBehavior:
		return l.behavior
	case byThreat:
		return l.threat
	case byHeading:
		return uint8(l.heading() >> 8)
	case byArchetype:
		return l.archetype
	case byDensity:
		return l.density
	case byContact:
		return l.contact
	case byGroup:
		return l.group
	}
	if !(topSpeed > 0) {
		return 0
	}
	return uint8(min(l.speed/topSpeed, 1)*255 + 0.5)
}

// layer writes the number of items, then at most mostInLayer items: those in the window, and those of the
// selected agent.
func (f *frames) layer(s *snapshot, layer layers, box r2.Box, selected uint64, sees *sees) {
	at, n := len(f.out), uint32(0)
	f.u32(0)
	defer func() { binary.LittleEndian.PutUint32(f.out[at:], n) }()
	full := func() bool {
		if n == mostInLayer {
			f.out[1] |= flagCut
			return true
		}
		n++
		return false
	}
	switch layer {
	case layerNeighbors:
		f.neighbors(s, box, selected, sees, full)
		return
	case layerRoutes:
		f.routes(s, box, selected, full)
		return
	case layerBeside:
		f.beside(s, box, full)
		return
	case layerCells:
		for i := range s.cells {
			c := &s.cells[i]
			if c.box.Max.X < box.Min.X || c.box.Min.X > box.Max.X || c.box.Max.Y < box.Min.Y || c.box.Min.Y > box.Max.Y {
				continue
			}
			if full() {
				return
			}
			f.points(box.Min, c.box.Min, c.box.Max)
			f.f32(float64(c.obstacles))
		}
		return
	}
	for _, i := range f.shown {
		from, to := s.pos[i], nowhere
		switch layer {
		case layerTargets:
			to = s.target[i]
		case layerThreats:
			to = s.contact[i]
		case layerSteering:
			if push := s.steering[i]; push != (r2.Vec{}) {
				to = r2.Add(from, push)
			}
		}
		if !finite(to) {
			continue
		}
		if full() {
			return
		}
		f.points(box.Min, from, to)
	}
}

func inside(b r2.Box, p r2.Vec) bool {
	return p.X >= b.Min.X && p.X <= b.Max.X && p.Y >= b.Min.Y && p.Y <= b.Max.Y
}

func (f *frames) points(origin r2.Vec, all ...r2.Vec) {
	for _, p := range all {
		f.f32(p.X - origin.X)
		f.f32(p.Y - origin.Y)
	}
}

func (f *frames) u16(x uint16)  { f.out = binary.LittleEndian.AppendUint16(f.out, x) }
func (f *frames) f32(x float64) { f.u32(math.Float32bits(float32(x))) }

func (f *frames) u32(all ...uint32) {
	for _, x := range all {
		f.out = binary.LittleEndian.AppendUint32(f.out, x)
	}
}

func (f *frames) f64(all ...float64) {
	for _, x := range all {
		f.out = binary.LittleEndian.AppendUint64(f.out, math.Float64bits(x))
	}
}

func (f *frames) pad() {
	for len(f.out)%4 != 0 {
		f.out = append(f.out, 0)
	}
}
