package steerbench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/formats"
	"github.com/8f878440/crowd/internal/testkit"
)

// count holds the numbers that the manifest lists.
type count struct{ agents, obstacles, emitters int }

func (t *TestCase) count() count {
	n := count{len(t.Agents), len(t.Obstacles), len(t.Emitters)}
	for _, region := range t.Regions {
		n.agents += region.Count
	}
	for _, region := range t.ObstacleRegions {
		n.obstacles += region.Count
	}
	return n
}

// expectedErrors are the errors of files that only a lenient reader accepts.
var expectedErrors = map[string]string{
	"sheffield/lowPriorityGoal.xml": "sheffield/lowPriorityGoal.xml:133: unknown element <sdradius> in <initialConditions>: " +
		"want <radius>, <position>, <direction>, <speed>, <color>, <groupId>, <spawn_time> or <despawn_time>",
	"polygons2.xml": "polygons2.xml:24: <polygonObstacle> crosses itself at (3, 0), want an outline that does not",
}

func TestData(t *testing.T) {
	dir, read := testkit.DataDir(t, "steersuite"), 0
	for _, row := range testkit.DataManifest(t) {
		name, ok := strings.CutPrefix(row[0], "steersuite/")
		if !ok || !strings.HasSuffix(name, ".xml") {
			continue
		}
		read++
		var want count
		want.agents, _ = strconv.Atoi(row[3])
		want.obstacles, _ = strconv.Atoi(row[4])
		if _, emitters, ok := strings.Cut(row[5], "emitters="); ok {
			want.emitters, _ = strconv.Atoi(strings.Fields(emitters)[0])
		}
		if name == "polygons2.xml" { // both obstacles cross themselves
			want.obstacles -= 2
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		test, err := Read(path, formats.Options{})
		lenient, lenientErr := Read(path, formats.Options{Lenient: true})
		testkit.Must(t, lenientErr)
		testkit.Equal(t, lenient.count(), want, "%s", name)
		p, placeErr := lenient.Place(t.Context(), 1)
		testkit.Must(t, placeErr)
		testkit.Equal(t, count{len(p.Agents), len(p.Obstacles), len(p.Emitters)}, want, "%s, placed", name)
		checkPlacement(t, lenient, p)
		if wantErr := expectedErrors[name]; wantErr != "" || err != nil {
			got := strings.ReplaceAll(fmt.Sprint(err), dir+string(filepath.Separator), "")
			testkit.Equal(t, got, wantErr, "%s", name)
		} else if !reflect.DeepEqual(test, lenient) {
			t.Errorf("%s: lenient: got=%+v, want=%+v, as when strict", name, lenient, test)
		}
	}
	if read == 0 {
		t.Error("got=no test case in the manifest, want=some")
	}
}

func FuzzRead(f *testing.F) {
	region := "<regionBounds>" + extent + "</regionBounds>"
	random := "<random>true</random>"
	for _, text := range []string{
		"", in(""), testkit.Gzip(in("")), "\ufeff<!-- -- --><?xml version='1.0'?>" + in(""),
		strings.NewReplacer("</", "</s:", "<", "<s:").Replace(in("<obstacle>" + extent + "</obstacle>")),
		withGoal(seek), withGoal("<idle/><seekDynamicTarget><targetName>0</targetName></seekDynamicTarget><fleeDynamicTarget>" + random + "</fleeDynamicTarget>"),
		withGoal("<seekAxisAlignedBoxRegion><goalRegionBounds>" + extent + "</goalRegionBounds></seekAxisAlignedBoxRegion>"),
		withGoal("<flowStaticDirection>" + random + "</flowStaticDirection><seekStaticTarget>" + random + "</seekStaticTarget>"),
		in("<agentRegion><numAgents>9</numAgents>" + region + "<initialConditions><radius>1</radius><direction>" + random + "</direction></initialConditions></agentRegion>"),
		in("<agentEmitter><initialConditions><radius>1</radius><position>" + random + "</position></initialConditions></agentEmitter>"),
		in("<obstacleRegion><numObstacles>9</numObstacles><obstacleSize>1</obstacleSize>" + region + "</obstacleRegion>"),
		in("<orientedWallObstacle><thetaY>30</thetaY><size>" + origin + "</size><position>" + origin + "</position><doorway><value>1</value></doorway></orientedWallObstacle>"),
		in("<circleObstacle><radius>1</radius><position>" + origin + "</position></circleObstacle>"),
		in("<polygonObstacle isClosed='true'><vertex>" + origin + "</vertex><vertex><x>1</x><y>1</y><z>1</z></vertex></polygonObstacle>"),
	} {
		f.Add([]byte(text))
	}
	dir := f.TempDir()
	path := filepath.Join(dir, "main.xml")
	f.Fuzz(func(t *testing.T, text []byte) {
		testkit.Must(t, os.WriteFile(path, text, 0o600))
		testkit.ReadBothWays(t, func(lenient bool) (*TestCase, error) {
			return Read(path, formats.Options{MaxBytes: 1 << 20, MaxAgents: 100, Lenient: lenient})
		}, check, path)
		f, err := readCrowd(path, &formats.Options{MaxBytes: 1 << 12, MaxAgents: 100, Lenient: true, Context: t.Context()})
		if err == nil && !(testkit.Finite(reflect.ValueOf(*f)) && f.Steps > 0 && len(f.Groups) > 0) {
			t.Errorf("got=%+v, want=finite numbers, steps above 0, and a group", f)
		}
	})
}

// check verifies what the comments of TestCase promise, and small placements.
func check(t *testing.T, test *TestCase) {
	t.Helper()
	agents := append(test.Emitters[:len(test.Emitters):len(test.Emitters)], test.Agents...)
	for _, region := range test.Regions {
		agents = append(agents, region.Agent)
	}
	for _, a := range agents {
		goals := a.Goals
		a.Goals = nil
		if !(a.Radius > 0 && a.Speed >= 0 && testkit.Finite(reflect.ValueOf(a))) {
			t.Errorf("got=%+v, want=a radius above 0, a speed of at least 0, and finite numbers", a)
		}
		for _, g := range goals {
			if !(g.Duration > 0 && g.Speed >= 0) || g.Agent != -1 || g.Kind < SeekTarget || g.Kind > SeekRegion {
				t.Errorf("got=%+v, want=a duration above 0, a speed of at least 0, agent -1, and a known kind", g)
			}
			if g.Duration = 0; !testkit.Finite(reflect.ValueOf(g)) { // it may be endless
				t.Errorf("got=%+v, want=finite numbers", g)
			}
		}
	}
	for _, o := range test.Obstacles {
		if (len(o.Outline) >= 2) == (o.Radius > 0) {
			t.Errorf("got=%+v, want=either an outline or a radius", o)
		}
	}
	if !testkit.Finite(reflect.ValueOf(test.Obstacles)) || !testkit.Finite(reflect.ValueOf(test.Bounds)) {
		t.Errorf("got=%+v, want=finite numbers", test)
	}
	if n := test.count(); n.agents > 100 || n.obstacles > 100 {
		return // too many to place here each time
	}
	if p, err := test.Place(context.Background(), 1); err == nil {
		checkPlacement(t, test, p)
	}
}
