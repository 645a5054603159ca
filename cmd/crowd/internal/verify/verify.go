// Package verify runs experiments that were made with people, with agents in their place,
// and says what was expected, what was measured, and whether that is as expected.
package verify

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot"
	"github.com/8f878440/crowd/world/scene"
)

// suite is experiments that belong together.
type suite interface {
	plan(*plan)                      // plans the experiments
	rows() []Row                     // judges them, when they are carried out
	missing() string                 // what was not measured, and what would add it
	picture(*plot.Style) *plot.Sheet // draws them
}

// suites are all there are, in their order.
var suites = []struct {
	name  string
	begin func(*Options) (suite, error)
}{
	{"juelich", newJuelich},
	{"diagram", newDiagram},
	{"throng", newThrong},
	{"rimea", newRimea},
	{"nist", newNist},
}

// SuiteNames returns the names of all suites.
func SuiteNames() (names []string) {
	for _, s := range suites {
		names = append(names, s.name)
	}
	return names
}

// part is a suite of a run.
type part struct {
	suite
	name    string
	file    string // of its picture
	written *output.File
}

// Run carries out what the options ask for. The error counts what is not as expected of the
// model; several are only compared.
func (o *Options) Run(ctx context.Context, e *cli.Console) error {
	if err := o.check(e); err != nil {
		return cli.BadUsage(err)
	}
	var (
		models = o.models()
		parts  = make([][]part, len(models))
		files  output.Files
		runs   plan
	)
	for i, m := range models {
		var err error
		if parts[i], err = o.parts(); err != nil {
			return cli.BadUsage(err)
		}
		runs.model = m.Model
		for k := range parts[i] {
			p := &parts[i][k]
			p.written = files.Add("--out", p.file)
			runs.suite = p.name
			p.plan(&runs)
		}
	}
	if err := files.Open(); err != nil {
		return cli.BadUsage(err)
	}
	defer files.Discard()
	if err := runs.carryOut(ctx, e, o.JSON); err != nil {
		return cli.While(ctx, err, "verifying")
	}
	if o.Model == all {
		costs, err := costs(ctx, models)
		if err != nil {
			return err
		}
		return o.compare(e, models, parts, costs)
	}
	return o.report(e, models[0].Model, parts[0])
}

// rowsOf returns the rows of a suite in which people walk by a model.
func (p *part) rowsOf(m scene.Model) []Row {
	rows := p.rows()
	for i := range rows {
		rows[i] = rows[i].by(m, p.name)
	}
	return rows
}

// report prints how people of one model walk, and draws it. The error counts what is not
// as expected.
func (o *Options) report(e *cli.Console, m scene.Model, parts []part) error {
	var rows []Row
	for i := range parts {
		p := &parts[i]
		of := p.rowsOf(m)
		rows = append(rows, of...)
		if !o.JSON {
			if err := writeTable(e.Out, p.name, of, p.missing()); err != nil {
				return err
			}
		}
		if p.written != nil {
			s := p.picture(o.style())
			if err := p.written.Fill(func(to io.Writer) error { return s.Write(to, p.file) }); err != nil {
				return err
			}
		}
	}
	return o.finish(e, m, parts, rows)
}

// finish prints what is below all suites, and returns an error if something is not as
// expected.
func (o *Options) finish(e *cli.Console, m scene.Model, parts []part, rows []Row) error {
	if o.JSON {
		if err := output.WriteJSON(e.Machine, rows); err != nil {
			return err
		}
	}
	good := 0
	for _, r := range rows {
		if r.asExpected() {
			good++
		}
	}
	if !o.JSON {
		for _, p := range parts {
			if p.file != "" {
				cli.Fprintf(e.Out, "picture in %s\n", p.file)
			}
		}
		if _, err := cli.Fprintf(e.Out, "%d of %d as expected, by the model %s\n", good, len(rows), m); err != nil {
			return err
		}
	}
	if good < len(rows) {
		return fmt.Errorf("%d not as expected", len(rows)-good)
	}
	return nil
}

// parts returns the suites that are asked for, each once and in the order of all, and the
// names of their pictures: that of the flag, or with several suites such with the name of
// the suite before its end.
func (o *Options) parts() (parts []part, err error) {
	for _, s := range suites {
		if !o.asked(s.name) {
			continue
		}
		p := part{name: s.name, file: o.Out}
		if p.suite, err = s.begin(o); err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	if o.Out != "" && len(parts) > 1 {
		end := filepath.Ext(o.Out)
		for i := range parts {
			parts[i].file = strings.TrimSuffix(o.Out, end) + "-" + parts[i].name + end
		}
	}
	return parts, nil
}
