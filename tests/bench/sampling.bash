# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of tests/bench/run: uncore-record against perf record of the same work. All processor time counts:
# that of the work, of the samples, and of the recorder from its start to its end.
# shellcheck shell=bash disable=SC2154,SC2317 # variables of run; functions called by name

# A short job that only adds numbers.
WORK=(awk 'BEGIN { for (i = 0; i < 6000000; i++) n += i }')

record_us() {
	rm -f "$TMP"/*.data*
	microseconds "$@" -- "${WORK[@]}"
}

# System calls of the recorder only, not of the command that it starts.
record_calls() {
	rm -f "$TMP"/*.data*
	strace -o "$TMP/strace" "$@" -- "${WORK[@]}" >/dev/null 2>&1 || return
	grep -c '(' "$TMP/strace"
}

times_alone() {
	local alone all
	alone=$(microseconds "${WORK[@]}") && all=$(record_us "$@") || return
	numbers "$alone" "$all" || return
	awk -v a="$all" -v b="$alone" 'BEGIN { printf "%.2f times\n", a / b }'
}

sampling() {
	local rate ours theirs
	title "uncore-record -F RATE, cpu-clock of a short job, start and end included"
	for rate in 100 1000 10000; do
		ours="$BIN/uncore-record -e cpu-clock -F $rate -o $TMP/ours.data"
		# -N: perf must not copy every program to a cache.
		theirs="perf record -N -e cpu-clock -F $rate -o $TMP/theirs.data"
		measure "$rate per second: processor time, us" "at most perf record's" perf \
			both record_us "$ours" "$theirs"
		measure "$rate per second: system calls of the recorder" "less than perf record's" \
			"perf strace" both record_calls "$ours" "$theirs"
		# shellcheck disable=SC2086 # several words
		measure "$rate per second: processor time of the work alone" "" awk times_alone $ours
	done
}
