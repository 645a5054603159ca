package main

import (
	"fmt"

	"github.com/8f878440/crowd/cmd/crowd/internal/bench"
)

// benches returns the results of all files, and what to call them.
func (p *plotting) benches() (files []*bench.File, labels []string) {
	for _, f := range p.files {
		files, labels = append(files, f.bench), append(labels, f.label)
	}
	return files, labels
}

// benchSheet begins a picture of benches. The machines are named if they are few.
func (p *plotting) benchSheet() *plotSheet {
	files, labels := p.benches()
	s := &plotSheet{style: p.style}
	machine := ""
	for i, f := range files {
		text := f.Machine() + "; " + f.GoVersion
		if f.Cores == 0 { // Go benchmark lines do not say
			text = fmt.Sprintf("%s, %s/%s", f.CPU, f.OS, f.Arch)
		}
		text = printable(text, 120)
		if text == machine {
			continue
		}
		machine = text
		if len(files) > 1 {
			text = labels[i] + ": " + text
		}
		if len(s.caption) < 4 {
			s.caption = append(s.caption, text)
		}
	}
	if len(s.caption) == 1 {
		s.caption[0] = machine
	}
	return s
}

func (p *plotting) benchOverview() (*plotSheet, error) {
	files, labels := p.benches()
	speed := speedUpLines(files, labels)
	if len(speed) == 0 {
		return p.benchCost()
	}
	s := p.benchSheet()
	s.caption = append(s.caption, speedUpNotes(files, labels)...)
	s.columns = 2
	s.panels = []*panel{costPanel(p.style, costLines(files, labels).all, p.Log), speedPanel(p.style, speed)}
	return s, nil
}

func (p *plotting) benchCost() (*plotSheet, error) {
	s := p.benchSheet()
	s.panels = []*panel{costPanel(p.style, costLines(p.benches()).all, p.Log)}
	return s, nil
}

func (p *plotting) benchSpeedUp() (*plotSheet, error) {
	speed := speedUpLines(p.benches())
	if len(speed) == 0 {
		return nil, fmt.Errorf("no speed-up in %s: it takes crowd with one worker and with more", p.files[0].name)
	}
	s := p.benchSheet()
	s.caption = append(s.caption, speedUpNotes(p.benches())...)
	s.panels = []*panel{speedPanel(p.style, speed)}
	return s, nil
}
