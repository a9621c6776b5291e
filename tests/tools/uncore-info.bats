#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later

# bats sets status, output, stderr and their line arrays.
# shellcheck disable=SC2154,SC2030,SC2031

load common

# info MACHINE FILTER: print the filter's result on the JSON of a machine.
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
	info sim:generic '.supported == false and .uncore == null and .counters == null and
		.pmus == null and .uarch == "core2" and (.reason | contains("Core 2"))'
	run -0 uncore-info --machine=sim:generic
	[[ $output == *"not supported: "* ]]
}

@test "every kind of unit is shown, those that registers do not reach with the kernel's name" {
	need jq
	info sim:sandybridge-1s '.supported and ([.pmus[].pmu] == ["cbo", "arb", "clock", "imc"]) and
		.pmus[0].max_units == 4 and .pmus[0].general_counters == 2 and
		.pmus[0].general_width == 44 and ([.pmus[0].terms[].term] | index("cmask")) and
		.pmus[2].fixed[0].event == "UNC_CLOCK.SOCKET" and .pmus[3].reach == "mmio" and
		.pmus[3].kernel_name == "uncore_imc" and (.pmus[3] | has("scope") | not)'
	run -0 uncore-info --machine=sim:sandybridge-1s
	[[ $output == *"uncore       cbo: up to 4 units of 2 counters of 44 bits per package"* ]]
	[[ $output == *"out of reach imc: not by MSR"*"uncore_imc"* ]]
	[[ $output != *unverified* ]]
}

@test "units whose addresses nobody has seen work are marked once" {
	sed 's/eax=0x000306a9/eax=0x000c06c0/' "$DUMP" > "$BATS_TEST_TMPDIR/pantherlake"
	run -0 uncore-info --cpuid="$BATS_TEST_TMPDIR/pantherlake"
	[[ $output == *"uarch        pantherlake: "* ]]
	[ "$(grep -c 'not verified on hardware' <<< "$output")" -eq 1 ]
	[ "$(grep -c '^note ' <<< "$output")" -eq 1 ]
}

@test "the hypervisor bit is reported" {
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
	output=$(uncore-info --machine=sim:westmere-2s | unfold)
	[[ $output == *"write filter "*"log a line"*taint* ]]
	run -0 uncore-info --machine=sim:westmere-2s,allow_writes=off
	[[ $output == *"write filter off: "* ]]
}

@test "lockdown is reported" {
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

@test "filters and gates whose content could not be put back are told, and refused in one line" {
	local m=sim:haswell-ep-2s,keeps=0xe05:0x8000000000000000,set=0xe05:0x8000000000000000,keeps=0x710:0x1000000,set=0x710:0x1000100
	need jq
	info $m '[.stuck_registers[] | select(.package == 0) | .pmu, .unit, .register, .holds, .bits] ==
		["cbo", 0, "0xe05", "0x8000000000000000", "0x8000000000000000", "pcu", null, "0x710", "0x1000100", "0x1000000"] and
		(.stuck_registers | length == 4)'
	info sim:haswell-ep-2s '.stuck_registers == []'
	output=$(uncore-info --machine=$m | unfold)
	[[ $output == *"package 0: pcu filter or gate (0x710 holds 0x1000100, bits 0x1000000 could not be put back; events that need it are refused; if no program uses it: wrmsr -p 0 0x710 0)"* ]]
	run uncore-doctor --machine=$m
	[[ $output == *"stuck: package 0: filter or enable registers that are never written"*"cbo0 register 0xe05 holds 0x8000000000000000, bits 0x8000000000000000"*"next: wrmsr -p 0 0xe05 0"* ]]
	fails_with 3 "PCU_MSR_PMON_BOX_CTL (0x710) holds 0x1000100, and its bits 0x1000000 could not be put back" \
		uncore-read --machine=$m -e pcu/event=0x0/
}

@test "a counter whose content could not be put back is stuck, not free" {
	local m=sim:westmere-2s,keeps=0x3c0-0x3c7:0x90000,set=0x3c0:0x90407
	need jq
	info $m '[.counters[] | select(.state == "stuck") | .counter, .stuck_register, .stuck_holds,
		.stuck_bits] == [0, "0x3c0", "0x90407", "0x90000", 0, "0x3c0", "0x90407", "0x90000"] and
		.units[0].free == 8 and .units[0].stuck == 1'
	output=$(uncore-info --machine=$m | unfold)
	[[ $output == *"package 0: 0 stuck (0x3c0 holds 0x90407, bits 0x90000 could not be put back; if no program uses it: wrmsr -p 0 0x3c0 0), 1 free"* ]]
	run uncore-doctor --machine=$m
	[[ $output == *"stuck: package 0: counters that are off but never used"*"counter 0 (register 0x3c0 holds 0x90407, bits 0x90000)"*"next: wrmsr -p 0 0x3c0 0"* ]]
	[[ $output != *--force* ]]
	# Another program uses it, and its contents could not be restored, so not even --force takes it.
	run uncore-doctor --machine=$m,set=0x3c0:0x490407
	[[ $output == *"in use by perf, pcm"*"counter 0 (0x490407)"* ]]
	[[ $output != *--force* ]]
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
	run -3 uncore-info --registers --uarch goldmont
	[ "${#lines[@]}" -eq 1 ]
	run -3 uncore-info --registers --uarch diamondrapids
	[ "${#lines[@]}" -eq 1 ]
}

