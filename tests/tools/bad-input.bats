#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Bad input gets one clear line on stderr, nothing on stdout, and the documented exit status.

# bats sets status, output, stderr and their line arrays.
# shellcheck disable=SC2154,SC2030,SC2031

load common

setup() {
	export UNCOREMSR_MACHINE=sim:westmere-2s,clock=stepped
}

# usage TEXT [ARG...]: uncore-read must refuse the arguments with TEXT, and refer to its help.
usage() {
	fails_with 2 "$1" uncore-read "${@:2}"
	[[ $stderr == *"see uncore-read --help" ]]
}

@test "numbers are parsed strictly and the offending part is shown" {
	usage "--umask: '0x8z': not a number (at 'z')" --event 0x82 --umask 0x8z
	usage "--umask: 300 is out of range 0..255" --event 0x82 --umask 300
	usage "--event: 256 is out of range 0..255" --event 256 --umask 1
	usage "--umask: -1 is out of range 0..255" --event 0x82 --umask -1
	usage "--umask: '': a number is required" --event 0x82 --umask ""
	usage "--umask: '1 ': not a number (at ' ')" --event 0x82 --umask "1 "
	usage "--umask: ' 1': not a number (at ' 1')" --event 0x82 --umask " 1"
	usage "--event: '0x': not a number" --event 0x --umask 1
	usage "--event: '-': not a number" --event - --umask 1
	usage "--event: '+1': not a number (at '+1')" --event +1 --umask 1
	usage "--cmask: 18446744073709551616 is out of range" --event 1 --umask 1 \
		--cmask 18446744073709551616
	usage "--counter: 'two': not a number" -e 0x82:0x1 --counter two
}

@test "seconds and counts are positive numbers" {
	local bad
	for bad in 0 0.0 -1 nan inf infinity 1m 1e3 1,5 "" . 0x10 1.5.2 -0.5; do
		usage "--interval: '$bad'" -e 0x82:0x1 -i "$bad" -n 1
	done
	usage "--interval: '10000000000': longer" -e 0x82:0x1 -i 10000000000
	usage "--count: 0" -e 0x82:0x1 -n 0
	usage "--count: -3" -e 0x82:0x1 -n -3
	usage "--count: '1.5'" -e 0x82:0x1 -n 1.5
}

@test "unknown, incomplete and misplaced options" {
	usage "--frobnicate: unknown or ambiguous option" --frobnicate
	usage "-q: unknown option" -e 0x82:0x1 -q
	usage "-x: 'ab': must be one character" -e 0x82:0x1 -x ab
	usage "-x: '1': must be one character" -e 0x82:0x1 -x 1
	usage "-x: '': must be one character" -e 0x82:0x1 -x ''
	usage "-I: 0: must be at least 1" -e 0x82:0x1 -I 0
	usage "-I: '0.5'" -e 0x82:0x1 -I 0.5
	usage "-e: needs an argument" -e
	usage "--umask: needs an argument" --event 1 --umask
	usage "--hex: takes no argument" -e 0x82:0x1 --hex=1
	usage "COMMAND is missing" -e 0x82:0x1 --
	usage "--format: 'xml'" -e 0x82:0x1 --format=xml
	usage "--route: 'pci'" -e 0x82:0x1 --route=pci
	fails_with 3 "event 'UNC_PROCHOT_ASSERTION': this kernel has no PMU 'uncore'" \
		uncore-read -e 0x82:0x1 --route=perf
}

@test "events that are incomplete or make no sense" {
	usage "--event 0x82: --umask is missing" --event 0x82
	usage "--umask: put an --event before it" --umask 1 --event 0x82
	usage "--edge: put an --event before it" -e 0x82:0x1 --edge
	usage "--umask: given twice" --event 0x82 --umask 1 --umask 2
	fails_with 2 "nonsense" uncore-read -e nonsense
	fails_with 2 "0x8z" uncore-read -e 0x82:0x8z
	fails_with 2 "0x300" uncore-read -e 0x300:1
	fails_with 2 "" uncore-read -e ""
	fails_with 2 "" uncore-read -e 0x82:0x1,
	fails_with 2 "" uncore-read -e "{0x82:0x1"
	fails_with 2 "" uncore-read -e "0x82:0x1:shiny"
	# On a processor whose names are in lists as well.
	fails_with 2 "a bracket is not understood" uncore-read -e "UNC_QHL*[0-9"
	fails_with 2 "a bracket is not understood" uncore-read -e "UNC_CBO*[0-9" --machine=sim:haswell-ep-2s
}

