# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of tests/bench/run: the kernel's route, compared with perf for the same job on this machine.
# shellcheck shell=bash disable=SC2154,SC2317 # variables of run; functions called by name

SOFT=task-clock,cpu-clock,context-switches,cpu-migrations,page-faults,minor-faults,major-faults,dummy

# dummies EVENTS INTERVALS: print the instructions for counting EVENTS events on one CPU, each with a descriptor.
dummies() {
	local events
	printf -v events 'dummy,%.0s' $(seq "$1")
	ulimit -n 20000 && instructions "$READ" -e "${events%,}" --cpus=0 -i 0.05 -n "$2" -o /dev/null
}

# of_many LOW-EVENTS LOW-INTERVALS EVENTS INTERVALS N: print the additional instructions of the larger run per N.
of_many() {
	slope "$(dummies "$1" "$2")" "$(dummies "$3" "$4")" "$5"
}

kernel_route() {
	title "the kernel's route: 8 software events on all CPUs, each interval"
	measure "system calls" "half of perf's" "perf strace" both "per calls 5 25 20" \
		"$READ -a -e $SOFT -i 0.020 -n {}" "perf stat -a -e $SOFT -I 20 --interval-count {}"
	measure "processor time, us" "half of perf's" perf both "per microseconds 20 220 200" \
		"$READ -a -e $SOFT -i 0.010 -n {}" "perf stat -a -e $SOFT -I 10 --interval-count {}"
	title "a thousand software events on one CPU"
	measure "instructions of the start, each event" "perf's 93,000" "valgrind" of_many 100 1 900 1 800
	measure "instructions of an interval, all of them" "grows with their number" "valgrind" of_many 1000 2 1000 7 5
	title "the same events of the command true"
	measure "processor time, start to end, us" "less than perf's" perf \
		both process_us "$READ -e $SOFT -- true" "perf stat -e $SOFT -- true"
}
