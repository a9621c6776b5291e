#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Counting the events of event lists through registers: counters, fixed and free-running counters, kinds of cores.
#
# shellcheck disable=SC1078,SC1079 # rows of commands are strings of several lines

load common
load answers

setup() {
	need jq
	cd "$BATS_TEST_TMPDIR" || return
	export UNCOREMSR_EVENTS=$BATS_TEST_TMPDIR/installed
	need_json
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

@test "an event gets a counter that its list allows, in any order of events; two that need one counter take turns" {
	local snb="uncore-read --machine=sim:sandybridge-1s,clock=stepped --route=msr --event-list=list.json"
	told 'map(select(.unit == null or .unit == 0) | [.event, .counter, .running_ns / 1000000])' <<-END
		[["ON_2",2,1000],["ON_1",1,1000],["ON_ANY",0,1000],["ON_2_3",3,1000],["cbo0/event=0x1,umask=0x0/",0,1000],["BOX_ON_1",1,1000]] | $snb --cpus=0 -e ON_2,ON_1,ON_ANY,ON_2_3 -e cbo0/event=1/ -e BOX_ON_1
		[["ON_ANY",0,1000],["ON_2_3",3,1000],["ON_1",1,1000],["ON_2",2,1000]] | $snb --cpus=0 -e '{ON_ANY,ON_2_3,ON_1,ON_2}'
		[["ON_2",2,500],["ALSO_ON_2",2,500]] | $snb --cpus=0 -e ON_2,ALSO_ON_2
		[["ON_FIXED_0",4,1000],["ON_FIXED_33",5,1000],["OLD_FIXED",5,1000]] | $snb --cpus=0 -e ON_FIXED_0,ON_FIXED_33,OLD_FIXED
	END
	told <<-'END'
		jq map(.counters)
		["0x4","0xc","0xf","0x2"] | uncore-events encode ON_2 ON_2_3 ON_ANY BOX_ON_1 --route=msr --uarch=sandybridge --event-list=list.json
		# A name from a list can also be written as pmu/NAME/, with a unit and more terms.
		jq map([.event, .unit, .encoding, .counter])
		[["BOX_ON_1",null,"0x401134",1],["cbo1/BOX_ON_1,edge/",1,"0x441134",1],["cbo0/BOX_ON_1,cmask=0x2/",0,"0x2401134",1]] | uncore-read --machine=sim:sandybridge-1s,clock=stepped --event-list=list.json -e cbo/BOX_ON_1/ -e cbo1/BOX_ON_1,edge/ -e uncore_cbox_0/box_on_1/:cmask=2
	END
	expect <<-END
		2 | can be counted only on counter 2 of a core | $snb -e '{ON_2,ALSO_ON_2}'
		3! | fixed counter 9, which core does not have here | $snb -e ON_FIXED_9
		3! | the event list allows only counter 1, which cannot count the event on arb | $snb -e ARB_ON_1
		2 | in the event list this event belongs to PMU cbo | $snb -e arb/BOX_ON_1/
		0 | by hand, on counter 2 of CPU 0*wrmsr -p 0 0x188 0x24302a3 | uncore-events encode ON_2 --route=msr --uarch=sandybridge --event-list=list.json
		0 | counters*2, 3 | uncore-events explain ON_2_3 --uarch=sandybridge --event-list=list.json
	END
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
	# As a download script stores them: mapfile.csv has the vendor's file names, but the files have other names.
	mkdir kept
	cp map/mapfile.csv kept/
	cp map/ADL/events/big.json kept/GenuineIntel-6-97-hybridcore-Core.json
	cp map/ADL/events/small.json kept/GenuineIntel-6-97-hybridcore-Atom.json
	echo '[{"EventName":"BOTH","EventCode":"0x11","Unit":"cpu_core","Counter":"1"},
		{"EventName":"BIG","EventCode":"0x12","Unit":"cpu_core"},
		{"EventName":"BOTH","EventCode":"0x21","Unit":"cpu_atom","Counter":"0"},
		{"EventName":"SMALL","EventCode":"0x22","Unit":"cpu_atom"}]' >units.json
}

