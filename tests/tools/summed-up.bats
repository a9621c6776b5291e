#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# A message about many boxes or events is one line, not one for each.

load common

@test "--verbose: an event on many boxes is one line for each counter it is on" {
	run -0 --separate-stderr uncore-read --machine=sim:haswell-ep-2s,clock=stepped --verbose \
		-e cbo/event=0x37,umask=0x1/,cbo/event=0x34,umask=0x11/
	[ "$(grep -c 'is counted by' <<<"$stderr")" = 2 ]
	[[ $stderr == *"package 0 cbo0: cbo/event=0x37,umask=0x1/ is counted by counter "*" on "*" other units as well"* ]]
	run -0 --separate-stderr uncore-read --machine=sim:nehalem-1s,clock=stepped --verbose -e 0x9:1
	[[ $stderr == *"is counted by counter 0"* && $stderr != *"other units"* ]]
}

@test "many boxes that fail in the same way are one message, and so are events with little counting time" {
	local machine=sim:haswell-ep-2s,clock=stepped box
	for box in 0xe01 0xe11 0xe21 0xe31; do machine+=",foreign=$box 0x0 at=1.5"; done
	run -1 --separate-stderr uncore-read --format=csv --per-unit -i 1 -n 3 -e cbo/event=0x37,umask=0x1/ \
		--machine="$machine"
	[ "$(grep -c ': disturbed' <<<"$stderr")" = 1 ]
	[[ $stderr == *"package 0 cbo0: cbo/event=0x37,umask=0x1/: disturbed: "*" more)"* ]]
	run -0 --separate-stderr uncore-read --machine=sim:nehalem-1s,clock=stepped --format=csv --min-running=100 \
		-e 'UNC_L3_MISS.*,UNC_QMC_NORMAL_READS.*,UNC_QMC_WRITES.*'
	[ "$(grep -c 'counted for only' <<<"$stderr")" = 1 ]
	[[ $stderr == *"and 15 other events for less than 100 %"*"their values are estimates"* ]]
}

@test "a CPU that goes offline is explained once, not for each of its events" {
	run -1 --separate-stderr uncore-read --format=csv --per-cpu --packages=0 -i 1 -n 3 --route=msr \
		-e core/event=0x3c,umask=0/,core/event=0xc0,umask=0/,core/event=0xc4,umask=0/ \
		--machine="sim:skylake-sp-2s,clock=stepped,hotplug=3 off at=1.5"
	[ "$(grep -c ': offline: CPU 3: ' <<<"$stderr")" = 1 ]
	[[ $stderr == *"package 0 cpu3: core/CPU_CLK_UNHALTED.THREAD_P/: offline: CPU 3: "*" (and 2 more)"* ]]
}
