#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# uncore-throttle while another program changes the counters of its events: on that package only, causes shown by events
# are unknown since the last good look, in every format.

# bats sets status, output, stderr and their line arrays.
# shellcheck disable=SC2154

load common

setup() {
	need jq
	out=$BATS_TEST_TMPDIR/out
	DIMM='throttle=dimm-thermal package=0'
}

# packages KEY...: watch for 30 seconds, and print "time package verdict" of each record about a package after the first
# look.
packages() {
	local IFS=,
	uncore-throttle --machine="sim:westmere-2s,$CALM,$*" -i 5 -n 6 --format=json 2>/dev/null >"$out" ||
		echo "exit $?"
	jq -r 'select(.core == null and .time > 0) | "\(.time) \(.package) \(.verdict)"' "$out"
}

# dimm KEY...: print the answers for both packages, and the exit status.
dimm() {
	local IFS=,
	uncore-throttle --machine="sim:westmere-2s,$CALM,$*" -i 5 -n 4 --dimm --format=json \
		2>/dev/null >"$out" || echo "exit $?"
	jq -r .dimm_throttled "$out"
}

@test "a selector that another program writes accuses no package" {
	run packages "$DIMM" 'foreign=0x3c0 0x400101 at=7'
	echo "$output"
	[ "$output" = $'exit 1\n5 0 throttled\n10 0 cannot-tell\n10 1 cannot-tell' ]
	jq -es 'map(select(.verdict == "cannot-tell")) | length == 2 and all(.causes == [] and (.unknown[0] |
		test("^dimm-thermal: UNC_DRAM_THERMAL_THROTTLED: disturbed since 20.*Z: .* selector 0x3c0")))' "$out"
	# The question is open since the last look with an answer, 5 seconds before the look that reports it.
	jq -es 'def s: .[0:19] + "Z" | fromdateiso8601;
		(.[0].timestamp | s) as $first | map(select(.verdict == "cannot-tell")) |
		all((.unknown[0] | capture("since (?<at>[^ ]*)").at | s) - $first | . >= 4 and . <= 6)' "$out"
}

@test "the gate that another program closes stops every event of that package, and no other's" {
	run packages 'foreign=0x391 0x0 at=7 package=1' "$DIMM"
	[ "$output" = $'exit 1\n5 0 throttled\n10 1 cannot-tell\n15 1 ok' ]
	run packages 'foreign=0x391 0x0 at=7 package=1'
	[ "$output" = $'exit 3\n10 1 cannot-tell\n15 1 ok' ]
	jq -es 'map(select(.verdict == "cannot-tell"))[0].unknown | map(select(test("disturbed since"))) |
		length == 8' "$out"
	run -3 --separate-stderr uncore-throttle -i 5 -n 6 \
		--machine="sim:westmere-2s,$CALM,foreign=0x391 0x0 at=7 package=1"
	echo "$output"
	[[ ${lines[1]} == *"Z package 1: cannot-tell: prochot-external, core-thermal, dimm-thermal; dimm-thermal: "*"disturbed since 20"*"Z: another program cleared our global enable bit"* ]]
	[[ ${lines[2]} == *"Z package 1: known again: prochot-external, core-thermal, dimm-thermal" ]]
	[[ ${lines[3]} == *"Z cannot-tell: in 30.000 s, 6 looks: another program changed counters; "* ]]
	[[ $output == *"  package 1: dimm-thermal unknown for 16.7 % of the time; "*"disturbed since"* ]]
	[[ "$output" != *"package 0"* ]]
}

@test "the control bits that another program clears, bit by bit" {
	run packages 'foreign=0x391 0x1000000fe at=7 package=0'
	[ "$output" = $'exit 3\n10 0 cannot-tell\n15 0 ok' ]
	jq -es 'map(select(.verdict == "cannot-tell"))[0].unknown | map(select(test("disturbed since"))) |
		length == 1' "$out"
}

