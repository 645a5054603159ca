package render

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/run"
)

// A span is a number of steps, or a time in seconds where the text ends with s.
type span struct {
	n       float64
	seconds bool
}

// UnmarshalText reads a span.
func (s *span) UnmarshalText(text []byte) (err error) {
	number := string(text)
	number, s.seconds = strings.CutSuffix(number, "s")
	s.n, err = strconv.ParseFloat(number, 64)
	if err != nil || !(s.n >= 0 && s.n <= run.MaxSteps) || !s.seconds && s.n != math.Trunc(s.n) {
		return fmt.Errorf("%q is no span, want a number of steps such as 60, or of seconds such as 1.5s", text)
	}
	return nil
}

// steps returns the span in steps.
func (s span) steps(dt float64) int {
	if s.seconds {
		return int(min(math.Round(s.n/dt), run.MaxSteps))
	}
	return int(s.n)
}
