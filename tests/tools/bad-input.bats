#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Bad input gets one clear line on stderr, nothing on stdout, and the documented exit status.

# shellcheck disable=SC2034

load common
load answers

setup() {
	export UNCOREMSR_MACHINE=sim:westmere-2s,clock=stepped
}

@test "a machine from the environment that cannot be used is reported with the variable" {
	local tool machine why
	for tool in read info throttle doctor; do
		while IFS='|' read -r machine why; do
			run ! --separate-stderr env UNCOREMSR_MACHINE="$machine" "uncore-$tool" -v
			echo "$tool: $stderr"
			[[ $stderr == "uncore-$tool: UNCOREMSR_MACHINE: $why"* ]]
			# If the machine is given by --machine, the message does not name the option.
			run ! --separate-stderr env UNCOREMSR_MACHINE=live "uncore-$tool" -v --machine="$machine"
			[[ $stderr == "uncore-$tool: $why"* ]]
		done <<-'END'
		sim:nope|no simulated machine 'nope'
		root:/nope|root:/nope: No such file or directory
		nope|machine 'nope': unknown form
		END
	done
	run -2 --separate-stderr env UNCOREMSR_MACHINE=nope uncore-agent -e 0x82:0x1 --check
	[[ $stderr == "uncore-agent: UNCOREMSR_MACHINE: machine 'nope': unknown form"* ]]
}

@test "a file that may not be read is exit status 4 in every tool" {
	local command words
	cd "$BATS_TEST_TMPDIR"
	mkdir -m 755 open
	mkdir -m 700 open/shut
	(umask 077; echo x >open/file)
	need_nobody "$BIN/uncore-read"
	while IFS='|' read -r command; do
		read -ra words <<<"$command"
		echo "$command"
		run -4 --separate-stderr as_nobody env -u UNCOREMSR_MACHINE "${words[@]}"
		[[ $stderr == "${words[0]}: "*": Permission denied" ]]
	done <<-'END'
	uncore-info --cpuid=open/file
	uncore-info --machine=sim:./open/file
	uncore-info --machine=sim:generic,cpuid=open/file
	uncore-info --machine=root:open/shut
	uncore-info --machine=root:open/shut/below
	uncore-read --machine=root:open/shut
	uncore-sim run ./open/file -- true
	uncore-sim mount nehalem-1s open/shut/below
	uncore-events list --event-list=open/file
	uncore-events list --event-list=open/shut
	uncore-events import open/shut --to=lists
	uncore-agent --config=open/file --check
	uncore-report -i open/file
	uncore-imc trace open/file
	END
	"$TOP/tests/tools/private-mounts" true || return 0
	run -4 "$TOP/tests/tools/private-mounts" bash -c 'mount -t tmpfs tmpfs /sys/fs/cgroup
		mkdir -m 700 /sys/fs/cgroup/shut
		exec setpriv --reuid=65534 --regid=65534 --clear-groups uncore-read --cgroup=shut/group -e cpu-clock'
	[[ $output == *"cgroup /sys/fs/cgroup/shut/group: Permission denied"* ]]
}