# on_cores [MACHINE]: read rows "RESULT | EVENT LIST...". Count EVENT with these lists on MACHINE, or on an Alder Lake
# (CPUs 0-15 are P-cores). RESULT has event, selector, cores and counter.
on_cores() {
	local row lists words machine=${1-sim:alderlake-hybrid}
	while IFS= read -r row; do
		read -ra words <<<"${row##*" | "}"
		lists=${words[*]:1}
		echo "${row%" | "*} | uncore-read --machine=$machine,clock=stepped --route=msr --per-core -e ${words[0]} --event-list=${lists// / --event-list=}"
	done | told 'group_by(.event) | map("\(.[0].event) \(.[0].encoding) \(map(.core) | min)-\(map(.core) | max) \(.[0].counter)")'
}

@test "the list of one kind of core counts on cores of that kind only; a name of both lists is two events" {
	kinds_of_lists
	# The result is the same for each form of list, and the printed names are accepted as events.
	local big='["BIG 0x430012 0-28 0"]' small='["SMALL 0x430022 32-39 0"]'
	local both='["cpu_atom/BOTH/ 0x430021 32-39 0","cpu_core/BOTH/ 0x430011 0-28 1"]'
	on_cores <<-END
		$big | BIG map/ADL/events/big.json
		$small | SMALL map/ADL/events/small.json
		$big | BIG new_goldencove_core.json
		$small | SMALL GenuineIntel-6-97-2-hybridcore-Atom.json
		$small | SMALL kept/GenuineIntel-6-97-hybridcore-Atom.json
		$both | BOTH kept
		$big | BIG units.json
		$small | SMALL units.json
		$both | BOTH units.json
		$both | BOTH map/ADL/events/small.json map/ADL/events/big.json
		$both | cpu_atom/BOTH/,cpu_core/BOTH/ units.json
		["cpu_core/BOTH/u 0x410011 0-28 1"] | cpu_core/BOTH/u units.json
		["cpu_atom/BOTH/:u 0x410021 32-39 0","cpu_core/BOTH/:u 0x410011 0-28 1"] | BOTH:u units.json
		["cpu_atom/cycles/ 0x30 32-39 7"] | cpu_atom/cycles/ units.json
	END
	fails_with 2 "the event lists do not have this event for this kind of core" uncore-read --route=msr \
		--machine=sim:alderlake-hybrid --event-list=units.json -e cpu_atom/BIG/
	local on="--machine=sim:alderlake-hybrid --event-list=units.json"
	told <<-END
		jq map(.pmu + " " + .terms)
		["cpu_core event=0x11","cpu_atom event=0x21"] | uncore-events explain both $on
		["cpu_core event=0x11"] | uncore-events explain cpu_core/BOTH/ $on
		["cpu_atom event=0x21"] | uncore-events explain cpu_atom/BOTH/ $on
		["cpu_core event=0x11","cpu_atom event=0x21"] | uncore-events list BOTH $on
		["cpu_atom event=0x21"] | uncore-events list cpu_atom/BOTH/ $on
		jq map(.pmu)
		["cpu_core","cpu_atom+cpu_core"] | uncore-read --machine=sim:alderlake-hybrid,clock=stepped --event-list=units.json -e BIG,BOTH
	END
	expect <<-END
		2 | no event of that name; did you mean BIG | uncore-events explain cpu_atom/BIG/ $on
	END
}

