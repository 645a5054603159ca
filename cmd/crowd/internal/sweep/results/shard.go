package results

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/internal/textio"
)

// ShardWork does the runs of a shard. Dead returns the row of a given-up run with its last error.
type ShardWork interface {
	Run(ctx context.Context, index int64) (row []byte, err error)
	Dead(index int64, why error) (row []byte, err error)
}

// ShardJob describes a shard of a sweep.
type ShardJob struct {
	Folder  string
	Shard   Shard
	Runs    int64  // of the whole sweep
	Digest  string // of the sweep
	Version string // of the build
	Threads int    // at least 1
	Tries   int    // at least 1

	RetryDead bool // retry runs that were given up

	Dead int64 // runs given up; set by Run
}

// Count returns the number of runs in the shard.
func (j *ShardJob) Count() int64 {
	return (j.Runs - int64(j.Shard.I-1) + int64(j.Shard.Of) - 1) / int64(j.Shard.Of)
}

func (j *ShardJob) index(k int64) int64 { return k*int64(j.Shard.Of) + int64(j.Shard.I-1) }

// Path returns the file of the shard.
func (j *ShardJob) Path() string { return filepath.Join(j.Folder, j.Shard.file()) }

// Run does the missing runs on j.Threads goroutines. It calls done with the number of finished runs at the
// start and after each run. If ctx is done, Run returns a cli.Interruption. If a row cannot be made or
// written, Run stops and returns the error. Finished runs are kept.
func (j *ShardJob) Run(ctx context.Context, work ShardWork, done func(n int64)) error {
	log, err := openLog(j)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	left := make(chan int64)
	go func() {
		defer close(left)
		for k, have := range log.have {
			if have {
				continue
			}
			select {
			case left <- int64(k):
			case <-ctx.Done():
				return
			}
		}
	}()
	n := log.count
	done(n)
	var mu sync.Mutex
	var all sync.WaitGroup
	for range j.Threads {
		all.Go(func() {
			for k := range left {
				row, dead, err := j.try(ctx, work, j.index(k))
				mu.Lock()
				if err == nil {
					log.dead[k] = dead
					err = log.add(row)
				}
				if err == nil {
					n++
					done(n)
				} else {
					cancel(err)
				}
				mu.Unlock()
			}
		})
	}
	all.Wait()
	j.Dead = 0
	for _, dead := range log.dead {
		if dead {
			j.Dead++
		}
	}
	err = context.Cause(ctx)
	if errors.Is(err, context.Canceled) && !errors.As(err, new(cli.Interruption)) {
		err = cli.While(ctx, ctx.Err(), "sweeping")
	}
	return errors.Join(err, log.Close())
}

// try returns the row of a run, or that of work.Dead after j.Tries failures.
func (j *ShardJob) try(ctx context.Context, work ShardWork, index int64) (row []byte, dead bool, err error) {
	for range j.Tries {
		if row, err = work.Run(ctx, index); err == nil || ctx.Err() != nil {
			return row, false, err
		}
	}
	row, err = work.Dead(index, err)
	return row, true, err
}

