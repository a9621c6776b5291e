#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# uncore-read with a simulated kernel: core and uncore PMUs, turns, refusals. The machine that runs the tests does not
# matter.
#
# A test may change MACHINE; other tests do not see the change.

load common
load answers

MACHINE=sim:skylake-sp-perf,clock=stepped

setup() {
	need jq
}

# reads ARG...: count with the simulated kernel; $output has the records.
reads() {
	run --separate-stderr uncore-read --machine="$MACHINE" --format=json "$@"
}

# all FILTER: there is at least one record, and all match the filter.
all() {
	jq -es 'length > 0 and all(.[]; '"$1"')' <<<"$output" >/dev/null || { echo "$output"; return 1; }
}

@test "six core events of a command are shown with names, elapsed time and instructions per cycle" {
	run -0 --separate-stderr uncore-read --machine="$MACHINE" -o - \
		-e r5301b1,r53010e,r5301c2,instructions,cycles,ref-cycles -- ls -d /
	local words
	[ "${lines[0]}" = / ]
	for words in 'r5301b1 UOPS_EXECUTED\.' 'r53010e UOPS_ISSUED\.ANY' 'r5301c2 UOPS_RETIRED\.' \
		instructions cycles ref-cycles; do
		grep -qE "^${words}[A-Z0-9.]* +[1-9][0-9,]* " <<<"$output"
	done
	[[ $output == *"0.75 instructions per cycle"*"s elapsed"* ]]
	[[ $output != *unknown* ]]
}

