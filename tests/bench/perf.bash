# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of tests/bench/run: the kernel's route, compared with perf for the same job on this machine.
# shellcheck shell=bash disable=SC2154,SC2317 # variables of run; functions called by name

SOFT=task-clock,cpu-clock,context-switches,cpu-migrations,page-faults,minor-faults,major-faults,dummy

ours_every() {
	"$READ" -a -e "$SOFT" -i "$1" -n "$2"
}

theirs_every() {
	perf stat -a -e "$SOFT" -I "${1#0.0}" --interval-count "$2"
}

ours_true() {
	"$READ" -e "$SOFT" -- true
}

theirs_true() {
	perf stat -e "$SOFT" -- true
}

# both FUNCTION OURS THEIRS ARG...: print FUNCTION's results for both, and their ratio.
both() {
	local function=$1 ours=$2 theirs=$3
	shift 3
	ours=$("$function" "$ours" "$@") && theirs=$("$function" "$theirs" "$@") || return
	numbers "$ours" "$theirs" || return
	awk -v o="$ours" -v t="$theirs" 'BEGIN { printf "%g (perf %g): %.2f times\n", o, t, o / t }'
}

# Processor time per interval: a long run less a short one, so that the cost of start and end cancels.
soft_us() {
	slope "$(microseconds "$1" 0.010 20)" "$(microseconds "$1" 0.010 220)" 200
}

# strace can only run a program, not a function.
soft_strace() {
	case $1 in
	ours_*) strace -f -o "$TMP/strace" "$READ" -a -e "$SOFT" -i 0.020 -n "$2" ;;
	*) strace -f -o "$TMP/strace" perf stat -a -e "$SOFT" -I 20 --interval-count "$2" ;;
	esac >/dev/null 2>&1 || return
	awk '$2 ~ /\(/ { n++ } END { print n }' "$TMP/strace"
}

soft_calls() {
	slope "$(soft_strace "$1" 5)" "$(soft_strace "$1" 25)" 20
}

true_us() {
	local rounds=20
	# shellcheck disable=SC2016 # called by name
	repeat() { local i; for ((i = 0; i < rounds; i++)); do "$1"; done; }
	slope 0 "$(microseconds repeat "$1")" "$rounds"
}

# dummies EVENTS INTERVALS: count this number of software events on one CPU; each needs a descriptor.
dummies() {
	local events
	printf -v events 'dummy,%.0s' $(seq "$1")
	ulimit -n 20000 && instructions "$READ" -e "${events%,}" --cpus=0 -i 0.05 -n "$2" -o /dev/null
}

start_of_many() {
	slope "$(dummies 100 1)" "$(dummies 900 1)" 800
}

tick_of_many() {
	slope "$(dummies 1000 2)" "$(dummies 1000 7)" 5
}

kernel_route() {
	title "the kernel's route: 8 software events on all CPUs, each interval"
	measure "system calls" "half of perf's" "perf strace" both soft_calls ours_every theirs_every
	measure "processor time, us" "half of perf's" perf both soft_us ours_every theirs_every
	title "a thousand software events on one CPU"
	measure "instructions of the start, each event" "perf's 93,000" "valgrind" start_of_many
	measure "instructions of an interval, all of them" "grows with their number" "valgrind" tick_of_many
	title "the same events of the command true"
	measure "processor time, start to end, us" "less than perf's" perf \
		both true_us ours_true theirs_true
}
