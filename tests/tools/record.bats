#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# uncore-record: files for the real perf, the end of a recording, and refusals.

load common

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	unset UNCOREMSR_MACHINE
}

teardown() {
	kill_started
}

# need_samples: skip if software events cannot be sampled here.
need_samples() {
	local probe=$BATS_FILE_TMPDIR/probe
	[ -e "$probe.err" ] || uncore-record -e cpu-clock -o "$probe" -- true 2>"$probe.err" || : >"$probe.none"
	[ ! -e "$probe.none" ] || skip "no event can be sampled here: $(tail -n 1 "$probe.err")"
}

# Make a program that spends its time in hot() and warm(), nine to one, once for all tests. work [ROUNDS [STATUS]]
make_work() {
	need cc
	[ ! -e "$BATS_FILE_TMPDIR/work" ] || { cp "$BATS_FILE_TMPDIR/work" work; return; }
	cat >work.c <<-'END'
	#include <stdio.h>
	#include <stdlib.h>
	volatile unsigned long x;
	__attribute__((noinline)) void hot(long n) { for (long i = 0; i < n * 9; i++) x += i * i; }
	__attribute__((noinline)) void warm(long n) { for (long i = 0; i < n; i++) x += i * i; }
	int main(int c, char **v)
	{
		long n = c > 1 ? atol(v[1]) : 20;
		for (long i = 0; i < n; i++) { hot(1000000); warm(1000000); }
		puts("worked");
		return c > 2 ? atoi(v[2]) : 0;
	}
	END
	cc -O1 -g -fno-omit-frame-pointer -o work work.c
	cp work "$BATS_FILE_TMPDIR"
}

# larger FILE SIZE: is the file larger than SIZE bytes? A missing file has 0.
larger() {
	[ "$(stat -c %s "$1" 2>/dev/null || echo 0)" -gt "$2" ]
}

# quiet COMMAND...: the command must end with status 0 and print no error or warning.
quiet() {
	"$@" >out 2>complaints || { cat complaints; return 1; }
	[ ! -s complaints ] || { cat complaints; return 1; }
}

# samples [TEXT]: set $samples to the number of samples in the last line of TEXT, or of $stderr.
samples() {
	[[ ${1-$stderr} =~ :\ ([0-9]+)\ samples\ in\ [^$'\n']*$ ]]
	samples=${BASH_REMATCH[1]}
}

@test "COMMAND's status and output are its own, and the last line says what was recorded" {
	need_samples
	make_work
	run -7 --separate-stderr uncore-record -F 1000 -- ./work 20 7
	[ "$output" = worked ]
	grep -qE '^uncore-record: perf.data: [0-9]+ samples in [0-9.]+ s \([0-9]+ per second\), [0-9.]+ (B|KiB|MiB), 0 lost, [0-9]+ throttled; recording took [0-9]+\.[0-9]{2} s of processor time$' <<<"${stderr_lines[-1]}"
	samples
	[ "$samples" -gt 20 ]
	[ "$(stat -c %a perf.data)" = 600 ]
	# The second run takes one sample, at two thirds of the page faults of the first one.
	run -0 --separate-stderr uncore-record -e page-faults:u -c 1 -o faults -- ./work 0
	samples
	run -0 uncore-record -e page-faults:u -c $((samples * 2 / 3)) -o faults -- ./work 0
	[[ $output == *": 1 sample in "* ]]
	# If COMMAND does not exist, the old file is kept.
	cp perf.data before
	run -127 uncore-record -- ./no-such-program
	cmp perf.data before
	[ ! -e perf.data.old ]
	rm perf.data
	run -127 uncore-record -- ./no-such-program
	[ ! -e perf.data ]
	mv before perf.data
	run -143 uncore-record -- sh -c 'kill -TERM $$'
	# An existing file is renamed, as perf does.
	run -0 uncore-record -- true
	[ -s perf.data.old ]
}

