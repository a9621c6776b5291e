#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later

# bats sets status, output, stderr and their line arrays.
# shellcheck disable=SC2154,SC2030,SC2031

load common

bats_require_minimum_version 1.5.0

# info MACHINE FILTER: jq's answer on the JSON of a machine.
info() {
	uncore-info --machine="$1" --format=json | jq -e "$2"
}

@test "JSON is one object on one line that begins with the documented fields" {
	need jq
	run -0 --separate-stderr uncore-info --machine=sim:westmere-2s --format=json
	[ "${#lines[@]}" -eq 1 ]
	[ -z "$stderr" ]
	run -0 jq -r 'keys_unsorted[:10] | join(" ")' <<< "$output"
	[ "$output" = "vendor family model stepping uarch supported hypervisor leaf_0xa packages uncore" ]
}

@test "a two-socket Westmere is described as it is" {
	need jq
	info sim:westmere-2s '.vendor == "GenuineIntel" and .family == 6 and .model == 44 and
		.uarch == "westmere" and .supported == true and .hypervisor == false'
	info sim:westmere-2s '.leaf_0xa.version == 3 and .leaf_0xa.general_counters == 4 and
		.leaf_0xa.general_width == 48 and .leaf_0xa.fixed_counters == 3 and
		.leaf_0xa.fixed_width == 48'
	info sim:westmere-2s '.packages | length == 2 and .[1].package == 1 and .[1].die == null and
		.[1].cpu == 1 and .[1].cpus == "1,3,5,7,9,11,13,15,17,19,21,23"'
	info sim:westmere-2s '.uncore.general_counters == 8 and .uncore.general_width == 48 and
		.uncore.fixed_counters == 1'
}

@test "package ids with holes and offline CPUs are shown as sysfs has them" {
	need jq
	info sim:westmere-2s-holes '[.packages[].package] == [0, 2]'
}

@test "an unsupported processor is described, with the reason, and status 0" {
	need jq
	info sim:sandybridge-1s '.supported == false and .uncore == null and .counters == null and
		.uarch == "sandybridge" and (.reason | contains("Sandy Bridge"))'
	run -0 uncore-info --machine=sim:sandybridge-1s
	[[ $output == *"not supported: "* ]]
}

@test "the hypervisor bit is told" {
	need jq
	info sim:westmere-2s,hypervisor=yes '.hypervisor == true and .supported == false'
	run -0 uncore-info --machine=sim:westmere-2s,hypervisor=yes
	[[ $output == *"virtual machine"* ]]
}

@test "text names the driver's state with the next step and never fails for it" {
	run -0 uncore-info --machine=sim:westmere-2s,driver=missing
	[[ ${lines[0]} == "SIMULATED machine westmere-2s"* ]]
	[[ $output == *"driver "*missing*modprobe* ]]
	[[ $output == *"counters     unknown"* ]]
}

@test "text explains the write filter and the kernel's log line and taint flag" {
	run -0 uncore-info --machine=sim:westmere-2s
	[[ $output == *"write filter "*"log a line"*taint* ]]
	run -0 uncore-info --machine=sim:westmere-2s,allow_writes=off
	[[ $output == *"write filter off: "* ]]
}

@test "lockdown is told" {
	need jq
	info sim:westmere-2s,lockdown=integrity '.driver.lockdown == "integrity"'
	info sim:westmere-2s '.driver.lockdown == null or .driver.lockdown == "none"'
}

@test "counters in use are shown with their selector; looking writes nothing" {
	need jq
	info sim:westmere-2s,busy=2 '[.counters[] | select(.state == "in-use") | .counter] == [2, 2]'
	info sim:westmere-2s,busy=2,fail=write:0x0-0xffffffff:EIO '.counters | length == 18'
	run -0 uncore-info --machine=sim:westmere-2s,busy=2
	[[ $output == *"package 1: 0 free, 1 free, 2 in-use (0x"* ]]
}

