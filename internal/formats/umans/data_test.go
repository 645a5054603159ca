package umans

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/formats"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/textio"
)

// expectedErrors are the errors of files that are not complete scenarios.
var expectedErrors = map[string]string{
	"1to10-180Degrees-ORCA.xml":     "agents/1to10-180Degrees.xml:2 (from 1to10-180Degrees-ORCA.xml:5): root element <Simulation>: want <Agents>",
	"agents/1to10-180Degrees.xml":   "agents/1to10-180Degrees.xml:3: second root element <Agents> after <Simulation>: want one",
	"BlockTest.xml":                 "BlockTest.xml:2: no agents: want at least one <Agent>",
	"custom/RoomEvacuationTest.xml": `custom/RoomEvacuationTest.xml:8: <Agents> file="../agents/Room400_v2.xml": stat agents/Room400_v2.xml: no such file or directory`,
}

func TestReadData(t *testing.T) {
	dir, rows := testkit.DataDir(t, "umans"), testkit.DataManifest(t)
	agents := map[string]int{"Toric.xml": 1} // by the name of the file
	for _, row := range rows {
		name := strings.TrimPrefix(row[0], "umans/agents/")
		agents[strings.TrimSuffix(name, ".xml")+"-ORCA.xml"], _ = strconv.Atoi(row[3])
	}
	read := 0
	for _, row := range rows {
		name, ok := strings.CutPrefix(row[0], "umans/")
		if !ok || !strings.Contains(name, ".xml") {
			continue
		}
		read++
		path, o := filepath.Join(dir, name), formats.Options{}
		wantAgents, wantObstacles := agents[name], 0
		switch folder, _, _ := strings.Cut(name, "/"); folder {
		case "obstacles":
			o.Obstacles, path = path, filepath.Join(dir, "agents", "Circle5.xml")
			wantAgents = 5
			wantObstacles, _ = strconv.Atoi(row[4])
		case "agents":
			wantAgents, _ = strconv.Atoi(row[3])
		}
		sim, err := Read(path, o)
		if want := expectedErrors[name]; want != "" || err != nil {
			got := strings.ReplaceAll(fmt.Sprint(err), dir+string(filepath.Separator), "")
			testkit.Equal(t, got, want, "%s", name)
			continue
		}
		testkit.Equal(t, len(sim.Agents), wantAgents, "%s: agents", name)
		testkit.Equal(t, len(sim.Obstacles), wantObstacles, "%s: obstacles", name)
		if isSimulation := !strings.Contains(name, "/"); isSimulation && (sim.Dt != 0.1 || sim.EndTime != 100 || len(sim.Warnings) != 1) {
			t.Errorf("%s: got=step %v, end %v, warnings %q, want=0.1, 100 and one warning", name, sim.Dt, sim.EndTime, sim.Warnings)
		}
	}
	if read == 0 {
		t.Error("got=no UMANS file in the manifest, want=some")
	}
}

func FuzzRead(f *testing.F) {
	crowd := "<Agents>" + oneAgent + oneAgent + "</Agents>"
	walls := "<Obstacles><Offset x='1' y='2'/><Dimension width='1' height='1'/>" + oneWall + "</Obstacles>"
	for _, main := range []string{
		`<?xml version="1.0" encoding="utf-8"?><Simulation delta_time="0.1" end_time="100"><World type="Infinite"><Obstacles file="obstacles.xml"/></World><Policies file="p.xml"/><Agents file="agents.xml"/></Simulation>`,
		`<Simulation delta_time="1" write_interval="1"><World type="Toric" width="10" height="10" goal_radius="2"/><SPH max_density="6"/>` + crowd + `</Simulation>`,
		`<Simulation delta_time="1"><World>` + walls + `</World>` + crowd + `<Map goal_x="1"/></Simulation>`,
		`<configPath path="main.xml"/>`,
		`<Agents><Agent id="1" max_acceleration="2" start_time="3" remove_at_goal="true"><color r="1"/><pos x="0" y="0"/></Agent></Agents>`,
		crowd, "\ufeff" + crowd, testkit.Gzip(crowd), "<!DOCTYPE a>" + crowd, "<!-- a -->" + crowd, crowd + crowd, crowd[:30], "",
	} {
		f.Add([]byte(main), []byte(crowd), []byte(walls), true)
		f.Add([]byte(main), []byte(testkit.Gzip(crowd)), []byte(walls), false)
	}
	dir := f.TempDir()
	main, obstacles := filepath.Join(dir, "main.xml"), filepath.Join(dir, "obstacles.xml")
	f.Fuzz(func(t *testing.T, mainXML, agentsXML, obstaclesXML []byte, extra bool) {
		for name, text := range map[string][]byte{"main.xml": mainXML, "agents.xml": agentsXML, "obstacles.xml": obstaclesXML} {
			testkit.Must(t, os.WriteFile(filepath.Join(dir, name), text, 0o600))
		}
		o := formats.Options{MaxBytes: 1 << 20, MaxAgents: 1000}
		if extra {
			o.Obstacles = obstacles
		}
		testkit.ReadBothWays(t, func(lenient bool) (*Simulation, error) {
			o.Lenient = lenient
			return Read(main, o)
		}, check, dir, "stat ")
		o.Context = t.Context()
		f, err := readCrowd(main, &o)
		if err == nil && !(testkit.Finite(reflect.ValueOf(*f)) && f.Steps >= 0 && len(f.Groups) > 0) {
			t.Errorf("got=%+v, want=finite numbers, 0 steps or more, and a group", f)
		}
	})
}

// check verifies what the comments of Simulation promise.
func check(t *testing.T, s *Simulation) {
	t.Helper()
	for _, a := range s.Agents {
		if !(a.Radius > 0 && a.PreferredSpeed >= 0 && a.MaxSpeed >= 0 && a.MaxAcceleration >= 0) {
			t.Errorf("got=%+v, want=a radius above 0, and speeds and an acceleration of at least 0", a)
		}
	}
	for _, outline := range s.Obstacles {
		if len(outline) < 2 {
			t.Errorf("got=%v, want=two points or more", outline)
		}
	}
	if !testkit.Finite(reflect.ValueOf(*s)) {
		t.Errorf("got=%+v, want=finite numbers", s)
	}
	if len(s.Agents) == 0 || len(s.Agents) > 1000 || len(s.Warnings) > textio.MaxWarnings+1 {
		t.Errorf("got=%d agents, %d warnings, want=1 to 1000, at most %d", len(s.Agents), len(s.Warnings), textio.MaxWarnings+1)
	}
	if s.Toric != (s.Width > 0) || s.Toric != (s.Height > 0) {
		t.Errorf("got=toric %v with %v m × %v m, want=a size exactly when toric", s.Toric, s.Width, s.Height)
	}
}
