#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# uncore-throttle while another program changes the counters of its events. On this package, the causes that events show
# are unknown since the last undisturbed look; other packages and causes are not affected. All formats are tested.

load common
load answers

setup() {
	need jq
	out=$BATS_TEST_TMPDIR/out
	DIMM='throttle=dimm-thermal package=0'
}

# packages WANTED FILTER KEY...: watch for 30 seconds. The exit status and "time package verdict" of each record about a
# package after the first look must be WANTED, and jq's FILTER must be true of the records.
packages() {
	local IFS=, ended=0
	uncore-throttle --machine="sim:westmere-2s,$CALM,${*:3}" -i 5 -n 6 --format=json 2>/dev/null >"$out" || ended=$?
	jq -es --arg ended $ended --arg wanted "$1" '([.[] | select(.core == null and .time > 0) | "\(.time) \(.package) \(.verdict)"] |
		$ended + ": " + join(", ")) as $seen | if $seen == $wanted then '"$2"' else $seen, false end' "$out"
}

# dimm WANTED FILTER KEY...: the exit status and the answers for both packages must be WANTED, and FILTER true.
dimm() {
	local IFS=, ended=0
	uncore-throttle --machine="sim:westmere-2s,$CALM,${*:3}" -i 5 -n 4 --dimm --format=json \
		2>/dev/null >"$out" || ended=$?
	jq -es --arg ended $ended --arg wanted "$1" '($ended + ": " + (map(.dimm_throttled) | join(" "))) as $seen |
		if $seen == $wanted then '"$2"' else $seen, false end' "$out"
}

@test "if another program writes, causes shown by events are unknown on that package only, for one interval" {
	local lost='map(select(.verdict == "cannot-tell"))[0].unknown | map(select(test("disturbed since"))) | length == '
	# Another program changes a selector at 7 s. The look at 10 s reports the cause as unknown since the look at
	# 5 s.
	packages '1: 5 0 throttled, 10 0 cannot-tell, 10 1 cannot-tell' 'def s: .[0:19] + "Z" | fromdateiso8601;
		(.[0].timestamp | s) as $first | map(select(.verdict == "cannot-tell")) | length == 2 and all(.causes == [] and
		(.unknown[0] | test("^dimm-thermal: UNC_DRAM_THERMAL_THROTTLED: disturbed since 20.*Z: .* selector 0x3c0")) and
		((.unknown[0] | capture("since (?<at>[^ ]*)").at | s) - $first | . >= 4 and . <= 6))' \
		"$DIMM" 'foreign=0x3c0 0x400101 at=7'
	# 0x391, the global control register: value 0 stops every event of its package, 0x1000000fe only the one on
	# counter 0.
	packages '1: 5 0 throttled, 10 1 cannot-tell, 15 1 ok' true 'foreign=0x391 0x0 at=7 package=1' "$DIMM"
	packages '3: 10 1 cannot-tell, 15 1 ok' "$lost 8" 'foreign=0x391 0x0 at=7 package=1'
	packages '3: 10 0 cannot-tell, 15 0 ok' "$lost 1" 'foreign=0x391 0x1000000fe at=7 package=0'
	# Another program writes to a counter.
	packages '1: 5 0 throttled, 15 0 cannot-tell, 20 0 throttled, 25 1 cannot-tell, 30 1 ok' true \
		"$DIMM" 'foreign=0x3b0 0x0 at=12 package=0' 'foreign=0x3b0 0xffffffffffff at=22 package=1'
	packages '3: 15 0 cannot-tell, 20 0 ok' true 'foreign=0x3b0 0x7fffffffff at=12 package=0'
	# After the other program has put the selector back, the next whole interval is counted again.
	packages '3: 10 0 cannot-tell, 20 0 ok' true 'foreign=0x3c0 0x400101 at=7 package=0' 'foreign=0x3c0 0x420167 at=12 package=0'
	# Causes that a core's own registers show are still reported.
	packages '1: 5 0 cannot-tell, 10 0 ok, 15 0 throttled, 20 0 was-throttled' true 'foreign=0x391 0x0 at=2 package=0' \
		'throttle=prochot-external package=0 phase=12 for=3'
}

