package scene

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"gonum.org/v1/gonum/spatial/r2"
)

// reread writes a scene and reads it back without warnings. It checks that the result is written as the
// same file.
func reread(t *testing.T, s *Scene) *Scene {
	t.Helper()
	text := asFile(s)
	again, err := Read(strings.NewReader(text), "again.toml", OpenOptions{})
	if err != nil {
		t.Fatalf("reading back: got=%v, want=no error, for\n%s", err, text)
	}
	if got := asFile(again); got != text {
		t.Fatalf("written and read back:\ngot=%s\nwant=%s", got, text)
	}
	again.Warnings = nil
	return again
}

func failure[T any](_ T, err error) error { return err }

// refused checks that err contains want or, if want is empty, is nil.
func refused(t testing.TB, err error, want, format string, args ...any) {
	t.Helper()
	if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
		t.Errorf("%s: got=%v, want=an error that contains %q (none if empty)", fmt.Sprintf(format, args...), err, want)
	}
}

func hashAfter(t *testing.T, s *Scene, n int) uint64 {
	t.Helper()
	return steps(t, built(t, s), n)
}

// sameAgain checks that s, written and read back, has the same hash after n steps. It returns s.
func sameAgain(t *testing.T, s *Scene, n int) *Scene {
	t.Helper()
	testkit.Equal(t, hashAfter(t, reread(t, s), n), hashAfter(t, s, n), "%s: written and read back: hash after %d steps", s.Name, n)
	return s
}

func TestBuiltinRoundTrip(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			s := loaded(t, name)
			if again := reread(t, s); !reflect.DeepEqual(again, s) {
				t.Errorf("got=%+v, want=%+v", again, s)
			}
		})
	}
}

func TestLongListsAreBroken(t *testing.T) {
	s := loaded(t, "tank-path")
	s.Paths = append(s.Paths, nil)
	for i := range 100 {
		s.Paths[1] = append(s.Paths[1], r2.Vec{X: float64(i), Y: 1})
	}
	for line := range strings.Lines(asFile(s)) {
		if len(line) > lineLength+20 {
			t.Errorf("got=a line of %d bytes, want=%d or less: %s", len(line), lineLength+20, line)
		}
	}
}

func TestLocate(t *testing.T) {
	root, err := parse(context.Background(), []byte("seed = 1\n[[groups]]\nradius = 2\n[[groups]]\nmass = 3\n"))
	noError(t, err)
	at := func(path string) int { return root.locate(path) }
	if a, b := at("groups[1].mass"), at("groups[0].radius"); a <= b || b <= at("seed") {
		t.Errorf("offsets: got=%d, %d, %d, want=increasing numbers", at("seed"), b, a)
	}
	testkit.Equal(t, at("groups[7].mass"), at("groups"), "missing group")
	testkit.Equal(t, at("seed[3]"), at("seed"), "item of a number")
}

func TestFiles(t *testing.T) {
	t.Chdir(testkit.Files(t, map[string]string{
		"main.xml":   `<Simulation delta_time="0.1"><World><Obstacles file="walls.xml"/></World><Agents file="agents.xml"/></Simulation>`,
		"chain.xml":  `<configPath path="main.xml"/>`,
		"agents.xml": `<Agents><Agent rad="0.3" pref_speed="1" max_speed="1"><pos x="1" y="2"/><goal x="3" y="4"/></Agent></Agents>`,
		"walls.xml":  `<Obstacles><Obstacle><Point x="0" y="0"/><Point x="1" y="0"/><Point x="1" y="1"/></Obstacle></Obstacles>`,
		"room.xml":   `<Obstacles/>`,
		"hall.toml":  "name = \"hall\"\n[[groups]]\ncount = 1\nat = {points = [[1, 1]]}\nmax-speed = 1\n",
		"case.xml":   strings.Replace(dynamicCase, "NAME", "0", 1),
	}))
	for _, test := range []struct{ open, obstacles, want string }{
		{"chain.xml", "", "chain.xml main.xml walls.xml agents.xml"},
		{"agents.xml", "room.xml", "agents.xml room.xml"},
		{"./hall.toml", "", "./hall.toml"},
		{"case.xml", "", "case.xml"},
		{"seek", "", ""},
	} {
		s, err := Open(test.open, OpenOptions{Obstacles: test.obstacles})
		noError(t, err)
		testkit.Equal(t, strings.Join(s.Files, " "), test.want, "%s", test.open)
	}
}
