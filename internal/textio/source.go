package textio

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
)

// MaxToken limits the size of one tag or text, which the decoder holds in memory.
const MaxToken = 1 << 20 // bytes

// source is the content of a file for the XML decoder.
type source struct {
	file    *os.File
	in      *bufio.Reader
	limit   int64 // bytes of the file, unpacked
	read    int64
	token   int  // bytes since the last token ended
	begun   int  // bytes of "<!--" just read
	comment bool // inside a comment
}

// openSource opens a regular file, gzipped or not. The caller must close the source's file.
func openSource(path string, f Format) (*source, error) {
	file, err := OpenFile(path)
	if err != nil {
		return nil, err
	}
	in, err := Unpacked(f.Context, file)
	if err == nil {
		if head, _ := in.Peek(2); string(head) == "\xfe\xff" || string(head) == "\xff\xfe" {
			err = errors.New("encoding UTF-16: want UTF-8")
		}
		SkipMark(in)
	}
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &source{file: file, in: in, limit: f.MaxBytes}, nil
}

// Read exists only for the decoder's signature: the decoder reads byte by byte.
func (s *source) Read([]byte) (int, error) { return 0, errors.ErrUnsupported }

// ReadByte returns the next byte. Of the text in comments, it returns only the line ends, so comments may
// have any length and contain "--", which XML forbids.
func (s *source) ReadByte() (byte, error) {
	for {
		b, err := s.in.ReadByte()
		switch {
		case err == io.EOF:
			return 0, err
		case err != nil:
			return 0, unpackError(err)
		case s.read >= s.limit:
			return 0, fmt.Errorf("file too large: want at most %d bytes, unpacked", s.limit)
		}
		s.read++
		if s.comment && b != '\n' && !s.commentEnds(b) {
			continue
		}
		if s.token >= MaxToken {
			return 0, fmt.Errorf("tag or text too long: want at most %d bytes", MaxToken)
		}
		s.token++
		if !s.comment {
			s.commentBegins(b)
		}
		return b, nil
	}
}

func (s *source) commentBegins(b byte) {
	const begin = "<!--"
	switch b {
	case begin[s.begun]:
		s.begun++
	case begin[0]:
		s.begun = 1
	default:
		s.begun = 0
	}
	if s.begun == len(begin) {
		s.comment, s.begun = true, 0
	}
}

// commentEnds reports whether b begins "-->", and if so clears s.comment.
func (s *source) commentEnds(b byte) bool {
	if b != '-' {
		return false
	}
	next, _ := s.in.Peek(2)
	s.comment = string(next) != "->"
	return !s.comment
}