@test "--registers knows every box of every processor, and the core PMU" {
	run -0 uncore-info --registers --uarch skylake --format=csv
	grep -q '^0xf76,UNC_CBO_7_PERFCTR0,' <<< "$output"
	[ "$(grep -cE '^0x(770|776|391),' <<< "$output")" -eq 0 ]
	run -0 uncore-info --registers --uarch westmere-ex --format=csv
	grep -q '^0xfdb,C9_MSR_PMON_CTR5,' <<< "$output"
	run -0 uncore-info --registers --uarch icelake-sp --format=csv
	grep -q '^0xb98,C38_MSR_PMON_BOX_CTL,' <<< "$output"
	run -0 uncore-info --registers --uarch core --format=csv
	grep -q '^0x18f,IA32_PERFEVTSEL9,' <<< "$output"
}

@test "--registers works for every name that it lists" {
	local name num=0
	run -2 uncore-info --registers --uarch .
	output=${output#*there are tables for } output=${output%%;*}
	for name in ${output//,/}; do
		run -0 uncore-info --registers --uarch "$name" --format=csv
		[ "${#lines[@]}" -gt 5 ]
		num=$((num + 1))
	done
	[ "$num" -gt 40 ]
}

@test "--collisions lists each meaning of an address, and no address with one meaning" {
	need jq
	run -0 uncore-info --collisions --format=json
	jq -es 'map(select(.register == "0x391")) | map(.name) | sort == ["IA32_PERF_GLOBAL_STATUS_SET",
		"UNCORE_PERF_GLOBAL_CTRL", "UNC_PERF_GLOBAL_CTRL"]' <<< "$output"
	jq -es 'map(select(.register == "0x2ff0" and (.processors | index("alderlake"))) ) | length == 1' \
		<<< "$output"
	jq -es 'group_by(.register) | map(length) | min >= 2' <<< "$output"
	jq -es 'map(select(.name == "UNCORE_PERFEVTSEL7")) == []' <<< "$output"
	[ "$(uncore-info --collisions --format=csv | tail -n +2 | wc -l)" -eq "${#lines[@]}" ]
	run -2 uncore-info --collisions --registers
	[ "${#lines[@]}" -eq 1 ]
}

@test "a tree with only proc/cpuinfo is described from it, with a remark" {
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
	output=$(uncore-info --machine="root:$dir" | unfold)
	[[ $output == *"from proc/cpuinfo"* ]]
	[[ $output != *SIMULATED* ]]
}

DUMP=$TOP/tests/fixtures/ivybridge.cpuid

# refused TEXT PATTERN: a dump with these bytes (for printf) must be refused in one line that names it.
refused() {
	local file=$BATS_TEST_TMPDIR/dump
	# shellcheck disable=SC2059
	printf "$1" > "$file"
	run -2 --separate-stderr uncore-info --cpuid="$file"
	[ -z "$output" ]
	[ "${#stderr_lines[@]}" -eq 1 ]
	# shellcheck disable=SC2053
	[[ $stderr == "uncore-info: --cpuid: $file:"$2 ]] || { echo "$stderr"; return 1; }
}

# boot_log LINE...: write a log as from dmesg, with these lines among others.
boot_log() {
	echo '[    0.000000] Linux version 3.2.0-4-amd64'
	echo '[    0.041213] Performance Events: PEBS fmt1+, 16-deep LBR, IvyBridge events, full-width counters, Intel PMU driver.'
	printf '[    0.041220] %s\n' "$@"
	echo '[    0.050000] NMI watchdog: enabled on all CPUs, permanently consumes one hw-PMU counter.'
}

ARTICLE=('... version:                3' '... bit width:              48'
	'... generic registers:      4' '... value mask:             0000ffffffffffff'
	'... max period:             00007fffffffffff' '... fixed-purpose events:   3'
	'... event mask:             000000070000000f')

@test "--cpuid describes a file and does not pretend to be a machine" {
	need jq
	run -0 --separate-stderr uncore-info --cpuid="$DUMP" --format=json
	[ "${#lines[@]}" -eq 1 ]
	[ -z "$stderr" ]
	jq -e --arg file "$DUMP" '.vendor == "GenuineIntel" and .family == 6 and .model == 58 and
		.uarch == "ivybridge" and .supported == true and .file == $file and
		.identity_source == "file" and .cpus == "0" and .logical_cpus == 1 and
		(.packages, .driver, .counters, .machine, .online, .kernel_pmus) == null and
		.uncore == {general_counters: 2, general_width: 44, fixed_counters: 0, name: "cbo"} and
		.simulated == false' <<< "$output"
	jq -r 'keys_unsorted[:10] | join(" ")' <<< "$output" |
		grep -qx 'vendor family model stepping uarch supported hypervisor leaf_0xa packages uncore'
	output=$(uncore-info --cpuid="$DUMP" | unfold)
	[[ ${output%%$'\n'*} == *"$DUMP"*"not a machine"* ]]
	[[ $output != *$'\npackage '* && $output != *driver* && $output != *SIMULATED* ]]
}

# dump FILE VENDOR-WORDS EAX-OF-LEAF-1: write a recorded CPUID of one CPU.
dump() {
	printf 'CPU 0:\n   0x00000000 0x00: eax=0x0000000b %s\n   0x00000001 0x00: eax=%s ebx=0x00000800 ecx=0x00000000 edx=0x00000000\n' \
		"$2" "$3" >"$1"
}

@test "the uncore of a recorded Nehalem and Westmere is that of the tables" {
	need jq
	local intel='ebx=0x756e6547 ecx=0x6c65746e edx=0x49656e69' eax
	for eax in 0x000106a5 0x000106e5 0x00020652 0x000206c2; do
		dump "$BATS_TEST_TMPDIR/dump" "$intel" $eax
		uncore-info --cpuid="$BATS_TEST_TMPDIR/dump" --format=json | jq -e '.uncore ==
			{general_counters: 8, general_width: 48, fixed_counters: 1, name: "uncore"}'
	done
	# Penryn's uncore is in no table.
	dump "$BATS_TEST_TMPDIR/dump" "$intel" 0x00010676
	uncore-info --cpuid="$BATS_TEST_TMPDIR/dump" --format=json | jq -e '.uncore == null'
}

@test "Zhaoxin has the extended model in its families too" {
	need jq
	dump "$BATS_TEST_TMPDIR/dump" 'ebx=0x68532020 ecx=0x20206961 edx=0x68676e61' 0x000507bb
	uncore-info --cpuid="$BATS_TEST_TMPDIR/dump" --format=json |
		jq -e '[.vendor, .family, .model, .stepping] == ["  Shanghai  ", 7, 91, 11]'
}

@test "the variable UNCOREMSR_MACHINE does not matter to --cpuid, but --machine contradicts it" {
	UNCOREMSR_MACHINE=sim:none-such run -0 uncore-info --cpuid="$DUMP"
	run -2 uncore-info --cpuid="$DUMP" --machine=sim:westmere-2s
	[ "${#lines[@]}" -eq 1 ]
	run -2 uncore-info --registers --cpuid="$DUMP"
	[ "${#lines[@]}" -eq 1 ]
}

@test "a dump that is cut, empty, binary or impossible is refused with its line" {
	local zero='   0x0 0x0: eax=0xd ebx=0x756e6547 ecx=0x6c65746e edx=0x49656e69\n'
	local one='   0x1 0x0: eax=0x306a9 ebx=0x0 ecx=0x0 edx=0x0\n'
	refused '' '1: *empty*'
	refused '\n\n\n' '3: *empty*'
	refused '\177ELF\002\001\n' '1: binary data*'
	refused "CPU 0:\n$zero\\000\\000\n" '3: binary data*'
	refused "CPU 0:\n$zero${one%\\n}" '3: the file is cut*'
	refused "CPU 0:\n$zero   0x1 0x0: eax=0x30" '3: the file is cut*'
	refused "CPU 0:\n$zero$one" '3: *without leaf 0xa*cut*'
	refused "CPU 0:\n$zero" '2: *without leaf 0x1*cut*'
	refused "CPU 0:\n$zero$one   0xa 0x0: eax=0xffffffff ebx=0x0 ecx=0x0 edx=0x0\n" '4: impossible leaf 0xa*'
	refused "CPU 0:\n$zero$one$one" '4: *already in line 3*'
	refused "CPU 0:\n   0x77777777 0x0: eax=0x0 ebx=0x0 ecx=0x0 edx=0x0\n" '2: leaf 0x77777777*'
	refused 'vendor_id : GenuineIntel\n' "1: not a line of 'cpuid -r'*vendor_id*"
	refused "CPU 4294967296:\n$zero" '1: not a line*'
	run -2 uncore-info --cpuid=/nonexistent/dump
	[[ $output == *"/nonexistent/dump"*"No such file"* ]]
	run -2 uncore-info --cpuid="$BATS_TEST_TMPDIR"
	[[ $output == *"$BATS_TEST_TMPDIR"*directory* ]]
	run -2 uncore-info --cpuid=/dev/zero
	[ "${#lines[@]}" -eq 1 ]
}

@test "CSV of a dump has one header and numbers its kinds of cores" {
	run -0 uncore-info --cpuid="$DUMP" --format=csv
	[ "${lines[0]}" = "field,value" ]
	[ "$(grep -c '^field,' <<< "$output")" -eq 1 ]
	grep -qx 'core_kinds.0.model,58' <<< "$output"
	grep -qx 'core_kinds.0.leaf_0xa.general_width,48' <<< "$output"
	grep -qx 'core_kinds.0.boot_line.event_mask,0x70000000f' <<< "$output"
}

@test "events that a processor lacks are named with their bits" {
	need jq
	run -0 uncore-info --machine=sim:westmere-2s
	grep -qx 'lacks event  2 unhalted reference cycles' <<< "$output"
	[[ $output != *"event 0 "* ]]
	info sim:westmere-2s '[.leaf_0xa.events_not_available[] | select(.bit < 7)] ==
		[{bit: 2, name: "unhalted reference cycles"}] and
		(.core_kinds[0].core_events[2] | .state == "absent" and .event_select == "0x3c" and
		.unit_mask == "0x1")'
	run -0 uncore-info --machine=sim:westmere-2s --verbose
	grep -qE '^  event 2 +0x3c:0x01 +absent +unhalted reference cycles$' <<< "$output"
	grep -qE '^  event 7 +0xa4:0x01 +not-listed' <<< "$output"
}

@test "a kind of core whose CPUs are all offline is listed, and nothing is invented about it" {
	need jq
	local off word
	for off in 16-23:E 0-15:P; do
		word=${off#*:}
		info "sim:alderlake-hybrid,offline=${off%:*}" '.core_kinds | length == 2 and (.[1] | .core_type == "'"$word"'" and
			.cpus == "" and .hybrid and .core_counters.general == null and .core_events == null and
			.leaf_0xa == null and .boot_line == null and .sampling.why == "none of its CPUs is online") and
			.[0].core_type != .[1].core_type and .[0].cpus != ""'
		run -0 uncore-info --verbose --machine="sim:alderlake-hybrid,offline=${off%:*}"
		grep -qx "$word-core kind  none of its CPUs is online" <<<"$output"
		[ "$(grep -c 'event 0 ' <<<"$output")" -eq 1 ]
	done
	info sim:alderlake-hybrid,offline=17-23 '.core_kinds | map(.cpus) == ["0-15", "16"]'
	info sim:skylake-sp-2s,offline=3 '.core_kinds | length == 1'
}

@test "one kind of core holds every CPU of an ordinary machine" {
	need jq
	info sim:westmere-2s '.core_kinds | length == 1 and .[0].cpus == "0-23" and
		.[0].hybrid == false and .[0].core_type == null and .[0].core_counters.general == 4 and
		.[0].topology.leaf == "0xb" and .[0].topology.levels[0].type == "SMT"'
}

@test "the kernel's boot line is computed from CPUID, to the digit" {
	need jq
	output=$(uncore-info --cpuid="$DUMP" | unfold)
	grep -q '^boot line    version 3, bit width 48, generic registers 4, value mask 0000ffffffffffff, max period 00007fffffffffff (.*), fixed-purpose events 3, event mask 000000070000000f$' <<< "$output"
	uncore-info --cpuid="$DUMP" --format=json | jq -e '.boot_line == {version: 3, bit_width: 48,
		generic_registers: 4, value_mask: "0xffffffffffff", max_period: null,
		fixed_purpose_events: 3, event_mask: "0x70000000f",
		max_period_full_width: "0x7fffffffffff"}'
}

