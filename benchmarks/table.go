package benchmarks

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"strings"

	"github.com/8f878440/crowd/internal/kernel"
)

// WriteTargets writes targets as a Markdown table below a line that names the
// machine; an empty processor is unknown.
func WriteTargets(w io.Writer, processor string, targets []Target) error {
	if err := WriteTargetsHead(w, processor); err != nil {
		return err
	}
	for i := range targets {
		if err := targets[i].WriteRow(w); err != nil {
			return err
		}
	}
	return nil
}

// WriteTargetsHead writes what stands above the rows of the table.
func WriteTargetsHead(w io.Writer, processor string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, GOMAXPROCS %d, kernels %v, %s, %s/%s.\n", cmp.Or(processor, "unknown processor"),
		runtime.GOMAXPROCS(0), kernel.Used(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	b.WriteString("Figures are medians of rounds taken by turns, with their quartiles.\n\n")
	b.WriteString("| what | must reach | beyond | figure | reached? |\n|---|---|---|---|---|\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteRow writes the row of a target.
func (t *Target) WriteRow(w io.Writer) error {
	beyond := "–"
	if t.Beyond != 0 {
		beyond = t.number(t.Beyond)
	}
	figure := t.number(t.Figure)
	if t.Low != t.High {
		figure += fmt.Sprintf(" (%s–%s)", digits(t.Low), digits(t.High))
	}
	_, err := fmt.Fprintf(w, "| %s | %s | %s | %s | %s |\n", t.What, t.bound(), beyond, figure, t.verdict())
	return err
}

// verdict tells in a word whether the target is reached.
func (t *Target) verdict() string {
	beyond := t.Beyond != 0 && (t.Kind == AtLeast && t.Figure >= t.Beyond || t.Kind != AtLeast && t.Figure <= t.Beyond)
	switch {
	case beyond:
		return "beyond"
	case t.Kind == Reported:
		return "–"
	case t.OK():
		return "yes"
	}
	return "**missed**"
}

// amount writes a number with a comma before every three digits.
func amount(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// plural returns a number of things.
func plural(n int, thing string) string {
	if n == 1 {
		return "one " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
