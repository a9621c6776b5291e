#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Derived metrics: uncore-read -M, most of it on a stepped clock, where results are exact.
#
# bats sets output, stderr and their lines.
# shellcheck disable=SC2154,SC2030,SC2031

load common

setup() {
	export UNCOREMSR_MACHINE=sim:westmere-2s,clock=stepped,uncore_hz=2000000000
}

# csv METRICS [OPTION...]: name, number and status of each record, on one package.
csv() {
	uncore-read -M "$1" "${@:2}" --packages 0 --format=csv |
		awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
			{ print $at["event"], $at["scaled"], $at["measure"], $at["status"] }'
}

@test "a table shows metrics with the units that people use" {
	run -0 uncore-read -M memory-read-bandwidth,l3-read-hit-ratio,uncore-frequency,dram-read-time,dram-read-latency
	[[ ${lines[0]} == SIMULATED* ]]
	[[ ${lines[2]} =~ ^package\ \ metric\ +value$ ]]
	[[ ${lines[3]} =~ ^\ +0\ \ memory-read-bandwidth\ +1\.334\ GB/s$ ]]
	[[ ${lines[4]} =~ ^\ +0\ \ l3-read-hit-ratio\ +60\.19\ %$ ]]
	[[ ${lines[5]} =~ ^\ +0\ \ uncore-frequency\ +2\.000\ GHz$ ]]
	[[ ${lines[6]} =~ ^\ +0\ \ dram-read-time\ +60\.00\ ns$ ]]
	[[ ${lines[7]} =~ ^\ +0\ \ dram-read-latency\ +120\.0\ clocks$ ]]
	[[ ${lines[8]} =~ ^\ +1\ \ memory-read-bandwidth\ +1\.334\ GB/s$ ]]
	[ "${#lines[@]}" -eq 13 ]
}

@test "a pipe gets them at the end of the line, and only the events that were asked for" {
	run -0 uncore-read -e UNC_L3_HITS.READ -M l3-read-hit-ratio -M remote-share -i 1 -n 2 --packages 0
	[ "${lines[2]}" = "2.000 s | package 0  UNC_L3_HITS.READ raw 62000090 +31000000 31000000.0/s | package 0  l3-read-hit-ratio 60.19 %  remote-share 23.73 %" ]
	[ "${#lines[@]}" -eq 3 ]
}

@test "a metric's JSON has the fields of a reading; the number is a number, what does not apply is null" {
	need jq
	uncore-read -e 0x82:0x1 -M memory-read-bandwidth --packages 0 --format=json >"$BATS_TEST_TMPDIR/json"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/json")" -eq 2 ]
	run -0 jq -r 'keys_unsorted | join(" ")' "$BATS_TEST_TMPDIR/json"
	[ "${lines[1]}" = "${lines[0]}" ]
	tail -n 1 "$BATS_TEST_TMPDIR/json" | jq -e '.event == "memory-read-bandwidth" and
		.scaled == 1334400000 and .measure == "B/s" and .status == "ok" and
		.encoding == null and .counter == null and .raw == null and .counted == null and
		.value == null and .time == 1 and .interval == 1 and .package == 0 and .cpu == 0 and
		.pmu == "uncore" and .enabled_ns == 1000000000 and .running_ns == 1000000000 and
		.route == "msr" and .machine == "sim:westmere-2s"'
	grep -q '"scaled":1334400000\.000,' "$BATS_TEST_TMPDIR/json"
	grep -Eq '"timestamp":"[0-9T:.-]+Z"' <(tail -n 1 "$BATS_TEST_TMPDIR/json")
}

@test "numbers have a point whatever the language" {
	LC_ALL=de_DE.UTF-8 run -0 csv l3-read-hit-ratio
	[ "$output" = "l3-read-hit-ratio 0.601941747573 ratio ok" ]
}