@test "counters that cannot be read are unknown, not free" {
	need jq
	info sim:westmere-2s,fail=read:0x3c4:EIO \
		'[.counters[] | select(.state == "unknown") | .counter] == [4, 4] and
		([.counters[] | select(.state == "unknown") | .selector] == [null, null])'
}

@test "CSV has one field per line" {
	run -0 uncore-info --machine=sim:westmere-2s --format=csv
	[ "${lines[0]}" = "field,value" ]
	grep -qx 'vendor,GenuineIntel' <<< "$output"
	grep -qx 'leaf_0xa.version,3' <<< "$output"
	grep -qx 'packages.1.cpu,1' <<< "$output"
	grep -qx 'packages.1.cpus,"1,3,5,7,9,11,13,15,17,19,21,23"' <<< "$output"
	grep -qx 'packages.1.die,' <<< "$output"
}

@test "--registers lists every register with its write mask" {
	need jq
	run -0 uncore-info --registers --uarch westmere --format=json
	jq -es 'map(select(.register == "0x3c7")) | length == 1 and .[0].name == "UNCORE_PERFEVTSEL7" and
		(.[0].write_mask | startswith("0x")) and .[0].scope == "package" and
		(.[0].source | length > 0)' <<< "$output"
	jq -es 'map(select(.register == "0x394" or .register == "0x395")) | length == 2' <<< "$output"
	run -0 uncore-info --registers --machine=sim:nehalem-1s
	[[ ${lines[0]} == "register "* ]]
	[[ $output == *$'\n0x3b0     UNCORE_PMC0 '* ]]
}

@test "--registers as CSV has one row for each register of the JSON" {
	run -0 uncore-info --registers --uarch westmere --format=csv
	[ "${lines[0]}" = "register,name,access,scope,write_mask,description,source" ]
	[ "$(($(wc -l <<< "$output") - 1))" -eq \
	  "$(uncore-info --registers --uarch westmere --format=json | wc -l)" ]
}

@test "--registers of an unknown name is a usage error that lists the names" {
	run -2 uncore-info --registers --uarch 8086
	[ "${#lines[@]}" -eq 1 ]
	[[ $output == *"'8086'"*nehalem*westmere* ]]
}

@test "--registers of a processor without tables cannot be told" {
	run -3 uncore-info --registers --machine=sim:sandybridge-1s
	[ "${#lines[@]}" -eq 1 ]
	run -3 uncore-info --registers --uarch sandybridge
	[ "${#lines[@]}" -eq 1 ]
}

@test "a tree with proc/cpuinfo alone is described from it, and it says so" {
	need jq
	local dir=$BATS_TEST_TMPDIR/tree
	mkdir -p "$dir/sys/devices/system/cpu/cpu0/topology" "$dir/proc"
	echo 0 > "$dir/sys/devices/system/cpu/online"
	echo 0 > "$dir/sys/devices/system/cpu/cpu0/topology/physical_package_id"
	echo 0 > "$dir/sys/devices/system/cpu/cpu0/topology/core_id"
	printf '%s\t: %s\n' processor 0 vendor_id GenuineIntel 'cpu family' 6 model 44 stepping 2 \
		> "$dir/proc/cpuinfo"
	info "root:$dir" '.identity_source == "cpuinfo" and .model == 44 and .leaf_0xa == null and
		.packages == [{"package": 0, "die": null, "cpu": 0, "cpus": "0", "cores": 1}]'
	run -0 uncore-info --machine="root:$dir"
	[[ $output == *"from proc/cpuinfo"* ]]
	[[ $output != *SIMULATED* ]]
}

@test "--help names the exit statuses and three examples" {
	run -0 uncore-info --help
	[[ $output == *"Exit status:"* ]]
	[ "$(sed -n '/^Examples:/,$p' <<< "$output" | grep -c '^  uncore-info')" -eq 3 ]
}
