package plot

import (
	"fmt"
	"io"

	"github.com/8f878440/crowd/cmd/crowd/internal/bench"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot/sheet"
	"github.com/8f878440/crowd/cmd/crowd/internal/terminal"
)

// WriteBench draws cost and speed-up side by side, with a legend below each.
func WriteBench(to io.Writer, name string, f *bench.File) error {
	files := []*bench.File{f}
	s := &sheet.Sheet{Style: &sheet.LightStyle, Columns: 2, Caption: []string{f.Setting()}}
	s.Caption = append(s.Caption, speedUpNotes(files, nil)...)
	s.Panels = []*sheet.Panel{costPanel(s.Style, costLines(files, nil).all, false), speedPanel(s.Style, speedUpLines(files, nil))}
	return s.Write(to, name)
}

// benches returns the results of all files, and what to call them.
func (p *drawing) benches() (files []*bench.File, labels []string) {
	for _, f := range p.files {
		files, labels = append(files, f.Bench), append(labels, f.Label)
	}
	return files, labels
}

// benchSheet begins a picture of benches. The machines are named if they are few.
func (p *drawing) benchSheet() *sheet.Sheet {
	files, labels := p.benches()
	s := &sheet.Sheet{Style: p.style}
	machine := ""
	for i, f := range files {
		text := f.Setting()
		if f.Cores == 0 { // Go benchmark lines do not say
			text = fmt.Sprintf("%s, %s/%s", f.CPU, f.OS, f.Arch)
		}
		text = terminal.Shorten(text, 120)
		if text == machine {
			continue
		}
		machine = text
		if len(files) > 1 {
			text = labels[i] + ": " + text
		}
		if len(s.Caption) < 4 {
			s.Caption = append(s.Caption, text)
		}
	}
	if len(s.Caption) == 1 {
		s.Caption[0] = machine
	}
	return s
}

func (p *drawing) benchOverview() (*sheet.Sheet, error) {
	files, labels := p.benches()
	speed := speedUpLines(files, labels)
	if len(speed) == 0 {
		return p.benchCost()
	}
	s := p.benchSheet()
	s.Caption = append(s.Caption, speedUpNotes(files, labels)...)
	s.Columns = 2
	s.Panels = []*sheet.Panel{costPanel(p.style, costLines(files, labels).all, p.Log), speedPanel(p.style, speed)}
	return s, nil
}

func (p *drawing) benchCost() (*sheet.Sheet, error) {
	s := p.benchSheet()
	s.Panels = []*sheet.Panel{costPanel(p.style, costLines(p.benches()).all, p.Log)}
	return s, nil
}

func (p *drawing) benchSpeedUp() (*sheet.Sheet, error) {
	speed := speedUpLines(p.benches())
	if len(speed) == 0 {
		return nil, fmt.Errorf("no speed-up in %s: it takes crowd with one worker and with more", p.files[0].Name)
	}
	s := p.benchSheet()
	s.Caption = append(s.Caption, speedUpNotes(p.benches())...)
	s.Panels = []*sheet.Panel{speedPanel(p.style, speed)}
	return s, nil
}
