package world_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"reflect"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

func made(t testing.TB, config world.Config) *world.World {
	t.Helper()
	w := world.Value(world.New(config))
	t.Cleanup(w.Close)
	return w
}

func run(t testing.TB, w *world.World, steps int) {
	t.Helper()
	must(t, w.Run(context.Background(), steps))
}

func saveOf(t testing.TB, w *world.World) []byte {
	t.Helper()
	var file bytes.Buffer
	must(t, w.Save(&file))
	return file.Bytes()
}

func restore(t testing.TB, w *world.World, file []byte) *world.Restored {
	t.Helper()
	r := world.Value(w.Restore(bytes.NewReader(file)))
	return r
}

// timeless returns Stats without durations, and without counts per system and per worker.
func timeless(s world.Stats) world.Stats {
	s.StepTime, s.Frame.Systems, s.Frame.Workers = 0, nil, nil
	s.Frame.Took, s.Frame.Sensing, s.Frame.Running, s.Frame.Observing = 0, 0, 0, 0
	return s
}

// same fails the test unless two worlds have the same state, metrics, entities and IDs.
func same(t *testing.T, got, want *world.World) {
	t.Helper()
	if got.Hash() != want.Hash() {
		t.Fatalf("tick %d: hash: got=%016x, want=%016x", want.Clock.Tick, got.Hash(), want.Hash())
	}
	if g, w := timeless(got.Stats()), timeless(want.Stats()); !reflect.DeepEqual(g, w) {
		t.Fatalf("tick %d: stats:\ngot=%+v\nwant=%+v", want.Clock.Tick, g, w)
	}
	if got.NextID() != want.NextID() {
		t.Fatalf("tick %d: next ID: got=%d, want=%d", want.Clock.Tick, got.NextID(), want.NextID())
	}
	g, w := got.ECS.DumpEntities(), want.ECS.DumpEntities()
	if !reflect.DeepEqual(g.Entities, w.Entities) || g.Next != w.Next || g.Available != w.Available {
		t.Fatalf("tick %d: entities:\ngot=%v\nwant=%v", want.Clock.Tick, g, w)
	}
	if g, w := saveOf(t, got), saveOf(t, want); !bytes.Equal(g, w) {
		t.Fatalf("tick %d: saved again: got=other bytes, want=the same: %s", want.Clock.Tick, firstDifference(g, w))
	}
}

// block is a block of a saved world, with the offsets of its head and its data.
type block struct {
	name       string
	from, body int
	data       []byte
}

// blocksOf splits a saved world into its blocks.
func blocksOf(file []byte) (all []block) {
	for at := 16; at < len(file); {
		b := block{from: at}
		size := int(binary.LittleEndian.Uint64(file[at:]))
		n := int(binary.LittleEndian.Uint16(file[at+8:]))
		b.body = at + 14 + n
		b.name = string(file[at+14 : b.body])
		b.data = file[b.body : b.body+size]
		at = b.body + size + 4
		all = append(all, b)
	}
	return all
}

// firstDifference describes the first difference between two saved worlds.
func firstDifference(got, want []byte) string {
	g, w := blocksOf(got), blocksOf(want)
	for i := range min(len(g), len(w)) {
		if g[i].name != w[i].name {
			return fmt.Sprintf("block %d: got=%s, want=%s", i, g[i].name, w[i].name)
		}
		for k := range max(len(g[i].data), len(w[i].data)) {
			if k >= len(g[i].data) || k >= len(w[i].data) || g[i].data[k] != w[i].data[k] {
				return fmt.Sprintf("block %s: byte %d of %d and %d", g[i].name, k, len(g[i].data), len(w[i].data))
			}
		}
	}
	return fmt.Sprintf("%d and %d blocks", len(g), len(w))
}

const savedAgents = 1_000_000

// million returns a world of a million agents like those of the plaza scene, after a few steps, and its
// configuration.
func million(b *testing.B) (world.Config, *world.World) {
	config := world.Default()
	config.Measure = true
	config.Bounds, config.Box = systems.BoundsWrap, r2.Box{Max: r2.Vec{X: 1000, Y: 1000}}
	w := made(b, config)
	agent := []any{c.Target{}, c.Limits{MaxSpeed: 1.4, MaxForce: 5}, c.Radius{Meters: 0.2}, c.Mass{Kilograms: 1}, c.Goal{Radius: 1},
		c.Arrival{Gain: 2, SlowingRadius: 1}, c.ThreatScan{LookAhead: 5}, c.Avoidance{MaxForce: 4}}
	must(b, w.Spawn(savedAgents, agent, func(r *world.Rows) {
		target := world.Column[c.Target](r)
		for i, p := 0, world.Column[c.Position](r); i < len(p); i++ {
			p[i].Vec, target[i].Vec = point(float64(i%1000), float64(i/1000)), point(float64(i/1000), float64(i%1000))
		}
	}))
	run(b, w, 3)
	return config, w
}

func BenchmarkSave(b *testing.B) {
	_, w := million(b)
	file := saveOf(b, w)
	out := bytes.NewBuffer(make([]byte, 0, len(file)))
	for b.Loop() {
		out.Reset()
		must(b, w.Save(out))
	}
	b.ReportMetric(float64(len(file))/savedAgents, "B/agent")
}

func BenchmarkRestore(b *testing.B) {
	config, w := million(b)
	file := saveOf(b, w)
	for b.Loop() {
		b.StopTimer()
		again, err := world.New(config)
		must(b, err)
		b.StartTimer()
		restore(b, again, file)
		b.StopTimer()
		again.Close()
		b.StartTimer()
	}
}
