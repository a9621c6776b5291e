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
	SWEEP=${BIN%/*}/tests/sweep
	[ -x "$SWEEP" ] || skip "make tests was not run"
	cd "$BATS_TEST_TMPDIR" || return
}

@test "out of memory is reported, never a wrong number or success (two random allocations of each command)" {
	run -0 "$TOP/tests/memory/run" --sample=2
	[[ ${lines[0]} == "SEED=$SEED" && ${lines[-1]} == "0 wrong" && ${#lines[@]} -gt 30 ]]
}

@test "if a CPU comes online while memory is short, nothing crashes, and its package is not reported as unknown" {
	local machine='sim:westmere-2s,clock=stepped,throttle=none,offline=20-23,hotplug=22 on at=0.15' part=--sample=120
	[ -z "${WHOLE:-}" ] || part=--places
	echo "uncore-read '--machine=$machine' -e instructions --per-cpu -n 4 -i 0.1" >plan
	run "$SWEEP" $part --show=1000 plan
	[[ $output == *" allocations from "* && $output != *crash* && $output != *"not there at the start"* ]]
}

@test "the sweep itself notices a crash, a missing message, an invented line, a register left changed" {
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

# swept TRIES: run the plan on standard input; TRIES allocations of each command fail, or all with WHOLE=1.
swept() {
	local sample=(--sample="$1")
	[ -z "${WHOLE:-}" ] || sample=()
	cat >plan
	run "$SWEEP" "${sample[@]}" plan
	echo "$output"
	[[ $status = 0 && $output == *" tried"* ]]
}

# ---- registers that are restored, and log bits that are cleared, on a mounted machine ----

# mounted MACHINE: the folder "machine" of a plan has this machine. MOUNT is a command that mounts the machine again.
mounted() {
	need_fuse
	MNT=$PWD/machine
	mkdir -p "$MNT"
	MOUNT="umount -l machine 2>/dev/null || fusermount3 -uqz machine; uncore-sim mount '$1' machine --daemon --log=log"
	sh -c "$MOUNT"
}

@test "--repair out of memory: all is put back, or a message says that it is not and a second run does" {
	local machine events access tries
	while read -r machine access tries events; do
		mounted "$machine,clock=stepped,start=12345"
		uncore-info --machine=root:machine --registers --format=json |
			jq -r 'select(.write_mask != "0x0") | "0 " + .register, "1 " + .register' >spots
		export GUARD_REGISTERS=spots PROBE
		"$PROBE" snapshot machine before
		# Kill a session while it counts, so that it leaves changed registers.
		cat >leave <<-END
			echo "kill $access \$\$" >machine/sim/trouble
			exec uncore-read --machine=root:machine -e $events -i 0.1 >/dev/null 2>&1
		END
		# If the status is 0, the output is that of an undisturbed run, so all registers must be restored.
		cat >check <<-'END'
			[ "$STATUS" != 0 ] || "$PROBE" same machine before || exit
			uncore-doctor --machine=root:machine --repair | tail -n 1 | grep -q ' 0 leases left over' &&
				"$PROBE" same machine before
		END
		swept "$tries" <<-'END'
			numbers: vary
			before: sh leave
			check: sh check
			uncore-doctor --machine=root:machine --repair
		END
	done <<-'END'
		westmere-2s 30 3 0x9:1,0x82:1
		haswell-ep-2s 300 1 cbo/event=0x34,umask=0x11,filter_state=0x1f/
	END
}

@test "--clear out of memory: every cleared bit is reported, and a bit that is left set is an error" {
	mounted 'nehalem-1s,clock=stepped,throttle=none,throttle=core-thermal for=0.1'
	# Mount a machine that was throttled, and whose log bits still say so.
	echo "$MOUNT; echo +200000000 >machine/sim/clock" >logged
	# The tool must have reported exactly the writes that are in the device's log.
	cat >check <<-'END'
		sed -n 's/^[^ ]* [0-9]* \([0-9]*\) wr \(0x[0-9a-f]*\) .*/CPU \1: (\2)/p' log | sort -u >written
		sed -n 's/.*\(CPU [0-9]*:\) .*\((0x[0-9a-f]*)\) was .*: cleared .*/\1 \2/p' stdout stderr | sort -u | cmp - written || exit
		[ "$STATUS" != 0 ] || [ -s machine/run/uncoremsr/throttle-cleared ] || exit
		uncore-throttle --machine=root:machine --clear >/dev/null &&
			uncore-throttle --machine=root:machine --clear | grep -q 'no log bit was set'
	END
	swept 2 <<-'END'
		before: sh logged
		check: sh check
		uncore-throttle --machine=root:machine --clear
	END
}
