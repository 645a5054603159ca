package results

import (
	"fmt"
	"slices"
)

// Same returns an error if two rows of one run differ in anything but cost and machine. It names
// the first column in which they do, and both machines. A run that was given up may have failed
// for what only one machine lacks, and so says nothing of another row.
func Same(a, b []byte) error {
	x, err := Decode(a)
	if err != nil {
		return err
	}
	y, err := Decode(b)
	if err != nil {
		return err
	}
	if x.Status == Dead || y.Status == Dead {
		return nil
	}
	differ := func(column string, u, v any) error {
		return fmt.Errorf("run %d has two results: %s is %v on %s, and %v on %s", x.Index, column, u, x.Machine, v, y.Machine)
	}
	switch {
	case x.Index != y.Index:
		return fmt.Errorf("rows of the runs %d and %d, want two of one run", x.Index, y.Index)
	case !slices.Equal(x.Axes, y.Axes):
		return differ("the point", x.Axes, y.Axes)
	case x.Seed != y.Seed:
		return differ("seed", x.Seed, y.Seed)
	case x.Version != y.Version:
		return differ("version", x.Version, y.Version)
	case x.Status != y.Status:
		return differ("status", x.Status, y.Status)
	case x.Error != y.Error:
		return differ("error", x.Error, y.Error)
	}
	for _, name := range names(x.Figures, y.Figures) {
		u, known := x.Figures[name]
		v, too := y.Figures[name]
		switch {
		case !known:
			return differ(name, "missing", v)
		case !too:
			return differ(name, u, "missing")
		case !sameNumber(u, v):
			return differ(name, u, v)
		}
	}
	switch {
	case x.TraceHash != y.TraceHash:
		return differ("trace_hash", x.TraceHash, y.TraceHash)
	case x.Hash != y.Hash:
		return differ("hash", x.Hash, y.Hash)
	}
	return nil
}
