# Functions shared by benchmarks/limits/run and benchmarks/peers/run, which measure several
# programs in turns. A result is the cost per agent per step in nanoseconds, with one worker.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rounds=${ROUNDS:-5}
export GLIBC_TUNABLES=glibc.malloc.hugetlb=1 # all programs ask for huge pages, because crowd does

skip() {
	echo "skipped: $*"
	exit 0
}

# usual prints a number with commas.
usual() { sed -E ':a; s/([0-9])([0-9]{3})($|,)/\1,\2\3/; ta' <<<"$1"; }

# build_crowd builds the command and sets $crowd to its path.
build_crowd() {
	crowd=$work/crowd
	(cd "$root" && go build -o "$crowd" ./cmd/crowd)
	"$crowd" bench W2 --agents 100 --workers 1 --repeats 1 --quiet --steps 3 | tail -n 2 | head -n 1
}

# ours WORKLOAD AGENTS prints the result of crowd.
ours() { # CROWD_SIMD selects the width of vectors; by default, the processor does
	"$crowd" bench "$1" --agents "$2" --workers 1 --repeats 1 --quiet --go - |
		awk '/^Benchmark/ { for (i = 2; i < NF; i++) if ($(i + 1) == "ns/agent") print $i }'
}

# turns NAME COMMAND [NAME COMMAND …] runs all commands in turns, and reverses the order after
# each round. For each command it prints the median and the quartiles of its results, and the
# cost of the first command divided by its cost, or the inverse with inverse=1. That ratio is
# the median over the rounds.
turns() {
	local names=() commands=() i round
	while [ $# -gt 0 ]; do
		names+=("$1")
		commands+=("$2")
		shift 2
	done
	rm -f "$work"/figures.*
	for ((round = 0; round < rounds; round++)); do
		for ((i = 0; i < ${#names[@]}; i++)); do
			local k=$((round % 2 ? ${#names[@]} - 1 - i : i))
			local figure
			figure=$(${commands[k]})
			if ! [[ $figure =~ ^[0-9] ]]; then
				echo "${names[k]}: no result" >&2
				return 1
			fi
			echo "$figure" >>"$work/figures.$k"
		done
	done
	for ((i = 0; i < ${#names[@]}; i++)); do
		paste "$work/figures.0" "$work/figures.$i" | awk -v name="${names[i]}" -v inverse="${inverse:-0}" '
			function sort(a, n, i, j, t) { for (i = 2; i <= n; i++) { t = a[i]; for (j = i - 1; j > 0 && a[j] > t; j--) a[j + 1] = a[j]; a[j + 1] = t } }
			function at(a, n, q, x, i) { x = 1 + q * (n - 1); i = int(x); return i < n ? a[i] + (x - i) * (a[i + 1] - a[i]) : a[n] }
			{ f[NR] = $2 + 0; r[NR] = inverse ? $2 / $1 : $1 / $2 }
			END { sort(f, NR); sort(r, NR)
				printf "  %-34s %9.2f  (%.2f–%.2f)  %7.2f\n", name, at(f, NR, .5), at(f, NR, .25), at(f, NR, .75), at(r, NR, .5) }'
	done
}