@test "events that metrics have in common take one counter" {
	run -0 uncore-read --no-multiplex --packages 0 \
		-M memory-read-bandwidth,memory-write-bandwidth,memory-bandwidth -M uncore-frequency \
		-e UNC_QMC_NORMAL_READS.ANY
	run -0 uncore-read --dry-run --packages 0 -e UNC_QMC_NORMAL_READS.ANY -M memory-read-bandwidth
	[ "$(grep -c 'wrmsr.*0x42072c' <<<"$output")" -eq 1 ]
}

@test "a pattern stands for several metrics" {
	run -0 csv 'throttled-temp-*,HOT-core[01]' --machine=sim:westmere-2s,clock=stepped
	[ "${#lines[@]}" -eq 6 ]
	[ "${lines[3]}" = "throttled-temp-core3 0.000000000000 ratio ok" ]
	[ "${lines[4]}" = "hot-core0 1.000000000 ratio ok" ]
	[ "${lines[5]}" = "hot-core1 1.000000000 ratio ok" ]
}

@test "every metric of both processors counts on its simulated machine" {
	run -0 uncore-read -M '*' --machine=sim:westmere-2s,clock=stepped --format=csv --packages 0
	[ "${#lines[@]}" -eq 41 ]
	run -0 uncore-read -M '*' --machine=sim:nehalem-1s,clock=stepped --format=csv
	[ "${#lines[@]}" -eq 23 ]
}

@test "what a machine cannot do is flagged, not shown as a number" {
	run -1 --separate-stderr uncore-read -M memory-read-bandwidth --packages 0 --format=csv \
		--machine="$UNCOREMSR_MACHINE,rate=0x2c:0x1=700000000"
	[[ ${lines[1]} == *,memory-read-bandwidth,,,,,,,B/s,*,implausible ]]
	[[ $stderr == *"package 0: memory-read-bandwidth: implausible: works out as "*"beyond what the machine can do"* ]]
	[ "${#stderr_lines[@]}" -eq 1 ]
	run -1 uncore-read -M memory-read-bandwidth --packages 0 -n 1 \
		--machine="$UNCOREMSR_MACHINE,rate=0x2c:0x1=700000000"
	[[ ${lines[1]} == *"memory-read-bandwidth unknown (implausible: "* ]]
}

@test "a share of nothing is unknown, and no failure" {
	run -0 --separate-stderr uncore-read -M l3-read-hit-ratio --packages 0 --format=json \
		--machine="$UNCOREMSR_MACHINE,rate=0x8:0x1=0,rate=0x9:0x1=0"
	[[ $output == *'"scaled":null,"measure":"ratio"'*'"status":"undefined"'* ]]
	[[ $stderr == *"nothing happened that it could be a share of"* ]]
}

@test "a metric whose event was not counted is unknown, and says which" {
	run -1 --separate-stderr uncore-read -M l3-read-hit-ratio -i 1 -n 2 --format=csv \
		--machine="$UNCOREMSR_MACHINE,foreign=0x3c1 0x400000 at=1.5 package=1"
	[[ ${lines[3]} == *,0,,,,0,uncore,l3-read-hit-ratio,,,,,,0.6*,ratio,*,ok ]]
	[[ ${lines[4]} == *,1,,,,1,uncore,l3-read-hit-ratio,,,,,,,ratio,*,disturbed ]]
	[[ $stderr == *"package 1: l3-read-hit-ratio: disturbed: UNC_L3_MISS.READ: another program changed"* ]]
}

@test "a package that cannot be counted does not lose the metrics of the other" {
	run -1 --separate-stderr uncore-read -M l3-read-hit-ratio --format=csv \
		--machine="$UNCOREMSR_MACHINE,fail=write 0x3c0 EIO cpu=1"
	[[ ${lines[1]} == *,ok ]]
	[[ ${lines[2]} == *,l3-read-hit-ratio,,,,,,,ratio,*,failed ]]
}