@test "facts that need a register are unknown, with the reason" {
	need jq
	uncore-info --cpuid="$DUMP" --format=json | jq -e '.sampling | .full_width_writes == null and
		.pebs_format == null and .lbr_depth == null and .perf_capabilities == null and
		(.why | contains("cannot tell from CPUID"))'
	output=$(uncore-info --cpuid="$DUMP" | unfold)
	[[ $output == *"cannot tell from CPUID"* ]]
}

@test "a saved boot log is read in the kernel's old and new words and compared" {
	need jq
	boot_log "${ARTICLE[@]}" > "$BATS_TEST_TMPDIR/log"
	run -0 uncore-info --cpuid="$DUMP" --boot-log="$BATS_TEST_TMPDIR/log" --format=json
	jq -e '.boot_log | .agrees == true and .differs == [] and .version == 3 and .bit_width == 48 and
		.generic_registers == 4 and .value_mask == "0xffffffffffff" and
		.max_period == "0x7fffffffffff" and .fixed_purpose_events == 3 and
		.event_mask == "0x70000000f" and .lbr_depth == 16 and .pebs_format == 1 and
		.full_width_writes == true and .nmi_watchdog == true' <<< "$output"
	boot_log '... generic counters:       4' '... fixed-purpose counters: 3' |
		sed 's/^[^A-Z.]*/Nov 21 10:00:00 host kernel: /' |
		uncore-info --cpuid="$DUMP" --boot-log=- --format=json |
		jq -e '.boot_log | .agrees and .generic_registers == 4 and .fixed_purpose_events == 3 and
			.version == null'
	run -0 uncore-info --cpuid="$DUMP" --boot-log="$BATS_TEST_TMPDIR/log"
	[[ $output == *"16-deep LBR"*"agree with CPUID"* ]]
}

