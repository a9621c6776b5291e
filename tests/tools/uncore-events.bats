#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Events by any name, and explanations of any code.
#
# bats sets stderr and its lines; what witness runs is expanded there.
# shellcheck disable=SC2154,SC2016

load common
load mounted

teardown() {
	unserve
}

wsm() {
	uncore-events --uarch=westmere "$@"
}

# json FILTER ARG...: print the result of the filter on the JSON output.
json() {
	local filter=$1
	shift
	wsm "$@" --format=json | jq -rc "$filter"
}

@test "list shows every event of the processor, once" {
	need jq
	[ "$(json .name list | sort -u | wc -l)" -eq 220 ]
	[ "$(uncore-events list --uarch=nehalem --format=json | jq -r .name | sort -u | wc -l)" -eq 176 ]
	[ "$(wsm list --format=csv | wc -l)" -eq 221 ]
	[ "$(uncore-events list --machine=sim:nehalem-1s --format=csv | wc -l)" -eq 177 ]
}

@test "list gives each event's codes, word, kind, description and sources in JSON" {
	need jq
	[ "$(json '[.name,.pmu,.event_select,.umask,.encoding,.kind,.class]' list UNC_PROCHOT_ASSERTION)" = \
		'["UNC_PROCHOT_ASSERTION","uncore","0x82","0x1","0x420182","count","uncore model-specific"]' ]
	[ "$(json '.sources' list UNC_PROCHOT_ASSERTION)" = '["sdm","freebsd","likwid"]' ]
	[ "$(json '.contradictions' list UNC_PROCHOT_ASSERTION)" = \
		'[{"source":"libpfm4","event_select":"0x82","umask":"0x0"}]' ]
	[ "$(json '[.event_select,.umask,.encoding]' list clockticks)" = '[null,null,"0x1"]' ]
	[ "$(json 'select(.description == null or .description == "" or .sources == [])' list)" = "" ]
}

@test "list takes patterns and the spellings of other tools" {
	[ "$(wsm list 'unc_thermal_throttl*_temp.core_[0,3]' --format=csv | wc -l)" -eq 5 ]
	[[ $(wsm list UNC_LLC_HITS:READ --format=csv) == *UNC_L3_HITS.READ* ]]
}

@test "text of a simulated machine says so" {
	run -0 uncore-events list UNC_PROCHOT_ASSERTION --machine=sim:westmere-2s
	[[ ${lines[0]} == *SIMULATED* ]]
}