@test "a counter that another program sets back spoils one interval" {
	run packages "$DIMM" 'foreign=0x3b0 0x0 at=12 package=0' 'foreign=0x3b0 0xffffffffffff at=22 package=1'
	echo "$output"
	[ "$output" = $'exit 1\n5 0 throttled\n15 0 cannot-tell\n20 0 throttled\n25 1 cannot-tell\n30 1 ok' ]
	run packages 'foreign=0x3b0 0x7fffffffff at=12 package=0'
	[ "$output" = $'exit 3\n15 0 cannot-tell\n20 0 ok' ]
}

@test "when the other program has left, the next whole interval counts again" {
	run packages 'foreign=0x3c0 0x400101 at=7 package=0' 'foreign=0x3c0 0x420167 at=12 package=0'
	echo "$output"
	[ "$output" = $'exit 3\n10 0 cannot-tell\n20 0 ok' ]
	run -3 --separate-stderr uncore-throttle -i 5 -n 6 --machine="sim:westmere-2s,$CALM,foreign=0x3c0 0x400101 at=7 package=0,foreign=0x3c0 0x420167 at=12 package=0"
	[[ ${lines[2]} == *"package 0: known again: dimm-thermal" ]]
	[[ ${lines[4]} == "  package 0: dimm-thermal unknown for 33.3 % of the time; "* ]]
}

@test "what cores show for themselves stays: only what the events alone show is unknown" {
	run packages 'foreign=0x391 0x0 at=2 package=0' 'throttle=prochot-external package=0 phase=12 for=3'
	echo "$output"
	[ "${lines[0]}" = "exit 1" ]
	[[ $output == *"5 0 cannot-tell"*"15 0 throttled"* ]]
}

@test "CSV says the same as text" {
	uncore-throttle --machine="sim:westmere-2s,$CALM,foreign=0x3c0 0x400101 at=7 package=1" -i 5 -n 6 \
		--format=csv 2>/dev/null >"$out" || [ $? -eq 3 ]
	grep -c 'cannot-tell' "$out"
	grep -Eq '^10\.0+,[^,]*,sim:westmere-2s,1,,1,cannot-tell,.*disturbed since .*selector 0x3c0' "$out"
}

@test "a box server has nothing to disturb: its registers are only read" {
	run -1 uncore-throttle --dimm -i 5 -n 4 \
		--machine="sim:haswell-ep-2s,$CALM,throttle=dimm-thermal package=0 phase=8 for=100,foreign=0x700 0x0 at=2"
	[[ ${lines[0]} == *"package 0: yes: "* && ${lines[1]} == *"package 1: no" ]]
}

@test "were the DIMMs throttled: the answer no needs counters that were ours all the time" {
	local late='throttle=dimm-thermal phase=8 for=100'
	run dimm 'foreign=0x391 0x0 at=2'
	[ "$output" = $'exit 3\ncannot-tell\ncannot-tell' ]
	jq -es 'all(.why | test("disturbed since 20"))' "$out"
	run dimm 'foreign=0x391 0x0 at=2 package=0'
	[ "$output" = $'exit 3\ncannot-tell\nno' ]
	# The events count again after the look that notices it.
	run dimm "$late package=0" 'foreign=0x391 0x0 at=2 package=0'
	[ "$output" = $'exit 1\nyes\nno' ]
	run dimm 'foreign=0x3c0 0x400101 at=12 package=1'
	[ "$output" = $'exit 3\nno\ncannot-tell' ]
	jq -es '.[1].why | test("^cannot tell for 50 % of the time: UNC_DRAM_.*: disturbed since 20")' "$out"
	run dimm "$DIMM" 'foreign=0x391 0x0 at=12'
	[ "$output" = $'exit 1\nyes\ncannot-tell' ]
	jq -es '.[1].why | test("^cannot tell for 25 % of the time: .*disturbed since")' "$out"
	# A change of another event's counter does not matter.
	run dimm 'foreign=0x3c1 0x400101 at=2 package=1'
	[ "$output" = $'no\nno' ]
}

@test "while COMMAND ran: records of the whole time are unknown too" {
	uncore-throttle --machine="sim:westmere-2s,$CALM,foreign=0x391 0x0 at=0.05 package=1" \
		--format=json -- sleep 0.1 2>/dev/null >"$out" || [ $? -eq 3 ]
	jq -es 'map(select(.core == null)) | .[1].verdict == "cannot-tell" and
		(.[1].sentence | test("disturbed since")) and (.[1].unknown | length) > 0' "$out"
}

