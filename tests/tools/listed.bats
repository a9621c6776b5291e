#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Names of event lists counted through registers: counters, fixed and free-running counters, kinds of cores.
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

# counted MACHINE EVENTS: print each event, its counter, and the time for which it was counted.
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
	# The order of the events does not matter.
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
	fails_with 2 "can be counted only on counter 2 of a core" \
		uncore-read --machine=sim:sandybridge-1s --route=msr --event-list=list.json -e '{ON_2,ALSO_ON_2}'
}

@test "an event that a list puts on a fixed counter is counted there" {
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

# Write lists that name a kind of core in three ways: in mapfile.csv, in the file's name, and as PMU in each entry. Sets
# LISTS.
kinds_of_lists() {
	mkdir -p map/ADL/events
	printf '%s\n' 'Family-model,Version,Filename,EventType,Core Type' \
		'GenuineIntel-6-97,1,/ADL/events/big.json,hybridcore,0x40' \
		'GenuineIntel-6-97,1,/ADL/events/small.json,hybridcore,0x20' >map/mapfile.csv
	echo '[{"EventName":"BOTH","EventCode":"0x11","Counter":"1"},{"EventName":"BIG","EventCode":"0x12"}]' \
		>map/ADL/events/big.json
	echo '[{"EventName":"BOTH","EventCode":"0x21","Counter":"0"},{"EventName":"SMALL","EventCode":"0x22"}]' \
		>map/ADL/events/small.json
	cp map/ADL/events/big.json new_goldencove_core.json
	cp map/ADL/events/small.json GenuineIntel-6-97-2-hybridcore-Atom.json
	echo '[{"EventName":"BOTH","EventCode":"0x11","Unit":"cpu_core","Counter":"1"},
		{"EventName":"BIG","EventCode":"0x12","Unit":"cpu_core"},
		{"EventName":"BOTH","EventCode":"0x21","Unit":"cpu_atom","Counter":"0"},
		{"EventName":"SMALL","EventCode":"0x22","Unit":"cpu_atom"}]' >units.json
}

# on_cores EVENT LIST...: print event, selector and CPUs on an Alder Lake (CPUs 0-15 are P-cores).
on_cores() {
	local event=$1 list lists=()
	shift
	for list; do lists+=(--event-list="$list"); done
	uncore-read --machine=sim:alderlake-hybrid,clock=stepped --route=msr --per-core --format=json \
		-e "$event" "${lists[@]}" |
		jq -rs 'group_by(.event)[] | "\(.[0].event) \(.[0].encoding) \(map(.core) | min)-\(map(.core) | max) \(.[0].counter)"'
}

@test "the list of one kind of core counts on cores of that kind only" {
	need jq
	kinds_of_lists
	local big small
	big=$(on_cores BIG map/ADL/events/big.json)
	small=$(on_cores SMALL map/ADL/events/small.json)
	echo "$big, $small"
	[[ $big == "BIG 0x430012 0-"* && $small == "SMALL 0x430022 "* ]]
	# The result is the same for each form of list.
	[ "$(on_cores BIG new_goldencove_core.json)" = "$big" ]
	[ "$(on_cores SMALL GenuineIntel-6-97-2-hybridcore-Atom.json)" = "$small" ]
	[ "$(on_cores BIG units.json)" = "$big" ]
	[ "$(on_cores SMALL units.json)" = "$small" ]
	# The two kinds have no core in common.
	[ "$(uncore-read --machine=sim:alderlake-hybrid,clock=stepped --route=msr --per-core --format=json \
		-e BIG,SMALL --event-list=units.json | jq -r .core | sort | uniq -d | wc -l)" -eq 0 ]
}

