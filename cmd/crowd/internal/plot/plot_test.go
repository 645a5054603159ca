package plot

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/plot/data"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot/plottest"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot/sheet"
)

// FuzzPlot reads anything, and makes all panels of what can be read: nothing may
// panic, and what is not finite may not get into a picture.
func FuzzPlot(f *testing.F) {
	for _, file := range plottest.Files {
		f.Add([]byte(file.Text))
	}
	f.Add([]byte(`{"scene":"x","ns_per_agent_step":1e999,"systems":[{}]}{"scene":"x","ns_per_agent_step":-1,"systems":null}`))
	f.Add([]byte("id,time,x,y,vx,vy\n1,0,1e308,-1e308,1e308,0\n1,1e300,-1e300,0,1e300,0\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		file, err := data.Read(context.Background(), "f", bytes.NewReader(text), data.Options{Ways: 10})
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("an error of several lines: %v", err)
			}
			return
		}
		data.LabelFiles([]*data.File{file})
		for _, c := range chartsOf(file.Kind) {
			for _, log := range []bool{false, true} {
				o := &Options{What: c.name, Log: log}
				if file.Kind != data.MotionKind {
					names := file.Table.Numeric()
					if c.name != "overview" {
						o.X = names[0]
					}
					if c.name == "scatter" || c.name == "curve" {
						o.Y = names[len(names)-1]
					}
				}
				p := &drawing{Options: o, files: []*data.File{file}, kind: file.Kind, style: &sheet.LightStyle}
				s, err := p.sheet()
				if err != nil {
					continue
				}
				s.Layout()
				for _, panel := range s.Panels {
					for _, x := range []float64{panel.X.Min, panel.X.Max, panel.Y.Min, panel.Y.Max} {
						if panel.Paint == nil && (math.IsNaN(x) || math.IsInf(x, 0)) {
							t.Errorf("%s: an axis goes to %v", c.name, x)
						}
					}
				}
			}
		}
	})
}