@test "perf reads the file without complaint: functions, build ids, call chains and several events" {
	need perf readelf
	need_samples
	make_work
	run -0 --separate-stderr uncore-record -e cpu-clock:u -F 2000 -- ./work 20
	quiet perf report -i perf.data --stdio
	grep -qE 'Total Lost Samples: 0' out
	[ "$(grep -E '^ +[0-9]' out | head -n 1 | awk '{ print $NF }')" = hot ]
	quiet perf script -i perf.data -F comm,pid,tid,cpu,time,period,event,ip,sym
	samples
	[ "$(wc -l <out)" -eq "$samples" ]
	quiet perf report -i perf.data --header-only
	grep -q '^# cmdline : .*uncore-record -e cpu-clock:u -F 2000 -- ./work 20' out
	quiet perf annotate -i perf.data --stdio -s hot
	# The file has the build ids of the kernel and of every program that was mapped.
	run -0 uncore-record -F 500 -- ./work 10
	quiet perf buildid-list -i perf.data
	local id
	id=$(readelf -n work | sed -nE 's/.*Build ID: //p')
	[ -n "$id" ]
	grep -qx "$id $PWD/work" out
	grep -q 'libc.so' out
	[ ! -r /sys/kernel/notes ] || grep -q ' \[kernel.kallsyms\]$' out
	# A recording of two events with call chains has the names of both events and the callers.
	run -0 uncore-record -g -e cpu-clock:u -e page-faults:u -o two -- ./work 15
	quiet perf script -i two -F event,sym,ip
	grep -q 'page-faults:u:' out
	grep -q 'cpu-clock' out
	quiet perf report -i two --stdio --no-children -g caller
	grep -q -- '--.*main\|main$' out
}

@test "children are recorded, and so is a running process, with its mapped files" {
	need perf
	need_samples
	make_work
	run -0 uncore-record -e cpu-clock:u -F 500 -o children -- sh -c './work 10; ./work 10 & wait'
	quiet perf report -i children --stdio --sort comm,sym
	grep -qE 'work +\[\.\] hot' out
	background ./work 100000
	local worker=$pid
	background uncore-record -e cpu-clock:u -F 4000 -p "$worker" -o running 2>told
	wait_until larger running 16000
	kill -INT "$pid"
	ends_with 0
	stop "$worker" TERM
	samples "$(<told)"
	[ "$samples" -gt 10 ]
	quiet perf report -i running --stdio --sort comm,dso,sym
	grep -qE 'work +work +\[\.\] hot' out
	perf buildid-list -i running | grep -q " $PWD/work\$"
	# Without COMMAND the recording ends with the process.
	background ./work 100000
	worker=$pid
	background uncore-record -e cpu-clock:u -F 4000 -t "$worker" -o thread 2>told
	wait_until larger thread 16000
	kill "$worker"
	ends_with 0
	wait "$worker" || true
	samples "$(<told)"
	[ "$samples" -gt 10 ]
	quiet perf report -i thread --stdio --sort comm,dso,sym
	grep -qE 'work +work +\[\.\] hot' out
}

@test "all CPUs, or some of them, are recorded" {
	need perf
	need_samples
	make_work
	uncore-record -a -F 100 -o probe -- true 2>probe.err || skip "$(tail -n 1 probe.err)"
	run -0 --separate-stderr uncore-record -a -F 500 -o everything -- ./work 20
	run -0 uncore-record --cores=0 -F 500 -o first -- ./work 20
	quiet perf report -i everything --stdio --sort comm,dso,sym
	grep -qE 'work +work +\[\.\] hot' out
	quiet perf script -i first -F cpu
	run ! grep -v '\[000\]' out
}

@test "a stream goes through a pipe to perf, and never onto a terminal" {
	need perf script
	need_samples
	make_work
	uncore-record -e cpu-clock:u -F 1000 -o - -- ./work 20 2>told | perf report -i - --stdio >out 2>complaints
	grep -q '^worked' told
	grep -qE '\[\.\] hot' out
	cat complaints
	[ ! -s complaints ]
	# After the program was built again, its build id is not that of the stream, so its symbols are not used.
	uncore-record -e cpu-clock:u -F 1000 -o - -- ./work 20 >stream 2>told
	quiet perf script -i - <stream
	[[ $(uncore-report -i - --format=csv <stream) == *,hot,* ]]
	echo 'int main(void) { __asm__(".skip 65536"); return 0; }' >other.c
	cc -Wl,--build-id -o work other.c
	[[ $(uncore-report -i - --format=csv <stream) == *,work,work+0x* ]]
	run ! grep -E ',(hot|warm|main),' <(uncore-report -i - --format=csv <stream)
	run -2 script -qec "$BIN/uncore-record -o - -- true" /dev/null
	[[ $output == *"standard output is a terminal"* ]]
}