// BeginFolder creates the folder of a sweep, and calls the function files to fill FilesFolder, unless the
// folder already holds this sweep. If it holds another, the error includes the difference. Several processes
// may call BeginFolder at once.
func BeginFolder(folder string, manifest, spec []byte, files func(folder string) error, difference func(there []byte) string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	path := filepath.Join(folder, manifestName)
	switch there, err := os.ReadFile(path); {
	case err == nil && string(there) != string(manifest):
		return fmt.Errorf("%s holds another sweep: %s; want another --out, or remove this folder", folder, difference(there))
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
	return writeWhole(path, manifest) // last: it marks a complete folder
}

// Names in the folder of a sweep.
const (
	manifestName = "manifest.json"
	FilesFolder  = "files"
)

// ReadManifest reads the manifest in a folder.
func ReadManifest(folder string) ([]byte, error) {
	file, err := textio.OpenFile(filepath.Join(folder, manifestName))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}

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

const maxShards = 1_000_000 // per sweep

// Shard is shard number I of Of, counted from 1.
type Shard struct{ I, Of int }

// String returns i/n.
func (n Shard) String() string { return fmt.Sprintf("%d/%d", n.I, n.Of) }

func (n Shard) file() string { return fmt.Sprintf("shard-%d-of-%d.jsonl", n.I, n.Of) }

// ParseShard parses i/n. For "auto", it returns the shard of a Slurm or Kubernetes job.
func ParseShard(text string) (n Shard, err error) {
	if text == "auto" {
		return auto(os.Getenv)
	}
	i, of, _ := strings.Cut(text, "/")
	n.I, err = strconv.Atoi(i)
	if err == nil {
		n.Of, err = strconv.Atoi(of)
	}
	if err != nil || !n.valid() {
		return Shard{}, fmt.Errorf("--shard is %q, want i/n with i from 1 to n, or auto", text)
	}
	return n, nil
}

func (n Shard) valid() bool { return n.I >= 1 && n.I <= n.Of && n.Of <= maxShards }

// auto returns the shard of a Slurm job array or a Kubernetes Indexed Job. Kubernetes sets only
// JOB_COMPLETION_INDEX, which starts at 0. The manifest of the job must set JOB_COMPLETIONS.
func auto(env func(string) string) (Shard, error) {
	if env("SLURM_ARRAY_TASK_ID") != "" {
		return slurm(env)
	}
	if env("JOB_COMPLETION_INDEX") != "" {
		all, err := numbersOf(env, "JOB_COMPLETION_INDEX", "JOB_COMPLETIONS")
		if err != nil {
			return Shard{}, err
		}
		n := Shard{all[0] + 1, all[1]}
		if !n.valid() {
			return n, fmt.Errorf("JOB_COMPLETION_INDEX is %d and JOB_COMPLETIONS is %d, want an index below the number of completions", all[0], all[1])
		}
		return n, nil
	}
	return Shard{}, fmt.Errorf("neither SLURM_ARRAY_TASK_ID nor JOB_COMPLETION_INDEX is set: want a Slurm job array, a Kubernetes Indexed Job, or --shard i/n")
}

// slurm returns the shard of a job array such as 0-99, or 1-9:2 with a step.
func slurm(env func(string) string) (Shard, error) {
	all, err := numbersOf(env, "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_COUNT")
	if err != nil {
		return Shard{}, err
	}
	step := 1
	if env("SLURM_ARRAY_TASK_STEP") != "" {
		one, err := numbersOf(env, "SLURM_ARRAY_TASK_STEP")
		if err != nil {
			return Shard{}, err
		}
		step = max(one[0], 1)
	}
	n := Shard{(all[0]-all[1])/step + 1, all[2]}
	if !n.valid() || (all[0]-all[1])%step != 0 {
		return n, fmt.Errorf("SLURM_ARRAY_TASK_ID is %d of %d tasks from %d with step %d, want an array without gaps, such as --array=1-%d", all[0], all[2], all[1], step, max(all[2], 1))
	}
	return n, nil
}

func numbersOf(env func(string) string, names ...string) (all []int, err error) {
	for _, name := range names {
		n, err := strconv.Atoi(env(name))
		if err != nil || n < 0 {
			return nil, fmt.Errorf("%s is %q, want a whole number", name, env(name))
		}
		all = append(all, n)
	}
	return all, nil
}

type header struct {
	Sweep   string `json:"sweep"` // digest of the sweep
	Version string `json:"version"`
	Runs    int64  `json:"runs"`
	Shard   int    `json:"shard"`
	Of      int    `json:"of"`
}

// log is the file of a shard: a header and rows, in sealed lines.
type log struct {
	file   *os.File
	have   []bool // finished runs
	dead   []bool // runs whose last row is Dead
	count  int64  // finished runs
	synced time.Time
}

// syncEvery is the time between syncs. Rows lost in a crash of the machine are computed again.
const syncEvery = time.Second

// openLog opens or creates the file of a shard, and drops an incomplete last line.
func openLog(j *ShardJob) (*log, error) {
	file, err := output.Lock(j.Path(), 0o666)
	if errors.Is(err, output.ErrLocked) {
		return nil, fmt.Errorf("%s: another process runs shard %v", j.Path(), j.Shard)
	}
	if err != nil {
		return nil, err
	}
	l := &log{file: file, have: make([]bool, j.Count()), dead: make([]bool, j.Count()), synced: time.Now()}
	if err := l.read(j); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return l, nil
}

// read reads the rows, or writes the header of an empty file.
func (l *log) read(j *ShardJob) error {
	want := header{Sweep: j.Digest, Version: j.Version, Runs: j.Runs, Shard: j.Shard.I, Of: j.Shard.Of}
	end, err := scan(l.file, j.Path(), func(h header, _ int64, row *Row, _ []byte) error {
		if row == nil {
			return h.check(want)
		}
		if row.Index%int64(j.Shard.Of) != int64(j.Shard.I-1) || row.Index >= j.Runs {
			return fmt.Errorf("run %d does not belong to shard %v", row.Index, j.Shard)
		}
		k := row.Index / int64(j.Shard.Of)
		have := &l.have[k]
		l.dead[k] = row.Status == Dead
		if !*have && (row.Status != Dead || !j.RetryDead) {
			*have = true
			l.count++
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := output.Truncate(l.file, end); err != nil {
		return err
	}
	if end > 0 {
		return nil
	}
	text, err := json.Marshal(want)
	if err != nil {
		return err
	}
	_, err = l.file.Write(output.SealLine(text))
	return err
}

func (h *header) check(want header) error {
	switch {
	case h.Sweep != want.Sweep:
		return errors.New("the file belongs to another sweep")
	case h.Version != want.Version:
		return fmt.Errorf("the file belongs to another build: %s, want %s", h.Version, want.Version)
	case h.Runs != want.Runs:
		return fmt.Errorf("the file belongs to a sweep of %s, want %d", cli.Plural(int(h.Runs), "run"), want.Runs)
	}
	return nil
}

func (l *log) add(row []byte) error {
	if _, err := l.file.Write(output.SealLine(row)); err != nil {
		return err
	}
	if time.Since(l.synced) > syncEvery {
		l.synced = time.Now()
		return l.file.Sync()
	}
	return nil
}

func (l *log) Close() error { return errors.Join(l.file.Sync(), l.file.Close()) }

// scan calls the function each with the header and a nil row, then with every row, its offset and its text.
// It returns the end of the last line.
func scan(in io.Reader, name string, each func(h header, offset int64, row *Row, text []byte) error) (end int64, err error) {
	var h header
	return output.ScanLines(in, name, maxRow+100, func(n int, offset int64, text []byte) (err error) {
		var row *Row
		if n == 1 {
			err = json.Unmarshal(text, &h)
		} else {
			row, err = Decode(text)
		}
		if err == nil {
			err = each(h, offset, row, text)
		}
		return err
	})
}