@test "on Arrow Lake-H the low-power E-cores are a kind of their own, with the codes of their own list" {
	# Cores 0 to 3 are P-cores (CPUs 0 to 7), 16 and 17 E-cores, 18 and 19 low-power E-cores (CPUs 10 and 11).
	sed -e 's/0x000a06a4/0x000c0652/' -e 's/^uncore = .*/uncore = arrowlake/' \
		-e 's/^leaf = 0x1a 0 0x20000002.*/leaf = 0x1a 0 0x20000003 0 0 0 cpus=8-9\nleaf = 0x1a 0 0x20000002 0 0 0 cpus=10-11/' \
		"$TOP/lib/sim/machines/meteorlake.sim" >arl-h
	mkdir lists
	printf '%s\n' 'Family-model,Version,Filename,EventType,Core Type,Native Model ID,Core Role Name' \
		'GenuineIntel-6-C5,1,/e.json,hybridcore,0x20,0x000003,Atom' \
		'GenuineIntel-6-C5,1,/low.json,hybridcore,0x20,0x000002,LowPower_Atom' \
		'GenuineIntel-6-C5,1,/p.json,hybridcore,0x40,0x000003,Core' >lists/mapfile.csv
	echo '[{"EventName":"ALL","EventCode":"0x11"}]' >lists/p.json
	echo '[{"EventName":"ALL","EventCode":"0x21"},{"EventName":"SMALL","EventCode":"0x22"}]' >lists/e.json
	echo '[{"EventName":"ALL","EventCode":"0x31"},{"EventName":"LOW","EventCode":"0x32"}]' >lists/low.json
	cp lists/low.json arrowlake_crestmont_core.json
	cp lists/low.json GenuineIntel-6-C5-0-hybridcore-LowPower_Atom.json
	echo '[{"EventName":"LOW","EventCode":"0x32","Unit":"cpu_lowpower"}]' >units.json
	on_cores sim:./arl-h <<-'END'
		["cpu_atom/ALL/ 0x430021 16-17 0","cpu_core/ALL/ 0x430011 0-3 0","cpu_lowpower/ALL/ 0x430031 18-19 0"] | ALL lists
		["SMALL 0x430022 16-17 0"] | SMALL lists
		["LOW 0x430032 18-19 0"] | LOW lists
		["LOW 0x430032 18-19 0"] | LOW lists/low.json
		["LOW 0x430032 18-19 0"] | LOW arrowlake_crestmont_core.json
		["LOW 0x430032 18-19 0"] | LOW GenuineIntel-6-C5-0-hybridcore-LowPower_Atom.json
		["LOW 0x430032 18-19 0"] | LOW units.json
	END
	told <<-'END'
		jq map([.name, .pmu])
		[["LOW","cpu_lowpower"]] | uncore-events list LOW --machine=sim:./arl-h --event-list=lists
		[["SMALL","cpu_atom"]] | uncore-events list SMALL --machine=sim:./arl-h --event-list=lists
		jq .[] | [.perf, (.pcm // "none" | split("/")[0]), ([.commands[] | scan("-p ([0-9]+) ")[]] | unique)]
		["cpu_lowpower/r3c/","none",["10"]] | uncore-events encode cpu_lowpower/r3c/ --route=msr --machine=sim:./arl-h
		["cpu_lowpower/cycles/","thread_msr",["10"]] | uncore-events encode cpu_lowpower/cycles/ --route=msr --machine=sim:./arl-h
		["cpu_atom/r3c/","atom",["8"]] | uncore-events encode cpu_atom/r3c/ --route=msr --machine=sim:./arl-h
	END
	run -0 uncore-events decode core/raw=0x430032/ --machine=sim:./arl-h --event-list=lists
	[[ $output == *"LOW"*"low-power E cores"* ]]
	expect <<-'END'
		0 | pcm-raw  none: pcm-raw programs all E-cores alike | uncore-events encode cpu_lowpower/r3c/ --route=msr --machine=sim:./arl-h
	END
}

@test "unit masks are not combined with the codes of another kind of core; names keep the spelling of their list" {
	mkdir lists
	printf '%s\n' 'Family-model,Version,Filename,EventType,Core Type' 'GenuineIntel-6-97,1,/big.json,hybridcore,0x40' \
		'GenuineIntel-6-97,1,/small.json,hybridcore,0x20' 'GenuineIntel-6-97,1,/odd.json,hybridcore,0x60' >lists/mapfile.csv
	echo '[{"EventName":"MEM.A_B","EventCode":"0x6","UMask":"0x1"},{"EventName":"MEM.C","EventCode":"0x6","UMask":"0x2"},
		{"EventName":"BIG.A","EventCode":"0x8","UMask":"0x1"},{"EventName":"BIG.C","EventCode":"0x8","UMask":"0x2"}]' >lists/big.json
	echo '[{"EventName":"MEM.A.B","EventCode":"0x7","UMask":"0x4"},{"EventName":"PLAIN","EventCode":"0x9"}]' >lists/small.json
	echo '[{"EventName":"ODD","EventCode":"0xa"}]' >lists/odd.json
	cp lists/small.json arrowlake_crestmont_core.json
	local own="unit masks cannot be combined for several core types"
	local each="count each unit mask as an event: cpu_core/NAME.MASK/, cpu_"
	local m=--machine=sim:alderlake-hybrid l=--event-list=lists
	expect <<-END
		3! | $own*${each}atom/NAME.MASK/ & !cpu_lowpower | uncore-events encode $m $l --route=msr MEM.A_B:C
		3! | $own*${each}atom/NAME.MASK/ & !cpu_lowpower | uncore-events encode $m $l --route=perf MEM.A_B:C
		3! | $own*${each}lowpower/NAME.MASK/ | uncore-events encode $m --event-list=lists/big.json --event-list=arrowlake_crestmont_core.json --route=msr MEM.A_B:C
		0 | BIG.A:C: 0x430308 | uncore-events encode $m $l --route=msr BIG.A:C
		0 | cpu_core/MEM.A_B/: 0x430106*cpu_atom/MEM.A.B/: 0x430407 | uncore-events encode $m $l --route=msr MEM.A_B
		0 | UNC_Q_PLAIN:PMC0: 0x410009 | uncore-events encode $m $l --route=msr UNC_Q_PLAIN:PMC0
		3! | the event list has this event for cores of type 0x60 | uncore-events encode $m $l --route=msr ODD
		3! | the event list has this event for cores of type 0x60 | uncore-events encode $m $l --route=perf ODD
	END
}

@test "for core events a list's codes and kind of core take precedence over the tables" {
	echo '[{"EventName":"TOPDOWN_FE_BOUND.ALL","EventCode":"0x71"},
		{"EventName":"INST_RETIRED.ANY","EventCode":"0x00","UMask":"0x01","Counter":"Fixed counter 0"},
		{"EventName":"LONGEST_LAT_CACHE.MISS","EventCode":"0x2e","UMask":"0x41"}]' >old_gracemont_core.json
	echo '[{"EventName":"TOPDOWN_FE_BOUND.ALL","EventCode":"0x99"}]' >old_goldencove_core.json
	# A name without a PMU is counted only on cores of the type whose list has it. With the PMU of the other type,
	# the codes are those of the tables (LONGEST_LAT_CACHE.MISS).
	on_cores <<-'END'
		["INST_RETIRED.ANY 0x3 32-39 6","LONGEST_LAT_CACHE.MISS 0x43412e 32-39 1","TOPDOWN_FE_BOUND.ALL 0x430071 32-39 0"] | TOPDOWN_FE_BOUND.ALL,INST_RETIRED.ANY,LONGEST_LAT_CACHE.MISS old_gracemont_core.json
		["cpu_atom/TOPDOWN_FE_BOUND.ALL/ 0x430071 32-39 0"] | cpu_atom/TOPDOWN_FE_BOUND.ALL/ old_gracemont_core.json
		["core/TOPDOWN_FE_BOUND.ALL/ 0x430071 32-39 0"] | core/TOPDOWN_FE_BOUND.ALL/ old_gracemont_core.json
		["cpu_core/LONGEST_LAT_CACHE.MISS/ 0x43412e 0-28 0"] | cpu_core/LONGEST_LAT_CACHE.MISS/ old_gracemont_core.json
		["cpu_atom/TOPDOWN_FE_BOUND.ALL/ 0x430071 32-39 0","cpu_core/TOPDOWN_FE_BOUND.ALL/ 0x430099 0-28 0"] | TOPDOWN_FE_BOUND.ALL old_goldencove_core.json old_gracemont_core.json
	END
}

