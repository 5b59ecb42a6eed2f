#!/bin/sh
# Runs every fuzz target by count, one after another:
#
#	fuzz/run.sh [COUNT]       COUNT inputs each, 200000x if not given
#
# What is done is noted in a list, one target a line, so that a run that was interrupted
# goes on where it stopped; the list goes when all are done. LIST names another one, PAR
# the number of workers. What a target catches is left in fuzz/testdata/fuzz, to be
# committed with the fix.
set -eu

cd "$(dirname "$0")/.."
count=${1:-200000x}
list=${LIST:-${TMPDIR:-/tmp}/boundpack-fuzz-list}
workers=${PAR:-2}
run="run of $count at $(git rev-parse HEAD 2>/dev/null || echo no-commit)"

if [ "$(head -n 1 "$list" 2>/dev/null)" != "$run" ]; then
	echo "$run" >"$list"
fi
targets=$(go test -list '^Fuzz' ./fuzz | grep '^Fuzz')
for target in $targets; do
	if grep -q "^$target " "$list"; then
		continue
	fi
	log=$(mktemp)
	if go test ./fuzz -run '^$' -fuzz "^$target\$" -fuzztime "$count" -fuzzminimizetime 20x -parallel "$workers" >"$log" 2>&1; then
		verdict=ok
	else
		verdict=FAILED
		cat "$log"
	fi
	execs=$(sed -n 's/.*execs: \([0-9]*\).*/\1/p' "$log" | tail -n 1)
	rm -f "$log"
	echo "$target $verdict ${execs:-0} execs" | tee -a "$list"
done

echo
cat "$list"
if grep -q ' FAILED ' "$list"; then
	rm -f "$list"
	exit 1
fi
rm -f "$list"
