package results

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/output"
)

// header is the first line of the file of a shard.
type header struct {
	Sweep   string `json:"sweep"` // digest
	Version string `json:"version"`
	Runs    int64  `json:"runs"`
	Shard   int    `json:"shard"`
	Of      int    `json:"of"`
}

// log is the file of a shard: a header and a row a line, each after its checksum.
type log struct {
	file   *os.File
	have   bitmap // runs of the shard that are there
	synced time.Time
}

// syncEvery is how often rows are brought to the disk. What a machine loses that goes down is done
// again.
const syncEvery = time.Second

// openLog opens the file of a shard, or begins it. A last line that was torn is dropped.
func openLog(j *ShardJob) (*log, error) {
	file, err := output.Lock(j.Path(), 0o666)
	if errors.Is(err, output.ErrLocked) {
		return nil, fmt.Errorf("%s: another process does shard %v", j.Path(), j.Shard)
	}
	if err != nil {
		return nil, err
	}
	l := &log{file: file, have: newBitmap(j.Count()), synced: time.Now()}
	if err := l.read(j); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return l, nil
}

// read reads what is there.
func (l *log) read(j *ShardJob) error {
	want := header{Sweep: j.Digest, Version: j.Version, Runs: j.Runs, Shard: j.Shard.I, Of: j.Shard.Of}
	end, err := scan(l.file, j.Path(), func(h header, _ int64, row *Row, _ []byte) error {
		if row == nil {
			return h.check(want)
		}
		if row.Index%int64(j.Shard.Of) != int64(j.Shard.I-1) || row.Index >= j.Runs {
			return fmt.Errorf("run %d is none of shard %v", row.Index, j.Shard)
		}
		if row.Status != Dead || !j.RetryDead {
			l.have.add(row.Index / int64(j.Shard.Of))
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

// check holds that a file is of the same sweep and build as another.
func (h *header) check(want header) error {
	switch {
	case h.Sweep != want.Sweep:
		return errors.New("is of another sweep")
	case h.Version != want.Version:
		return fmt.Errorf("is of another build: %s, want %s", h.Version, want.Version)
	case h.Runs != want.Runs:
		return fmt.Errorf("is of a sweep of %d runs, want %d", h.Runs, want.Runs)
	}
	return nil
}

// add appends a row.
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

// Close brings all to the disk.
func (l *log) Close() error { return errors.Join(l.file.Sync(), l.file.Close()) }

// scan reads the file of a shard: it hands on the header first, with no row, and then each row with
// its offset. It returns where the last whole line ends.
func scan(in io.Reader, name string, each func(h header, offset int64, row *Row, text []byte) error) (end int64, err error) {
	var h header
	return output.ScanLines(in, name, MaxRow+100, func(n int, offset int64, text []byte) (err error) {
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
