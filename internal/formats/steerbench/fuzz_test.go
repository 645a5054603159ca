package steerbench

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// FuzzRead reads a test case. Whatever it holds, Read returns an error or a test
// case within its limits, a lenient reading takes all that a strict one does, and
// Place, which may fail, leaves nothing to chance.
func FuzzRead(f *testing.F) {
	region := "<regionBounds>" + extent + "</regionBounds>"
	random := "<random>true</random>"
	for _, text := range []string{
		"", in(""), packed(f, in("")), "\ufeff<!-- -- --><?xml version='1.0'?>" + in(""),
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
		must(t, os.WriteFile(path, text, 0o600))
		o := Options{MaxBytes: 1 << 20, MaxAgents: 100}
		strict, err := Read(path, o)
		if err != nil && !strings.HasPrefix(err.Error(), path) {
			t.Errorf("got=%q, want=an error that names its file", err)
		}
		o.Lenient = true
		lenient, lenientErr := Read(path, o)
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

// check holds a test case to what its type promises.
func check(t *testing.T, test *TestCase) {
	t.Helper()
	agents := append(test.Emitters[:len(test.Emitters):len(test.Emitters)], test.Agents...)
	for _, region := range test.Regions {
		agents = append(agents, region.Agent)
	}
	points := []r2.Vec{test.Bounds.Min, test.Bounds.Max}
	for _, a := range agents {
		if !(a.Radius > 0 && a.Speed >= 0) || math.IsInf(a.Radius+a.Speed, 0) {
			t.Errorf("got=%+v, want=a possible agent", a)
		}
		points = append(points, a.Position, a.Direction, a.Bounds.Min, a.Bounds.Max)
		for _, g := range a.Goals {
			if !(g.Duration > 0 && g.Speed >= 0) || g.Agent != -1 || g.Kind < SeekTarget || g.Kind > SeekRegion {
				t.Errorf("got=%+v, want=a possible goal", g)
			}
			points = append(points, g.Target, g.Direction, g.Region.Min, g.Region.Max)
		}
	}
	for _, o := range test.Obstacles {
		if (len(o.Outline) >= 2) == (o.Radius > 0) {
			t.Errorf("got=%+v, want=a polygon or a circle", o)
		}
		points = append(append(points, o.Center), o.Outline...)
	}
	for _, p := range points {
		if x := p.X + p.Y; math.IsNaN(x) || math.IsInf(x, 0) {
			t.Errorf("got=%v in %+v, want=finite numbers", p, test)
			return
		}
	}
	if n := test.count(); n.agents > 100 || n.obstacles > 100 {
		return // too many to place here, each time
	}
	if p, err := test.Place(context.Background(), 1); err == nil {
		checkPlacement(t, test, p)
	}
}
