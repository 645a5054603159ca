package sense

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/archive"
	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// fieldsStage has fields and obstacles that change over time. A step has three phases.
type fieldsStage struct {
	o Obstacles
	f Fields
}

func newFieldsStage() *fieldsStage {
	s := &fieldsStage{o: Obstacles{reach: 1}, f: Fields{Cells: 150}}
	s.f.Obstacles = &s.o
	return s
}

func fieldRows(step int) FlowFields {
	goal := func(x, y float64) []r2.Box { return []r2.Box{{Min: xy(x, y), Max: xy(x+1, y+0.5)}} }
	all := FlowFields{
		{Goals: goal(8, -3), Radius: 0.3, Cell: 0.5, Most: 3000, Costs: []Cost{{Box: r2.NewBox(-3, -9, -1, 2), Factor: 2.5}}}, {Goals: goal(-8, 2), Radius: 0.3, Cell: 0.5, Every: 0.4, Most: 3000}, {Goals: goal(8, 3), Cell: 0.4, Most: 3000},
		{},
	}
	if step >= 13 { // while other fields are being computed
		all = append(all, FlowField{Goals: goal(2, 5), Radius: 0.3, Cell: 0.5, Every: 0.5, Most: 3000})
	}
	if step >= 15 {
		all[0].Goals = goal(-8, -4)
	}
	if step >= 65 { // while the field is marching
		all[0].Every = 1
	}
	if step >= 75 {
		all[1].Every = 0
	}
	return all
}

func (s *fieldsStage) change(step int) {
	wall := func(id uint32, from, to r2.Vec) space.Shape { return space.Shape{ID: id, A: from, B: to, Radius: 0.1} }
	shapes := []space.Shape{
		wall(1, xy(0, -9), xy(0, -1)), wall(2, xy(0, 1), xy(0, 9)), {ID: 3, Radius: -1},
		{ID: 4, Ring: []r2.Vec{xy(3, -3), xy(5, -3), xy(4, -1)}}, {ID: 5, Ring: []r2.Vec{}}, {ID: 7, A: xy(-4, 0), B: xy(-4, 0), Radius: 0.6},
	}
	table := Portals{{From: r2.Box{Min: xy(-9, 5), Max: xy(-8, 6)}, To: r2.Box{Min: xy(6, 5), Max: xy(7, 6)}, Length: 3}}
	steps := []int{0, 10, 17, 40, 62, 90}
	now, changes := slices.BinarySearch(steps, step)
	if !changes {
		return
	}
	shapes[0].B.Y -= 0.4 * float64(now)
	if now == 3 {
		shapes, table = nil, nil
	}
	if now > 3 {
		table[0].Length = 1
	}
	s.o.shapes, s.o.entities = shapes, make([]ecs.Entity, len(shapes))
	s.o.index.Build(shapes, 1, 0)
	s.o.readPortals(table)
	s.o.version++
}

func (s *fieldsStage) phase(phase int) {
	const dt = 0.05
	switch step := phase / 3; phase % 3 {
	case 0:
		s.change(step)
		s.f.Set(fieldRows(step))
	case 1, 2:
		now := float64(step) * dt
		if phase%3 == 1 && !s.f.Look(now) || phase%3 == 2 && !s.f.looking {
			if phase%3 == 2 {
				s.f.Update()
			}
			return
		}
		for i := range 40 {
			if i%2 == phase%3-1 {
				s.f.Visit(xy(-1-0.3*float64(i%7), 2-0.5*float64(i/7)), 0.25, 0.1*float64(step%9))
			}
		}
		if phase%3 == 2 {
			s.f.Update()
		}
	}
}

// reads returns counters of the fields, and the bits of what agents read at many positions.
func (s *fieldsStage) reads() (all []uint64) {
	all = append(all, s.f.Changes(), uint64(s.f.Worked()), uint64(s.f.Len()))
	for i := range uint32(s.f.Len() + 1) {
		all = append(all, math.Float64bits(s.f.Cell(i)))
		for k := range 120 {
			way, toward := s.f.Read(i, xy(-13+2.3*float64(k%12), -11+2.1*float64(k/12)))
			all = append(all, math.Float64bits(way), math.Float64bits(toward.X), math.Float64bits(toward.Y))
		}
	}
	return all
}

func (s *fieldsStage) keep(a *frame.Archive) {
	a.Block("fields", func() {
		s.o.Keep(a)
		s.f.Keep(a)
	})
}

func (s *fieldsStage) save(t testing.TB) []byte {
	t.Helper()
	var out bytes.Buffer
	a := archive.Write(&out, 1)
	s.keep(a)
	testkit.Must(t, a.Close())
	return out.Bytes()
}

