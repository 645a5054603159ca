package scene

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/8f878440/crowd/internal/formats/recorded"
	"github.com/8f878440/crowd/internal/suggest"
	"github.com/8f878440/crowd/internal/textio"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

// OpenOptions is what a file does not say.
type OpenOptions struct {
	Obstacles string // file of obstacles, beside a file of agents
	Lenient   bool   // skip unknown elements with a warning
	Seed      uint64 // of what a file leaves to chance when it is read; 0: 1
	Model     Model  // how people walk to their goals, see Scene.SetModel; empty: as the scene says, or by DefaultModel where a file leaves that open

	// What the file of a recording may not say.
	FrameRate float64  // frames a second; 0: the file says it
	Unit      string   // of lengths: m or cm; empty: the file says it
	Columns   []string // id, frame or time, x, y in their order, with any other words between; nil: the file says it, or has this order

	Catalog []catalog.Entry // of a host's own behaviors: see Scene.Catalog; nil: those of Register

	Allow func(path string) error // is asked before a file is opened, and its error is that of Open; nil: all may be

	Context context.Context // ends reading early, with its error; nil: nothing does

	path string // of the scene file, from which it names others; empty: it may name none
}

func (o *OpenOptions) seed() uint64 { return max(o.Seed, 1) }

func (o *OpenOptions) context() context.Context { return contextOr(o.Context) }

// allow asks whether a file may be opened.
func (o *OpenOptions) allow(path string) error {
	if o.Allow == nil {
		return nil
	}
	return o.Allow(path)
}

func (o *OpenOptions) model() Model { return cmp.Or(o.Model, DefaultModel) }

// An UnknownError is a name that neither a built-in scene nor a file has. Names
// lists the scenes.
type UnknownError string

func (e UnknownError) Error() string {
	text := fmt.Sprintf("no scene or file is named %q", string(e))
	if hint := suggest.DidYouMean(string(e), Names()); hint != "" {
		text += ", " + hint
	}
	return text
}

// Open returns the built-in scene with that name, or else reads the file with
// that path. What kind a file is, its content says.
func Open(name string, o OpenOptions) (*Scene, error) {
	if _, err := o.model().Info(); err != nil {
		return nil, err
	}
	s, err := open(name, o)
	if err != nil || o.Model == "" || s.Model == o.Model {
		return s, err
	}
	if err := s.SetModel(o.Model); err != nil {
		return nil, err
	}
	return s, nil
}

func open(name string, o OpenOptions) (*Scene, error) {
	o.Catalog = catalogOr(o.Catalog)
	if err := (&Scene{Catalog: o.Catalog}).checkCatalog(); err != nil {
		return nil, err
	}
	if slices.Contains(Names(), name) {
		if o.Obstacles != "" {
			return nil, fmt.Errorf("obstacles from a file go with agents from a file, not with the built-in scene %s", name)
		}
		s, err := Named(name)
		if err == nil {
			s.Catalog = o.Catalog
		}
		return s, err
	}
	if err := o.allow(name); err != nil {
		return nil, err
	}
	info, err := os.Stat(name)
	switch {
	case err != nil && !strings.ContainsAny(name, "./\\"):
		return nil, UnknownError(name)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err.(*fs.PathError).Err)
	case info.IsDir():
		return nil, fmt.Errorf("%s: is a folder, want a file", name)
	}
	return openFile(name, info, o)
}

// openFile reads a file of any kind, with what Lint says of it among Warnings.
func openFile(path string, info fs.FileInfo, o OpenOptions) (*Scene, error) {
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: want a regular file", path) // a pipe could block for ever
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if head := textio.Head(f, 2); len(head) == 2 && (head[0] == 0 || head[1] == 0 || head[0] >= 0xfe && head[1] >= 0xfe) {
		return nil, fmt.Errorf("%s: text in UTF-16, or none, want text in UTF-8", path)
	}
	for _, kind := range []struct {
		is   func(f io.Reader, path string) bool
		open func(f io.ReadSeeker, path string, o OpenOptions) (*Scene, error)
	}{{isMap, openMap}, {isWays, openWays}, {isArea, openArea}, {isVadere, openVadere}, {isXML, openXML}, {isRecording, openRecording}} {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return nil, err
		}
		if kind.is(f, path) {
			s, err := kind.open(f, path, o)
			if err == nil {
				s.Catalog = o.Catalog
				s.Warnings = append(s.Warnings, s.lint(path)...)
			}
			return s, err
		}
	}
	if o.Obstacles != "" {
		return nil, fmt.Errorf("%s: obstacles from a file go with a file of agents, not with a scene", path)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	o.path = path
	s, err := read(f, path, o)
	if err == nil {
		s.Files = append([]string{path}, s.Files...)
	}
	return s, err
}

