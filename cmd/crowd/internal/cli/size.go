package cli

import (
	"fmt"
	"strconv"
	"strings"
)

// Size is --size: the width of a picture in pixels, or WIDTHxHEIGHT. A side that is not given is 0.
type Size struct{ Width, Height int }

// UnmarshalText parses a width, such as 640, or a width and a height, such as 640x480.
func (s *Size) UnmarshalText(text []byte) (err error) {
	width, height, both := strings.Cut(string(text), "x")
	if s.Width, err = strconv.Atoi(width); err == nil && both {
		s.Height, err = strconv.Atoi(height)
	}
	if err != nil || s.Width == 0 || both && s.Height == 0 {
		return fmt.Errorf("invalid size %q, want a width or WIDTHxHEIGHT in pixels, such as 640 or 640x480", text)
	}
	return nil
}

// Check returns an error if a side that is given is not between least and most pixels.
func (s Size) Check(least, most int) error {
	for _, side := range []int{s.Width, s.Height} {
		if side != 0 && (side < least || side > most) {
			return fmt.Errorf("a side of --size is %d pixels, want %d to %d", side, least, most)
		}
	}
	return nil
}