func (s *fieldsStage) load(data []byte) error {
	a, err := archive.Read(bytes.NewReader(data), 1)
	if err != nil {
		return err
	}
	s.keep(a)
	return a.Close()
}

// Saving must not change fields, and restored fields must continue bit for bit like others.
func TestFieldsKeep(t *testing.T) {
	const phases, on = 3 * 110, 3 * 40
	alone, kept := newFieldsStage(), newFieldsStage()
	var want [][]uint64
	var saved [][]byte
	seen := map[string]int{}
	for phase := range phases + on {
		alone.phase(phase)
		kept.phase(phase)
		want, saved = append(want, alone.reads()), append(saved, kept.save(t))
		if got := kept.reads(); !slices.Equal(got, want[phase]) {
			t.Fatalf("phase %d: got other fields after saving, want the same", phase)
		}
		for i := range kept.f.all {
			x := &kept.f.all[i]
			marching, slowed := x.working && x.next.marching, x.working && x.next.slowed
			seen[fmt.Sprintf("working %v, marching %v, slowed %v, over new ground %v, crowd %v", x.working, marching, slowed, x.now.ground == kept.f.ground, x.crowding != nil)]++
			if slowed && !marching && x.next.filled > 0 {
				seen["filling"]++
			}
			if c := x.crowding; c != nil && c.looking {
				seen["looking"]++
			}
		}
	}
	const stride = 17 // covers each of the three phases of a step
	for phase := 0; phase < phases; phase += stride {
		again := newFieldsStage()
		if err := again.load(saved[phase]); err != nil {
			t.Fatalf("phase %d: restoring: got=%v, want=nil", phase, err)
		}
		if got := again.save(t); !bytes.Equal(got, saved[phase]) {
			t.Fatalf("phase %d: got another saved state after a restore, want the same", phase)
		}
		for k := 1; k <= on; k++ {
			again.phase(phase + k)
			if got := again.reads(); !slices.Equal(got, want[phase+k]) {
				t.Fatalf("restored after phase %d: got other fields in phase %d, want the same", phase, phase+k)
			}
		}
		if got := again.save(t); !bytes.Equal(got, saved[phase+on]) {
			t.Fatalf("restored after phase %d: got another saved state after phase %d, want the same", phase, phase+on)
		}
	}
	if len(seen) < 11 {
		t.Errorf("states of fields: got=%d, want=11 or more: %v", len(seen), seen)
	}
}

// changedState returns a copy of a saved state with eight of its bytes set to value, and a valid checksum.
// The offset of these bytes is at, modulo the number of offsets.
func changedState(data []byte, at int, value uint64) []byte {
	const (
		begin = 12 + 4                            // of the stream
		head  = begin + 8 + 2 + 4 + len("fields") // after the block's lengths, their checksum and the block's name
	)
	data = bytes.Clone(data)
	size := int(binary.LittleEndian.Uint64(data[begin:]))
	values := data[head : head+size]
	binary.LittleEndian.PutUint64(values[at%(size-7):], value)
	sum := crc32.Checksum(data[begin:head+size], crc32.MakeTable(crc32.Castagnoli))
	binary.LittleEndian.PutUint32(data[head+size:], sum)
	return data
}

// A forged state must not cause a panic or a NaN.
func FuzzFieldsKeep(f *testing.F) {
	s := newFieldsStage()
	var saved [][]byte
	for phase := range 3 * 70 {
		s.phase(phase)
		if phase > 3*8 && phase%7 == 0 {
			saved = append(saved, s.save(f))
		}
	}
	for stage := range saved {
		for i, value := range []uint64{0, 1, 1 << 31, math.MaxUint64, math.Float64bits(math.NaN()), math.Float64bits(math.Inf(1)), math.Float64bits(-1), math.Float64bits(1e300), 1 << 40} {
			f.Add(uint8(stage), uint32(stage*97+i*8), value)
		}
	}
	f.Fuzz(func(t *testing.T, stage uint8, at uint32, value uint64) {
		s := newFieldsStage()
		if err := s.load(changedState(saved[int(stage)%len(saved)], int(at), value)); err != nil {
			if !strings.HasPrefix(err.Error(), "crowd state: block fields at byte ") {
				t.Errorf("value %x, at=%d: got=%v, want an error with the block and the byte at the start", value, at, err)
			}
			return
		}
		for phase := 3 * 70; phase < 3*80; phase++ {
			s.phase(phase)
		}
		for _, bits := range s.reads()[3:] {
			if x := math.Float64frombits(bits); math.IsNaN(x) {
				t.Fatalf("value %x, at=%d: an agent reads %v, want a number", value, at, x)
			}
		}
	})
}
