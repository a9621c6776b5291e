#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# uncore-throttle without registers: limits set by software, sensors and their packages, POWER's on-chip controller, and
# the host's name.

load common

setup() {
	need jq
	cd "$BATS_TEST_TMPDIR" || return
}

# put PATH TEXT: write a file of the tree.
put() {
	[ -d "tree/${1%/*}" ] || mkdir -p "tree/${1%/*}"
	printf '%s\n' "$2" >"tree/$1"
}

# tree CEILING: make a machine with two cores and no throttling, with a maximum frequency of CEILING kHz.
tree() {
	local n cpu
	put proc/cpuinfo "$(printf '%s\t: %s\n' processor 0 vendor_id GenuineIntel 'cpu family' 6 model 58 \
		'model name' 'Core i7' stepping 1)"
	put sys/devices/system/cpu/online 0-1
	for n in 0 1; do
		cpu=sys/devices/system/cpu/cpu$n
		put $cpu/topology/physical_package_id 0
		put $cpu/topology/core_id $n
		put $cpu/topology/thread_siblings_list $n
		put $cpu/thermal_throttle/core_throttle_count 0
		put $cpu/thermal_throttle/package_throttle_count 0
		put $cpu/cpufreq/cpuinfo_max_freq 3900000
		put $cpu/cpufreq/scaling_max_freq "$1"
	done
}

@test "limits set by software are listed after the verdict and do not change it" {
	local file=/sys/devices/system/cpu/cpu0/cpufreq/scaling_max_freq before
	tree 3900000
	run uncore-throttle --machine=root:tree
	before=$status:$output
	tree 1600000
	run uncore-throttle --machine=root:tree
	[ "$status:${lines[0]}" = "$before" ]
	[ "${lines[1]}" = "  limited by policy: package 0, cores 0,1: clock at most 1600 MHz of 3900 MHz; on core 0: $file = 1600000" ]
	[ "${#lines[@]}" -eq 2 ]
	uncore-throttle --machine=root:tree --format=json >json || true
	jq -es --arg file "$file" '(.[0].policy == [{what: "scaling_max_freq", file: $file, value: "1600000", of: "3900000",
		cores: 2}]) and (.[2].policy | length == 1 and .[0].cores == null and (.[0].file | contains("/cpu1/")))' json
	# Limits for the whole machine are reported once, not for each core.
	tree 3900000
	put sys/devices/system/cpu/intel_pstate/no_turbo 1
	put sys/devices/system/cpu/intel_pstate/max_perf_pct 40
	run uncore-throttle --machine=root:tree
	[ "$status:${lines[0]}" = "$before" ]
	[ "${lines[1]}" = "  limited by policy: performance at most 40 %; /sys/devices/system/cpu/intel_pstate/max_perf_pct = 40" ]
	[ "${lines[2]}" = "  limited by policy: turbo is off; /sys/devices/system/cpu/intel_pstate/no_turbo = 1" ]
	[ "${#lines[@]}" -eq 3 ]
	run uncore-throttle --machine=root:tree --summary
	[ "$status:$output" = "$before; limited by policy: max_perf_pct, no_turbo" ]
	run uncore-throttle --machine=root:tree --format=csv
	[[ ${lines[1]} == *,"/sys/devices/system/cpu/intel_pstate/max_perf_pct = 40; /sys/devices/system/cpu/intel_pstate/no_turbo = 1",* ]]
}

@test "a watch reports a limit when it is set and when it is gone; so does the report about COMMAND" {
	tree 3900000
	background uncore-throttle --machine=root:tree -i 0.05 -o log
	wait_for log ': '
	put sys/devices/system/cpu/cpu1/cpufreq/scaling_max_freq 1600000
	wait_for log 'package 0, core 1: limited by policy: clock at most 1600 MHz of 3900 MHz; /sys/.*/cpu1/cpufreq/scaling_max_freq = 1600000'
	put sys/devices/system/cpu/cpu1/cpufreq/scaling_max_freq 3900000
	wait_for log 'package 0, core 1: no longer limited by policy'
	stop "$pid" INT
	put sys/devices/system/cpu/intel_pstate/no_turbo 1
	run uncore-throttle --machine=root:tree -- true
	[[ ${lines[1]} == "  limited by policy: turbo is off; "*/no_turbo" = 1" ]]
	uncore-throttle --machine=root:tree --format=json -- true >json || true
	jq -es 'length > 0 and all(.policy[0].what == "no_turbo")' json
}

@test "on POWER the output says how often the on-chip controller lowered the clock, and why" {
	run -0 uncore-throttle --machine="sim:power9-2s,$CALM"
	[ "$output" = "SIMULATED machine power9-2s: ok: 2 packages and 4 cores, none is slowed down; not visible here: critical-temperature, core-thermal, vr-thermal, dimm-thermal, clock-modulation, cross-domain, smi" ]
	run -1 uncore-throttle -i 1 -n 8 --machine="sim:power9-2s,$CALM,throttle=prochot-external package=8 every=100 for=5 phase=3.5"
	[[ $output == *"package 8 and its cores 64,68: prochot-external began: "*"power supply failure"* ]]
	[[ $output != *"package 0"* ]]
	run -0 uncore-throttle --verbose --machine="sim:power9-2s,$CALM,throttle=power-limit"
	[[ $output == *"SIMULATED machine power9-2s: ok: "*"/sys/devices/system/cpu/cpu0/cpufreq/throttle_stats/powercap = 1 "* ]]
}

@test "records name the host, and text does with --host" {
	local host machine
	host=$(uname -n)
	machine=sim:westmere-2s,$CALM
	uncore-throttle --machine="$machine" --format=json >json
	uncore-throttle --machine="$machine" --format=json --summary >>json
	uncore-throttle --machine="$machine" --format=json --dimm >>json
	uncore-throttle --machine="$machine" --format=json -i 1 -n 2 >>json
	jq -es --arg host "$host" 'length > 20 and all(.host == $host)' json
	run -0 uncore-throttle --machine="$machine"
	[[ $output != *"$host"* ]]
	run -0 uncore-throttle --machine="$machine" --host
	[[ $output == "$host: SIMULATED machine westmere-2s: ok: "* ]]
	run -1 uncore-throttle --host -i 1 -n 3 --machine="sim:westmere-2s,$CALM,throttle=prochot-external every=10 for=5 phase=1.5"
	[ "$(grep -c "^20[0-9TZ:.-]* $host: " <<<"$output")" = "$(grep -c ^20 <<<"$output")" ]
}
