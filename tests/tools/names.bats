#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Events by name, from the command line to the numbers.
#
# Tables of commands are quoted strings of several lines.
# shellcheck disable=SC1078,SC1079

load common
load answers

STEPPED="sim:westmere-2s,clock=stepped"
FACTS=${UNCOREMSR_FACTS:-$TOP/../shared/facts}

@test "every event of the lists made from the sources has the same codes here, under all its names" {
	local check=${BIN%/*}/tests/facts_check
	[ -x "$check" ] || skip "facts_check is not built"
	[ -d "$FACTS" ] || skip "no lists"
	run -0 env UNCOREMSR_FACTS="$FACTS" "$check"
	echo "$output"
	[[ $output != *SKIP* ]]
	[ "${lines[-1]}" = 1..21 ]
}

@test "an event is counted under its canonical spelling, whatever its codes, its tool's name or its pattern" {
	need jq
	local read="uncore-read --machine=$STEPPED --packages=0"
	told 'map(.event) | if length > 3 then length else join(" ") end' <<-END
		"UNC_PROCHOT_ASSERTION" | $read -e 0x82:0x1
		"UNC_PROCHOT_ASSERTION:edge" | $read -e 0x82:0x1:edge
		"0x82:0x3" | $read -e 0x82:0x3
		"0x82:0x1" | uncore-read --machine=sim:nehalem-1s,clock=stepped -e 0x82:0x1
		"UNC_L3_HITS.READ" | $read -e UNC_L3_HITS_READ
		"UNC_L3_HITS.READ" | $read -e wsm_unc::UNC_LLC_HITS:READ
		"UNC_L3_HITS.READ" | $read -e L3_HITS.READ
		"UNC_QMC_NORMAL_READS.ANY" | $read -e uncore/qmc_normal_reads_any/
		"UNC_CLK_UNHALTED" | $read -e UNCORE_CLOCK
		"UNC_TURBO_MODE.CORE_0 UNC_TURBO_MODE.CORE_2" | $read -e 'UNC_TURBO_MODE.CORE_[0,2]'
		12 | $read -e 'UNC_THERMAL_*'
	END
	told 'map([.event, .encoding, .counter, .counted, .value])' <<-END
		[["UNC_PROCHOT_ASSERTION","0x420182",0,"1000","1000"]] | uncore-read -e unc_prochot_assertion --packages 0 --machine=$STEPPED,rate=0x82:0x1=1000
	END
	# The fourteen values of the article of 2010 (docs/guide.md) come from one command, each with the time for
	# which it was counted.
	told '[length, all(.enabled_ns == 5e9 and .running_ns > 0 and .running_ns < 5e9 and .status == "ok")]' <<-END
		[14,true] | $read -e 'UNC_THERMAL_*' -e UNC_PROCHOT_ASSERTION -e UNC_DRAM_THERMAL_THROTTLED -i 5 -n 1
	END
}

@test "a name that cannot be counted here is refused, with a suggestion, its codes elsewhere or its register; decode accepts the names that explain accepts" {
	expect <<-END
		2 | UNC_PROCHOT_ASERTION & did you mean UNC_PROCHOT_ASSERTION? & EVENT:UMASK | uncore-read -e UNC_PROCHOT_ASERTION --machine=$STEPPED
		2 | not defined for nehalem & westmere has this event & 0x82:0x1 | uncore-read -e UNC_PROCHOT_ASSERTION --machine=sim:nehalem-1s
		2 | nehalem has this event | uncore-read -e 'UNC_QMC_NORMAL_FULL.*' --machine=$STEPPED
		2 | number 4 | uncore-read -e 'UNC_TURBO_MODE.CORE_[0-5]' --machine=$STEPPED
		3 | needs MSR 0x301*wrmsr -p CPU 0x301 0x1*0xc:0x4 | uncore-read -e UNC_GQ_SNOOP.GOTO_S_HIT_M --machine=$STEPPED
	END
	expect <<-'END'
		0 | 0x42072c*event  UNC_QMC_NORMAL_READS.ANY | uncore-events decode UNC_QMC_NORMAL_READS.ANY --uarch=westmere
		0 | data from the device behind port 0 | uncore-events decode iio_free_running/bw_in_port0/ --machine=sim:icelake-sp-2s
		0 | kernel event*event=0x04,umask=0x03 | uncore-events decode uncore_imc/cas_count_read/ --machine=sim:skylake-sp-perf
		0 | memory traffic of the package | uncore-events decode memory-bandwidth --uarch=westmere
		2 | no event of that name | uncore-events decode nonsense --uarch=westmere
	END
}

@test "event lists that were named: list, search and explain show their events, and encode falls back to registers without the kernel's PMU" {
	local uarch list=$BATS_TEST_TMPDIR/box.json rows
	printf '[{"Unit":"CHA","EventName":"BOX.ANY","EventCode":"0x34","UMask":"0x11",
		"BriefDescription":"every lookup"}]' >"$list"
	for uarch in skylake-sp westmere; do
		rows+="0 | BOX.ANY | uncore-events list --uarch=$uarch --event-list=$list
			0 | BOX.ANY | uncore-events list 'BOX*' --uarch=$uarch --event-list=$list
			0 | BOX.ANY | uncore-events search every lookup --uarch=$uarch --event-list=$list
			0 | every lookup | uncore-events explain BOX.ANY --uarch=$uarch --event-list=$list"$'\n'
	done
	# With --cpu the list is for another processor than this machine's, so no registers are known (status 3). With
	# --uarch the registers are those in the named processor's tables.
	expect <<-END
		$rows
		0 | UNC_CLK_UNHALTED | uncore-events list --uarch=westmere --event-list=$list
		2 | | uncore-events list 'BIX*' --uarch=skylake-sp --event-list=$list
		0 | "encoding":"0x401134" | uncore-events encode BOX.ANY --event-list=$list --machine=sim:skylake-sp-2s --format=json
		3 | no PMU 'uncore_cha' | uncore-events encode BOX.ANY --event-list=$list --machine=sim:skylake-sp-2s --route=perf
		3 | | uncore-events encode BOX.ANY --event-list=$list --machine=sim:skylake-sp-2s --cpu=GenuineIntel-6-8F
		2 | 'BOX.NONE' | uncore-events encode BOX.NONE --event-list=$list --machine=sim:skylake-sp-2s
		0 | "encoding":"0x401134" | uncore-events encode BOX.ANY --event-list=$list --uarch=skylake-sp --format=json
	END
}

@test "fixed and free-running counters have names where there is no table of events" {
	need jq
	local icx=sim:icelake-sp-2s names
	told '[map(select(.name == "iio_free_running/bw_in_port0/") | .uarch + " " + .pmu), length > 10]' <<-END
		[["icelake-sp iio_free_running"],true] | uncore-events list --machine=$icx
	END
	# If the table of events has the names of fixed counters as well, each name is listed once.
	told '[(map(.name) | length == (unique | length)), (map(select(.name == "UNC_CLK_UNHALTED")) | length)]' <<-'END'
		[true,1] | uncore-events list --uarch=westmere
	END
	# Every name of the list can be counted.
	mapfile -t names < <(uncore-events list --machine=$icx --format=json | jq -r .name)
	expect <<-END
		0 | --event-list=FILE | uncore-events list --machine=$icx
		0 | iio_free_running/bw_in_port0/*in MiB | uncore-events list --uarch=icelake-sp 'bw_in*'
		0 | iio_free_running/ioclk/ | uncore-events search clock ticks --machine=$icx
		0 | data from the device behind port 0*MiB | uncore-events explain iio_free_running/bw_in_port0/ --machine=$icx
		0 | | uncore-events encode ${names[*]} --machine=$icx
	END
}

# Every 97th event of the tables and lists.
@test "decode finds the name that encode was given, for every table and a list" {
	need jq
	local list=$BATS_TEST_TMPDIR/list.json uarch name rows num=0
	echo '[ { "EventName": "UNC_CHA_T.A", "Unit": "CHA", "EventCode": "0x50", "UMask": "0x21" },
		{ "EventName": "UNC_IIO_T.P0", "Unit": "IIO", "EventCode": "0xc2", "UMask": "0x04", "PortMask": "0x01", "FCMask": "0x07" } ]' >"$list"
	for uarch in nehalem westmere nehalem-ex westmere-ex sandybridge broadwell meteorlake; do
		later uncore-events list --uarch="$uarch" --format=json
	done
	while read -r uarch name; do
		num=$((num + 1))
		rows+="0 |   event  ${name#*/} ($uarch) | uncore-events decode $name$([[ $uarch != *-ex || $name != rbox/* ]] || echo ,port=0)/ --uarch=$uarch"$'\n'
	done < <(each_answer as_array | jq -r '.[] | "\(.uarch) \(.pmu)/\(.name)"' | awk 'NR % 97 == 1')
	[ "$num" -gt 10 ]
	expect <<-END
		$rows
		0 |   event  UNC_CHA_T.A (skylake-sp) | uncore-events decode UNC_CHA_T.A --uarch=skylake-sp --event-list=$list
		0 |   event  UNC_IIO_T.P0 (skylake-sp) | uncore-events decode UNC_IIO_T.P0 --uarch=skylake-sp --event-list=$list
	END
}

@test "patterns and names of lists and metrics are found like those of tables" {
	local list=$BATS_TEST_TMPDIR/list.json
	echo '[ { "EventName": "UNC_M_T.RD", "Unit": "iMC", "EventCode": "0x04", "UMask": "0x03" },
		{ "EventName": "UNC_M_T.WR", "Unit": "iMC", "EventCode": "0x04", "UMask": "0x0c" } ]' >"$list"
	expect <<-END
		0 | UNC_M_T.RD +*UNC_M_T.WR + | uncore-read --machine=sim:skylake-sp-perf --event-list=$list -e 'UNC_M_T.*' -n 1 -i 0.01
		0 | =metrics, computed* & turbo-core0 *turbo-core1  & !turbo-core2 | uncore-events list 'turbo-core[0-1]' --uarch=westmere
		2 | did you mean memory-bandwidth (a metric) | uncore-events explain memory-bandwith --uarch=westmere
		2 | metric 'turbo-core[0-1'*bracket | uncore-read --machine=sim:westmere-2s -M 'turbo-core[0-1' -n 1
		2 | metric 'turbo-core[0-5]': westmere has no metric of that name with number 4 | uncore-read --machine=sim:westmere-2s -M 'turbo-core[0-5]' -n 1
	END
}

@test "installed lists of another processor do not hide why a name is not counted" {
	once "$TOP/tests/tools/private-mounts" true || skip "no mount namespace here"
	run "$TOP/tests/tools/private-mounts" bash -euc '
		mount -t tmpfs none /var/lib
		mkdir -p /var/lib/uncoremsr/events/SKX
		cat >/var/lib/uncoremsr/events/mapfile.csv <<-END
		Family-model,Version,Filename,EventType,Core Type,Native Model ID,Core Role Name
		GenuineIntel-6-55-[01234],V1,/SKX/uncore.json,uncore,,,
		END
		echo "[]" >/var/lib/uncoremsr/events/SKX/uncore.json
		"$1/uncore-read" --machine=sim:zen-1s -e amd_iommu/mem_dte_hit/ || echo "status $?"
		"$1/uncore-read" --machine=sim:zen-1s -M package-pwer || echo "status $?"' bash "$BIN"
	[[ ${lines[0]} == *"'amd_iommu/mem_dte_hit/': zen3 has no PMU 'amd_iommu'"* ]]
	[[ ${lines[2]} == *"'package-pwer': no metric of that name on zen3; did you mean package-power"* ]]
}