@test "a name of both lists is two events, each with its own codes and counters" {
	need jq
	kinds_of_lists
	local both
	both=$(on_cores BOTH units.json)
	[[ $both == "cpu_atom/BOTH/ 0x430021 "*" 0"$'\n'"cpu_core/BOTH/ 0x430011 "*" 1" ]]
	[ "$(on_cores BOTH map/ADL/events/small.json map/ADL/events/big.json)" = "$both" ]
	# The printed names are accepted as events.
	[ "$(on_cores cpu_atom/BOTH/,cpu_core/BOTH/ units.json)" = "$both" ]
	[[ $(on_cores cpu_core/BOTH/u units.json) == "cpu_core/BOTH/u 0x410011 "* ]]
	[[ $(on_cores BOTH:u units.json) == "cpu_atom/BOTH/:u 0x410021 "* ]]
	[[ $(on_cores cpu_atom/cycles/ units.json) == "cpu_atom/cycles/ 0x30 "* ]]
	fails_with 2 "the lists do not have it for this kind of core" uncore-read --route=msr \
		--machine=sim:alderlake-hybrid --event-list=units.json -e cpu_atom/BIG/
}

# The tables have these names too, with the architectural codes, for every kind of core.
@test "for core events a list's codes and kind of core take precedence over the tables" {
	need jq
	echo '[{"EventName":"TOPDOWN_FE_BOUND.ALL","EventCode":"0x71"},
		{"EventName":"INST_RETIRED.ANY","EventCode":"0x00","UMask":"0x01","Counter":"Fixed counter 0"},
		{"EventName":"LONGEST_LAT_CACHE.MISS","EventCode":"0x2e","UMask":"0x41"}]' >old_gracemont_core.json
	echo '[{"EventName":"TOPDOWN_FE_BOUND.ALL","EventCode":"0x99"}]' >old_goldencove_core.json
	diff - <(on_cores TOPDOWN_FE_BOUND.ALL,INST_RETIRED.ANY,LONGEST_LAT_CACHE.MISS old_gracemont_core.json) <<-'END'
	INST_RETIRED.ANY 0x3 32-39 6
	LONGEST_LAT_CACHE.MISS 0x43412e 32-39 1
	TOPDOWN_FE_BOUND.ALL 0x430071 32-39 0
	END
	[[ $(on_cores cpu_atom/TOPDOWN_FE_BOUND.ALL/ old_gracemont_core.json) == *" 0x430071 "* ]]
	[[ $(on_cores core/TOPDOWN_FE_BOUND.ALL/ old_gracemont_core.json) == *" 0x430071 "* ]]
	# A name that the list of the other kind lacks is taken from the tables.
	[[ $(on_cores cpu_core/LONGEST_LAT_CACHE.MISS/ old_gracemont_core.json) == *" 0x43412e 0-"* ]]
	diff - <(on_cores TOPDOWN_FE_BOUND.ALL old_goldencove_core.json old_gracemont_core.json | cut -d ' ' -f 1,2) <<-'END'
	cpu_atom/TOPDOWN_FE_BOUND.ALL/ 0x430071
	cpu_core/TOPDOWN_FE_BOUND.ALL/ 0x430099
	END
}

@test "free-running events of a list are counted by the registers that hold them" {
	need jq
	cat >free.json <<-'END'
	[ { "EventName": "UNC_IIO_BANDWIDTH_IN.PART0_FREERUN", "Unit": "IIO", "EventCode": "0x00", "UMask": "0x00",
	    "Counter": "1", "CounterType": "FREERUN" },
	  { "EventName": "UNC_IIO_BANDWIDTH_OUT.PART7_FREERUN", "Unit": "IIO", "EventCode": "0x00", "UMask": "0x00",
	    "Counter": "16", "CounterType": "FREERUN" },
	  { "EventName": "UNC_IIO_CLOCKTICKS_FREERUN", "Unit": "IIO", "EventCode": "0x00", "UMask": "0x00",
	    "Counter": "0", "CounterType": "FREERUN" } ]
	END
	local machine=sim:sapphire-rapids-2s,clock=stepped fields='[.pmu, .counter, .value, .scaled, .route] | join(" ")'
	local ours=iio_free_running/bw_in_port0/,iio_free_running/bw_out_port7/,iio_free_running/ioclk/
	uncore-read --machine="$machine" --packages=0 --event-list=free.json --format=json \
		-e UNC_IIO_BANDWIDTH_IN.PART0_FREERUN,UNC_IIO_BANDWIDTH_OUT.PART7_FREERUN \
		-e UNC_IIO_CLOCKTICKS_FREERUN | jq -r "$fields" >listed
	uncore-read --machine="$machine" --packages=0 --format=json -e "$ours" | jq -r "$fields" >named
	diff named listed
	[ "$(grep -c ' msr$' listed)" -eq 3 ]
	# Ice Lake-SP has no free-running counters for outgoing data.
	fails_with 3 "none of the counters of iio_free_running is known" uncore-read --route=msr \
		--machine=sim:icelake-sp-2s --event-list=free.json -e UNC_IIO_BANDWIDTH_OUT.PART7_FREERUN
}

