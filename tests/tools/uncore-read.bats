#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# uncore-read on simulated machines, most with a stepped clock, where sleeping takes no time and results are exact.
# 0x82:0x1 happens 1000 times per second on every package.

# bats sets status, output, stderr and their line arrays.
# shellcheck disable=SC2154,SC2030,SC2031

load common

REAL="sim:westmere-2s,rate=0x82:0x1=1000"
STEPPED="$REAL,clock=stepped"

setup() {
	export UNCOREMSR_MACHINE=$STEPPED
	trace=$BATS_TEST_TMPDIR/trace out=$BATS_TEST_TMPDIR/out
}

# Kill programs that a failed test left running.
teardown() {
	kill_started
}

@test "by default one second is counted on every package; the first line says SIMULATED" {
	run -0 uncore-read --event 0x82 --umask 0x1
	[[ ${lines[0]} == "SIMULATED machine westmere-2s "* ]]
	[[ ${lines[1]} == "counted for 1.000 s" ]]
	[[ ${lines[3]} =~ ^\ +0\ +0\ +0\ +UNC_PROCHOT_ASSERTION\ +1,000\ +1,000\.0$ ]]
	[[ ${lines[4]} =~ ^\ +1\ +1\ +0\ +UNC_PROCHOT_ASSERTION\ +1,000\ +1,000\.0$ ]]
	[ "${#lines[@]}" -eq 5 ]
}

@test "JSON has exactly the documented fields, in their order" {
	need jq
	uncore-read -e 0x82:0x1 --format=json > "$BATS_TEST_TMPDIR/json"
	[ "$(wc -l < "$BATS_TEST_TMPDIR/json")" -eq 2 ]
	run -0 jq -r 'keys_unsorted | join(" ")' "$BATS_TEST_TMPDIR/json"
	[ "${lines[0]}" = "time interval timestamp machine package die core unit cpu pmu event encoding counter raw counted value scaled measure enabled_ns running_ns route status sequence per_second" ]
	[ "${lines[1]}" = "${lines[0]}" ]
}

