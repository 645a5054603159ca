package plot

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/console"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot/sheet"
	"github.com/8f878440/crowd/cmd/crowd/internal/terminal"
	"gonum.org/v1/plot/vg"
)

// Look says how a picture looks, as flags of the command line.
type Look struct {
	Width  int     `placeholder:"PIXELS" help:"Width of the picture (default: 1200)."`
	Height int     `placeholder:"PIXELS" help:"Height of the picture (default: what it takes)."`
	Title  *string `placeholder:"TEXT" help:"Title in place of the usual one; it may be empty."`
	Dark   bool    `help:"Light on dark."`
}

// Sizes that a picture may have, in pixels.
const (
	leastPixels = 200
	mostPixels  = 10_000
)

// check returns an error if there can be no such picture.
func (l *Look) check(e *console.Console, out string) error {
	if end := strings.ToLower(filepath.Ext(out)); out != "" && end != ".png" && end != ".svg" {
		return fmt.Errorf("--out is %s, want a name that ends with .png or .svg", out)
	}
	for _, size := range []struct {
		flag   string
		pixels int
	}{{"width", l.Width}, {"height", l.Height}} {
		if e.Given[size.flag] && (size.pixels < leastPixels || size.pixels > mostPixels) {
			return fmt.Errorf("--%s is %d, want %d to %d pixels", size.flag, size.pixels, leastPixels, mostPixels)
		}
	}
	return nil
}

// style returns the colors.
func (l *Look) style() *sheet.Style {
	if l.Dark {
		return &sheet.DarkStyle
	}
	return &sheet.LightStyle
}

// dress gives a sheet the size and the title that are asked for.
func (l *Look) dress(s *sheet.Sheet) {
	s.Style, s.Width, s.Height = l.style(), vg.Length(l.Width)*sheet.Pixel, vg.Length(l.Height)*sheet.Pixel
	if l.Title != nil {
		s.Title = terminal.Shorten(*l.Title, 200)
	}
	s.Columns = max(s.Columns, 1)
}
