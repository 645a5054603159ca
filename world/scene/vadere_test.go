package scene

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems"
	"gonum.org/v1/gonum/spatial/r2"
)

// vadereHall returns a scenario with a floor of 20 m by 10 m and the given topography.
func vadereHall(topography string) string {
	return `{"name" : "hall", "scenario" : {"attributesSimulation" : {"finishTime" : 60.0, "fixedSeed" : 7}, "topography" : {
"attributes" : {"bounds" : {"x" : 0.0, "y" : 0.0, "width" : 20.0, "height" : 10.0}, "boundingBoxWidth" : 0.5, "bounded" : true},
` + topography + `}}}`
}

func rectangle(x, y, width, height float64) string {
	return fmt.Sprintf(`"shape" : {"type" : "RECTANGLE", "x" : %v, "y" : %v, "width" : %v, "height" : %v}`, x, y, width, height)
}

func vadereSource(targets, keys string) string {
	return `"sources" : [ {"id" : 5, ` + rectangle(1, 2, 3, 6) + `, "targetIds" : [ ` + targets + ` ], "spawner" : {` + keys + `}} ]`
}

const (
	once  = `"eventElementCount" : 6`
	exit1 = `{"id" : 1, "shape" : {"type" : "RECTANGLE", "x" : 18, "y" : 4, "width" : 1, "height" : 2}}`
)

func openedVadere(t testing.TB, text string, o OpenOptions) *Scene {
	t.Helper()
	return opened(t, mapFile(t, "hall.scenario", text), o)
}

func TestVadere(t *testing.T) {
	text := vadereHall(vadereSource("1", once) + `, "targets" : [ ` + exit1 + ` ]`)
	s := openedVadere(t, text, OpenOptions{})
	testkit.Equal(t, fmt.Sprint(s.Name, len(s.Files), s.Seed, s.Model, s.Box, s.Steps), fmt.Sprint("hall", 1, 7, ModelORCA, box(0, 0, 20, 10), 1800), "name, files, seed, model, box, steps")
	if s := openedVadere(t, text, OpenOptions{Seed: new(uint64(9)), Model: ModelSteer}); s.Seed != 9 || s.Model != ModelSteer || !has[c.Separation](&s.Groups[0]) {
		t.Errorf("seed 9, model steer: got=%d, %s, want=9, steer, with separation", s.Seed, s.Model)
	}
	testkit.Equal(t, openedVadere(t, text, OpenOptions{Seed: new(uint64)}).Seed, 0, "seed 0")
}

func TestVadereWays(t *testing.T) {
	t.Parallel()
	const diamond = `"shape" : {"type" : "POLYGON", "points" : [ {"x" : 15, "y" : 3}, {"x" : 17, "y" : 5}, {"x" : 15, "y" : 7}, {"x" : 13, "y" : 5} ]}`
	const circle = `"shape" : {"type" : "CIRCLE", "center" : {"x" : 15, "y" : 5}, "radius" : 2}`
	for _, test := range []struct {
		targets, ids, want string
	}{
		{exit1, "1", "field rectangle, leave"},
		{`{"id" : 1, ` + circle + `}`, "1", "field disc, leave"},
		{`{"id" : 1, ` + diamond + `}`, "1", "field nearest of 16, leave"},
		{exit1 + `, {"id" : 1, ` + rectangle(1, 4, 1, 1) + `}`, "1", "field nearest of 2, leave"},
		{exit1, "", "nowhere"},
		{exit1 + `, {"id" : 2, ` + rectangle(9, 4, 1, 2) + `, "absorbing" : false, "nextSpeed" : 0.5}`, "2, 1", "route box [9 4] | box [18 4] at 0.5, leave"},
		{exit1 + `, {"id" : 2, ` + rectangle(9, 4, 1, 2) + `, "absorbing" : true}`, "2, 1", "field rectangle, leave"},
		{`{"id" : 1, ` + rectangle(9, 4, 1, 2) + `, "absorbing" : false}`, "1", "field rectangle, stay"},
		{`{"id" : 1, ` + rectangle(9, 4, 1, 2) + `, "waitingTime" : 4}`, "1", "route box [9 4] | wait 4, leave"},
		{`{"id" : 1, ` + rectangle(9, 4, 1, 2) + `, "waitingTime" : 4, "individualWaiting" : false}`, "1", "field rectangle, leave; no agent waits at traffic lights"},
	} {
		s := openedVadere(t, vadereHall(vadereSource(test.ids, once)+`, "targets" : [ `+test.targets+` ]`), OpenOptions{})
		g := &s.Groups[0]
		got := "nowhere"
		if g.Goal != nil {
			got = map[Way]string{Field: "field ", Route: "route "}[g.Way] + aimOf(g) + map[Then]string{Leave: ", leave", Stay: ", stay"}[g.Goal.Then]
		}
		testkit.Equal(t, strings.Join(append([]string{got}, s.Notes...), "; "), test.want, "%s of %s", test.ids, test.targets)
		sameAgain(t, s, 40)
	}
}

