package archive

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
)

type block struct {
	name string
	from int64  // offset of the block
	body int64  // offset of the values; 0 means not in a stream yet
	data []byte // the values
	at   int    // bytes already read
}

// fault adds the place to err. The parameter at is an offset from b.body, in bytes.
func (b *block) fault(at int, err error) error {
	switch {
	case b.name == "":
		return fmt.Errorf("crowd state: %w", err)
	case b.body == 0:
		return fmt.Errorf("crowd state: block %s: %w", b.name, err)
	}
	return fmt.Errorf("crowd state: block %s at byte %d: %w", b.name, b.body+int64(at), err)
}

const (
	magic     = "crowd state\n"
	lastBlock = "end"
	longest   = 1 << 10 // bytes of a name
	some      = 1 << 20 // bytes to allocate before the stream is known to have them
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Write returns an Archive that writes a stream to out. Close ends the stream.
func Write(out io.Writer, version uint32) *Archive {
	a := &Archive{out: out}
	a.put([]byte(magic))
	a.put(little.AppendUint32(nil, version))
	return a
}

func (a *Archive) put(data []byte) {
	if a.err == nil {
		_, a.err = a.out.Write(data)
	}
}

// ErrVersion means that a stream has a version other than the one wanted.
var ErrVersion = errors.New("version")

// Read reads a whole stream, verifies the checksums, and returns an Archive that reads the values. The error
// wraps ErrVersion if the stream has a different version.
func Read(in io.Reader, version uint32) (*Archive, error) {
	s := stream{in: in}
	head := s.take(len(magic) + 4)
	switch {
	case s.err != nil:
		return nil, fmt.Errorf("crowd state: %w", s.err)
	case string(head[:len(magic)]) != magic:
		return nil, fmt.Errorf("crowd state: byte 0: the stream begins with %q, want %q", head[:len(magic)], magic)
	}
	if got := little.Uint32(head[len(magic):]); got != version {
		return nil, fmt.Errorf("crowd state: byte %d: %w is %d, want %d", len(magic), ErrVersion, got, version)
	}
	a := &Archive{}
	for {
		b, err := s.block()
		if err != nil {
			return nil, err
		}
		if b.name == lastBlock {
			break
		}
		a.blocks = append(a.blocks, b)
	}
	return a, nil
}

// Block calls body to write or read all values of the next block, which must have the given name.
func (a *Archive) Block(name string, body func()) {
	if a.err != nil {
		return
	}
	if a.Reading() {
		a.open(name)
	} else {
		a.block = block{name: name, data: a.block.data[:0]}
		if len(name) > longest {
			a.Fail("its name has %d bytes, want at most %d", len(name), longest)
		}
	}
	if a.err == nil {
		body()
	}
	if a.err != nil {
		return
	}
	if a.Reading() {
		if left := len(a.block.data) - a.block.at; left > 0 {
			a.Fail("unread bytes in the block: %d, want 0", left)
		}
		a.block = block{}
		return
	}
	a.close()
}

// Next returns the name of the next block to read, or "" after the last one or an error.
func (a *Archive) Next() string {
	if a.err != nil || len(a.blocks) == 0 {
		return ""
	}
	return a.blocks[0].name
}

func (a *Archive) open(name string) {
	switch got := a.Next(); {
	case got == "":
		a.err = fmt.Errorf("crowd state: want block %s, but the stream ends", name)
	case got != name:
		a.block = block{name: got, body: a.blocks[0].from}
		a.Fail("want block %s", name)
	default:
		a.block, a.blocks[0] = a.blocks[0], block{}
		a.blocks = a.blocks[1:]
	}
}

func (a *Archive) close() {
	head, sum := around(a.block.name, a.block.data)
	for _, part := range [][]byte{head, a.block.data, sum} {
		a.put(part)
	}
	a.block = block{data: a.block.data}
}

// Close ends the stream, but does not close the writer, and returns the first error. An unread block is an
// error.
func (a *Archive) Close() error {
	if !a.Reading() {
		a.Block(lastBlock, func() {})
	} else if name := a.Next(); name != "" {
		a.block = block{name: name, body: a.blocks[0].from}
		a.Fail("want the end of the stream")
	}
	return a.err
}

type stream struct {
	in  io.Reader
	at  int64 // bytes already read
	err error
}

func (s *stream) block() (block, error) {
	b := block{from: s.at, name: "?", body: s.at}
	lengths := s.take(8 + 2)
	check := s.take(4)
	if s.err != nil {
		return b, b.fault(0, s.err)
	}
	size, length := little.Uint64(lengths), int(little.Uint16(lengths[8:]))
	if got, want := little.Uint32(check), crc32.Checksum(lengths, castagnoli); got != want {
		return b, b.fault(0, fmt.Errorf("checksum of the lengths is %08x, want %08x", got, want))
	}
	if length > longest {
		return b, b.fault(0, fmt.Errorf("name has %d bytes, want at most %d", length, longest))
	}
	name := s.take(length)
	if s.err == nil {
		b.name = string(name)
	}
	b.body = s.at
	if s.err == nil {
		b.data = s.takeLong(size)
	}
	sum := s.take(4)
	if s.err != nil {
		return b, b.fault(int(b.from-b.body), s.err)
	}
	want := crc32.Checksum(lengths, castagnoli)
	for _, part := range [][]byte{check, name, b.data} {
		want = crc32.Update(want, castagnoli, part)
	}
	if got := little.Uint32(sum); got != want {
		return b, b.fault(int(b.from-b.body), fmt.Errorf("checksum is %08x, want %08x", got, want))
	}
	return b, nil
}

// take returns the next n bytes, which are undefined after an error.
func (s *stream) take(n int) []byte {
	data := make([]byte, n)
	if s.err == nil {
		n, err := io.ReadFull(s.in, data)
		s.count(int64(n), err)
	}
	return data
}

// takeLong is like take, for a length that may be wrong: beyond 1 MiB, it allocates only in proportion to the
// bytes that the stream has.
func (s *stream) takeLong(n uint64) []byte {
	known := uint64(some)
	if in, ok := s.in.(interface{ Len() int }); ok {
		known = max(known, uint64(in.Len()))
	}
	if n <= known {
		return s.take(int(n))
	}
	var data bytes.Buffer
	got, err := io.CopyN(&data, s.in, int64(min(n, math.MaxInt64)))
	s.count(got, err)
	return data.Bytes()
}

func (s *stream) count(n int64, err error) {
	if s.at += n; errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = fmt.Errorf("the stream ends at byte %d: %w", s.at, io.ErrUnexpectedEOF)
	}
	s.err = err
}

