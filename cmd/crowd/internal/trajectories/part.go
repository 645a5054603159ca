package trajectories

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"

	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/klauspost/compress/zstd"
)

// A Part is the file of what was recorded so far of a run that is saved: every step in a form of
// its own, so that one who goes on from a saved state can drop the steps behind it. When the run
// has ended, Join gives all to the writer of a format.
type Part struct {
	file   *os.File
	name   string
	head   []byte
	zipped *zstd.Encoder
	mark   Mark
	frame  []byte // memory of Write
}

// Mark is how far a part is.
type Mark struct {
	Bytes int64
	Sum   uint32 // CRC-32C of them
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// NewPart begins a part of a run, or begins it anew if nothing of it was saved. It is an error if the file has
// what another run recorded. The part is locked until it is closed.
func NewPart(name string, run uint64) (*Part, error) { return openPart(name, run, Mark{}) }

// OpenPart goes on with a part as it was at a mark: what came later is dropped.
func OpenPart(name string, run uint64, from Mark) (*Part, error) {
	if _, err := os.Stat(name); err != nil { // and none is made
		return nil, err
	}
	return openPart(name, run, from)
}

func openPart(name string, run uint64, from Mark) (*Part, error) {
	file, err := output.Lock(name, 0o666)
	if err != nil {
		return nil, err
	}
	p := &Part{file: file, name: name, head: headOf(run), mark: from}
	if err := p.goOn(); err != nil {
		_ = file.Close()
		return nil, err
	}
	return p, nil
}

// headOf returns what the part of a run begins with: a frame that zstd skips.
func headOf(run uint64) []byte {
	const skipped, bytes = 0x184d2a50, 8
	head := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, skipped), bytes)
	return binary.LittleEndian.AppendUint64(head, run)
}

// goOn checks that the file is as it was at the mark, and drops what is behind.
func (p *Part) goOn() error {
	if p.mark.Bytes == 0 {
		if err := p.mine(); err != nil {
			return err
		}
	}
	sum := crc32.New(castagnoli)
	n, err := io.Copy(sum, io.NewSectionReader(p.file, 0, p.mark.Bytes))
	switch {
	case err != nil:
		return err
	case n < p.mark.Bytes:
		return fmt.Errorf("%s has %d bytes, and had %d when the run was saved", p.name, n, p.mark.Bytes)
	case sum.Sum32() != p.mark.Sum:
		return fmt.Errorf("%s is not as it was when the run was saved", p.name)
	}
	if err := output.Truncate(p.file, p.mark.Bytes); err != nil {
		return err
	}
	p.zipped, err = zstd.NewWriter(marking{p}, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<20))
	return err
}

// mine returns an error if the file has what another run recorded.
func (p *Part) mine() error {
	head, err := io.ReadAll(io.NewSectionReader(p.file, 0, int64(len(p.head))))
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(p.head, head) { // it may have been killed when it wrote that
		return fmt.Errorf("%s has the trajectories of another run, which has not ended: go on with that by crowd run --resume, or delete the file", p.name)
	}
	return nil
}

// marking writes to the end of the file and moves the mark.
type marking struct{ *Part }

func (p marking) Write(b []byte) (int, error) {
	n, err := p.file.Write(b)
	p.mark.Bytes += int64(n)
	p.mark.Sum = crc32.Update(p.mark.Sum, castagnoli, b[:n])
	return n, err
}

// Write writes a step.
func (p *Part) Write(frame int, step []Sample, changed *Ground) error {
	if p.mark.Bytes == 0 {
		if _, err := (marking{p}).Write(p.head); err != nil {
			return err
		}
	}
	p.frame = appendFrame(p.frame[:0], frame, step, changed)
	_, err := p.zipped.Write(p.frame)
	return err
}

// Save brings all that was written to the disk, and returns how far the part is.
func (p *Part) Save() (Mark, error) {
	if p.mark.Bytes == 0 { // nothing was
		return p.mark, nil
	}
	err := cmp.Or(p.zipped.Close(), p.file.Sync())
	p.zipped.Reset(marking{p})
	return p.mark, err
}

// Join gives all steps to a writer, in their order. Nothing is written to the part any more.
func (p *Part) Join(to Writer) error {
	if err := p.zipped.Close(); err != nil {
		return err
	}
	p.zipped = nil
	in, err := zstd.NewReader(io.NewSectionReader(p.file, 0, p.mark.Bytes), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return err
	}
	defer in.Close()
	from := newFrames(in)
	for frame := 0; ; frame++ {
		err := from.next(frame)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		if err := to.Write(frame, from.step, from.changed); err != nil {
			return err
		}
	}
}

// Close closes the file; what was written since the last Save may be lost. It may be called again.
func (p *Part) Close() error {
	err := p.file.Close()
	if errors.Is(err, os.ErrClosed) {
		return nil
	}
	return err
}

// Remove closes the file and removes it.
func (p *Part) Remove() error { return cmp.Or(p.Close(), os.Remove(p.name)) }
