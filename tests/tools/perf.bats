#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# uncore-read with the live kernel: software events, tracepoints and the msr PMU, which exist on virtual machines, too.
# Counts of a fixed workload are compared with perf's; several runs of perf show how much these vary.

load common
load answers

DEVICES=/sys/bus/event_source/devices
WORK=(awk 'BEGIN { for (i = 0; i < 20000; i++) a[i] = i "" }')

setup() {
	need jq
	local why=$BATS_FILE_TMPDIR/why
	[ -e "$why" ] || uncore-read -e task-clock:u -- true >/dev/null 2>"$why" || : >"$why.not"
	[ ! -e "$why.not" ] || skip "perf events cannot be opened here: $(<"$why")"
}

teardown() {
	[ -z "${HELPER-}" ] || kill "$HELPER" 2>/dev/null || true
	kill_started
}

need_root() {
	[ "$(id -u)" = 0 ] || skip "not root"
}

# field NAME: print the field of each record in $output.
field() {
	jq -r "select(type == \"object\") | .$1" <<<"$output"
}

# perf_counts EVENT COMMAND...: print perf's counts in three runs.
perf_counts() {
	local event=$1
	shift
	for _ in 1 2 3; do
		perf stat -x, -o "$BATS_TEST_TMPDIR/stat" -e "$event" -- "$@" >/dev/null 2>&1 || true
		awk -F, '$1 ~ /^[0-9]/ { printf "%.0f\n", $1 }' "$BATS_TEST_TMPDIR/stat"
	done
}

# near_perf EVENT COMMAND...: each of our counts in three runs must be in the range of perf's counts, or outside of it
# by no more than the width of this range plus 3.
near_perf() {
	local event=$1 low high spread value values
	shift
	perf_counts "$event" "$@" | sort -n >"$BATS_TEST_TMPDIR/counts"
	mapfile -t values <"$BATS_TEST_TMPDIR/counts"
	[ "${#values[@]}" = 3 ] || skip "perf does not count $event here"
	low=${values[0]} high=${values[2]}
	# The stack may begin at any place in a page, so one page more or less is possible.
	spread=$((high - low + 3))
	for _ in 1 2 3; do
		run -0 --separate-stderr uncore-read -o - -e "$event" --oneline -- "$@"
		[[ ${lines[-1]} =~ =([0-9]+)$ ]]
		value=${BASH_REMATCH[1]}
		echo "$event: perf $low to $high, ours $value"
		((value >= low - spread && value <= high + spread))
	done
}

@test "page faults of fixed work, of children too, are as many as perf counts" {
	need perf setarch
	near_perf page-faults setarch -R "${WORK[@]}"
	near_perf minor-faults:u setarch -R "${WORK[@]}"
	near_perf page-faults setarch -R sh -c 'awk "BEGIN { }"; awk "BEGIN { }" & wait; true'
}

@test "a tracepoint in fixed work is counted as often as perf counts it" {
	need perf setarch
	need_root
	[ -r /sys/kernel/tracing/events/raw_syscalls/sys_enter/id ] || skip "tracefs is not mounted"
	near_perf raw_syscalls:sys_enter setarch -R "${WORK[@]}"
}

@test "the msr PMU of whole CPUs ticks as fast as perf says" {
	need perf jq
	need_root
	[ -e "$DEVICES/msr" ] || skip "no PMU msr here"
	local theirs
	perf stat -a -x, -o "$BATS_TEST_TMPDIR/stat" -e msr/tsc/ -- sleep 0.3
	theirs=$(awk -F, '/tsc/ { printf "%.6f", $1 / $4 }' "$BATS_TEST_TMPDIR/stat")
	run -0 --separate-stderr uncore-read -o - -a -e msr/tsc/ --per-cpu --format=json -- sleep 0.3
	[ "$(field value | wc -l)" = "$(nproc)" ]
	jq -e --argjson theirs "$theirs" '(.value | tonumber) / .enabled_ns / $theirs |
		. > 0.99 and . < 1.01' <<<"$output"
}