@test "numbers, options, events, counters and machines that make no sense get one line that shows the offending part" {
	local bad rows
	for bad in 0 0.0 -1 nan inf infinity 1m 1e3 1,5 "" . 0x10 1.5.2 -0.5; do
		rows+="2 | --interval: '$bad' & see uncore-read --help | uncore-read -e 0x82:0x1 -i '$bad' -n 1"$'\n'
	done
	expect <<<"$rows"
	expect <<-'END'
		2 | --umask: '0x8z': not a number (at 'z') & see uncore-read --help | uncore-read --event 0x82 --umask 0x8z
		2 | --umask: 300 is out of range 0..255 & see uncore-read --help | uncore-read --event 0x82 --umask 300
		2 | --event: 256 is out of range 0..255 & see uncore-read --help | uncore-read --event 256 --umask 1
		2 | --umask: -1 is out of range 0..255 & see uncore-read --help | uncore-read --event 0x82 --umask -1
		2 | --umask: '': a number is required & see uncore-read --help | uncore-read --event 0x82 --umask ""
		2 | --umask: '1 ': not a number (at ' ') & see uncore-read --help | uncore-read --event 0x82 --umask "1 "
		2 | --umask: ' 1': not a number (at ' 1') & see uncore-read --help | uncore-read --event 0x82 --umask " 1"
		2 | --event: '0x': not a number & see uncore-read --help | uncore-read --event 0x --umask 1
		2 | --event: '-': not a number & see uncore-read --help | uncore-read --event - --umask 1
		2 | --event: '+1': not a number (at '+1') & see uncore-read --help | uncore-read --event +1 --umask 1
		2 | --cmask: 18446744073709551616 is out of range & see uncore-read --help | uncore-read --event 1 --umask 1 --cmask 18446744073709551616
		2 | --counter: 'two': not a number & see uncore-read --help | uncore-read -e 0x82:0x1 --counter two
		2 | --interval: '10000000000': longer & see uncore-read --help | uncore-read -e 0x82:0x1 -i 10000000000
		2 | --count: 0 & see uncore-read --help | uncore-read -e 0x82:0x1 -n 0
		2 | --count: -3 & see uncore-read --help | uncore-read -e 0x82:0x1 -n -3
		2 | --count: '1.5' & see uncore-read --help | uncore-read -e 0x82:0x1 -n 1.5
		2 | --frobnicate: unknown option & see uncore-read --help | uncore-read --frobnicate
		2 | --evnt: unknown option; did you mean --event? | uncore-read --evnt
		2 | --evnt: unknown option; did you mean --event? | uncore-read --evnt=0x82:0x1
		2 | --ouptut: unknown option; did you mean --output? | uncore-read -e 0x82:0x1 --ouptut log
		2 | --per-corr: unknown option; did you mean --per-core? | uncore-read --per-corr
		2 | --per: ambiguous: --per-unit or --per-socket or --per-core or --per-cpu? | uncore-read --per=core
		2 | --mashine: unknown option; did you mean --machine? | uncore-info --mashine=live
		2 | -q: unknown option & see uncore-read --help | uncore-read -e 0x82:0x1 -q
		2 | -x: 'ab': must be one character & see uncore-read --help | uncore-read -e 0x82:0x1 -x ab
		2 | -x: '1': must be one character & see uncore-read --help | uncore-read -e 0x82:0x1 -x 1
		2 | -x: '': must be one character & see uncore-read --help | uncore-read -e 0x82:0x1 -x ''
		2 | -I: 0 is out of range 1.. & see uncore-read --help | uncore-read -e 0x82:0x1 -I 0
		2 | -I: '0.5' & see uncore-read --help | uncore-read -e 0x82:0x1 -I 0.5
		2 | -e: needs an argument & see uncore-read --help | uncore-read -e
		2 | --umask: needs an argument & see uncore-read --help | uncore-read --event 1 --umask
		2 | --hex: takes no argument & see uncore-read --help | uncore-read -e 0x82:0x1 --hex=1
		2 | COMMAND is missing & see uncore-read --help | uncore-read -e 0x82:0x1 --
		2 | --format: 'xml' & see uncore-read --help | uncore-read -e 0x82:0x1 --format=xml
		2 | --route: 'pci' & see uncore-read --help | uncore-read -e 0x82:0x1 --route=pci
		3! | event 'UNC_PROCHOT_ASSERTION': this kernel has no PMU 'uncore' | uncore-read -e 0x82:0x1 --route=perf
		2 | --event 0x82: --umask is missing & see uncore-read --help | uncore-read --event 0x82
		2 | --umask: put an --event before it & see uncore-read --help | uncore-read --umask 1 --event 0x82
		2 | --edge: put an --event before it & see uncore-read --help | uncore-read -e 0x82:0x1 --edge
		2 | --umask: given twice & see uncore-read --help | uncore-read --event 0x82 --umask 1 --umask 2
		2 | nonsense | uncore-read -e nonsense
		2 | 0x8z | uncore-read -e 0x82:0x8z
		2 | 0x300 | uncore-read -e 0x300:1
		2 | | uncore-read -e ""
		2 | | uncore-read -e 0x82:0x1,
		2 | | uncore-read -e "{0x82:0x1"
		2 | | uncore-read -e "0x82:0x1:shiny"
		2 | malformed brackets | uncore-read -e "UNC_QHL*[0-9"
		2 | malformed brackets | uncore-read -e "UNC_CBO*[0-9" --machine=sim:haswell-ep-2s
		2 | counter 9 | uncore-read -e 0x82:0x1 --counter 9
		2 | --counter: works with exactly one event, not 2 & see uncore-read --help | uncore-read -e 0x82:1,0x82:2 --counter 1
		2 | 0 and 2 are both in package 0 | uncore-read -e 0x82:0x1 --cpus 0,2
		2 | 99 | uncore-read -e 0x82:0x1 --cpus 99
		2 | cbo/event=.../ | uncore-read --machine=sim:haswell-ep-2s -e 0x00000000000000000000000000000000000000000000000000000000000000000000000000000000000082:0x1
		3 | no registers and no event names | uncore-events decode 0x420182 --cpu=GenuineIntel-6-FE
		2 | 0-x | uncore-read -e 0x82:0x1 --cpus 0-x
		2 | package 7 | uncore-read -e 0x82:0x1 --packages 7
		2 | /nonexistent | uncore-read -e 0x82:0x1 --machine=root:/nonexistent
		2 | /nonexistent | uncore-info --machine=root:/nonexistent
		2 | nonesuch | uncore-read -e 0x82:0x1 --machine=sim:nonesuch
		2 | whatever | uncore-info --machine=whatever
		2 | '': a machine is required | uncore-info --machine=
		2 | /nonexistent/file | uncore-info --machine=sim:/nonexistent/file
	END
}

