// Command mutate breaks the code in one place after another, and reports whether a test
// of the first two tiers notices. It runs go test with the changed file in an overlay; the
// checkout stays as it is. See .ci/mutate.
//
//	go run ./internal/mutate [--shard i/n] [--resume FILE] [words ...]
//	go run ./internal/mutate --draw N [--seed S]
//
// The first form runs the mutations of .ci/mutations/*.toml, with words only those
// whose name or file holds one of them. It fails if fewer than 95 of 100 are caught, or
// if one no longer applies. The second form draws mutations from the code, by operator
// and seed, and prints them as such a table.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"time"
)

// least is the share of mutations that the tests must catch.
const least = 0.95

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run() error {
	shard := flag.String("shard", "1/1", "run the `i/n`-th part of the mutations")
	resume := flag.String("resume", "", "keep results in `FILE`, and skip those that it has")
	limit := flag.Duration("limit", 5*time.Minute, "after which a test that still runs has caught the mutation")
	count := flag.Int("draw", 0, "draw `N` mutations and print them")
	seed := flag.Uint64("seed", 1, "of the draw")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if *count > 0 {
		return draw(ctx, *count, *seed)
	}
	all, err := readTables(".ci/mutations/*.toml")
	if err != nil {
		return err
	}
	all, err = part(wanted(all, flag.Args()), *shard)
	if err != nil {
		return err
	}
	results, err := openResults(*resume)
	if err != nil {
		return err
	}
	defer results.close()
	return (&runner{ctx: ctx, limit: *limit, results: results, sound: map[string]error{}}).all(all)
}

// wanted returns the mutations whose name or file holds one of the words; all if there
// are none.
func wanted(all []mutation, words []string) (some []mutation) {
	for _, m := range all {
		for _, word := range words {
			if strings.Contains(m.Name+" "+m.File, word) {
				some = append(some, m)
				break
			}
		}
	}
	if len(words) == 0 {
		return all
	}
	return some
}

// part returns the i-th of n parts, given as i/n.
func part(all []mutation, shard string) (some []mutation, err error) {
	var i, n int
	if _, err := fmt.Sscanf(shard, "%d/%d", &i, &n); err != nil || i < 1 || i > n {
		return nil, fmt.Errorf("--shard is %q, want i/n with 1 ≤ i ≤ n", shard)
	}
	for k := i - 1; k < len(all); k += n {
		some = append(some, all[k])
	}
	if len(some) == 0 {
		return nil, errors.New("no mutation is left to run")
	}
	return some, nil
}