// otherRoots are the root elements of XML files that are not of UMANS.
var otherRoots = []string{"Project", "Experiment", "SteerBenchTestCase", "SteerSuiteSubSpace"}

// openXML reads a file of SteerBench, Menge or UMANS, whichever its root says.
func openXML(f io.ReadSeeker, path string, o OpenOptions) (*Scene, error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	head := textio.Head(f, 64<<10)
	if bytes.Contains(head, []byte("SteerBenchTestCase")) || bytes.Contains(head, []byte("SteerSuiteSubSpace")) {
		return openSteerbench(path, o)
	}
	for _, root := range []string{"<Project", "<Experiment", "<BFSM"} {
		if bytes.Contains(head, []byte(root)) {
			return openMenge(path, o)
		}
	}
	return openUMANS(path, o)
}

// otherKinds are the kinds of files that are read beside scenes.
const otherKinds = "a file of SteerBench, UMANS, Menge or Vadere, WKT, a map of movingai.com, or a recording of people"

// anyKind reports whether a file was taken for a scene because it looked like nothing else.
func (o *OpenOptions) anyKind() bool {
	return o.path != "" && !strings.HasSuffix(strings.TrimSuffix(strings.ToLower(o.path), ".gz"), ".toml")
}

// isXML reports whether a file is XML, by its name or how it begins.
func isXML(f io.Reader, path string) bool {
	name := strings.TrimSuffix(strings.ToLower(path), ".gz")
	if strings.HasSuffix(name, ".xml") || strings.HasSuffix(name, ".toml") {
		return strings.HasSuffix(name, ".xml")
	}
	head := bytes.TrimLeft(textio.Head(f, 512), " \t\r\n")
	return bytes.HasPrefix(head, []byte("<"))
}

// What recordings leave to the simulator.
const (
	recordingDt     = 1. / 30
	recordingRadius = 0.2 // m, of each body
	recordingGoal   = 0.5 // m
	recordingLeast  = 0.1 // m/s, for people that mostly stood
	recordingSlack  = 30  // s, for people that are later than they were
)

// openRecording reads a recording, and lets people walk that come where and when those recorded
// did, go to where those were seen last at the median of their speeds, and leave there.
func openRecording(_ io.ReadSeeker, path string, o OpenOptions) (*Scene, error) {
	if o.Obstacles != "" {
		return nil, fmt.Errorf("%s: obstacles from a file go with a file of agents, not with a recording", path)
	}
	crowd, err := recorded.Open(path, recorded.Options{FrameRate: o.FrameRate, Unit: recorded.Unit(o.Unit), Columns: o.Columns, Context: o.Context})
	if err != nil {
		return nil, err
	}
	if n := len(crowd.People); n > world.MaxAgents {
		return nil, fmt.Errorf("%s: %d people, want at most %d", path, n, world.MaxAgents)
	}
	beyond := r2.Vec{X: 1, Y: 1} // m
	box := crowd.Box()
	s := &Scene{
		Recorded: true, Name: baseName(path), Text: "people who start and go where others were recorded", Seed: 1, Dt: recordingDt, Files: []string{path},
		Box:   r2.Box{Min: vec.Sub(box.Min, beyond), Max: vec.Add(box.Max, beyond)},
		Steps: int(math.Ceil((crowd.End - crowd.Start + recordingSlack) / recordingDt)),
		Notes: []string{"people come where and when those recorded did, and go at the median of their speeds to where those were seen last"},
	}
	g := Group{
		Name: "people", Count: len(crowd.People), Source: &Source{AtOnce: 1}, Target: &Place{},
		Radius: Same(recordingRadius), Goal: &Goal{Radius: Same(recordingGoal), Then: Leave},
	}
	for i := range crowd.People {
		p := &crowd.People[i]
		speed, _ := p.MedianSpeed()
		g.At.Points, g.Target.Points = append(g.At.Points, p.At[0]), append(g.Target.Points, p.At[len(p.At)-1])
		g.MaxSpeed.Each = append(g.MaxSpeed.Each, max(speed, recordingLeast))
		come := &g.Source.Schedule
		if at := p.Times[0] - crowd.Start; len(*come) > 0 && (*come)[len(*come)-1].Time == at {
			(*come)[len(*come)-1].N++
		} else {
			*come = append(*come, world.Batch{Time: at, N: 1})
		}
	}
	s.Groups = []Group{g}
	s.steer(o.model())
	return s, nil
}

// isRecording reports whether a file has trajectories, by how it begins.
func isRecording(f io.Reader, path string) bool {
	const head = 4096
	if strings.HasSuffix(strings.ToLower(path), ".toml") {
		return false
	}
	text := textio.Head(f, head)
	return recorded.Is(text)
}