@test "a machine without tables: where names are, and those that --uarch takes" {
	run -0 --separate-stderr uncore-events list --machine=sim:zen-1s
	[[ $output == *power/energy-pkg/*"event lists of this processor's vendor: --event-list=FILE, or"*import* ]]
	run -3 uncore-events list --uarch=zen3
	[[ $output == *"not the names of their events"* ]]
	run -2 uncore-events list --uarch=nonsense
	[[ $output == *"nonsense"*"nehalem, westmere"* ]]
}

@test "decode and explain work on any machine" {
	run -0 uncore-events decode 0x420182 --machine=sim:generic
	[[ $output == *UNC_PROCHOT_ASSERTION* ]]
	run -0 uncore-events explain UNC_PROCHOT_ASSERTION --machine=sim:generic
	run -0 uncore-events explain UNC_CBO_CACHE_LOOKUP.READ_M --machine=sim:generic
}

@test "every processor with named events lists them, each with its PMU" {
	need jq
	local uarch
	for uarch in nehalem-ex westmere-ex sandybridge haswell skylake tigerlake meteorlake core; do
		uncore-events list --uarch=$uarch --format=json >"$BATS_TEST_TMPDIR/list"
		jq -es '[.[] | select(.description == "" or .sources == [] or .encoding == "0x0").name] == [] and
			length > 10 and (map(.pmu + "/" + .name) | length == (unique | length))' "$BATS_TEST_TMPDIR/list"
	done
	[ "$(uncore-events list --uarch=nehalem-ex --format=csv | wc -l)" -eq 731 ]
	[ "$(uncore-events list --uarch=westmere-ex --format=csv | wc -l)" -eq 814 ]
	[[ $(uncore-events list --uarch=haswell) == *"arb/UNC_ARB_TRK_REQUESTS.ALL/"*0x81:0x01* ]]
	[[ $(uncore-events list 'FVC_EV[0-1].BBOX*' --uarch=nehalem-ex) == *FVC_EV1.BBOX_CMDS_READS* ]]
}

@test "encode knows units, filters and fixed counters of processors with boxes" {
	need jq
	boxes() {
		uncore-events encode "$2" --uarch="$1" --format=json |
			jq -c '[.name,.pmu,.encoding,.counters,.extra_register,.extra_value,.perf]'
	}
	[ "$(boxes sandybridge cbo3/event=0x34,umask=0x11/)" = \
		'["cbo3/UNC_CBO_CACHE_LOOKUP.READ_M/","cbo","0x401134","0x3",null,null,"uncore_cbox_3/config=0x1134/"]' ]
	[ "$(boxes skylake clockticks)" = \
		'["clock/UNC_CLOCK.SOCKET/","clock","0x400000",null,null,null,"uncore_cbox_0/clockticks/"]' ]
	[ "$(boxes westmere-ex FVC_EV0.BBOX_CMDS_READS)" = \
		'["mbox/FVC_EV0.BBOX_CMDS_READS/","mbox","0x1a41","0x3f","0xcab","0x5000","uncore_mbox/inc_sel=0xd,wrap_mode,fvc=0x5000/"]' ]
	[ "$(boxes nehalem-ex bbox/DRSQ_INSERTS/)" = \
		'["bbox/DRSQ_INSERTS/","bbox","0x13","0x2",null,null,"uncore_bbox/config=0x12,counter=1/"]' ]
	[ "$(boxes skylake-sp cha/event=0x34,umask=0x21/ | jq -r '.[2]')" = 0x402134 ]
	run -2 uncore-events encode cbo9/event=1/ --uarch=sandybridge
	[[ $output == *"units 0 to 3"* ]]
	run -3 uncore-events encode imc/event=1/ --uarch=sandybridge
	[[ $output == *"uncore_imc"* ]]
}

@test "the commands of encode write the registers of the unit and counter that count it" {
	need jq
	commands() {
		uncore-events encode "$2" --uarch="$1" --format=json | jq -r '.commands[]'
	}
	commands sandybridge cbo3/event=0x34/ >"$BATS_TEST_TMPDIR/cbo"
	grep -q '^wrmsr -p 0 0x730 0x400034$' "$BATS_TEST_TMPDIR/cbo"
	grep -q '^rdmsr -p 0 0x736$' "$BATS_TEST_TMPDIR/cbo"
	# The enable bit of all boxes is set, and not cleared afterwards, because others may need it.
	[ "$(grep -c 'wrmsr -p 0 0x391 .*| 0x20000000' "$BATS_TEST_TMPDIR/cbo")" -eq 1 ]
	run ! grep -q 'wrmsr -p 0 0x391 .*& ~' "$BATS_TEST_TMPDIR/cbo"
	# The unit's own counter and gate are used, and second registers are written before the selector.
	commands nehalem-ex mbox1/DRAM_CMD.CAS_RD_CLS_WRPRIO/ >"$BATS_TEST_TMPDIR/mbox"
	[ "$(grep -cE '0xce6 0x100|0xcea 0x501|0xcf0 0x1441' "$BATS_TEST_TMPDIR/mbox")" -eq 3 ]
	[ "$(grep -E '^wrmsr .* 0x(ce6|cea|cf0) 0x[1-9]' "$BATS_TEST_TMPDIR/mbox" | tail -1)" = \
		'wrmsr -p 0 0xcf0 0x1441' ]
	commands nehalem-ex bbox/DRSQ_INSERTS/ >"$BATS_TEST_TMPDIR/bbox"
	grep -q '^wrmsr -p 0 0xc32 0x13$' "$BATS_TEST_TMPDIR/bbox"
	grep -q 'rdmsr -p 0 0xc20) | 0x2' "$BATS_TEST_TMPDIR/bbox"
	# Two fields of a filter register are written as one value.
	[ "$(commands ivybridge-ep 'cbo/event=0x35,umask=0x41,filter_opc=0x182,filter_nid=0x3/' |
		grep -c 'wrmsr -p 0 0xd1a .*| 0x18200003')" -eq 1 ]
	# A free-running counter is only read.
	[ "$(commands icelake-sp iio_free_running/bw_in_port0/)" = "rdmsr -p 0 0xaa0" ]
}

@test "encode of a core event says what it left out, and how perf writes it" {
	need jq
	[ "$(json '[.name,.class,.encoding,.perf]' encode r5301b1:u)" = \
		'["core/event=0xb1,umask=0x1/u","core model-specific","0x4101b1","r1b1:u"]' ]
	[[ $(json '.remarks[]' encode r5301b1) == *"bit 20"* ]]
	[[ $(wsm encode r5301b1) == *"remark   bit 20"* ]]
	[ "$(json '[.name,.perf,.event_select]' encode cycles:k)" = '["core/cycles/k","cycles:k",null]' ]
}

@test "codes without a PMU are refused where the uncore has several, and explained with one" {
	local command
	for command in decode explain; do
		run -2 --separate-stderr uncore-events $command 0x400134 --uarch=haswell
		[ -z "$output" ]
		[[ $stderr == *"(cbo, arb): write PMU/raw=0x400134/"* ]]
		run -0 uncore-events $command cbo1/raw=0x401134/ --uarch=haswell
		[[ $output == *UNC_CBO_1_PERFEVTSEL0*UNC_CBO_CACHE_LOOKUP.READ_M* ]]
	done
	run -2 uncore-events encode 0x34:0x11 --uarch=haswell
	[[ $output == *"cbo/event=0x34,umask=0x11/"* ]]
	run -0 uncore-events decode 0x401134 --uarch=haswell --register=UNC_CBO_1_PERFEVTSEL1
	[[ $output == *UNC_CBO_CACHE_LOOKUP.READ_M* ]]
}

@test "explain shows the counters and the second register of a box event" {
	run -0 uncore-events explain UNC_ARB_TRK_OCCUPANCY.ALL --uarch=haswell
	[[ $output == *"general counter 0 only, 44 bits"* ]]
	run -0 uncore-events explain FVC_EV0.BBOX_CMDS_READS --uarch=nehalem-ex
	[[ $output == *"register 0xcab = 0x2800"* ]]
	[[ $output == *"westmere-ex: the same codes, but register 0xcab = 0x5000"* ]]
	run -0 uncore-events explain NULL_IDLE --uarch=nehalem-ex
	[[ $output == *"R-box"* ]]
}

@test "search finds words in descriptions, whatever their case and order" {
	need jq
	[[ $(json .name search HOTTER core) == *UNC_THERMAL_THROTTLING_TEMP.CORE_0* ]]
	[ "$(json .name search dimms)" = UNC_DRAM_THERMAL_THROTTLED ]
	run -2 wsm search nosuchword
	[[ $output == *"no event or metric of westmere"* ]]
}

@test "encode gives one object per event, in the order asked" {
	need jq
	[ "$(json '[.name,.encoding]' encode UNC_THERMAL_THROTTLING_PROCHOT.CORE_0 0x82:0x1:edge 0x82:0x3 'UNC_TURBO_MODE.CORE_[0,2]')" = \
		'["UNC_THERMAL_THROTTLING_PROCHOT.CORE_0","0x420183"]
["UNC_PROCHOT_ASSERTION:edge","0x460182"]
["0x82:0x3","0x420382"]
["UNC_TURBO_MODE.CORE_0","0x420184"]
["UNC_TURBO_MODE.CORE_2","0x420484"]' ]
}

@test "encode spells events for perf, likwid, libpfm4 and pcm-raw" {
	need jq
	[ "$(json '[.perf,.likwid,.libpfm4,.pcm]' encode UNC_L3_HITS.READ:edge:inv:cmask=2)" = \
		'["uncore/event=0x8,umask=0x1,edge,inv,cmask=0x2/","UNC_L3_HITS_READ:UPMC0:EDGEDETECT:INVERT:THRESHOLD=0x2","wsm_unc::UNC_LLC_HITS:READ:e:i:c=2","package_msr/config=0x3b0,config1=1,name=UNC_L3_HITS.READ.edge.inv.cmask.2"]' ]
	# libpfm4 leaves this unit mask out unless it is given.
	[ "$(json .libpfm4 encode UNC_PROCHOT_ASSERTION)" = wsm_unc::UNC_PROCHOT_ASSERTION:0x1 ]
	[ "$(json '[.perf,.likwid]' encode clockticks)" = '["uncore/clockticks/","UNCORE_CLOCK:UPMCFIX"]' ]
	[ "$(json '[.likwid,.libpfm4]' encode UNC_GQ_SNOOP.GOTO_S_HIT_M)" = '[null,null]' ]
	# libpfm4 writes a unit mask without a name as a number after the event; likwid has only names.
	[ "$(json '[.likwid,.libpfm4]' encode UNC_DRAM_OPEN:CH0:CH1)" = '[null,"wsm_unc::UNC_DRAM_OPEN:0x3"]' ]
	[ "$(json .libpfm4 encode 0x9:0x83:inv:cmask=2)" = wsm_unc::UNC_LLC_MISS:0x83:i:c=2 ]
	[ "$(json .libpfm4 encode 0xfe:0x1)" = null ]
	# likwid's Nehalem name counts another event.
	[ "$(uncore-events encode UNC_QPI_TX_STALLED_MULTI_FLIT.LINK_0 --uarch=nehalem --format=json |
		jq -r .likwid)" = null ]
}

@test "encode shows a word of another tool that is unknown as not known here" {
	need jq
	[ "$(json '[.likwid,.pcm]' encode core/instructions/)" = \
		'["INSTR_RETIRED_ANY:FIXC0:KERNEL","thread_msr/config=0x309,config1=1,name=core.instructions"]' ]
	[ "$(json '.likwid' encode core/cycles/u)" = CPU_CLK_UNHALTED_CORE:FIXC1 ]
	[ "$(json '[.likwid,.pcm]' encode r5301b1)" = \
		'[null,"core/config=0x4301b1,name=core.event.0xb1.umask.0x1"]' ]
	[[ $(wsm encode r5301b1) == *"likwid   not known here"* ]]
	[[ $(uncore-events encode --uarch=haswell cbo/event=0x34/) == *"likwid   not known here"* ]]
	# For this processor it is known that likwid does not list the event.
	[[ $(wsm encode UNC_GQ_SNOOP.GOTO_S_HIT_E) == *"likwid   none: "* ]]
}

@test "encode names each kind of core of a hybrid processor once" {
	need jq
	need_corpus perf-sysfs
	run -0 uncore-events encode --machine=root:"$(sysfs_tree adl)" --route=perf cycles:u --format=json
	[ "$(jq -c .perf <<<"$output" | sort | tr -d '\n')" = '"cpu_atom/cycles/u""cpu_core/cycles/u"' ]
	run -0 uncore-events encode --machine=root:"$(sysfs_tree adl)" --route=perf L1-dcache-loads
	[[ $output == *"-e cpu_atom/L1-dcache-loads/,cpu_core/L1-dcache-loads/"* ]]
}

@test "encode refuses unknown names, showing nothing else" {
	run -2 --separate-stderr wsm encode UNC_PROCHOT_ASSERTION UNC_PROCHOT_ASERTION
	[ -z "$output" ]
	[ "${#stderr_lines[@]}" -eq 1 ]
	[[ $stderr == *"did you mean UNC_PROCHOT_ASSERTION?"* ]]
	run -2 uncore-events encode UNC_PROCHOT_ASSERTION --uarch=nehalem
	[[ $output == *"westmere has it"* ]]
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

@test "decode shows every field, what reads back and the names" {
	need jq
	run -0 wsm decode 0x420183
	[[ $output == *UNC_THERMAL_THROTTLING_PROCHOT.CORE_0* ]]
	[[ $output == *"not the counter"* ]]
	[[ $output == *"reads back as 0x400183"* ]]
	[ "$(json '[.reserved,.reads_back,.name,.events]' decode 0x420183)" = \
		'["0x0","0x400183","UNC_THERMAL_THROTTLING_PROCHOT.CORE_0",["UNC_THERMAL_THROTTLING_PROCHOT.CORE_0"]]' ]
	[ "$(json '.fields | map(select(.name == "CMASK" or .name == "EDGE") | .value)' decode 0x5460182)" = \
		'["0x1","0x5"]' ]
}

@test "decode names all events that share codes" {
	need jq
	[ "$(json '.events | length' decode 0x42040c)" -eq 4 ]
}

@test "decode marks reserved bits and the interrupt bit" {
	run -0 wsm decode 0x80630182
	[[ $output == *"RESERVED bits are set: 0x210000 (bit 16 21)"* ]]
	run -0 wsm decode 0x520182
	[[ $output == *"bit 20 raises an interrupt"* ]]
	run -0 wsm decode 0x020182
	[[ $output == *"nothing is counted"* ]]
}

@test "decode explains raw codes of perf: event, unit mask and what is in 0x53" {
	local bit
	run -0 wsm decode r5301b1
	[[ $output == *IA32_PERFEVTSEL0* ]]
	for bit in 'USR +1' 'OS +1' 'INT +1' 'EN +1' 'EDGE +0' 'EVENT +0xb1' 'UMASK +0x1'; do
		grep -qE " $bit " <<<"$output"
	done
	[[ $output == *UOPS_EXECUTED* ]]
	run -0 wsm decode 0x5301b1
	[[ $output == *"RESERVED"*"As a core selector"*"USR"* ]]
	[[ $(wsm decode r53010e) == *UOPS_ISSUED.ANY* ]]
	[[ $(wsm decode r5301c2) == *"event  UOPS_RETIRED.ANY (westmere)"* ]]
	[[ $(wsm decode r5300c0) == *"instructions retired"* ]]
}

# raw_names WORD UARCH: print the lines of the word's events.
raw_names() {
	uncore-events decode "$1" --uarch="$2" | grep -E '^  (event|note)' | grep -o 'event  .*'
}

@test "raw codes of perf have the names of this processor, and no others" {
	[ "$(raw_names r5301c2 haswell-ep)" = 'event  UOPS_RETIRED.ALL (haswell-ep)' ]
	[ "$(raw_names r5301c2 sapphirerapids)" = 'event  UOPS_RETIRED.HEAVY (sapphirerapids)' ]
	[ "$(raw_names r1a4 icelake-sp)" = 'event  TOPDOWN.SLOTS_P (icelake-sp)' ]
	local uarch
	for uarch in westmere skylake zen zen4; do
		[ "$(raw_names r1a4 $uarch)" = 'event  0xa4:0x1, no name known for this processor' ]
	done
	for word in r53010e r5301c2 r5300c0; do
		[[ $(raw_names $word zen) == 'event  '*', no name known for this processor' ]]
	done
}

@test "core events have the names and the counters that CPUID of this machine tells" {
	need jq
	local how
	for how in "westmere-2s core/event=0xa4,umask=0x1/ 0xf" "skylake-sp-2s core/event=0xa4,umask=0x1/ 0xf" \
		"icelake-sp-2s core/TOPDOWN.SLOTS_P/ 0xff" "alderlake-hybrid core/event=0xa4,umask=0x1/ 0x3f"; do
		[ "$(uncore-events encode --machine="sim:${how%% *}" r1a4 --format=json |
			jq -r '[.name, .counters] | join(" ")')" = "${how#* }" ]
		[ "$(uncore-read --machine="sim:${how%% *},clock=stepped" --route=msr --cpus=0 -e r1a4 --format=json |
			jq -r .event)" = "$(cut -d ' ' -f 2 <<<"$how")" ]
	done
	run -0 uncore-events explain core/event=0xa4,umask=1/ --machine=sim:westmere-2s
	[[ $output == *"no name known for this processor"* && $output != *TOPDOWN* ]]
}

@test "raw codes of perf are looked up in event lists too, with all their fields" {
	[[ $(uncore-events --version) != *"without JSON"* ]] || skip "built without JSON"
	local list=$BATS_TEST_TMPDIR/list.json
	cat >"$list" <<-'END'
		[ { "EventCode": "0xA4", "UMask": "0x01", "EventName": "MADE_UP.A4", "CounterMask": "0",
		    "Invert": "0", "EdgeDetect": "0", "MSRIndex": "0", "MSRValue": "0" },
		  { "EventCode": "0xA4", "UMask": "0x01", "EventName": "MADE_UP.A4_STALLS", "CounterMask": "1",
		    "Invert": "1", "EdgeDetect": "0", "MSRIndex": "0", "MSRValue": "0" } ]
	END
	run -0 uncore-events decode r1a4 --uarch=westmere --event-list="$list"
	[[ $output == *'event  MADE_UP.A4 (westmere)'* && $output != *STALLS* ]]
	run -0 uncore-events decode r18001a4 --uarch=westmere --event-list="$list"
	[[ $output == *'event  MADE_UP.A4_STALLS (westmere)'* ]]
}

@test "words of an uncore selector are looked up in event lists too, the upper unit mask with them" {
	[[ $(uncore-events --version) != *"without JSON"* ]] || skip "built without JSON"
	need jq
	local list=$BATS_TEST_TMPDIR/list.json
	cat >"$list" <<-'END'
		[ { "EventCode": "0x35", "UMask": "0x21", "EventName": "TOR.MISS", "Unit": "CHA", "BriefDescription": "misses" },
		  { "EventCode": "0x35", "UMask": "0x21", "EventName": "TOR.DRD", "Unit": "CHA", "Filter": "Filter1",
		    "FILTER_VALUE": "0x40433" },
		  { "EventCode": "0x35", "UMask": "0x21", "EventName": "TOR.STARTS", "Unit": "CHA", "EdgeDetect": "1" },
		  { "EventCode": "0x35", "UMask": "0x21", "EventName": "OTHER.BOX", "Unit": "PCU" },
		  { "EventCode": "0x35", "UMask": "0x1", "UMaskExt": "0xc817fe", "EventName": "TOR.UPPER", "Unit": "CHA" } ]
	END
	named() {
		uncore-events decode "$@" | sed -n 's/^  event  //p'
	}
	local skx=(--machine=sim:skylake-sp-2s --event-list="$list") spr=(--machine=sim:sapphire-rapids-2s --event-list="$list")
	[ "$(named cha/raw=0x402135/ "${skx[@]}")" = "TOR.MISS (skylake-sp): misses" ]
	[ "$(named cha/raw=0x442135/ "${skx[@]}")" = "TOR.STARTS (skylake-sp)" ]
	# The name is found by the codes, whatever the threshold is.
	[ "$(named cha/raw=0x5402135/ "${skx[@]}" | head -n 1)" = "TOR.MISS (skylake-sp): misses" ]
	[ "$(named cha/raw=0x402235/ "${skx[@]}")" = "0x35:0x22, no name known for this processor" ]
	[ "$(named TOR.UPPER "${spr[@]}")" = "TOR.UPPER (sapphirerapids)" ]
	[ "$(named cha/raw=0xc817fd00000135/ "${spr[@]}")" = "0x35:0xc817fd01, no name known for this processor" ]
	[ "$(uncore-events decode cha/raw=0xc817fe00000135/ "${spr[@]}" --format=json | jq -c '[.name, .umask, .events]')" = \
		'["TOR.UPPER","0xc817fe01",["TOR.UPPER"]]' ]
}

@test "an event of which Linux drops bits has no word for perf" {
	# Bits 59 and 60 of a data fabric selector, which the driver amd_uncore accepts and then drops.
	run -0 uncore-events encode --machine=sim:zen-1s df/event=0x1047,umask=0x38/
	[[ $output == *"perf     none: Linux's driver would count another event"* ]]
	run -0 uncore-events encode --machine=sim:zen-1s df/event=0x107,umask=0x38/
	[[ $output == *"perf     amd_df/config=0x100003807/"* ]]
}

@test "part of a name leads to the names of this processor that have it" {
	run -2 uncore-read --machine=sim:westmere-2s -e PROCHOT
	[[ $output == *"no event of that name on westmere; did you mean UNC_PROCHOT_ASSERTION, "* ]]
	run -0 wsm list PROCHOT
	[ "$(grep -c PROCHOT_ASSERTION <<<"$output")" = 1 ]
	run -2 wsm list NOSUCH
	[[ $output == *"event 'NOSUCH': no event of that name"* ]]
}

@test "where names are in the vendor's list, an unknown name says how to import it" {
	run -2 uncore-read --machine=sim:skylake-sp-2s -e imc
	[[ $output == *"names of its events are in its vendor's list (uncore-events import)"* ]]
	echo '[ { "EventName": "UNC_CHA_CLOCKTICKS", "Unit": "CHA", "EventCode": "0x00", "UMask": "0x00" } ]' >"$BATS_TEST_TMPDIR/list.json"
	run -2 uncore-read --machine=sim:skylake-sp-2s --event-list="$BATS_TEST_TMPDIR/list.json" -e imc
	[[ $output != *"uncore-events import"* ]]
}

@test "decode names all events that a word may count, and no others" {
	# 46 events share these codes; they differ in a second register.
	[ "$(uncore-events decode --uarch=nehalem-ex mbox/raw=0x1441/ --format=json | jq '.events | length')" = 46 ]
	run -0 uncore-events decode --uarch=nehalem-ex mbox/raw=0x2000c1/
	[ "$(grep '^  event' <<<"$output")" = \
		"  event  CYCLES_RETRYQ_STARVED (nehalem-ex): clocks in which the retry queue starved" ]
	run -0 uncore-events decode --uarch=nehalem-ex rbox/ALLOC_TO_ARB.ALL,port=2,set=1/
	[[ $output == *"event  ALLOC_TO_ARB.ALL (nehalem-ex) on port 2: packets "* ]]
}

@test "decode names what a fixed counter counts" {
	run -0 wsm decode UNC_CLK_UNHALTED
	[[ $output == *"event  UNC_CLK_UNHALTED (westmere): ticks of the uncore clock"* ]]
	[ "$(uncore-events decode --uarch=sandybridge clock/UNC_CLOCK.SOCKET/ --format=json | jq -r .name)" = UNC_CLOCK.SOCKET ]
}

@test "decode reads values of other registers, by name and by address" {
	need jq
	[ "$(json '.fields | map(select(.value == "0x1") | .name)' decode 0x100000004 --register 0x391)" = \
		'["EN_PC2","EN_FC0"]' ]
	[ "$(json .register decode 1 --register msr_uncore_fixed_ctr_ctrl)" = UNCORE_FIXED_CTR_CTRL ]
	[ "$(json .reserved decode 3 --register=UNCORE_FIXED_CTR_CTRL)" = 0x2 ]
	[ "$(json .value decode 0xffffffffffffffff --register=UNCORE_PMC0)" = 0xffffffffffffffff ]
	run -2 wsm decode 0x10000000000000000
	run -2 wsm decode 1 --register=NOSUCH
	run -2 wsm decode 0x8z
	[[ $output == *0x8z* ]]
}

@test "explain shows what an event counts, which sources contradict, and other processors that have it" {
	run -0 wsm explain unc_prochot_assertion
	[[ $output == *"selector word 0x420182"* ]]
	[[ $output == *"libpfm4 says 0x82:0x0"* ]]
	[[ $output == *"nehalem: not defined there"* ]]
	[[ $output == *"Intel SDM"* ]]
	[[ $output == *"model-specific"* ]]
	run -0 wsm explain 0x82:0x1
	[[ ${lines[0]} == UNC_PROCHOT_ASSERTION* ]]
	run -0 wsm explain UNC_GQ_SNOOP.GOTO_S_HIT_M
	[[ $output == *"register 0x301 = 0x1"* ]]
	run -2 uncore-events explain UNC_PROCHOT_ASSERTION --uarch=nehalem
	[[ $output == *"not defined for nehalem"* ]]
}

@test "explain shows a register's bits and the meaning of its address on other processors" {
	run -0 wsm explain 0x3c0
	[[ ${lines[0]} == UNCORE_PERFEVTSEL0* ]]
	[[ $output == *OCC_CTR_RST* ]]
	run -0 wsm explain MSR_UNCORE_PERF_GLOBAL_CTRL
	[[ $output == *IA32_PERF_GLOBAL_STATUS_SET* ]]
	[[ $output == *0x1000000ff* ]]
	run -0 wsm explain 0x395
	[[ $output == *"control of the fixed counter"*"writing 1 overwrites the count"* ]]
	run -0 wsm explain 0x38f
	[[ ${lines[0]} == IA32_PERF_GLOBAL_CTRL* ]]
}

@test "explain says when an address is in no table, and what it means to others" {
	run -0 wsm explain 0x710
	[[ $output == *"no register at this address in the tables of westmere"* ]]
	[[ $output == *"power control unit"* ]]
	run -0 wsm explain 0x82
	[[ $output == *"no register at this address"*"0x82:0x01 is UNC_PROCHOT_ASSERTION"* ]]
	run -3 wsm explain 0x999
	[[ $output == *"no register at this address"* ]]
}

@test "explain describes each bit, reserved ones too" {
	run -0 wsm explain bit17
	[[ $output == *"does not clear the counter"* ]]
	run -0 wsm explain edge
	[[ $output == *0x460000* ]]
	run -0 wsm explain CMASK
	run -0 wsm explain bit16
	[[ $output == *reserved*"USR"* ]]
	run -0 wsm explain EN_FC0
	run -0 wsm explain occupancy
	run -0 wsm explain 0x420183
	[[ $output == *UNC_THERMAL_THROTTLING_PROCHOT.CORE_0* ]]
}

@test "registers of heat, power and frequency are explained and decoded, where they are and elsewhere" {
	need jq
	local reg
	for reg in 0x198 0x19a 0x19c 0x1a2 0x1b1 0x606 0x610 0x611 0x619 0x64f; do
		run -0 uncore-events explain $reg --uarch=skylake-sp
		[[ ${lines[0]} == *": register" && ${lines[1]} == *$reg && $output == *"  bits  "* ]]
		run -0 uncore-events decode --register=$reg 0x0 --uarch=skylake-sp
	done
	# The layout is that of the named processor.
	[ "$(uncore-events decode --register=0x690 0x8 --uarch=haswell-ep --format=json |
		jq -c '.fields | map(select(.value == "0x1") | [.name, .bits])')" = '[["PLATFORM","3"]]' ]
	[ "$(json '.fields | map(select(.value != "0x0") | [.name, .value])' \
		decode --register=IA32_THERM_STATUS 0x8840000a)" = \
		'[["THERMAL_LOG","0x1"],["PROCHOT_LOG","0x1"],["READOUT","0x40"],["RESOLUTION","0x1"],["VALID","0x1"]]' ]
	run -0 wsm explain 0x690
	[[ $output == *"not on this processor; see --uarch=haswell"* ]]
	run -0 wsm decode --register=0x64f 0x1
	[[ $output == *"not on this processor"* ]]
	run -0 uncore-events explain READOUT --uarch=haswell
	[[ $output == *"degrees C below"* ]]
	[[ $(wsm explain thermal) == *word* ]]
	# A word for AMD's core selector, with upper bits of the event select.
	run -0 uncore-events decode r1005300c0 --uarch=zen3
	[[ ${lines[0]} == *"PERF_CTL0 (0xc0010200)"* && $output == *"event  0x1c0:0x0, no name"* ]]
}

@test "no register of Intel's core counters is offered on AMD" {
	local uarch
	for uarch in zen zen3 zen5 bulldozer jaguar dhyana; do
		run ! uncore-events encode --route=msr core/cycles/ --uarch=$uarch
		[[ $output == *"has no PMU 'core'; it has "* ]]
		drawn 3 || continue
		run ! uncore-events encode --route=msr core/event=0x3c/ --uarch=$uarch
		run ! uncore-events encode --route=msr cycles --uarch=$uarch
		[[ $output != *wrmsr* ]]
		for register in 0x391 0x186 0x38d 0x38f 0x309 IA32_PERFEVTSEL0; do
			run -0 uncore-events explain $register --uarch=$uarch
			[[ $output == *"not on this processor; see --uarch=core"* ]]
			run -0 uncore-events decode --register=$register 0x1 --uarch=$uarch
			[[ $output == *"not on this processor; this is its meaning with --uarch=core"* ]]
		done
	done
	run -2 uncore-read -e cycles --route=msr --machine=sim:zen-1s
	[[ $output == *"the core counters of zen3 are not programmed through registers; registers count on l3, df; the kernel can count it: --route=perf" ]]
	run -0 uncore-events encode cycles --machine=sim:zen-1s
	[[ $output != *wrmsr* && $output != *0x38d* ]]
	run -0 uncore-events explain 0x391 --uarch=core
	[[ $output != *"not on this processor"* ]]
	run -0 uncore-events encode --route=msr core/cycles/ --uarch=skylake-sp
	[[ $output == *wrmsr* ]]
}

@test "every processor with metrics lists them; one without says so" {
	local machine
	for machine in skylake-sp-2s sandybridge-1s zen-1s alderlake-hybrid nehalem-ex-4s; do
		run -0 --separate-stderr uncore-events list --metrics --machine=sim:$machine
		[[ $output == *memory-bandwidth*GB/s*llc-miss-ratio*cpu-frequency* ]]
	done
	run -0 uncore-events list --metrics --uarch=zen3
	[[ $output != *dram-power* ]]
	run -3 uncore-events list --metrics --machine=sim:generic
	[[ $output == *"is not supported"* ]]
}

@test "words that we write have no interrupt bit; restored words may have it" {
	need jq
	local machine register written interrupts
	while read -r machine register written interrupts; do
		run -0 uncore-events explain "$register" --machine="sim:$machine"
		[[ $output == *"we write    $written"$'\n'* ]]
		[[ $interrupts == 0x0 || $output == *"            $interrupts, interrupt bits: never set, only restored"* ]]
		run -0 uncore-events explain "$register" --machine="sim:$machine" --format=json
		[ "$(jq -r .only_put_back <<<"$output")" = "$interrupts" ]
		(($(jq -r .write_mask <<<"$output") == written + interrupts))
	done <<-'END'
		westmere-2s IA32_PERFEVTSEL0 0x3ffefffff 0x100000
		westmere-2s 0x38d 0x3777 0x8888
		haswell-ep-2s U_MSR_PMON_UCLK_FIXED_CTL 0x400000 0x100000
		sandybridge-1s 0x394 0x400000 0x100000
		westmere-2s 0x395 0x1 0x4
		westmere-2s 0x19c 0xaaaa 0x0
	END
}

@test "every difference between sources has a reason" {
	need jq
	local uarch
	for uarch in nehalem westmere; do
		run -0 uncore-events list --differences --uarch=$uarch --format=json
		[ -z "$(jq -r 'select(.why == null or .why == "").name' <<<"$output")" ]
		# A source that differs is not among the sources that have the event.
		[ -z "$(jq -r '. as $d | select(.difference != "listed-there-only") |
			select(.why | contains($d.source)).name' <<<"$output")" ]
	done
	run -0 wsm list --differences
	[[ $output == *'UNC_DRAM_THERMAL_THROTTLED '*'libpfm4  other-codes 0x67:0x00: the tables follow sdm, freebsd, likwid; this source'*'s unit mask selects nothing'* ]]
	[[ $output == *'UNC_GQ_SNOOP.GOTO_I_HIT_E '*'likwid   not-listed: the tables follow sdm, freebsd'* ]]
}

@test "a disputed unit mask comes with the reason for it" {
	need jq
	run -0 wsm explain UNC_DRAM_THERMAL_THROTTLED
	[[ $output == *"choice      0x67:0x1, as sdm, freebsd, likwid have it; libpfm4 alone has 0x67:0x0"*"not verified on hardware"* ]]
	[[ $(json '.remarks[]' encode UNC_DRAM_THERMAL_THROTTLED) == *"not verified on hardware"* ]]
	[[ $(wsm encode UNC_L3_HITS.READ) != *"not verified"* ]]
}

@test "explain and decode know what uncore-read counts through the kernel" {
	local machine event command
	while read -r machine event; do
		for command in explain decode; do
			run -0 uncore-events "$command" "$event" --machine="sim:$machine"
			[[ $output == *"$event: event"*"class       kernel event"* ]]
		done
		run -0 uncore-read -e "$event" -i 0.01 -n 1 --machine="sim:$machine"
	done <<-'END'
		haswell-ep-2s uncore_imc/event=0x04,umask=0x03/
		haswell-ep-2s uncore_qpi/event=0x0/
		skylake-sp-perf uncore_upi/event=0x2,umask=0xf/
		alderlake-hybrid uncore_imc_free_running/event=0xff,umask=0x20/
		haswell-ep-2s sched:sched_switch
		haswell-ep-2s power/energy-ram/
		generic sched:sched_switch
	END
	run -0 uncore-events explain uncore_imc/event=0x04,umask=0x03/ --machine=sim:haswell-ep-2s
	[[ $output == *'PMU         uncore_imc'*'units       4'*'config      0x304'* ]]
	# If the kernel lacks the event, the message uses names of the tables or of the kernel's files.
	for command in explain decode encode; do
		run -2 uncore-events "$command" sched:nope --machine=sim:haswell-ep-2s
		[[ $output == *"no event of that name on haswell-ep"* ]]
		run -2 uncore-events "$command" uncore_imc/cas_count_read/ --machine=sim:haswell-ep-2s
		[[ $output == *"has no term or event 'cas_count_read'; its terms are event, umask"* ]]
	done
}

@test "codes without a name are explained by their fields" {
	local machine event
	while read -r machine event; do
		run -0 uncore-events explain "$event" --machine="sim:$machine"
		[[ $output == *': selector: '*'7:0    EVENT '*'no name known for this processor'* ]]
		[ "$output" = "$(uncore-events decode "$event" --machine="sim:$machine")" ]
	done <<-'END'
		zen-1s l3/event=0x04,umask=0xff/
		zen-1s df/event=0x7/
		genoa-1s umc/event=0x0a/
		haswell-ep-2s cbo/event=0x0,umask=0x0/
		skylake-sp-2s iio/event=0x83,umask=0x4,ch_mask=0x1/
	END
}

@test "a machine without tables: a metric and a name that it has not" {
	local metric
	for metric in memory-bandwidth llc-miss-ratio dram-power; do
		run -3 uncore-events explain "$metric" --machine=sim:generic
		[[ $output == *"explain: metric '$metric': this machine has no events for it"* ]]
	done
	run -0 uncore-events explain ipc --machine=sim:generic
	run -2 uncore-events explain nope --machine=sim:generic
	[[ $output == *"'nope': no event, metric, register or word of that name in any table"* ]]
	run -3 uncore-events explain io-read-bandwidth --uarch=zen3
	[[ $output == *"zen3 has no events for it; list --metrics shows"* ]]
}

@test "an event with a filter has one word for perf, in terms of Linux's driver" {
	need jq
	perf_word() {
		run -0 uncore-events encode "$2" --machine="sim:$1" --format=json
		[ "$(jq -r .perf <<<"$output")" = "$3" ]
	}
	perf_word haswell-ep-2s cbo/event=0x34,umask=0x11/ uncore_cbox/event=0x34,umask=0x11,filter_state=0x7f/
	perf_word skylake-sp-2s cha3/event=0x35,umask=0x21/ \
		uncore_cha_3/event=0x35,umask=0x21,filter_rem,filter_loc,filter_all_op,filter_nm,filter_not_nm/
	perf_word nehalem-ex-4s bbox/event=0x4,counter=2,match=0x1/ uncore_bbox/event=0x4,match=0x1,counter=2/
	# The kernel's format file names different bits than its code uses.
	perf_word haswell-ep-2s pcu/event=0xb,filter_band0=0xc,occ_edge/ uncore_pcu/config=0x8000000b,config1=0xc/
	# Linux writes the link for one unit mask of 0x35 only.
	perf_word haswell-ep-2s cbo/event=0x31,umask=0x10,filter_link=1/ null
	run -0 uncore-events encode cbo/event=0x31,umask=0x10,filter_link=1/ --machine=sim:haswell-ep-2s
	[[ $output == *"perf     none: Linux's driver would leave out part of its filter"* ]]
}

@test "a register of other processors: the one that is named explains it" {
	need jq
	local machine msr where n=0
	for machine in westmere-2s zen-1s alderlake-hybrid; do
		# Registers of every processor, also of those that are only in the tables of thermal and power
		# registers.
		for msr in $(grep -ohE '\(?0x[0-9a-f]+, (CORE|CPU|PACKAGE|GRAPHICS)\b|LIMITS.* 0x[0-9a-f]+' \
			"$TOP/lib/uarch/thermal.c" | grep -oE '0x[0-9a-f]+') 0xc0010064; do
			drawn 8 || continue
			where=$(uncore-events explain "$msr" --machine="sim:$machine" --format=json |
				jq -r '.not_here_but_on // empty')
			[ -n "$where" ] || continue
			n=$((n + 1))
			run -0 uncore-events explain "$msr" --uarch="$where"
			[[ $output != *'not on this processor'* ]]
			run -0 uncore-events decode 0x22 --register="$msr" --uarch="$where"
		done
	done
	((n > (${WHOLE:+20} + 0)))
	run -0 uncore-events explain 0xc0010061 --machine=sim:westmere-2s
	[[ $output == *"see --uarch=bulldozer"* ]]
}

@test "the clock of a P-state is decoded" {
	run -0 uncore-events decode --register=0xc0010064 0x8000000049120890 --machine=sim:zen-1s
	[[ $output == *'7:0    FID           0x90'*'13:8   DID           0x8'*'63     VALID         1'* ]]
	run -0 uncore-events explain 0xc0010064 --uarch=zen5
	[[ $output == *'bits        11:0   FID'*'5 MHz'* ]]
}

@test "a processor that is not known: those that the command takes are told" {
	local tables names command name
	tables=$(uncore-info --registers --uarch=none 2>&1 | sed 's/.*there are tables for //; s/;.*//')
	[[ $tables == *haswell-ep*zen3* ]]
	for command in 'encode x' 'decode 1' 'explain 0x391' 'list --metrics'; do
		# shellcheck disable=SC2086
		fails_with 2 "there are tables for: $tables, core" uncore-events $command --uarch=none
		# shellcheck disable=SC2086
		fails_with 3 "there are tables for: $tables, core" uncore-events $command --uarch=k10
	done
	for command in list 'search x' 'list --differences'; do
		# shellcheck disable=SC2086
		fails_with 2 'there are names for: nehalem, ' uncore-events $command --uarch=none
	done
	names=$(uncore-events list --uarch=none 2>&1 | sed 's/.*there are names for: //')
	[[ $names != *haswell-ep* ]]
	for name in ${names//,/}; do
		drawn 4 || continue
		uncore-events list --uarch="$name" >/dev/null
	done
	for name in ${tables//,/}; do
		drawn 4 || continue
		uncore-events explain 0x391 --uarch="$name" >/dev/null || [ $? = 3 ]
		uncore-events encode --uarch="$name" core/event=1/ >/dev/null ||
			uncore-events encode --uarch="$name" l3/event=1/ >/dev/null ||
			uncore-events encode --uarch="$name" nb/event=1/ >/dev/null
	done
}

@test "differences are told for the sources that name events of the processor, and which they are" {
	cd "$BATS_TEST_TMPDIR" || return
	need jq
	run -0 wsm list --differences
	[[ ${lines[0]} == *"(sdm, freebsd, libpfm4, likwid, kernel, pcm)" ]]
	local uarch tables
	# Every processor with names, from the message for one without names.
	run -3 uncore-events list --uarch=zen
	tables=${output##*there are names for: }
	[[ $tables == *nehalem*skylake* ]]
	for uarch in ${tables//,/} core; do
		drawn 6 || continue
		# The listed sources are exactly those that name an event.
		uncore-events list --differences --uarch="$uarch" 2>/dev/null | sed -n '1s/.*(\(.*\))/\1/p' |
			tr -d ' ' | tr , '\n' | sort >told
		uncore-events list --uarch="$uarch" --format=json |
			jq -r 'select(.pmu != "core" or $u == "core") | .sources[]' --arg u "$uarch" | sort -u >names
		run -0 --separate-stderr uncore-events list --differences --uarch="$uarch" --format=json
		jq -r 'select(.difference == "other-codes").source' <<<"$output" | sort -u - names |
			sort -u >either
		[ -s told ]
		diff told either
		# A source that does not cover the processor is not reported as lacking an event.
		jq -r 'select(.difference == "not-listed").source' <<<"$output" | sort -u >absent
		uncore-events list --uarch="$uarch" --format=json | jq -r '.sources[]' | sort -u >known
		[ -z "$(comm -23 absent known)" ]
	done
}

@test "every register and every field of the tables can be explained" {
	local word
	need jq
	for word in $(uncore-info --registers --uarch=westmere --format=csv | cut -d, -f1 | tail -n +2) \
		$(json '.fields[].name' explain 0x391) $(json '.fields[].name' explain 0x3c0); do
		drawn 4 || continue
		wsm explain "$word" >"$BATS_TEST_TMPDIR/out"
		grep -qi 'manual' "$BATS_TEST_TMPDIR/out"
	done
}

@test "the report of differences has every one that the sources have" {
	need jq
	json '[.source,.difference]' list --differences | sort | uniq -c >"$BATS_TEST_TMPDIR/num"
	cat "$BATS_TEST_TMPDIR/num"
	grep -q ' 5 \["libpfm4","other-codes"\]' "$BATS_TEST_TMPDIR/num"
	grep -q ' 19 \["libpfm4","not-listed"\]' "$BATS_TEST_TMPDIR/num"
	grep -q ' 8 \["likwid","not-listed"\]' "$BATS_TEST_TMPDIR/num"
	grep -q ' 2 \["kernel","other-codes"\]' "$BATS_TEST_TMPDIR/num"
	[ "$(uncore-events list --differences --uarch=nehalem --format=json | jq -r .difference |
		sort | uniq -c | tr -s ' ' | paste -sd,)" = " 4 listed-there-only, 11 other-codes" ]
}

@test "bad command lines get one line and status 2" {
	local args
	for args in "" nonsense search encode decode explain "decode 1 2" "list a b" \
		"list --register=0x391" "explain 1 --differences" "list --differences UNC_*"; do
		# Unquoted, because each is a list of words.
		# shellcheck disable=SC2086
		run -2 --separate-stderr uncore-events --uarch=westmere $args
		echo "$args: $stderr"
		[ -z "$output" ]
		[ "${#stderr_lines[@]}" -eq 1 ]
	done
	run -2 uncore-events explain 'UNC_THERMAL_*' --uarch=westmere
	run -2 uncore-events explain 0x82:0x1,0x83:0x1 --uarch=westmere
}

@test "options may stand before or after the sub-command, words behind --" {
	diff <(uncore-events --uarch=westmere --format=csv list UNC_TURBO_MODE.*) \
		<(uncore-events list --format=csv --uarch=westmere -- UNC_TURBO_MODE.*)
}

@test "nothing is opened but the program's own files when the processor is named" {
	need strace nm
	! nm "$BIN/uncore-events" | grep -q __asan_init || skip "built with sanitizers, which look at /proc"
	run -0 strace -f -e trace=open,openat -o "$BATS_TEST_TMPDIR/trace" \
		uncore-events list --uarch=westmere
	run grep -E '/dev/cpu|/sys/|/proc/' "$BATS_TEST_TMPDIR/trace"
	[ "$status" -eq 1 ]
}

@test "a full disk is reported" {
	[ -w /dev/full ] || skip "no /dev/full"
	run -1 bash -c 'uncore-events list --uarch=westmere >/dev/full'
	[[ $output == *"standard output"* ]]
}
