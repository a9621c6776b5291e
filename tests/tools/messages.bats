#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Every message of every tool must be a single line that begins with the tool's name, repeats nothing, and ends with a
# whole word. Hundreds of commands that must fail are made from the options in --help and from the tables below.

# shellcheck disable=SC1078,SC1079 # rows of commands are strings of several lines

load common
load answers

TOOLS=(uncore-read uncore-info uncore-events uncore-throttle uncore-doctor uncore-sim uncore-imc uncore-record uncore-report uncore-agent)

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	LONG=$(printf 'a%.0s' {1..700})
	export UNCOREMSR_MACHINE=sim:westmere-2s,clock=stepped
	: >complaints
	declare -gA known=()
	# Every word that a message can end with, except the user's text and numbers.
	known_words=$BATS_FILE_TMPDIR/words
	[ -e "$known_words" ] || {
		cat "$TOP"/lib/*/*.[ch] "$TOP"/tools/*/*.[ch] | grep -oE "[A-Za-z_.-]+" | sort -u
		perl -e 'use POSIX; for (1 .. 133) { $! = $_; print "$1\n" if strerror($_) =~ /(\w+)$/ }'
	} >"$known_words"
	[ -e "$known_words.array" ] || sed 's/.*/[&]=1/' "$known_words" >"$known_words.array"
}

# complain TEXT COMMAND...: note a defect of the command's message.
complain() {
	{
		printf '%s:' "$1"
		printf ' %q' "${@:2}" | cut -c1-300
		printf '%s\n' "$message" | cut -c1-1500
	} >>complaints
}

# check_line LINE COMMAND...: check one line, without the tool's name.
check_line() {
	local line=$1 last
	shift
	# The list of known words is read when the first line is checked.
	[ "${#known[@]}" != 0 ] || eval "known=($(<"$known_words.array"))"
	[[ " $line" != *" $1: "* ]] || complain "the tool's name twice" "$@"
	well_said "$line" || complain "a prefix twice, a hole, an open bracket, or no word at the end" "$@"
	[[ $line =~ ([A-Za-z0-9_.-]+)[^A-Za-z0-9_.-]*$ ]] || true
	last=${BASH_REMATCH[1]:-}
	[[ $last == *[0-9/]* || $last == -* || "$*" == *"${last%...}"* ||
	   -n ${known[${last:-.}]-} || -n ${last%.} && -n ${known[${last%.}]-} ]] || complain "ends with '$last', no word" "$@"
}

# check_bad COMMAND [ARG...]: the command must have failed with one line without defects.
check_bad() {
	if [ "$status" -eq 0 ] || [ "$status" -gt 4 ]; then complain "status $status" "$@"; fi
	if [ -z "$message" ]; then complain "says nothing" "$@"; return; fi
	if [[ $message == *$'\n'* ]]; then complain "more than one line" "$@"; fi
	if [[ $message != "$1: "* ]]; then complain "not the tool's name first" "$@"; fi
	check_line "${message#"$1: "}" "$@"
}

# good AT_LEAST: fail if messages had defects, or if fewer than AT_LEAST commands were run.
good() {
	each_answer check_bad
	cat complaints
	[ ! -s complaints ]
	[ "$tried" -ge "$1" ]
}

# options TOOL: list its options as in --help: "--name", "--name=ARG", or "-x" if there is no long name.
options() {
	"$1" --help | awk '/^  -/ || /^      --/ {
		sub(/^ +/, ""); sub(/^-., --/, "--"); print $1
	}'
}

@test "every option of every tool refuses an invalid value" {
	local tool option value
	local -a command has
	for tool in "${TOOLS[@]}"; do
		mapfile -t has < <(options "$tool")
		[ "${#has[@]}" -ge 5 ]
		for option in "${has[@]}"; do
			case $option in
			--help | --version) continue ;;
			--*=*) ;;
			--*)
				later "$tool" "$option=1"
				continue
				;;
			*) continue ;;
			esac
			for value in '' 'no such/thing:x' "$LONG"; do
				command=("$tool")
				# Add arguments without which the option would not be read.
				case $tool${option%%=*} in
				uncore-read--event | uncore-read--umask | uncore-read--cmask) ;;
				uncore-read--metric) ;;
				uncore-read*) command+=(-e 0x82:0x1) ;;
				uncore-info--uarch) command+=(--registers) ;;
				uncore-events--register) command+=(decode 1) ;;
				uncore-events--to) continue ;; # it accepts any name
				uncore-events*) command+=(list) ;;
				uncore-throttle*) command+=(-i 1 -n 1) ;;
				uncore-sim--log) continue ;;
				uncore-sim*) command+=(list) ;;
				esac
				case $tool${option%%=*} in
				*--cgroup) continue ;; # a group is looked up only when its processes are counted
				esac
				later "${command[@]}" "${option%%=*}=$value"
			done
			later "$tool" "${option%%=*}"
		done
		later "$tool" --nonsense
		later "$tool" "--$LONG"
		later "$tool" -Z
		later "$tool" "--machine=sim:nope" list
	done
	good 150
}

