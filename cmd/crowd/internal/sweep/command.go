// Package sweep runs scenes under many parameters and seeds, and makes a table of what happened.
package sweep

// Command is crowd sweep.
type Command struct {
	Run   Run   `cmd:"" default:"withargs" help:"Run all that a spec asks for (the default)."`
	Merge Merge `cmd:"" help:"Join the results of all shards of a sweep."`
}

// Help shows examples.
func (Command) Help() string {
	return `A spec says which scenes run, with which parameters and seeds. docs/sweep.md describes it.

Examples:

    crowd sweep SPEC.toml --dry-run              how many runs, and how long they take
    crowd sweep SPEC.toml                        run them, and write SPEC/results.csv
    crowd sweep SPEC.toml --shard 3/10           a tenth of them, without a broker
    crowd sweep SPEC.toml --shard auto           in a job array of Slurm or an Indexed Job of Kubernetes
    crowd sweep merge SPEC                       join the results of all shards`
}