@test "text and CSV show a disturbance, too; on Haswell-EP another program cannot disturb the answer" {
	local m=westmere-2s,$CALM
	run -3 --separate-stderr uncore-throttle -i 5 -n 6 --machine="sim:$m,foreign=0x391 0x0 at=7 package=1"
	echo "$output"
	[[ ${lines[1]} == *"Z package 1: cannot-tell: prochot-external, core-thermal, dimm-thermal; dimm-thermal: "*"disturbed since 20"*"Z: another program cleared our global enable bit"* ]]
	[[ ${lines[2]} == *"Z package 1: known again: prochot-external, core-thermal, dimm-thermal" ]]
	[[ ${lines[3]} == *"Z cannot-tell: in 30.000 s, 6 looks: another program changed counters; "* ]]
	[[ $output == *"  package 1: dimm-thermal unknown for 16.7 % of the time; "*"disturbed since"* ]]
	[[ "$output" != *"package 0"* ]]
	each_says uncore-throttle <<-END
		3|-|$m,foreign=0x3c0 0x400101 at=7 package=0,foreign=0x3c0 0x420167 at=12 package=0|-i 5 -n 6|*\\n*\\n*package 0: known again: dimm-thermal\\n*\\n  package 0: dimm-thermal unknown for 33.3 % of the time; *
		3|-|$m,foreign=0x3c0 0x400101 at=7 package=1|-i 5 -n 6 --format=csv|*\\n10.0*,sim:westmere-2s,1,,1,cannot-tell,*disturbed since *selector 0x3c0*
		1|2|haswell-ep-2s,$CALM,throttle=dimm-thermal package=0 phase=8 for=100,foreign=0x700 0x0 at=2|--dimm -i 5 -n 4|*package 0: yes: *\\n*package 1: no
	END
}

@test "uncore-throttle says that DIMMs were not throttled only if nobody changed our counters" {
	dimm '3: cannot-tell cannot-tell' 'all(.why | test("disturbed since 20"))' 'foreign=0x391 0x0 at=2'
	dimm '3: cannot-tell no' true 'foreign=0x391 0x0 at=2 package=0'
	# The look that notices a disturbance also programs the events again, so later throttling is seen.
	dimm '1: yes no' true 'throttle=dimm-thermal phase=8 for=100 package=0' 'foreign=0x391 0x0 at=2 package=0'
	dimm '3: no cannot-tell' '.[1].why | test("^cannot tell for 50 % of the time: UNC_DRAM_.*: disturbed since 20")' \
		'foreign=0x3c0 0x400101 at=12 package=1'
	dimm '1: yes cannot-tell' '.[1].why | test("^cannot tell for 25 % of the time: .*disturbed since")' \
		"$DIMM" 'foreign=0x391 0x0 at=12'
	# A change of another event's counter does not matter.
	dimm '0: no no' true 'foreign=0x3c1 0x400101 at=2 package=1'
}

@test "a disturbance while COMMAND runs makes the records of the whole time unknown" {
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

@test "a suspend is reported, events are counted again, and causes shown by growing registers are unknown" {
	# Suspend clears 0x61b. It shows lost time in seconds 70 to 74, and starts again from 0 in second 82; this
	# decrease must not be reported as throttling.
	run --separate-stderr uncore-throttle --machine="sim:haswell-ep-2s,clock=stepped,suspend=60:at=82" -i 5 \
		-n 19 --format=json
	[[ $stderr == *"the machine was suspended for 60.000 s"* ]]
	[ "$(jq -r 'select(.package == 1 and .core == null and .verdict == "throttled" and .time > 80) | .time' \
		<<<"$output")" = "" ]
	packages '3: 15 0 cannot-tell, 15 1 cannot-tell, 20 0 ok, 20 1 ok' 'map(select(.time == 15 and .core == null)) | length == 2 and
		all(.unknown | any(test("^core-thermal: .*suspended for 60.000 s")))' 'suspend=60 at=12'
	# For the interval with the suspend, causes that are shown by growing registers are unknown.
	local machine
	machine="sim:skylake-sp-2s,$CALM,suspend=10 at=7"
	run uncore-throttle --machine="$machine" -i 5 -n 3 --format=prometheus
	[ "$(grep -c '^uncoremsr_throttled{.*package="1",cause="dimm-thermal"} 0' <<<"$output")" -eq 2 ]
	[ "$(grep -c '^uncoremsr_unknown{.*package="1",cause="dimm-thermal",reason="suspended"} 1' <<<"$output")" -eq 1 ]
	# DIMMs were throttled in 5 of the 10 seconds for which the state is known.
	run -1 --separate-stderr uncore-throttle -i 5 -n 3 \
		--machine="sim:skylake-sp-2s,$CALM,suspend=10 at=7,throttle=dimm-thermal phase=8 for=100"
	[[ $output == *"  package 1: dimm-thermal for 50 % of the time: "* ]]
}

@test "after a suspend, a failed read or a change of CPU, a cause is unknown, not excluded" {
	local gap="icelake-sp-2s,$CALM,fail=read 0x61b EIO after=3 times=2"
	printf '%s\n' "3|-|$gap|-i 5 -n 4|*Z package 1: cannot-tell: *dimm-thermal*unknown since 20*Z package 1*: known again: *dimm-thermal*Z cannot-tell: in 20.000 s, 4 looks: no answer for part of the time; no slowdown was seen*  package 1: dimm-thermal unknown for @(25|50) % of the time; *" \
		"3|-|$gap|-i 5 -n 4 --dimm --format=json|*\\n*\"package\":1,\"dimm_throttled\":\"cannot-tell\",\"share\":null,\"cycles\":null,\"why\":\"*unknown since 20*" | each_says uncore-throttle
	# Suspend every 0.2 s: on a busy machine the first look is late, and a single suspend could come before it.
	run -3 --separate-stderr uncore-throttle \
		--machine="sim:westmere-2s,throttle=none,$(seq -s, -f 'suspend=10 at=%g' 0.1 0.2 10)" --format=json -- sleep 0.3
	jq -es 'map(select(.core == null)) | length == 2 and all(.verdict == "cannot-tell" and
		(.unknown | any(test("^dimm-thermal: .*suspended"))))' <<<"$output"
}

