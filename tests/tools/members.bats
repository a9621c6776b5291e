#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# What a group member can lock, fill, mount and forge, and what root can still do.

load common
load mounted
load members
load rights

teardown() {
	kill_started
	[ -z "${MINE:-}" ] || umount -l "$MINE" 2>/dev/null || true
	unserve
	[ -z "${copies:-}" ] || rm -rf "$copies"
}

# ---- locks ----

# bats test_tags=plain
@test "a member who locks the whole file keeps other members from counting, but not root" {
	member_machine
	locked hold-all 0
	run -0 --separate-stderr timeout 60 "${READ[@]}"
	[[ $stderr == *"another session (pid $holder) of a member of the group delays the start: going on without"* ]]
	same
	run -3 --separate-stderr as_member timeout 60 "${READ[@]}"
	[[ $stderr == *"process $holder"* || $stderr == *"pid $holder"* ]]
	# Leftovers of a session of root are restored as well, although the journal of that session is locked, too.
	count_beside "$BIN/uncore-read" "--machine=root:$MNT" -e 0x82:1
	local reader=$pid
	journal=$(echo "$RUN"/*.journal)
	lock_beside busy "${MEMBER[@]}" "$OFD_LOCK" hold-all "$journal" 0
	stop "$reader"
	run ! same
	lock_beside held "${MEMBER[@]}" "$OFD_LOCK" hold-all "$journal" 0
	run -0 timeout 60 "${DOCTOR[@]}" --repair
	same
}

# bats test_tags=plain
@test "all registers are put back if a member locks what sessions share while root counts" {
	member_machine
	count_beside "$BIN/uncore-read" "--machine=root:$MNT" -e 0x82:1
	local reader=$pid
	# Byte offsets from 4 << 56 on are locks of shared enable registers, of starts and of journals.
	locked hold-all $((4 << 56))
	stop "$reader" TERM
	same
	run ! grep -q "not put back" "$BATS_TEST_TMPDIR/counting.errors"
}

@test "a file system that a member has mounted and that does not answer does not block root" {
	member_machine
	as_member mkdir -m 700 "$MINE"
	background "$BIN/uncore-sim" mount westmere-2s "$MINE" --allow-other
	wait_until has_line /proc/self/mountinfo " $MINE "
	kill -STOP "$pid"
	run -1 timeout 60 "${DOCTOR[@]}" --repair
	[[ $output == *"journal user/65534: nothing is restored from it: not a file of this library"* ]]
	run -0 timeout 60 "${READ[@]}"
	kill -KILL "$pid"
	same
}

# ---- full file systems ----

@test "the group writes only to a file system of its own, so root can count even if it is full" {
	need_witness
	need_nobody
	machine
	"$BIN/uncore-doctor" --machine=sim:westmere-2s --grant=counters | sed -n '/^# 4\. /,/^# 5\. /p' |
		sed "s|/etc/[a-z.]*\(/system\)\?|$BATS_TEST_TMPDIR|;s/root:counters/root:4711/" >"$BATS_TEST_TMPDIR/part.sh"
	run witness '
		mount -t tmpfs -o size=64m,mode=755 tmpfs /run
		set -eu
		systemctl() { echo "systemctl $*"; }
		. "$TMP/part.sh"
		stat -c "%a %u:%g %n" /run/uncoremsr/*
		set +eu
		cat >"$TMP/fill" <<-"END"
		mkdir -m 700 /run/uncoremsr/user/65534
		cat /dev/zero >/run/uncoremsr/user/65534/x
		cat /dev/zero >>/run/uncoremsr/lock
		for n in {1..5000}; do : >/run/uncoremsr/user/65534/$n || exit 0; done 2>/dev/null
		echo "inodes for everything"
		END
		setpriv --reuid=65534 --regid=65534 --groups=4711 bash "$TMP/fill" 2>/dev/null
		# Discard standard error: on a busy machine it may have a warning that reading took long.
		uncore-read -e 0x9:1 -i 0.1 -n 1 --format=csv 2>/dev/null | wc -l
		uncore-doctor --repair
		uncore-doctor'
	echo "$output"
	[[ $output == *"systemctl enable run-uncoremsr-user.mount run-uncoremsr-lock.mount"* ]]
	[[ $output == *"660 0:4711 /run/uncoremsr/lock
600 0:0 /run/uncoremsr/root.lock
1770 0:4711 /run/uncoremsr/user
3
0 counters put back, 0 leases left over
"* ]]
	[[ $output != *"can fill"* ]]
	same
}

@test "uncore-doctor warns root if the group can fill the file system of root's journals" {
	member_machine
	run -0 "${DOCTOR[@]}"
	[[ $output == *"remark    lease-directory: $RUN/user: members of the group can fill the file system of $RUN through it"* ]]
	chmod 700 "$RUN/user"
	chmod 600 "$RUN/lock"
	run -0 "${DOCTOR[@]}"
	[[ $output != *"can fill"* ]]
}

# ---- journals ----

@test "if only the tool may write registers, not its user, no journal is believed and no counter of others is taken" {
	need_witness
	need rdmsr wrmsr
	capable cap_sys_rawio+ep doctor read
	need_nobody
	machine --allow-other
	chgrp 4711 "$MNT"/dev/cpu/*/msr
	chmod 660 "$MNT"/dev/cpu/*/msr
	# Another program has switched on a counter, which looks like a leftover of our session. The forged journal says
	# that the counter raised interrupts before.
	record "boot $(</proc/sys/kernel/random/boot_id)
uarch westmere
package 0
die -1
unit uncore
counter 0
pid 42
since 1600000000
command uncore-read
event 0x82:1
old-selector 0x500109
old-counter 0x777
old-enabled 0
word 0x400182" >"$BATS_TEST_TMPDIR/forged"
	sed 's/^old-selector.*/old-selector 0x0/;/^sum/d;1d' "$BATS_TEST_TMPDIR/forged" >"$BATS_TEST_TMPDIR/body"
	record "$(cat "$BATS_TEST_TMPDIR/body")" >"$BATS_TEST_TMPDIR/plain"
	export copies
	run witness '
		mkdir /run/uncoremsr /run/uncoremsr/user
		: >/run/uncoremsr/lock
		chgrp 4711 /run/uncoremsr/*
		chmod 660 /run/uncoremsr/lock
		chmod 1770 /run/uncoremsr/user
		install -d -m 700 -o 65534 -g 65534 /run/uncoremsr/user/65534
		for n in {0..7}; do wrmsr -p 0 0x3c$n 0x400182; done
		wrmsr -p 0 0x391 0xff
		member=(setpriv --reuid=65534 --regid=65534 --groups=4711)
		snapshot before
		for journal in forged plain; do
			install -m 600 -o 65534 -g 65534 "$TMP/$journal" /run/uncoremsr/user/65534/1-1.journal
			"${member[@]}" "$copies/uncore-doctor" --repair
			same
			"${member[@]}" "$copies/uncore-read" -e 0x9:1 -i 0.1 -n 1 --packages=0 >/dev/null 2>&1
			same
		done
		"${member[@]}" "$copies/uncore-read" -e 0x9:1 -i 0.1 -n 1 --packages=0 --force
		same
		# A user who may write registers without a capability of the tool may restore the counter.
		setpriv --reuid=65534 --regid=65534 --groups=4711 --inh-caps=+sys_rawio --ambient-caps=+sys_rawio \
			uncore-doctor --repair
		rdmsr -p 0 0x3c0'
	echo "$output"
	[ "$(grep -c "^package 0 counter 0 (register 0x3c0 holds 0x400182), left by uncore-read (pid 42): not put back: user 65534 can write the journal, but has no right to write registers" <<<"$output")" = 1 ]
	[ "$(grep -c "^journal user/65534/1-1.journal: nothing is restored from it: would switch a counter or its interrupt on" <<<"$output")" = 1 ]
	[ "$(grep -cx same <<<"$output")" = 5 ]
	[[ $output == *"uncore-read: a user without permission to write registers may not take counters that other programs use"* ]]
	[[ $output == *"1 counter put back, 0 leases left over
0" ]]
}