func aimOf(g *Group) string {
	switch p := g.Target; {
	case p == nil:
		var all []string
		for _, stop := range g.Itineraries[0] {
			text := fmt.Sprintf("box [%v %v]", stop.Box.Min.X, stop.Box.Min.Y)
			if stop.Kind == systems.StopIdle {
				text = fmt.Sprint("wait ", stop.Duration)
			} else if stop.Speed > 0 {
				text += fmt.Sprint(" at ", stop.Speed)
			}
			all = append(all, text)
		}
		return strings.Join(all, " | ")
	case p.Disc != nil:
		return "disc"
	case len(p.Exits) > 0:
		return fmt.Sprint("nearest of ", len(p.Exits))
	}
	return "rectangle"
}

func TestVadereSources(t *testing.T) {
	for _, test := range []struct {
		keys string
		want string
	}{
		{once, "6: 0×6"},
		{`"eventElementCount" : 6, "constraintsTimeStart" : 3, "constraintsTimeEnd" : 3`, "6: 3×6"},
		{`"eventElementCount" : 6, "constraintsElementsMax" : 4`, "4: 0×4"},
		{`"eventElementCount" : 2, "constraintsTimeStart" : 1, "constraintsTimeEnd" : 9, "distribution" : {"type" : "constant", "updateFrequency" : 4}`, "6: 1×2 5×2 9×2"},
		{`"eventElementCount" : 2, "constraintsElementsMax" : 3, "constraintsTimeEnd" : 1e9, "distribution" : {"type" : "constant", "updateFrequency" : 40}`, "3: 0×2 40×1"},
		{`"eventElementCount" : 2, "constraintsTimeEnd" : 1e9, "distribution" : {"type" : "constant", "updateFrequency" : 40}`, "4: 0×2 40×2"},
		{`"eventElementCount" : 1, "constraintsTimeEnd" : 50, "distribution" : {"type" : "timeSeries", "intervalLength" : 10, "spawnsPerInterval" : [ 2, 0, 1 ]}`, "3: 0×1 5×1 20×1"},
	} {
		s := openedVadere(t, vadereHall(vadereSource("1", test.keys)+`, "targets" : [ `+exit1+` ]`), OpenOptions{})
		g, text := &s.Groups[0], ""
		for b := range g.Source.batches(s.Seed, 1, g.Count) {
			text += fmt.Sprintf(" %v×%d", b.Time, b.N)
		}
		testkit.Equal(t, fmt.Sprintf("%d:%s", g.Count, text), test.want, "%s", test.keys)
		sameAgain(t, s, 10)
	}
}

func TestVadereDrawnTimes(t *testing.T) {
	text := vadereHall(vadereSource("1", `"eventElementCount" : 1, "constraintsTimeEnd" : 60, "distribution" : {"type" : "poisson", "numberPedsPerSecond" : 5}`) + `, "targets" : [ ` + exit1 + ` ]`)
	counts := map[int]bool{}
	for seed := range uint64(5) {
		s := openedVadere(t, text, OpenOptions{Seed: new(seed + 1)})
		testkit.Near(t, float64(s.Agents()), 300, 70, "seed %d: people", seed+1)
		counts[s.Agents()] = true
	}
	if len(counts) < 3 {
		t.Errorf("got=%d different numbers of people with 5 seeds, want=3 or more", len(counts))
	}
}

