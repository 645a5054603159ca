package results

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/internal/testkit"
)

// fake implements ShardWork and takes no time.
type fake struct {
	did   atomic.Int64
	stop  int64 // runs after which it calls end
	end   context.CancelFunc
	fails int64 // run that always fails
	value float64
}

func (f *fake) row(index int64, status Status) ([]byte, error) {
	r := Row{Index: index, Axes: []any{"seek"}, Status: status, Metrics: map[string]float64{"flow": f.value}, Machine: fmt.Sprint("machine ", f.value), Version: "v"}
	return r.Encode()
}

func (f *fake) Run(_ context.Context, index int64) ([]byte, error) {
	if index == f.fails {
		return nil, errors.New("timed out")
	}
	if f.did.Add(1) == f.stop {
		f.end()
	}
	return f.row(index, OK)
}

func (f *fake) Dead(index int64, _ error) ([]byte, error) { return f.row(index, Dead) }

func job(folder string, i, of int) *ShardJob {
	return &ShardJob{Folder: folder, Shard: Shard{i, of}, Runs: 100, Digest: "d", Version: "v", Threads: 3, Tries: 2}
}

func nothing(int64) {}

func indexes(folders ...string) (all []int64, m *Merged, err error) {
	m, err = MergeFolders(folders, []string{"scene"}, "d", 100)
	if err != nil {
		return nil, m, err
	}
	defer m.Close()
	for row, err := range m.Rows(context.Background()) {
		if err != nil {
			return nil, m, err
		}
		all = append(all, row.Index)
	}
	return all, m, nil
}

func TestShards(t *testing.T) {
	folder := t.TempDir()
	for i := 1; i <= 7; i++ {
		if _, _, err := indexes(folder); err == nil || i > 1 && !strings.Contains(err.Error(), fmt.Sprintf("runs; the first is run %d, of shard %d/7", i-1, i)) {
			t.Fatalf("after %d of 7 shards: got=%v, want an error with the first missing run and its shard, %[1]d and %[3]d/7", i-1, err, i)
		}
		f := &fake{fails: 50}
		testkit.Must(t, job(folder, i, 7).Run(t.Context(), f, nothing))
	}
	all, m, err := indexes(folder)
	if err != nil || len(all) != 100 || m.Dead != 1 || m.Duplicates != 0 {
		t.Fatalf("got=%d rows, %d dead, %d duplicates, %v, want=100, 1, 0", len(all), m.Dead, m.Duplicates, err)
	}
	for i, index := range all {
		testkit.Equal(t, index, int64(i), "row %d", i)
	}
}

func TestRetryDead(t *testing.T) {
	folder := t.TempDir()
	for k, tc := range []struct {
		retry     bool
		fails     int64
		did, dead int64
	}{{false, 50, 99, 1}, {false, -1, 0, 1}, {true, 50, 0, 1}, {true, -1, 1, 0}, {true, -1, 0, 0}} {
		j, f := job(folder, 1, 1), &fake{fails: tc.fails}
		j.RetryDead = tc.retry
		testkit.Must(t, j.Run(t.Context(), f, nothing))
		testkit.Equal(t, j.Dead, tc.dead, "step %d: dead", k)
		if all, m, err := indexes(folder); err != nil || len(all) != 100 || m.Dead != tc.dead || f.did.Load() != tc.did {
			t.Errorf("%d: got=%d rows, %+v, %d done, %v, want=100 rows, %+v", k, len(all), m, f.did.Load(), err, tc)
		}
	}
}

func TestOneProcess(t *testing.T) {
	j := job(t.TempDir(), 2, 3)
	log, err := openLog(j)
	testkit.Must(t, err)
	defer log.Close()
	testkit.Fails(t, j.Run(t.Context(), &fake{fails: -1}, nothing), "shard-2-of-3.jsonl: another process runs shard 2/3", "a second process")
}

// An interrupted shard repeats no complete run. Damage other than a torn last line is an error.
func TestGoesOn(t *testing.T) {
	folder := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	f := &fake{stop: 20, end: cancel, fails: -1}
	if err := job(folder, 1, 2).Run(ctx, f, nothing); err == nil {
		t.Fatal("ended early: got=nil, want an error")
	}
	path := job(folder, 1, 2).Path()
	whole := testkit.Read(t, path)
	last := bytes.LastIndexByte(whole[:len(whole)-1], '\n') + 1
	done := int64(bytes.Count(whole, []byte{'\n'}) - 1)
	for _, cut := range []int{0, 1, 9, 10, len(whole) - last - 1} {
		testkit.Must(t, os.WriteFile(path, whole[:len(whole)-cut], 0o666))
		kept := done
		if cut > 0 {
			kept--
		}
		f, before := &fake{fails: -1}, int64(-1)
		err := job(folder, 1, 2).Run(t.Context(), f, func(n int64) {
			if before < 0 {
				before = n
			}
		})
		if err != nil || before != kept || f.did.Load() != 50-kept {
			t.Errorf("%d bytes lost: got=%d kept and %d done, %v, want=%d and %d", cut, before, f.did.Load(), err, kept, 50-kept)
		}
	}
	whole[last-20] ^= 1 // damage other than a torn line
	testkit.Must(t, os.WriteFile(path, whole, 0o666))
	testkit.Fails(t, job(folder, 1, 2).Run(t.Context(), f, nothing), fmt.Sprintf("%s:%d: damaged", path, done), "damaged")
}

