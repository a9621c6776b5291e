#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Events by name, from the command line to the numbers.
#
# bats sets stderr and its lines.
# shellcheck disable=SC2154

load common

STEPPED="sim:westmere-2s,clock=stepped"
FACTS=${UNCOREMSR_FACTS:-$TOP/../shared/facts}

# names EVENT: print the names under which uncore-read counts it, on one package.
names() {
	uncore-read -e "$1" --packages 0 --format=csv --machine="${2:-$STEPPED}" |
		awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "event") n = i; next } { print $n }'
}

# refused EVENT TEXT...: the event must be refused with status 2, and one line that has each TEXT.
refused() {
	local event=$1 text
	shift
	run -2 --separate-stderr uncore-read -e "$event" --machine="${MACHINE:-$STEPPED}"
	echo "$stderr"
	[ -z "$output" ]
	[ "${#stderr_lines[@]}" -eq 1 ]
	for text; do
		[[ $stderr == *"$text"* ]]
	done
}

@test "every event of the lists made from the sources has the same codes here, under all its names" {
	local check=${BIN%/*}/tests/facts_check
	[ -x "$check" ] || skip "facts_check is not built"
	[ -d "$FACTS" ] || skip "no lists"
	run -0 env UNCOREMSR_FACTS="$FACTS" "$check"
	echo "$output"
	[[ $output != *SKIP* ]]
	[ "${lines[-1]}" = 1..23 ]
}

@test "a name is counted under its canonical spelling, with the manual's codes" {
	run -0 uncore-read -e unc_prochot_assertion --packages 0 --format=csv \
		--machine="$STEPPED,rate=0x82:0x1=1000"
	[[ ${lines[1]} == *,UNC_PROCHOT_ASSERTION,0x420182,0,*,1000,1000,* ]]
}

@test "codes that have a name are shown by it" {
	[ "$(names 0x82:0x1)" = UNC_PROCHOT_ASSERTION ]
	[ "$(names 0x82:0x1:edge)" = UNC_PROCHOT_ASSERTION:edge ]
	[ "$(names 0x82:0x3)" = 0x82:0x3 ]
	[ "$(names 0x82:0x1 sim:nehalem-1s,clock=stepped)" = 0x82:0x1 ]
}

@test "likwid, libpfm4, FreeBSD and Linux names lead to the same event" {
	[ "$(names UNC_L3_HITS_READ)" = UNC_L3_HITS.READ ]
	[ "$(names wsm_unc::UNC_LLC_HITS:READ)" = UNC_L3_HITS.READ ]
	[ "$(names L3_HITS.READ)" = UNC_L3_HITS.READ ]
	[ "$(names uncore/qmc_normal_reads_any/)" = UNC_QMC_NORMAL_READS.ANY ]
	[ "$(names UNCORE_CLOCK)" = UNC_CLK_UNHALTED ]
}

@test "a bracket and a star stand for several events" {
	[ "$(names 'UNC_TURBO_MODE.CORE_[0,2]' | paste -sd' ')" = \
		"UNC_TURBO_MODE.CORE_0 UNC_TURBO_MODE.CORE_2" ]
	[ "$(names 'UNC_THERMAL_*' | wc -l)" -eq 12 ]
}

@test "the article's fourteen values come from one command, each with the time it was counted" {
	run -0 uncore-read -e 'UNC_THERMAL_*' -e UNC_PROCHOT_ASSERTION -e UNC_DRAM_THERMAL_THROTTLED \
		-i 5 -n 1 --packages 0 --format=csv --machine="$STEPPED"
	[ "${#lines[@]}" -eq 15 ]
	run -0 awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["enabled_ns"] == 5e9 && $at["running_ns"] > 0 && $at["running_ns"] < 5e9 &&
		$at["status"] == "ok" { n++ } END { print n }' <<<"$output"
	[ "$output" -eq 14 ]
}

@test "a misspelled name gets a suggestion and the way to use codes" {
	refused UNC_PROCHOT_ASERTION "UNC_PROCHOT_ASERTION" "did you mean UNC_PROCHOT_ASSERTION?" EVENT:UMASK
}

@test "a name of another processor is refused with its codes there, which can be counted" {
	MACHINE=sim:nehalem-1s refused UNC_PROCHOT_ASSERTION "not defined for nehalem" "westmere has it" 0x82:0x1
	refused 'UNC_QMC_NORMAL_FULL.*' "nehalem has it"
}

@test "a number that does not exist is not left out silently" {
	refused 'UNC_TURBO_MODE.CORE_[0-5]' "number 4"
}

@test "an event that needs a second register is refused with the way to set it" {
	run -3 --separate-stderr uncore-read -e UNC_GQ_SNOOP.GOTO_S_HIT_M --machine="$STEPPED"
	[[ $stderr == *"needs MSR 0x301"*"wrmsr -p CPU 0x301 0x1"*"0xc:0x4"* ]]
}

@test "encode falls back to registers where this kernel lacks the PMU of a list's event" {
	local list
	list=$BATS_TEST_TMPDIR/box.json
	printf '[{"Unit":"CHA","EventName":"BOX.ANY","EventCode":"0x34","UMask":"0x11"}]' >"$list"
	run -0 --separate-stderr uncore-events encode BOX.ANY --event-list="$list" \
		--machine=sim:skylake-sp-2s --format=json
	[ "$(jq -r .encoding <<<"$output")" = 0x401134 ]
	run -3 --separate-stderr uncore-events encode BOX.ANY --event-list="$list" \
		--machine=sim:skylake-sp-2s --route=perf
	[[ $stderr == *"no PMU 'uncore_cha'"* ]]
	# Lists of another processor have no registers on this machine.
	run -3 --separate-stderr uncore-events encode BOX.ANY --event-list="$list" \
		--machine=sim:skylake-sp-2s --cpu=GenuineIntel-6-8F
	run -2 --separate-stderr uncore-events encode BOX.NONE --event-list="$list" \
		--machine=sim:skylake-sp-2s
	[[ $stderr == *"'BOX.NONE'"* ]]
	# With a named processor, its tables have the registers.
	run -0 --separate-stderr uncore-events encode BOX.ANY --event-list="$list" \
		--uarch=skylake-sp --format=json
	[ "$(jq -r .encoding <<<"$output")" = 0x401134 ]
}

@test "list, search and explain of a named processor show the event lists that were named" {
	local uarch list
	list=$BATS_TEST_TMPDIR/box.json
	printf '[{"Unit":"CHA","EventName":"BOX.ANY","EventCode":"0x34","UMask":"0x11",
		"BriefDescription":"every lookup"}]' >"$list"
	for uarch in skylake-sp westmere; do
		run -0 uncore-events list --uarch=$uarch --event-list="$list"
		[[ $output == *BOX.ANY* ]]
		run -0 uncore-events list 'BOX*' --uarch=$uarch --event-list="$list"
		[[ $output == *BOX.ANY* ]]
		run -0 uncore-events search every lookup --uarch=$uarch --event-list="$list"
		[[ $output == *BOX.ANY* ]]
		run -0 uncore-events explain BOX.ANY --uarch=$uarch --event-list="$list"
		[[ $output == *"every lookup"* ]]
	done
	[[ $(uncore-events list --uarch=westmere --event-list="$list") == *UNC_CLK_UNHALTED* ]]
	run -2 uncore-events list 'BIX*' --uarch=skylake-sp --event-list="$list"
}

@test "fixed and free-running counters have names where there is no table of events" {
	local icx=sim:icelake-sp-2s name=iio_free_running/bw_in_port0/ names
	run -0 --separate-stderr uncore-events list --machine=$icx --format=json
	[ "$(jq -r 'select(.name == "iio_free_running/bw_in_port0/") | .uarch + " " + .pmu' <<<"$output")" = \
		"icelake-sp iio_free_running" ]
	[[ $(uncore-events list --machine=$icx) == *"--event-list=FILE"* ]]
	[[ $(uncore-events list --uarch=icelake-sp 'bw_in*') == *$name*"in MiB"* ]]
	[[ $(uncore-events search clock ticks --machine=$icx) == *iio_free_running/ioclk/* ]]
	run -0 uncore-events explain $name --machine=$icx
	[[ $output == *"data from the device behind port 0"*MiB* ]]
	# Every name of the list can be counted.
	mapfile -t names < <(uncore-events list --machine=$icx --format=json | jq -r .name)
	[ ${#names[@]} -gt 10 ]
	uncore-events encode "${names[@]}" --machine=$icx >/dev/null
	# If a table has the names of fixed counters, they are listed once.
	[ "$(uncore-events list --uarch=westmere --format=json | jq -r .name | sort | uniq -d | wc -l)" -eq 0 ]
	[ "$(uncore-events list --uarch=westmere --format=json | grep -c UNC_CLK_UNHALTED)" -eq 1 ]
}

@test "decode takes what explain takes: names, and what has no selector" {
	run -0 uncore-events decode UNC_QMC_NORMAL_READS.ANY --uarch=westmere
	[[ $output == 0x42072c*"event  UNC_QMC_NORMAL_READS.ANY"* ]]
	run -0 uncore-events decode iio_free_running/bw_in_port0/ --machine=sim:icelake-sp-2s
	[[ $output == *"data from the device behind port 0"* ]]
	run -0 uncore-events decode uncore_imc/cas_count_read/ --machine=sim:skylake-sp-perf
	[[ $output == *"kernel event"*"event=0x04,umask=0x03"* ]]
	run -0 uncore-events decode memory-bandwidth --uarch=westmere
	[[ $output == *"memory traffic of the package"* ]]
	run -2 uncore-events decode nonsense --uarch=westmere
	[[ $output == *"no event of that name"* ]]
}

# Every 97th event of the tables and lists; each decode is a process.
@test "decode names what encode was given, of every table and of a list" {
	need jq
	local list=$BATS_TEST_TMPDIR/list.json uarch name
	echo '[ { "EventName": "UNC_CHA_T.A", "Unit": "CHA", "EventCode": "0x50", "UMask": "0x21" },
		{ "EventName": "UNC_IIO_T.P0", "Unit": "IIO", "EventCode": "0xc2", "UMask": "0x04", "PortMask": "0x01", "FCMask": "0x07" } ]' >"$list"
	while read -r uarch name; do
		name+=$([[ $uarch != *-ex || $name != rbox/* ]] || echo ,port=0)
		run -0 uncore-events decode "$name/" --uarch="$uarch"
		name=${name#*/}
		[[ $output == *"  event  ${name%,port=0} ($uarch)"* ]]
	done < <(for uarch in nehalem westmere nehalem-ex westmere-ex sandybridge broadwell meteorlake; do
		uncore-events list --uarch="$uarch" --format=json
	done | jq -r '"\(.uarch) \(.pmu)/\(.name)"' | awk 'NR % 97 == 1')
	for name in UNC_CHA_T.A UNC_IIO_T.P0; do
		run -0 uncore-events decode "$name" --uarch=skylake-sp --event-list="$list"
		[[ $output == *"  event  $name (skylake-sp)"* ]]
	done
}

