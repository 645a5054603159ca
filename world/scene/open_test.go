package scene

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestFiles verifies that a scene says which files it was read from, whoever names them.
func TestFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"main.xml":   `<Simulation delta_time="0.1"><World><Obstacles file="walls.xml"/></World><Agents file="agents.xml"/></Simulation>`,
		"chain.xml":  `<configPath path="main.xml"/>`,
		"agents.xml": `<Agents><Agent rad="0.3" pref_speed="1" max_speed="1"><pos x="1" y="2"/><goal x="3" y="4"/></Agent></Agents>`,
		"walls.xml":  `<Obstacles><Obstacle><Point x="0" y="0"/><Point x="1" y="0"/><Point x="1" y="1"/></Obstacle></Obstacles>`,
		"room.xml":   `<Obstacles/>`,
		"hall.toml":  "name = \"hall\"\n[[groups]]\ncount = 1\nat = {points = [[1, 1]]}\nmax-speed = 1\n",
		"case.xml":   strings.Replace(dynamicCase, "NAME", "0", 1),
	} {
		noError(t, os.WriteFile(name, []byte(text), 0o666))
	}
	for _, test := range []struct{ open, obstacles, want string }{
		{"chain.xml", "", "chain.xml main.xml walls.xml agents.xml"},
		{"agents.xml", "room.xml", "agents.xml room.xml"},
		{"./hall.toml", "", "./hall.toml"},
		{"case.xml", "", "case.xml"},
		{"seek", "", ""},
	} {
		s, err := Open(test.open, OpenOptions{Obstacles: test.obstacles})
		noError(t, err)
		if want := strings.Fields(test.want); !slices.Equal(s.Files, want) {
			t.Errorf("%s: got=%q, want=%q", test.open, s.Files, want)
		}
	}
}
