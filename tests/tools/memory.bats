#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Out of memory: an allocation of a command fails, alone or with all later ones. The result must not be wrong or silent,
# and no register may stay changed without a message. Some allocations are tried; the date is the seed, which is
# printed, and SEED=N chooses another one. "make sweep" tries all (WHOLE=1).

load common
load mounted

setup_file() {
	export SEED=${SEED:-$(date +%Y%m%d)}
	echo "# SEED=$SEED" >&3
}

setup() {
	need cc
	case $(ldd "$BIN/uncore-read") in *asan*) skip "the sanitizers have an allocator of their own" ;; esac
	out=$BATS_TEST_TMPDIR/out
	err=$BATS_TEST_TMPDIR/err
	FAIL=${BIN%/*}/tests/preload.so
	SWEEP=${BIN%/*}/tests/sweep
	[ -e "$FAIL" ] || skip "make tests was not run"
	cd "$BATS_TEST_TMPDIR" || return
}

teardown() {
	unserve
}

# draw TRIES COMMAND...: set the array drawn to TRIES of the command's allocations, one from each part of the run.
draw() {
	local tries=$1 n step at
	[ -z "${WHOLE:-}" ] || tries=1000000
	shift
	LD_PRELOAD=$FAIL COUNT_ALLOC=$BATS_TEST_TMPDIR/count "$@" >/dev/null 2>&1 || true
	n=$(<"$BATS_TEST_TMPDIR/count")
	[ "$n" -gt 10 ]
	step=$((n / tries + 1))
	drawn=()
	for ((at = 1; at <= n; at += step)); do drawn+=($((at + RANDOM % step))); done
}

# failing I COMMAND...: run it so that allocation I fails, with ALL=1 also all later ones; results are in $status,
# $out.now and $err.
failing() {
	local i=$1
	shift
	status=0
	timeout 20 env LD_PRELOAD="$FAIL" FAIL_ALLOC="$i" ${ALL:+FAIL_ALL=1} "$@" >"$out.now" 2>"$err" ||
		status=$?
	# A status of 124 or more is a crash or a hang.
	[ "$status" -lt 124 ] || complain "$i" "$@"
}

complain() {
	echo "allocation $*: status $status"
	diff "$out" "$out.now" || true
	cat "$err"
	return 1
}

@test "out of memory is reported, never a wrong number or success (two random allocations of each command)" {
	[ -x "$SWEEP" ] || skip "make tests was not run"
	run -0 "$TOP/tests/memory/run" --sample=2
	[[ ${lines[0]} == "SEED=$SEED" && ${lines[-1]} == "0 wrong" && ${#lines[@]} -gt 30 ]]
}

@test "if a CPU comes online while memory is short, nothing crashes, and its package is not reported as unknown" {
	[ -x "$SWEEP" ] || skip "make tests was not run"
	local machine='sim:westmere-2s,clock=stepped,throttle=none,offline=20-23,hotplug=22 on at=0.15' part=--sample=120
	[ -z "${WHOLE:-}" ] || part=--places
	echo "uncore-read '--machine=$machine' -e instructions --per-cpu -n 4 -i 0.1" >plan
	run "$SWEEP" $part --show=1000 plan
	[[ $output == *" allocations from "* && $output != *crash* && $output != *"not there at the start"* ]]
}

@test "the sweep itself notices a crash, a missing message, an invented line, a register left changed" {
	[ -x "$SWEEP" ] || skip "make tests was not run"
	local what
	cat >liar.c <<-'END'
	#include <stdio.h>
	#include <stdlib.h>
	#include <string.h>
	#include <unistd.h>
	int main(int argc, char **argv)
	{
		char *p = malloc(10);
		if (!p && !strcmp(argv[1], "crash")) abort();
		if (!p && !strcmp(argv[1], "status")) return 9;
		if (!p && !strcmp(argv[1], "silence")) return 1;
		if (!p && !strcmp(argv[1], "zero")) return 0;
		if (!p && !strcmp(argv[1], "invented")) puts("7");
		if (!p && !strcmp(argv[1], "register"))
			fputs("cpu 0 write A (0x391) 0x1 -> 0x2 [X]\n", stderr);
		if (!p) fputs("liar: out of memory\n", stderr);
		else puts("6");
		return argc > 1 && !p;
	}
	END
	cc -o liar liar.c
	for what in honest crash status silence zero invented register; do
		echo "./liar $what" >plan
		run "$SWEEP" plan
		case $what in
		honest) [ "$status" = 0 ] && [[ ${lines[-1]} == "0 wrong" ]] ;;
		*) [ "$status" = 1 ] && [[ ${lines[-1]} != "0 wrong" ]] ;;
		esac || { echo "$what: $output"; return 1; }
	done
}

@test "--grant out of memory: no script is printed, rather than a wrong one" {
	local nth drawn RANDOM=$SEED
	local grant=("$BIN/uncore-doctor" --machine=sim:haswell-ep-2s --grant=users --core)
	"${grant[@]}" >"$out"
	draw 40 "${grant[@]}"
	for nth in "${drawn[@]}"; do
		failing "$nth" "${grant[@]}"
		if [ "$status" = 0 ]; then
			cmp "$out" "$out.now"
		else
			[ ! -s "$out.now" ] && [ -s "$err" ]
		fi || complain "$nth" "${grant[@]}"
	done
}

# ---- registers that are restored, and log bits that are cleared ----

@test "--repair out of memory: all is put back, or a message says that it is not and a second run does" {
	need_fuse
	local nth drawn machine tries read kill ALL RANDOM=$SEED
	for machine in westmere-2s haswell-ep-2s; do
		case $machine in
		westmere-2s) read=(-e '0x9:1,0x82:1') kill=30 tries=3 ;;
		*) read=(-e 'cbo/event=0x34,umask=0x11,filter_state=0x1/') kill=300 tries=1 ;;
		esac
		serve "$machine,clock=stepped,start=12345"
		repair_matrix "$tries"
		unserve
	done
}

repair_matrix() {
	local doctor=("$BIN/uncore-doctor" "--machine=root:$MNT" --repair)
	"$BIN/uncore-info" "--machine=root:$MNT" --registers --format=json |
		jq -r 'select(.write_mask != "0x0") | "0 " + .register, "1 " + .register' \
			>"$BATS_TEST_TMPDIR/spots"
	export GUARD_REGISTERS=$BATS_TEST_TMPDIR/spots
	remember
	leave
	"${doctor[@]}" >"$out"
	for ALL in '' 1; do
		leave
		draw "$1" "${doctor[@]}"
		for nth in "${drawn[@]}"; do
			leave
			failing "$nth" "${doctor[@]}"
			if same >/dev/null; then
				[ "$status" != 0 ] || diff <(tail -n 1 "$out") <(tail -n 1 "$out.now")
			else
				[ "$status" != 0 ]
			fi || complain "$nth" "${doctor[@]}"
			[ "$status" = 0 ] || [ -s "$err" ] || complain "$nth" "${doctor[@]}"
			run -0 "${doctor[@]}"
			[[ ${lines[-1]} == *" 0 leases left over" ]]
			same
		done
	done
}

# leave: kill a session while it counts, so that it leaves changed registers.
leave() {
	in_trouble "kill $kill" "$BIN/uncore-read" "--machine=root:$MNT" "${read[@]}" -i 0.1 >/dev/null 2>&1 || true
	[ "$(<"$MNT/sim/trouble")" = none ]
	! same >/dev/null
}

@test "--clear out of memory: every cleared bit is reported, and a bit that is left set is an error" {
	need_fuse
	local nth drawn ALL RANDOM=$SEED
	local clear=("$BIN/uncore-throttle" "--machine=root:$BATS_TEST_TMPDIR/machine" --clear)
	logged
	"${clear[@]}" >"$out"
	unserve
	for ALL in '' 1; do
		logged
		draw 2 "${clear[@]}"
		unserve
		for nth in "${drawn[@]}"; do
			logged
			failing "$nth" "${clear[@]}"
			# The tool must have reported exactly the writes that are in the device's log.
			sed -n 's/^[^ ]* [0-9]* \([0-9]*\) wr \(0x[0-9a-f]*\) .*/CPU \1: (\2)/p' "$LOG" | sort -u >"$out.written"
			cat "$out.now" "$err" | sed -n 's/.*\(CPU [0-9]*:\) .*\((0x[0-9a-f]*)\) was .*: cleared .*/\1 \2/p' |
				sort -u >"$out.told"
			diff "$out.written" "$out.told" || complain "$nth" "${clear[@]}"
			if [ "$status" = 0 ]; then
				diff "$out" "$out.now" && [ -s "$MNT/run/uncoremsr/throttle-cleared" ]
			else
				[ -s "$err" ]
			fi || complain "$nth" "${clear[@]}"
			run -0 "${clear[@]}"
			run -0 "${clear[@]}"
			[[ $output == *"no log bit was set"* ]]
			unserve
		done
	done
}

# logged: mount a machine that was throttled, and whose log bits still say so.
logged() {
	serve nehalem-1s,clock=stepped,throttle=none,throttle='core-thermal for=0.1'
	echo +200000000 >"$MNT/sim/clock"
}
