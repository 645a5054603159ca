package data

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/bench"
	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/cmd/crowd/internal/terminal"
)

// addBench reads what bench --json wrote.
func (f *File) addBench(object json.RawMessage) error {
	b := &bench.File{}
	if err := json.Unmarshal(object, b); err != nil {
		return fmt.Errorf("was not written by crowd bench --json: %w", err)
	}
	return f.setBench(b)
}

// setBench checks the results of a bench, and makes a table of them.
func (f *File) setBench(b *bench.File) error {
	if len(b.Results) == 0 {
		return errors.New("has no results")
	}
	for i := range b.Results {
		r := &b.Results[i]
		bad := slices.ContainsFunc(r.Samples, func(x float64) bool { return !finiteAbove0(x) })
		if r.Agents < 1 || r.Workers < 1 || len(r.Samples) == 0 || bad || r.SpeedUp != nil && !finiteAbove0(*r.SpeedUp) {
			return fmt.Errorf("result %d (%s): want agents, workers and samples above 0", i+1, terminal.Shorten(r.Name, 40))
		}
		r.Summarize()
	}
	text, err := json.Marshal(b.Results)
	if err != nil {
		return err // a rate that is not finite
	}
	t := File{Table: &Table{}}
	if err := t.addJSON(text); err != nil {
		return err
	}
	f.Kind, f.Bench, f.Table = BenchKind, b, t.Table
	return nil
}

// finiteAbove0 tells whether a number can be drawn as a time.
func finiteAbove0(x float64) bool { return x > 0 && !math.IsInf(x, 0) && numbers.Drawable(x) }