@test "what cannot be counted, or not at the same time, is refused with the reason, and COMMAND is not started" {
	local m=${MACHINE#sim:} ran=$BATS_TEST_TMPDIR/ran six=r1a1,r1a2,r1a3,r1a4,r1a5,r1a6 cha ok
	local none='no free counter: 6 needed at the same time on'
	ok='*,1000000000,1000000000,perf,ok,1,'
	printf -v cha ' -e uncore_cha_0/event=0x5%d,umask=1/' 1 2 3 4 5 6
	each_says uncore-read <<-END
		3|-|$m,perf_fail=cpu:ENOENT|-e instructions,cycles|uncore-read: *
		3|-|$m,perf_fail=cpu:ENOENT|-e instructions,cycles -- touch $ran|uncore-read: event 'instructions': *
		4|-|$m,perf_user=nobody|-e instructions|*perf_event_paranoid is 2 and CAP_PERFMON is missing*
		0|-|$m,perf_user=nobody|-e instructions:u -- true|*
		4|1|$m,perf_user=nobody,perf_paranoid=3|-e instructions:u -- true|*; run as root, or give the program CAP_PERFMON, or set kernel.perf_event_paranoid to 2
		2|1|$m|-e {cycles,uncore_imc_0/event=1/} -- true|*; put the events of the task and those of whole packages into separate groups
		2|1|westmere-2s|-e {0x82:1}:e|*'e'* cannot be counted through registers; write the modifiers after each event of the group
		0|-|$m,perf_user=nobody,perf_paranoid=0|-e instructions|*
		3|-|$m,perf_limit=20,30|-e instructions,cycles,ref-cycles|*88 descriptors are needed (48 for 3 events *the limit on open files is 30; raise it to 88 *
		3|-|$m|--route=perf -e uncore_cha/event=0x50,umask=3/:u|*cannot tell user and kernel mode*
		2|-|$m|--route=perf -e uncore_imc/cas_count_*/|*takes no pattern*did you mean uncore_imc/cas_count_read/ or *
		2|-|$m|--route=perf -e {cycles,uncore_cha/event=0x50/}|*are different PMUs*
		3|1|$m|--route=perf --no-multiplex$cha|*$none uncore_cha_0*fewer events*
		3|-|$m|--no-multiplex -e {r1a1,r1a2,r1a3},{r1a4,r1a5,r1a6}|*$none cpu*
		3|1|$m|--no-multiplex -e $six -- touch $ran|*$none cpu*
		3|1|$m|--no-multiplex -e $six -a -- touch $ran|*$none cpu*
		3|1|$m|--no-multiplex -e $six -a --cpus 2 -- touch $ran|*$none cpu*
		3|1|$m|--no-multiplex -e cycles$cha -- touch $ran|*$none uncore_cha_0*
		3|1|ivybridge-ep-2s|--no-multiplex --route=msr -e pcu/event=0/,cbo/event=1/,cbo/event=2/,cbo/event=3/|*3 needed*
		3|1|westmere-2s|--no-multiplex -e 1:1,$six|*$none cpu*
		0|-|$m|--route=perf$cha|*%*
		0|-|$m|--route=perf --no-multiplex${cha% -e*-e*}|!(*%*)
		0|6|$m|--no-multiplex --format=csv --cpus 0 -e {r1a1,r1a2,r1a3},cycles,cpu-clock|$ok$ok$ok$ok$ok*
		0|-|$m|--no-multiplex -e ${six%,*,*} -- touch ${ran}2|*
	END
	[ ! -e "$ran" ]
	[ -e "${ran}2" ]
}

@test "what a PMU or a unit does not count is unknown, and the rest is counted, status 1" {
	# If one PMU refuses, it is named, its events are unknown, and the status is 1. Other events are counted.
	MACHINE+=,perf_fail=uncore_imc_2:EBUSY
	reads --route=perf -e uncore_imc/cas_count_read/,uncore_cha/event=0x50,umask=0x3/
	[ "$status" = 1 ]
	[[ $stderr == *uncore_imc* ]]
	all 'if .pmu == "uncore_imc" then .status == "failed, 5 of 6" and .value == null
		else .status == "ok" and .value != null end'
	# A unit that the driver does not find is missing, not offline.
	run -1 --separate-stderr uncore-read --machine='sim:skylake-sp-perf,clock=stepped,perf_fail=uncore_imc_1 ENODEV step=open' \
		-M memory-bandwidth --packages=0 --format=json
	[[ $stderr == *"does not find uncore_imc_1 on CPU 0"* && $stderr != *offline* ]]
	jq -se '.[0].scaled == null and (.[0].status | startswith("failed"))' <<<"$output"
}

@test "uncore events are summed per package, levels are not, and neither depends on groups of cores or a command" {
	# Counts of uncore units are summed per package; with --per-unit the count of each unit is shown.
	reads --route=perf -e uncore_imc/cas_count_read/
	[ "$status" = 0 ]
	[ "${#lines[@]}" = 2 ]
	local sum
	sum=$(jq -r 'select(.package == 0).value' <<<"$output")
	all '.route == "perf" and .unit == null and .measure == "MiB" and
		(.scaled - (.value | tonumber) * 64 / 1048576 | fabs) < 0.001'
	reads --route=perf -e uncore_imc/cas_count_read/ --per-unit
	[ "$(jq -s 'map(select(.package == 0).value | tonumber) | add' <<<"$output")" = "$sum" ]
	[ "$(jq -c 'select(.package == 0).unit' <<<"$output" | tr '\n' ' ')" = "0 1 2 3 4 5 " ]
	# Units are numbered in decimal.
	reads --route=perf -e uncore_cha/event=0x50,umask=0x03/ --per-unit --packages 0
	[ "$(jq -c .unit <<<"$output" | paste -sd ' ')" = "$(seq -s ' ' 0 17)" ]
	# An event of one unit has its number without --per-unit, too.
	reads --route=perf -e cha3/event=0x50,umask=0x03/,uncore_imc_0/event=1/ --packages 0
	[ "$(jq -c .unit <<<"$output" | paste -sd ' ')" = '3 0' ]
	# Uncore events are reported for the system even if a command is counted.
	reads --route=perf -o - -e cycles,uncore_imc/cas_count_read/ -- true
	jq -es 'map(select(.pmu == "uncore_imc") | .target) == ["system", "system"]' <<<"$output"
	jq -es 'map(select(.pmu == "cpu")) | length == 1 and .[0].target == "command" and
		.[0].package == null' <<<"$output"
	# Levels such as temperatures are shown for each CPU and never added up.
	reads -e msr/cpu_thermal_margin/ -i 1 -n 2
	[ "${#lines[@]}" = 32 ]
	all '.value == "40" and .measure == "C" and .cpu != null'
	run -0 uncore-read --machine="$MACHINE" -e msr/cpu_thermal_margin/ -i 1 -n 1 --cpus 0
	[[ $output == *" = 40 40.000 C" ]]
	reads -e msr/cpu_thermal_margin/ --cores 0-15
	all '.value == "40"'
}

@test "events that take turns are scaled, with a warning if their share of the time is below the limit" {
	# More events than counters: counts are scaled, and there is a warning if the share of time is below the limit.
	local ten=r1a1,r1a2,r1a3,r1a4,r1a5,r1a6,r1a7,r1a8,r1a9,r1aa
	reads -e "$ten" --packages 0
	[ "$status" = 0 ]
	all '.running_ns < .enabled_ns and
		(((.value | tonumber) / ((.counted | tonumber) * .enabled_ns / .running_ns)) |
			. > 0.99 and . < 1.01)'
	[ "$(grep -c 'counted for only 40 % of the time, and 9 other events for less than 50 %' <<<"$stderr")" = 1 ]
	reads -e "$ten" --packages 0 --min-running 40
	[ -z "$stderr" ]
	run -0 uncore-read --machine="$MACHINE" -e "$ten" --packages 0 --min-running 0
	[[ $output == *counted*40.0%* ]]
	run -0 uncore-read --machine="$MACHINE" -e cycles --packages 0
	[[ $output != *%* ]]
}

@test "the installed copy of the lists is searched if a name is unknown" {
	"$TOP/tests/tools/private-mounts" true 2>/dev/null || skip "no mount namespace here"
	cat >"$BATS_TEST_TMPDIR/list.json" <<-'END'
		[ { "EventCode": "0xA1", "UMask": "0x01", "EventName": "OUR_PORT", "Counter": "0,1,2,3" } ]
	END
	run -0 --separate-stderr "$TOP/tests/tools/private-mounts" bash -euc '
		mount -t tmpfs none /var/lib
		mkdir -p /var/lib/uncoremsr/events
		cp "$1" /var/lib/uncoremsr/events/GenuineIntel-6-55-core.json
		uncore-read --machine="$2" -e OUR_PORT --packages 0 --format=json
		! uncore-read --machine="$2" -e NOT_OURS' - "$BATS_TEST_TMPDIR/list.json" "$MACHINE"
	all '.event == "OUR_PORT" and .status == "ok"'
	[[ $stderr == *NOT_OURS* ]]
}

@test "instructions per cycle are shown for every spelling, but only if both events count the same mode" {
	local events ipc='0.75 instructions per cycle'
	for events in instructions,cycles cpu/instructions/,cpu/cpu-cycles/ instructions:u,cpu-cycles:u; do
		echo "0|-|${MACHINE#sim:}|-e $events|*$ipc*$ipc*"
	done >"$BATS_TEST_TMPDIR/table"
	echo "0|-|${MACHINE#sim:}|-e instructions:u,cycles|!(*per cycle*)" >>"$BATS_TEST_TMPDIR/table"
	each_says uncore-read <"$BATS_TEST_TMPDIR/table"
}

@test "more events than the kernel reads of one group are counted in several groups" {
	local events m=sim:skylake-sp-perf,clock=stepped values=$BATS_TEST_TMPDIR/values
	printf -v events 'task-clock,%.0s' {1..1100}
	events=${events%,}
	# CPU 3 comes online in the second interval, and is counted from the third one on.
	uncore-read --machine="$m,offline=3,hotplug=3 on at=1.5" --cores=0,3 -e "$events" -i 1 -n 3 --format=csv >"$values" 2>"$BATS_TEST_TMPDIR/told"
	[ "$(awk -F, 'NR > 1 { n[$1 + 0 " " $16 + 0]++ } END { for (v in n) print v, n[v] }' "$values" | sort)" = "\
1 1000000000 1100
2 1000000000 1100
3 2000000000 1100" ]
	[ "$(grep -c 'CPU 3 is online: counting begins again' "$BATS_TEST_TMPDIR/told")" = 1 ]
	# The kernel also returns E2BIG if it does not know the config word of an event.
	run -3 uncore-read --machine="$m,perf_fail=uncore_cha_0 E2BIG" -e uncore_cha_0/event=1,config3=5/ --packages=0 -i 1 -n 1
	[[ $output == *"this kernel does not know config3, in which the event has bits; Linux supports config3 since 6.3"* ]]
	# In a group that the user asked for, events are counted together or not at all.
	run -1 uncore-read --machine="$m" --cpus=0 -e "{$events}" -i 1 -n 1 --format=csv -o "$values"
	[[ ${lines[0]} == "uncore-read: not counted: event 'task-clock': its group has more events than the kernel can read at once"* ]]
}

@test "a metric whose two events need the same counter is counted in turns" {
	local m='sim:skylake-sp-perf,clock=stepped,kernel_pmu=uncore_one type=99 counters=1 cpumask=package'
	printf '%s\n' '[{ "MetricName": "pair", "MetricExpr": "uncore_one@config\\=1@ / uncore_one@config\\=2@" }]' \
		>"$BATS_TEST_TMPDIR/m.json"
	run -0 uncore-read --machine="$m" --event-list="$BATS_TEST_TMPDIR/m.json" -M pair --packages=0 -i 1 -n 2
	[[ $output == *'1.000 s | package 0  pair 0.32'*'2.000 s | package 0  pair 0.32'* ]]
}

@test "no ratio is shown of two kinds of cores, nor of a value that is unknown" {
	each_says uncore-read <<-'END'
		0|-|alderlake-hybrid,clock=stepped|-e cpu_core/instructions/,cpu_atom/cycles/ -- true|!(*per cycle*)
		0|-|alderlake-hybrid,clock=stepped|-e cpu_atom/cycles/,cpu_core/cycles/,cpu_core/instructions/,cpu_atom/instructions/ -- true|*: 0.75 instructions per cycle\n*: 0.56 instructions per cycle\n*
		0|-|nehalem-1s,clock=stepped|--route=perf --cpus=0 -e instructions,cycles -i 1 -n 1|*IPC 0.75*
		1|-|nehalem-1s,clock=stepped,perf_fail=cpu:EIO:step=read:times=1|--route=perf --cpus=0 -e instructions,cycles -i 1 -n 1|!(*IPC*)
		1|-|nehalem-1s,clock=stepped,perf_fail=cpu:EIO:step=read:times=1|--route=perf --cpus=0 -e cycles,instructions -i 1 -n 1|!(*IPC*)
	END
}

@test "if the events of a thread get no descriptors, those of whole packages are counted all the same" {
	run -1 --separate-stderr uncore-read --machine='sim:skylake-sp-perf,clock=stepped,perf_fail=cpu EMFILE' \
		-e uncore_imc/cas_count_read/,cycles -t $$ -i 1 -n 1 --format=csv
	[ "$(grep -c ',uncore_imc/cas_count_read/,.*,ok,' <<<"$output")" -eq 2 ]
	grep -q ',cycles,.*,failed,' <<<"$output"
}