@test "a command's records have no package; text has its output and times; its exit status or signal is passed on" {
	# The records about a command have no package; they name the route and the target. The command's exit status is
	# passed on.
	run -7 --separate-stderr uncore-read -o - -e task-clock:u,page-faults:u --format=json -- sh -c 'exit 7'
	[ "${#lines[@]}" = 2 ]
	jq -es 'length > 0 and all(.package == null and .die == null and .core == null and .cpu == null and
		.route == "perf" and .target == "command" and .status == "ok" and
		.pmu == "software" and .counter == null and (.value | tonumber) > 0)' <<<"$output"
	jq -e 'select(.event == "task-clock:u") | .measure == "s" and
		((.scaled * 1e9 - (.value | tonumber)) | fabs) < 1 and
		.running_ns == .enabled_ns' <<<"${lines[0]}"
	[ "$(field event | tr '\n' ' ')" = "task-clock:u page-faults:u " ]
	run -0 --separate-stderr uncore-read -o - -e task-clock:u --format=csv -- true
	[[ ${lines[0]} == *,route,status,sequence,per_second,target ]]
	[[ ${lines[1]} == *,perf,ok,1,*,command ]]
	# As text: standard output is that of COMMAND; standard error has the table, and elapsed, user and system time.
	run -0 --separate-stderr uncore-read -e page-faults:u -- echo hello
	[ "$output" = hello ]
	[[ ${stderr_lines[0]} == "counted for "*" s through perf (command)" ]]
	[[ $stderr != *package* ]]
	[[ $stderr == *" s elapsed"*" s user"*" s system"* ]]
	# A command killed by a signal: the exit status is 128 + N, and its counts are shown.
	run -143 uncore-read -e page-faults:u -- sh -c 'kill -TERM $$'
	[[ $output == *page-faults:u* ]]
	# Events that were counted all the time cause no warning, whatever the limit.
	run -0 --separate-stderr uncore-read -o - -e page-faults:u --min-running=100 -- true
	[ -z "$stderr" ]
	# A group is read together: its members were counted for the same time.
	run -0 --separate-stderr uncore-read -o - -e '{task-clock,page-faults}:u' --format=json -- "${WORK[@]}"
	[ "$(field enabled_ns | sort -u | wc -l)" = 1 ]
	# Only the first event of a group is pinned or exclusive; the kernel refuses the others.
	run -0 uncore-read -o - -e '{task-clock,page-faults}:D,{cpu-clock,cs}:e' --format=json -- true
	[ "$(field status | sort -u)" = ok ]
	run -1 uncore-read -o - -e '{task-clock,page-faults:D}' -- true
}

@test "intervals of a command add up to its total" {
	cd "$BATS_TEST_TMPDIR" || return
	mkfifo go
	exec 7<>go
	background uncore-read -o out -e page-faults:u -i 0.05 --format=json -- \
		sh -c 'read -r _ <go; awk "BEGIN { }"' 7>&-
	# In an interval in which the process waits, the count is 0 and known.
	wait_for out '"value":"0"'
	echo >&7
	exec 7>&-
	ends_with 0
	output=$(<out)
	[ "$(field status | sort -u)" = ok ]
	(($(field value | awk '{ s += $1 } END { print s }') > 50))
}

@test "processes and threads are counted alone or together, and counting ends with them" {
	# Count a process that works, and one that sleeps and then ends.
	sh -c 'while :; do :; done' &
	HELPER=$!
	run -0 --separate-stderr uncore-read -e task-clock:u -p "$HELPER" -i 0.2 -n 1 --format=json
	[[ $output == *'"value":"'[1-9]* && $output == *'"target":"process '"$HELPER"'"'* ]]
	stop "$HELPER" TERM
	sleep 60 &
	HELPER=$!
	wait_for "/proc/$HELPER/stat" '\(sleep\) S'
	run -0 --separate-stderr uncore-read -e page-faults:u -p "$HELPER" -i 0.1 -n 1 --format=json
	[[ $output == *'"value":"0"'*'"status":"ok"'* ]]
	stop "$HELPER" TERM
	run -2 uncore-read -e task-clock:u -p "$HELPER"
	[[ $output == *"there is no process $HELPER"* ]]
	# Counting stops when the counted process exits.
	background sleep 60
	local process=$pid out=$BATS_TEST_TMPDIR/out
	background uncore-read -e task-clock:u -p "$process" -i 0.1 >"$out"
	wait_until test -s "$out"
	kill "$process"
	ends_with 0
	# Two processes are counted together.
	sh -c 'while :; do :; done' &
	local one=$!
	sleep 60 &
	HELPER=$!
	run -0 --separate-stderr uncore-read -e task-clock:u -p "$HELPER,$one" -i 0.2 -n 1 --format=json
	kill "$one"
	[[ $output == *'"value":"'[1-9]* && $output == *'"target":"process '"$HELPER,$one"'"'* ]]
}