@test "a machine that does not exist is refused" {
	local machine
	printf 'title = x\npackage = 0 cor' >torn
	mkdir empty
	for machine in nope nope: sim: sim:nope "sim:$LONG" root: root:/nonexistent root:empty "root:$LONG" \
		sim:westmere-2s,x sim:westmere-2s,x=1 sim:westmere-2s,busy=99 sim:westmere-2s,offline=99 \
		"sim:westmere-2s,$LONG=1" "sim:westmere-2s,clock=$LONG" sim:./torn sim:/nonexistent \
		sim:generic,cpuid=/nonexistent "$LONG"; do
		later uncore-read -e 0x82:0x1 --machine="$machine"
		later uncore-info --machine="$machine"
		[[ $machine == root:empty ]] || later uncore-events list --machine="$machine"
		later uncore-throttle --machine="$machine"
		later uncore-doctor --machine="$machine"
		[[ $machine != sim:* ]] || later uncore-sim run "${machine#sim:}" -- true
	done
	good 90
}

# bats test_tags=plain
@test "events that do not exist are refused on every family of processors" {
	local machine event tool
	for machine in westmere-2s nehalem-ex-4s skylake-1s sandybridge-1s haswell-ep-2s skylake-sp-2s \
		skylake-sp-perf sapphire-rapids-2s alderlake-hybrid zen-1s genoa-1s generic; do
		[ "$machine" != skylake-1s ] || continue
		drawn 3 || continue
		export UNCOREMSR_MACHINE=sim:$machine,clock=stepped
		for event in '' ',' x "$LONG" "$LONG/event=1/" "cbo/$LONG=1/" cbo/event=/ cbo/event=x/ cbo/x=1/ \
			cbo/event=1 cbo99/event=1/ 0x999999999999999999:1 1:x "1:$LONG" '{1:1' '1:1}' r r12345x \
			UNC_NO_SUCH_EVENT 'UNC_NO_SUCH_*' uncore_imc/nothing/ core/nothing/ cpu/nothing/ \
			cha/event=0x1ff/ l3/event=1,slicemask=999/ '{cycles,0x82:0x1}' no:such; do
			[ "$machine" != generic ] || [[ $event != 1:x ]] || continue
			later uncore-read -e "$event"
		done
		later uncore-events explain UNC_NO_SUCH_EVENT
		later uncore-events encode UNC_NO_SUCH_EVENT
		later uncore-read -M no-such-metric
		later uncore-read -M "$LONG"
	done
	good 80
}

# ---- advice in messages must work ----

# For every machine with registers or a kernel, each kind of event and each route, the advice must work.
# bats test_tags=plain
@test "a route is advised only where it counts the event, on any family of processors" {
	local machine event route circle=0 turn=0
	for machine in $(uncore-sim list --format=csv | sed '1d;s/,.*//;/^throttled-hour/d;/^westmere-2s-holes/d;/^cascadelake/d') \
		{westmere-2s,skylake-sp-perf,zen-1s},{hypervisor=yes,lockdown=integrity,driver=missing}; do
		drawn 3 || continue
		export UNCOREMSR_MACHINE=sim:$machine,clock=stepped
		for event in 0x82:0x1 cbo/event=0x34,umask=0x11/ cha/event=0x50,umask=3/ imc/event=4,umask=3/ \
			uncore_imc/event=4,umask=3/ df/event=7/ l3/event=4/ core/cycles/ core/event=0x3c/ cycles \
			cpu/event=0x3c/ L1-dcache-loads '{cycles,instructions}' nonsense; do
			# Take half of the events, and on the next machine the other half.
			((++turn % 2)) || continue
			for route in auto msr perf; do
				later uncore-read -e "$event" --route=$route
			done
		done
		turn=$((turn + 1))
	done
	each_answer take_advice
	[ "$circle" -ge "$((${WHOLE:+7} + 1))" ]
	each_answer check_advice
	good 0
}

