#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Completion in bash, called the way readline calls it; once through a real readline.

# bats file_tags=plain

load common

NAMES=(clock=stepped clock=real)

setup() {
	cd "$TOP" || return
	# shellcheck source=scripts/completion/uncoremsr.bash
	. scripts/completion/uncoremsr.bash
}

# complete_line LINE [TEXT]: print the completions at the end of LINE, one per line. TEXT is the part that readline
# would replace: the text after the last blank, colon or equals sign.
complete_line() {
	set +e # as in an interactive shell; this is a subshell
	local COMP_LINE=$1 COMP_POINT=${#1} COMPREPLY
	_uncoremsr "${1%% *}" "${2-${1##*[ :=]}}" ""
	printf '%s\n' "${COMPREPLY[@]}"
}

# offers LINE WORD...: the completions must be exactly these words, in any order.
offers() {
	local word
	local -A left=()
	run complete_line "$1"
	for word in "${lines[@]}"; do left[$word]=$((${left[$word]:-0} + 1)); done
	for word in "${@:2}"; do
		[ -z "$word" ] || left[$word]=$((${left[$word]:-0} - 1))
	done
	for word in "${!left[@]}"; do
		if [ "${left[$word]}" != 0 ]; then
			echo "$1: '$word' is offered ${left[$word]} times more than wanted"
			return 1
		fi
	done
}

# has LINE WORD...: the completions must include these words.
has() {
	local word
	run complete_line "$1"
	for word in "${@:2}"; do
		[[ $'\n'$output$'\n' == *$'\n'"$word"$'\n'* ]] || { echo "$1: no $word in: $output"; return 1; }
	done
}

@test "every option in each tool's --help is completed, with = if it takes a value" {
	local tool line options
	for tool in "$BIN"/uncore-*; do
		tool=${tool##*/}
		run -0 complete -p "$tool"
		[[ $output == *'-F _uncoremsr '* ]]
		run -0 "$tool" --help
		options=()
		for line in "${lines[@]}"; do
			[[ ! $line =~ ^\ \ (-[a-zA-Z],\ |\ \ \ \ )(--[a-z][a-z0-9-]*=?) ]] || options+=("${BASH_REMATCH[2]}")
		done
		[ "${#options[@]}" -gt 4 ]
		offers "$tool --" "${options[@]}"
	done
	has 'uncore-read -' -e
	has 'uncore-read --' --event= --edge
}

@test "option values, machines, sub-commands and their arguments are offered" {
	offers 'uncore-read --format=' text csv json prometheus collectd
	offers 'uncore-info --format ' text csv json
	offers 'uncore-read --route=' auto msr perf memory
	offers 'uncore-info --registers --uarch=we' westmere westmere-ex
	offers 'uncore-info --registers --uarch=sn' snowridge
	local machines
	mapfile -t machines < <(uncore-sim list | awk '{ print $1 }')
	offers 'uncore-read --machine=' live root: "${machines[@]/#/sim:}"
	offers 'uncore-read --machine=sim:west' westmere-2s westmere-2s-holes
	offers 'uncore-read --machine sim:westmere-2s,cl' "${NAMES[@]/#/westmere-2s,}"
	offers 'uncore-sim run ' "${machines[@]}"
	offers 'uncore-sim ' lesson list run mount
	offers 'uncore-sim lesson s' sampling selector switch
	offers 'uncore-sim --format=csv l' lesson list
	offers 'uncore-sim --log /dev/null m' mount
	offers 'uncore-sim list ' ''
	mkdir "$BATS_TEST_TMPDIR/dir"
	: >"$BATS_TEST_TMPDIR/file"
	offers "uncore-sim mount generic $BATS_TEST_TMPDIR/" "$BATS_TEST_TMPDIR/dir"
	offers "uncore-sim mount --log=$BATS_TEST_TMPDIR/f" "$BATS_TEST_TMPDIR/file"
	has 'uncore-read -e 1:1 -- ech' echo
	rm "$BATS_TEST_TMPDIR/file"
	mv "$BATS_TEST_TMPDIR/dir" "$BATS_TEST_TMPDIR/--format="
	offers "uncore-read -e 1:1 -- cat $BATS_TEST_TMPDIR/" "$BATS_TEST_TMPDIR/--format="
}

@test "terms, modifiers and events of the machine or processor are offered, in lists, braces and any case, and metrics and registers" {
	offers 'uncore-read --machine=sim:westmere-2s -e UNC_PROCHOT' UNC_PROCHOT_ASSERTION
	offers 'uncore-read --machine sim:nehalem-1s -e UNC_PROCHOT' ''
	offers 'uncore-read --machine=sim:nehalem-1s -e UNC_QMC_NORMAL_FULL.READ.CH' \
		UNC_QMC_NORMAL_FULL.READ.CH{0,1,2}
	offers 'uncore-events encode --uarch=westmere UNC_PROCHOT' UNC_PROCHOT_ASSERTION
	offers 'uncore-events encode --uarch nehalem UNC_PROCHOT' ''
	UNCOREMSR_MACHINE=sim:westmere-2s offers 'uncore-read -e UNC_PROCHOT' UNC_PROCHOT_ASSERTION
	offers 'uncore-read -e 0x82:0x1:ed' edge
	offers 'uncore-read -e uncore/ev' uncore/event=
	offers 'uncore-read -e 1:1,{2:2,uncore/event=1,um' 1,umask=
	offers 'uncore-read -e0x82:0x1:cm' cmask=
	local machine='uncore-read --machine=sim:skylake-sp-perf'
	offers "$machine -e uncore_imc/cas" uncore_imc/cas_count_{read,write}/
	offers "$machine -e 1:1,uncore_imc/cas_count_r" 1,uncore_imc/cas_count_read/
	offers "$machine -e uncore_imc/event=4,um" 4,umask=
	has "$machine -e uncore_imc/" uncore_imc/event= uncore_imc/cas_count_read/
	has "$machine -e uncore_im" uncore_imc/cas_count_read/
	offers 'uncore-read --machine=sim:westmere-2s -M throttled-dr' throttled-dram
	offers 'uncore-read --machine=sim:westmere-2s --metrics=x,throttled-dr' x,throttled-dram
	offers 'uncore-read --machine=sim:nehalem-1s -M throttled-' ''
	offers 'uncore-events decode 0x1 --uarch=nehalem --register=UNCORE_PERFEVTSEL' UNCORE_PERFEVTSEL{0..7}
	offers 'uncore-events --uarch=westmere explain UNCORE_PERF_GLOBAL_C' UNCORE_PERF_GLOBAL_CTRL
	offers 'uncore-events --uarch=westmere explain UNC_PROCHOT' UNC_PROCHOT_ASSERTION
	machine='uncore-read --machine=sim:westmere-2s'
	offers "$machine -e unc_prochot" UNC_PROCHOT_ASSERTION
	offers "$machine -e 0x80,UNC_PROCHOT" 0x80,UNC_PROCHOT_ASSERTION
	offers "$machine -e {UNC_CLK_UNHALTED,UNC_PROCHOT" '{UNC_CLK_UNHALTED,UNC_PROCHOT_ASSERTION'
	offers "$machine -e {A},{B,UNC_PROCHOT" '{A},{B,UNC_PROCHOT_ASSERTION'
	offers "$machine -e UNC_THERMAL_THROTTLED" UNC_THERMAL_THROTTLED_TEMP.CORE_{0..3}
}

@test "a tool called by its path uses those beside it; a missing tool or unsupported machine prints nothing" {
	local machines
	mapfile -t machines < <(uncore-sim list | awk '{ print $1 }')
	mkdir "$BATS_TEST_TMPDIR/none"
	PATH=/usr/bin:/bin offers "$BIN/uncore-sim run " "${machines[@]}"
	run --separate-stderr complete_line 'no-such-tool --machine='
	[ -z "$stderr" ]
	run --separate-stderr complete_line 'uncore-read --machine=sim:generic -e UNC'
	[ -z "$output" ]
	[ -z "$stderr" ]
}

# typed KEYS: print the line after KEYS and a TAB in an interactive shell with this completion. The keys come through a
# pipe, so the shell gets each key when it is ready for it, and ends after the last one.
typed() {
	cat >"$BATS_TEST_TMPDIR/rc" <<-'END'
		PS1=
		. scripts/completion/uncoremsr.bash
		bind 'set bell-style none'
		bind -x '"\C-xp": printf "<<%s>>\n" "$READLINE_LINE"; READLINE_LINE='
	END
	# Without setsid the shell would make itself the foreground process of the caller's terminal.
	printf '%s\t\030p' "$1" | setsid -w bash --noprofile --rcfile "$BATS_TEST_TMPDIR/rc" -i 2>/dev/null |
		sed -nE 's/.*<<(.*)>>.*/\1/p'
}

@test "readline replaces the right part of the word, also within quotes" {
	run typed 'uncore-read --machine=sim:nehalem-1s,clock=st'
	echo "$output"
	[ "$output" = 'uncore-read --machine=sim:nehalem-1s,clock=stepped' ]
	run typed "uncore-read --machine=sim:westmere-2s -e '{1:1,UNC_PROCHOT"
	echo "$output"
	[ "$output" = "uncore-read --machine=sim:westmere-2s -e '{1:1,UNC_PROCHOT_ASSERTION'" ]
}
