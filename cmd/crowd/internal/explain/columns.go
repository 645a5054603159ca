package explain

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
)

// writeColumns writes a table: the first column from the left, numbers from the
// right.
func writeColumns(w io.Writer, rows [][]string) {
	width := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		var b strings.Builder
		for i, cell := range row {
			blank := strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
			switch {
			case i == 0:
				b.WriteString(cell + blank)
			case rows[0][i] == "": // units, close to their numbers
				b.WriteString(" " + cell + blank)
			default:
				b.WriteString("  " + blank + cell)
			}
		}
		cli.Fprintf(w, "%s\n", strings.TrimRight(b.String(), " "))
	}
}

// scientific stands for numbers that are written with an exponent.
const scientific = -1

// decimals returns with how many decimals the largest number of some columns has
// four digits.
func decimals(columns ...[]float64) int {
	most := 0.
	for _, column := range columns {
		for _, x := range column {
			if x = math.Abs(x); x <= math.MaxFloat64 {
				most = max(most, x)
			}
		}
	}
	switch {
	case most == 0:
		return 3
	case most < 1e-4 || most >= 1e7:
		return scientific
	}
	return max(0, 3-int(math.Floor(math.Log10(most))))
}

// fixedText writes the numbers of a column, each with a number of decimals.
func fixedText(column []float64, places int) (text []string) {
	for _, x := range column {
		switch {
		case places == scientific:
			text = append(text, fmt.Sprintf("%.2e", x+0))
		case math.Abs(x) < math.Pow10(-places)/2: // never -0.000
			text = append(text, strconv.FormatFloat(0, 'f', places, 64))
		default:
			text = append(text, strconv.FormatFloat(x, 'f', places, 64))
		}
	}
	return text
}