@test "a boot log of another machine differs, and is shown where" {
	need jq
	# Westmere has no full-width writes.
	local lines_of=("${ARTICLE[@]/00007fffffffffff/000000007fffffff}")
	boot_log "${lines_of[@]/registers:      4/registers:      8}" > "$BATS_TEST_TMPDIR/log"
	run -0 uncore-info --machine=sim:westmere-2s --boot-log="$BATS_TEST_TMPDIR/log"
	[[ $output == *"DIFFERS in generic registers: the kernel said 8, CPUID gives 4"* ]]
	[ "$(grep -c DIFFERS <<< "$output")" -eq 1 ]
	uncore-info --machine=sim:westmere-2s --boot-log="$BATS_TEST_TMPDIR/log" --format=json |
		jq -e '.boot_log.agrees == false and .boot_log.differs == ["generic_registers"]'
}

@test "a file that is not a boot log, is damaged or is missing is refused in one line" {
	local log=$BATS_TEST_TMPDIR/log
	echo 'nothing of that kind' > "$log"
	run -2 uncore-info --cpuid="$DUMP" --boot-log="$log"
	[[ $output == *"$log:1: ends without"*"Performance Events"* ]]
	boot_log '... version:                3x' > "$log"
	run -2 uncore-info --cpuid="$DUMP" --boot-log="$log"
	[[ $output == *"$log:3: version: '3x': not a number"* ]]
	[ "${#lines[@]}" -eq 1 ]
	boot_log '... value mask:             -1' > "$log"
	run -2 uncore-info --cpuid="$DUMP" --boot-log="$log"
	run -2 uncore-info --cpuid="$DUMP" --boot-log=/nonexistent/log
	[ "${#lines[@]}" -eq 1 ]
	run -2 uncore-info --cpuid="$DUMP" --boot-log=/dev/zero
	[ "${#lines[@]}" -eq 1 ]
}

