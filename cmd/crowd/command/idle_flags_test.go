package command

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestIdleFlags verifies that a flag that would do nothing is refused, with a word on what
// it is for, and that nothing is written.
func TestIdleFlags(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"run.json": plotFixture("run.json"), "bench.json": plotFixture("bench.json"), "motion.csv": plotFixture("motion.csv"), "score.json": plotFixture("score.json")} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct{ args, want string }{
		{"run seek --every 5", "--every needs --trajectories, which is missing"},
		{"run seek --every 1", "--every needs --trajectories, which is missing"},
		{"run seek --picture x.jpg", "--picture is x.jpg, want a name that ends with .png"},
		{"run seek --picture x", "--picture is x, want a name that ends with .png"},
		{"run seek --crop 0,0,1,1 --picture none", "--crop needs a picture, and none is drawn"},
		{"run seek --crop 0,0,1,1 --json", "--crop needs a picture, and none is drawn"},
		{"run seek --model orca", "a model is for people with places to go to, and in seek lengths are pixels"},
		{"run seek --workers 0", "--workers is 0, want 1 or more"},
		{"render seek -o x.png --fps 30", "--fps is for animations, and .png is a picture"},
		{"render seek -o x.svg --fps 5", "--fps is for animations, and .svg is a picture"},
		{"render seek -o x.png --heat --color group", "--color is for agents, and --heat draws none"},
		{"render seek -o x.gif --palette gray --color heading", "--palette is for speed and density, and --color is heading"},
		{"render seek -o x.gif --model steer", "a model is for people with places to go to, and in seek lengths are pixels"},
		{"render seek -o x.gif --workers 0", "--workers is 0, want 1 or more"},
		{"explain seek --model steer", "a model is for people with places to go to, and in seek lengths are pixels"},
		{"view seek --model steer", "a model is for people with places to go to, and in seek lengths are pixels"},
		{"scene show seek --model steer", "a model is for people with places to go to, and in seek lengths are pixels"},
		{"run seek --workers 0", "--workers is 0, want 1 or more"},
		{"plot run.json -o x.png --size 0", "want pixels such as 640 or 640x480"},
		{"plot run.json -o x.png --size 300x20", "--size has 20, want 200 to 10000 pixels"},
		{"plot run.json -o x.png --by scene", "--by is for histogram, ecdf, rows, scatter, curve, and the picture is overview"},
		{"plot run.json -o x.png --what overview --x agents", "--x is for histogram, ecdf, rows, scatter, curve, and the picture is overview"},
		{"plot run.json -o x.png --to 1,2", "--to is for trajectories, and run.json is the report of a run"},
		{"plot run.json -o x.png --heat a,b", "--heat is for a sweep, and run.json is the report of a run"},
		{"plot score.json -o x.png --what rows --x agents --y collisions", "--y is for scatter, curve, and the picture is rows"},
		{"plot bench.json -o x.png --what speedup --log", "and the picture is speedup"},
		{"plot motion.csv -o x.png --what speed --to 1,2", "--to is for overview, distance, and the picture is speed"},
		{"validate diagram --data .", "--data is for juelich, and diagram is verified"},
		{"validate --quick --repeats 3", "--repeats and --quick contradict one another"},
		{"run evacuation --model social-force-2000 --set dt=0.02", "--set dt is 0.02 s, want 0.01 at most for the model social-force-2000"},
		{"validate --model all --out x.png", "--out is for one model, and all are compared"},
		{"validate --model waltz", "model is \"waltz\", want one of orca, "},
		{"validate --dark", "--dark needs a picture, and none is drawn"},
		{"bench seek --baselines", "--baselines needs a workload such as W2, and none is measured"},
	} {
		t.Run(test.args, func(t *testing.T) {
			args := strings.Fields(test.args)
			if args[0] == "plot" {
				args[1] = filepath.Join(dir, args[1])
			}
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute) // a view would never end
			defer cancel()
			code, out, errs := command(t, ctx, args...)
			want := strings.Replace(test.want, "run.json", filepath.Join(dir, "run.json"), 1)
			if code != exitBadInput || !strings.Contains(errs, want) || strings.Count(errs, "\n") != 1 {
				t.Errorf("exit code %d, want 2, and one line with %q, got:\n%s%s", code, want, out, errs)
			}
			if left, _ := os.ReadDir("."); len(left) > 0 {
				t.Errorf("left %v behind", left)
			}
		})
	}
}
