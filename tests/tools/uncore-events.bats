#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Events by any name, and explanations of any code.
#
# Tables of commands are quoted strings of several lines.
# shellcheck disable=SC2034,SC1078,SC1079

load common
load mounted
load answers

setup() {
	need jq
}

teardown() {
	unserve
}

# json FILTER ARG...: print the result of the filter on the JSON output for Westmere.
json() {
	uncore-events --uarch=westmere "${@:2}" --format=json | jq -rc "$1"
}

wsm() {
	uncore-events --uarch=westmere "$@"
}

@test "list shows codes, PMU, kind and sources, under any name or pattern; without tables it says where names are" {
	told <<-'END'
		jq .[] | [.name,.pmu,.event_select,.umask,.encoding,.kind,.class,.sources,.contradictions]
		["UNC_PROCHOT_ASSERTION","uncore","0x82","0x1","0x420182","count","uncore model-specific",["sdm","freebsd","likwid"],[{"source":"libpfm4","event_select":"0x82","umask":"0x0"}]] | uncore-events list --uarch=westmere UNC_PROCHOT_ASSERTION
		jq [.[] | [.name,.event_select,.umask,.encoding]]
		[["UNC_CLK_UNHALTED",null,null,"0x1"]] | uncore-events list --uarch=westmere clockticks
		[["UNC_L3_HITS.READ","0x8","0x1","0x420108"]] | uncore-events list --uarch=westmere UNC_LLC_HITS:READ
		# Names can be patterns, or spellings of other tools.
		jq [length, .[0].name]
		[4,"UNC_THERMAL_THROTTLED_TEMP.CORE_0"] | uncore-events list --uarch=westmere 'unc_thermal_throttl*_temp.core_[0,3]'
	END
	expect <<-'END'
		0 | =SIMULATED* | uncore-events list UNC_PROCHOT_ASSERTION --machine=sim:westmere-2s
		0 | power/energy-pkg/*event lists of this processor's vendor: --event-list=FILE, or*import | uncore-events list --machine=sim:zen-1s
		3 | not the names of their events | uncore-events list --uarch=zen3
		2 | nonsense*nehalem, westmere | uncore-events list --uarch=nonsense
		0 | UNC_PROCHOT_ASSERTION | uncore-events decode 0x420182 --machine=sim:generic
		0 | UNC_PROCHOT_ASSERTION | uncore-events explain UNC_PROCHOT_ASSERTION --machine=sim:generic
		0 | UNC_CBO_CACHE_LOOKUP.READ_M | uncore-events explain UNC_CBO_CACHE_LOOKUP.READ_M --machine=sim:generic
		0 | arb/UNC_ARB_TRK_REQUESTS.ALL/*0x81:0x01 | uncore-events list --uarch=haswell
		0 | FVC_EV1.BBOX_CMDS_READS | uncore-events list 'FVC_EV[0-1].BBOX*' --uarch=nehalem-ex
	END
}

@test "encode of an event of one kind of core: commands for a CPU of that kind, and its name for perf" {
	local m=--machine=sim:alderlake-hybrid other=--machine=sim:icelake-sp-2s
	# CPUs 0 to 15 are P-cores, 16 to 23 E-cores.
	cd "$BATS_TEST_TMPDIR"
	sed '/^leaf = 0x1a/d' "$TOP/lib/sim/machines/alderlake-hybrid.sim" >no-types
	# E-cores alone, as on Alder Lake-N: without the hybrid bit.
	sed -e 's/0xfc18c410/0xfc184410/' -e 's/^leaf = 0x1a 0 0x40000001/leaf = 0x1a 0 0x20000001/' \
		"$TOP/lib/sim/machines/alderlake-hybrid.sim" >one-kind
	told <<-END
		jq .[] | [.perf, .pcm, ([.commands[] | scan("-p ([0-9]+) ")[]] | unique)]
		["cpu_atom/r3c/","atom/config=0x43003c,name=cpu_atom.CPU_CLK_UNHALTED.THREAD_P",["16"]] | uncore-events encode cpu_atom/r3c/ --route=msr $m
		["cpu_atom/r3c/","atom/config=0x43003c,name=cpu_atom.CPU_CLK_UNHALTED.THREAD_P",["20"]] | uncore-events encode cpu_atom/r3c/ --route=msr $m,offline=16-19
		["cpu_atom/r3c/","atom/config=0x43003c,name=cpu_atom.CPU_CLK_UNHALTED.THREAD_P",[]] | uncore-events encode cpu_atom/r3c/ --route=msr $m,offline=16-23
		["cpu_core/r3c/u","core/config=0x41003c,name=cpu_core.CPU_CLK_UNHALTED.THREAD_P.u",["0"]] | uncore-events encode cpu_core/r3c/u --route=msr $m
		["cpu_atom/instructions/","thread_msr/config=0x309,config1=1,name=cpu_atom.instructions",["16"]] | uncore-events encode cpu_atom/instructions/ --route=msr $m
		["r3c","core/config=0x43003c,name=core.CPU_CLK_UNHALTED.THREAD_P",["0"]] | uncore-events encode core/r3c/ --route=msr $m
		# If no CPU of that kind is known, no commands are printed.
		["cpu_atom/r3c/","atom/config=0x43003c,name=cpu_atom.CPU_CLK_UNHALTED.THREAD_P",[]] | uncore-events encode cpu_atom/r3c/ --uarch=alderlake
		# Where CPUID gives no core type uncore-read counts the event on every CPU. The kernel has one core PMU.
		["r3c","core/config=0x43003c,name=cpu_core.CPU_CLK_UNHALTED.THREAD_P",["0"]] | uncore-events encode cpu_core/r3c/ --route=msr $other
		["r3c","core/config=0x43003c,name=cpu_atom.CPU_CLK_UNHALTED.THREAD_P",["0"]] | uncore-events encode cpu_atom/r3c/ --route=msr $other
		["r3c","core/config=0x43003c,name=cpu_core.CPU_CLK_UNHALTED.THREAD_P",["0"]] | uncore-events encode cpu_core/r3c/ --route=msr --machine=sim:./no-types
		["r3c","core/config=0x43003c,name=cpu_atom.CPU_CLK_UNHALTED.THREAD_P",["0"]] | uncore-events encode cpu_atom/r3c/ --route=msr --machine=sim:./one-kind
		["cpu_core/r3c/","core/config=0x43003c,name=cpu_core.CPU_CLK_UNHALTED.THREAD_P",[]] | uncore-events encode cpu_core/r3c/ --route=msr --machine=sim:./one-kind
	END
	expect <<-END
		0 | by hand, on counter 0 of CPU 16 (bash, as root) | uncore-events encode cpu_atom/r3c/ --route=msr $m
		0 | by hand: no CPU of this kind of core is known here | uncore-events encode cpu_atom/r3c/ --uarch=alderlake
	END
}

@test "encode knows units, filters and fixed counters of boxes; its commands write registers of the right unit" {
	told <<-'END'
		jq .[] | [.name,.pmu,.encoding,.counters,.extra_register,.extra_value,.perf]
		["cbo3/UNC_CBO_CACHE_LOOKUP.READ_M/","cbo","0x401134","0x3",null,null,"uncore_cbox_3/config=0x1134/"] | uncore-events encode cbo3/event=0x34,umask=0x11/ --uarch=sandybridge
		["clock/UNC_CLOCK.SOCKET/","clock","0x400000",null,null,null,"uncore_cbox_0/clockticks/"] | uncore-events encode clockticks --uarch=skylake
		["mbox/FVC_EV0.BBOX_CMDS_READS/","mbox","0x1a41","0x3f","0xcab","0x5000","uncore_mbox/inc_sel=0xd,wrap_mode,fvc=0x5000/"] | uncore-events encode FVC_EV0.BBOX_CMDS_READS --uarch=westmere-ex
		["bbox/DRSQ_INSERTS/","bbox","0x13","0x2",null,null,"uncore_bbox/config=0x12,counter=1/"] | uncore-events encode bbox/DRSQ_INSERTS/ --uarch=nehalem-ex
		# The bit that enables all boxes is set, and not cleared afterwards, because other programs may need it.
		jq .[].commands | [index("wrmsr -p 0 0x730 0x400034") != null, index("rdmsr -p 0 0x736") != null,
		jq (map(select(test("wrmsr -p 0 0x391 .*\\| 0x20000000"))) | length), any(test("wrmsr -p 0 0x391 .*& ~"))]
		[true,true,1,false] | uncore-events encode cbo3/event=0x34/ --uarch=sandybridge
		# The unit's own counter and gate are used, and extra registers are written before the selector.
		jq .[].commands | [(map(select(test("0xce6 0x100|0xcea 0x501|0xcf0 0x1441"))) | length),
		jq (map(select(test("^wrmsr .* 0x(ce6|cea|cf0) 0x[1-9]"))) | last)]
		[3,"wrmsr -p 0 0xcf0 0x1441"] | uncore-events encode mbox1/DRAM_CMD.CAS_RD_CLS_WRPRIO/ --uarch=nehalem-ex
		# Two fields of a filter register are written as one value; a free-running counter is only read.
		jq .[].commands | [(map(select(test("0xc32 0x13$|rdmsr -p 0 0xc20\\) \\| 0x2|wrmsr -p 0 0xd1a .*\\| 0x18200003"))) | length),
		jq if length == 1 then .[0] else null end]
		[2,null] | uncore-events encode bbox/DRSQ_INSERTS/ --uarch=nehalem-ex
		[1,null] | uncore-events encode cbo/event=0x35,umask=0x41,filter_opc=0x182,filter_nid=0x3/ --uarch=ivybridge-ep
		[0,"rdmsr -p 0 0xaa0"] | uncore-events encode iio_free_running/bw_in_port0/ --uarch=icelake-sp
		# The PCU's occ_edge has wrong bits in the kernel's format file, so config words are printed instead.
		# Linux writes filter_link for event 0x35 with unit mask 0x1 only, so event 0x31 has no form for perf.
		jq .[].perf
		"uncore_cbox/event=0x34,umask=0x11,filter_state=0x7f/" | uncore-events encode cbo/event=0x34,umask=0x11/ --machine=sim:haswell-ep-2s
		"uncore_cha_3/event=0x35,umask=0x21,filter_rem,filter_loc,filter_all_op,filter_nm,filter_not_nm/" | uncore-events encode cha3/event=0x35,umask=0x21/ --machine=sim:skylake-sp-2s
		"uncore_bbox/event=0x4,match=0x1,counter=2/" | uncore-events encode bbox/event=0x4,counter=2,match=0x1/ --machine=sim:nehalem-ex-4s
		"uncore_pcu/config=0x8000000b,config1=0xc/" | uncore-events encode pcu/event=0xb,filter_band0=0xc,occ_edge/ --machine=sim:haswell-ep-2s
		null | uncore-events encode cbo/event=0x31,umask=0x10,filter_link=1/ --machine=sim:haswell-ep-2s
	END
	expect <<-'END'
		0 | 0x402134 | uncore-events encode cha/event=0x34,umask=0x21/ --uarch=skylake-sp
		2 | units 0 to 3 | uncore-events encode cbo9/event=1/ --uarch=sandybridge
		3 | uncore_imc | uncore-events encode imc/event=1/ --uarch=sandybridge
		0 | perf     none: Linux's driver would change the event's filter | uncore-events encode cbo/event=0x31,umask=0x10,filter_link=1/ --machine=sim:haswell-ep-2s
	END
}

@test "codes without a PMU are explained with one; explain shows the counters and second register of a box event; search ignores case and order" {
	expect <<-'END'
		2 | (cbo, arb): write PMU/raw=0x400134/ | uncore-events decode 0x400134 --uarch=haswell
		2 | (cbo, arb): write PMU/raw=0x400134/ | uncore-events explain 0x400134 --uarch=haswell
		0 | UNC_CBO_1_PERFEVTSEL0*UNC_CBO_CACHE_LOOKUP.READ_M | uncore-events decode cbo1/raw=0x401134/ --uarch=haswell
		0 | UNC_CBO_1_PERFEVTSEL0*UNC_CBO_CACHE_LOOKUP.READ_M | uncore-events explain cbo1/raw=0x401134/ --uarch=haswell
		0 | UNC_CBO_1_PERFEVTSEL0*UNC_CBO_CACHE_LOOKUP.READ_M | uncore-events explain cbo1/config=0x401134/ --uarch=haswell
		2 | cbo/event=0x34,umask=0x11/ | uncore-events encode 0x34:0x11 --uarch=haswell
		0 | UNC_CBO_CACHE_LOOKUP.READ_M | uncore-events decode 0x401134 --uarch=haswell --register=UNC_CBO_1_PERFEVTSEL1
		0 | general counter 0 only, 44 bits | uncore-events explain UNC_ARB_TRK_OCCUPANCY.ALL --uarch=haswell
		0 | fixed counter only, 48 bits | uncore-events explain UNC_CLK_UNHALTED --uarch=westmere
		0 | register 0xcab = 0x2800 & westmere-ex: the same codes, but register 0xcab = 0x5000 | uncore-events explain FVC_EV0.BBOX_CMDS_READS --uarch=nehalem-ex
		0 | R-box | uncore-events explain NULL_IDLE --uarch=nehalem-ex
		0 | UNC_THERMAL_THROTTLING_TEMP.CORE_0 | uncore-events search HOTTER core --uarch=westmere
		2 | no event or metric of westmere | uncore-events search nosuchword --uarch=westmere
	END
	told 'map(.name)' <<-'END'
		["UNC_DRAM_THERMAL_THROTTLED"] | uncore-events search dimms --uarch=westmere
	END
}

@test "encode gives one object per event, in the order asked, and spells events for perf, likwid, libpfm4 and pcm-raw" {
	told <<-'END'
		jq map([.name,.encoding] | join(" "))
		["UNC_THERMAL_THROTTLING_PROCHOT.CORE_0 0x420183","UNC_PROCHOT_ASSERTION:edge 0x460182","0x82:0x3 0x420382","UNC_TURBO_MODE.CORE_0 0x420184","UNC_TURBO_MODE.CORE_2 0x420484"] | uncore-events --uarch=westmere encode UNC_THERMAL_THROTTLING_PROCHOT.CORE_0 0x82:0x1:edge 0x82:0x3 'UNC_TURBO_MODE.CORE_[0,2]'
		["UNC_PROCHOT_ASSERTION 0x420182"] | uncore-events --uarch=westmere encode UNC_PROCHOT_ASSERTION:config1=0
		["cha/event=0x50,umask=0x0/ 0x400050"] | uncore-events --uarch=skylake-sp encode cha/event=0x50/:config1=0
		# libpfm4 sets no unit mask for PROCHOT by default, so the mask is appended; a mask without a name is
		# appended as a number. likwid has only names; "-" stands for none. On Nehalem likwid's name for the
		# QPI event means another event, so the name is not printed.
		jq .[] | [.perf,.likwid,.libpfm4,.pcm]
		["uncore/event=0x8,umask=0x1,edge,inv,cmask=0x2/","UNC_L3_HITS_READ:UPMC0:EDGEDETECT:INVERT:THRESHOLD=0x2","wsm_unc::UNC_LLC_HITS:READ:e:i:c=2","package_msr/config=0x3b0,config1=1,name=UNC_L3_HITS.READ.edge.inv.cmask.2"] | uncore-events --uarch=westmere encode UNC_L3_HITS.READ:edge:inv:cmask=2
		jq map([.perf,.likwid,.libpfm4] | map(if . == null then "-" elif startswith("uncore/event=") then "p" else . end) | join(" "))
		["p UNC_PROCHOT_ASSERTION:UPMC0 wsm_unc::UNC_PROCHOT_ASSERTION:0x1","uncore/clockticks/ UNCORE_CLOCK:UPMCFIX wsm_unc::UNC_CLK_UNHALTED","p - -","p - wsm_unc::UNC_DRAM_OPEN:0x3","p - wsm_unc::UNC_LLC_MISS:0x83:i:c=2","p - -"] | uncore-events --uarch=westmere encode UNC_PROCHOT_ASSERTION clockticks UNC_GQ_SNOOP.GOTO_S_HIT_M UNC_DRAM_OPEN:CH0:CH1 0x9:0x83:inv:cmask=2 0xfe:0x1
		["p - nhm_unc::UNC_QPI_TX_STALLED_MULTI_FLIT:LINK_0"] | uncore-events --uarch=nehalem encode UNC_QPI_TX_STALLED_MULTI_FLIT.LINK_0
		# Core events: bits of the code that we do not use are reported.
		jq map([.name,.class,.encoding,.event_select,.perf,.likwid,.pcm])
		[["core/event=0xb1,umask=0x1/u","core model-specific","0x4101b1","0xb1","r1b1:u",null,"core/config=0x4101b1,name=core.event.0xb1.umask.0x1.u"]] | uncore-events --uarch=westmere encode r5301b1:u
		[["core/event=0xb1,umask=0x1/","core model-specific","0x4301b1","0xb1","r1b1",null,"core/config=0x4301b1,name=core.event.0xb1.umask.0x1"]] | uncore-events --uarch=westmere encode r5301b1
		jq .[] | [.name,.perf,.event_select,.likwid]
		["cycles:k","cycles:k",null,null] | uncore-events --uarch=westmere encode cycles:k
		["core/cycles/u","cycles:u",null,"CPU_CLK_UNHALTED_CORE:FIXC1"] | uncore-events --uarch=westmere encode core/cycles/u
		jq .[] | [.likwid,.pcm]
		["INSTR_RETIRED_ANY:FIXC0:KERNEL","thread_msr/config=0x309,config1=1,name=core.instructions"] | uncore-events --uarch=westmere encode core/instructions/
	END
	# likwid is known not to have the last of these events on Westmere.
	expect <<-'END'
		0 | remark   bit 20 & likwid   not known here | uncore-events --uarch=westmere encode r5301b1
		0 | likwid   not known here | uncore-events encode --uarch=haswell cbo/event=0x34/
		0 | likwid   none: | uncore-events --uarch=westmere encode UNC_GQ_SNOOP.GOTO_S_HIT_E
		2 | did you mean UNC_PROCHOT_ASSERTION? | uncore-events --uarch=westmere encode UNC_PROCHOT_ASSERTION UNC_PROCHOT_ASERTION
		2 | westmere has this event | uncore-events encode UNC_PROCHOT_ASSERTION --uarch=nehalem
	END
}

@test "encode names each kind of core of a hybrid processor once" {
	need_corpus perf-sysfs
	local tree
	tree=$(sysfs_tree adl)
	told 'map(.perf) | sort' <<-END
		["cpu_atom/cycles/u","cpu_core/cycles/u"] | uncore-events encode --machine=root:$tree --route=perf cycles:u
	END
	expect <<-END
		0 | -e cpu_atom/L1-dcache-loads/,cpu_core/L1-dcache-loads/ | uncore-events encode --machine=root:$tree --route=perf L1-dcache-loads
	END
}

@test "the commands of encode count on a machine, keep others' enable bits, and switch off again" {
	need jq rdmsr wrmsr
	need_witness
	serve westmere-2s,rate=0x82:0x1=100000,busy=5
	json '.commands[]' encode UNC_PROCHOT_ASSERTION >"$BATS_TEST_TMPDIR/commands"
	run witness '
		snapshot before
		{ sed -n "1,/| 0x1/p" "$TMP/commands"; echo "sleep 0.1"; sed "1,/| 0x1/d" "$TMP/commands"; } >"$TMP/run"
		. "$TMP/run"
		snapshot after
		diff "$TMP/before" "$TMP/after" | grep "^[<>]" | grep -v 0x3b0'
	echo "$output"
	# Output lines: whether the counter is free; the enable bits of counter 5; the count.
	[ "${lines[0]}" = 0 ]
	[ "${lines[1]}" = 20 ]
	[ $((0x${lines[2]})) -gt 1000 ]
	# Only the counts of counter 0 and of the busy counter 5 differ.
	run grep -v ' 0x3b5 ' <<<"$(printf '%s\n' "${lines[@]:3}")"
	[ -z "$output" ]
	only_claimed_writes
}

@test "decode shows every field, reserved and interrupt bits, all events that a word may count, and values of other registers" {
	expect <<-'END'
		0 | UNC_THERMAL_THROTTLING_PROCHOT.CORE_0 & not the counter & reads back as 0x400183 | uncore-events --uarch=westmere decode 0x420183
		0 | RESERVED bits are set: 0x210000 (bit 16 21) | uncore-events --uarch=westmere decode 0x80630182
		0 | PMI: raises an interrupt | uncore-events --uarch=westmere decode 0x520182
		0 | INT: raises an interrupt | uncore-events --uarch=westmere decode --register=IA32_PERFEVTSEL0 0x5301b1
		0 | OVF_EN: raises an interrupt | uncore-events --uarch=nehalem-ex decode --register=M0_MSR_PMON_EVT_SEL0 0x3
		0 | nothing is counted | uncore-events --uarch=westmere decode 0x020182
		0 | INV has no effect without a threshold | uncore-events --uarch=westmere decode 0xc00182
		0 | 0x700134 in UNC_CBO_1_PERFEVTSEL0 & OVF_EN: raises an interrupt | uncore-events --uarch=sandybridge decode cbo1/raw=0x700134/
		0 | RESERVED bits are set: 0x100000000000 (bit 44) & nothing is counted | uncore-events --uarch=sandybridge decode cbo/raw=0x100000000134/
		2 | sandybridge has no PMU 'imb' | uncore-events --uarch=sandybridge decode imb/raw=0x134/
		0 | RESERVED*As a core selector*USR | uncore-events --uarch=westmere decode 0x5301b1
		0 | event  CYCLES_RETRYQ_STARVED (nehalem-ex): clocks in which the retry queue starved & !  event  *  event | uncore-events decode --uarch=nehalem-ex mbox/raw=0x2000c1/
		0 | event  ALLOC_TO_ARB.ALL (nehalem-ex) on port 2: packets | uncore-events decode --uarch=nehalem-ex rbox/ALLOC_TO_ARB.ALL,port=2,set=1/
		0 | event  UNC_CLK_UNHALTED (westmere): ticks of the uncore clock | uncore-events --uarch=westmere decode UNC_CLK_UNHALTED
		0 | READOUT *0x40 | uncore-events --uarch=westmere decode --register=IA32_THERM_STATUS 0x8840000a
		2 | | uncore-events --uarch=westmere decode 0x10000000000000000
		2 | | uncore-events --uarch=westmere decode 1 --register=NOSUCH
		2 | 0x8z | uncore-events --uarch=westmere decode 0x8z
		2 | not a number: '0x8z' | uncore-events --uarch=haswell decode cbo/raw=0x8z/
		0 | 7:0    FID           0x90*13:8   DID           0x8*63     VALID         1 | uncore-events decode --register=0xc0010064 0x8000000049120890 --machine=sim:zen-1s
		0 | bits        11:0   FID*5 MHz | uncore-events explain 0xc0010064 --uarch=zen5
	END
	told <<-'END'
		jq .[] | [.reserved,.reads_back,.name,.events,(.fields | map(select(.name == "CMASK" or .name == "EDGE") | .value))]
		["0x0","0x400183","UNC_THERMAL_THROTTLING_PROCHOT.CORE_0",["UNC_THERMAL_THROTTLING_PROCHOT.CORE_0"],["0x0","0x0"]] | uncore-events --uarch=westmere decode 0x420183
		jq .[] | [(.events | length),(.fields | map(select(.name == "CMASK" or .name == "EDGE") | .value))]
		[1,["0x1","0x5"]] | uncore-events --uarch=westmere decode 0x5460182
		[4,["0x0","0x0"]] | uncore-events --uarch=westmere decode 0x42040c
		# 46 events share these codes; they differ in an extra register.
		jq .[] | [.name, (.events | length)]
		["DRAM_CMD.ALL",46] | uncore-events decode --uarch=nehalem-ex mbox/raw=0x1441/
		["UNC_CLOCK.SOCKET",1] | uncore-events decode --uarch=sandybridge clock/UNC_CLOCK.SOCKET/
		jq .[] | [.register,.value,.reserved,(.fields | map(select(.value == "0x1") | .name))]
		["UNCORE_PERF_GLOBAL_CTRL","0x100000004","0x0",["EN_PC2","EN_FC0"]] | uncore-events --uarch=westmere decode 0x100000004 --register 0x391
		["UNCORE_FIXED_CTR_CTRL","0x1","0x0",["EN"]] | uncore-events --uarch=westmere decode 1 --register msr_uncore_fixed_ctr_ctrl
		["UNCORE_FIXED_CTR_CTRL","0x3","0x2",["EN"]] | uncore-events --uarch=westmere decode 3 --register=UNCORE_FIXED_CTR_CTRL
		["UNCORE_PMC0","0xffffffffffffffff","0xffff000000000000",[]] | uncore-events --uarch=westmere decode 0xffffffffffffffff --register=UNCORE_PMC0
		["IA32_THERM_STATUS","0x8840000a","0x0",["THERMAL_LOG","PROCHOT_LOG","RESOLUTION","VALID"]] | uncore-events --uarch=westmere decode --register=IA32_THERM_STATUS 0x8840000a
		["MSR_CORE_PERF_LIMIT_REASONS","0x8","0x0",["PLATFORM"]] | uncore-events decode --register=0x690 0x8 --uarch=haswell-ep
	END
}

@test "decode shows the fields of perf's raw codes, the bits of 0x53 too, and names of this processor alone" {
	local uarch word rows
	expect <<-'END'
		0 | IA32_PERFEVTSEL0 & UOPS_EXECUTED & USR  *1 & OS  *1 & INT  *1 & EN  *1 & EDGE  *0 & EVENT  *0xb1 & UMASK  *0x1 | uncore-events --uarch=westmere decode r5301b1
		0 | UOPS_ISSUED.ANY & !nothing is counted | uncore-events --uarch=westmere decode r42010e
		0 | 0x53010e in IA32_PERFEVTSEL0*UOPS_ISSUED.ANY | uncore-events --uarch=westmere explain r53010e
		0 | event  UOPS_RETIRED.ANY (westmere) | uncore-events --uarch=westmere decode r5301c2
		0 | instructions retired | uncore-events --uarch=westmere decode r5300c0
	END
	told '.[] | [.name,.events]' <<-'END'
		["UOPS_RETIRED.ALL",["UOPS_RETIRED.ALL"]] | uncore-events decode r5301c2 --uarch=haswell-ep
		["UOPS_RETIRED.HEAVY",["UOPS_RETIRED.HEAVY"]] | uncore-events decode r5301c2 --uarch=sapphirerapids
		["TOPDOWN.SLOTS_P",["TOPDOWN.SLOTS_P"]] | uncore-events decode r1a4 --uarch=icelake-sp
		["0xa4:0x1",[]] | uncore-events decode r1a4 --uarch=westmere
	END
	for uarch in skylake zen zen4; do
		rows+="0 | event  0xa4:0x1, no name known for this processor & !  note  event | uncore-events decode r1a4 --uarch=$uarch"$'\n'
	done
	for word in r53010e r5301c2 r5300c0; do
		rows+="0 | event  *, no name known for this processor | uncore-events decode $word --uarch=zen"$'\n'
	done
	expect <<<"$rows"
}

@test "core events have the names and counters that CPUID of this machine reports" {
	# uncore-read must show the event in the form that encode prints.
	told '.[] | [.event // .name, .counters]' <<-'END'
		["core/event=0xa4,umask=0x1/","0xf"] | uncore-events encode --machine=sim:westmere-2s r1a4
		["core/event=0xa4,umask=0x1/","0xf"] | uncore-events encode --machine=sim:skylake-sp-2s r1a4
		["core/TOPDOWN.SLOTS_P/","0xff"] | uncore-events encode --machine=sim:icelake-sp-2s r1a4
		["core/event=0xa4,umask=0x1/","0x3f"] | uncore-events encode --machine=sim:alderlake-hybrid r1a4
		["core/event=0xa4,umask=0x1/",null] | uncore-read --machine=sim:westmere-2s,clock=stepped --route=msr --cpus=0 -e r1a4
		["core/event=0xa4,umask=0x1/",null] | uncore-read --machine=sim:skylake-sp-2s,clock=stepped --route=msr --cpus=0 -e r1a4
		["core/TOPDOWN.SLOTS_P/",null] | uncore-read --machine=sim:icelake-sp-2s,clock=stepped --route=msr --cpus=0 -e r1a4
		["core/event=0xa4,umask=0x1/",null] | uncore-read --machine=sim:alderlake-hybrid,clock=stepped --route=msr --cpus=0 -e r1a4
	END
	expect <<-'END'
		0 | no name known for this processor & !TOPDOWN | uncore-events explain core/event=0xa4,umask=1/ --machine=sim:westmere-2s
	END
}

@test "raw codes of perf and words of an uncore selector are looked up in event lists too, with all their fields; bits that Linux drops" {
	need_json
	local list=$BATS_TEST_TMPDIR/list.json
	cat >"$list" <<-'END'
		[ { "EventCode": "0xA4", "UMask": "0x01", "EventName": "MADE_UP.A4", "CounterMask": "0",
		    "Invert": "0", "EdgeDetect": "0", "MSRIndex": "0", "MSRValue": "0" },
		  { "EventCode": "0xA4", "UMask": "0x01", "EventName": "MADE_UP.A4_STALLS", "CounterMask": "1",
		    "Invert": "1", "EdgeDetect": "0", "MSRIndex": "0", "MSRValue": "0" } ]
	END
	expect <<-END
		0 | event  MADE_UP.A4 (westmere) & !STALLS | uncore-events decode r1a4 --uarch=westmere --event-list=$list
		0 | event  MADE_UP.A4_STALLS (westmere) | uncore-events decode r18001a4 --uarch=westmere --event-list=$list
	END
	local list=$BATS_TEST_TMPDIR/list.json
	cat >"$list" <<-'END'
		[ { "EventCode": "0x35", "UMask": "0x21", "EventName": "TOR.MISS", "Unit": "CHA", "BriefDescription": "misses" },
		  { "EventCode": "0x35", "UMask": "0x21", "EventName": "TOR.DRD", "Unit": "CHA", "Filter": "Filter1",
		    "FILTER_VALUE": "0x40433" },
		  { "EventCode": "0x35", "UMask": "0x21", "EventName": "TOR.STARTS", "Unit": "CHA", "EdgeDetect": "1" },
		  { "EventCode": "0x35", "UMask": "0x21", "EventName": "OTHER.BOX", "Unit": "PCU" },
		  { "EventCode": "0x35", "UMask": "0x1", "UMaskExt": "0xc817fe", "EventName": "TOR.UPPER", "Unit": "CHA" } ]
	END
	local skx="--machine=sim:skylake-sp-2s --event-list=$list" spr="--machine=sim:sapphire-rapids-2s --event-list=$list"
	local other="--machine=sim:zen-1s --cpu=GenuineIntel-6-3A --event-list=$list"
	# The name is found by the codes, whatever the threshold is.
	expect <<-END
		0 | event  TOR.MISS (skylake-sp): misses | uncore-events decode cha/raw=0x402135/ $skx
		0 | event  TOR.STARTS (skylake-sp) | uncore-events decode cha/raw=0x442135/ $skx
		0 | event  TOR.MISS (skylake-sp): misses | uncore-events decode cha/raw=0x5402135/ $skx
		0 | event  0x35:0x22, no name known for this processor | uncore-events decode cha/raw=0x402235/ $skx
		0 | event  TOR.UPPER (sapphirerapids) | uncore-events decode TOR.UPPER $spr
		0 | event  0x35:0xc817fd01, no name known for this processor | uncore-events decode cha/raw=0xc817fd00000135/ $spr
		# With --cpu, registers and names are those of the named processor.
		0 | IA32_PERFEVTSEL0 *event  UOPS_EXECUTED.THREAD (ivybridge) | uncore-events decode r5301b1 $other
		0 | UNC_CBO_0_PERFEVTSEL0 | uncore-events decode cbo/raw=0x400134/ $other
		2 | the uncore of ivybridge | uncore-events decode 0x5301b1 $other
	END
	told '.[] | [.name, .umask, .events]' <<-END
		["TOR.MISS","0x21",["TOR.MISS"]] | uncore-events decode cha/raw=0x402135/ $skx
		["TOR.UPPER","0xc817fe01",["TOR.UPPER"]] | uncore-events decode cha/raw=0xc817fe00000135/ $spr
		jq [.[] | .event_select, .umask]
		["0x35","0xc817fe01"] | uncore-events encode TOR.UPPER $spr
		["0x3fff","0xfff"] | uncore-events encode df/event=0x3fff,umask=0xfff/ --uarch=zen4
		["0x3fff","0xfff"] | uncore-events decode df/event=0x3fff,umask=0xfff/ --uarch=zen4
		["0x3107","0x38"] | uncore-events encode df/event=0x3107,umask=0x38/ --uarch=zen3
		["0x3107","0x38"] | uncore-events decode df/event=0x3107,umask=0x38/ --uarch=zen3
	END
	local list=$BATS_TEST_TMPDIR/list.json
	echo '[ { "EventName": "UNC_CHA_CLOCKTICKS", "Unit": "CHA", "EventCode": "0x00", "UMask": "0x00" } ]' >"$list"
	# Bits 59 and 60 of a data fabric selector: the driver amd_uncore accepts and then drops them.
	expect <<-END
		0 | perf     none: Linux's driver would count another event | uncore-events encode --machine=sim:zen-1s df/event=0x1047,umask=0x38/
		0 | perf     amd_df/config=0x100003807/ | uncore-events encode --machine=sim:zen-1s df/event=0x107,umask=0x38/
		2 | no event of that name on westmere; did you mean UNC_PROCHOT_ASSERTION, | uncore-read --machine=sim:westmere-2s -e PROCHOT
		0 | PROCHOT_ASSERTION & !PROCHOT_ASSERTION*PROCHOT_ASSERTION | uncore-events --uarch=westmere list PROCHOT
		2 | event 'NOSUCH': no event of that name | uncore-events --uarch=westmere list NOSUCH
		2 | names of this processor's events are in the vendor's list (uncore-events import) | uncore-read --machine=sim:skylake-sp-2s -e imc
		2 | !uncore-events import | uncore-read --machine=sim:skylake-sp-2s --event-list=$list -e imc
	END
}

@test "explain shows an event's sources, each bit of a register, what is never set, and what an address means to other processors" {
	expect <<-'END'
		0 | selector word 0x420182 & libpfm4 says 0x82:0x0 & nehalem: not defined there & Intel SDM & model-specific | uncore-events --uarch=westmere explain unc_prochot_assertion
		0 | =UNC_PROCHOT_ASSERTION* | uncore-events --uarch=westmere explain 0x82:0x1
		0 | register 0x301 = 0x1 | uncore-events --uarch=westmere explain UNC_GQ_SNOOP.GOTO_S_HIT_M
		2 | not defined for nehalem | uncore-events explain UNC_PROCHOT_ASSERTION --uarch=nehalem
		0 | =UNCORE_PERFEVTSEL0* & OCC_CTR_RST | uncore-events --uarch=westmere explain 0x3c0
		0 | IA32_PERF_GLOBAL_STATUS_SET & 0x1000000ff | uncore-events --uarch=westmere explain MSR_UNCORE_PERF_GLOBAL_CTRL
		0 | control of the fixed counter*writing 1 overwrites the count | uncore-events --uarch=westmere explain 0x395
		0 | =IA32_PERF_GLOBAL_CTRL* | uncore-events --uarch=westmere explain 0x38f
		0 | no register at this address in the tables of westmere & power control unit | uncore-events --uarch=westmere explain 0x710
		0 | no register at this address*0x82:0x01 is UNC_PROCHOT_ASSERTION | uncore-events --uarch=westmere explain 0x82
		3 | no register at this address | uncore-events --uarch=westmere explain 0x999
		0 | does not clear the counter | uncore-events --uarch=westmere explain bit17
		0 | 0x460000 | uncore-events --uarch=westmere explain edge
		0 | threshold | uncore-events --uarch=westmere explain CMASK
		0 | reserved*USR | uncore-events --uarch=westmere explain bit16
		0 | 0x391 | uncore-events --uarch=westmere explain EN_FC0
		0 | occupancy | uncore-events --uarch=westmere explain occupancy
		0 | UNC_THERMAL_THROTTLING_PROCHOT.CORE_0 | uncore-events --uarch=westmere explain 0x420183
		0 | word | uncore-events --uarch=westmere explain thermal
		0 | choice      0x67:0x1, as sdm, freebsd, likwid have it; libpfm4 alone has 0x67:0x0*not verified on hardware | uncore-events --uarch=westmere explain UNC_DRAM_THERMAL_THROTTLED
		0 | not verified on hardware | uncore-events --uarch=westmere encode UNC_DRAM_THERMAL_THROTTLED
		0 | !not verified | uncore-events --uarch=westmere encode UNC_L3_HITS.READ
		0 | we write    0x3ffefffff*            0x100000, interrupt bits: never set, only restored | uncore-events explain IA32_PERFEVTSEL0 --machine=sim:westmere-2s
		0 | we write    0x3777*            0x8888, interrupt bits: never set, only restored | uncore-events explain 0x38d --machine=sim:westmere-2s
		0 | we write    0x400000*            0x100000, interrupt bits: never set, only restored | uncore-events explain U_MSR_PMON_UCLK_FIXED_CTL --machine=sim:haswell-ep-2s
		0 | we write    0xaaaa* | uncore-events explain 0x19c --machine=sim:westmere-2s
	END
	told '.[] | [.only_put_back, .write_mask]' <<-'END'
		["0x100000","0x3ffffffff"] | uncore-events explain IA32_PERFEVTSEL0 --machine=sim:westmere-2s
		["0x8888","0xbfff"] | uncore-events explain 0x38d --machine=sim:westmere-2s
		["0x100000","0x500000"] | uncore-events explain U_MSR_PMON_UCLK_FIXED_CTL --machine=sim:haswell-ep-2s
		["0x100000","0x500000"] | uncore-events explain 0x394 --machine=sim:sandybridge-1s
		["0x4","0x5"] | uncore-events explain 0x395 --machine=sim:westmere-2s
		["0x0","0xaaaa"] | uncore-events explain 0x19c --machine=sim:westmere-2s
	END
}

@test "registers of temperature, power and frequency are explained and decoded, even if this processor lacks them" {
	local reg rows
	for reg in 0x198 0x19a 0x19c 0x1a2 0x1b1 0x606 0x610 0x611 0x619 0x64f; do
		rows+="0 | =*: register*$reg*  bits  * | uncore-events explain $reg --uarch=skylake-sp
			0 | ($reg) | uncore-events decode --register=$reg 0x0 --uarch=skylake-sp"$'\n'
	done
	# The word in the last row is for AMD's core selector; its upper bits are part of the event select.
	expect <<-END
		$rows
		0 | not on this processor; see --uarch=haswell | uncore-events --uarch=westmere explain 0x690
		0 | not on this processor | uncore-events --uarch=westmere decode --register=0x64f 0x1
		0 | degrees C below | uncore-events explain READOUT --uarch=haswell
		0 | PERF_CTL0 (0xc0010200)*event  0x1c0:0x0, no name | uncore-events decode r1005300c0 --uarch=zen3
	END
}

@test "no register of Intel's core counters is offered on AMD" {
	local uarch register rows
	for uarch in zen zen3 zen5 bulldozer jaguar dhyana; do
		rows+="2 | has no PMU 'core'; it has & !wrmsr | uncore-events encode --route=msr core/cycles/ --uarch=$uarch
			2 | !wrmsr | uncore-events encode --route=msr core/event=0x3c/ --uarch=$uarch
			2 | !wrmsr | uncore-events encode --route=msr cycles --uarch=$uarch"$'\n'
		for register in 0x391 0x186 0x38d 0x38f 0x309 IA32_PERFEVTSEL0; do
			rows+="0 | not on this processor; see --uarch=core | uncore-events explain $register --uarch=$uarch
				0 | not on this processor; this is its meaning with --uarch=core | uncore-events decode --register=$register 0x1 --uarch=$uarch"$'\n'
		done
	done
	expect <<-END
		$rows
		2 | the core counters of zen3 are not programmed through registers; registers can program these PMUs: l3, df; the kernel can count it: --route=perf | uncore-read -e cycles --route=msr --machine=sim:zen-1s
		0 | !wrmsr & !0x38d | uncore-events encode cycles --machine=sim:zen-1s
		0 | !not on this processor | uncore-events explain 0x391 --uarch=core
		0 | wrmsr | uncore-events encode --route=msr core/cycles/ --uarch=skylake-sp
	END
}

@test "if a processor lacks the events of a metric, or all metrics, the message says what is missing" {
	local metric rows
	for metric in memory-bandwidth llc-miss-ratio dram-power; do
		rows+="3 | explain: metric '$metric': this machine has no events for it | uncore-events explain $metric --machine=sim:generic"$'\n'
	done
	expect <<-END
		$rows
		0 | !dram-power | uncore-events list --metrics --uarch=zen3
		3 | is not supported | uncore-events list --metrics --machine=sim:generic
		0 | ipc | uncore-events explain ipc --machine=sim:generic
		2 | 'nope': no event, metric, register or word of that name in any table | uncore-events explain nope --machine=sim:generic
		3 | zen3 has no events for it; list --metrics shows | uncore-events explain io-read-bandwidth --uarch=zen3
	END
}

@test "every difference between sources has a reason, and the report has every one" {
	# The reason of a difference (.why) names the sources that agree with the tables. So it must not name the source
	# that differs, unless the kind of difference is "listed-there-only".
	told '[(map(select(.why == null or .why == "")) | length), (map(. as $d | select(.difference != "listed-there-only") |
		select(.why | contains($d.source))) | length), (group_by(.difference) | map("\(length) \(.[0].difference)"))]' <<-'END'
		[0,0,["4 listed-there-only","11 other-codes"]] | uncore-events list --differences --uarch=nehalem
	END
	expect <<-'END'
		0 | UNC_DRAM_THERMAL_THROTTLED *libpfm4  other-codes 0x67:0x00: the tables follow sdm, freebsd, likwid; this source*'s unit mask selects nothing & UNC_GQ_SNOOP.GOTO_I_HIT_E *likwid   not-listed: the tables follow sdm, freebsd & (sdm, freebsd, libpfm4, likwid, kernel, pcm) | uncore-events --uarch=westmere list --differences
	END
}

@test "explain and decode accept events that only the kernel counts, and codes without a name" {
	local machine event command rows
	while read -r machine event; do
		for command in explain decode; do
			rows+="0 | $event: event*class       kernel event | uncore-events $command '$event' --machine=sim:$machine"$'\n'
		done
		rows+="0 | | uncore-read -e '$event' -i 0.01 -n 1 --machine=sim:$machine"$'\n'
	done <<-'END'
		haswell-ep-2s uncore_imc/event=0x04,umask=0x03/
		haswell-ep-2s uncore_qpi/event=0x0/
		skylake-sp-perf uncore_upi/event=0x2,umask=0xf/
		alderlake-hybrid uncore_imc_free_running/event=0xff,umask=0x20/
		haswell-ep-2s sched:sched_switch
		haswell-ep-2s power/energy-ram/
		generic sched:sched_switch
	END
	# If the kernel lacks the event, the message uses names of the tables or of the kernel's files.
	for command in explain decode encode; do
		rows+="2 | no event of that name on haswell-ep | uncore-events $command sched:nope --machine=sim:haswell-ep-2s
			2 | has no term or event 'cas_count_read'; the PMU's terms are event, umask | uncore-events $command uncore_imc/cas_count_read/ --machine=sim:haswell-ep-2s"$'\n'
	done
	# Codes without a name are explained by their fields.
	while read -r machine event; do
		for command in explain decode; do
			rows+="0 | : selector: *7:0    EVENT *no name known for this processor | uncore-events $command $event --machine=sim:$machine"$'\n'
			later uncore-events "$command" "$event" --machine="sim:$machine"
		done
	done <<-'END'
		zen-1s l3/event=0x04,umask=0xff/
		zen-1s df/event=0x7/
		genoa-1s umc/event=0x0a/
		haswell-ep-2s cbo/event=0x0,umask=0x0/
		skylake-sp-2s iio/event=0x83,umask=0x4,ch_mask=0x1/
	END
	each_answer same_as_explained
	expect <<-END
		$rows
		0 | PMU         uncore_imc*units       4*config      0x304 | uncore-events explain uncore_imc/event=0x04,umask=0x03/ --machine=sim:haswell-ep-2s
	END
}

# same_as_explained COMMAND...: decode must print the same as explain has printed before.
same_as_explained() {
	if [ "$2" = explain ]; then
		explained=$printed
	else
		[ "$printed" = "$explained" ] || { echo "$*: $printed"; return 1; }
	fi
}

@test "for a register of other processors, the processor in the message can explain it" {
	local machine msr n=0
	for machine in westmere-2s zen-1s alderlake-hybrid; do
		# Registers of all processors, also of those that are only in the tables of thermal and power registers.
		for msr in $(grep -ohE '\(?0x[0-9a-f]+, (CORE|CPU|PACKAGE|GRAPHICS)\b|LIMITS.* 0x[0-9a-f]+' \
			"$TOP/lib/uarch/thermal.c" | grep -oE '0x[0-9a-f]+') 0xc0010064; do
			drawn 4 || continue
			later uncore-events explain "$msr" --machine="sim:$machine" --format=json
		done
	done
	each_answer to_the_named
	expected=("${named[@]/*/0 | !not on this processor}") wrong=
	each_answer as_expected
	[ -z "$wrong" ]
	((n > (${WHOLE:+20} + 0)))
	expect <<-'END'
		0 | see --uarch=bulldozer | uncore-events explain 0xc0010061 --machine=sim:westmere-2s
	END
}