@test "records about COMMAND name causes that nothing shows, as the text does, and all that are unknown" {
	local machine m
	for machine in zen-1s westmere-2s nehalem-1s; do
		m=sim:$machine,throttle=none
		run -0 --separate-stderr uncore-throttle --machine="$m" -- sleep 0.1
		uncore-throttle --machine="$m" --format=json -- sleep 0.1 >"$out"
		jq -es --arg said "${lines[0]}" '($said | sub(".*; not visible here: "; "") | gsub(" \\(at [0-9]* degrees C\\)"; "") | split(", ")) as $shown |
			($shown | length) > 3 and all(.verdict == "ok" and .unknown == [] and (.not_visible | sort) == ($shown | sort))' "$out"
	done
	m=sim:zen-1s,throttle=none,hsmp=no
	run -4 --separate-stderr uncore-throttle --machine=$m --format=json -- sleep 0.1
	jq -e '.core == null and .verdict == "cannot-tell" and (.unknown[0] | test("^prochot-external: .*modprobe amd_hsmp")) and
		.sentence == (.unknown[0] | sub("^prochot-external: "; ""))' <<<"${lines[0]}"
	run -4 --separate-stderr uncore-throttle --machine=$m --format=csv -- sleep 0.1
	[[ ${lines[1]} == *"prochot-external: only the processor's mailbox"* ]]
}

# lines MACHINE COUNT: print the lines of a watch about package 0, each with the second in front.
lines() {
	uncore-throttle --machine="$1" -i 5 -n "$2" >"$out" 2>/dev/null || true
	perl -MTime::Local=timegm -ne 'my ($year, $month, $day, $hour, $minute, $second, $line) = /^(\d+)-(\d+)-(\d+)T(\d+):(\d+):([\d.]+)Z (.*)/ or next;
		my $at = timegm(int $second, $minute, $hour, $day, $month - 1, $year) + $second - int $second;
		$start //= $at;
		my @told = $line =~ /(^[^:]*: (?:known again: .*|(?:cannot-tell|no longer known): [^;]*)|[a-z-]+ (?:began|ended|holds(?=:)))/g;
		printf "%d %s\n", $at - $start + 0.05, "@told" if $line =~ /^package 0[:, ]/' "$out"
}

@test "a cause that becomes unknown, or known again, is reported at once and once" {
	run lines "sim:westmere-2s,$CALM,foreign=0x391 0x0 at=7,throttle=dimm-thermal phase=8 for=100" 6
	echo "$output"
	[ "$output" = "10 package 0: cannot-tell: prochot-external, core-thermal, dimm-thermal
15 package 0: known again: prochot-external, core-thermal, dimm-thermal
15 dimm-thermal began" ]
	# After a suspend the count of SMIs starts again, too, so smi is unknown as well.
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
	[ "$(grep -v '^0 ' <<<"$output")" = "5 prochot-external holds
20 package 0: no longer known: core-thermal, dimm-thermal
25 package 0: known again: core-thermal, dimm-thermal" ]
	grep -q 'package 0 and its cores .*: prochot-external at 6 of 6 looks' "$out"
	run ! grep -q 'prochot-external unknown' "$out"
}
