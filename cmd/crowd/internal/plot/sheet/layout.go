package sheet

import (
	"strings"

	"gonum.org/v1/plot/vg"
)

// Sizes of a picture unless told otherwise; more rows and long legends make it
// higher.
const (
	sheetWidth    = 1200 * Pixel
	DefaultHeight = 500 * Pixel // of one row
	RowHeight     = 350 * Pixel // of one of several
	margin        = vg.Length(10)
	headHeight    = vg.Length(22)
	smallHeight   = vg.Length(14)
	lowestHeight  = 80 * Pixel  // of a panel, however long its legend is
	LeastPanel    = 300 * Pixel // in a smaller one, all is drawn smaller
)

// Layout returns the width and height of the picture, the height of what is above
// the panels, and those of the legends below a row and below all.
func (s *Sheet) Layout() (width, height, head, below, foot vg.Length) {
	width = s.Width
	if width == 0 {
		width = sheetWidth
	}
	if s.Title != "" {
		head += headHeight
	}
	s.Caption = s.wrap(s.Caption, width-2*margin)
	head += vg.Length(len(s.Caption)) * smallHeight
	for _, p := range s.Panels {
		below = max(below, p.legend.height(width/vg.Length(s.Columns)-2*margin))
	}
	if s.legend != nil {
		foot = s.legend.height(width - 2*margin)
	}
	_, n := s.cells()
	rows := vg.Length(n)
	row := s.Row
	switch {
	case row > 0:
	case rows == 1:
		row = DefaultHeight - min(head, headHeight+2*smallHeight) - foot // long captions make it higher
	default:
		row = RowHeight
	}
	height = s.Height
	if height == 0 {
		height = head + foot + rows*(row+max(0, below-DefaultHeight/4))
		if foot > 0 {
			height += margin
		}
	}
	below = min(below, max(0, (height-head-foot)/rows-lowestHeight))
	return width, height, head, below, foot
}

// wrap breaks lines of the caption that are too long.
func (s *Sheet) wrap(caption []string, width vg.Length) []string {
	style := s.Style.text(smallSize, s.Style.Faint)
	const most = 6
	var lines []string
	for _, text := range caption {
		line := ""
		for _, word := range strings.Fields(text) {
			if line != "" && style.Width(line+" "+word) > width {
				lines, line = append(lines, line), ""
			}
			line = strings.TrimSpace(line + " " + word)
		}
		lines = append(lines, line)
	}
	return lines[:min(len(lines), most)]
}