@test "counters, CPUs and packages that do not exist or do not go together" {
	fails_with 2 "counter 9" uncore-read -e 0x82:0x1 --counter 9
	usage "--counter: works with exactly one event, not 2" -e 0x82:1,0x82:2 --counter 1
	fails_with 2 "0 and 2 are both in package 0" uncore-read -e 0x82:0x1 --cpus 0,2
	fails_with 2 "99" uncore-read -e 0x82:0x1 --cpus 99
	fails_with 2 "0-x" uncore-read -e 0x82:0x1 --cpus 0-x
	fails_with 2 "package 7" uncore-read -e 0x82:0x1 --packages 7
}

@test "machines that do not exist" {
	fails_with 2 "/nonexistent" uncore-read -e 0x82:0x1 --machine=root:/nonexistent
	fails_with 2 "/nonexistent" uncore-info --machine=root:/nonexistent
	fails_with 2 "nonesuch" uncore-read -e 0x82:0x1 --machine=sim:nonesuch
	fails_with 2 "whatever" uncore-info --machine=whatever
	fails_with 2 "'': a machine is required" uncore-info --machine=
	fails_with 2 "/nonexistent/file" uncore-info --machine=sim:/nonexistent/file
}

@test "a truncated or senseless machine file" {
	local file=$BATS_TEST_TMPDIR/machine
	printf 'title = half a machine\npackage = 0 cor' > "$file"
	fails_with 2 "$file" uncore-info --machine="sim:$file"
	head -c 100 /dev/zero > "$file"
	fails_with 2 "$file" uncore-info --machine="sim:$file"
	: > "$file"
	fails_with 2 "$file" uncore-read -e 0x82:0x1 --machine="sim:$file"
}

@test "processors and guests where nothing can be counted" {
	fails_with 3 "Core 2" uncore-read -e 0x82:0x1 --machine=sim:generic
	fails_with 3 "virtual machine" uncore-read -e 0x82:0x1 --machine=sim:westmere-2s,hypervisor=yes
	fails_with 3 "virtual machine" uncore-read -e 0x82:0x1 \
		--machine=sim:westmere-2s,silent=0x3c0-0x3c7
	fails_with 3 "no free counter" uncore-read -e 0x82:0x1 --machine=sim:westmere-2s,busy=0-7
}

@test "without access each cause has its own next step" {
	fails_with 4 "modprobe msr" uncore-read -e 0x82:0x1 --machine=sim:westmere-2s,driver=missing
	fails_with 4 "run as root" uncore-read -e 0x82:0x1 --machine=sim:westmere-2s,open=EACCES
	fails_with 4 "allow_writes" uncore-read -e 0x82:0x1 --machine=sim:westmere-2s,allow_writes=off
	fails_with 4 "lockdown" uncore-read -e 0x82:0x1 --machine=sim:westmere-2s,lockdown=integrity
}

@test "uncore-info refuses what it does not know" {
	fails_with 2 "--uarch: works only with --registers" uncore-info --uarch=westmere
	fails_with 2 "'extra': not an option" uncore-info extra
	fails_with 2 "'extra': not an option" uncore-info -- extra
	fails_with 2 "--bogus: unknown or ambiguous option" uncore-info --bogus
}

@test "control characters from the command line do not break the line" {
	fails_with 2 "'a\\nb': not an option" uncore-info $'a\nb'
	usage "--format: 'a\\nb'" -e 0x82:0x1 --format=$'a\nb'
}

# remarks ARG...: print uncore-read's remarks about numbers.
remarks() {
	{ uncore-read --machine=sim:westmere-2s,clock=stepped -n 1 "$@" >/dev/null; } 2>&1
}