@test "a name of a list stands between slashes too, with a unit and more terms" {
	need jq
	local machine=sim:sandybridge-1s,clock=stepped
	diff - <(uncore-read --machine="$machine" --event-list=list.json --format=json -e cbo/BOX_ON_1/ \
		-e cbo1/BOX_ON_1,edge/ -e uncore_cbox_0/box_on_1/:cmask=2 |
		jq -r '[.event, .unit, .encoding, .counter] | map(tostring) | join(" ")') <<-'END'
	BOX_ON_1 null 0x401134 1
	cbo1/BOX_ON_1,edge/ 1 0x441134 1
	cbo0/BOX_ON_1,cmask=0x2/ 0 0x2401134 1
	END
	fails_with 2 "the event list has it for PMU cbo" uncore-read --machine="$machine" --route=msr \
		--event-list=list.json -e arb/BOX_ON_1/
}

@test "a name of a list is read as libpfm4 and likwid write it" {
	need jq
	cat >boxes.json <<-'END'
	[ { "EventName": "UNC_CHA_INSERTS.MISS", "Unit": "CHA", "EventCode": "0x35", "UMask": "0x21" },
	  { "EventName": "UNC_P_STATE.C0", "Unit": "PCU", "EventCode": "0x80", "UMask": "0x40" },
	  { "EventName": "UNC_IIO_CLOCKTICKS", "Unit": "IIO", "EventCode": "0x1" },
	  { "EventName": "UNC_M_CAS.RD", "Unit": "iMC", "EventCode": "0x04", "UMask": "0x03" } ]
	END
	local how=("--machine=sim:skylake-sp-2s,clock=stepped" --route=msr --event-list=boxes.json)
	diff - <(uncore-read "${how[@]}" --packages=0 --format=json \
		-e UNC_CHA_INSERTS:MISS,skx_unc_cha3::UNC_C_INSERTS:MISS:e=0:i=0:t=0 \
		-e skx_unc_cha3::UNC_C_INSERTS:MISS:t=5:e=1,INSERTS_MISS:CBOX2C1:EDGEDETECT \
		-e skx_unc_pcu::UNC_P_STATE:C0,skx_unc_pcu::UNC_P_STATE:C0:e=1:i=1,CLOCKTICKS:IBOX1C2 |
		jq -r '[.event, .unit, .encoding, .counter] | map(tostring) | join(" ")') <<-'END'
	UNC_CHA_INSERTS.MISS null 0x402135 0
	cha3/UNC_CHA_INSERTS.MISS/ 3 0x402135 1
	cha3/UNC_CHA_INSERTS.MISS,edge,thresh=0x5/ 3 0x5442135 2
	cha2/UNC_CHA_INSERTS.MISS,edge/ 2 0x442135 1
	UNC_P_STATE.C0 null 0x404080 0
	UNC_P_STATE.C0:occ_invert=0x1:occ_edge_det=0x1 null 0xc0404080 1
	iio1/UNC_IIO_CLOCKTICKS/ 1 0x7ff000400001 2
	END
	# An event has the same name for each spelling and route.
	local text route
	for text in unc_cha_inserts.miss UNC_CHA_INSERTS_MISS cha/UNC_CHA_INSERTS.MISS/ uncore_cha/unc_cha_inserts.miss/; do
		for route in msr perf; do
			[ "$(uncore-events encode --machine=sim:skylake-sp-perf --route="$route" --event-list=boxes.json \
				"$text" --format=json | jq -r .name | uniq)" = UNC_CHA_INSERTS.MISS ]
		done
	done
	fails_with 2 "cha has units 0 to 27 at most, not 28" \
		uncore-read "${how[@]}" -e skx_unc_cha28::UNC_C_INSERTS:MISS
	fails_with 2 "it belongs to processor sapphirerapids, and this one is skylake-sp" \
		uncore-read "${how[@]}" -e spr_unc_cha0::UNC_CHA_INSERTS:MISS
	fails_with 2 "no event of that name" uncore-read "${how[@]}" -e skx_unc_cha0::UNC_C_INSERTS:HIT
	fails_with 3 "whose registers cannot be reached here as MSRs" uncore-read "${how[@]}" -e skx_unc_imc0::UNC_M_CAS:RD
}

