package results

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/internal/textio"
)

// Merged gives access to the rows of all shards. It takes 8 bytes per run.
type Merged struct {
	Table              *Table
	Runs, Failed, Dead int64
	Duplicates         int64 // further rows of runs, which agree with the first
	Machines, paths    []string
	files              []*os.File
	begins             []int64 // offsets of the files in their concatenation
	places             []int64 // 1 plus the offset of the row of each run; 0 means missing
	machines           map[string]bool
	header             *header
}

// MergeFolders reads the shards in folders. The parameters axes, digest and runs describe the sweep. It
// returns an error if sweeps or builds differ, if two results of a run differ, or if a run is missing.
// Otherwise the caller must close the result.
func MergeFolders(folders []string, axes []string, digest string, runs int64) (m *Merged, err error) {
	m = &Merged{Table: NewTable(axes), Runs: runs, places: make([]int64, runs), machines: map[string]bool{}}
	defer func() {
		if err != nil {
			_ = m.Close()
		}
	}()
	for _, folder := range folders {
		names, err := fs.Glob(os.DirFS(folder), "shard-*-of-*.jsonl")
		if err != nil {
			return m, err
		}
		for _, name := range names {
			m.paths = append(m.paths, filepath.Join(folder, name))
		}
	}
	if len(m.paths) == 0 {
		return m, fmt.Errorf("no shard-i-of-n.jsonl in %v: want folders in which crowd sweep --shard ran", folders)
	}
	begin := int64(0)
	for _, path := range m.paths {
		size, err := m.add(path, begin, digest)
		if err != nil {
			return m, err
		}
		begin += size
	}
	missing, first := int64(0), int64(0)
	for i := len(m.places) - 1; i >= 0; i-- {
		if m.places[i] == 0 {
			missing, first = missing+1, int64(i)
		}
	}
	if missing > 0 {
		return m, fmt.Errorf("missing %d of %s; the first is run %d%s", missing, cli.Plural(int(runs), "run"), first, m.owner(first))
	}
	m.Machines = slices.Sorted(maps.Keys(m.machines))
	return m, nil
}

// owner returns text such as ", of shard 2/3", or "" if unknown.
func (m *Merged) owner(index int64) string {
	if m.header == nil || m.header.Of < 1 {
		return ""
	}
	return fmt.Sprintf(", of shard %v", Shard{int(index%int64(m.header.Of)) + 1, m.header.Of})
}

// add reads a shard file and returns its size. The parameter begin is the total size of the files before it.
func (m *Merged) add(path string, begin int64, digest string) (size int64, err error) {
	file, err := textio.OpenFile(path)
	if err != nil {
		return 0, err
	}
	m.files, m.begins = append(m.files, file), append(m.begins, begin)
	return scan(file, path, func(h header, offset int64, row *Row, text []byte) error {
		if row == nil {
			want := header{Sweep: digest, Version: h.Version, Runs: m.Runs}
			if m.header != nil {
				want.Version = m.header.Version
			}
			m.header = &h
			return h.check(want)
		}
		if row.Index >= m.Runs {
			return fmt.Errorf("run %d does not exist, want 0 to %d", row.Index, m.Runs-1)
		}
		if place := m.places[row.Index]; place != 0 {
			m.Duplicates++
			other, err := m.read(place - 1)
			if err != nil {
				return err
			}
			if err := Same(other, text); err != nil {
				return err
			}
			before, err := Decode(other)
			if err != nil || before.Status != Dead || row.Status == Dead {
				return err
			}
			m.Dead, m.Duplicates = m.Dead-1, m.Duplicates-1 // another try was not given up
		}
		m.places[row.Index] = begin + offset + 1
		m.machines[row.Machine] = true
		switch row.Status {
		case Failed:
			m.Failed++
		case Dead:
			m.Dead++
		}
		return m.Table.Add(row)
	})
}

func (m *Merged) read(place int64) ([]byte, error) {
	i, found := slices.BinarySearch(m.begins, place)
	if !found {
		i--
	}
	text, err := output.SealedLine(m.files[i], place-m.begins[i])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.paths[i], err)
	}
	return text, nil
}

// Rows iterates over all rows in the order of their runs. If reading fails or ctx is done, it yields the
// error and stops.
func (m *Merged) Rows(ctx context.Context) iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		for _, place := range m.places {
			var row *Row
			text, err := m.read(place - 1)
			if err == nil {
				err = ctx.Err()
			}
			if err == nil {
				row, err = Decode(text)
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// Close closes the files.
func (m *Merged) Close() (err error) {
	for _, file := range m.files {
		err = errors.Join(err, file.Close())
	}
	m.files = nil
	return err
}