@test "Ctrl-C ends a recording with a good file, SIGTERM too, and SIGKILL leaves one that can be read" {
	need perf
	need_samples
	make_work
	local signal
	background ./work 100000
	local worker=$pid
	for signal in INT TERM KILL; do
		background uncore-record -e cpu-clock:u -F 4000 -p "$worker" -o "$signal"
		wait_until larger "$signal" 16000
		kill -"$signal" "$pid"
		local status=0
		wait "$pid" || status=$?
		case $signal in
		INT) [ "$status" -eq 0 ] ;;
		TERM) [ "$status" -eq 143 ] ;;
		esac
		quiet perf script -i "$signal" -F comm,ip,sym
		[ "$(grep -c hot out)" -gt 20 ]
	done
	stop "$worker" TERM
}

@test "wrong usage, events that cannot be sampled, and missing files or processes are refused" {
	fails_with 2 "-c and -F" uncore-record -c 1000 -F 100 -- true
	fails_with 2 "-a and -p" uncore-record -a -p 1
	fails_with 2 "-p and -t" uncore-record -p 1 -t 1
	fails_with 2 "nothing to sample: give a COMMAND" uncore-record
	fails_with 2 "COMMAND is missing" uncore-record --
	fails_with 2 "-F: 0 is out of range 1.." uncore-record -F 0 -- true
	fails_with 2 "no-such-event" uncore-record -e no-such-event -- true
	fails_with 2 "uncore-read -i 1" uncore-record -e uncore_no_such/event=1/ -- true
	fails_with 3 "it counts for a whole core or package" \
		uncore-record --machine=sim:power9-2s -e core_imc/CPM_NON_IDLE_INST/ -- true
	fails_with 2 "10000 ns" uncore-record -e cpu-clock -c 9999 -- true
	need_samples
	fails_with 2 "there is no" uncore-record -e cpu-clock -p 2147483646
	[ ! -e perf.data ]
	# If nothing can be recorded, COMMAND is not started and no file is touched.
	run -2 uncore-record -e cpu-clock,no-such-event -o here -- touch started
	[ ! -e started ]
	[ ! -e here ]
}

@test "a frequency above the kernel's limit is lowered, with a message" {
	need_samples
	local limit
	limit=$(</proc/sys/kernel/perf_event_max_sample_rate)
	run -0 --separate-stderr uncore-record -e context-switches -F $((limit + 1)) -- true
	[[ $stderr == *"the kernel's limit is $limit"* ]]
}

@test "--estimate shows interrupts, bytes and share of time beforehand, and starts nothing" {
	need_samples
	need perf
	need jq
	local options cpus
	while read -r options; do
		# shellcheck disable=SC2086
		uncore-record --estimate -e cpu-clock $options --format=json -- touch started >told
		# shellcheck disable=SC2086
		uncore-record -e cpu-clock $options -o data -- dd if=/dev/zero of=/dev/null bs=1M count=500 2>/dev/null
		perf script -D -f -i data 2>/dev/null | sed -n 's/.* \[\(0x[0-9a-f]*\)\]: PERF_RECORD_SAMPLE.*/\1/p' | sort -u >sizes
		[ "$(jq '.bytes_per_s / .interrupts_per_s' told)" = $(($(cat sizes))) ]
	done <<-'END'
	-F 1000
	-c 1000000
	-F 1000 -d
	-F 1000 -e task-clock
	END
	[ ! -e started ]
	[ ! -e perf.data ]
	[ "$(uncore-record --estimate -e cpu-clock -c 100000 --format=csv | tail -n 1)" = 10000,400000,0.140000 ]
	cpus=$(getconf _NPROCESSORS_ONLN)
	[ "$(uncore-record --estimate -e cpu-clock -F 100 -a --format=json | jq .interrupts_per_s)" = $((100 * cpus)) ]
	# An unknown number is null, not 0.
	[ "$(uncore-record --estimate -e page-faults -c 10 --format=json | jq -c .)" = \
		'{"interrupts_per_s":null,"bytes_per_s":null,"overhead":null}' ]
	run -0 uncore-record --estimate -e page-faults -c 10
	[[ $output == *"unknown: "* ]]
	run -2 uncore-record --format=json -- true
	[[ $output == *"belongs to --estimate"* && $output != *$'\n'* ]]
}

