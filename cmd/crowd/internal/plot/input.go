package plot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/8f878440/crowd/cmd/crowd/internal/console"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot/data"
)

// readAll reads the files, and finds out what all of them are.
func (p *drawing) readAll(ctx context.Context, e *console.Console) error {
	for _, name := range p.Files {
		f, err := p.readFile(ctx, e, name)
		if err != nil {
			return err
		}
		p.files = append(p.files, f)
		switch {
		case p.kind == "" || p.kind == f.Kind:
			p.kind = f.Kind
		case p.kind == data.MotionKind || f.Kind == data.MotionKind:
			return fmt.Errorf("%s is %s and %s is %s: want files of one kind", p.files[0].Name, p.files[0].Kind, name, f.Kind)
		default:
			p.kind = data.TableKind
		}
	}
	data.LabelFiles(p.files)
	return nil
}

func (p *drawing) readFile(ctx context.Context, e *console.Console, name string) (*data.File, error) {
	var in io.Reader = os.Stdin
	size := 0
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, errors.Unwrap(err))
		}
		defer file.Close()
		if info, err := file.Stat(); err == nil {
			if info.IsDir() {
				return nil, fmt.Errorf("%s: is a folder", name)
			}
			size = int(info.Size())
		}
		in = file
	} else {
		name = "standard input"
	}
	counted := &countedReader{Reader: in}
	bar := e.Progress(name, size, "byte", size == 0)
	defer bar.Done()
	return data.Read(ctx, name, counted, data.Options{Ways: p.Ways, To: p.To, Progress: func(int) { bar.Set(counted.n) }})
}

// countedReader counts what is read.
type countedReader struct {
	io.Reader
	n int
}

func (r *countedReader) Read(b []byte) (int, error) {
	n, err := r.Reader.Read(b)
	r.n += n
	return n, err
}