# refused NAME TEXT...: with status 2, in one line that shows each TEXT.
refused() {
	local name=$1 text
	shift
	run -2 --separate-stderr uncore-read -M "$name"
	[ -z "$output" ]
	[ "${#stderr_lines[@]}" -eq 1 ]
	for text; do
		[[ $stderr == *"$text"* ]] || { echo "$stderr"; return 1; }
	done
}

@test "an unknown name gets the likeliest one" {
	refused memory-bandwith "metric 'memory-bandwith'" "did you mean memory-bandwidth?"
	refused xyzzy "no metric of that name on westmere" "uncoremsr-metrics(7)"
	refused '' "nothing where a name should be"
	refused remote-share, "nothing where a name should be"
}

@test "a metric of another processor says whose it is" {
	UNCOREMSR_MACHINE=sim:nehalem-1s refused throttled-dram "not defined for nehalem" "westmere has it"
}

@test "a processor without uncore counters is refused with status 3" {
	run -3 --separate-stderr uncore-read -M memory-bandwidth --machine=sim:generic
	[[ $stderr == "uncore-read: Core 2"*"not supported"* ]]
	[ "${#stderr_lines[@]}" -eq 1 ]
}

@test "a processor for which no metrics are defined says so, with status 3" {
	run -3 --separate-stderr uncore-read -M memory-bandwidth --machine=sim:sandybridge-1s
	[[ $stderr == *"no metrics are defined for sandybridge"* ]]
	[ "${#stderr_lines[@]}" -eq 1 ]
}

@test "turns are told with the metric" {
	run -0 uncore-read -M remote-share,memory-bandwidth -n 1 --packages 0
	[[ ${lines[1]} == *"remote-share 23.73 % counted 50.0%  memory-bandwidth 1.945 GB/s counted 50.0%" ]]
}

@test "the total at the end covers the whole time" {
	run -0 uncore-read -M throttled-prochot-core0 -i 2 -n 5 --packages 0
	[[ ${lines[1]} == *"throttled-prochot-core0 66.67 %" ]]
	[[ ${lines[5]} == *"throttled-prochot-core0 0.000 %" ]]
}

# ---- uncore-events list --metrics ----

@test "uncore-events lists the metrics that -M takes" {
	local uarch machine
	for uarch in nehalem westmere; do
		machine=sim:nehalem-1s,clock=stepped
		[ "$uarch" = nehalem ] || machine=sim:westmere-2s,clock=stepped
		diff <(uncore-events list --metrics --uarch="$uarch" --format=csv | cut -d, -f1 | tail -n +2) \
			<(uncore-read -M '*' --machine="$machine" --packages 0 --format=csv |
				cut -d, -f11 | tail -n +2)
	done
}

@test "the list gives formula, unit, bounds and sources to programs" {
	need jq
	run -0 uncore-events list --metrics --uarch=westmere --format=json
	jq -es 'map(select(.name == "l3-read-hit-ratio"))[0] | .unit == "ratio" and .low < 0 and .high > 1 and
		.formula == "UNC_L3_HITS.READ / (UNC_L3_HITS.READ + UNC_L3_MISS.READ)" and
		(.title | length > 0) and (.sources | length > 0) and .note == ""' <<<"$output"
	run -0 uncore-events list --metrics --uarch=westmere --format=csv
	[ "${lines[0]}" = "name,title,unit,formula,note,sources,low,high" ]
	[ "${#lines[@]}" -eq 41 ]
}

@test "with --verbose people see the formula too" {
	run -0 uncore-events list --metrics --uarch=nehalem --verbose
	[[ $output == *"64 * UNC_QHL_REQUESTS.IOH_READS / dt"*"possible: 0 to 1.6e+10 B/s"*"sources: pcm"* ]]
}

@test "--metrics goes with list alone" {
	run -2 uncore-events search memory --metrics
	run -2 uncore-events list --metrics 'memory-*'
}