func TestVaderePeople(t *testing.T) {
	s := openedVadere(t, vadereHall(`"targets" : [ `+exit1+` ], "attributesPedestrian" : {"radius" : 0.25, "speedDistributionMean" : 1.3, "speedDistributionStandardDeviation" : 0.2, "minimumSpeed" : 1.0, "maximumSpeed" : 1.4},
"dynamicElements" : [ {"position" : {"x" : 5, "y" : 5}, "targetIds" : [ 1 ], "freeFlowSpeed" : 1.125}, {"position" : {"x" : 6, "y" : 5}, "targetIds" : [ ]},
 {"position" : {"x" : 7, "y" : 5}, "targetIds" : [ 1 ], "attributes" : {"radius" : 0.2}} ], `+vadereSource("1", once)), OpenOptions{})
	if len(s.Groups) != 3 || s.Agents() != 9 || s.Groups[0].Name != "source 5" {
		t.Fatalf("got=%+v, want=3 groups of 9 agents, the first from source 5", s.Groups)
	}
	if p := s.Groups[0].MaxSpeed.Spread; p == nil || p.Mean != 1.3 || p.SD != 0.2 || p.Min != 1 || p.Max != 1.4 || s.Groups[0].Radius.All != 0.25 || s.Groups[0].At.Box != box(1.25, 2.25, 3.75, 7.75) {
		t.Errorf("source: got=%+v, want=the attributes and the box of source 5", s.Groups[0])
	}
	if g := s.Groups[1]; !slices.Equal(g.Radius.Each, []float64{0.25, 0.2}) || g.MaxSpeed.Each[0] != 1.125 || !(g.MaxSpeed.Each[1] >= 0.5 && g.MaxSpeed.Each[1] <= 2.2) || g.Goal == nil {
		t.Errorf("people with targets: got=%+v, want=radii 0.25 and 0.2, a speed of 1.125, one of 0.5 to 2.2, and a goal", g)
	}
	if g := s.Groups[2]; g.Count != 1 || g.Goal != nil {
		t.Errorf("people without targets: got=%+v, want=1 agent without a goal", g)
	}
	sameAgain(t, s, 60)
}

func TestVadereFloor(t *testing.T) {
	text := strings.Replace(vadereHall(vadereSource("1", once)+`, "targets" : [ `+exit1+` ], "obstacles" : [ {"id" : 1, `+rectangle(8, 1, 1, 2)+`}, {"id" : 2, `+rectangle(8, 1, 1, 2)+`} ],
"stairs" : [ {"id" : 3, `+rectangle(10, 1, 2, 8)+`, "upwardDirection" : {"x" : 1, "y" : 0}} ],
"measurementAreas" : [ {"id" : 1, `+rectangle(6, 1, 1, 2)+`}, {"id" : 2, `+rectangle(60, 1, 1, 2)+`}, {"id" : 3, "shape" : {"type" : "CIRCLE", "center" : {"x" : 4, "y" : 4}, "radius" : 1}} ],
"targetChangers" : [ {} ]`),
		`{"name"`, `{"processWriters" : {"processors" : [ {"type" : "a.PedestrianLineCrossProcessor", "attributes" : {"p1" : {"x" : 9, "y" : 1}, "p2" : {"x" : 9, "y" : 9}}} ]}, "name"`, 1)
	s := openedVadere(t, text, OpenOptions{})
	testkit.Equal(t, len(s.Obstacles.Boxes), 5, "boxes: four walls, and one for two equal obstacles")
	if z := s.Zones; len(z) != 1 || z[0].Box != box(10, 1, 12, 9) || z[0].Speed != 0.75 || z[0].SpeedUp != 0.5 || z[0].Up.X != 1 {
		t.Errorf("zones: got=%+v, want=one zone for the stairs", z)
	}
	testkit.Equal(t, fmt.Sprint(s.Areas), fmt.Sprint([]r2.Box{box(6, 1, 7, 3)}), "areas")
	testkit.Equal(t, fmt.Sprint(len(s.Lines), s.Lines[0].A), "1 {9 1}", "lines, start of the first")
	want := []string{"lines and measurement areas beyond the bounds are left out", "measurement area 3 is not a rectangle and is left out", "not simulated: targetChangers (1, line 6)"}
	testkit.Equal(t, fmt.Sprintf("%q", s.Notes), fmt.Sprintf("%q", want), "notes")
	sameAgain(t, s, 60)
}

