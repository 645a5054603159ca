package archive

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
)

// around returns what stands before and behind the values of a block.
func around(name string, data []byte) (head, sum []byte) {
	head = binary.LittleEndian.AppendUint64(nil, uint64(len(data)))
	head = binary.LittleEndian.AppendUint16(head, uint16(len(name)))
	head = binary.LittleEndian.AppendUint32(head, crc32.Checksum(head, castagnoli)) // so that a changed length is not taken for an end
	head = append(head, name...)
	checksum := crc32.Update(crc32.Checksum(head, castagnoli), castagnoli, data)
	return head, binary.LittleEndian.AppendUint32(nil, checksum)
}

// WriteBlock writes one block with these bytes, for a log that grows block by block. A
// short one is written at once, so that a program that is killed leaves all of it.
func WriteBlock(out io.Writer, name string, data []byte) error {
	const short = 1 << 16
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

// Blocks reads a log of blocks, one after another.
type Blocks struct{ stream stream }

// ReadBlocks begins to read a log of which so many bytes have been read: places in
// errors count them, too.
func ReadBlocks(in io.Reader, at int64) *Blocks { return &Blocks{stream{in: in, at: at}} }

// At returns how many bytes of the log have been read.
func (b *Blocks) At() int64 { return b.stream.at }

// Next returns the next block, whose checksum is right. The error is io.EOF behind the last
// one, io.ErrUnexpectedEOF within one that is cut off, or says what is wrong and where.
func (b *Blocks) Next() (name string, data []byte, err error) {
	from := b.stream.at
	next, err := b.stream.block()
	if errors.Is(err, io.ErrUnexpectedEOF) && b.stream.at == from {
		err = io.EOF
	}
	return next.name, next.data, err
}