# take_advice COMMAND...: if the message advises another route, try that.
take_advice() {
	[[ $message != *"perf stat"* ]] || complain "advises another program" "$@"
	[[ $message =~ --route=(msr|perf)(;|$) ]] || return 0
	circle=$((circle + 1))
	[[ $status != 0 && "${*: -1}" != "--route=${BASH_REMATCH[1]}" ]] || complain "advises what it did" "$@"
	later "${@:1:$# - 1}" "--route=${BASH_REMATCH[1]}"
}

check_advice() {
	[ "$status" = 0 ] || complain "status $status of what was advised" "$@"
}

# An option in a message must exist in the tool that the message names before the option. If the message names no tool,
# its source file decides which tools must have the option: uncore-read for the folders of lib that count or encode, all
# tools for the rest of lib, and for a file of tools/common the tools that include it. Adjacent strings are joined as
# the compiler does.
# bats test_tags=plain
@test "an option that a message names is one of the tool that prints it" {
	local tool
	for tool in "${TOOLS[@]}"; do
		options "$tool" | sed "s/\[*=.*//;s/^/$tool /"
	done >known
	cd "$TOP" || return
	find lib tools -name '*.[ch]' ! -path 'lib/sim/*' |
		perl -0777 -e '
			sub text { open my $in, "<", $_[0] or die "$_[0]: $!"; <$in> }
			$_ = text(shift);
			$has{$1}{$2} = 1 while /^(\S+) (--\S+)/mg;
			for my $file (glob("tools/*/*.[ch]")) {
				my ($tool) = $file =~ m{^tools/(\w+)/};
				$_ = text($file);
				if ($tool ne "common") { $shared{$1}{"uncore-$tool"} = 1 while m{"common/([\w.]+)[.]h"}g }
			}
			for my $file (split /\n/, <STDIN>) {
				$_ = text($file);
				s{/\*.*?\*/}{}gs;                                # comments
				s/"\s*"//g;                                      # join adjacent strings
				my ($own) = $file =~ m{^tools/(\w+)/};
				$own = !defined $own ? $file =~ m{^lib/(session|counting|perf|encode|names|metrics)/} ? "uncore-read" : "any"
				     : $own eq "common" ? "any" : "uncore-$own";
				my ($base) = $file =~ m{([^/]+?)(?:[.]c)?$};
				my $users = $shared{$base} // \%has;             # of a file that tools share
				while (/"((?:[^"\\\n]|\\.)*)"/g) {
					my ($text, $at) = ($1, $own);
					while ($text =~ /\b(uncore-[a-z]+|mokutil|perf stat|udevadm)\b|(?<![\w-])(--[a-z][a-z0-9-]+)/g) {
						if ($1) { $at = $1; next }
						my $option = $2;
						next if $at !~ /^(uncore-(?!sim-)|any)/;
						$seen++;
						for ($at eq "any" ? sort keys %$users : $at) {
							$has{$_}{$option} and next;
							print "$file: $_ has no $option: $text\n";
							$wrong = 1;
						}
					}
				}
			}
			exit($wrong || $seen < 60)' "$BATS_TEST_TMPDIR/known"
}

