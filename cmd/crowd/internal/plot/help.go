package plot

import (
	"fmt"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/plot/data"
)

// Help returns the help of the command: what can be drawn of which files.
func Help() string {
	var b strings.Builder
	b.WriteString("What a file holds is found out from its content. Of each kind --what draws:\n")
	write := func(head string, all []chart) {
		fmt.Fprintf(&b, "\n    %s\n", head)
		for _, c := range all {
			fmt.Fprintf(&b, "      %-10s %s\n", c.name, c.help)
		}
	}
	for _, kind := range []data.Kind{data.RunKind, data.ScoreKind, data.BenchKind, data.TableKind, data.MotionKind} {
		all := chartsOf(kind)
		if kind != data.MotionKind {
			all = all[:len(all)-len(figureCharts)]
		}
		write(string(kind), all)
	}
	write("all but trajectories, which are rows of figures", figureCharts)
	b.WriteString(`
Several files of a kind are drawn beside or over one another.

Examples:

    crowd run plaza --json | crowd plot - --out plaza.png
    crowd run plaza --json > before.json
    crowd run plaza --seed 2 --json > after.json
    crowd plot before.json after.json --out compared.png
    crowd score seek flee tank-path plaza --json > score.json
    crowd plot score.json --x acceleration --by folder --out a.svg
    crowd plot score.json --x agents --y ns_per_agent_step --log --out cost.png
    crowd run plaza --trajectories plaza.csv.gz --every 10
    crowd plot plaza.csv.gz --what speed --out speed.png --dark
    crowd bench W2 --json > bench.json
    crowd plot bench.json --what cost --out cost.svg
    crowd plot sweep FOLDER                       what axes do in a sweep

crowd plot files --help lists the flags of files, crowd plot sweep --help those of sweeps.`)
	return b.String()
}
