#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Behaviour that users see in the first minute; it must be the same in every tool.

# shellcheck disable=SC2086 # several words in one

load common
load answers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

@test "a reader that ends early, as head does, ends every tool without a message" {
	local wanted command bad=
	# Descriptor 5: a pipe whose reader has ended.
	mkfifo pipe
	exec 4<>pipe
	exec 5>pipe 4>&-
	for command in "$BIN"/uncore-*; do
		wanted=1
		[[ $command != */uncore-throttle ]] || wanted=3
		printf '%s\n' "$wanted $command --help" "$wanted $command --version"
	done >all
	cat >>all <<-'END'
		1 uncore-doctor --machine=sim:westmere-2s
		1 uncore-events list --uarch=westmere
		1 uncore-imc ldbar 0x0
		1 uncore-info --machine=sim:westmere-2s
		1 uncore-read --machine=sim:westmere-2s,clock=stepped -M uncore-frequency
		1 uncore-read --machine=sim:westmere-2s,clock=stepped -e 0x82:0x1 -i 1
		1 uncore-record -e cpu-clock -o - -- true
		1 uncore-record -e cpu-clock --estimate
		1 uncore-sim list
		1 uncore-sim lesson
		3 uncore-throttle --machine=sim:westmere-2s,clock=stepped,throttle=none
		3 uncore-throttle --machine=sim:westmere-2s,throttle=none -i 0.05
	END
	while read -r wanted command; do
		status=0
		[[ $command != *' -i '* ]] || command="timeout 60 $command"
		$command >&5 2>err </dev/null || status=$?
		[[ $status -eq $wanted && ! -s err ]] || bad+="$command: status $status, wanted $wanted: $(<err)"$'\n'
	done <all
	printf '%s' "$bad"
	[ -z "$bad" ]
}