@test "the NMI watchdog and the kernel's own uncore PMU are told as users of counters" {
	need jq
	local dir=$BATS_TEST_TMPDIR/tree pmus=$BATS_TEST_TMPDIR/tree/sys/bus/event_source/devices
	mkdir -p "$dir/sys/devices/system/cpu/cpu0/topology" "$dir/proc/sys/kernel" "$pmus/uncore" "$pmus/cpu"
	echo 0 > "$dir/sys/devices/system/cpu/online"
	echo 0 > "$dir/sys/devices/system/cpu/cpu0/topology/physical_package_id"
	printf '%s\t: %s\n' vendor_id GenuineIntel 'cpu family' 6 model 44 > "$dir/proc/cpuinfo"
	echo 1 > "$dir/proc/sys/kernel/nmi_watchdog"
	echo 4 > "$pmus/cpu/type"
	echo 8 > "$pmus/uncore/type"
	info "root:$dir" '.nmi_watchdog == true and .core_kinds == [] and
		.kernel_pmus == [{name: "cpu", type: 4, cpus: null}, {name: "uncore", type: 8, cpus: null}]'
	run -0 uncore-info --machine="root:$dir"
	[[ $output == *"kernel PMUs  cpu, uncore"$'\n'*"uses the same registers"* ]]
	[[ $output == *"NMI watchdog"*"on: holds one core counter"* ]]
	echo 0 > "$dir/proc/sys/kernel/nmi_watchdog"
	info "root:$dir" '.nmi_watchdog == false'
	info sim:westmere-2s '.nmi_watchdog == null and
		(.kernel_pmus | map(.name)) == ["software", "tracepoint", "cpu", "msr"]'
}