func around(name string, data []byte) (head, sum []byte) {
	head = little.AppendUint64(nil, uint64(len(data)))
	head = little.AppendUint16(head, uint16(len(name)))
	// The lengths have their own checksum: a changed length must not look like the end of the stream.
	head = little.AppendUint32(head, crc32.Checksum(head, castagnoli))
	head = append(head, name...)
	checksum := crc32.Update(crc32.Checksum(head, castagnoli), castagnoli, data)
	return head, little.AppendUint32(nil, checksum)
}

// WriteBlock appends a block to a log of blocks. A name of more than 1024 bytes is an error. A block with up
// to 64 KiB of data is written in one call, so a killed program is unlikely to leave only part of it.
func WriteBlock(out io.Writer, name string, data []byte) error {
	const short = 1 << 16
	if len(name) > longest {
		return fmt.Errorf("name of block %.20s… has %d bytes, want at most %d", name, len(name), longest)
	}
	head, sum := around(name, data)
	parts := [][]byte{head, data, sum}
	if len(data) <= short {
		parts = [][]byte{append(append(head, data...), sum...)}
	}
	for _, part := range parts {
		if _, err := out.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// Blocks reads a log of blocks.
type Blocks struct{ stream stream }

// ReadBlocks returns a Blocks that reads the rest of a log from in. The parameter at is the offset in the
// log, in bytes, at which in begins. Errors give offsets in the whole log.
func ReadBlocks(in io.Reader, at int64) *Blocks { return &Blocks{stream{in: in, at: at}} }

// At returns the offset in the log, in bytes, up to which the log has been read.
func (b *Blocks) At() int64 { return b.stream.at }

// Next returns the name and the data of the next block. The error is io.EOF after the last block, and wraps
// io.ErrUnexpectedEOF if a block is cut off.
func (b *Blocks) Next() (name string, data []byte, err error) {
	from := b.stream.at
	next, err := b.stream.block()
	if errors.Is(err, io.ErrUnexpectedEOF) && b.stream.at == from {
		err = io.EOF
	}
	return next.name, next.data, err
}