func TestVadereErrors(t *testing.T) {
	var corners []string
	for i := range 1001 {
		corners = append(corners, fmt.Sprintf(`{"x" : %d, "y" : %d}`, i, i*i))
	}
	for _, test := range []struct{ text, want string }{
		{vadereHall(`"targets" : [ ]`), ": there are 0 people"},
		{vadereHall(`"sources" : [ {` + rectangle(1, 1, 2, 2) + `, "targetIds" : [ ], "spawnNumber" : 1, "dynamicElementType" : "CAR"} ]`), ": there are 0 people"},
		{vadereHall(vadereSource("1", `"eventElementCount" : 1000000000`) + `, "targets" : [ ` + exit1 + ` ]`), ": there are 1000000000 people"},
		{vadereHall(vadereSource("1", `"constraintsTimeEnd" : 60, "distribution" : {"type" : "constant", "updateFrequency" : 1e-9}`) + `, "targets" : [ ` + exit1 + ` ]`), ":3: a source produces people at too many times, want at most 100000: use longer intervals"},
		{vadereHall(vadereSource("1", once) + `, "targets" : [ {"id" : 1, "shape" : {"type" : "POLYGON", "points" : [ ` + strings.Join(corners, ",") + ` ]}} ]`), ":3: a polygon has 1001 points, want at most 1000"},
		{vadereHall(vadereSource("2", once) + `, "targets" : [ ` + exit1 + ` ]`), ":3: a source: targetIds[0] is 2, want the id of a target"},
	} {
		path := mapFile(t, "a.scenario", test.text)
		refused(t, failure(Open(path, OpenOptions{})), path+test.want, "error")
	}
}

// FuzzVadere checks that a scenario is rejected with an error that starts with its path, or is read as
// a scene that is the same file when written, read back and written again and, if it is small and Build
// accepts it, steps.
func FuzzVadere(f *testing.F) {
	f.Add([]byte(vadereHall(vadereSource("1", once) + `, "targets" : [ ` + exit1 + ` ]`)))
	f.Add([]byte(vadereHall(vadereSource("1, 2", once) + `, "targets" : [ ` + exit1 + `, {"id" : 2, "shape" : {"type" : "CIRCLE", "center" : {"x" : 15, "y" : 5}, "radius" : 2}, "waitingTime" : 3} ]`)))
	f.Add([]byte(vadereHall(`"targets" : [ {"id" : 1, "shape" : {"type" : "POLYGON", "points" : [ {"x" : 3, "y" : 3}, {"x" : 5, "y" : 5}, {"x" : 3, "y" : 7} ]}} ], "dynamicElements" : [ {"position" : {"x" : 9, "y" : 5}, "targetIds" : [ 1 ]} ]`)))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(dir, "a.scenario")
		noError(t, os.WriteFile(path, data, 0o600))
		s, err := Open(path, OpenOptions{})
		if err != nil {
			if !strings.HasPrefix(err.Error(), path+":") {
				t.Errorf("got=%v, want=an error that starts with the path", err)
			}
			return
		}
		reread(t, s)
		if size := r2.Sub(s.Box.Max, s.Box.Min); s.Agents() > 20 || max(size.X, size.Y) > 30 || bytes.Count(data, []byte("shape")) > 20 {
			return
		}
		w, err := s.Build(Options{Workers: 1})
		if err != nil {
			return
		}
		defer w.Close()
		noError(t, w.Step())
	})
}