func TestMergeRefuses(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(j *ShardJob, f *fake)
		want   string
	}{
		{"twice", func(*ShardJob, *fake) {}, ""},
		{"sweep", func(j *ShardJob, _ *fake) { j.Digest = "e" }, "belongs to another sweep"},
		{"build", func(j *ShardJob, _ *fake) { j.Version = "w" }, "belongs to another build: "},
		{"runs", func(j *ShardJob, _ *fake) { j.Runs = 99 }, "belongs to a sweep of 99 runs, want 100"},
		{"one run", func(j *ShardJob, _ *fake) { j.Runs = 1 }, "belongs to a sweep of 1 run, want 100"},
		{"result", func(_ *ShardJob, f *fake) { f.value = 2 }, "two results: flow is 0 on machine 0, and 2 on machine 2"},
	} {
		a, b := t.TempDir(), t.TempDir()
		testkit.Must(t, job(a, 1, 1).Run(t.Context(), &fake{fails: -1}, nothing))
		j, f := job(b, 1, 3), &fake{fails: -1}
		tc.change(j, f)
		testkit.Must(t, j.Run(t.Context(), f, nothing))
		_, m, err := indexes(a, b)
		if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) || err == nil && m.Duplicates != 34 {
			t.Errorf("%s: got=%v, %d duplicates, want=%q or, if this is empty, 34 duplicates", tc.name, err, m.Duplicates, tc.want)
		}
	}
}

func TestNumber(t *testing.T) {
	slurm := func(id, least, count, step string) map[string]string {
		return map[string]string{"SLURM_ARRAY_TASK_ID": id, "SLURM_ARRAY_TASK_MIN": least, "SLURM_ARRAY_TASK_COUNT": count, "SLURM_ARRAY_TASK_STEP": step}
	}
	for _, tc := range []struct {
		text string
		env  map[string]string
		got  Shard
		want string
	}{
		{"3/10", nil, Shard{3, 10}, ""},
		{"1/1", nil, Shard{1, 1}, ""},
		{"0/10", nil, Shard{}, "want i/n with i from 1 to n, or auto"},
		{"11/10", nil, Shard{}, "want i/n with i from 1 to n, or auto"},
		{"3", nil, Shard{}, "want i/n with i from 1 to n, or auto"},
		{"a/b", nil, Shard{}, "want i/n with i from 1 to n, or auto"},
		{"1/2/3", nil, Shard{}, "want i/n with i from 1 to n, or auto"},
		{"1/9000000", nil, Shard{}, "want i/n with i from 1 to n, or auto"},
		{"auto", nil, Shard{}, "neither SLURM_ARRAY_TASK_ID nor JOB_COMPLETION_INDEX is set"},
		{"auto", slurm("0", "0", "10", "1"), Shard{1, 10}, ""},
		{"auto", slurm("9", "0", "10", "1"), Shard{10, 10}, ""},
		{"auto", slurm("7", "1", "5", "2"), Shard{4, 5}, ""},
		{"auto", slurm("7", "1", "3", "1"), Shard{}, "want an array without gaps"}, // --array=1,3,7
		{"auto", slurm("2", "1", "", "1"), Shard{}, `SLURM_ARRAY_TASK_COUNT is "", want a whole number`},
		{"auto", map[string]string{"JOB_COMPLETION_INDEX": "0", "JOB_COMPLETIONS": "4"}, Shard{1, 4}, ""},
		{"auto", map[string]string{"JOB_COMPLETION_INDEX": "4", "JOB_COMPLETIONS": "4"}, Shard{}, "want an index below the number of completions"},
		{"auto", map[string]string{"JOB_COMPLETION_INDEX": "1"}, Shard{}, `JOB_COMPLETIONS is "", want a whole number`},
	} {
		for _, name := range []string{"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_STEP", "JOB_COMPLETION_INDEX", "JOB_COMPLETIONS"} {
			t.Setenv(name, tc.env[name])
		}
		n, err := ParseShard(tc.text)
		if tc.want == "" && (err != nil || n != tc.got) || tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)) {
			t.Errorf("%s %v: got=%v, %v, want=%v, %s", tc.text, tc.env, n, err, tc.got, tc.want)
		}
	}
}

func TestBegin(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a", "b")
	copied := 0
	files := func(string) error { copied++; return nil }
	difference := func(there []byte) string { return "it is " + string(there) }
	for range 2 {
		testkit.Must(t, BeginFolder(folder, []byte("one"), []byte("spec"), files, difference))
	}
	if err := BeginFolder(folder, []byte("two"), []byte("spec"), files, difference); err == nil || !strings.Contains(err.Error(), "holds another sweep: it is one; want another --out") {
		t.Errorf("another sweep: got=%v, want an error with %q", err, "holds another sweep: it is one; want another --out")
	}
	testkit.Equal(t, copied, 1, "copies of the files")
}

func FuzzScan(f *testing.F) {
	row, err := (&fake{}).row(1, OK)
	testkit.Must(f, err)
	f.Add(append(output.SealLine([]byte(`{"sweep":"d"}`)), output.SealLine(row)...))
	f.Add([]byte("00000000 \n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		end, err := scan(bytes.NewReader(data), "fuzz", func(header, int64, *Row, []byte) error { return nil })
		if err == nil && (end < 0 || end > int64(len(data)) || end > 0 && data[end-1] != '\n') {
			t.Errorf("got=%d of %d bytes, want the end of a line", end, len(data))
		}
	})
}