# to_the_named COMMAND...: queue commands that explain and decode the register on the processor that the message named.
to_the_named() {
	[[ $printed =~ \"not_here_but_on\":\"([^\"]+)\" ]] || return 0
	n=$((n + 1))
	named+=("$3" "$3")
	later uncore-events explain "$3" --uarch="${BASH_REMATCH[1]}"
	later uncore-events decode 0x22 --register="$3" --uarch="${BASH_REMATCH[1]}"
}

@test "for an unknown processor, the message lists those that the command accepts" {
	local tables names command name rows
	tables=$(uncore-info --registers --uarch=none 2>&1 | sed 's/.*there are tables for //; s/;.*//')
	[[ $tables == *haswell-ep*zen3* ]]
	for command in 'encode x' 'decode 1' 'explain 0x391' 'list --metrics'; do
		rows+="2 | there are tables for: $tables, core | uncore-events $command --uarch=none
			3! | there are tables for: $tables, core | uncore-events $command --uarch=k10"$'\n'
	done
	for command in list 'search x' 'list --differences'; do
		rows+="2 | there are names for: nehalem, & !haswell-ep | uncore-events $command --uarch=none"$'\n'
	done
	expect <<<"$rows"
	names=$(uncore-events list --uarch=none 2>&1 | sed 's/.*there are names for: //')
	for name in ${names//,/}; do later uncore-events list --uarch="$name"; done
	each_answer succeeded 0
	for name in ${tables//,/}; do
		later uncore-events explain 0x391 --uarch="$name"
		for command in core/event=1/ l3/event=1/ nb/event=1/; do later uncore-events encode --uarch="$name" $command; done
	done
	each_answer one_of_the_three
	[ "$this" = encoded ]
	[ "$encoded" -gt 40 ]
}

succeeded() {
	[ "$status" = 0 ] || { echo "$*: $message"; return 1; }
}

# one_of_the_three COMMAND...: check the result of COMMAND. For each processor, "explain" must find the address, or
# report that no table has it; then at least one of three "encode" commands (core, l3, nb) must succeed.
one_of_the_three() {
	if [ "$2" = explain ]; then
		[[ $status = [03] && ${this:-encoded} = encoded ]] || { echo "before $*: ${this:-}"; return 1; }
		this=$*
	elif [ "$status" = 0 ] && [ "$this" != encoded ]; then
		this=encoded encoded=$((${encoded:-0} + 1))
	fi
}

@test "differences are listed for the sources that cover the processor, and these sources are named" {
	cd "$BATS_TEST_TMPDIR" || return
	local uarch tables
	# Get all processors that have event names from the message about a processor without names.
	run -3 uncore-events list --uarch=zen
	tables=${output##*there are names for: }
	[[ $tables == *nehalem*skylake* ]]
	for uarch in ${tables//,/} core; do
		drawn 6 || continue
		later uncore-events list --differences --uarch="$uarch"
		later uncore-events list --uarch="$uarch" --format=json
		later uncore-events list --differences --uarch="$uarch" --format=json
	done
	each_answer sources_of
	[ "$tried" -gt 0 ]
}

# sources_of COMMAND...: keep the output of the first two commands about a processor, and check it when the third ends.
# The sources in the first line of the text must be exactly those that name an event. A source that does not cover the
# processor must not be reported as lacking an event.
sources_of() {
	[ "$status" = 0 ]
	case "$*" in
	*--differences*json) ;;
	*json)
		printf '%s\n' "$printed" >list
		return
		;;
	*)
		told=${printed%%$'\n'*} told=${told##*\(} told=${told%\)*}
		return
		;;
	esac
	jq -es --arg uarch "${4#--uarch=}" --arg told "$told" --slurpfile list list '
		($told | gsub(" "; "") | split(",") | sort) == ([$list[] | select(.pmu != "core" or $uarch == "core").sources[]] +
			map(select(.difference == "other-codes").source) | unique) and
		map(select(.difference == "not-listed").source) - [$list[].sources[]] == []' <<<"$printed" ||
		{ echo "$*: sources $told: $printed"; return 1; }
}

@test "every register and every field of the tables can be explained" {
	local word rows
	for word in $(uncore-info --registers --uarch=westmere --format=csv | sed '1d; s/,.*//') \
		$({ wsm explain 0x391 --format=json; wsm explain 0x3c0 --format=json; } | jq -r '.fields[].name'); do
		rows+="0 | anual | uncore-events --uarch=westmere explain $word"$'\n'
	done
	expect <<<"$rows"
}

@test "bad command lines get one line and status 2, a full disk status 1; options may stand before or after the sub-command" {
	expect <<-'END'
		2 | | uncore-events --uarch=westmere
		2 | | uncore-events --uarch=westmere nonsense
		2 | | uncore-events --uarch=westmere search
		2 | | uncore-events --uarch=westmere encode
		2 | | uncore-events --uarch=westmere decode
		2 | | uncore-events --uarch=westmere explain
		2 | | uncore-events --uarch=westmere decode 1 2
		2 | | uncore-events --uarch=westmere list a b
		2 | | uncore-events --uarch=westmere list --register=0x391
		2 | | uncore-events --uarch=westmere explain 1 --differences
		2 | | uncore-events --uarch=westmere list --differences 'UNC_*'
		2 | | uncore-events explain 'UNC_THERMAL_*' --uarch=westmere
		2 | | uncore-events explain 0x82:0x1,0x83:0x1 --uarch=westmere
		0 | =name,*UNC_TURBO_MODE.CORE_0,*UNC_TURBO_MODE.CORE_3,* | uncore-events --uarch=westmere --format=csv list 'UNC_TURBO_MODE.*'
		0 | =name,*UNC_TURBO_MODE.CORE_0,*UNC_TURBO_MODE.CORE_3,* | uncore-events list --format=csv --uarch=westmere -- 'UNC_TURBO_MODE.*'
	END
	[ -w /dev/full ] || skip "no /dev/full"
	run -1 bash -c 'uncore-events list --uarch=westmere >/dev/full'
	[[ $output == *"standard output"* ]]
}

@test "nothing is opened but the program's own files when the processor is named" {
	need strace nm
	! nm "$BIN/uncore-events" | grep -q __asan_init || skip "built with sanitizers, which look at /proc"
	run -0 strace -f -e trace=open,openat -o "$BATS_TEST_TMPDIR/trace" \
		uncore-events list --uarch=westmere
	run -1 grep -E '/dev/cpu|/sys/|/proc/' "$BATS_TEST_TMPDIR/trace"
}

