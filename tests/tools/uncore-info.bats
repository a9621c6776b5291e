#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later

load common
load answers

setup() {
	need jq
}

# info MACHINE FILTER: print the filter's result on the JSON of a machine.
info() {
	uncore-info --machine="$1" --format=json | jq -e "$2"
}

@test "a machine is described as it is, supported or not, with the reason, and status 0" {
	told <<-'END'
		jq .[] | [length, (keys_unsorted[:10] | join(" ")), .vendor, .family, .model, .uarch, .supported, .hypervisor,
		jq .leaf_0xa.version, .leaf_0xa.general_counters, .leaf_0xa.general_width, .leaf_0xa.fixed_counters, .leaf_0xa.fixed_width,
		jq .uncore.general_counters, .uncore.general_width, .uncore.fixed_counters] | .[1:]
		["vendor family model stepping uarch supported hypervisor leaf_0xa packages uncore","GenuineIntel",6,44,"westmere",true,false,3,4,48,3,48,8,48,1] | uncore-info --machine=sim:westmere-2s
		["vendor family model stepping uarch supported hypervisor leaf_0xa packages uncore","GenuineIntel",6,44,"westmere",false,true,3,4,48,3,48,null,null,null] | uncore-info --machine=sim:westmere-2s,hypervisor=yes
		jq .[] | [[.packages[].package], .supported, .uncore, .pmus, .uarch, (.reason // "" | contains("Core 2")), .driver.lockdown // "none"]
		[[0],false,null,null,"core2",true,"none"] | uncore-info --machine=sim:generic
		jq .[] | [[.packages[].package], .driver.lockdown // "none", (.counters | length), [.counters[] | select(.state != "free") | [.state, .counter, .selector != null]]]
		[[0,2],"none",18,[]] | uncore-info --machine=sim:westmere-2s-holes
		[[0,1],"integrity",18,[]] | uncore-info --machine=sim:westmere-2s,lockdown=integrity
		[[0,1],"none",18,[["in-use",2,true],["in-use",2,true]]] | uncore-info --machine=sim:westmere-2s,busy=2,fail=write:0x0-0xffffffff:EIO
		[[0,1],"none",18,[["unknown",4,false],["unknown",4,false]]] | uncore-info --machine=sim:westmere-2s,fail=read:0x3c4:EIO
	END
	# Units whose addresses were never tried on hardware are marked once.
	sed 's/eax=0x000306a9/eax=0x000c06c0/' "$DUMP" > "$BATS_TEST_TMPDIR/pantherlake"
	expect <<-END
		0 | not supported: | uncore-info --machine=sim:generic
		0 | uncore       cbo: up to 4 units of 2 counters of 44 bits per package & out of reach imc: not reachable through MSRs*uncore_imc & !unverified | uncore-info --machine=sim:sandybridge-1s
		0 | uarch        pantherlake:  & not verified on hardware & !not verified on hardware*not verified on hardware & !note *note  | uncore-info --cpuid=$BATS_TEST_TMPDIR/pantherlake
		0 | virtual machine | uncore-info --machine=sim:westmere-2s,hypervisor=yes
		0 | =SIMULATED machine westmere-2s* & driver *missing*modprobe & counters     unknown | uncore-info --machine=sim:westmere-2s,driver=missing
		0 | =SIMULATED machine westmere-2s*UNCORE_PERF_GLOBAL_CTRL* | uncore-info --registers --machine=sim:westmere-2s
		0 | write filter *log a*line*taint | uncore-info --machine=sim:westmere-2s
		0 | write filter off: | uncore-info --machine=sim:westmere-2s,allow_writes=off
		0 | package 1: 0 free, 1 free, 2 in-use (0x | uncore-info --machine=sim:westmere-2s,busy=2
		0 | Exit status: & Examples:*  uncore-info*  uncore-info*  uncore-info & !Examples:*  uncore-info*  uncore-info*  uncore-info*  uncore-info | uncore-info --help
	END
}

@test "filters and gates whose contents could not be restored are listed, and refused in one line" {
	local m=sim:haswell-ep-2s,keeps=0xe05:0x8000000000000000,set=0xe05:0x8000000000000000,keeps=0x710:0x1000000,set=0x710:0x1000100
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

@test "a counter whose contents could not be restored is stuck, not free" {
	local m=sim:westmere-2s,keeps=0x3c0-0x3c7:0x90000,set=0x3c0:0x90407
	info $m '[.counters[] | select(.state == "stuck") | .counter, .stuck_register, .stuck_holds,
		.stuck_bits] == [0, "0x3c0", "0x90407", "0x90000", 0, "0x3c0", "0x90407", "0x90000"] and
		.units[0].free == 8 and .units[0].stuck == 1'
	output=$(uncore-info --machine=$m | unfold)
	[[ $output == *"package 0: 0 stuck (0x3c0 holds 0x90407, bits 0x90000 could not be put back; if no program uses it: wrmsr -p 0 0x3c0 0), 1 free"* ]]
	run uncore-doctor --machine=$m
	[[ $output == *"stuck: package 0: counters that are off but never used"*"counter 0 (register 0x3c0 holds 0x90407, bits 0x90000)"*"next: wrmsr -p 0 0x3c0 0"* ]]
	[[ $output != *--force* ]]
	# Another program uses the counter, and its contents could not be restored, so it is not taken even with
	# --force.
	run uncore-doctor --machine=$m,set=0x3c0:0x490407
	[[ $output == *"in use by perf, pcm"*"counter 0 (0x490407)"* ]]
	[[ $output != *--force* ]]
}

@test "CSV of a dump has one header and numbers its kinds of cores; missing events are named with their bits; without registers facts are unknown, with the reason" {
	expect <<-END
		0 | =field,value* & !*field,*field, & core_kinds.0.model,58 & core_kinds.0.leaf_0xa.general_width,48 & core_kinds.0.boot_line.event_mask,0x70000000f | uncore-info --cpuid=$DUMP --format=csv
		0 | lacks event  2 unhalted reference cycles & !event 0  | uncore-info --machine=sim:westmere-2s
		0 | event 2 *0x3c:0x01 *absent *unhalted reference cycles & event 7 *0xa4:0x01 *not-listed | uncore-info --machine=sim:westmere-2s --verbose
	END
	[[ $(uncore-info --cpuid="$DUMP" | unfold) == *"cannot tell from CPUID"* ]]
}

@test "--registers knows every register of each processor that it lists, with its write mask" {
	expect <<-'END'
		0 | register  & 0x3b0     UNCORE_PMC0  | uncore-info --registers --machine=sim:nehalem-1s
		2 | '8086'*nehalem*westmere | uncore-info --registers --uarch 8086
		3 | =uncore-info: * | uncore-info --registers --uarch goldmont
		3 | =uncore-info: * | uncore-info --registers --uarch diamondrapids
		0 | 0xf76,UNC_CBO_7_PERFCTR0, & !0x770, & !0x776, & !0x391, | uncore-info --registers --uarch skylake --format=csv
		0 | 0xfdb,C9_MSR_PMON_CTR5, | uncore-info --registers --uarch westmere-ex --format=csv
		0 | 0xb98,C38_MSR_PMON_BOX_CTL, | uncore-info --registers --uarch icelake-sp --format=csv
		0 | 0x18f,IA32_PERFEVTSEL9, | uncore-info --registers --uarch core --format=csv
		2 | | uncore-info --collisions --registers
	END
	local name rows num=0
	run -2 uncore-info --registers --uarch .
	output=${output#*there are tables for } output=${output%%;*}
	for name in ${output//,/}; do
		rows+="0 | =register,*0x*0x*0x*0x*0x* | uncore-info --registers --uarch $name --format=csv"$'\n'
		num=$((num + 1))
	done
	[ "$num" -gt 40 ]
	expect <<<"$rows"
}

@test "a tree with only proc/cpuinfo is described from it, with a remark" {
	local dir=$BATS_TEST_TMPDIR/tree
	mkdir -p "$dir"/{sys/devices/system/cpu/cpu0/topology,sys/bus/event_source/devices,sys/kernel/security,proc}
	echo '[none] integrity confidentiality' > "$dir/sys/kernel/security/lockdown"
	echo 0 > "$dir/sys/devices/system/cpu/online"
	echo 0 > "$dir/sys/devices/system/cpu/cpu0/topology/physical_package_id"
	echo 0 > "$dir/sys/devices/system/cpu/cpu0/topology/core_id"
	printf '%s\t: %s\n' processor 0 vendor_id GenuineIntel 'cpu family' 6 model 44 stepping 2 \
		> "$dir/proc/cpuinfo"
	info "root:$dir" '.identity_source == "cpuinfo" and .model == 44 and .leaf_0xa == null and .kernel_pmus == [] and
		.packages == [{"package": 0, "die": null, "cpu": 0, "cpus": "0", "cores": 1}]'
	output=$(uncore-info --machine="root:$dir" | unfold)
	[[ $output == *"from proc/cpuinfo"*"kernel PMUs  none"*$'lockdown     none\n'* ]]
	[[ $output != *SIMULATED* ]]
	# A truncated file of the driver, and a list of modes without a current mode, give no information.
	mkdir -p "$dir/dev/cpu/0"
	echo abc >"$dir/dev/cpu/0/cpuid"
	echo '[none integrity' >"$dir/sys/kernel/security/lockdown"
	info "root:$dir" '.identity_source == "cpuinfo" and .driver.lockdown == null'
}

DUMP=$TOP/tests/fixtures/ivybridge.cpuid

# refused TEXT PATTERN: add to $rows that a dump with these bytes (for printf) must be refused in one line that names it.
refused() {
	local file=$BATS_TEST_TMPDIR/dump.$((++num))
	# shellcheck disable=SC2059
	printf "$1" > "$file"
	rows+="2 | =uncore-info: --cpuid: $file:$2 | uncore-info --cpuid=$file"$'\n'
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
	printf 'CPU 0:\n   0x00000000 0x00: eax=0x00000001 %s\n   0x00000001 0x00: eax=%s ebx=0x00000800 ecx=0x00000000 edx=0x00000000\n' \
		"$2" "$3" >"$1"
}

@test "dumps of a Nehalem, Westmere and Zhaoxin are described, and options that contradict --cpuid are refused" {
	local intel='ebx=0x756e6547 ecx=0x6c65746e edx=0x49656e69' eax rows
	for eax in 0x000106a5 0x000106e5 0x00020652 0x000206c2; do
		dump "$BATS_TEST_TMPDIR/$eax" "$intel" $eax
		rows+="{\"general_counters\":8,\"general_width\":48,\"fixed_counters\":1,\"name\":\"uncore\"} | uncore-info --cpuid=$BATS_TEST_TMPDIR/$eax"$'\n'
	done
	# Penryn's uncore is in no table.
	dump "$BATS_TEST_TMPDIR/penryn" "$intel" 0x00010676
	told '.[].uncore' <<-END
		$rows
		null | uncore-info --cpuid=$BATS_TEST_TMPDIR/penryn
	END
	# Zhaoxin's processors use the extended model in family 7.
	dump "$BATS_TEST_TMPDIR/dump" 'ebx=0x68532020 ecx=0x20206961 edx=0x68676e61' 0x000507bb
	told '.[] | [.vendor, .family, .model, .stepping]' <<-END
		["  Shanghai  ",7,91,11] | uncore-info --cpuid=$BATS_TEST_TMPDIR/dump
	END
	expect <<-END
		0 | ivybridge | UNCOREMSR_MACHINE=sim:none-such uncore-info --cpuid=$DUMP
		2 | | uncore-info --cpuid=$DUMP --machine=sim:westmere-2s
		2 | | uncore-info --registers --cpuid=$DUMP
		2 | | uncore-info --registers --boot-log=$DUMP
		2 | | uncore-info --collisions --cpuid=$DUMP
		2 | | uncore-info --collisions --boot-log=$DUMP
	END
}

@test "a dump that is truncated, empty, binary or impossible is refused with its line" {
	local num=0 rows
	local zero='   0x0 0x0: eax=0xd ebx=0x756e6547 ecx=0x6c65746e edx=0x49656e69\n'
	local one='   0x1 0x0: eax=0x306a9 ebx=0x0 ecx=0x0 edx=0x0\n'
	refused '' '1: *empty*'
	refused '\n\n\n' '3: *empty*'
	refused "CPU 0:\n$zero\\000\\000\n" '3: binary data*'
	refused "CPU 0:\n$zero" '2: *without leaf 0x1*cut*'
	refused "CPU 0:\n$zero$one   0xa 0x0: eax=0xffffffff ebx=0x0 ecx=0x0 edx=0x0\n" '4: impossible leaf 0xa*'
	expect <<-END
		$rows
		2 | /nonexistent/dump*No such file | uncore-info --cpuid=/nonexistent/dump
		2 | $BATS_TEST_TMPDIR*directory | uncore-info --cpuid=$BATS_TEST_TMPDIR
		2 | | uncore-info --cpuid=/dev/zero
	END
}

@test "a kind of core whose CPUs are all offline is listed, and nothing is invented about it" {
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

@test "the kernel's boot line is computed from CPUID, to the digit" {
	output=$(uncore-info --cpuid="$DUMP" | unfold)
	grep -q '^boot line    version 3, bit width 48, generic registers 4, value mask 0000ffffffffffff, max period 00007fffffffffff (.*), fixed-purpose events 3, event mask 000000070000000f$' <<< "$output"
	uncore-info --cpuid="$DUMP" --format=json | jq -e '.boot_line == {version: 3, bit_width: 48,
		generic_registers: 4, value_mask: "0xffffffffffff", max_period: null,
		fixed_purpose_events: 3, event_mask: "0x70000000f",
		max_period_full_width: "0x7fffffffffff"}'
}

@test "a saved boot log is read in the kernel's old and new words and compared; one that is damaged or missing is refused" {
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
	# Westmere has no full-width writes.
	local lines_of=("${ARTICLE[@]/00007fffffffffff/000000007fffffff}")
	lines_of=("${lines_of[@]/000000070000000f/000000070000000e}")
	boot_log "${lines_of[@]/registers:      4/registers:      8}" > "$BATS_TEST_TMPDIR/log"
	run -0 uncore-info --machine=sim:westmere-2s --boot-log="$BATS_TEST_TMPDIR/log"
	[[ $output == *"DIFFERS in generic registers: the kernel said 8, CPUID gives 4"* ]]
	[[ $(unfold <<< "$output") == *"DIFFERS in event mask: the kernel said 000000070000000e, CPUID gives 000000070000000f"* ]]
	[ "$(grep -c DIFFERS <<< "$output")" -eq 2 ]
	uncore-info --machine=sim:westmere-2s --boot-log="$BATS_TEST_TMPDIR/log" --format=json |
		jq -e '.boot_log.agrees == false and .boot_log.differs == ["generic_registers", "event_mask"]'
	local log=$BATS_TEST_TMPDIR/log
	echo 'nothing of that kind' > "$log.other"
	printf 'Performance Events: \001new\n' > "$log.none"
	boot_log '... version:                3x' > "$log.word"
	boot_log '... value mask:             -1' > "$log.sign"
	expect <<-END
		0 | ?new*it has no numbers to compare | uncore-info --cpuid=$DUMP --boot-log=$log.none
		0 | 16-deep LBR & !agree & !DIFFERS | uncore-info --machine=sim:power9-2s --boot-log=$log
		0 | "agrees":null,"differs":[] | uncore-info --machine=sim:power9-2s --boot-log=$log --format=json
		2 | $log.other:1: ends without*Performance Events | uncore-info --cpuid=$DUMP --boot-log=$log.other
		2 | $log.word:3: version: '3x': not a number | uncore-info --cpuid=$DUMP --boot-log=$log.word
		2 | | uncore-info --cpuid=$DUMP --boot-log=$log.sign
		2 | | uncore-info --cpuid=$DUMP --boot-log=/nonexistent/log
		2 | | uncore-info --cpuid=$DUMP --boot-log=/dev/zero
	END
}

@test "the NMI watchdog and the kernel's own uncore PMU are listed as users of counters" {
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

@test "text is short without --verbose, and fits 80 columns on every machine" {
	local machine
	[ "$(uncore-info --machine=sim:westmere-2s | unfold | wc -l)" -le 20 ]
	while read -r machine _; do
		later uncore-info --machine="sim:$machine" --verbose
	done < <(uncore-sim list)
	each_answer fits_80_columns
	[ "$tried" -gt 15 ]
	later uncore-info --machine=sim:westmere-2s --verbose
	each_answer is_longer
}

fits_80_columns() {
	[ "$status" = 0 ]
	[[ ! $printed =~ [^$'\n']{81} ]] || { echo "$*: $printed"; return 1; }
}

is_longer() {
	mapfile -t lines <<<"$printed"
	[ "${#lines[@]}" -gt 30 ]
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

@test "uncore-info shows what the kernel can put into samples: precise addresses and branch records" {
	info sim:skylake-sp-perf '.max_precise == 2 and .branch_records == 16'
	run -0 uncore-info --machine=sim:skylake-sp-perf
	[[ $output == *$'\nprecise      up to cycles:pp\nbranches     16 in a sample (perf record -b)'* ]]
	# Three machines: a hybrid processor, whose first core PMU is used; the same without the file of branch records;
	# a virtual machine without a core PMU.
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

@test "a list of online CPUs that contradicts cpuN/online is reported, and cpuN/online is used" {
	cd "$BATS_TEST_TMPDIR"
	# lxcfs shows only the container's CPUs in the file cpu/online, but the directories are those of the machine.
	tree_of_cpus tree "0 1 2 3 4 5" 0-1
	run -0 --separate-stderr uncore-info --machine=root:tree --format=json
	[ "$(jq -r '.packages[0].cpus' <<<"$output")" = 0-5 ]
	[[ $stderr == *"tree/sys/devices/system/cpu/online contradicts cpuN/online"*"CPUs 0-5 "* ]]
	# The result is the same if the files "present" and "offline" are those of the machine, too.
	echo 0-5 >tree/sys/devices/system/cpu/present
	echo >tree/sys/devices/system/cpu/offline
	run -0 --separate-stderr uncore-info --machine=root:tree --format=json
	[ "$(jq -r '.packages[0].cpus' <<<"$output")" = 0-5 ]
	[[ $stderr == *"online contradicts"*"CPUs 0-5 "* ]]
	rm tree/sys/devices/system/cpu/{present,offline}
	# The reverse: the file lists all CPUs, while the directories say that some are offline.
	echo 0-5 >tree/sys/devices/system/cpu/online
	run -0 --separate-stderr uncore-info --machine=root:tree
	[ -z "$stderr" ]
	echo 0 >tree/sys/devices/system/cpu/cpu3/online
	run -0 --separate-stderr uncore-info --machine=root:tree --format=json
	[ "$(jq -r '.packages[0].cpus' <<<"$output")" = 0-2,4-5 ]
	[[ $stderr == *"online contradicts"*"CPUs 0-2,4-5 "* ]]
	# A CPU that has no file cpuN/online, or no directory, does not contradict the list.
	rm tree/sys/devices/system/cpu/cpu[0-5]/online
	echo 0-3,7 >tree/sys/devices/system/cpu/online
	run -0 --separate-stderr uncore-info --machine=root:tree --format=json
	[ "$(jq -r '.packages[0].cpus' <<<"$output")" = 0-3 ]
	[ -z "$stderr" ]
}