@test "text stays short without --verbose" {
	[ "$(uncore-info --machine=sim:westmere-2s | unfold | wc -l)" -le 20 ]
	[ "$(uncore-info --machine=sim:westmere-2s --verbose 2>/dev/null | wc -l)" -gt 30 ]
}

@test "text fits 80 columns on every machine" {
	local machine
	while read -r machine _; do
		run -0 uncore-info --machine="sim:$machine" --verbose
		[[ ! $output =~ [^$'\n']{81} ]] || { echo "$machine"; return 1; }
	done < <(uncore-sim list)
}

@test "a list without blanks is wrapped after a comma" {
	local cpu dir=$BATS_TEST_TMPDIR/wide even
	mkdir -p "$dir/sys/devices/system/cpu"/cpu{0..79}/topology
	for cpu in {0..79}; do
		echo $((cpu % 2)) >"$dir/sys/devices/system/cpu/cpu$cpu/topology/physical_package_id"
		echo $((cpu / 2)) >"$dir/sys/devices/system/cpu/cpu$cpu/topology/core_id"
	done
	echo 0-79 >"$dir/sys/devices/system/cpu/online"
	run -0 uncore-info --machine="root:$dir"
	even=$(seq 0 2 78 | paste -sd ,)
	[[ $(perl -0pe 's/,\n {15}(?=\S)/,/g' <<<"$output" | unfold) == *"40 cores, CPUs $even"* ]]
	run ! grep -E '.{81}' <<<"$output"
}

