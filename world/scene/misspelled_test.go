package scene

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A misspelled name is answered with the one that was likely meant, and not with
// all there are.
func TestMisspelled(t *testing.T) {
	open := func(name string) error { _, err := Open(name, OpenOptions{}); return err }
	set := func(name string) error { s := plaza(); return s.Set(name, 5) }
	var m Model
	for _, tc := range []struct {
		err  error
		want string
	}{
		{open("plazza"), `no scene or file is named "plazza", did you mean "plaza"?`},
		{open("zzyzx"), `no scene or file is named "zzyzx"`},
		{set("lok-ahead"), `nothing is named "lok-ahead", did you mean "look-ahead"?`},
		{m.UnmarshalText([]byte("orka")), `model is "orka", want one of ` + strings.Join(ModelNames(), ", ") + `; did you mean "orca"?`},
		{m.UnmarshalText([]byte("helbing")), `model is "helbing", want one of ` + strings.Join(ModelNames(), ", ")},
	} {
		if tc.err == nil || tc.err.Error() != tc.want {
			t.Errorf("got=%v, want=%s", tc.err, tc.want)
		}
	}
	if err := m.UnmarshalText([]byte("steer")); err != nil || m != ModelSteer {
		t.Errorf("got=%q, %v, want=%q", m, err, ModelSteer)
	}
	if _, err := Named("plazza"); !errors.As(err, new(UnknownError)) {
		t.Errorf("got=%v, want an UnknownError", err)
	}
	if err := set("zzyzx"); err == nil || !strings.Contains(err.Error(), "want one of anticipation-time, avoidance, ") {
		t.Errorf("nothing near: got=%v, want all there are", err)
	}
}

// A file of other simulators without agents is refused with the line where they
// should stand.
func TestFilesWithoutAgents(t *testing.T) {
	const box = "<xmin>0</xmin><xmax>9</xmax><ymin>0</ymin><ymax>0</ymax><zmin>0</zmin><zmax>9</zmax>"
	for _, tc := range []struct{ text, want string }{
		{"<Simulation delta_time='1'>\n<World/>\n<Agents/></Simulation>", "empty.xml:3: no agents: want at least one <Agent>"},
		{"<?xml version='1.0'?>\n<SteerBenchTestCase><header><worldBounds>" + box + "</worldBounds></header></SteerBenchTestCase>",
			"empty.xml:2: no agents: want at least one <agent>, <agentRegion> or <agentEmitter>"},
	} {
		path := filepath.Join(t.TempDir(), "empty.xml")
		noError(t, os.WriteFile(path, []byte(tc.text), 0o600))
		if _, err := Open(path, OpenOptions{}); err == nil || filepath.Base(err.Error()) != tc.want {
			t.Errorf("got=%v, want=%s", err, tc.want)
		}
	}
}