@test "for an unknown name, similar ones of the list, the kernel and fixed counters are suggested on both routes" {
	local route
	cat >near.json <<-'END'
	[ { "EventName": "UNC_CHA_CLOCKTICKS", "Unit": "CHA", "EventCode": "0x00", "UMask": "0x00" },
	  { "EventName": "UNC_CHA_TOR_INSERTS.IA_MISS", "Unit": "CHA", "EventCode": "0x35", "UMask": "0x21" } ]
	END
	local on="--machine=sim:skylake-sp-perf --event-list=near.json" rows
	for route in msr perf; do
		# A name with a missing letter, a part of a name, a name with one wrong word, and a name known only to
		# the kernel.
		rows+="2 | did you mean UNC_CHA_CLOCKTICKS | uncore-read --route=$route $on -e UNC_CHA_CLOCKTICK
			2 | did you mean UNC_CHA_TOR_INSERTS.IA_MISS | uncore-read --route=$route $on -e TOR_INS
			2 | did you mean UNC_CHA_TOR_INSERTS.IA_MISS | uncore-read --route=$route $on -e UNC_CHA_TOR_INSERTS.IO_MISS
			2 | did you mean uncore_imc/clockticks/ | uncore-read --route=$route $on -e CLOCKTICK"$'\n'
	done
	expect <<-END
		$rows
		2 | did you mean iio_free_running/bw_in_port0/ | uncore-read --route=msr --machine=sim:skylake-sp-2s -e bw_in_port
	END
}

