#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Runs the commands that "uncore-events encode" prints for rdmsr and wrmsr, on a mounted machine where other programs
# count: the count must be right, and nothing of the other programs may change.

load common
load answers
load mounted

setup() {
	need jq rdmsr wrmsr
	need_witness
}

# recipe UARCH EVENT: print the commands, with a pause of 0.2 s before the count is read.
recipe() {
	uncore-events encode "$2" --uarch="$1" --format=json | jq -r '.commands[]' >"$BATS_TEST_TMPDIR/commands"
	local commands i count
	mapfile -t commands <"$BATS_TEST_TMPDIR/commands"
	for i in "${!commands[@]}"; do [[ ${commands[i]} != rdmsr* ]] || count=$i; done
	commands[count]=$'sleep 0.2\ncount=$('"${commands[count]})"
	printf '%s\n' "${commands[@]}" >"$BATS_TEST_TMPDIR/run"
}

# recipe_keeps MACHINE UARCH EVENT OWN 'REGISTER=VALUE...': run the commands while other programs use these registers of
# CPU 0. Afterwards only the registers OWN (selector and counter, separated by a blank) may differ. Sets $count to the
# count, and $took to the run time in microseconds.
recipe_keeps() {
	drawn 2 || { count=; return; }
	recipe "$2" "$3"
	serve "$1"
	took=-${EPOCHREALTIME/[.,]/}
	run witness '
		for set in '"$5"'; do wrmsr -p 0 ${set%=*} ${set#*=}; done
		registers=$({ grep -oE "(rd|wr)msr (-c )?-p 0 0x[0-9a-f]+" "$TMP/commands" | grep -oE "0x.*"
			for set in '"$5"'; do echo ${set%=*}; done; } | sort -u | grep -vxF "$(printf "%s\n" '"$4"')")
		look() {
			perl -e "open my \$cpu, q(<), q(/dev/cpu/0/msr) or die; for (@ARGV) { sysseek \$cpu, hex, 0;
				sysread(\$cpu, my \$value, 8) == 8 or die \$_; print \$_, q( ), unpack(q(Q), \$value), qq(\\n) }" $registers
		}
		look >"$TMP/before"
		. "$TMP/run" >/dev/null || echo "the recipe failed"
		look >"$TMP/after"
		diff "$TMP/before" "$TMP/after"
		echo "count $((0x$count))"'
	((took += ${EPOCHREALTIME/[.,]/}))
	echo "$3: $output after $took us"
	[ "$status" = 0 ]
	[ "${#lines[@]}" = 1 ]
	count=${lines[0]#count }
	unserve
}

# right [N]: is the count plausible for N * 100000 events per second (default 1)? Counting takes 0.2 s plus the time of
# some of the commands.
right() {
	local n=${1:-1}
	[ -z "$count" ] || ((count > 19000 * n && count < took * n / 10))
}

# many N: the count must be larger than N.
many() {
	[ -z "$count" ] || ((count > $1))
}

@test "recipes of Nehalem and Westmere keep other counters and enable bits" {
	recipe_keeps westmere-2s,rate=0x82:0x1=100000 westmere UNC_PROCHOT_ASSERTION '0x3c0 0x3b0' \
		'0x3c3=0x8407 0x3c5=0x400182 0x395=0x1 0x391=0x100000028'
	right
	recipe_keeps westmere-2s westmere UNC_CLK_UNHALTED 0x394 '0x3c5=0x400182 0x391=0x28'
	many 10000000
	recipe_keeps nehalem-1s,rate=0x82:0x1=100000 nehalem 0x82:0x1 '0x3c0 0x3b0' '0x391=0x2'
	right
}

@test "recipes of fixed core counters leave the watchdog's counter alone" {
	# Another program counts instructions and reference cycles, with the interrupt that the watchdog needs.
	recipe_keeps haswell-ep-2s haswell-ep core/cycles/ '0x30a' \
		'0x38d=0xb0b 0x38f=0x500000003 0x186=0x53003c'
	many 1000000
	recipe_keeps haswell-ep-2s haswell-ep core/instructions/ '0x309' '0x38d=0xb0 0x38f=0x20000000f'
	many 1000000
	recipe_keeps skylake-sp-2s skylake-sp core/ref-cycles/ '0x30b' '0x38d=0xbb 0x38f=0x300000001'
	many 1000000
}

@test "recipes of fixed counters of boxes switch them off again, and keep the unit's other counters" {
	recipe_keeps haswell-ep-2s haswell-ep ubox/clockticks/ 0x704 '0x705=0x400080 0x706=0x400035'
	many 10000000
	recipe_keeps sapphire-rapids-2s sapphirerapids ubox/clockticks/ 0x2fdf '0x2fd2=0x81'
	many 10000000
	recipe_keeps sandybridge-1s sandybridge clock/UNC_CLOCK.SOCKET/ 0x395 '0x391=0x2000000f 0x700=0x400134'
	many 10000000
	recipe_keeps alderlake-hybrid alderlake clock/UNC_CLOCK.SOCKET/ 0x2fdf '0x2ff0=0x20000000'
	many 10000000
}

# The bit that a recipe reads to see whether the counter is free must be the enable bit that it sets later. Tested for
# boxes and fixed counters of every processor.
@test "recipes check the bit that they set" {
	local uarch event recipes=0
	run -2 uncore-info --registers --uarch=.
	output=${output#*there are tables for } output=${output%%;*}
	for uarch in ${output//,/}; do
		drawn 3 || continue
		for event in UNC_CLK_UNHALTED ubox/clockticks/ wbox/UNCORE_CLOCK/ clock/UNC_CLOCK.SOCKET/ \
			umc/event=0xa/ l3/event=4/ df/event=7/ cha/event=1/ cbo/event=1/ ubox/event=1/; do
			later uncore-events encode "$event" --uarch="$uarch"
		done
	done
	each_answer looks_at_its_bit
	echo "$recipes recipes"
	[ "$recipes" -gt $((${WHOLE:+50} + 0)) ]
}

looks_at_its_bit() {
	local bit='' word config
	[ "$status" = 0 ] || return 0
	[[ ${printed%%$'\n'*} =~ .*': '(0x[0-9a-f]+) ]]
	word=${BASH_REMATCH[1]}
	[[ ! $printed =~ 'is it free? bit '([0-9]+)' (EN)' ]] || bit=${BASH_REMATCH[1]}
	echo "$*: $word, bit $bit"
	[[ $printed != *'is it free? bits'* ]]
	[ -z "$bit" ] || ((word >> bit & 1))
	# In the kernel's config word this enable bit must be 0, because the kernel sets it.
	[ -z "$bit" ] || [[ $printed != *"/config=0x"* ]] || {
		config=${printed#*/config=}
		((!(${config%%[,/]*} >> bit & 1)))
	}
	if [[ $printed == *'is it free?'* ]]; then
		recipes=$((recipes + 1))
		[[ $printed == *'# off, while it is set up'* ]]
		[[ $printed == *'and leave the selector empty'* ]]
	fi
}

@test "recipes of general core counters leave the fixed ones alone" {
	recipe_keeps haswell-ep-2s haswell-ep core/event=0xc0/ '0x186 0xc1' \
		'0x38d=0xbb 0x38f=0x30000000e 0x187=0x5300c0'
	many 1000000
}

@test "recipes of boxes keep the other fields of a filter, and other counters of the unit" {
	recipe_keeps haswell-ep-2s,rate=cbo:0x34:0x11=100000 haswell-ep \
		cbo/event=0x34,umask=0x11,filter_state=0x1f/ '0xe01 0xe08 0xe00' '0xe05=0x40021 0xe02=0x35'
	right
	recipe_keeps haswell-ep-2s haswell-ep cbo/event=0x34,umask=0x11,filter_state=0x1f/ \
		'0xe01 0xe08 0xe00' '0xe05=0x0'
	recipe_keeps sandybridge-1s,rate=cbo:0x34:0x11=100000 sandybridge cbo2/event=0x34,umask=0x11/ '0x720 0x726' \
		'0x391=0x2000000f 0x721=0x22'
	right 3 # the simulated cbo2 counts three times as much as cbo0
	recipe_keeps nehalem-ex-4s nehalem-ex mbox1/DRAM_CMD.CAS_RD_CLS_WRPRIO/ '0xcf0 0xcf1 0xc00' \
		'0xce0=0x2 0xce6=0x20 0xcea=0x40'
	recipe_keeps zen-1s zen3 l3/event=0x4,umask=0xff/ '0xc0010230 0xc0010231' \
		'0xc0010232=0x400104'
}