@test "--help of every tool and script prints a help that fits 80 columns, and -v is --verbose" {
	local tool short wide=$'(^|\n)[^\n]{81}'
	for tool in "$BIN"/uncore-* "$TOP"/scripts/{quickstart,uncore-article,uncore-throttle-check}; do
		run -0 --separate-stderr "$tool" --help
		[[ $output == "usage: "*"${tool##*/}"* && -z $stderr && ! $output =~ $wide ]] || { echo "$tool: $output"; return 1; }
		[[ $tool != "$BIN"/* ]] || run -0 "$tool" -v --version
	done
	run -0 --separate-stderr uncore-read --machine=sim:westmere-2s,clock=stepped -e UNC_PROCHOT_ASSERTION -v
	short=$stderr
	run -0 --separate-stderr uncore-read --machine=sim:westmere-2s,clock=stepped -e UNC_PROCHOT_ASSERTION --verbose
	[ -n "$short" ]
	[ "$stderr" = "$short" ]
}

@test "no manual page writes -- and COMMAND as one word" {
	need mandoc
	run -0 mandoc -Tascii "$TOP"/docs/man/*
	output=${output//?$'\b'/}
	[[ $output == *"pmi [-- COMMAND [ARG ...]]"* ]]
	[[ ! $output =~ --[A-Z] ]] || { echo "${BASH_REMATCH[0]}"; return 1; }
}

@test "a name that is longer than its column is followed by a blank" {
	local name=UNC_CHA_A_NAME_THAT_IS_MUCH_TOO_LONG_FOR_ITS_COLUMN
	run -0 uncore-events list --machine=sim:power10-2s
	[[ $output == *"/PM_MCS_128B_RD_DATA_BLOCKS_MC0_CHAN01/ [Kernel PMU event]"* ]]
	printf '[{"EventName":"%s","Unit":"CHA","EventCode":"0x1","UMask":"0x1"}]\n' "$name" >list.json
	run -0 uncore-events list "$name" --event-list=list.json --machine=sim:skylake-sp-2s
	[[ $output == *"$name uncore_cha"* ]] || { echo "$output"; return 1; }
}

@test "JSON has the scale of a listed event and the remarks on an encoding, as the text does" {
	each_says uncore-events <<-'END'
		0|1|skylake-sp-perf|list uncore_imc/cas_count_read/ --format=json|*"scale":"6.103515625e-5","measure":"MiB"*
		0|-|skylake-sp-perf|encode cha/event=0x34,umask=0x11/ --route=perf --format=json|*"pmu":"uncore_cha_0",*([!{])"remarks":[[]"no state given: every state"]*
	END
}

@test "without arguments a virtual machine and POWER say what they are and what is counted" {
	# Without arguments a virtual machine says what it is and what is counted.
	local said="uncore-read: this is a virtual machine, whose uncore is the host's; counting"
	run -0 --separate-stderr uncore-read --machine=sim:generic,hypervisor=yes,clock=stepped
	[ "$stderr" = "$said context-switches, cpu-migrations, page-faults" ]
	run -0 --separate-stderr uncore-read --machine=sim:skylake-sp-perf,hypervisor=yes,clock=stepped
	# The default metric ipc cannot be counted here; another line says so.
	[ "${stderr_lines[-1]}" = "$said cpu-frequency, package-power" ]
	run -0 uncore-info --machine=sim:generic,hypervisor=yes
	[[ $output == *$'\nhypervisor   yes, this is a virtual machine, which counts software events\n'* ]]
	# Without arguments POWER counts the memory traffic of its nest, else instructions and cycles.
	local said="uncore-read: POWER has no MSRs: only the kernel can read its counters; counting"
	run -0 --separate-stderr uncore-read --machine=sim:power9-2s,clock=stepped
	[[ $output == *"PM_MCS01_64B_RD_DISP_PORT01/"*"PM_MCS23_128B_WR_DISP_PORT23/"* ]]
	[[ $output != *[cC]ontext* && $output != *XLINK* ]]
	[ "$stderr" = "$said the memory traffic of the nest" ]
	run -0 uncore-read --machine=sim:power10-2s,clock=stepped
	[[ $output == *64B_WR_DATA_BLOCKS*128B_RD_DATA_BLOCKS* && $output != *XLINK* ]]
	sed 's/"BUSY"/"NON_IDLE_INST"/' "$TOP/tests/fixtures/imc/small.dts" >small.dts
	run -0 --separate-stderr uncore-read --machine="sim:power9-2s,clock=stepped,catalog=$PWD/small.dts"
	[ "$stderr" = "$said core_imc/CPM_NON_IDLE_INST/, context-switches, cpu-migrations, page-faults" ]
}

@test "uncore-read uses names from UNCOREMSR_EVENTS, and says what is missing if the lists are for another processor" {
	mkdir -p intel/SKX/events
	cat >intel/mapfile.csv <<-'END'
	Family-model,Version,Filename,EventType,Core Type,Native Model ID,Core Role Name
	GenuineIntel-6-55-[01234],V1,/SKX/events/uncore.json,uncore,,,
	END
	echo '[ { "EventName": "UNC_CHA_TICKS", "Unit": "CHA", "EventCode": "0x00", "UMask": "0x00" } ]' \
		>intel/SKX/events/uncore.json
	export UNCOREMSR_EVENTS=$PWD/intel
	run -0 uncore-read --machine=sim:skylake-sp-2s,clock=stepped -e UNC_CHA_TICKS
	[[ $output == *UNC_CHA_TICKS*[1-9]* ]]
	fails_with 3 "this kernel has no PMU 'power'" uncore-read --machine=sim:nehalem-1s -M package-power
	fails_with 2 "no event of that name on zen3" uncore-read --machine=sim:zen-1s -e UNC_CHA_TICKS
}

@test "a file name with characters of the shell or of a terminal is quoted in messages" {
	local command bad=
	while IFS= read -r command; do
		run --separate-stderr $command
		[[ $status -ne 0 && $stderr == *"'no\$(x)'"* ]] || bad+="$command: $stderr"$'\n'
	done <<-'END'
		uncore-agent --config=no$(x) --check
		uncore-events list --event-list=no$(x)
		uncore-events import no$(x)
		uncore-imc trace no$(x)
		uncore-imc compare no$(x) kernel
		uncore-info --cpuid=no$(x)
		uncore-info --boot-log=no$(x)
		uncore-info --machine=root:no$(x)
		uncore-read --machine=sim:generic -- no$(x)
		uncore-record -e cpu-clock -- no$(x)
		uncore-report -i no$(x)
		uncore-sim mount westmere-2s no$(x)
		uncore-sim run westmere-2s -- no$(x)
	END
	for command in "uncore-read --machine=sim:generic -o" "uncore-throttle -i 1 --machine=sim:generic -o" \
		"uncore-record -e cpu-clock -o"; do
		run --separate-stderr $command 'none/a;b' -- true
		[[ $status -ne 0 && $stderr == *"'none/a;b'"* ]] || bad+="$command: $stderr"$'\n'
	done
	# A message about contents of a file has the file's name.
	echo nonsense >'a b'
	run --separate-stderr uncore-info --cpuid='a b'
	[[ $stderr == *"'a b'"* ]] || bad+="$stderr"
	run --separate-stderr uncore-info --machine=sim:./$'a\nb'
	[[ $stderr == *"\$'./a\\012b'"* ]] || bad+="$stderr"
	printf '%s' "$bad"
	[ -z "$bad" ]
}

@test "a shell that reads a quoted file name gets the name" {
	local name part
	for name in "it's" 'a\b c' $'a\\\nb' $'tab\t'"it's" $'\177' $'\0012'; do
		run -2 uncore-info --cpuid="$name"
		part=${output#*CPUID file }
		eval "part=${part%: No such file*}"
		[ "$part" = "$name" ] || { echo "$output"; return 1; }
	done
}
