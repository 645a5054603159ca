package plot

import (
	"strings"
	"unicode/utf8"

	"github.com/8f878440/crowd/cmd/crowd/internal/plot/study"
	"github.com/8f878440/crowd/cmd/crowd/internal/terminal"
)

// shortNames returns names that have room on an axis.
func (p *studyDrawing) shortNames(names []string) (short []string) {
	for _, name := range names {
		short = append(short, terminal.Shorten(name, 24))
	}
	return short
}

// widest returns the letters of the longest name, and of the space around it.
func widest(names []string) (letters int) {
	for _, name := range names {
		letters = max(letters, min(utf8.RuneCountInString(name), 24)+2)
	}
	return letters
}

// nameOf names a point by its values of some axes: words as they are, numbers with the axis.
func (p *studyDrawing) nameOf(at, axes []int) string {
	var parts []string
	for _, i := range axes {
		a := p.Axes[i]
		switch {
		case at[i] < 0:
		case a.Numbers == nil:
			parts = append(parts, terminal.Shorten(a.Values[at[i]], 24))
		default:
			parts = append(parts, terminal.Shorten(a.Name, 24)+" "+study.Short(a.Numbers[at[i]]))
		}
	}
	return strings.Join(parts, ", ")
}
