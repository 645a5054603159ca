package output

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
)

var checksums = crc32.MakeTable(crc32.Castagnoli)

// SealLine returns a line with a checksum: eight hex digits, a space, and the text.
func SealLine(text []byte) []byte {
	return fmt.Appendf(nil, "%08x %s\n", crc32.Checksum(text, checksums), text)
}

func openLine(line []byte) (text []byte, ok bool) {
	sum, text, ok := bytes.Cut(line, []byte(" "))
	return text, ok && string(sum) == fmt.Sprintf("%08x", crc32.Checksum(text, checksums))
}

// ScanLines calls a function with the number (counted from 1), offset and text of every sealed line, and
// returns the offset of the end of the last line that the function accepted. Line 1 is the header. ScanLines
// ignores a last line that is torn or has a wrong checksum. For any other damage, for a line of more than
// most bytes, or if the function or reading fails, it returns an error that names the file and the line.
func ScanLines(in io.Reader, name string, most int, each func(n int, offset int64, text []byte) error) (end int64, err error) {
	lines := bufio.NewReaderSize(in, 64<<10)
	for n := 1; ; n++ {
		line, err := read(lines, most)
		if err == io.EOF { // at the end, or in a torn line
			return end, nil
		}
		if err != nil {
			return end, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		text, ok := openLine(line)
		if !ok {
			if _, err := lines.Peek(1); err == io.EOF {
				return end, nil
			}
			if n == 1 {
				return end, fmt.Errorf("%s:1: damaged: wrong checksum of the header; remove this file to repeat all runs", name)
			}
			return end, fmt.Errorf("%s:%d: damaged: wrong checksum; remove this line to repeat its run", name, n)
		}
		if err := each(n, end, text); err != nil {
			return end, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		end += int64(len(line)) + 1
	}
}

// SealedLine returns the text of the line at an offset that ScanLines reported, or an error if the file has
// changed.
func SealedLine(in io.ReaderAt, offset int64) ([]byte, error) {
	for size := 8 << 10; ; size *= 4 {
		part := make([]byte, size)
		n, err := in.ReadAt(part, offset)
		if err != nil && err != io.EOF {
			return nil, err
		}
		if end := bytes.IndexByte(part[:n], '\n'); end >= 0 {
			if text, ok := openLine(part[:end]); ok {
				return text, nil
			}
			return nil, errChanged
		}
		if n < size {
			return nil, errChanged
		}
	}
}

var errChanged = errors.New("file changed while being read")

// read returns the next line, or io.EOF if its newline is missing.
func read(in *bufio.Reader, most int) (line []byte, err error) {
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case err != nil && err != bufio.ErrBufferFull:
			return nil, err
		case len(bytes.TrimSuffix(line, []byte("\n"))) > most:
			return nil, fmt.Errorf("line is too long, want at most %d bytes", most)
		case err == nil:
			return line[:len(line)-1], nil
		}
	}
}

// ErrLocked means that another process holds a lock.
var ErrLocked = errors.New("in use by another process")

// Lock opens or creates a file and locks it until it is closed. The error wraps ErrLocked if another process
// holds the lock. Other processes can still read the file. Without support for file locks, Lock only opens
// the file.
func Lock(name string, mode os.FileMode) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, mode)
	if err != nil {
		return nil, err
	}
	if err := try(f); err != nil {
		_ = f.Close()
		if errors.Is(err, taken) {
			err = ErrLocked
		}
		return nil, &os.PathError{Op: "lock", Path: name, Err: err}
	}
	return f, nil
}

// Truncate truncates a file and moves the write position to the end.
func Truncate(f *os.File, size int64) error {
	if err := f.Truncate(size); err != nil {
		return err
	}
	_, err := f.Seek(size, io.SeekStart)
	return err
}
