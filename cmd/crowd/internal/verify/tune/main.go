// Command tune is a scratch program.
package main

import (
	"encoding/json"

	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/8f878440/crowd/cmd/crowd/internal/verify"
	"github.com/8f878440/crowd/cmd/crowd/internal/verify/recording"
)

func weidmann(d float64) float64 { return 1.34 * (1 - math.Exp(-1.913*(1/d-1/5.4))) }

func main() {
	what := flag.String("what", "j,d,v,r,s,t,w", "")
	seeds := flag.Int("seeds", 3, "")
	asJSON := flag.Bool("json", false, "")
	flag.Parse()
	ctx := context.Background()
	var mu sync.Mutex
	lines := map[string]string{}
	nums := map[string]float64{}
	note := func(k string, v float64) { mu.Lock(); nums[k] = v; mu.Unlock() }
	var order []string
	var wg sync.WaitGroup
	gate := make(chan int, 2)
	job := func(name string, f func() string) {
		order = append(order, name)
		wg.Add(1)
		go func() {
			gate <- 1
			defer func() { <-gate; wg.Done() }()
			t := f()
			mu.Lock()
			lines[name] = t
			mu.Unlock()
		}()
	}
	check := func(err error) {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
	for _, w := range strings.Split(*what, ",") {
		switch w {
		case "j":
			for _, k := range []struct {
				name   string
				width  float64
				people int
			}{{"050", 0.5, 61}, {"070", 0.7, 111}, {"100", 1.0, 121}} {
				job("juelich "+k.name, func() string {
					rec, err := verify.Recorded("/work/shared/data/juelich/uo-" + k.name + "-180-180.txt")
					check(err)
					flow, speed, dens, n := 0., 0., 0., 0
					flows := fmt.Sprintf(" rec [%.2f %.2f %.2f]", per(rec.Gaps, 0, 0.33), per(rec.Gaps, 0.33, 0.67), per(rec.Gaps, 0.67, 1))
					var gaps, early []float64
					var sm recording.Smoothness
					for seed := range *seeds {
						g, err := verify.Corridor(ctx, uint64(seed+1), k.width, k.people)
						check(err)
						if g.Passed < g.People {
							n += g.People - g.Passed
						}
						flow += g.Flow / float64(*seeds)
						speed += g.Speed / float64(*seeds)
						dens += g.Density / float64(*seeds)
						gaps = append(gaps, g.Gaps...)
						flows += fmt.Sprintf(" [%.2f %.2f %.2f]", per(g.Gaps, 0, 0.33), per(g.Gaps, 0.33, 0.67), per(g.Gaps, 0.67, 1))
						early = append(early, g.Early...)
						sm = g.Throng
					}
					note("flow"+k.name, flow/rec.Flow)
					note("speed"+k.name, speed/rec.Speed)
					note("dens"+k.name, dens/rec.Density)
					note("ks"+k.name, recording.KolmogorovSmirnov(gaps, rec.Gaps))
					note("miss"+k.name, float64(n))
					slices.Sort(gaps)
					slices.Sort(rec.Gaps)
					slices.Sort(early)
					slices.Sort(rec.Early)
					q, q2 := "", ""
					for _, f := range []float64{0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99} {
						q += fmt.Sprintf(" %.2f/%.2f", gaps[int(f*float64(len(gaps)))], rec.Gaps[int(f*float64(len(rec.Gaps)))])
					}
					for _, f := range []float64{0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99} {
						q2 += fmt.Sprintf(" %.2f/%.2f", early[int(f*float64(len(early)))], rec.Early[int(f*float64(len(rec.Early)))])
					}
					_ = q
					_ = q2
					return flows + fmt.Sprintf("flow %.3f/%.3f = %.3f  speed %.2f/%.2f = %.2f  density %.2f/%.2f = %.2f  KS %.3f  missing %d  wiggle %.3f (%.3f) rev %.3f (%.3f) acc %.2f (%.2f)", flow, rec.Flow, flow/rec.Flow, speed, rec.Speed, speed/rec.Speed, dens, rec.Density, dens/rec.Density, recording.KolmogorovSmirnov(gaps, rec.Gaps), n,
						sm.Wiggle, rec.Throng.Wiggle, sm.Reversals, rec.Throng.Reversals, sm.Acceleration, rec.Throng.Acceleration)
				})
			}
		case "d":
			for _, width := range []float64{0.8, 1.0, 1.2} {
				job(fmt.Sprint("door ", width), func() string {
					flow, missing := 0., 0
					var sm recording.Smoothness
					for seed := range *seeds {
						g, err := verify.Door(ctx, uint64(seed+1), width, 100)
						check(err)
						flow += g.Flow / float64(*seeds)
						missing += g.People - g.Passed
						sm = g.Throng
					}
					note(fmt.Sprint("door", width), flow)
					note(fmt.Sprint("wig", width), sm.Wiggle)
					note(fmt.Sprint("rev", width), sm.Reversals)
					note(fmt.Sprint("dmiss", width), float64(missing))
					return fmt.Sprintf("%.2f missing %d   wiggle %.3f rev %.3f acc %.2f", flow, missing, sm.Wiggle, sm.Reversals, sm.Acceleration)
				})
			}
		case "v":
			for _, d := range []float64{0.5, 1, 2, 3, 4, 5} {
				job(fmt.Sprint("v ", d), func() string {
					t := ""
					for seed := range min(*seeds, 2) {
						v, err := verify.Straight(ctx, uint64(seed+1), d)
						check(err)
						note(fmt.Sprint("v", d, ".", seed), v.Speed-weidmann(v.Density))
						note(fmt.Sprint("still", d, ".", seed), float64(v.Still))
						t += fmt.Sprintf("  at %.2f: %.3f weidmann %.3f diff %+.3f still %d", v.Density, v.Speed, weidmann(v.Density), v.Speed-weidmann(v.Density), v.Still)
					}
					return t
				})
			}
		case "r":
			for _, d := range []float64{0.5, 1.1, 2.1} {
				job(fmt.Sprint("single ", d), func() string {
					v, err := verify.Ring(ctx, 1, d, 4, 4, 0.7, true)
					check(err)
					note(fmt.Sprint("single", d), v.Speed)
					return fmt.Sprintf("at %.2f: %.3f", v.Density, v.Speed)
				})
			}
			for _, d := range []float64{1, 2, 3, 4} {
				job(fmt.Sprint("loop ", d), func() string {
					v, err := verify.Ring(ctx, 1, d, 20, 5, 2.4, false)
					check(err)
					note(fmt.Sprint("loop", d), v.Speed-weidmann(v.Density))
					return fmt.Sprintf("at %.2f: %.3f weidmann %.3f diff %+.3f", v.Density, v.Speed, weidmann(v.Density), v.Speed-weidmann(v.Density))
				})
			}
		case "s":
			job("two sides", func() string {
				t := ""
				for seed := range *seeds {
					g, err := verify.TwoSides(ctx, uint64(seed+1))
					check(err)
					t += fmt.Sprintf("  %d of 120, last %.0f, burst %.2f", g.Passed, g.Last, g.Burst)
				}
				return t
			})
		case "t":
			job("two ways", func() string {
				t := ""
				for seed := range min(*seeds, 2) {
					g, err := verify.TwoWays(ctx, uint64(seed+1), 250, 5, 60)
					check(err)
					t += fmt.Sprintf("  %d of 500, last %.0f, order %.2f rev %.2f", g.Passed, g.Last, g.Burst, g.Throng.Reversals)
				}
				return t
			})
		case "w":
			job("100 against 100", func() string {
				t := ""
				for seed := range min(*seeds, 2) {
					g, err := verify.TwoWays(ctx, uint64(seed+1), 100, 2, 100)
					check(err)
					t += fmt.Sprintf("  %d of 200, last %.0f, order %.2f", g.Passed, g.Last, g.Burst)
				}
				return t
			})
		}
	}
	wg.Wait()
	if *asJSON {
		json.NewEncoder(os.Stdout).Encode(nums)
		return
	}
	for _, name := range order {
		fmt.Println(name, lines[name])
	}
}

func per(g []float64, a, b float64) float64 {
	lo, hi := int(a*float64(len(g))), int(b*float64(len(g)))
	sum := 0.
	for _, x := range g[lo:hi] {
		sum += x
	}
	return float64(hi-lo) / sum
}