@test "a truncated or senseless machine file is refused in one line that names it" {
	local file=$BATS_TEST_TMPDIR/machine
	printf 'title = half a machine\npackage = 0 cor' > "$file"
	fails_with 2 "$file" uncore-info --machine="sim:$file"
	head -c 100 /dev/zero > "$file"
	fails_with 2 "$file" uncore-info --machine="sim:$file"
	: > "$file"
	fails_with 2 "$file" uncore-read -e 0x82:0x1 --machine="sim:$file"
}

@test "each reason why nothing can be counted has its own advice, and control characters break no line" {
	expect <<-'END'
		3! | Core 2 | uncore-read -e 0x82:0x1 --machine=sim:generic
		3! | virtual machine | uncore-read -e 0x82:0x1 --machine=sim:westmere-2s,hypervisor=yes
		3! | virtual machine | uncore-read -e 0x82:0x1 --machine=sim:westmere-2s,silent=0x3c0-0x3c7
		3! | no free counter | uncore-read -e 0x82:0x1 --machine=sim:westmere-2s,busy=0-7
		4! | modprobe msr | uncore-read -e 0x82:0x1 --machine=sim:westmere-2s,driver=missing
		4! | run as root | uncore-read -e 0x82:0x1 --machine=sim:westmere-2s,open=EACCES
		4! | allow_writes | uncore-read -e 0x82:0x1 --machine=sim:westmere-2s,allow_writes=off
		4! | lockdown | uncore-read -e 0x82:0x1 --machine=sim:westmere-2s,lockdown=integrity
		0 | !through perf | uncore-read -e 0x82:0x1 -n 1 --machine=sim:westmere-2s,clock=stepped,kernel_uncore=yes,lockdown=none
		2 | --uarch: works only with --registers | uncore-info --uarch=westmere
		2 | 'extra': not an option | uncore-info extra
		2 | 'extra': unexpected argument | uncore-report extra
		2 | takes no command | uncore-report -- extra
		2 | 'extra': not an option | uncore-info -- extra
		2 | --bogus: unknown option | uncore-info --bogus
		2 | 'a\nb': not an option | uncore-info $'a\nb'
		2 | --format: 'a\nb' & see uncore-read --help | uncore-read -e 0x82:0x1 --format=$'a\nb'
	END
}