@test "an unknown name gets the names like it of the list, of the kernel and of fixed counters, on both routes" {
	local route
	cat >near.json <<-'END'
	[ { "EventName": "UNC_CHA_CLOCKTICKS", "Unit": "CHA", "EventCode": "0x00", "UMask": "0x00" },
	  { "EventName": "UNC_CHA_TOR_INSERTS.IA_MISS", "Unit": "CHA", "EventCode": "0x35", "UMask": "0x21" } ]
	END
	local on=(--machine=sim:skylake-sp-perf --event-list=near.json)
	for route in msr perf; do
		# A letter is missing; a part of a name; one word is another; a name of the kernel.
		fails_with 2 "did you mean UNC_CHA_CLOCKTICKS" uncore-read --route="$route" "${on[@]}" -e UNC_CHA_CLOCKTICK
		fails_with 2 "did you mean UNC_CHA_TOR_INSERTS.IA_MISS" uncore-read --route="$route" "${on[@]}" -e TOR_INS
		fails_with 2 "did you mean UNC_CHA_TOR_INSERTS.IA_MISS" \
			uncore-read --route="$route" "${on[@]}" -e UNC_CHA_TOR_INSERTS.IO_MISS
		fails_with 2 "did you mean uncore_imc/clockticks/" uncore-read --route="$route" "${on[@]}" -e CLOCKTICK
	done
	fails_with 2 "did you mean iio_free_running/bw_in_port0/" uncore-read --route=msr --machine=sim:skylake-sp-2s -e bw_in_port
}

