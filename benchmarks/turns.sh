# What benchmarks/limits/run and benchmarks/peers/run share: figures of several programs,
# taken by turns. A figure is what an agent costs in a step, in nanoseconds, with one
# worker.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rounds=${ROUNDS:-5}

skip() {
	echo "skipped: $*"
	exit 0
}

# usual prints numbers of agents with commas.
usual() { sed -E ':a; s/([0-9])([0-9]{3})($|,)/\1,\2\3/; ta' <<<"$1"; }

# build_crowd builds the command, whose name is in $crowd then.
build_crowd() {
	crowd=$work/crowd
	(cd "$root" && go build -o "$crowd" ./cmd/crowd)
	"$crowd" bench W2 --agents 100 --workers 1 --repeats 1 --quiet --steps 3 | tail -n 2 | head -n 1
}

# ours prints the figure of a workload with a number of agents.
ours() { # the width of vectors is that of CROWD_SIMD, or what the processor has
	"$crowd" bench "$1" --agents "$2" --workers 1 --repeats 1 --quiet --go - |
		awk '/^Benchmark/ { for (i = 2; i < NF; i++) if ($(i + 1) == "ns/agent") print $i }'
}

# turns NAME COMMAND [NAME COMMAND …] runs all by turns, each round the other way about,
# and prints for each the median of its figures, its quartiles, and how many times as much
# the first one costs, or with inverse=1 how many times as much as the first one: the
# median of the ratios of each round.
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
				echo "${names[k]}: no figure" >&2
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
