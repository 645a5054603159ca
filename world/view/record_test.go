package view

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"math"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/replay"
	"github.com/8f878440/crowd/world/scene"
)

type recordedSim struct {
	*simulation
	out *bytes.Buffer
	of  *scene.Scene
}

func recordedRun(t *testing.T, name string, agents int) *recordedSim {
	t.Helper()
	sc := named(t, name)
	sc.Resize(agents)
	r := &recordedSim{out: &bytes.Buffer{}, of: sc.Clone()}
	scenes := Scenes{Open: byName, Options: scene.Options{Workers: 2}, Record: func(s *scene.Scene, w *world.World) (Recorder, error) {
		r.out.Reset()
		return replay.NewRecorder(r.out, w, replay.Options{About: s.Name, SaveEvery: 20})
	}}
	r.simulation = simulationIn(t, sc, scenes, Options{})
	return r
}

func (r *recordedSim) close(t *testing.T) *replay.Recording {
	t.Helper()
	must(t, r.endRecord())
	rec, err := replay.Open(bytes.NewReader(r.out.Bytes()))
	must(t, err)
	return rec
}

func shown(t *testing.T, of *scene.Scene, rec *replay.Recording) *simulation {
	t.Helper()
	scenes := Scenes{List: []Named{{Name: of.Name}}, Open: func(context.Context, string) (*scene.Scene, error) { return of.Clone(), nil }}
	return simulationIn(t, of.Clone(), scenes, Options{Recording: rec})
}

func TestRecord(t *testing.T) {
	for _, name := range []string{"seek", "evacuation", "office"} {
		t.Run(name, func(t *testing.T) {
			s := recordedRun(t, name, 30)
			v := onlooker(s.simulation)
			was := map[uint64]uint64{}
			at := func(tick uint64, format string, args ...any) {
				t.Helper()
				maps.Copy(was, walk(t, s.simulation, tick))
				hearFrom(t, s.simulation, v, format, args...)
			}
			parameter := s.scene.Parameters()[0]
			at(0, `{"do":"set","name":%q,"value":%v}`, parameter.Name, parameter.Value*0.9)
			at(4, `{"do":"add","at":[3,3],"radius":0.2}`)
			at(6, `{"do":"add","corners":[[7,3],[8,3],[8,4.5]]}`)
			at(9, `{"do":"pointer","at":[100,50]}`)
			at(15, `{"do":"set","name":%q,"value":%v}`, parameter.Name, parameter.Value*0.8)
			at(18, `{"do":"add","at":[5,5],"to":[5,6],"radius":0.1,"door":true}`)
			s.list()
			for id, e := range s.solids.byID {
				if s.world.SetDoor(e, false) == nil {
					at(25, `{"do":"door","id":%d,"on":true}`, id)
					at(31, `{"do":"remove","id":%d}`, id)
					break
				}
			}
			at(33, `{"do":"pointer"}`)
			at(34, `{"do":"set","name":"dt","value":%v}`, s.scene.Parameters()[0].Value/2)
			at(35, `{"do":"goal","at":[1,1]}`)
			maps.Copy(was, walk(t, s.simulation, 50))

			goTo(t, s.simulation, v, 22, was) // continues as before
			maps.Copy(was, walk(t, s.simulation, 55))
			goTo(t, s.simulation, v, 18, was) // continues differently, after the inputs of step 18
			at(18, `{"do":"goal","at":[2,2]}`)
			maps.DeleteFunc(was, func(tick, _ uint64) bool { return tick > 18 })
			maps.Copy(was, walk(t, s.simulation, 40))

			rec := s.close(t)
			if rec.Steps() != 40 || len(rec.Saved()) < 2 {
				t.Fatalf("got=%d steps, states saved at %v, want=40 steps, and 2 states or more", rec.Steps(), rec.Saved())
			}
			_, state, err := rec.State(0)
			must(t, err)
			w, err := s.of.Clone().Resume(scene.Options{Measure: true}, state)
			must(t, err)
			defer w.Close()
			must(t, rec.RunOn(t.Context(), w, 0, rec.Steps(), scene.Replay))

			film := shown(t, s.of, rec)
			if got := film.timeline(); got.First != 0 || got.Last != 40 || math.Abs(got.To-s.world.Clock.Time) > 1e-9 {
				t.Errorf("timeline: got=%+v, want steps 0 to 40, at %v", got, s.world.Clock.Time)
			}
			u := onlooker(film)
			for tick, hash := range walk(t, film, 20) {
				if want, ran := was[tick]; ran && hash != want {
					t.Fatalf("step %d, from the beginning: hash: got=%016x, want=%016x", tick, hash, want)
				}
			}
			for _, tick := range []uint64{23, 40, 19, 0, 39, 21} {
				goTo(t, film, u, tick, was)
			}
			goTo(t, film, u, 38, was)
			film.paused = false
			walk(t, film, 40)
			testkit.Equal(t, film.paused, true, "paused at the end of the recording")
			hearFrom(t, film, u, `{"do":"pause"}`)
			testkit.Equal(t, film.paused, false, "paused after resuming at the end")
			testkit.Equal(t, film.world.Clock.Tick, 0, "step after resuming at the end")
			goTo(t, film, u, 40, was)
			walk(t, film, 45) // past the end of the recording
			failed(t, u, "")
			goTo(t, film, u, 10, was)
			hearFrom(t, film, u, `{"do":"goal","at":[50,50]}`)
			walk(t, film, 30)
			testkit.Equal(t, film.timeline().Last, 30, "last step after an input at step 10")
			failed(t, u, "")
			restart(t, film)
			testkit.Equal(t, film.film != nil, true, "a film after a restart")
			testkit.Equal(t, film.timeline().Last, 40, "last step after a restart")
		})
	}
}

