# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of tests/bench/run: uncore-record against perf record of the same work, and uncore-report against perf report of
# the same file. All processor time counts: that of the work, of the samples, and of the recorder from its start to its
# end.
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

# record_file MB: record programs that run one after the other until the file has about this size.
record_file() {
	local file=$TMP/$1.data size
	# shellcheck disable=SC2016 # expanded by that shell
	[ -e "$file" ] || perf record -N -q -g -e cpu-clock -F max -o "$file" -- sh -c '
		while [ $(($(wc -c <"$0") >> 20)) -lt "$1" ]; do
			awk "BEGIN { for (i = 0; i < 300000; i++) n += length(n \"x\") }"
			ls -lR /usr/lib | sort >/dev/null
		done 2>/dev/null' "$file" "$1" >"$TMP/said" 2>&1 || return
	size=$(wc -c <"$file") || return
	[ "$size" -ge $(($1 << 20)) ]
}

# report_us COMMAND...: print its processor time in microseconds; its output goes to a file.
report_us() {
	# shellcheck disable=SC2016 # expanded by that shell
	microseconds sh -c 'exec "$@" >"$0"' "$TMP/report" "$@"
}

# report_file MB METRIC: print METRIC of uncore-report and of perf report, both on a file of this size.
report_file() {
	record_file "$1" || return
	both "$2" "$BIN/uncore-report -i $TMP/$1.data" "perf report --stdio --no-children -g none -i $TMP/$1.data"
}

# folded_memory MB: print the peak memory of uncore-report when it writes folded stacks.
folded_memory() {
	record_file "$1" || return
	/usr/bin/time -f %M -o "$TMP/peak" "$BIN/uncore-report" -i "$TMP/$1.data" --format=folded >/dev/null \
		2>"$TMP/said" &&
		awk '{ printf "%.1f MB\n", $1 / 1024 }' "$TMP/peak"
}

reports() {
	local size
	title "uncore-report of a file of perf record, into a file"
	for size in 1 50 100; do
		measure "$size MB: processor time, us" "at most perf report's" perf report_file "$size" report_us
	done
	rm -f "$TMP"/*.data
	measure "folded stacks of 47 MB: peak resident memory" "34 MB at most" "perf /usr/bin/time" folded_memory 47
	rm -f "$TMP"/*.data
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
	done
}