@test "messages and advice name what this machine has: each package once, its driver's module, its clock event, no tables of other processors" {
	local machine event key rows advised=0
	for machine in zen-1s genoa-1s naples-1s; do
		rows+="3 | the driver of this PMU is the module amd_uncore; & !intel | uncore-read -e l3/event=4/ --route=perf --machine=sim:$machine
			4 | (module amd_uncore) & !intel | uncore-read -e l3/event=4/ --machine=sim:$machine,driver=missing"$'\n'
	done
	for machine in sandybridge-1s alderlake-hybrid; do
		rows+="3 | the driver of this PMU is the module intel_uncore; & !amd | uncore-read -e cbo/event=0x34,umask=1/ --route=perf --machine=sim:$machine"$'\n'
	done
	# What prevents access to registers does not prevent counting through perf.
	for key in lockdown=integrity driver=missing hypervisor=yes; do
		rows+="0 | nothing stands in the way of counting here with perf & !blocks & !0x391 | uncore-doctor --machine=sim:skylake-sp-perf,clock=stepped,$key
			0 | | uncore-read --machine=sim:skylake-sp-perf,clock=stepped,$key -e cha/event=0x50,umask=3/
			$([[ $key == h* ]] && echo 3 || echo 4) | blocks  | uncore-doctor --machine=sim:westmere-2s,clock=stepped,$key"$'\n'
	done
	local package="sim:westmere-2s,clock=stepped,foreign=0x3c3 0x400101 package=1 at=0" list=$BATS_TEST_TMPDIR/cbo.json
	echo '[{"EventName": "UNC_C_X", "EventCode": "0x34", "UMask": "0x11", "Unit": "CBO"}]' >"$list"
	expect <<-END
		$rows
		3 | only the kernel's driver (module intel_uncore) reaches these registers, as uncore_ha | uncore-read -e ha/event=4/ --machine=sim:haswell-ep-2s
		3 | this kernel has no PMU 'cpu'; virtual machines often have none; registers can | uncore-read -e core/cycles/ --route=perf --machine=sim:alderlake-hybrid
		1 | uncore-read: package 1: not counted: counter 3 is in use by | uncore-read -e 0x82:1 --counter 3 "--machine=$package"
		3 | =uncore-read: package 1: counter 3 is in use by * | uncore-read -e 0x82:1 --counter 3 --packages=1 "--machine=$package"
		2 | --event-list=FILE & !nehalem | uncore-events list UNC_X --machine=sim:skylake-sp-2s,clock=stepped
		3 | of another processor (nehalem,  | uncore-events list --machine=sim:generic
		2 | did you mean nest_mcs01_imc/PM_MCS01_64B_RD_DISP_PORT01/ & !nehalem | uncore-events encode PM_MCS01_64B_RD_DISP_PORT1 --machine=sim:power9-2s
		3 | of another processor (nehalem,  | uncore-events encode PM_MCS01_64B_RD_DISP_PORT01 --route=msr --machine=sim:power9-2s
		2 | edge 0x2 is out of range & !kernel | uncore-read -e UNC_C_X:edge=2 --event-list=$list --machine=sim:haswell-ep-2s
		4 | !allows writes | uncore-doctor --machine=sim:westmere-2s,clock=stepped,lockdown=integrity
		0 | !write filter | uncore-info --machine=sim:westmere-2s,clock=stepped,lockdown=integrity
	END
	while read -r machine event; do
		UNCOREMSR_MACHINE=sim:$machine,clock=stepped later uncore-read -e "$event"
	done <<-'END'
		westmere-2s 0xfe:1
		skylake-sp-2s pcu/event=0x7f/
		zen-1s df/event=7/
		nehalem-ex-4s ubox/event=0xfe/
		alderlake-hybrid cbo/event=0xfe/
	END
	each_answer take_clock
	[ "$advised" -gt 1 ]
	each_answer check_advice
	good 0
}

take_clock() {
	[[ $message =~ "add -e "([^ ]+) ]] || return 0
	advised=$((advised + 1))
	later uncore-read -e "${BASH_REMATCH[1]}"
}

# bats test_tags=plain
@test "no plural s after the number 1" {
	local machine words things='cores|packages|dies|units|counters|events|samples|others|cpus'
	while read -r -a words; do
		for machine in generic nehalem-1s westmere-2s cascadelake-ap-1s; do
			later "${words[@]}" --machine="sim:$machine,clock=stepped"
		done
	done <<-END
		uncore-info
		uncore-doctor
		uncore-read --verbose
		uncore-read --verbose -e clockticks
		uncore-read -e task-clock --per-core
	END
	each_answer all_said >"$BATS_TEST_TMPDIR/said"
	run -0 cat "$BATS_TEST_TMPDIR/said"
	[[ $output == *'on 1 other unit as well'* && $output == *'; 1 core, CPUs 0'* ]]
	run ! grep -iE "(^|[ (])1 ((more|other|free|general|fixed) )?($things)\\b" "$BATS_TEST_TMPDIR/said"
}

all_said() {
	printf '%s\n' "$printed" "$message"
}