@test "libpfm4's and likwid's names work for events that only the kernel counts; unit masks are or-ed" {
	cat >imc.json <<-'END'
	[ { "EventName": "UNC_M_CAS_COUNT.RD", "Unit": "iMC", "EventCode": "0x04", "UMask": "0x03", "BriefDescription": "Reads" },
	  { "EventName": "UNC_M_CAS_COUNT.WR", "Unit": "iMC", "EventCode": "0x04", "UMask": "0x0c" },
	  { "EventName": "UNC_M_ACT_COUNT.WR", "Unit": "iMC", "EventCode": "0x01", "UMask": "0x02" },
	  { "EventName": "UNC_CHA_TOR_INSERTS.IA_MISS", "Unit": "CHA", "EventCode": "0x35", "UMask": "0x21" },
	  { "EventName": "UNC_CHA_TOR_INSERTS.IA_HIT", "Unit": "CHA", "EventCode": "0x35", "UMask": "0x11" } ]
	END
	local kernel="--machine=sim:skylake-sp-perf,clock=stepped --event-list=imc.json" msr="--machine=sim:skylake-sp-2s --event-list=imc.json"
	# In likwid's spelling the unit is used, but the kernel chooses the counter. A unit mask of another event is
	# refused. Rows with $msr encode such names for registers.
	expect <<-END
		0 | units *uncore_imc_0 *config 0x304 | uncore-events encode $kernel skx_unc_imc0::UNC_M_CAS_COUNT:RD
		0 | units *uncore_imc_3 *config 0x304 | uncore-events encode $kernel skx_unc_imc3::UNC_M_CAS_COUNT:RD:e=0:i=0:t=0
		0 | units *uncore_imc_1 *config 0x3040f04 | uncore-events encode $kernel skx_unc_imc1::UNC_M_CAS_COUNT:RD:WR:e=1:t=3
		0 | units *uncore_imc_0 *config 0xf04 | uncore-events encode $kernel UNC_M_CAS_COUNT:RD:WR
		0 | units *uncore_imc_1 *config 0x40304 | uncore-events encode $kernel skx_unc_imc1::UNC_M_CAS_COUNT:RD:e
		0 | units *uncore_cha_2 *config 0x3135 | uncore-events encode $kernel skx_unc_cha2::UNC_C_TOR_INSERTS:IA_MISS:IA_HIT
		0 | units *uncore_imc_4 *config 0x304 | uncore-events encode $kernel CAS_COUNT_RD:MBOX4C0
		0 | units *uncore_imc_1 *config 0x5040c04 | uncore-events encode $kernel UNC_M_CAS_COUNT.WR:MBOX1C2:EDGEDETECT:THRESHOLD=0x5
		3! | this kernel has no PMU 'uncore_imc_9' | uncore-read $kernel -e CAS_COUNT_RD:MBOX9C0
		2 | unknown modifier 'CBOX0C0' | uncore-read $kernel -e UNC_M_CAS_COUNT.RD:CBOX0C0
		0 | IA_HIT: 0x403135 | uncore-events encode $msr skx_unc_cha2::UNC_C_TOR_INSERTS:IA_MISS:IA_HIT
		3! | this kernel has no PMU 'uncore_imc_9' | uncore-read $kernel --route=perf -e skx_unc_imc9::UNC_M_CAS_COUNT:RD
		2 | unknown modifier 'RD' | uncore-read $kernel -e UNC_M_ACT_COUNT:WR:WR:RD
		2 | unknown modifier | uncore-read $kernel -e UNC_M_CAS_COUNT:RD:ACT
		2 | in the event list this event belongs to PMU uncore_imc | uncore-read $kernel --route=perf -e skx_unc_cha0::UNC_M_CAS_COUNT:RD
		2 | 'uncore_imc_0' has no term or event 'filter_state' | uncore-events encode $kernel skx_unc_imc0::UNC_M_CAS_COUNT:RD:STATE_M
		0 | UNC_M_CAS_COUNT.RD: event*  counts      Reads | uncore-events explain $msr skx_unc_imc0::UNC_M_CAS_COUNT:RD
		0 | UNC_M_CAS_COUNT.RD: event*  counts      Reads | uncore-events explain $msr skx_unc_imc1::UNC_M_CAS_COUNT:RD:e=1
		0 | UNC_M_CAS_COUNT.RD: event*  counts      Reads | uncore-events explain $msr uncore_imc/UNC_M_CAS_COUNT.RD/
		0 | UNC_CHA_TOR_INSERTS.IA_MISS: event | uncore-events explain $msr skx_unc_cha0::UNC_C_TOR_INSERTS:IA_MISS
		0 | UNC_CHA_TOR_INSERTS.IA_MISS: event | uncore-events explain $msr TOR_INSERTS_IA_MISS:CBOX2C1
		2 | 'UNC_M_CAS_COUNT:RD:WR': one name at a time | uncore-events explain $msr UNC_M_CAS_COUNT:RD:WR
	END
	told 'length > 0 and all(.[]; .pmu == "uncore_imc_1" and .value != null and .route == "perf")' <<-END
		true | uncore-read $kernel -e skx_unc_imc1::UNC_M_CAS_COUNT:RD
	END
}

