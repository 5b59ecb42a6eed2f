#!/usr/bin/env bash
# Counts instructions: per document and per header (a header is one value, keys
# and containers included), of contenders on documents.
#
#   ./ir.sh                                  a100, all contenders
#   ./ir.sh a4,a100 walk/boundpack,walk/msgp
#   ./ir.sh ../testdata/dates.msgpack any/msgp 50
#
# The third argument is how often a document is run; without it small documents
# are run a hundred times and large ones less often, at least four times.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "${BASH_SOURCE[0]}")"

if ! command -v valgrind >/dev/null; then
	echo "ir.sh: instructions are not counted, as valgrind is not installed"
	exit 0
fi

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go build -o "$dir/ir" ./cmd/ir

docs=${1:-a100}
modes=${2:-$("$dir/ir" -list | paste -sd, -)}

# count DOC MODE N prints the instructions of N runs. No collection and no
# preemption: when they come depends on the clock, and the count must not.
count() {
	env GOGC=off GOMAXPROCS=1 GODEBUG=asyncpreemptoff=1 \
		valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=main.work \
		"$dir/ir" "$1" "$2" "$3" >"$dir/log" 2>&1 || { cat "$dir/log" >&2; return 1; }
	awk '/Collected :/ { print $NF }' "$dir/log"
}

printf '%-16s %-22s %5s %14s %10s\n' document contender runs Ir/document Ir/header
IFS=,
for doc in $docs; do
	size=$("$dir/ir" -size "$doc")
	IFS=' ' read -r bytes headers <<<"$size"
	runs=${3:-$((4000000 / bytes))}
	((runs <= 100 || $# > 2)) || runs=100
	((runs >= 4 || $# > 2)) || runs=4
	for mode in $modes; do
		ir=$(count "$doc" "$mode" "$runs")
		awk -v doc="${doc##*/}" -v mode="$mode" -v runs="$runs" -v ir="$ir" -v headers="$headers" 'BEGIN {
			printf "%-16s %-22s %5d %14.0f %10.1f\n", doc, mode, runs, ir / runs, ir / runs / headers
		}'
	done
done