@test "patterns and names of lists and metrics are found like those of tables" {
	local list=$BATS_TEST_TMPDIR/list.json
	echo '[ { "EventName": "UNC_M_T.RD", "Unit": "iMC", "EventCode": "0x04", "UMask": "0x03" },
		{ "EventName": "UNC_M_T.WR", "Unit": "iMC", "EventCode": "0x04", "UMask": "0x0c" } ]' >"$list"
	run -0 uncore-read --machine=sim:skylake-sp-perf --event-list="$list" -e 'UNC_M_T.*' -n 1 -i 0.01
	[[ $output == *"UNC_M_T.RD +"*"UNC_M_T.WR +"* ]]
	run -0 uncore-events list 'turbo-core[0-1]' --uarch=westmere
	[[ $output == "metrics, computed"*"turbo-core0 "*"turbo-core1 "* && $output != *turbo-core2* ]]
	run -2 uncore-events explain memory-bandwith --uarch=westmere
	[[ $output == *"did you mean memory-bandwidth (a metric)"* ]]
	run -2 uncore-read --machine=sim:westmere-2s -M 'turbo-core[0-1' -n 1
	[[ $output == *"metric 'turbo-core[0-1'"*"bracket"* ]]
	run -2 uncore-read --machine=sim:westmere-2s -M 'turbo-core[0-5]' -n 1
	[[ $output == *"metric 'turbo-core[0-5]': westmere has no metric of that name with number 4"* ]]
}

@test "installed lists of another processor do not hide why a name is not counted" {
	"$TOP/tests/tools/private-mounts" true 2>/dev/null || skip "no mount namespace here"
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