@test "names as libpfm4 and likwid write them reach what only the kernel counts; unit masks are or-ed" {
	need jq
	cat >imc.json <<-'END'
	[ { "EventName": "UNC_M_CAS_COUNT.RD", "Unit": "iMC", "EventCode": "0x04", "UMask": "0x03", "BriefDescription": "Reads" },
	  { "EventName": "UNC_M_CAS_COUNT.WR", "Unit": "iMC", "EventCode": "0x04", "UMask": "0x0c" },
	  { "EventName": "UNC_M_ACT_COUNT.WR", "Unit": "iMC", "EventCode": "0x01", "UMask": "0x02" },
	  { "EventName": "UNC_CHA_TOR_INSERTS.IA_MISS", "Unit": "CHA", "EventCode": "0x35", "UMask": "0x21" },
	  { "EventName": "UNC_CHA_TOR_INSERTS.IA_HIT", "Unit": "CHA", "EventCode": "0x35", "UMask": "0x11" } ]
	END
	local kernel=("--machine=sim:skylake-sp-perf,clock=stepped" --event-list=imc.json)
	encoded() {
		uncore-events encode "${kernel[@]}" "$@" | sed -n 's/^  units *\([^ ]*\) .* config \([^ ]*\) .*/\1 \2/p'
	}
	[ "$(encoded skx_unc_imc0::UNC_M_CAS_COUNT:RD)" = "uncore_imc_0 0x304" ]
	[ "$(encoded skx_unc_imc3::UNC_M_CAS_COUNT:RD:e=0:i=0:t=0)" = "uncore_imc_3 0x304" ]
	[ "$(encoded skx_unc_imc1::UNC_M_CAS_COUNT:RD:WR:e=1:t=3)" = "uncore_imc_1 0x3040f04" ]
	[ "$(encoded UNC_M_CAS_COUNT:RD:WR | head -n 1)" = "uncore_imc_0 0xf04" ]
	[ "$(encoded skx_unc_imc1::UNC_M_CAS_COUNT:RD:e)" = "uncore_imc_1 0x40304" ]
	[ "$(encoded skx_unc_cha2::UNC_C_TOR_INSERTS:IA_MISS:IA_HIT)" = "uncore_cha_2 0x3135" ]
	# likwid's spelling: the unit is used, the kernel chooses the counter.
	[ "$(encoded CAS_COUNT_RD:MBOX4C0)" = "uncore_imc_4 0x304" ]
	[ "$(encoded UNC_M_CAS_COUNT.WR:MBOX1C2:EDGEDETECT:THRESHOLD=0x5)" = "uncore_imc_1 0x5040c04" ]
	fails_with 3 "this kernel has no PMU 'uncore_imc_9'" \
		uncore-read "${kernel[@]}" -e CAS_COUNT_RD:MBOX9C0
	fails_with 2 "unknown modifier 'CBOX0C0'" uncore-read "${kernel[@]}" -e UNC_M_CAS_COUNT.RD:CBOX0C0
	uncore-read "${kernel[@]}" --format=json -e skx_unc_imc1::UNC_M_CAS_COUNT:RD | jq -es \
		'length > 0 and all(.[]; .pmu == "uncore_imc_1" and .value != null and .route == "perf")' >/dev/null
	# The same through registers, if they can reach the PMU.
	[[ $(uncore-events encode --machine=sim:skylake-sp-2s --event-list=imc.json \
		skx_unc_cha2::UNC_C_TOR_INSERTS:IA_MISS:IA_HIT) == *"IA_HIT: 0x403135"$'\n'* ]]
	fails_with 3 "this kernel has no PMU 'uncore_imc_9'" \
		uncore-read "${kernel[@]}" --route=perf -e skx_unc_imc9::UNC_M_CAS_COUNT:RD
	# A unit mask of another event is refused.
	fails_with 2 "unknown modifier 'RD'" uncore-read "${kernel[@]}" -e UNC_M_ACT_COUNT:WR:WR:RD
	fails_with 2 "unknown modifier" uncore-read "${kernel[@]}" -e UNC_M_CAS_COUNT:RD:ACT
	fails_with 2 "the event list has it for PMU uncore_imc" \
		uncore-read "${kernel[@]}" --route=perf -e skx_unc_cha0::UNC_M_CAS_COUNT:RD
}

@test "explain knows a name of a list as libpfm4 and likwid write it, and between slashes" {
	cat >imc.json <<-'END'
	[ { "EventName": "UNC_M_CAS_COUNT.RD", "Unit": "iMC", "EventCode": "0x04", "UMask": "0x03", "BriefDescription": "Reads" },
	  { "EventName": "UNC_M_CAS_COUNT.WR", "Unit": "iMC", "EventCode": "0x04", "UMask": "0x0c" },
	  { "EventName": "UNC_CHA_TOR_INSERTS.IA_MISS", "Unit": "CHA", "EventCode": "0x35", "UMask": "0x21" } ]
	END
	local how=(--machine=sim:skylake-sp-2s --event-list=imc.json) text
	for text in skx_unc_imc0::UNC_M_CAS_COUNT:RD skx_unc_imc1::UNC_M_CAS_COUNT:RD:e=1 uncore_imc/UNC_M_CAS_COUNT.RD/; do
		[ "$(uncore-events explain "${how[@]}" "$text" | sed -n '/event$/,/counts/p')" = \
			$'UNC_M_CAS_COUNT.RD: event\n  counts      Reads' ]
	done
	for text in skx_unc_cha0::UNC_C_TOR_INSERTS:IA_MISS TOR_INSERTS_IA_MISS:CBOX2C1; do
		[[ $(uncore-events explain "${how[@]}" "$text") == *"UNC_CHA_TOR_INSERTS.IA_MISS: event"* ]]
	done
	run -2 uncore-events explain "${how[@]}" UNC_M_CAS_COUNT:RD:WR
	[[ $output == *"'UNC_M_CAS_COUNT:RD:WR': one name at a time"* ]]
}

