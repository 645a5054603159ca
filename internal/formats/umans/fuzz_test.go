package umans

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/textio"
)

// FuzzRead reads a simulation that may include an agents and an obstacles file.
// Whatever they hold, Read returns an error or a crowd within its limits, and a
// lenient reading takes all that a strict one does.
func FuzzRead(f *testing.F) {
	crowd := "<Agents>" + oneAgent + oneAgent + "</Agents>"
	walls := "<Obstacles><Offset x='1' y='2'/><Dimension width='1' height='1'/>" + oneWall + "</Obstacles>"
	for _, main := range []string{
		`<?xml version="1.0" encoding="utf-8"?><Simulation delta_time="0.1" end_time="100"><World type="Infinite"><Obstacles file="obstacles.xml"/></World><Policies file="p.xml"/><Agents file="agents.xml"/></Simulation>`,
		`<Simulation delta_time="1" write_interval="1"><World type="Toric" width="10" height="10" goal_radius="2"/><SPH max_density="6"/>` + crowd + `</Simulation>`,
		`<Simulation delta_time="1"><World>` + walls + `</World>` + crowd + `<Map goal_x="1"/></Simulation>`,
		`<configPath path="main.xml"/>`,
		`<Agents><Agent id="1" max_acceleration="2" start_time="3" remove_at_goal="true"><color r="1"/><pos x="0" y="0"/></Agent></Agents>`,
		crowd, "\ufeff" + crowd, packed(f, crowd), "<!DOCTYPE a>" + crowd, "<!-- a -->" + crowd, crowd + crowd, crowd[:30], "",
	} {
		f.Add([]byte(main), []byte(crowd), []byte(walls), true)
		f.Add([]byte(main), []byte(packed(f, crowd)), []byte(walls), false)
	}
	dir := f.TempDir()
	main, obstacles := filepath.Join(dir, "main.xml"), filepath.Join(dir, "obstacles.xml")
	f.Fuzz(func(t *testing.T, mainXML, agentsXML, obstaclesXML []byte, extra bool) {
		for name, text := range map[string][]byte{"main.xml": mainXML, "agents.xml": agentsXML, "obstacles.xml": obstaclesXML} {
			must(t, os.WriteFile(filepath.Join(dir, name), text, 0o600))
		}
		o := Options{MaxBytes: 1 << 20, MaxAgents: 1000}
		if extra {
			o.Obstacles = obstacles
		}
		strict, err := Read(main, o)
		if err != nil && !strings.HasPrefix(err.Error(), dir) && !strings.HasPrefix(err.Error(), "stat ") {
			t.Errorf("got=%q, want=an error that names its file", err)
		}
		o.Lenient = true
		lenient, lenientErr := Read(main, o)
		switch {
		case lenientErr == nil:
			check(t, lenient)
		case err == nil:
			t.Errorf("got=%v when lenient, want=no error, as when strict", lenientErr)
		}
		if err == nil && !reflect.DeepEqual(strict, lenient) {
			t.Errorf("got=%+v when lenient, want=%+v, as when strict", lenient, strict)
		}
	})
}

// check holds a simulation to what its type promises.
func check(t *testing.T, s *Simulation) {
	t.Helper()
	numbers := []float64{s.Dt, s.EndTime, s.Width, s.Height, s.GoalRadius}
	for _, a := range s.Agents {
		numbers = append(numbers, a.Position.X, a.Position.Y, a.Goal.X, a.Goal.Y, a.StartTime)
		if !(a.Radius > 0 && a.PreferredSpeed >= 0 && a.MaxSpeed >= 0 && a.MaxAcceleration >= 0) || a.ID < -1 {
			t.Errorf("got=%+v, want=a possible agent", a)
		}
		numbers = append(numbers, a.Radius, a.PreferredSpeed, a.MaxSpeed, a.MaxAcceleration)
	}
	for _, outline := range s.Obstacles {
		if len(outline) < 2 {
			t.Errorf("got=%v, want=two points or more", outline)
		}
		for _, p := range outline {
			numbers = append(numbers, p.X, p.Y)
		}
	}
	for _, x := range numbers {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			t.Errorf("got=%v in %+v, want=finite numbers", x, s)
			return
		}
	}
	if len(s.Agents) == 0 || len(s.Agents) > 1000 || len(s.Warnings) > textio.MaxWarnings+1 {
		t.Errorf("got=%d agents, %d warnings, want=within the limits", len(s.Agents), len(s.Warnings))
	}
	if s.Toric != (s.Width > 0) || s.Toric != (s.Height > 0) {
		t.Errorf("got=toric %v with %v×%v, want=a size exactly when toric", s.Toric, s.Width, s.Height)
	}
}