@test "JSON holds counts as decimal strings, times as numbers, and null where nothing applies" {
	need jq
	run -0 --separate-stderr uncore-read -e 0x82:0x1 --format=json
	jq -e '.time == 1 and .interval == 1 and .package == 0 and .cpu == 0 and .counter == 0 and
		.raw == "1090" and .counted == "1000" and .value == "1000" and
		.encoding == "0x420182" and .event == "UNC_PROCHOT_ASSERTION" and .pmu == "uncore" and
		.machine == "sim:westmere-2s" and .die == null and .core == null and .unit == null and
		.scaled == null and .measure == null and .enabled_ns == 1000000000 and
		.running_ns == 1000000000 and .route == "msr" and .status == "ok"' <<< "${lines[0]}"
	[[ ${lines[0]} =~ \"timestamp\":\"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\.[0-9]{9}Z\" ]]
}

@test "CSV has the names of the JSON fields as header, once" {
	run -0 uncore-read -e 0x82:0x1 --format=csv -i 1 -n 2
	[ "${lines[0]}" = "time,interval,timestamp,machine,package,die,core,unit,cpu,pmu,event,encoding,counter,raw,counted,value,scaled,measure,enabled_ns,running_ns,route,status,sequence,per_second" ]
	[ "${#lines[@]}" -eq 5 ]
	[[ ${lines[4]} == 2.000000000,1.000000000,*,sim:westmere-2s,1,,,,1,uncore,UNC_PROCHOT_ASSERTION,0x420182,0,2090,1000,1000,,,1000000000,1000000000,msr,ok,2,1000.0 ]]
}

@test "--edge, --invert and --cmask belong to the --event before them" {
	run -0 uncore-read --event 0x82 --umask 1 --edge --invert --cmask 3 \
		--event=0x83 --umask=0x02 -e 0x84:0x4 --packages 0 --format=csv
	[[ ${lines[1]} == *,UNC_PROCHOT_ASSERTION:edge:inv:cmask=3,0x3c60182,* ]]
	[[ ${lines[2]} == *,UNC_THERMAL_THROTTLING_PROCHOT.CORE_1,0x420283,* ]]
	[[ ${lines[3]} == *,UNC_TURBO_MODE.CORE_2,0x420484,* ]]
	[ "${#lines[@]}" -eq 4 ]
}

@test "with -i and -n a pipe gets one line per interval, with raw value, increase and rate" {
	run -0 uncore-read -e 0x82:0x1 -i 0.5 -n 3 --packages 0
	[ "${#lines[@]}" -eq 4 ]
	[ "${lines[1]}" = "0.500 s | package 0  UNC_PROCHOT_ASSERTION raw 590 +500 1000.0/s" ]
	[ "${lines[3]}" = "1.500 s | package 0  UNC_PROCHOT_ASSERTION raw 1590 +500 1000.0/s" ]
}

@test "--hex shows the register as rdmsr prints it" {
	run -0 uncore-read -e 0x82:0x1 -i 5 -n 1 --packages 0 --hex
	[ "${lines[1]}" = "5.000 s | package 0  UNC_PROCHOT_ASSERTION hex 13e2 raw 5090 +5000 1000.0/s" ]
}

@test "-n without -i looks every five seconds" {
	run -0 uncore-read -e 0x82:0x1 -n 2 --packages 1
	[[ ${lines[2]} == "10.000 s | package 1  UNC_PROCHOT_ASSERTION raw 10090 +5000 "* ]]
}

@test "on a terminal the table is redrawn in place" {
	need script
	need_terminal
	run -0 script -qec "uncore-read -e 0x82:0x1 -i 1 -n 2" /dev/null
	[[ $output == *$'\033[5A'* ]]
	[ "$(grep -c 'counted for 1.000 s' <<< "$output")" -eq 2 ]
}

@test "more events than counters take turns in every interval, each with its share of the time" {
	need jq
	local i events=
	for ((i = 1; i <= 24; i++)); do events+="${events:+,}0x82:$((2 * i - 1))"; done
	uncore-read -e "$events" -i 1 -n 2 --packages 0 --format=json > "$BATS_TEST_TMPDIR/json"
	[ "$(wc -l < "$BATS_TEST_TMPDIR/json")" -eq 48 ]
	jq -es 'all(.status == "ok" and .enabled_ns == 1000000000 and
		(.running_ns - 333333333 | fabs) < 1000000 and (.counted | tonumber) < 350 and
		((.value | tonumber) - 1000 | fabs) < 20)' "$BATS_TEST_TMPDIR/json"
}

@test "--no-multiplex refuses more events than there are counters" {
	run -3 uncore-read -e "0x1:1,0x2:1,0x3:1,0x4:1,0x5:1,0x6:1,0x7:1,0x8:1,0x9:1" --no-multiplex
	[ "${#lines[@]}" -eq 1 ]
	[[ $output == *"9 needed"* ]]
}

@test "--counter is honoured, or refused when another program uses it" {
	run -0 uncore-read -e 0x82:0x1 --counter 2 --packages 0 --format=csv
	[[ ${lines[1]} == *,0x420182,2,1090,* ]]
	run -3 uncore-read -e 0x82:0x1 --counter 2 --machine="$STEPPED,busy=2"
	[ "${#lines[@]}" -eq 1 ]
	[[ $output == "uncore-read: "*"counter 2"* ]]
}

@test "counters in use are left alone" {
	run -0 uncore-read -e 0x82:0x1 --machine="$STEPPED,busy=0-2" --trace --format=csv
	[[ $output == *,0x420182,3,1090,* ]]
	[[ $output != *"write UNCORE_PMC0"* ]]
	[[ $output != *"write UNCORE_PERFEVTSEL2"* ]]
}

@test "--cpus chooses the CPU of each package" {
	run -0 uncore-read -e 0x82:0x1 --cpus 4,7 --format=csv
	[[ ${lines[1]} == *,sim:westmere-2s,0,,,,4,* ]]
	[[ ${lines[2]} == *,sim:westmere-2s,1,,,,7,* ]]
}

@test "a package that fails does not lose the others: its value is null, never 0" {
	need jq
	run -1 --separate-stderr uncore-read -e 0x82:0x1 --format=json \
		--machine="$STEPPED,fail=write:0x3c0:EIO:cpu=1"
	jq -e '.package == 0 and .value == "1000" and .status == "ok"' <<< "${lines[0]}"
	jq -e '.package == 1 and .value == null and .raw == null and .counted == null and
		.status == "failed"' <<< "${lines[1]}"
	[ "${#stderr_lines[@]}" -eq 1 ]
	[[ $stderr == "uncore-read: package 1: "*"UNCORE_PERFEVTSEL0 (0x3c0)"* ]]
}

@test "a plain file in place of the device counts nothing" {
	local tree="$BATS_TEST_TMPDIR/tree" cpu="sys/devices/system/cpu"
	mkdir -p "$tree/dev/cpu/0" "$tree/$cpu/cpu0/topology" "$tree/proc" "$tree/run"
	echo 0 | tee "$tree/$cpu/online" "$tree/$cpu/present" >"$tree/$cpu/cpu0/topology/physical_package_id"
	printf '%s\t: %s\n' processor 0 vendor_id GenuineIntel 'cpu family' 6 model 44 stepping 2 >"$tree/proc/cpuinfo"
	truncate -s 4096 "$tree/dev/cpu/0/msr"
	run -4 uncore-read --machine="root:$tree" -e 0x82:0x1 --route=msr --format=json
	[[ $output == *"not the register driver's device"*"a read of 4 bytes"* ]]
	run -0 od -An -tx1 -v "$tree/dev/cpu/0/msr"
	[[ $output != *[1-9a-f]* ]]
	# uncore-info does not say which counters are free, either.
	run -0 uncore-info --machine="root:$tree"
	[[ $output == *"answers a read of 4 bytes"* && $output != *" free"* ]]
}

@test "digits of large numbers stand in groups in the table, and nowhere else" {
	local machine=sim:westmere-2s,clock=stepped,rate=0x82:0x1=1234567890,rate=0x83:0x1=999
	run -0 uncore-read --machine="$machine" --packages=0 -e 0x82:0x1,0x83:0x1
	[[ ${lines[3]} =~ \ 1,234,567,890\ +1,234,567,890\.0$ && ${lines[4]} =~ \ 999\ +999\.0$ ]]
	[ "${#lines[2]}" = "${#lines[3]}" ]
	run -0 uncore-read --machine="$machine" --packages=0 -e 0x82:0x1 -i 1 -n 1
	[[ $output == *" +1234567890 1234567890.0/s"* ]]
	run -0 uncore-read --machine="$machine" --packages=0 -e 0x82:0x1 --oneline
	[[ $output == *1234567890* && $output != *1,2* ]]
	run -0 uncore-read --machine="$machine" --packages=0 -e 0x82:0x1 --format=csv
	[[ $output == *,1234567890,* ]]
}

@test "in the table an unknown value has a reason" {
	run -1 uncore-read -e 0x82:0x1 --machine="$STEPPED,fail=read:0x3b0:EIO:cpu=1:after=2"
	[[ $output == *"unknown           unknown  failed: "*"UNCORE_PMC0 (0x3b0)"* ]]
}

@test "a selector that another program changed spoils the interval" {
	need jq
	run -1 --separate-stderr uncore-read -e 0x82:0x1 -i 1 -n 2 --packages 0 --format=json \
		--machine="$STEPPED,foreign=0x3c0:0x420183:at=1.5:package=0"
	jq -e '.status == "ok" and .value == "1000"' <<< "${lines[0]}"
	jq -e '.status == "disturbed" and .value == null' <<< "${lines[1]}"
	[[ $stderr == *disturbed*0x3c0* ]]
}

@test "a reading that was stopped half-way has a count and no rate" {
	need jq
	local machine="$STEPPED,delay=0x3b0:0.2:cpu=0:after=4:times=1"
	run -0 --separate-stderr uncore-read -e 0x82:0x1 -i 1 -n 4 --packages 0 --format=json --machine="$machine"
	[ "$(jq -r '.status + " " + .value' <<< "$output" | xargs)" = "ok 1000 spread 1000 spread 1200 ok 1000" ]
	[[ $stderr == *"spread: the count is exact, but its time is not"* ]]
	run -0 uncore-read -e 0x82:0x1 -i 1 -n 2 --packages 0 --machine="$machine"
	[[ $output == *"+1000 unknown/s (spread: "* ]]
}

@test "a reading that was stopped is a partial result where it leaves no value" {
	need jq
	run -0 --separate-stderr uncore-read -e 0x1:1 -i 1 -n 2 --format=json \
		--machine=sim:nehalem-1s,clock=stepped,delay=0x3b0:0.2:after=4:times=1
	[ "$(jq -r 'if .value then "known" else "null" end' <<<"$output" | xargs)" = "known known" ]
	# Counter 0 has the metric's first event.
	run -1 --separate-stderr uncore-read -M memory-read-bandwidth -i 1 -n 2 --format=json --packages 0 \
		--machine=sim:westmere-2s,clock=stepped,delay=0x3b0:0.2:cpu=0:after=4:times=1
	[ "$(jq -r '.status + (.scaled | if . then "" else " null" end)' <<<"$output" | xargs)" = "ok spread null" ]
	run -1 --separate-stderr uncore-read -e "$(printf '0x1:1,%.0s' {1..8})0x1:1" -i 1 -n 2 --format=json \
		--machine=sim:nehalem-1s,clock=stepped,delay=0x3b0-0x3b7:0.2:after=20:times=1
	jq -es 'any(.status == "spread" and .value == null and .counted != null)' <<<"$output"
}

@test "a suspend is a gap on both routes, and the counters are programmed again" {
	need jq
	local route
	for route in msr perf; do
		run -1 --separate-stderr uncore-read -e uncore/event=0x82,umask=0x1/ -i 1 -n 3 --packages 0 --route="$route" \
			--format=json --machine="$STEPPED,kernel_uncore=yes,suspend=3600:at=1.5"
		[ "$(jq -r '.status + " " + (.value // "null")' <<< "$output" | xargs)" = "ok 1000 suspended null ok 1000" ]
		[ "$(jq -s 'map(.interval) == [1, 1, 1]' <<< "$output")" = true ]
		[[ $stderr == *"the machine was suspended for 3600.000 s"* ]]
	done
}

@test "--no-verify does not check the registers" {
	run -0 uncore-read -e 0x82:0x1 -i 1 -n 2 --packages 0 --format=csv --no-verify \
		--machine="$STEPPED,foreign=0x3c0:0x420183:at=1.5:package=0"
}

@test "when its CPU goes offline another one of the package is used, and named" {
	run -0 uncore-read -e 0x82:0x1 -i 1 -n 2 --packages 1 --format=csv \
		--machine="$STEPPED,hotplug=1:off:at=1.5"
	[[ ${lines[1]} == *,sim:westmere-2s,1,,,,1,*,ok,1,1000.0 ]]
	[[ ${lines[2]} == *,sim:westmere-2s,1,,,,3,*,ok,2,1000.0 ]]
}

@test "every package that --packages names is counted, however it is written, on both routes" {
	need jq
	local route list
	for route in perf msr; do
		for list in 0,1 0-1 1,0 1-1,0; do
			run -0 --separate-stderr uncore-read --machine="$STEPPED" --route=$route \
				-e core/event=0x3c,umask=0/ --packages=$list --format=json
			jq -es 'map(.package) == [0, 1] and all(.[]; .status == "ok")' <<<"$output"
		done
		run -0 --separate-stderr uncore-read --machine="$STEPPED" --route=$route \
			-e core/event=0x3c,umask=0/ --packages=1 --format=json
		jq -es 'map(.package) == [1]' <<<"$output"
	done
}

# statuses ARG...: print the status of each record on skylake-sp-2s, with CPU 3 as MACHINE_KEYS say, on $route.
statuses() {
	run --separate-stderr uncore-read --machine="sim:skylake-sp-2s,clock=stepped,$MACHINE_KEYS" \
		--route="$route" -e core/event=0x3c,umask=0/ -i 1 -n 4 --format=json "$@"
	statuses=$(jq -r .status <<<"$output" | paste -sd'|')
}

@test "a CPU that was asked for and is offline is missing, noted, and taken up when it comes" {
	need jq
	local route MACHINE_KEYS="offline=3,hotplug=3 on at=2.5" statuses
	for route in msr perf; do
		statuses --cores=0,3
		[ "$status" -eq 0 ]
		[ "$statuses" = "ok, 1 of 2|ok, 1 of 2|ok, 1 of 2|ok" ]
		[ "${stderr_lines[0]}" = "uncore-read: CPU 3 is offline: left out until it is online" ]
		[ "${stderr_lines[1]}" = "uncore-read: package 0: CPU 3 is online: counting begins again" ]
		[ "${#stderr_lines[@]}" -eq 2 ]
		statuses --cores=3
		[ "$status" -eq 1 ]
		[ "$statuses" = "offline|offline|offline|ok" ]
		statuses --packages=0
		[ "$statuses" = "ok|ok|ok, 7 of 8|ok" ]
		statuses --packages=0 --per-cpu
		jq -es 'map(select(.cpu == 3).status) == ["offline", "ok"] and length == 7 + 7 + 8 + 8' \
			<<<"$output"
	done
}

@test "COMMAND is not started when all CPUs that were asked for are offline" {
	local route m=sim:skylake-sp-2s,offline=3 event=core/event=0xc0,umask=0/
	for route in msr perf; do
		run -3 --separate-stderr uncore-read --machine=$m --route=$route -a --cores=3 -e $event -- \
			touch "$BATS_TEST_TMPDIR/started"
		[ ! -e "$BATS_TEST_TMPDIR/started" ]
		[[ $stderr == *"touch is not started: nothing can be counted: CPU 3 is offline"* ]]
		run -0 uncore-read --machine=$m --route=$route -a --cores=0,3 -e $event -- \
			touch "$BATS_TEST_TMPDIR/started"
		[ -e "$BATS_TEST_TMPDIR/started" ]
		rm "$BATS_TEST_TMPDIR/started"
	done
}

@test "a CPU that goes offline: noted at once, missing from that interval on, exit status" {
	need jq
	local route MACHINE_KEYS="hotplug=3 off at=1.5,hotplug=3 on at=3.5" statuses
	for route in msr perf; do
		statuses --cores=0,3
		[ "$status" -eq 0 ]
		[ "$statuses" = "ok|ok, 1 of 2|ok, 1 of 2|ok, 1 of 2" ]
		[[ ${stderr_lines[0]} == "uncore-read: CPU 3 went offline: left out until it is back" ]]
		[ "${#stderr_lines[@]}" -eq 2 ]
		statuses --cores=3
		[ "$status" -eq 1 ]
		[ "$statuses" = "ok|offline|offline|offline" ]
		jq -es 'map(.value == null) == [false, true, true, true]' <<<"$output"
	done
}

@test "with SMT off half of the CPUs are away for ever: one note, and every sum is ok" {
	need jq
	local route MACHINE_KEYS=offline=8-15 statuses
	for route in msr perf; do
		statuses
		[ "$status" -eq 0 ]
		[ "$statuses" = "ok|ok|ok|ok|ok|ok|ok|ok" ]
		[ "$stderr" = "uncore-read: CPUs 8-15 are offline: left out until they are online" ]
		statuses --per-cpu
		jq -es 'length == 4 * 8 and all(.[]; .status == "ok")' <<<"$output"
	done
}

@test "packages with other numbers than 0 and 1, some CPUs offline" {
	run -0 uncore-read -e 0x82:0x1 --machine=sim:westmere-2s-holes,clock=stepped --format=csv
	[[ ${lines[1]} == *,sim:westmere-2s-holes,0,* ]]
	[[ ${lines[2]} == *,sim:westmere-2s-holes,2,* ]]
	[ "${#lines[@]}" -eq 3 ]
}

@test "a hint is shown only if all counters stand still" {
	run -0 --separate-stderr uncore-read -e 0x82:0x80
	[[ $stderr == "uncore-read: no counter moved: "* ]]
	[ "${#stderr_lines[@]}" -eq 1 ]
	run -0 --separate-stderr uncore-read -e 0x82:0x80,0x82:0x1
	[ -z "$stderr" ]
}

@test "--dry-run prints commands and comments only, time and restore included" {
	run -0 --separate-stderr uncore-read --event 0x82 --umask 0x1 --counter 2 --dry-run
	[ -z "$stderr" ]
	[[ ${lines[0]} == "# SIMULATED "* ]]
	run ! grep -Ev '^(#|rdmsr -p [01] 0x|wrmsr -p [01] 0x|sleep 1$)' <<< "$output"
	run -0 uncore-read --event 0x82 --umask 0x1 --counter 2 --dry-run --packages 0
	grep '^[ws]' <<< "$output" | sed 's/ 0x3b2 0x[0-9a-f]*$/ 0x3b2 VALUE/' \
		> "$BATS_TEST_TMPDIR/got"
	diff - "$BATS_TEST_TMPDIR/got" <<-'END'
		wrmsr -p 0 0x3c2 0x420182
		wrmsr -p 0 0x3b2 VALUE
		wrmsr -p 0 0x391 0x4
		sleep 1
		wrmsr -p 0 0x391 0x0
		wrmsr -p 0 0x3b2 VALUE
		wrmsr -p 0 0x3c2 0x0
	END
}

@test "--dry-run writes what a run writes, in the same order" {
	uncore-read -e 0x82:0x1,0x83:0x2 --trace 2> "$trace" > /dev/null
	awk '$3 == "write" { gsub(/[()]/, "", $5); print "wrmsr -p", $2, $5, $8 }' "$trace" \
		> "$BATS_TEST_TMPDIR/run"
	[ -s "$BATS_TEST_TMPDIR/run" ]
	uncore-read -e 0x82:0x1,0x83:0x2 --dry-run | grep '^wrmsr' > "$BATS_TEST_TMPDIR/dry"
	diff "$BATS_TEST_TMPDIR/run" "$BATS_TEST_TMPDIR/dry"
}

@test "--dry-run does not run COMMAND but shows where it would run" {
	run -0 uncore-read -e 0x82:0x1 --dry-run -- touch "$BATS_TEST_TMPDIR/a file"
	[ ! -e "$BATS_TEST_TMPDIR/a file" ]
	[[ $output == *"touch '$BATS_TEST_TMPDIR/a file'"* ]]
}

@test "after a normal run every register is as it was" {
	uncore-read -e 0x82:0x1,UNC_CLK_UNHALTED -i 1 -n 2 --trace 2> "$trace" > /dev/null
	restored "$trace"
}

@test "SIGINT ends periodic counting: the last part, a total, registers put back, status 0" {
	background uncore-read -e 0x82:0x1 -i 0.2 --machine="$REAL" --trace 2> "$trace" > "$out"
	wait_for "$out" '^[0-9.]* s \| package 0'
	kill -INT "$pid"
	wait "$pid"
	grep -q '^total of [0-9]*\.' "$out"
	restored "$trace"
}

@test "SIGTERM and SIGHUP: registers put back, then death by that signal" {
	local name status
	for name in TERM HUP; do
		background uncore-read -e 0x82:0x1 -i 0.1 --machine="$REAL" --trace 2> "$trace" > "$out"
		wait_for "$out" '^[0-9.]* s \| package 0'
		kill -"$name" "$pid"
		status=0
		wait "$pid" || status=$?
		[ "$status" -eq $((128 + $(kill -l "$name"))) ]
		restored "$trace"
	done
}

@test "under nohup SIGHUP stays ignored" {
	background nohup uncore-read -e 0x82:0x1 -i 0.1 --machine="$REAL" > "$out" 2>&1
	wait_for "$out" '^[0-9.]* s \| package 0'
	kill -HUP "$pid"
	sleep 0.3
	kill -INT "$pid"
	wait "$pid"
}

@test "the exit status of COMMAND is passed on" {
	run -0 uncore-read -e 0x82:0x1 --machine="$REAL" -- true
	run -7 uncore-read -e 0x82:0x1 --machine="$REAL" -- sh -c 'exit 7'
	run -143 uncore-read -e 0x82:0x1 --machine="$REAL" -- sh -c 'kill -TERM $$'
}

@test "a COMMAND that is not there gives 127, one that cannot be run 126; registers put back" {
	run -127 --separate-stderr uncore-read -e 0x82:0x1 -- /nonexistent/program
	[ "$stderr" = "uncore-read: /nonexistent/program: No such file or directory" ]
	[ -z "$output" ]
	echo text > "$BATS_TEST_TMPDIR/file"
	run -126 uncore-read -e 0x82:0x1 --trace -- "$BATS_TEST_TMPDIR/file"
	[[ $output == *"uncore-read: $BATS_TEST_TMPDIR/file: Permission denied"* ]]
	echo "$output" > "$trace"
	restored "$trace"
}

@test "COMMAND is not started when nothing can be counted" {
	run -4 uncore-read -e 0x82:0x1 --machine="$REAL,driver=missing" -- touch "$BATS_TEST_TMPDIR/ran"
	[ ! -e "$BATS_TEST_TMPDIR/ran" ]
}

@test "COMMAND that was not wholly counted gives 1" {
	run -1 uncore-read -e 0x82:0x1 --machine="$REAL,fail=write:0x3c0:EIO:cpu=1" -- true
}

@test "COMMAND gets its own arguments and the signal mask, dispositions and CPUs from before" {
	local before after
	before=$(grep -E '^(Sig(Blk|Ign)|Cpus_allowed):' /proc/self/status)
	after=$(uncore-read -e 0x82:0x1 --machine="$REAL" -- \
		grep -E '^(Sig(Blk|Ign)|Cpus_allowed):' /proc/self/status | grep -E '^(Sig|Cpus)')
	[ "$before" = "$after" ]
}

@test "counting lasts as long as COMMAND does, with -i in intervals" {
	need jq
	uncore-read -e 0x82:0x1 --machine="$REAL" --packages 0 --format=json -i 0.2 -o "$BATS_TEST_TMPDIR/json" -- \
		sh -c 'until [ -s "$0" ]; do sleep 0.05; done; sleep 0.3' "$BATS_TEST_TMPDIR/json"
	jq -es 'length >= 2 and .[-1].time >= 0.5 and (map(.value | tonumber) | add) >= 499' \
		"$BATS_TEST_TMPDIR/json"
}

@test "-n ends counting before COMMAND ends, and its status is still passed on" {
	# COMMAND waits for a header and two intervals.
	run -3 uncore-read -e 0x82:0x1 --machine="$REAL" -i 0.1 -n 2 --packages 0 -o "$out" -- \
		sh -c 'until [ "$(wc -l <"$0")" -eq 3 ]; do sleep 0.05; done; exit 3' "$out"
	[ "$(wc -l <"$out")" -eq 3 ]
}

@test "SIGINT sent to the tool reaches COMMAND, and what was counted is shown" {
	background uncore-read -e 0x82:0x1 --machine="$REAL" --trace -o "$out" -- \
		env --default-signal=INT sh -c 'sleep 0.2; echo begun; exec sleep 60' 2> "$trace" > "$out.command"
	wait_for "$out.command" begun
	kill -INT "$pid"
	local status=0
	wait "$pid" || status=$?
	[ "$status" -eq 130 ]
	grep -q 'UNC_PROCHOT_ASSERTION .*[1-9]' "$out"
	restored "$trace"
}

@test "a reader that leaves: no message, status 1, registers put back" {
	local status
	{
		status=0
		uncore-read -e 0x82:0x1 -i 1 --trace 2> "$trace" || status=$?
		echo "$status" > "$BATS_TEST_TMPDIR/status"
	} | head -1
	[ "$(cat "$BATS_TEST_TMPDIR/status")" -eq 1 ]
	run ! grep -q '^uncore-read: ' "$trace"
	restored "$trace"
}

@test "a full or closed standard output: one line, status 1" {
	run -1 bash -c 'uncore-read -e 0x82:0x1 > /dev/full'
	[ "$output" = "uncore-read: standard output: No space left on device" ]
	run -1 bash -c 'uncore-read -e 0x82:0x1 >&-'
	[ "$output" = "uncore-read: standard output: Bad file descriptor" ]
}

@test "an interval is written in one piece" {
	need strace
	# A leak check cannot run under strace.
	export ASAN_OPTIONS=detect_leaks=0
	strace -f -o "$trace" -e trace=write uncore-read -e 0x82:0x1 -i 1 -n 10 > "$BATS_TEST_TMPDIR/out"
	[ "$(grep -c '^[0-9]* *write(1,' "$trace")" -eq 10 ]
}

@test "--help and --version go to stdout" {
	run -0 --separate-stderr uncore-read --help
	[[ ${lines[0]} == "usage: uncore-read "* ]]
	[[ $output == *"Exit status:"* ]]
	[ "$(sed -n '/^Examples:/,$p' <<< "$output" | grep -c '^  uncore-read')" -eq 8 ]
	[ -z "$stderr" ]
	run -0 uncore-read --version
	[[ $output =~ ^uncore-read\ [0-9]+\.[0-9]+\.[0-9]+$ ]]
}

@test "every line of the help fits into 80 columns" {
	run -0 uncore-read --help
	run ! grep -E '^.{81}' <<< "$output"
}

@test "--verbose shows which counter was chosen" {
	run -0 --separate-stderr uncore-read -e 0x82:0x1 --verbose
	[[ $stderr == *"counter 0"* ]]
}

@test "UNCOREMSR_MACHINE names the machine, --machine is stronger, empty means none" {
	run -0 uncore-read -e 0x82:0x1 --machine=sim:nehalem-1s,clock=stepped
	[[ ${lines[0]} == "SIMULATED machine nehalem-1s "* ]]
	UNCOREMSR_MACHINE='' run -0 uncore-info --format=json
	[[ $output == *'"machine":"live"'* ]]
}

# per_ns MACHINE ARG...: print package 0's counts per nanosecond in its first interval.
per_ns() {
	local machine=$1; shift
	run -0 --separate-stderr uncore-read --machine="$machine" --format=json -i 1 -n 1 "$@"
	jq -es 'map(select(.package == 0))[0] | (.value | tonumber) / .enabled_ns' <<< "$output"
}

@test "the first interval begins when the counter does: its rate is true on a slow device" {
	local machine route event true slow
	need jq
	while read -r machine route event; do
		true=$(per_ns "sim:$machine,clock=stepped" --route="$route" -e "$event")
		slow=$(per_ns "sim:$machine,clock=stepped,slow=0.02" --route="$route" -e "$event")
		jq -ne --argjson a "$true" --argjson b "$slow" \
			'$a > 0 and $b / $a > 0.99 and $b / $a < 1.01' || { echo "$machine $true $slow"; return 1; }
	done <<- 'END'
		westmere-2s msr UNC_CLK_UNHALTED
		haswell-ep-2s msr cbo/event=0x34,umask=0x11/
		zen-1s msr l3/event=0x04,umask=0xff/
		skylake-sp-perf perf uncore_cha_0/event=0x31,umask=1/
	END
}

@test "UNCOREMSR_ROUTE chooses the route where --route does not" {
	local machine=sim:skylake-sp-2s,clock=stepped
	UNCOREMSR_ROUTE=perf run -3 uncore-read --machine=$machine -e cha/event=0x35,umask=0x21/
	[[ $output == *"no PMU 'uncore_cha'"* ]]
	UNCOREMSR_ROUTE=perf run -0 uncore-read --machine=$machine -e cha/event=0x35,umask=0x21/ --route=auto
	UNCOREMSR_ROUTE='' run -0 uncore-read --machine=$machine -e cha/event=0x35,umask=0x21/
	UNCOREMSR_ROUTE=kernel run -2 uncore-read --machine=$machine -e cha/event=0x35,umask=0x21/
	[[ $output == "uncore-read: UNCOREMSR_ROUTE: 'kernel': must be auto, msr, perf or memory"* ]]
}

@test "-h and -V are --help and --version, in every tool" {
	local tool
	for tool in read info events doctor throttle sim; do
		[ "$("uncore-$tool" -h)" = "$("uncore-$tool" --help)" ]
		[ "$("uncore-$tool" -V)" = "$("uncore-$tool" --version)" ]
	done
}

@test "a system clock that is set forwards or back does not change the cadence" {
	local step
	need cc
	cc -shared -fPIC -o "$BATS_TEST_TMPDIR/clock.so" "$TOP/tests/tools/stepped_clock.c"
	for step in 7200 -7200; do
		# Intervals use another clock, which is not set: there are seven, and none is two hours long.
		: >"$BATS_TEST_TMPDIR/out"
		LD_PRELOAD=$BATS_TEST_TMPDIR/clock.so CLOCK_FILE=$BATS_TEST_TMPDIR/out CLOCK_STEP=$step \
			timeout 60 uncore-read --machine=sim:westmere-2s --packages=0 -e 0x2c:0x1 -i 0.1 -n 7 \
			--format=csv >"$BATS_TEST_TMPDIR/out" || [ $? -eq 1 ]
		awk -F, 'NR > 1 { bad += $23 != NR - 1 || $2 <= 0 || $2 > 60 || $1 <= last; last = $1 }
			END { exit bad || NR != 8 || last > 60 }' "$BATS_TEST_TMPDIR/out"
		# The time of day in the records follows the clock that was set.
		[ "$(cut -d, -f3 "$BATS_TEST_TMPDIR/out" | cut -c12-13 | sort -u | grep -c '^[0-9]')" -ge 2 ]
	done
}

@test "a read that fails once gives the same result with and without --trace" {
	local n machine
	for n in 3 4 5; do
		machine="sim:nehalem-1s,clock=stepped,fail=read:0x3b0:EIO after=$n times=1"
		run -0 uncore-read --machine="$machine" -e 0x2c:0x1 -i 1 -n 3 --format=csv --trace
		[ "$(grep -c ',msr,ok,' <<<"$output")" = 3 ]
	done
}

@test "an interval may have a unit: s, ms or us" {
	local text
	for text in 0.5 500ms 0.5s 500000us; do
		run -0 uncore-read -e 0x82:0x1 -i "$text" -n 1 --packages 0 --format=csv
		[[ ${lines[1]} == 0.500000000,0.500000000,* ]]
	done
	for text in ms 500m 5ns 1sms 0.0001us; do
		fails_with 2 "--interval: '$text'" uncore-read -e 0x82:0x1 -i "$text" -n 1
	done
}
