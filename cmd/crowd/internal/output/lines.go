package output

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// checksums are CRC-32C, which finds what was torn and what a disk got wrong.
var checksums = crc32.MakeTable(crc32.Castagnoli)

// SealLine returns a line of a file: the checksum, a blank, and the text.
func SealLine(text []byte) []byte {
	return fmt.Appendf(nil, "%08x %s\n", crc32.Checksum(text, checksums), text)
}

// OpenLine returns the text of a line without its end; false if it is damaged.
func OpenLine(line []byte) (text []byte, ok bool) {
	sum, text, ok := bytes.Cut(line, []byte(" "))
	return text, ok && string(sum) == fmt.Sprintf("%08x", crc32.Checksum(text, checksums))
}

// ScanLines calls a function with the number, the offset, and the text of each line of a file, and
// returns where the last whole line ends. It drops a last line that is torn; any other damage is
// an error, as is a line with more than so many bytes.
func ScanLines(in io.Reader, name string, most int, each func(n int, offset int64, text []byte) error) (end int64, err error) {
	lines := bufio.NewReaderSize(in, 64<<10)
	for n := 1; ; n++ {
		line, err := read(lines, most)
		if err == io.EOF { // and what is torn has no end of line
			return end, nil
		}
		if err != nil {
			return end, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		text, ok := OpenLine(line)
		if !ok {
			if _, err := lines.Peek(1); err == io.EOF {
				return end, nil // the last one, torn
			}
			return end, fmt.Errorf("%s:%d: damaged, its checksum is wrong: want the line removed, and its run done again", name, n)
		}
		if err := each(n, end, text); err != nil {
			return end, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		end += int64(len(line)) + 1
	}
}

// SealedLine returns the text of the line at an offset of a file that Scan has read.
func SealedLine(in io.ReaderAt, offset int64) ([]byte, error) {
	for size := 8 << 10; ; size *= 4 {
		part := make([]byte, size)
		n, err := in.ReadAt(part, offset)
		if err != nil && err != io.EOF {
			return nil, err
		}
		if end := bytes.IndexByte(part[:n], '\n'); end >= 0 {
			if text, ok := OpenLine(part[:end]); ok {
				return text, nil
			}
			return nil, errChanged
		}
		if n < size {
			return nil, errChanged
		}
	}
}

var errChanged = errors.New("changed while it was read")

// read reads a line, and returns it without its end; io.EOF if it has none.
func read(in *bufio.Reader, most int) (line []byte, err error) {
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case err == nil:
			return line[:len(line)-1], nil
		case err != bufio.ErrBufferFull:
			return nil, err
		case len(line) > most:
			return nil, fmt.Errorf("line of more than %d bytes", most)
		}
	}
}
