#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Names of event lists through registers: which counters, fixed and free-running ones, kinds of cores.
#
# bats sets status, output, stderr and their line arrays.
# shellcheck disable=SC2154,SC2030,SC2031

load common

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	export UNCOREMSR_EVENTS=$BATS_TEST_TMPDIR/installed
	! uncore-events list --uarch=westmere --event-list=/dev/null 2>&1 |
		grep -q 'built without JSON' || skip "built without JSON event lists"
	cat >list.json <<-'END'
	[ { "EventName": "ON_2", "EventCode": "0xA3", "UMask": "0x02", "Counter": "2", "CounterMask": "2" },
	  { "EventName": "ALSO_ON_2", "EventCode": "0xA3", "UMask": "0x06", "Counter": "2", "CounterMask": "6" },
	  { "EventName": "ON_1", "EventCode": "0xC0", "UMask": "0x01", "Counter": "1" },
	  { "EventName": "ON_ANY", "EventCode": "0x24", "UMask": "0x10", "Counter": "0,1,2,3" },
	  { "EventName": "ON_2_3", "EventCode": "0x24", "UMask": "0x20", "Counter": "2, 3" },
	  { "EventName": "ON_FIXED_0", "EventCode": "0x00", "UMask": "0x01", "Counter": "Fixed counter 0" },
	  { "EventName": "ON_FIXED_33", "EventCode": "0x00", "UMask": "0x02", "Counter": "33" },
	  { "EventName": "OLD_FIXED", "EventCode": "0x0", "UMask": "0x0", "Counter": "Fixed counter 2" },
	  { "EventName": "ON_FIXED_9", "EventCode": "0x00", "UMask": "0x0a", "Counter": "Fixed counter 9" },
	  { "EventName": "BOX_ON_1", "Unit": "CBO", "EventCode": "0x34", "UMask": "0x11", "Counter": "1" },
	  { "EventName": "ARB_ON_1", "Unit": "ARB", "EventCode": "0x80", "UMask": "0x1", "Counter": "1" } ]
	END
}

# counted MACHINE EVENTS: event and counter of each, and how long it was counted.
counted() {
	uncore-read --machine="sim:$1,clock=stepped" --route=msr --event-list=list.json --cpus=0 \
		--format=json "${@:2}" |
		jq -r 'select(.unit == null or .unit == 0) | [.event, .counter, .running_ns / 1000000] | join(" ")'
}

@test "an event is counted where its list says that it can be" {
	need jq
	diff - <(counted sandybridge-1s -e ON_2,ON_1,ON_ANY,ON_2_3 -e cbo0/event=1/ -e BOX_ON_1) <<-'END'
	ON_2 2 1000
	ON_1 1 1000
	ON_ANY 0 1000
	ON_2_3 3 1000
	cbo0/event=0x1,umask=0x0/ 0 1000
	BOX_ON_1 1 1000
	END
	# The order in which they are asked for changes nothing.
	diff - <(counted sandybridge-1s -e '{ON_ANY,ON_2_3,ON_1,ON_2}') <<-'END'
	ON_ANY 0 1000
	ON_2_3 3 1000
	ON_1 1 1000
	ON_2 2 1000
	END
}

@test "two events that want one counter take turns, and are no group" {
	need jq
	diff - <(counted sandybridge-1s -e ON_2,ALSO_ON_2) <<-'END'
	ON_2 2 500
	ALSO_ON_2 2 500
	END
	fails_with 2 "can be counted on counter 2 of a core only" \
		uncore-read --machine=sim:sandybridge-1s --route=msr --event-list=list.json -e '{ON_2,ALSO_ON_2}'
}

@test "what a list has on a fixed counter is counted there" {
	need jq
	diff - <(counted sandybridge-1s -e ON_FIXED_0,ON_FIXED_33,OLD_FIXED) <<-'END'
	ON_FIXED_0 4 1000
	ON_FIXED_33 5 1000
	OLD_FIXED 5 1000
	END
	fails_with 3 "fixed counter 9, which core does not have here" uncore-read --route=msr \
		--machine=sim:sandybridge-1s --event-list=list.json -e ON_FIXED_9
}

@test "where tables and list leave no counter in common, both are named" {
	fails_with 3 "the list has it on counter 1, and here no such counter of arb can count it" \
		uncore-read --route=msr --machine=sim:sandybridge-1s --event-list=list.json -e ARB_ON_1
}

@test "encode and explain show the counters that a list allows" {
	need jq
	[ "$(uncore-events encode ON_2 ON_2_3 ON_ANY BOX_ON_1 --route=msr --uarch=sandybridge \
		--event-list=list.json --format=json | jq -r .counters | tr '\n' ' ')" = '0x4 0xc 0xf 0x2 ' ]
	run -0 uncore-events encode ON_2 --route=msr --uarch=sandybridge --event-list=list.json
	[[ $output == *"by hand, on counter 2 of CPU 0"*"wrmsr -p 0 0x188 0x24302a3"* ]]
	run -0 uncore-events explain ON_2_3 --uarch=sandybridge --event-list=list.json
	[[ $output == *"counters"*"2, 3"* ]]
}