@test "a forgotten 0x and a leading zero get a remark that names what was understood" {
	[[ $(remarks -e 420183) == "uncore-read: -e: 420183 is read as decimal 420183, which is 0x66957; write 0x before a hexadecimal"* ]]
	[[ $(remarks -e 0x082:010) == *"-e: 010 is read as decimal 10, which is 0xa; a leading zero does not make a number octal"* ]]
	[[ $(remarks -e 82:1) == *"82 is read as decimal 82, which is 0x52"* ]]
	[[ $(remarks -e UNC_L3_HITS.READ:edge:cmask=012) == *"012 is read as decimal 12"* ]]
	[[ $(remarks --event 82 --umask 01) == *"--event: 82 "*"--umask: 01 is read as decimal 1, "* ]]
	[[ $(remarks -e 0x82:1 -n 01) == *"--count: 01 is read as decimal 1"* ]]
	[ -z "$(remarks -e 0x82:0x1 -e 0x82:1:cmask=12 --event 0x83 --umask 1)" ]
	# In TYPE:CONFIG of perf, TYPE is decimal and CONFIG is larger than a unit mask, so there is no remark.
	[[ $(remarks -e 13:0x2135) != *"read as decimal"* ]]
	[ -z "$(remarks --cpus=0 -e 4:0x1b7)" ]
	[ -z "$(remarks -e 'UNC_THERMAL_THROTTLED_TEMP.CORE_[0-3]')" ]
	run -0 --separate-stderr uncore-events encode 420183 --uarch=westmere
	[[ $stderr == *"420183 is read as decimal 420183, which is 0x66957"* ]]
	run -0 --separate-stderr uncore-events decode 4325762 --uarch=westmere
	[[ $stderr == *"which is 0x420182"* ]]
}

@test "lists of numbers get the remark for each number in them" {
	local option said="010 is read as decimal 10, which is 0xa; a leading zero does not make a number octal"
	for option in --cpus --packages --cores --min-running --counter; do
		[[ $(remarks -e 0x82:1 $option=010) == "uncore-read: $option: $said"* ]]
	done
	[[ $(remarks -e 0x82:1 -p 1,010) == "uncore-read: -p: $said"* ]]
	[[ $(remarks -e 0x82:1 -t 010,1) == "uncore-read: -t: $said"* ]]
	[[ $(remarks -e 0x82:1 --cpus=0-010,03) == *"--cpus: $said"*"--cpus: 03 is read as decimal 3,"* ]]
	[ -z "$(remarks -e 0x82:1 --cpus=0,1 --packages=0-1)" ]
	[[ $(remarks -e 0x82:1 -p 0x10) != *"is read as"* ]]
}

@test "codes in terms and numbers of every tool get the same remarks" {
	local tool said="010 is read as decimal 10, which is 0xa; a leading zero does not make a number octal"
	[[ $(remarks -e uncore/event=34,umask=11/) == *"34 is read as decimal 34, which is 0x22; write 0x before a hex"*"11 is "* ]]
	[[ $(remarks -e uncore/event=0x22,umask=0xb/ -e uncore/event=7,umask=1,cmask=12/) != *"is read as"* ]]
	[[ $(remarks --event 0x82 --umask 1 --cmask 010) == "uncore-read: --cmask: $said"* ]]
	[[ $(remarks -e 0x82:1 -i 010) == *"uncore-read: --interval: $said"* ]]
	run --separate-stderr uncore-throttle -i 010 -n 02 --machine=sim:westmere-2s,clock=stepped
	[[ $stderr == *"--interval: $said"*"--count: 02 is read as decimal 2,"* ]]
	run --separate-stderr uncore-events decode --register=391 0x1 --uarch=westmere
	[[ $stderr == "uncore-events: --register: 391 is read as decimal 391, which is 0x187; write 0x before a hex"* ]]
	run --separate-stderr uncore-events explain bit010 --uarch=westmere
	[ "$stderr" = "uncore-events: explain: $said" ]
	for tool in uncore-info uncore-doctor uncore-throttle; do
		run --separate-stderr $tool --machine=sim:westmere-2s,clock=stepped,start=010
		[[ $stderr == "$tool: --machine: $said"* ]]
	done
	run --separate-stderr uncore-sim run westmere-2s,start=010 -- uncore-info
	[ "$stderr" = "uncore-info: --machine: $said" ]
	run --separate-stderr uncore-sim mount westmere-2s,start=010 "$BATS_TEST_TMPDIR/none"
	[[ $stderr == "uncore-sim: mount: $said"* || $stderr == *"this build"* ]]
	# A list of CPUs in the keys of a machine must not be taken for codes.
	run --separate-stderr uncore-info --machine=sim:westmere-2s,start=10,seed=77,offline=8,11,20
	[ -z "$stderr" ]
}