@test "--help names the exit statuses and three examples" {
	run -0 uncore-info --help
	[[ $output == *"Exit status:"* ]]
	[ "$(sed -n '/^Examples:/,$p' <<< "$output" | grep -c '^  uncore-info')" -eq 3 ]
}

@test "what the kernel can put into samples: precise addresses and branch records" {
	need jq
	info sim:skylake-sp-perf '.max_precise == 2 and .branch_records == 16'
	run -0 uncore-info --machine=sim:skylake-sp-perf
	[[ $output == *$'\nprecise      up to cycles:pp\nbranches     16 in a sample (perf record -b)'* ]]
	# The first PMU of a hybrid processor; a virtual machine without any; a kernel without the files.
	local dir=$BATS_TEST_TMPDIR/hybrid/sys/bus/event_source/devices
	mkdir -p "$dir/cpu_core/caps" "$BATS_TEST_TMPDIR/hybrid/sys/devices/system/cpu"
	echo 0 >"$BATS_TEST_TMPDIR/hybrid/sys/devices/system/cpu/online"
	echo 4 >"$dir/cpu_core/type"
	echo 3 >"$dir/cpu_core/caps/max_precise"
	echo 32 >"$dir/cpu_core/caps/branches"
	info "root:$BATS_TEST_TMPDIR/hybrid" '.max_precise == 3 and .branch_records == 32'
	echo 0 >"$dir/cpu_core/caps/max_precise"
	rm "$dir/cpu_core/caps/branches"
	info "root:$BATS_TEST_TMPDIR/hybrid" '.max_precise == 0 and .branch_records == null'
	info sim:generic '.max_precise == null and .branch_records == null'
}

# tree_of_cpus DIR CPUS ONLINE: make a machine with one package, whose file "online" has ONLINE.
tree_of_cpus() {
	local cpu
	for cpu in $2; do
		mkdir -p "$1/sys/devices/system/cpu/cpu$cpu/topology"
		echo 0 >"$1/sys/devices/system/cpu/cpu$cpu/topology/physical_package_id"
		echo "$cpu" >"$1/sys/devices/system/cpu/cpu$cpu/topology/core_id"
		[ "$cpu" = 0 ] || echo 1 >"$1/sys/devices/system/cpu/cpu$cpu/online"
	done
	echo "$3" >"$1/sys/devices/system/cpu/online"
}

@test "a list of online CPUs that contradicts cpuN/online is told, and cpuN/online is believed" {
	need jq
	cd "$BATS_TEST_TMPDIR"
	# lxcfs shows the container's CPUs in the file, but the directories are those of the machine.
	tree_of_cpus tree "0 1 2 3 4 5" 0-1
	run -0 --separate-stderr uncore-info --machine=root:tree --format=json
	[ "$(jq -r '.packages[0].cpus' <<<"$output")" = 0-5 ]
	[[ $stderr == *"tree/sys/devices/system/cpu/online contradicts cpuN/online"*"CPUs 0-5 "* ]]
	# The reverse: the file lists all CPUs, while the directories say that some are offline.
	echo 0-5 >tree/sys/devices/system/cpu/online
	run -0 --separate-stderr uncore-info --machine=root:tree
	[ -z "$stderr" ]
	echo 0 >tree/sys/devices/system/cpu/cpu3/online
	run -0 --separate-stderr uncore-info --machine=root:tree --format=json
	[ "$(jq -r '.packages[0].cpus' <<<"$output")" = 0-2,4-5 ]
	[[ $stderr == *"online contradicts"*"CPUs 0-2,4-5 "* ]]
	# A CPU's directory without the file cpuN/online does not contradict; neither does a missing directory.
	rm tree/sys/devices/system/cpu/cpu[0-5]/online
	echo 0-3,7 >tree/sys/devices/system/cpu/online
	run -0 --separate-stderr uncore-info --machine=root:tree --format=json
	[ "$(jq -r '.packages[0].cpus' <<<"$output")" = 0-3 ]
	[ -z "$stderr" ]
}