# remarks: read rows "TEXT | ARG...". uncore-read with these arguments must print TEXT as a remark about a number. If
# the first ARG is the name of another tool, that tool is run.
remarks() {
	local row rows
	while IFS= read -r row; do
		row=${row#"${row%%[![:blank:]]*}"}
		[[ ${row##*" | "} == uncore-* ]] ||
			row="${row%" | "*} | uncore-read --machine=sim:westmere-2s,clock=stepped -n 1 ${row##*" | "}"
		rows+=$row$'\n'
	done
	asked_rows <<<"$rows"
	each_answer as_remarked
	[ -z "$wrong" ]
}

as_remarked() {
	printed='' status=${status/*/x} expected[0]="x | ${expected[0]}"
	as_expected "$@"
}

@test "a forgotten 0x and a leading zero get a remark that names what was understood" {
	local octal="010 is read as decimal 10, which is 0xa; a leading zero does not make a number octal" option
	# There is no remark about perf's TYPE:CONFIG, whose TYPE is decimal and whose CONFIG is larger than a unit
	# mask, nor about a list of CPUs in the parameters of a machine.
	{
		for option in --cpus --packages --cores --min-running --counter; do
			echo "=uncore-read: $option: $octal* | -e 0x82:1 $option=010"
		done
		for option in uncore-info uncore-doctor uncore-throttle; do
			echo "=$option: --machine: $octal* | $option --machine=sim:westmere-2s,clock=stepped,start=010"
		done
		cat <<-END
			=uncore-read: -e: 420183 is read as decimal 420183, which is 0x66957; write 0x before a hexadecimal* | -e 420183
			-e: $octal | -e 0x082:010
			82 is read as decimal 82, which is 0x52 | -e 82:1
			012 is read as decimal 12 | -e UNC_L3_HITS.READ:edge:cmask=012
			--event: 82 *--umask: 01 is read as decimal 1, | --event 82 --umask 01
			--count: 01 is read as decimal 1 | -e 0x82:1 -n 01
			= | -e 0x82:0x1 -e 0x82:1:cmask=12 --event 0x83 --umask 1
			!read as decimal | -e 13:0x2135
			= | --cpus=0 -e 4:0x1b7
			= | -e 'UNC_THERMAL_THROTTLED_TEMP.CORE_[0-3]'
			420183 is read as decimal 420183, which is 0x66957 | uncore-events encode 420183 --uarch=westmere
			which is 0x420182 | uncore-events decode 4325762 --uarch=westmere
			=uncore-read: -p: $octal* | -e 0x82:1 -p 1,010
			=uncore-read: -t: $octal* | -e 0x82:1 -t 010,1
			--cpus: $octal*--cpus: 03 is read as decimal 3, | -e 0x82:1 --cpus=0-010,03
			= | -e 0x82:1 --cpus=0,1 --packages=0-1
			!is read as | -e 0x82:1 -p 0x10
			34 is read as decimal 34, which is 0x22; write 0x before a hex*11 is | -e uncore/event=34,umask=11/
			!is read as | -e uncore/event=0x22,umask=0xb/ -e uncore/event=7,umask=1,cmask=12/
			=uncore-read: --cmask: $octal* | --event 0x82 --umask 1 --cmask 010
			uncore-read: --interval: $octal | -e 0x82:1 -i 010
			--interval: $octal*--count: 02 is read as decimal 2, | uncore-throttle -i 010 -n 02 --machine=sim:westmere-2s,clock=stepped
			=uncore-events: --register: 391 is read as decimal 391, which is 0x187; write 0x before a hex* | uncore-events decode --register=391 0x1 --uarch=westmere
			=uncore-events: explain: $octal | uncore-events explain bit010 --uarch=westmere
			=uncore-info: UNCOREMSR_MACHINE: $octal | uncore-sim run westmere-2s,start=010 -- uncore-info
			= | uncore-info --machine=sim:westmere-2s,start=10,seed=77,offline=8,11,20
		END
	} | remarks
	run --separate-stderr uncore-sim mount westmere-2s,start=010 "$BATS_TEST_TMPDIR/none"
	[[ $stderr == "uncore-sim: mount: $octal"* || $stderr == *"this build"* ]]
}