@test "numbers and truth values without quotes, and numbers beside white space, are accepted" {
	cat >"$BATS_TEST_TMPDIR/bare.json" <<-'END'
	[ { "EventName": "UNC_CHA_BARE", "Unit": "CHA", "EventCode": 53, "UMask": 33, "EdgeDetect": true },
	  { "EventName": "UNC_CHA_BLANK", "Unit": "CHA", "EventCode": " \t0x36 ,0x37", "UMask": "\n0x2" },
	  { "EventName": "UNC_CHA_OLD", "Unit": "CHA", "EventCode": "0x35", "UMask": "0x21", "Deprecated": true },
	  { "EventName": "UNC_CHA_OLDER", "Unit": "CHA", "EventCode": "0x35", "UMask": "0x21", "Deprecated": 1 } ]
	END
	# Deprecated names are not listed.
	expect <<-'END'
		0 | uncore_cha/event=0x35,umask=0x21,edge, & !null | uncore-events encode --machine=sim:skylake-sp-2s --event-list=bare.json UNC_CHA_BARE
		0 | uncore_cha/event=0x36,umask=0x2, | uncore-events encode --machine=sim:skylake-sp-2s --event-list=bare.json UNC_CHA_BLANK
		0 | UNC_CHA_BARE & !UNC_CHA_OLD | uncore-events list --machine=sim:skylake-sp-2s --event-list=bare.json 'UNC_CHA_*'
	END
}

