package run

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
)

// batch runs files, several at a time.
type batch struct {
	*ScoreOptions
	room cli.MemoryRoom // the memory that files share
}

// Run runs the files, and writes what became of them.
func (o *ScoreOptions) Run(ctx context.Context, e *cli.Console) error {
	if err := o.check(e); err != nil {
		return cli.BadUsage(err)
	}
	files, parts, err := findScenes(o.Files)
	if err != nil {
		return cli.BadUsage(err)
	}
	if len(parts) > 0 {
		e.Log.Info(fmt.Sprintf("left out %d files that are parts of scenes: %s", len(parts), strings.Join(parts, ", ")))
	}
	rows := (&batch{ScoreOptions: o}).scoreAll(ctx, e, files)
	switch {
	case o.JSON:
		err = output.WriteJSON(e.Machine, rows)
	case o.CSV:
		err = writeCSV(e.Machine, rows)
	default:
		err = writeTable(e.Out, rows)
	}
	failed := 0
	for i := range rows {
		if rows[i].failed {
			failed++
		}
	}
	if failed > 0 {
		err = errors.Join(err, fmt.Errorf("%d of %d files failed", failed, len(rows)))
	}
	return err
}

// scoreAll runs the files, several at a time, and returns a row for each.
func (b *batch) scoreAll(ctx context.Context, e *cli.Console, files []string) []ScoreRow {
	workers := b.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	rows := make([]ScoreRow, len(files))
	next, done := make(chan int, len(files)), make(chan struct{})
	for i := range files {
		next <- i
	}
	close(next)
	for range workers {
		go func() {
			for i := range next {
				rows[i] = b.score(ctx, e, files[i])
				done <- struct{}{}
			}
		}()
	}
	bar := e.Progress(fmt.Sprintf("%s files", cli.Thousands(len(files))), len(files), "file", b.JSON || b.CSV)
	defer bar.Done()
	for i := range files {
		<-done
		bar.Set(i + 1)
	}
	return rows
}