func TestRecordAgain(t *testing.T) {
	s := recordedRun(t, "seek", 10)
	v := onlooker(s.simulation)
	walk(t, s.simulation, 5)
	restart(t, s.simulation)
	walk(t, s.simulation, 3)
	rec := s.close(t)
	testkit.Equal(t, rec.Steps(), 3, "steps")
	must(t, rec.CutOff)
	s.record = &recordWriter{to: brokenRecorder{}, world: s.world, from: s.world.Clock.Tick}
	walk(t, s.simulation, 6)
	failed(t, v, "recording stopped: no room")
	sc := named(t, "seek")
	broken := Scenes{Open: byName, Record: func(*scene.Scene, *world.World) (Recorder, error) { return nil, errNoRoom }}
	if _, err := NewScenes(context.Background(), "seek", sc, broken, Options{}); !errors.Is(err, errNoRoom) {
		t.Errorf("a recording that cannot begin: got=%v, want=%v", err, errNoRoom)
	}
}

var errNoRoom = errors.New("no room")

type brokenRecorder struct{}

func (brokenRecorder) Input(string, any) error      { return errNoRoom }
func (brokenRecorder) Stepped() error               { return errNoRoom }
func (brokenRecorder) Back(*world.World, int) error { return errNoRoom }
func (brokenRecorder) Close() error                 { return errNoRoom }

func TestFilmDiffers(t *testing.T) {
	s := recordedRun(t, "seek", 10)
	walk(t, s.simulation, 30)
	rec := s.close(t)
	other := s.of.Clone()
	must(t, other.Set("max-speed", 1))
	other.Name = s.of.Name
	film := shown(t, other, rec)
	v := onlooker(film)
	film.past.moments = film.past.moments[:1] // the later moments match the recording
	w, err := other.Build(scene.Options{Measure: true})
	must(t, err)
	defer w.Close()
	film.crowd.close()
	film.crowd.world = w
	film.crowd.look()
	film.newWorld()
	walk(t, film, 10)
	failed(t, v, "differs from the recording")
	other.Seed++ // does not match the state
	unread := shown(t, other, rec)
	if unread.film.states || len(unread.past.moments) != 1 {
		t.Errorf("got=%d moments, readable states: %v, want=1, saved by the view itself, and false", len(unread.past.moments), unread.film.states)
	}
	goTo(t, unread, onlooker(unread), 20, nil)
	goTo(t, unread, onlooker(unread), 3, nil)
}
