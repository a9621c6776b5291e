#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# The allow list of uncore-doctor --grant, enforced by a simulated device: each tool works with it, and a program with
# access to the device cannot write anything else.

load common

setup() {
	out=$BATS_TEST_TMPDIR/out list=$BATS_TEST_TMPDIR/list
}

# allow NAME [--core]: write the machine's list to $list, as lines "ADDRESS MASK", and set ${mask[ADDRESS]} to the
# writable bits of each register in it, as a number.
allow() {
	local line
	run -0 uncore-doctor --grant=g ${2:+"$2"} --machine="sim:$1"
	mask=()
	for line in "${lines[@]}"; do
		[[ ! $line =~ ^(0x[0-9A-F]+)\ (0x[0-9A-F]+)\ #\  ]] || {
			mask[BASH_REMATCH[1]]=$((BASH_REMATCH[2]))
			echo "${BASH_REMATCH[1]} ${BASH_REMATCH[2]}"
		}
	done >"$list"
	[ -s "$list" ]
}

# safe NAME KEY...: print a machine without throttling whose device enforces the list.
safe() {
	local IFS=, rows
	mapfile -t rows <"$list"
	echo "sim:$1,$CALM${2:+,${*:2}},${rows[*]/#/allow=}"
}

# same NAME COMMAND...: the output must be the same with and without the list, except for time of day and machine.
same() {
	local name=$1 left="s/^20[^ ]*Z //; s/ --machine=('[^']*'|[^ ]*).*//"
	shift
	# Status 4 is accepted: another driver is missing on both machines.
	"$@" --machine="sim:$name,$CALM" >"$out" 2>&1 || [ $? -eq 4 ]
	"$@" --machine="$(safe "$name")" 2>&1 | diff <(sed -E "$left" "$out") <(sed -E "$left") ||
		{ echo "$name: $*"; return 1; }
}

@test "with its list each tool does its job on every machine" {
	local name
	for name in westmere-2s nehalem-1s sandybridge-1s haswell-ep-2s skylake-sp-2s icelake-sp-2s zen-1s genoa-1s; do
		drawn 4 || continue
		allow "$name"
		same "$name" uncore-info
		same "$name" uncore-doctor
		same "$name" uncore-throttle --verbose
		same "$name" uncore-throttle -i 1 -n 2
	done
}

@test "with its list counting works, and puts everything back" {
	local words
	while read -r -a words; do
		drawn 3 || continue
		allow "${words[0]}"
		same "${words[0]}" uncore-read -i 1 -n 3 -e "${words[1]}"
	done <<-'END'
		westmere-2s UNC_L3_HITS.READ,0x82:0x1,clockticks
		nehalem-1s UNC_L3_HITS.READ
		sandybridge-1s cbo/event=0x34,umask=0x11/,arb/event=0x81,umask=0x1/
		haswell-ep-2s cbo/event=0x35,umask=0x1,filter_opc=0x182/
		skylake-sp-2s cha/event=0x50,umask=0x1/,iio_free_running/bw_in_port0/
		zen-1s l3/event=0x4,umask=0xff/
	END
}

@test "registers that show throttling can be read and are never written" {
	local name address
	for name in westmere-2s haswell-ep-2s skylake-sp-2s icelake-sp-2s; do
		allow "$name"
		for address in 0x19a 0x19c 0x1a2 0xe7 0xe8 0x198 0x34; do
			[ "${mask[$address]-}" = 0 ] || { echo "$name $address"; false; }
		done
		# If CPUID leaf 6 says so, there is a package status register; Westmere has none.
		[ "$name" = westmere-2s ] || [ "${mask[0x1b1]-}" = 0 ]
	done
	allow haswell-ep-2s
	for address in 0x606 0x610 0x613 0x61b 0x690; do [ "${mask[$address]-}" = 0 ]; done
	[ -z "${mask[0x64f]-}" ]
	allow zen-1s
	for address in 0xc0010061 0xc0010064; do [ "${mask[$address]-}" = 0 ]; done
	[ -z "${mask[0x19c]-}" ]
	# With these registers readable, uncore-throttle gives the same verdict as without the list.
	allow haswell-ep-2s
	run -1 uncore-throttle --machine="$(safe haswell-ep-2s throttle=vr-thermal)"
	[[ ${lines[0]} == *": throttled: vr-thermal (2 packages); not visible here: "* ]]
}

@test "without --core no core counter can be written, and no log bit can be cleared" {
	local name address
	for name in westmere-2s skylake-sp-2s; do
		allow "$name"
		for address in 0xc1 0x186 0x187 0x309 0x38d 0x38f 0x390 0x19b 0x1b2; do
			[[ ${mask[$address]-} =~ ^0?$ ]] || { echo "$name $address"; false; }
		done
	done
	run -4 uncore-read --route=msr --cpus=0 -e core/instructions/ -n 1 --machine="$(safe skylake-sp-2s)"
	allow haswell-ep-2s
	run -4 uncore-throttle --clear --machine="$(safe haswell-ep-2s throttle=vr-thermal)"
	[[ $output == *0x690* ]]
}

@test "with --core core counters and logs can be written, but no interrupt can be enabled" {
	local n
	allow skylake-sp-2s --core
	for ((n = 0; n < 4; n++)); do
		[ "$((${mask[0x186 + n]-} & 1 << 22))" -ne 0 ]
		[ "$((${mask[0x186 + n]-} & 1 << 20))" -eq 0 ]
	done
	[ -z "${mask[0x186 + n]-}" ] # leaf 0xA lists only four counters
	[ "$((${mask[0x38d]-} & 0x333))" -eq $((0x333)) ]
	[ "$((${mask[0x38d]-} & 0x8888))" -eq 0 ]
	[ "${mask[0x19c]-}" -eq $((0xaaaa)) ]
	# Overflow bits of counters, which a session clears, are writable; those of buffers and traces are not.
	[ "$((${mask[0x390]-} & 0xf))" -eq 15 ]
	[ "$((${mask[0x390]-} >> 55))" -eq 0 ]
	[ -z "${mask[0x19b]-}" ]
	[ -z "${mask[0x1b2]-}" ]
	same skylake-sp-2s uncore-read --route=msr --cpus=0 -e core/instructions/,core/event=0x3c/ -i 1 -n 2
	allow haswell-ep-2s --core
	run -0 uncore-throttle --clear --machine="$(safe haswell-ep-2s throttle=vr-thermal)"
	[[ $output == *"(0x690) was 0x"*": cleared "* ]]
}

@test "registers that do not exist according to CPUID and 0x345 are in no list" {
	local core address
	for core in '' --core; do
		allow westmere-2s $core
		for address in 0x1b1 0x771 0x777 0x4c1 0x4c4; do
			[ -z "${mask[$address]-}" ] || { echo "$core $address"; false; }
		done
		[ -n "${mask[0x19c]-}" ]
	done
	allow skylake-sp-2s --core
	for address in 0x1b1 0x4c1 0x4c4; do
		[ "${mask[$address]-}" -gt 0 ] || { echo "$address"; false; }
	done
	[ -z "${mask[0x4c5]-}" ]
	# If the devices cannot be opened, it is unknown whether full-width registers exist, so they are in the list.
	uncore-doctor --grant=g --core --machine="sim:skylake-sp-2s,open=EACCES" | grep -q '^0x000004C1 '
}

@test "with --core the list has only counters that CPUID shows, and the overflow bit of a counter can be cleared" {
	local wrap="foreign=0xc1 0xfffffffffffe package=0 at=1"
	allow skylake-sp-2s --core # leaf 0xA of the dump lists four general and three fixed counters
	[ "${mask[0x38f]-}" -eq $((0x70000000f)) ]
	[ "${mask[0x390]-}" -eq $((0x70000000f)) ]
	[ "${mask[0x38d]-}" -eq $((0x777)) ]
	# Another program sets the counter in one interval, so that the counter wraps in the next one and its overflow
	# bit has to be cleared. The disturbed interval has no value, hence status 1.
	run -1 uncore-read --route=msr --cpus=0 -e core/event=0x3c/ -i 1 -n 3 --trace \
		--machine="$(safe skylake-sp-2s "$wrap")"
	[[ $output == *"write IA32_PERF_GLOBAL_OVF_CTRL (0x390) -> 0x1 "* ]]
	[[ $output != *"was not put back"* ]]
	# Without these bits in the list, clearing fails.
	sed -i '/^0x00000390/d' "$list"
	run -1 uncore-read --route=msr --cpus=0 -e core/event=0x3c/ -i 1 -n 3 \
		--machine="$(safe skylake-sp-2s "$wrap")"
	[[ $output == *"cpu0: IA32_PERF_GLOBAL_OVF_CTRL (0x390) was not put back: "*"Permission denied; uncore-doctor --repair"* ]]
}