@test "one thread of a process can be counted without the others" {
	need python3 jq
	python3 -c '
import threading, time
threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
print("ready", flush=True)
while True: pass' >"$BATS_TEST_TMPDIR/ready" &
	HELPER=$!
	until [ -s "$BATS_TEST_TMPDIR/ready" ]; do sleep 0.05; done
	local other
	for other in "/proc/$HELPER/task"/*; do
		other=${other##*/}
		[ "$other" = "$HELPER" ] || break
	done
	run -0 --separate-stderr uncore-read -e task-clock:u -t "$HELPER" -i 0.2 -n 1 --format=json
	[[ $output == *'"value":"'[1-9]* && $output == *'"target":"thread '"$HELPER"'"'* ]]
	run -0 --separate-stderr uncore-read -e task-clock:u -t "$other" -i 0.1 -n 1 --format=json
	[[ $output == *'"value":"0"'* ]]
}

@test "whole CPUs are counted with a sum for each package, CPU, core or group" {
	need_root
	[ "$(nproc)" -ge 2 ] || skip "only one CPU"
	local clock=(uncore-read -e task-clock -i 0.1 -n 1 --format=json)
	# A jq condition: the sum of all CPUs is larger than the time, so more than one CPU was counted.
	local several='(map(.value | tonumber) | add) > 1.01 * (map(.enabled_ns) | max)'
	run -0 --separate-stderr "${clock[@]}"
	jq -es "all(.package != null and .cpu == null and .route == \"perf\") and $several" <<<"$output"
	run -0 --separate-stderr "${clock[@]}" --per-cpu
	[ "${#lines[@]}" = "$(nproc)" ]
	jq -es 'length > 0 and all(.cpu != null and (.value | tonumber) == .enabled_ns)' <<<"$output"
	run -0 --separate-stderr "${clock[@]}" --per-core
	jq -es 'length > 0 and all(.core != null)' <<<"$output"
	run -0 --separate-stderr "${clock[@]}" --cores 0x1-0
	jq -es ".[0].cores == \"0x1-0\" and $several" <<<"$output"
	run -0 --separate-stderr "${clock[@]}" --cores '[0,1]'
	[[ ${lines[0]} == *'"cores":"0"'* && ${lines[1]} == *'"cores":"1"'* ]]
	run -0 --separate-stderr "${clock[@]}" --cpus 1
	[[ $output == *'"cpu":1,'* ]]
}