@test "numbers and truth values without quotes are accepted" {
	cat >"$BATS_TEST_TMPDIR/bare.json" <<-'END'
	[ { "EventName": "UNC_CHA_BARE", "Unit": "CHA", "EventCode": 53, "UMask": 33, "EdgeDetect": true },
	  { "EventName": "UNC_CHA_OLD", "Unit": "CHA", "EventCode": "0x35", "UMask": "0x21", "Deprecated": true },
	  { "EventName": "UNC_CHA_OLDER", "Unit": "CHA", "EventCode": "0x35", "UMask": "0x21", "Deprecated": 1 } ]
	END
	run -0 uncore-events encode --machine=sim:skylake-sp-2s --event-list="$BATS_TEST_TMPDIR/bare.json" UNC_CHA_BARE
	[[ $output == *"uncore_cha/event=0x35,umask=0x21,edge,"* && $output != *null* ]]
	# Deprecated names are not listed.
	run -0 uncore-events list --machine=sim:skylake-sp-2s --event-list="$BATS_TEST_TMPDIR/bare.json" 'UNC_CHA_*'
	[[ $output == *UNC_CHA_BARE* && $output != *UNC_CHA_OLD* ]]
}

@test "an entry with an invalid value is left out, and its line is named" {
	need jq
	cat >"$BATS_TEST_TMPDIR/wrong.json" <<-'END'
	[ { "EventName": "UNC_CHA_RIGHT", "Unit": "CHA", "EventCode": "0x35, 0x36", "UMask": "010", "MSRIndex": "na" },
	  { "EventName": "UNC_CHA_TORN", "Unit": "CHA", "EventCode": "0xZZ", "UMask": "0x21" },
	  { "EventName": "UNC_CHA_BARE_WORD", "Unit": "CHA", "EventCode": "B7", "UMask": "0x21" },
	  { "EventName": "UNC_CHA_WIDE", "Unit": "CHA", "EventCode": "0x35", "UMask": "0x121" },
	  { "EventName": "UNC_CHA_WIDE_CODE", "Unit": "CHA", "EventCode": 309, "UMask": 33 },
	  { "EventName": "UNC_CHA_HALF", "Unit": "CHA", "EventCode": 53.5 },
	  { "EventName": "UNC_CHA_BELOW", "Unit": "CHA", "EventCode": -53 },
	  { "EventName": "UNC_CHA_NO_CODE", "Unit": "CHA", "UMask": "0x21" },
	  { "EventName": "UNC_CHA_EDGE", "Unit": "CHA", "EventCode": "0x35", "EdgeDetect": "2" },
	  { "Unit": "CHA", "EventCode": "0x35" },
	  { "EventName": "", "EventCode": "0x35" },
	  { "EventName": "UNC_CHA_TICKS", "PerPkg": "1", "Unit": "CHA", "UMask": "0xc8ffff01" },
	  { "EventName": "UNC_CHA_LAST", "Unit": "CHA", "EventCode": "0x35", "UMask": "0x21" } ]
	END
	how=(--machine=sim:skylake-sp-2s --event-list="$BATS_TEST_TMPDIR/wrong.json")
	run -0 --separate-stderr uncore-events list "${how[@]}" --verbose --format=json
	[ "$(jq -r 'select(.class == "event list") | .name + " " + .terms' <<<"$output")" = \
		'UNC_CHA_RIGHT event=0x35,umask=0xa
UNC_CHA_TICKS event=0x0,umask=0xc8ffff01
UNC_CHA_LAST event=0x35,umask=0x21' ]
	diff - <(sed -n 's/^uncore-events: event list .*wrong.json: \(line.*\)/\1/p; s/.*: \([0-9]* entr.*\)/\1/p' <<<"$stderr" |
		sed 's/; the entry is left out.*//') <<-'END'
	line 2: UNC_CHA_TORN: EventCode '0xZZ' is not a number
	line 3: UNC_CHA_BARE_WORD: EventCode 'B7' is not a number
	line 4: UNC_CHA_WIDE: UMask '0x121' does not fit into 8 bits
	line 5: UNC_CHA_WIDE_CODE: EventCode is too large
	line 6: UNC_CHA_HALF: EventCode is not a number that a register can hold
	line 7: UNC_CHA_BELOW: EventCode is not a number that a register can hold
	line 8: UNC_CHA_NO_CODE: the entry has no EventCode
	line 9: UNC_CHA_EDGE: EdgeDetect '2' does not fit into 1 bit
	line 10: the entry has no EventName
	line 11: the entry has no EventName
	10 entries of the event lists are left out
	END
	# Without --verbose the first one and the number are shown.
	run -0 --separate-stderr uncore-events list "${how[@]}"
	[ "$(wc -l <<<"$stderr")" = 2 ]
	[[ $stderr == *"line 2: UNC_CHA_TORN"*"10 entries of the event lists are left out; --verbose"* ]]
	# None of them is counted, on either route, in any spelling.
	for route in msr perf; do
		for name in UNC_CHA_WIDE cha/UNC_CHA_WIDE/ unc_cha_wide:edge=1; do
			run -2 --separate-stderr uncore-events encode --route=$route "${how[@]}" "$name"
			[[ $stderr == *"wrong.json: line 4: UNC_CHA_WIDE: UMask '0x121' does not fit into 8 bits"* ]]
		done
	done
	for command in list explain; do
		run -2 --separate-stderr uncore-events $command "${how[@]}" UNC_CHA_TORN
		[[ $stderr == *"wrong.json: line 2: UNC_CHA_TORN: EventCode '0xZZ' is not a number"* ]]
	done
	fails_with 2 "wrong.json: line 8: UNC_CHA_NO_CODE: the entry has no EventCode" \
		uncore-read --event-list="$BATS_TEST_TMPDIR/wrong.json" -e UNC_CHA_NO_CODE --machine=sim:skylake-sp-2s
	# A list in which every entry is wrong is still a list.
	echo '[{ "EventName": "ALL_WRONG", "EventCode": "?" }]' >all.json
	run -0 uncore-events list --machine=sim:skylake-sp-2s --event-list=all.json
	[[ $output == *"all.json: line 1: ALL_WRONG"*"1 entry of the event lists is left out"* ]]
}

@test "import says how many entries of the lists will be left out" {
	mkdir -p from/X/events
	echo '[{ "EventName": "A", "EventCode": "0x1" }, { "EventName": "B", "EventCode": "one" }]' >from/X/events/x.json
	printf '%s\n' 'Family-model,Version,Filename,EventType' 'GenuineIntel-6-55,1,/X/events/x.json,core' >from/mapfile.csv
	run -0 uncore-events import from --to=to
	[[ $output == *"to: 1 event list, "*"1 entry in them will be left out"* ]]
	run -0 uncore-events import from --to=to --format=json
	[[ $output == *'"left_out":1,'* ]]
}

@test "no entry of a published list is left out" {
	local list lists=()
	need_corpus perfmon/SPR
	for list in "$CORPUS"/perfmon/*/events/*.json "$CORPUS"/perfmon/old-array/*_uncore.json; do
		# Files of matrices and bits have no events.
		[[ $list == *@(matrix|fp_arith_inst).json ]] || lists+=("--event-list=$list")
	done
	run -0 --separate-stderr uncore-events list --machine=sim:skylake-sp-2s --verbose "${lists[@]}"
	[ -z "$stderr" ]
}

@test "a small letter behind a name of a list is a modifier, a capital its unit mask" {
	cat >lookup.json <<-'END'
	[ { "EventName": "UNC_CHA_LLC_LOOKUP.ALL", "Unit": "CHA", "EventCode": "0x34", "UMask": "0xff", "UMaskExt": "0x1fff" },
	  { "EventName": "UNC_CHA_LLC_LOOKUP.E", "Unit": "CHA", "EventCode": "0x34", "UMask": "0x20", "UMaskExt": "0x0" } ]
	END
	run -0 uncore-events encode --machine=sim:sapphire-rapids-2s --event-list=lookup.json \
		UNC_CHA_LLC_LOOKUP.ALL:e UNC_CHA_LLC_LOOKUP.ALL:E --format=json
	# The unit mask of E is part of that of ALL.
	[ "$(jq -rs 'map(.encoding) | join(" ")' <<<"${output#*hardware$'\n'}")" = "0x1fff0004ff34 0x1fff0000ff34" ]
}