@test "a register that could not be put back is named, and the exit status is not 0" {
	local after left=0
	for ((after = 40; after <= 400; after += 12)); do
		run --separate-stderr uncore-throttle --dimm -i 5 -n 2 --machine="sim:westmere-2s,$(
			)clock=stepped,throttle=none,fail=any 0x390-0x3ff EIO after=$after times=30"
		[[ $stderr == *"was not put back"* ]] || continue
		left=$((left + 1))
		[ "$status" -ne 0 ]
		[[ $stderr == *"(0x3"*"uncore-doctor --repair"* ]]
	done
	[ "$left" -gt 3 ]
}

@test "a suspend is told, accuses nothing of what was cleared, and its events are counted again" {
	# 0x61b has the lost time of seconds 70 to 74, and begins at 0 again in second 82.
	run --separate-stderr uncore-throttle --machine="sim:haswell-ep-2s,clock=stepped,suspend=60:at=82" -i 5 \
		-n 19 --format=json
	[[ $stderr == *"the machine was suspended for 60.000 s"* ]]
	[ "$(jq -r 'select(.package == 1 and .core == null and .verdict == "throttled" and .time > 80) | .time' \
		<<<"$output")" = "" ]
	run packages 'suspend=60 at=12'
	echo "$output"
	[ "$output" = $'exit 3\n15 0 cannot-tell\n15 1 cannot-tell\n20 0 ok\n20 1 ok' ]
	jq -es 'map(select(.time == 15 and .core == null)) | length == 2 and
		all(.unknown | any(test("^core-thermal: .*suspended for 60.000 s")))' "$out"
}

@test "in an interval with a suspend, causes shown by growing registers are unknown" {
	local machine
	machine="sim:skylake-sp-2s,$CALM,suspend=10 at=7"
	run uncore-throttle --machine="$machine" -i 5 -n 3 --format=prometheus
	[ "$(grep -c '^uncoremsr_throttled{.*package="1",cause="dimm-thermal"} 0' <<<"$output")" -eq 2 ]
	[ "$(grep -c '^uncoremsr_unknown{.*package="1",cause="dimm-thermal",reason="suspended"} 1' <<<"$output")" -eq 1 ]
	# 5 of the 10 seconds for which the state is known.
	run -1 --separate-stderr uncore-throttle -i 5 -n 3 \
		--machine="sim:skylake-sp-2s,$CALM,suspend=10 at=7,throttle=dimm-thermal phase=8 for=100"
	[[ $output == *"  package 1: dimm-thermal for 50 % of the time: "* ]]
}

@test "a suspend, a failed read or another CPU leaves a cause open, not denied" {
	local gap
	for gap in 'westmere-2s suspend=10 at=7' 'skylake-sp-2s suspend=10 at=7' \
		'icelake-sp-2s fail=read 0x61b EIO after=3 times=2' 'skylake-sp-2s hotplug=4:off:at=7'; do
		echo "$gap"
		run -3 --separate-stderr uncore-throttle -i 5 -n 4 --machine="sim:${gap%% *},$CALM,${gap#* }"
		echo "$output"
		[[ $output == *"Z package 1: cannot-tell: "*"dimm-thermal"*"unknown since 20"* ]]
		[[ $output == *"Z package 1"*": known again: "*"dimm-thermal"* ]]
		[[ $output == *"Z cannot-tell: in 20.000 s, 4 looks: part of the time was not seen; not slowed down, as far as was seen"* ]]
		[[ $output =~ "  package 1: dimm-thermal unknown for "(25|50)" % of the time; " ]]
		run -3 --separate-stderr uncore-throttle -i 5 -n 4 --dimm --format=json \
			--machine="sim:${gap%% *},$CALM,${gap#* }"
		jq -es '.[1] | .dimm_throttled == "cannot-tell" and .share == null and .cycles == null and
			(.why | test("unknown since 20"))' <<<"$output"
	done
	run -3 --separate-stderr uncore-throttle --machine='sim:westmere-2s,throttle=none,suspend=10 at=0.1' \
		--format=json -- sleep 0.3
	jq -es 'map(select(.core == null)) | length == 2 and all(.verdict == "cannot-tell" and
		(.unknown | any(test("^dimm-thermal: .*suspended"))))' <<<"$output"
}

