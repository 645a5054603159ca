package results

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// maxShards is how many shards a sweep may have.
const maxShards = 1_000_000

// Shard is which shard of how many, from 1.
type Shard struct{ I, Of int }

// String writes the number as a command line has it.
func (n Shard) String() string { return fmt.Sprintf("%d/%d", n.I, n.Of) }

func (n Shard) file() string { return fmt.Sprintf("shard-%d-of-%d.jsonl", n.I, n.Of) }

// ParseShard reads i/n, or auto, which is what the variables of a job of Slurm or Kubernetes say.
func ParseShard(text string) (n Shard, err error) {
	if text == "auto" {
		return auto(os.Getenv)
	}
	i, of, _ := strings.Cut(text, "/")
	n.I, err = strconv.Atoi(i)
	if err == nil {
		n.Of, err = strconv.Atoi(of)
	}
	if err != nil || !n.valid() {
		return Shard{}, fmt.Errorf("--shard is %q, want i/n with i from 1 to n, or auto", text)
	}
	return n, nil
}

func (n Shard) valid() bool { return n.I >= 1 && n.I <= n.Of && n.Of <= maxShards }

// auto returns the shard that the variables of a job array of Slurm say, or those of an Indexed Job
// of Kubernetes. Kubernetes itself sets JOB_COMPLETION_INDEX alone, from 0: the manifest of the job
// is to set JOB_COMPLETIONS to its completions.
func auto(env func(string) string) (Shard, error) {
	if env("SLURM_ARRAY_TASK_ID") != "" {
		return slurm(env)
	}
	if env("JOB_COMPLETION_INDEX") != "" {
		all, err := numbersOf(env, "JOB_COMPLETION_INDEX", "JOB_COMPLETIONS")
		if err != nil {
			return Shard{}, err
		}
		n := Shard{all[0] + 1, all[1]}
		if !n.valid() {
			return n, fmt.Errorf("JOB_COMPLETION_INDEX is %d and JOB_COMPLETIONS is %d, want the index below the completions", all[0], all[1])
		}
		return n, nil
	}
	return Shard{}, fmt.Errorf("neither SLURM_ARRAY_TASK_ID nor JOB_COMPLETION_INDEX is set: want a job array of Slurm, an Indexed Job of Kubernetes, or --shard i/n")
}

// slurm returns the shard of a task of a job array, such as 0-99, or 1-9:2 with a step.
func slurm(env func(string) string) (Shard, error) {
	all, err := numbersOf(env, "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_COUNT")
	if err != nil {
		return Shard{}, err
	}
	step := 1
	if env("SLURM_ARRAY_TASK_STEP") != "" {
		one, err := numbersOf(env, "SLURM_ARRAY_TASK_STEP")
		if err != nil {
			return Shard{}, err
		}
		step = max(one[0], 1)
	}
	n := Shard{(all[0]-all[1])/step + 1, all[2]}
	if !n.valid() || (all[0]-all[1])%step != 0 {
		return n, fmt.Errorf("SLURM_ARRAY_TASK_ID is %d of %d tasks from %d with step %d, want an array without gaps, such as --array=1-%d", all[0], all[2], all[1], step, max(all[2], 1))
	}
	return n, nil
}

// numbersOf reads variables that are whole numbers.
func numbersOf(env func(string) string, names ...string) (all []int, err error) {
	for _, name := range names {
		n, err := strconv.Atoi(env(name))
		if err != nil || n < 0 {
			return nil, fmt.Errorf("%s is %q, want a whole number", name, env(name))
		}
		all = append(all, n)
	}
	return all, nil
}