@test "an entry with an invalid value is left out, and its line is named" {
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
	line 5: UNC_CHA_WIDE_CODE: EventCode '309' does not fit into 8 bits
	line 6: UNC_CHA_HALF: EventCode is not a number that a register can hold
	line 7: UNC_CHA_BELOW: EventCode is not a number that a register can hold
	line 8: UNC_CHA_NO_CODE: the entry has no EventCode
	line 9: UNC_CHA_EDGE: EdgeDetect '2' does not fit into 1 bit
	line 10: the entry has no EventName
	line 11: the entry has no EventName
	10 entries of the event lists are left out
	END
	# A file in which every entry is wrong is still accepted as an event list.
	echo '[{ "EventName": "ALL_WRONG", "EventCode": "?" }]' >all.json
	# Events of wrong entries are not counted on any route or in any spelling. Without --verbose the first wrong
	# entry and the number of wrong entries are reported.
	local route name rows
	for route in msr perf; do
		for name in UNC_CHA_WIDE cha/UNC_CHA_WIDE/ unc_cha_wide:edge=1; do
			rows+="2 | wrong.json: line 4: UNC_CHA_WIDE: UMask '0x121' does not fit into 8 bits | uncore-events encode --route=$route ${how[*]} $name"$'\n'
		done
	done
	expect <<-END
		$rows
		0 | line 2: UNC_CHA_TORN*10 entries of the event lists are left out; --verbose & !UNC_CHA_BARE_WORD | uncore-events list ${how[*]}
		2 | wrong.json: line 2: UNC_CHA_TORN: EventCode '0xZZ' is not a number | uncore-events list ${how[*]} UNC_CHA_TORN
		2 | wrong.json: line 2: UNC_CHA_TORN: EventCode '0xZZ' is not a number | uncore-events explain ${how[*]} UNC_CHA_TORN
		2 | wrong.json: line 8: UNC_CHA_NO_CODE: the entry has no EventCode | uncore-read ${how[*]} -e UNC_CHA_NO_CODE
		0 | all.json: line 1: ALL_WRONG*1 entry of the event lists is left out | uncore-events list --machine=sim:skylake-sp-2s --event-list=all.json
	END
}

@test "import says how many entries of the lists will be left out" {
	mkdir -p from/X/events
	echo '[{ "EventName": "A", "EventCode": "0x1" }, { "EventName": "B", "EventCode": "one" }]' >from/X/events/x.json
	printf '%s\n' 'Family-model,Version,Filename,EventType' 'GenuineIntel-6-55,1,/X/events/x.json,core' >from/mapfile.csv
	expect <<-'END'
		0 | to: 1 event list, *1 entry in them will be left out | uncore-events import from --to=to/
		0 | "left_out":1, | uncore-events import from --to=to --format=json
	END
}

@test "after a name of a list, a lower-case letter is a modifier, an upper-case letter a unit mask" {
	cat >lookup.json <<-'END'
	[ { "EventName": "UNC_CHA_LLC_LOOKUP.ALL", "Unit": "CHA", "EventCode": "0x34", "UMask": "0xff", "UMaskExt": "0x1fff" },
	  { "EventName": "UNC_CHA_LLC_LOOKUP.E", "Unit": "CHA", "EventCode": "0x34", "UMask": "0x20", "UMaskExt": "0x0" } ]
	END
	run -0 uncore-events encode --machine=sim:sapphire-rapids-2s --event-list=lookup.json \
		UNC_CHA_LLC_LOOKUP.ALL:e UNC_CHA_LLC_LOOKUP.ALL:E --format=json
	# The unit mask of E is part of that of ALL.
	[ "$(jq -rs 'map(.encoding) | join(" ")' <<<"${output#*hardware$'\n'}")" = "0x1fff0004ff34 0x1fff0000ff34" ]
}

@test "a name with control characters is escaped and complete, also in a line without a value" {
	cat >escape.json <<-'END'
	[ { "EventName": "UNC_C_\u001b[31mRED_\u001b[31mLOOKUPS", "Unit": "CBO", "EventCode": "0x34", "UMask": "0x3" } ]
	END
	run -1 uncore-read --machine=sim:alderlake-hybrid,clock=stepped,fail=read:0x2000-0x2100:EIO:after=150 \
		--event-list=escape.json -e $'UNC_C_\x1b[31mRED_\x1b[31mLOOKUPS' -i 0.1 -n 4
	[[ $output == *' UNC_C_\033[31mRED_\033[31mLOOKUPS unknown ('* ]]
}

# The limit is on CPU time, which does not depend on other processes. Reading the list takes 0.1 s of it; with an
# algorithm of quadratic time it took 16 s.
@test "a list in which 60000 events have the same name is read in linear time" {
	{ printf '[{"EventName":"A","EventCode":"1"}' && printf ',{"EventName":"A","EventCode":"%d"}' {2..60000} && printf ']'; } >same.json
	ulimit -t 8
	run -2 uncore-events --machine=sim:sandybridge-1s --event-list=same.json encode UNC_CBO_CACHE_LOKUP.ANY_M
	[[ $output == *"did you mean UNC_CBO_CACHE_LOOKUP.ANY_M"* ]]
}