@test "a simulated machine is sampled: perf and our report agree, and neither takes names of this machine" {
	need perf
	need jq
	local machine event
	while read -r machine event; do
		[[ $(uncore-record --machine="$machine" -e "$event" -a --estimate) == "SIMULATED machine ${machine#*:}: "* ]]
		uncore-record --machine="$machine" -e "$event" -a -o data -- sleep 0.1 2>err
		[[ $(tail -n 1 err) == "uncore-record: SIMULATED: data: "* ]]
		[[ $(uncore-report -i data) == "SIMULATED machine ${machine#*:}: "* ]]
		perf report -f -i data --header-only | grep -q "^# hostname : $machine\$"
		perf report -f -i data --stdio --sort=sym -F overhead,sample,sym -t ';' 2>/dev/null |
			sed -n 's/^ *[0-9.]*% *; *\([0-9]*\) *;\[.\] *0x0*\([0-9a-f]*\).*/\1 \2/p' | sort >theirs
		uncore-report -i data --sort=address --format=json | jq -r 'select(.address) | "\(.samples) \(.address)"' |
			sed 's/ 0x40/ 0x/; s/ 0x/ /' | sort >ours
		[ "$(wc -l <ours)" = 4 ]
		diff theirs ours
	done <<-'END'
	sim:skylake-sp-perf cpu/event=0x3c/
	sim:power9-2s trace_imc/trace_cycles/
	END
	run -3 uncore-record --machine=sim:skylake-sp-perf -e cycles:ppp -a -- true
	[[ $output == *"cannot sample"* ]]
	# The report says "SIMULATED machine" even if the end of the file is missing, or was never written.
	background uncore-record --machine=sim:power9-2s -e trace_imc/trace_cycles/ -a -o killed
	wait_until larger killed 16000
	stop "$pid"
	head -c 16000 data >part
	[[ $(uncore-report -i killed) == "SIMULATED machine power9-2s: "*trace_imc/trace_cycles/* ]]
	run -1 --separate-stderr uncore-report -i part
	[[ $output == "SIMULATED machine power9-2s: "* && $stderr == *truncated* ]]
	quiet perf script -f -i killed -F event,ip
	grep -q trace_imc/trace_cycles/ out
}

@test "a stepped clock does not let a recording grow faster than time passes" {
	(
		ulimit -f 20000
		run timeout --preserve-status -s INT 1 uncore-record --machine=sim:haswell-ep-2s,clock=stepped -F 100 \
			-a -e cycles -o stepped.data
		[ "$status" = 0 ] || { echo "$output"; exit 1; }
		[[ $output =~ :\ ([0-9]+)\ samples\ in\ [01]\. ]] && [ "${BASH_REMATCH[1]}" -le 5000 ]
	)
}

@test "kinds of cores are events of different names, and stacks show one event, whatever the names are" {
	local events options names shown expected drawn
	while IFS='|' read -r events options names shown expected; do
		uncore-record --machine=sim:alderlake-hybrid -e "$events" --cores=0,16 -c 10000000 -o data -- sleep 0.05 2>err
		[ "$(uncore-report -i data --sort=cpu | sed -n '2,$s/: .* period.*//p' | paste -sd ' ')" = "$names" ]
		# shellcheck disable=SC2086
		run -0 --separate-stderr uncore-report -i data $options --format=folded --svg=svg
		# shellcheck disable=SC2053 # a pattern
		[[ $stderr == $expected ]]
		drawn=$(awk '{ n += $NF } END { print n }' <<<"$output")
		# shellcheck disable=SC2086
		[ "$drawn" = "$(uncore-report -i data $options --sort=cpu | sed -n '2,$s/.*: \([0-9]*\) samples, period.*/\1/p' | head -n 1)" ]
		[[ $(<svg) == *">$shown<"* ]]
	done <<-'END'
	cycles||cpu_atom/cycles/ cpu_core/cycles/|cpu_atom/cycles/|*of 'cpu_atom/cycles/', the first of 2 events; -e EVENT chooses another one
	cycles:u|-e cpu_core/cycles/u|cpu_atom/cycles/u cpu_core/cycles/u|cpu_core/cycles/u|
	cpu*/cycles/u|-e cpu_core/cycles/u|cpu_atom/cycles/u cpu_core/cycles/u|cpu_core/cycles/u|
	cpu-clock,cpu-clock||cpu-clock cpu-clock|cpu-clock|*of 'cpu-clock', the first of 2 events; -e EVENT chooses another one
	cpu-clock,cpu-clock|-e cpu-clock|cpu-clock cpu-clock|cpu-clock|*of 'cpu-clock', the first of 2 events of that name
	END
}

@test "a user who may not sample the kernel samples user code, with a message" {
	need_nobody
	need_samples
	[ "$(</proc/sys/kernel/perf_event_paranoid)" -eq 2 ] || skip "kernel.perf_event_paranoid is not 2"
	chmod 777 .
	run -0 --separate-stderr as_nobody "$BIN/uncore-record" -e cpu-clock -o mine -- sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done'
	[[ $stderr == *"sampling user code only"* ]]
	samples
	[ "$samples" -gt 10 ]
	run -4 --separate-stderr as_nobody "$BIN/uncore-record" -e cpu-clock -o all -a -- true
	[[ $stderr == *perf_event_paranoid* ]]
	[ ! -e all ]
}

# The test runs in a directory that everybody may write to, as /tmp.
@test "links, pipes and open files in the place of a recording are not written into" {
	need_samples
	echo mine >victim
	ln -s "$PWD/victim" perf.data
	uncore-record -e cpu-clock -o perf.data -- true
	[[ -f perf.data && ! -L perf.data && $(stat -c %a perf.data) = 600 && $(<victim) = mine ]]
	# The old file is renamed to perf.data.old. A link with that name is not followed, either.
	[ -L perf.data.old ]
	uncore-record -e cpu-clock -o perf.data -- true
	[[ ! -L perf.data.old && $(<victim) = mine ]]
	ln -f victim perf.data
	uncore-record -e cpu-clock -o perf.data -- true
	[[ $(<victim) = mine && $(stat -c %h perf.data) = 1 ]]
	: >perf.data
	chmod 666 perf.data
	exec {open}<>perf.data
	uncore-record -e cpu-clock -o perf.data -- true
	[ "$(stat -Lc %s "/proc/self/fd/$open")" = 0 ]
	exec {open}>&-
	rm perf.data
	mkfifo perf.data
	fails_with 2 "perf.data: not a regular file" uncore-record -e cpu-clock -o perf.data -- true
}

# The kernel lists the vdso after all other mappings.
@test "all mappings of a running process are recorded, even thousands" {
	need python3
	need_samples
	truncate -s 4096 mapped
	background python3 -c 'import mmap, time
f = open("mapped")
maps = [mmap.mmap(f.fileno(), 4096, mmap.MAP_PRIVATE, mmap.PROT_READ) for i in range(3000)]
open("ready", "w").close()
time.sleep(300)'
	local worker=$pid
	wait_until test -e ready
	[ "$(sed '/vdso/,$d' "/proc/$worker/maps" | wc -c)" -gt 131072 ]
	background uncore-record -e cpu-clock -p "$worker" -o running
	wait_until test -s running
	kill -INT "$pid"
	ends_with 0
	grep -q vdso running
}
