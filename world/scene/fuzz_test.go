package scene

import (
	"bytes"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/textio"
	"github.com/8f878440/crowd/world"
	"github.com/pelletier/go-toml/v2"
)

// FuzzReadTOML checks that no file makes the reader panic or hang, that the reader accepts only TOML,
// that a scene can be written and read back, and that a small scene is rejected by Build or runs with
// valid sliders.
func FuzzReadTOML(f *testing.F) {
	for _, text := range corpus(f) {
		f.Add([]byte(text))
	}
	f.Fuzz(anyFile)
}

func TestMutations(t *testing.T) {
	t.Parallel()
	numbers := strings.Fields("0 1 -1 2 3 0.5 100 1e12 -1e12 1e308 -1e308 1e-308 5e-324 inf -inf nan 50 4294967295 [1,2] {} [] true 'x'")
	token := regexp.MustCompile(`-?[0-9][0-9.e]*|"[a-z-]+"`)
	files := corpus(t)
	var lines []string
	for _, file := range files {
		lines = append(lines, strings.Split(file, "\n")...)
	}
	const rounds, fine = 250, 20
	rnd := rand.New(rand.NewPCG(1, 2))
	read := 0
	for range rounds {
		file := files[rnd.IntN(len(files))]
		for range 1 + rnd.IntN(3) {
			all := token.FindAllStringIndex(file, -1)
			at := all[rnd.IntN(len(all))]
			with := numbers[rnd.IntN(len(numbers))]
			if file[at[0]] == '"' {
				other := all[rnd.IntN(len(all))]
				with = file[other[0]:other[1]]
			}
			file = file[:at[0]] + with + file[at[1]:]
			if rnd.IntN(3) == 0 {
				file += "\n" + lines[rnd.IntN(len(lines))]
			}
		}
		if _, err := Read(strings.NewReader(file), "x", OpenOptions{}); err == nil {
			read++
		}
		if anyFile(t, []byte(file)); t.Failed() {
			t.Fatal(file)
		}
	}
	if read < fine {
		t.Errorf("files without faults: got=%d, want=%d or more", read, fine)
	}
}

func corpus(t testing.TB) (all []string) {
	all = blocks(t)
	for _, name := range Names() {
		s := loaded(t, name)
		shrink(s, 50)
		if p := s.Obstacles.Pillars; p != nil {
			p.Columns, p.Rows = 3, 3
		}
		if obstacles(s) > 300 {
			shrink(s, 5) // the first step plans a route for each agent
		}
		all = append(all, asFile(s))
	}
	return all
}

// shrink limits the number of agents, and keeps only two groups if there are more than two fields,
// which are slow.
func shrink(s *Scene, agents int) {
	if s.Agents() > agents {
		s.Resize(agents)
	}
	if n := 2; s.FlowFields() > n {
		s.Groups = s.Groups[:n]
	}
}

func anyFile(t *testing.T, data []byte) {
	s, err := Read(bytes.NewReader(data), "fuzz.toml", OpenOptions{})
	if err != nil {
		if !strings.HasPrefix(err.Error(), "fuzz.toml:") {
			t.Errorf("got=%v, want=an error that begins with fuzz.toml:", err)
		}
		return
	}
	if data, err := textio.ReadAll(t.Context(), bytes.NewReader(data), maxBytes); err == nil && s.Seed <= math.MaxInt64 {
		var anything map[string]any
		if err := toml.Unmarshal(data, &anything); err != nil {
			t.Errorf("go-toml: got=%v, want=no error, because Read accepts the file:\n%s", err, data)
		}
	}
	again := reread(t, s)
	if s.Agents() > 100 || obstacles(s) > 1000 {
		return
	}
	w, err := s.Build(Options{Workers: 1, Measure: true})
	if err != nil {
		return
	}
	defer w.Close()
	steps(t, w, 2)
	testkit.Equal(t, hashAfter(t, again, 2), w.Hash(), "hash")
	anyParameter(t, s, w, len(data)%8 == 0)
}

// anyParameter checks the sliders of a scene and, if move is set, that their ends are allowed. It then
// runs a step of w.
func anyParameter(t *testing.T, s *Scene, w *world.World, move bool) {
	all := s.Parameters()
	for _, p := range all {
		if !(p.Min < p.Max && p.Step > 0) || math.IsInf(p.Min, 0) || math.IsInf(p.Max, 0) || math.IsInf(p.Step, 0) {
			t.Fatalf("slider: got=%+v, want=finite ends, and a step", p)
		}
	}
	for i := 0; move && i < len(all); i++ {
		for _, p := range s.Parameters() { // the previous change may affect them
			if p.Name != all[i].Name {
				continue
			}
			for _, x := range []float64{p.Min, p.Max} {
				if err := s.Tune(w, p.Name, x); err != nil {
					t.Fatalf("%+v set to %v: got=%v, want=no error", p, x, err)
				}
			}
		}
	}
	noError(t, w.Step())
}

func asFile(s *Scene) string {
	var b bytes.Buffer
	s.WriteTOML(&b)
	return b.String()
}

func obstacles(s *Scene) int {
	single, polygons, _ := s.Obstacles.count()
	return single + polygons
}
