#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# A text means the same on both routes: registers and the kernel count the same. (tests/unit/test_both_routes.c and
# tests/kept/words.xz have the words of each.)

load common
load answers

SKX=sim:skylake-sp-perf,clock=stepped

@test "fields and bits that Linux would drop or set are refused with the reason" {
	local l3=zen-1s,kernel_pmu=amd_l3:type=20:cpumask=package df=zen-1s,kernel_pmu=amd_df:type=21:cpumask=package
	l3+=,kernel_format=amd_l3:event:config:0-7,kernel_format=amd_l3:umask:config:8-15,kernel_format=amd_l3:threadmask:config:56-57
	df+=,kernel_format=amd_df:umask:config:8-15
	each_says uncore-events <<-END
		3|2|${SKX#sim:}|--route=perf encode pcu/event=0xc,filter_band1=0x14/|*Linux does not write bits 0x1400 of the register of filter_band1*--route=msr*
		3|2|${SKX#sim:}|--route=perf encode cha/event=0x34,umask=0xf1,filter_state=2/|*Linux does not write filter_state for unit mask 0xf1 of this event, only for 0x03, 0x05, 0x09, 0x11, 0x31, 0x91*
		3|-|$l3|--route=perf encode l3/event=0x4,umask=0xff,threadmask=0/|*if threadmask is 0, Linux sets all its bits*
		3|-|$df|--route=perf encode df/event=0x1047,umask=0x38/|*bits 0x800000000000000*would count another event*
	END
}

@test "an event has the same name on every route, perf's words too" {
	need jq
	local event name route skl=sim:skylake-sp-2s rows
	while read -r event name; do
		for route in perf msr; do
			rows+="[\"$name\"] | uncore-read --machine=$skl,clock=stepped --packages=0 --route=$route -e $event"$'\n'
		done
	done <<-'END'
		cycles cycles
		cpu-cycles:k cpu-cycles:k
		instructions:uk instructions:uk
		branches:cmask=2 core/branches,cmask=0x2/
		core/cycles/ core/cycles/
		core/event=60/u core/CPU_CLK_UNHALTED.THREAD_P/u
	END
	told <<<"jq map(.event)
$rows"
}

# filter_list FILE: write three events as in Intel's list for Skylake-SP: one with a filter value, one whose filter the
# user has to choose, and one with masks in the entry.
filter_list() {
	cat >"$1" <<-'EOF'
	{ "Header": { "Version": "1" }, "Events": [
	  { "EventName": "TOR.DRD", "Unit": "CHA", "EventCode": "0x35", "UMask": "0x21", "Counter": "0,1,2,3",
	    "Filter": "Filter1", "FILTER_VALUE": "0x40433" },
	  { "EventName": "TOR.IA", "Unit": "CHA", "EventCode": "0x35", "UMask": "0x21", "Counter": "0,1,2,3",
	    "Filter": "CHAFilter1[31:0]", "FILTER_VALUE": "0" },
	  { "EventName": "IIO.READ", "Unit": "IIO", "EventCode": "0x83", "UMask": "0x04", "Counter": "0,1",
	    "PortMask": "0x0f", "FCMask": "0x07", "Filter": "fc, chnl" }
	] }
	EOF
}

@test "a filter value of a list is the same register on both routes; modifiers for the kernel do not remove a default" {
	local list=$BATS_TEST_TMPDIR/list.json event=cha0/event=0x35,umask=0x21/ word=,0x2135,0x3b00000000,0x0,0x0
	filter_list "$list"
	run -0 uncore-events --machine="$SKX" --event-list="$list" --route=msr --format=json encode TOR.DRD
	[[ $output =~ \"wrmsr[^\"]*\ 0xe06\ [^\"]*\|\ 0x40433 ]]
	run -0 uncore-events --machine="$SKX" --event-list="$list" --route=perf encode TOR.DRD
	[[ $output == *" config 0x2135 config1 0x4043300000000 "* ]]
	# 3/20 of the event's transactions pass: the filter sets 3 of the 20 opcode bits.
	run -0 uncore-read --machine="$SKX" --packages=0 --route=perf --format=csv -e TOR.DRD --event-list="$list"
	[[ ${lines[1]} == *,,21600000,21600000,,,* ]]
	run -0 uncore-events encode --route=perf --machine="$SKX" $event ${event}D $event:D $event:WD --format=csv
	[ "${#lines[@]}" = 5 ]
	[[ ${lines[1]} == *"$word",,* && ${lines[2]} == *"$word",D,* && ${lines[3]} == *"$word",D,* && ${lines[4]} == *"$word",*D*,* ]]
	# A fixed counter has no selector word, but the kernel counts its event, too.
	run -0 uncore-events encode --route=perf --machine="$SKX" ubox/UNC_U_CLOCKTICKS/ ubox/UNC_U_CLOCKTICKS/D --format=csv
	[[ ${lines[1]} == *,0xff,0x0,0x0,0x0,,* && ${lines[2]} == *,0xff,0x0,0x0,0x0,D,* ]]
}

@test "an event whose list names a filter causes one warning if none is given, on both routes" {
	local list=$BATS_TEST_TMPDIR/list.json warns='TOR.IA: the event list gives this event a filter, and none was set' how
	filter_list "$list"
	# The warning comes only once, even if both routes are used or a command is run several times.
	for how in "$SKX --route=perf" "sim:skylake-sp-2s,clock=stepped --route=msr" "$SKX" "$SKX --runs=3 -- true"; do
		# shellcheck disable=SC2086 # a list of words
		run -0 --separate-stderr uncore-read --event-list="$list" --packages=0 -e TOR.IA --machine=$how
		how=${stderr/"$warns"/}
		[[ $how != "$stderr" && $how != *"gives this event a filter"* ]]
	done
	for how in "$SKX --route=perf" "sim:skylake-sp-2s,clock=stepped --route=msr"; do
		# shellcheck disable=SC2086
		run -0 --separate-stderr uncore-read --event-list="$list" --packages=0 \
			-e TOR.IA:filter_opc0=0x202,TOR.DRD,IIO.READ --machine=$how
		[[ $stderr != *filter* ]]
	done
}

# The simulated Ice Lake-SP with a kernel from before April 2025, whose scale is 4 bytes per count.
OLD_SCALE=sim:icelake-sp-2s,clock=stepped
OLD_SCALE+=,kernel_pmu=uncore_iio_free_running_0-5:type=37:free_running=yes:cpumask=package
OLD_SCALE+=,kernel_format=uncore_iio_free_running:event:config:0-7
OLD_SCALE+=,kernel_rate=uncore_iio_free_running:0xff:32768
OLD_EVENT=,kernel_event=uncore_iio_free_running:bw_in_port0:event=0xff:unit=MiB:scale

@test "a count is the same amount on both routes, and a different scale file of the kernel is reported" {
	need jq
	local route
	for route in msr perf; do
		run -0 --separate-stderr uncore-read --machine="$OLD_SCALE$OLD_EVENT=3.814697266e-6" \
			--route=$route --packages=0 --format=json -e iio_free_running/bw_in_port0/
		jq -e '.measure == "MiB" and (.scaled - (.value | tonumber) * 32 / 1048576 | fabs) < 1e-6' \
			<<<"$output"
		[[ $stderr == *"one count is 3.051757812e-05 MiB"*"scale file says 3.814697266e-06 MiB"* ]]
		run -0 uncore-events --machine="$OLD_SCALE$OLD_EVENT=3.814697266e-6" --route=$route \
			encode iio_free_running/bw_in_port0/
		[[ $output == *"remark   this kernel's scale file says that one count is 3.814697266e-06 MiB"* ]]
		# A scale file with the same scale gives no message.
		run -0 --separate-stderr uncore-read --machine="$OLD_SCALE$OLD_EVENT=3.0517578125e-5" \
			--route=$route --packages=0 -e iio_free_running/bw_in_port0/
		[[ $stderr != *"scale file"* ]]
	done
}

@test "where a pattern matches core and uncore PMUs, the modifier e is exclusive for one and edge for the other" {
	run -0 uncore-events --machine=sim:skylake-sp-perf encode --route=perf '*c[ph][ua]*/event=0x3c/e' --format=csv
	[[ $output == *",cpu/config=0x3c/e"$'\n'*",uncore_cha_0/config=0x4003c/"* ]]
	run -2 uncore-events --machine=sim:skylake-sp-perf encode --route=perf '[ci]*/event=0x3c/e'
	[[ $output == *"'uncore_iio_free_running_0' has no term or event 'edge'"* ]]
}

@test "name= sets the name of an event, on both routes" {
	run -0 uncore-read --machine="$SKX" --format=csv --packages=0 -e 'cha/event=0x35,umask=0x21,name=tor/' \
		-e 'uncore_imc/cas_count_read,name=reads/'
	[[ ${lines[1]} == *,tor,*,perf,ok,* && ${lines[2]} == *,reads,*,perf,ok,* ]]
	run -0 uncore-read --machine=sim:skylake-sp-2s,clock=stepped --format=csv --packages=0 -e 'cha/event=0x35,umask=0x21,name=tor/'
	[[ ${lines[1]} == *,tor,*,msr,ok,* ]]
}

@test "units of one type whose files give different scales are counted one by one" {
	need jq
	local machine=sim:icelake-sp-2s,clock=stepped,kernel_pmu=uncore_made_0-1:type=60:cpumask=package
	machine+=,kernel_format=uncore_made:event:config:0-7,kernel_rate=uncore_made:0x1:1000000
	local event=kernel_event=uncore_made_0:bytes:event=0x1:unit=MiB:scale=1e-6
	event+=,kernel_event=uncore_made_1:bytes:event=0x1:unit=MiB:scale
	run -3 --separate-stderr uncore-read --machine="$machine,$event=2e-6" --packages=0 -e uncore_made/bytes/
	[[ -z $output && $stderr == *"2e-06 MiB on uncore_made_1, but 1e-06 MiB"*"each unit by its own name" ]]
	run -0 uncore-read --machine="$machine,$event=2e-6" --packages=0 --format=json \
		-e uncore_made_0/bytes/,uncore_made_1/bytes/
	jq -es 'map(.scaled) == [1, 2]' <<<"$output"
	run -0 uncore-read --machine="$machine,$event=1e-6" --packages=0 --format=json -e uncore_made/bytes/
	jq -e '.scaled == 2 and .measure == "MiB"' <<<"$output"
}

@test "memory controllers that CPUID does not list are counted by the kernel, if it has them" {
	need jq
	local none='sim:genoa-1s,clock=stepped,leaf=0x80000022 0 0x7 0x00084106 0x0 0'
	local kernel=,kernel_pmu=amd_umc_0-1:type=30:counters=4:cpumask=package
	kernel+=,kernel_format=amd_umc:event:config:0-7,kernel_format=amd_umc:rdwrmask:config:8-9
	kernel+=,kernel_rate=amd_umc:0x10a:5000000
	run -0 uncore-read --machine="$none$kernel" --format=json -e umc/event=0xa,rdwrmask=1/
	jq -e '.route == "perf" and .pmu == "amd_umc" and .status == "ok"' <<<"$output"
	run -0 uncore-read --machine="$none$kernel" --format=json -M memory-read-bandwidth
	jq -e '.route == "perf" and .status == "ok"' <<<"$output"
	run -3 --separate-stderr uncore-read --machine="$none" -e umc/event=0xa,rdwrmask=1/
	[[ -z $output && $stderr == *umc* ]]
	# The umc event can be counted together with an event that registers can count.
	run -0 uncore-read --machine="$none$kernel" --format=json -e l3/event=0x4,umask=0xff/,umc/event=0xa,rdwrmask=1/
	jq -es 'map([.pmu, .route, .status]) == [["l3", "msr", "ok"], ["amd_umc", "perf", "ok"]]' <<<"$output"
}