@test "records of the time of COMMAND name what nothing shows, as the text of the same does, and every open question" {
	local machine
	for machine in zen-1s westmere-2s nehalem-1s; do
		run -0 --separate-stderr uncore-throttle --machine="sim:$machine,throttle=none" --format=json -- sleep 0.2
		jq -es 'all(.verdict == "ok" and .unknown == [] and .not_visible == $first and ($first | length) > 3)' \
			--argjson first "$(jq -c .not_visible <<<"${lines[0]}")" <<<"$output"
		jq -r '.not_visible[]' <<<"${lines[0]}" | sort >"$out"
		run -0 uncore-throttle --machine="sim:$machine,throttle=none" -- sleep 0.2
		sed 's/.*; not visible here: //; s/ (at [0-9]* degrees C)//; s/, /\n/g' <<<"${lines[0]}" | sort | diff "$out" -
	done
	run -4 --separate-stderr uncore-throttle --machine=sim:zen-1s,throttle=none,hsmp=no --format=json -- sleep 0.2
	jq -e '.core == null and .verdict == "cannot-tell" and (.unknown[0] | test("^prochot-external: .*modprobe amd_hsmp")) and
		.sentence == (.unknown[0] | sub("^prochot-external: "; ""))' <<<"${lines[0]}"
	run -4 --separate-stderr uncore-throttle --machine=sim:zen-1s,throttle=none,hsmp=no --format=csv -- sleep 0.2
	[[ ${lines[1]} == *"prochot-external: only the processor's mailbox"* ]]
}

# lines MACHINE COUNT: print the lines of a watch about package 0, each with the second in front.
lines() {
	local start
	uncore-throttle --machine="$1" -i 5 -n "$2" >"$out" 2>/dev/null || true
	start=$(date -d "$(head -n 1 "$out" | cut -d ' ' -f 1)" +%s%3N)
	grep -E '^20[^ ]*Z package 0[:, ]' "$out" | while read -r stamp line; do
		echo "$((($(date -d "$stamp" +%s%3N) - start + 50) / 1000)) $(grep -Eo \
			'^[^:]*: (known again: .*|(cannot-tell|no longer known): [^;]*)|[a-z-]+( began| ended)' \
			<<<"$line" | paste -sd ' ')"
	done
}

@test "an answer that is lost, and one that is found again, is told at once and once" {
	run lines "sim:westmere-2s,$CALM,foreign=0x391 0x0 at=7,throttle=dimm-thermal phase=8 for=100" 6
	echo "$output"
	[ "$output" = "10 package 0: cannot-tell: prochot-external, core-thermal, dimm-thermal
15 package 0: known again: prochot-external, core-thermal, dimm-thermal
15 dimm-thermal began" ]
	# The count of SMIs begins again, too.
	for at in 7 17 37; do
		run lines "sim:westmere-2s,$CALM,suspend=10 at=$at" 20
		echo "$output"
		[ "$output" = "$((at + 3)) package 0: cannot-tell: prochot-external, core-thermal, dimm-thermal, smi
$((at + 3)) package 0, cores 0-2,8-10: cannot-tell: firmware
$((at + 8)) package 0: known again: prochot-external, core-thermal, dimm-thermal, smi
$((at + 8)) package 0, cores 0-2,8-10: known again: firmware" ]
	done
	run lines "sim:icelake-sp-2s,$CALM,fail=read 0x61b EIO after=2" 3
	[ "$output" = "5 package 0: cannot-tell: dimm-thermal" ]
	# Causes that cores show are still reported.
	run lines "sim:westmere-2s,$CALM,foreign=0x391 0x0 at=17,throttle=prochot-external" 6
	echo "$output"
	[ "$(grep -v '^0 ' <<<"$output")" = "5 prochot-external began
20 package 0: no longer known: core-thermal, dimm-thermal
25 package 0: known again: core-thermal, dimm-thermal" ]
	grep -q 'package 0 and its cores .*: prochot-external at 6 of 6 looks' "$out"
	run ! grep -q 'prochot-external unknown' "$out"
}
