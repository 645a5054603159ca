package results

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/internal/textio"
)

// ShardWork does one run, and returns its row. See trial.Trial.
type ShardWork interface {
	Run(ctx context.Context, index int64) (row []byte, err error)
	Dead(index int64, why error) (row []byte, err error)
}

// ShardJob says what is done.
type ShardJob struct {
	Folder  string
	Shard   Shard
	Runs    int64  // of the whole sweep
	Digest  string // of the sweep
	Version string // of the build
	Threads int
	Tries   int

	RetryDead bool // runs that were given up before get their tries again
}

// Count returns how many runs the shard has.
func (j *ShardJob) Count() int64 {
	return (j.Runs - int64(j.Shard.I-1) + int64(j.Shard.Of) - 1) / int64(j.Shard.Of)
}

// index returns the index of run k of the shard.
func (j *ShardJob) index(k int64) int64 { return k*int64(j.Shard.Of) + int64(j.Shard.I-1) }

// Path returns the name of the file of the shard.
func (j *ShardJob) Path() string { return filepath.Join(j.Folder, j.Shard.file()) }

// Run does the runs of the shard that its file does not have yet, some at a time. Before the first
// and after each it says how many are done. Ended early by the context, it returns an
// cli.Interruption, and what was done stays.
func (j *ShardJob) Run(ctx context.Context, work ShardWork, done func(n int64)) error {
	log, err := openLog(j)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var mu sync.Mutex
	n, next := log.have.count, int64(0)
	done(n)
	take := func() (k int64, ok bool) {
		mu.Lock()
		defer mu.Unlock()
		for next < j.Count() && log.have.has(next) {
			next++
		}
		next++
		return next - 1, next-1 < j.Count()
	}
	put := func(k int64, row []byte) error {
		mu.Lock()
		defer mu.Unlock()
		if err := log.add(row); err != nil {
			return err
		}
		n++
		done(n)
		return nil
	}
	var all sync.WaitGroup
	for range max(j.Threads, 1) {
		all.Go(func() {
			for ctx.Err() == nil {
				k, ok := take()
				if !ok {
					return
				}
				row, err := j.try(ctx, work, j.index(k))
				if err == nil {
					err = put(k, row)
				}
				if err != nil {
					cancel(err)
				}
			}
		})
	}
	all.Wait()
	err = context.Cause(ctx)
	if errors.Is(err, context.Canceled) && !errors.As(err, new(cli.Interruption)) {
		err = cli.While(ctx, ctx.Err(), "sweeping")
	}
	return errors.Join(err, log.Close())
}

// try does one run, and gives it up after some tries.
func (j *ShardJob) try(ctx context.Context, work ShardWork, index int64) (row []byte, err error) {
	for range max(j.Tries, 1) {
		if row, err = work.Run(ctx, index); err == nil || ctx.Err() != nil {
			return row, err
		}
	}
	return work.Dead(index, err)
}

// bitmap says which runs of a shard are done.
type bitmap struct {
	bits  []uint64
	count int64
}

func newBitmap(n int64) bitmap { return bitmap{bits: make([]uint64, (n+63)/64)} }

func (b *bitmap) has(i int64) bool { return b.bits[i/64]&(1<<(i%64)) != 0 }

func (b *bitmap) add(i int64) {
	if !b.has(i) {
		b.bits[i/64] |= 1 << (i % 64)
		b.count++
	}
}

// BeginFolder makes the folder of a sweep, with copies of its spec and of its files, or holds that it is
// the folder of this very sweep; difference says in what another manifest differs. Several processes may do so at the same time.
func BeginFolder(folder string, manifest, spec []byte, files func(folder string) error, difference func(there []byte) string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	path := filepath.Join(folder, manifestName)
	switch there, err := os.ReadFile(path); {
	case err == nil && string(there) != string(manifest):
		return fmt.Errorf("%s holds another sweep: %s; want another --folder, or to remove this one", folder, difference(there))
	case err == nil:
		return nil
	case !errors.Is(err, os.ErrNotExist):
		return err
	}
	if err := files(filepath.Join(folder, FilesFolder)); err != nil {
		return err
	}
	if err := writeWhole(filepath.Join(folder, "spec.toml"), spec); err != nil {
		return err
	}
	return writeWhole(path, manifest) // last: when it is there, all is
}

// Names in the folder of a sweep.
const (
	manifestName = "manifest.json"
	FilesFolder  = "files"
)

// ReadManifest reads the manifest in the folder of a sweep.
func ReadManifest(folder string) ([]byte, error) {
	file, err := textio.OpenFile(filepath.Join(folder, manifestName))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}

// writeWhole writes a file so that it is there whole or not at all.
func writeWhole(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".crowd-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}
