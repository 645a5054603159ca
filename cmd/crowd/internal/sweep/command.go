package sweep

import (
	_ "embed"
	"io"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
)

// Command is crowd sweep.
type Command struct {
	Run    Run    `cmd:"" default:"withargs" help:"Run all that a spec asks for (the default)."`
	Status Status `cmd:"" help:"Say how far a sweep is, and who works on it."`
	Merge  Merge  `cmd:"" help:"Join the results of all shards of a sweep."`

	Example Example `cmd:"" help:"Print a small spec, to begin with."`
}

//go:embed example.toml
var example string

// Example prints a spec.
type Example struct{}

// Run prints it.
func (Example) Run(e *cli.Console) error {
	_, err := io.WriteString(e.Machine, example)
	return err
}

// Help shows examples.
func (Command) Help() string {
	return `A spec says which scenes run, with which parameters and seeds. docs/sweep.md describes it.

Examples:

    crowd sweep example > first.toml             a spec to begin with
    crowd sweep SPEC.toml --dry-run              how many runs, and how long they take
    crowd sweep SPEC.toml                        run them, and write SPEC/results.csv
    crowd work SPEC                              in another terminal: join in
    crowd sweep status SPEC --page               watch it
    crowd sweep SPEC.toml --listen :4222         let other machines join
    crowd sweep SPEC.toml --shard 3/10           a tenth of them, without a server
    crowd sweep SPEC.toml --shard auto           in a job array of Slurm or an Indexed Job of Kubernetes
    crowd sweep merge SPEC                       join the results of all shards`
}