@test "contradictory options, groups of cores that make no sense, and paths that are no control group are refused" {
	local words list=$BATS_TEST_TMPDIR/list.json
	while IFS= read -r words; do
		printf '%s\n' "2|1|$words|uncore-read: *"
	done >"$BATS_TEST_TMPDIR/table" <<-'END'
		live|-e task-clock -p 1 -- true
		live|-e task-clock -p 1 -t 1
		live|-e task-clock -p 1 -a
		live|-e task-clock -p 1 --cgroup x
		live|-e task-clock -p 0
		live|-e task-clock -p 1,
		live|-e task-clock -t x
		live|-e task-clock --per-core --per-cpu
		live|-e task-clock --cores 0 --per-core
		live|-e task-clock --cores 0 --cpus 0
		live|-e task-clock --per-cpu -- true
		live|-e task-clock --cpus 0 -- true
		live|-e task-clock --cores 0 -p 1
		live|-e task-clock --route=msr -p 1
		live|-e task-clock --min-running=101
		live|-e task-clock --dry-run
		live|-e task-clock --cgroup there-is-no-such-group
		live|-e task-clock --counter 0 -- true
		live|-e no-such-event -- true
		live|-e task-clock --cores 0,0x
		live|-e task-clock --cores [0
	END
	cat >>"$BATS_TEST_TMPDIR/table" <<-END
		2|1|live|-e task-clock --cores 0 --cores 0|*CPU 0 is in group '0' already*
		2|1|live|-e task-clock --cores 100000|*there is no CPU 100000*
		2|1|westmere-2s|-e task-clock --cgroup=there-is-none -n 1 -- touch $BATS_TEST_TMPDIR/ran|uncore-read: cgroup /sys/fs/cgroup/there-is-none: *; name a folder below /sys/fs/cgroup *
		2|1|westmere-2s|-e UNC_L3_HITS.READ --cgroup=there-is-none -n 1 -- touch $BATS_TEST_TMPDIR/ran|uncore-read: cgroup /sys/fs/cgroup/there-is-none: *; name a folder below /sys/fs/cgroup *
		2|1|westmere-2s|-e task-clock,UNC_L3_HITS.READ --cgroup=there-is-none -n 1 -- touch $BATS_TEST_TMPDIR/ran|uncore-read: cgroup /sys/fs/cgroup/there-is-none: *; name a folder below /sys/fs/cgroup *
		2|1|westmere-2s|-e task-clock --cgroup=/sys/fs/cgroup/there-is-none|uncore-read: cgroup /sys/fs/cgroup/there-is-none: *
		2|1|westmere-2s|-e task-clock --cgroup=/sys/fs/cgroup2/there-is-none|uncore-read: cgroup /sys/fs/cgroup/sys/fs/cgroup2/there-is-none: *
		2|1|westmere-2s|-e cycles --cores 4-7 --packages 1|*: CPU 4 is in package 0, which was not chosen; choose that package, too, or leave out the CPU
		2|1|westmere-2s|-e cycles --cgroup=|uncore-read: cgroup '': no name; name a folder below /sys/fs/cgroup *
		2|-|live|-e OUR_CYCLES,page-faults:u -- true|*
		2|1|live|--event-list=$BATS_TEST_TMPDIR/nothing.json -e OUR_CYCLES -- true|*nothing.json*
	END
	each_says uncore-read <"$BATS_TEST_TMPDIR/table"
	[ ! -e "$BATS_TEST_TMPDIR/ran" ]
	# A name that is only in the event list is accepted.
	printf '%s\n' '[ { "EventCode": "0x3C", "UMask": "0x00", "EventName": "OUR_CYCLES",' \
		'"BriefDescription": "cycles", "Counter": "0,1,2,3", "MSRIndex": "0", "EdgeDetect": "0" } ]' >"$list"
	run uncore-read --event-list="$list" -e OUR_CYCLES,page-faults:u -- true
	[ "$status" != 2 ]
	[ ! -e /sys/fs/cgroup/cgroup.procs ] || return 0 # here this folder is a control group
	run -2 uncore-read -e task-clock --cgroup=/sys/fs/cgroup
	[[ $output == "uncore-read: /sys/fs/cgroup is not a control group: it has no cgroup.procs; "* ]]
}

@test "-a counts all processes while COMMAND runs, and passes its status on" {
	need_root
	run -3 --separate-stderr uncore-read -o - -a -e task-clock --format=json -- sh -c 'sleep 0.2; exit 3'
	jq -e 'has("target") | not' <<<"$output"
	# task-clock of a whole CPU also counts while the CPU sleeps.
	(($(field value | head -1) > 150000000))
}

@test "without privileges the refusal is explained, and user mode can be counted" {
	need_nobody "$BIN/uncore-read"
	local level
	level=$(</proc/sys/kernel/perf_event_paranoid)
	((level >= 2)) || skip "perf_event_paranoid is $level"
	run -4 as_nobody "$BIN/uncore-read" -e task-clock
	[[ $output == *"perf_event_paranoid is $level"*CAP_PERFMON* ]]
	run -4 as_nobody "$BIN/uncore-read" -e task-clock -- touch "$BATS_TEST_TMPDIR/started"
	[ ! -e "$BATS_TEST_TMPDIR/started" ]
	# If tracefs is not readable, or not mounted, it is unknown whether the tracepoint exists.
	run as_nobody "$BIN/uncore-read" -e sched:sched_switch -- true
	[[ $status = [24] && $output == *tracefs* ]]
	((level <= 2)) || skip "perf_event_paranoid is $level"
	run -0 as_nobody "$BIN/uncore-read" -e task-clock:u,page-faults:u -- true
}

@test "without a core PMU uncore-read says so, counts the other events, and exits with 1" {
	[ ! -e "$DEVICES/cpu" ] && [ ! -e "$DEVICES/cpu_core" ] || skip "this machine has a core PMU"
	run -1 --separate-stderr uncore-read -o - -e r5301b1,instructions,page-faults:u --format=json -- true
	[[ $stderr == *"this machine has no core PMU"* ]]
	jq -es 'length == 3 and all(if .event == "page-faults:u" then .status == "ok"
		else .status == "failed" and .value == null end)' <<<"$output"
	run -1 --separate-stderr uncore-read -o - -e r5301b1,page-faults:u -- true
	[[ $output == *r5301b1*unknown* ]]
	# If nothing can be counted, COMMAND is not started.
	run -3 --separate-stderr uncore-read \
		-e r5301b1,r53010e,r5301c2,instructions,cycles,ref-cycles -- \
		touch "$BATS_TEST_TMPDIR/started"
	[[ $stderr == "uncore-read: event 'r5301b1': "*"no core PMU"* ]]
	[ ! -e "$BATS_TEST_TMPDIR/started" ]
	run -3 uncore-read -e instructions,cycles
	[[ $output == *"no core PMU"* ]]
}

@test "with too few descriptors nothing is counted, and the message says how many are needed" {
	need_root
	run -3 bash -c 'ulimit -n 20; uncore-read -e task-clock,page-faults,context-switches,dummy'
	[[ $output =~ \ ([0-9]+)" descriptors are needed ($((4 * $(nproc))) for 4 events".*" limit on open files is 20; raise it to "([0-9]+) ]]
	[ "${BASH_REMATCH[1]}" = "${BASH_REMATCH[2]}" ]
	# The soft limit is raised if the hard limit permits it.
	run -0 bash -c 'ulimit -Sn 20; uncore-read -e task-clock,page-faults,context-switches,dummy -i 0.01 -n 1'
}

@test "asking for E-cores that are all offline is not a usage error" {
	local m=alderlake-hybrid,clock=stepped away="no CPU of the kind cpu_atom is online" data=$BATS_TEST_TMPDIR/data route
	local gone=$m,offline=16-23
	each_says uncore-record <<-END
		3|-|$gone|-a -e cpu_atom/cycles/ -o $data -- true|*$away*
		0|-|$gone|-a -e cpu_core/cycles/,cpu_atom/cycles/ -o $data -- true|*not sampled: event 'cpu_atom/cycles/': $away*
		0|-|$gone|-a -e cycles -o $data -- true|!(*not sampled*)
	END
	# Counting an event of E-cores on P-cores (CPUs 0 to 3) is a usage error.
	for route in perf msr; do
		printf '%s\n' "3|-|$gone|--route=$route -e cpu_atom/cycles/|*$away*" \
			"1|-|$gone|--route=$route --format=csv -e cpu_core/instructions/,cpu_atom/instructions/|*cpu_core/instructions/,*,[1-9]??????????,,,*,ok,1,*cpu_atom/instructions/,*,,,,,0,0,$route,offline,1,*cpu_atom/instructions/: offline: $away*" \
			"2|-|$m|--route=$route -C 0-3 -e cpu_atom/cycles/|*none of the chosen CPUs *"
	done >"$BATS_TEST_TMPDIR/table"
	# An event of both kinds of cores is counted on those that are online.
	echo "0|-|$gone|-e cycles --format=csv|*,43385760000,*" >>"$BATS_TEST_TMPDIR/table"
	each_says uncore-read <"$BATS_TEST_TMPDIR/table"
	# With all E-cores offline the event of cpu_atom is not counted, and the command runs on P-cores only.
	run -1 uncore-read --machine="sim:$gone" -e cpu_atom/cycles/,cpu_core/cycles/ --format=json -- true
	[[ $output == *": not-counted: $away"* ]]
	grep '^{' <<<"$output" | jq -se 'map({ (.event): . }) | add |
		(.["cpu_atom/cycles/"] | .value == null and .status == "not-counted") and
		(.["cpu_core/cycles/"] | .status == "ok" and .running_ns == .enabled_ns)'
}
