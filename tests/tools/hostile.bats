#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Attacks on the lease directory: root must still count, or refuse with nothing programmed. Attackers are real processes
# with their own user id.

load common
load mounted
load members

@test "an ordinary user can open no file in the lease directory, and so lock none" {
	machine --allow-other
	need_nobody
	"${READ[@]}" >/dev/null
	count_beside "$BIN/uncore-read" "--machine=root:$MNT" -e 0x82:1
	[ "$(find "$RUN" -type f | wc -l)" = 2 ]
	cd "$RUN"
	for file in *; do
		run ! as_nobody cat "$file"
		run ! as_nobody flock -s -n "$file" true
	done
	cd /
}

@test "root reports what a member's session left and writes nothing; the member puts it back" {
	member_machine
	leave
	[ "$(stat -c '%a %u' "$MINE" "$journal")" = $'700 65534\n600 65534' ]
	[ "$(stat -c '%a %u %g' "$RUN/user")" = "1770 0 4711" ]
	run ! same
	nothing_believed
	run -1 "${DOCTOR[@]}" --repair
	[[ ${lines[1]} == "user 65534: package 0 counter 0 (register 0x3c0 holds 0x400109), left by pid "*": that user's own uncore-doctor --repair puts it back" ]]
	[[ ${lines[-1]} == "0 counters put back, 2 leases left over" ]]
	# A session of root does not use the counter that the member's session left programmed, but another one.
	run -0 "${READ[@]}"
	run -1 as_member "${DOCTOR[@]}"
	[[ $output == *"left programmed by uncore-read"*"next: uncore-doctor"* ]]
	[[ $output != *"user 65534"* ]]
	run -0 as_member "${DOCTOR[@]}" --repair
	same
	run -0 "${DOCTOR[@]}" --repair
	[ -z "$(ls -A "$MINE")" ]
}

@test "root restores nothing from forged journals of a member, and does not hang" {
	member_machine
	leave
	local body forged old n
	body=$(tr -d '\0' <"$journal" | sed '1d;/^sum /,$d')
	run -0 as_member "${DOCTOR[@]}" --repair
	same
	# Each forged journal is the session's record with one attack: a core counter that interrupts, a unit and a
	# register that do not exist, shell text and terminal escapes.
	cd "$MINE"
	record "$body" >1-1.journal
	chown 65534 1-1.journal
	chmod 600 1-1.journal
	[[ "$("${DOCTOR[@]}" --leases --format=csv)" == *,leftover,* ]]
	old='s/^old-selector.*/old-selector 0x1d30003/'
	# The journals of the second call have the true old values, so root could restore the registers from them. In the
	# same folder as those of the first call, they would hide that root has used a journal of the first call.
	forged_journals "$old" "s/^unit .*/unit cpu0/;$old;s/^word .*/word 0x0/" 's/^unit .*/unit cbo99/' \
		's/^unit .*/unit ;reboot;/' 's/^unit .*/unit ..\/..\/..\/etc/' 's/^counter .*/extra 400/' \
		's/^counter .*/gate 913/' 's/^counter .*/counter 255/' 's/^word .*/word 0x0/'
	forged_journals $'s/^command .*/command \e]0;title\a$(reboot)/' $'s/^event .*/event \e[2J;reboot/' \
		's/^package .*/package 99999999/' 's/^pid .*/pid 1/' 's/^since .*/since 99999999999999999/'
	cd /
}

# forged_journals SED...: make a journal of the group member with each of these changes. Root must not act on any of
# them; uncore-doctor, run by the member, restores the member's leftovers and nothing else.
forged_journals() {
	n=0
	rm -f 1-*.journal
	for forged; do
		n=$((n + 1))
		record "$(sed "$forged" <<<"$body")" >"1-$n.journal"
	done
	chown 65534 1-*.journal
	chmod 600 1-*.journal
	nothing_believed
	run as_member timeout 60 "${DOCTOR[@]}" --repair
	echo "$output"
	same
}

@test "other files in a member's folder, or beside it, are never followed or waited for" {
	member_machine
	as_member mkdir -m 700 "$MINE"
	echo "not to be touched" >"$BATS_TEST_TMPDIR/victim"
	cp -p "$BATS_TEST_TMPDIR/victim" "$BATS_TEST_TMPDIR/victim.before"
	cd "$MINE"
	as_member ln -s "$BATS_TEST_TMPDIR/victim" 1-1.journal
	as_member ln -s /dev/zero 1-2.journal
	as_member ln -s 1-3.journal 1-3.journal
	as_member truncate -s 1T 1-4.journal
	as_member touch '1-5;reboot.journal' $'1-6\e[2J.journal' 1-7.journal
	chown 12345 1-7.journal
	cd "$MINE/.."
	# Make folders for other users; all belong to the member, so they have the wrong owner.
	as_member mkdir 1 4711 'x;reboot'
	as_member ln -s / 5
	as_member touch $'\e[2J'
	cd /
	nothing_believed
	cmp "$BATS_TEST_TMPDIR/victim" "$BATS_TEST_TMPDIR/victim.before"
	[ -e "$MINE/1-1.journal" ]
	run -1 "${DOCTOR[@]}"
	for name in 1 4711 5; do
		grep -qx " *next: rm -r $RUN/user/$name" <<<"$output"
	done
	grep -qxF "          next: rm -r '$RUN/user/x;reboot'" <<<"$output"
	grep -qxF "          next: remove the file whose name is shown by: ls -bR $RUN" <<<"$output"
	run -1 "${DOCTOR[@]}" --repair
	[[ $output == *"user/x;reboot: nothing is restored from it: not a file of this library"* ]]
	# A session still starts in spite of these files.
	run -0 timeout 60 "${READ[@]}"
	same
	# A member cannot create files next to the directory "user", because root owns the lease directory.
	for command in "touch $RUN/x" "mkdir $RUN/x" "ln -s x $RUN/1-1.journal" "rm $RUN/lock" \
		"mv $RUN/user $RUN/x" "chmod 666 $RUN/lock"; do
		# shellcheck disable=SC2086 # several words
		run ! as_member $command
	done
}

@test "a pipe, a directory, a hard link or a device in place of a journal is reported, and does not block" {
	need_witness
	member_machine
	# The linked file is a valid journal; if it is refused, the reason must be its links.
	killed_beside "$BIN/uncore-read" "--machine=root:$MNT" -e 0x82:1
	cp "$RUN"/*.journal "$BATS_TEST_TMPDIR/victim"
	run -0 "$BIN/uncore-doctor" "--machine=root:$MNT" --repair
	run -0 "$TOP/tests/tools/private-mounts" env RUN="$RUN" BIN="$BIN" MNT="$MNT" VICTIM="$BATS_TEST_TMPDIR/victim" bash -eu -c '
		mount -t tmpfs -o mode=755 tmpfs "$RUN"
		cd "$RUN"
		install -m 660 -g 4711 /dev/null lock
		install -d -m 1770 -g 4711 user
		install -d -m 700 -o 65534 -g 65534 user/65534
		for dir in . user/65534; do
			cp "$VICTIM" "$dir/victim"
			mkfifo "$dir/1-1.journal"
			mkdir "$dir/1-2.journal"
			ln "$dir/victim" "$dir/1-3.journal"
			mknod "$dir/1-4.journal" c 1 5
		done
		chown -R 65534:65534 user/65534
		for what in --leases "" --repair; do
			timeout 60 "$BIN/uncore-doctor" "--machine=root:$MNT" $what >out && echo 0 || echo $?
		done
		grep -c "nothing is restored from it" out
		timeout 60 "$BIN/uncore-read" "--machine=root:$MNT" -e 0x9:1 -i 0.1 -n 1 >out 2>&1
		cmp victim "$VICTIM" && cmp user/65534/victim "$VICTIM"'
	echo "$output"
	[ "$output" = $'0\n1\n1\n10' ]
	same
}

# bats test_tags=plain
@test "uncore-doctor names processes that lock bytes without a lease, and none while only sessions count" {
	member_machine
	count_beside "$BIN/uncore-read" "--machine=root:$MNT" -e 0x82:1,0x9:1,UNC_CLK_UNHALTED
	local reader=$pid
	count_beside "${MEMBER[@]}" "$BIN/uncore-read" "--machine=root:$MNT" -e 0x82:1
	run -0 "${DOCTOR[@]}"
	[[ $output != *locks:* ]]
	run -0 "${DOCTOR[@]}" --leases --format=csv
	[ "$(grep -c ",held," <<<"$output")" = 8 ]
	[[ $output != *,locked,* ]]
	locked hold $((5 << 56 | 1))
	run -0 "${DOCTOR[@]}"
	[[ $output == *"remark    locks: process $pid (ofd_lock) of user 65534 has locked byte 0x500000000000001 of $RUN/lock, but no session of ours has a lease for it"* ]]
	[[ $output == *"next: ps -fp $pid"* ]]
	kill -KILL "$pid" "$reader"
	run "${DOCTOR[@]}" --repair
	unserve
}

# bats test_tags=plain
@test "uncore-doctor names the process that has locked the whole file, or all from a byte on" {
	member_machine
	locked hold-all 0
	run -3 "${DOCTOR[@]}"
	[[ $output == *"blocks    locks: process $pid (ofd_lock) of user 65534 has locked all of $RUN/lock, but no session of ours has a lease for it"* ]]
	run -0 "${DOCTOR[@]}" --leases --format=json
	[ "$(jq -r '[.state, .pid, .user, .command, .journal, .package] | @csv' <<<"$output")" = \
		"\"locked\",$pid,65534,\"ofd_lock\",\"lock\"," ]
	run -0 "${DOCTOR[@]}" --repair
	stop "$pid"
	run -0 "${DOCTOR[@]}"
	locked hold-all $((4 << 56))
	run -3 "${DOCTOR[@]}"
	[[ $output == *"process $pid (ofd_lock) of user 65534 has locked byte 0x400000000000000 and all after it of $RUN/lock"* ]]
}

@test "if type, owner or mode of the directory user is wrong, members' sessions refuse it, and uncore-doctor names it" {
	member_machine
	local how
	for how in 'ln -s /tmp user' 'touch user' 'mkdir -m 777 user' 'mkdir -m 770 user' \
		'mkdir -m 755 user; chown 65534 user'; do
		drawn 2 || continue
		rm -rf "$RUN/user"
		(cd "$RUN" && eval "$how")
		run -4 --separate-stderr as_member timeout 60 "${READ[@]}"
		[[ $stderr == *"run/uncoremsr/user: "*"nothing is programmed"* ]] || { echo "$how: $stderr"; return 1; }
		same
		run -4 as_member "${DOCTOR[@]}"
		[[ $output == *"lease-directory: "*"run/uncoremsr/user: "* ]]
		run -1 "${DOCTOR[@]}"
		[[ $output == *"invalid-lease: user is not valid"*"next: rm -r $RUN/user"* ]] || { echo "$how: $output"; return 1; }
		run -0 timeout 60 "${READ[@]}"
	done
}

@test "--repair ends at a signal only before it begins or after all is put back" {
	machine
	local repair
	killed_beside "$BIN/uncore-read" "--machine=root:$MNT" -e 0x9:1,0x82:1,0x8:1,0xa:1
	run ! same
	for _ in 1 2 3 4 5; do
		lock_beside held "$OFD_LOCK" hold-all "$RUN/lock" $((4 << 56))
		background "$BIN/uncore-doctor" "--machine=root:$MNT" --repair >/dev/null 2>"$BATS_TEST_TMPDIR/errors"
		repair=$pid
		# From now on SIGTERM is blocked, and the repair waits for the lock of the shared registers, which
		# another process holds.
		wait_for "/proc/$repair/comm" uncore-doctor # before, it is a bash, which also blocks signals
		wait_for "/proc/$repair/status" '^SigBlk:.*[4-7c-f]...$'
		kill -TERM "$repair"
		kill -KILL "$holder"
		status=0
		wait "$repair" || status=$?
		[ "$status" = 143 ]
		# The repair must have waited for 2 s. On a busy machine this shell may be too slow to see that, so try
		# again.
		grep -q "for 2 s" "$BATS_TEST_TMPDIR/errors" || break
	done
	run -0 same
}

# bats test_tags=plain
@test "a process that blocks the start is named with its number, and the run goes on" {
	machine
	"${READ[@]}" >/dev/null
	lock_beside held "$OFD_LOCK" hold-all "$RUN/lock" $((5 << 56))
	run -0 --separate-stderr "${READ[@]}"
	echo "$stderr"
	[[ $stderr == *"another session (pid $holder) has been starting for 5 s: going on without waiting for it"* ]]
	same
}

@test "two containers with the same /run exclude each other by leases; others see that the registers are in use" {
	need_witness
	member_machine
	run -0 "$TOP/tests/tools/private-mounts" env RUN="$RUN" BIN="$BIN" MNT="$MNT" TMP="$BATS_TEST_TMPDIR" \
		bash -eu -c '
		mkdir "$TMP/copy"
		mount --bind "$MNT" "$TMP/copy"
		mkfifo "$TMP/begun"
		unshare --mount --pid --ipc --fork --propagation unchanged \
			"$BIN/uncore-read" -e 0x9:1 "--machine=root:$MNT" -- sh -c "echo >\"\$0\"; exec sleep 1000" "$TMP/begun" \
			>/dev/null 2>&1 3>&- &
		holder=$!
		read -r _ <"$TMP/begun"
		# The leases are the same through another path and in other namespaces.
		unshare --mount --pid --ipc --fork --propagation unchanged \
			"$BIN/uncore-doctor" "--machine=root:$TMP/copy" --leases --format=csv |
			grep -c ",held,"
		# With an empty lease directory, the registers show that the counter is in use; it is not changed.
		mount -t tmpfs -o mode=755 tmpfs "$TMP/copy/run/uncoremsr"
		"$BIN/uncore-doctor" "--machine=root:$TMP/copy" | grep -c "in use" || true
		"$BIN/uncore-doctor" "--machine=root:$TMP/copy" --repair
		timeout 60 "$BIN/uncore-read" "--machine=root:$TMP/copy" -e 0x9:1 -i 0.1 -n 1 >/dev/null
		kill "$(pgrep -P "$holder")"
		wait "$holder" || true'
	echo "$output"
	[ "${lines[*]:0:2}" = "2 2" ]
	[[ $output == *"0 counters put back, 0 leases left over"* ]]
	wait_until same
}

@test "however few files may be open, a run counts and restores or refuses with nothing programmed" {
	machine
	local counted=0
	for n in {6..40}; do
		drawn 4 || continue
		run bash -c "ulimit -n $n; exec \"\$@\"" - "${READ[@]}"
		same || { echo "ulimit -n $n: $status $output"; return 1; }
		counted=$((counted + (status == 0)))
	done
	[ "$counted" -gt 0 ]
}

@test "links in a tree lead nowhere outside: no other machine is read or written, and no folder is made" {
	machine
	local tree=$BATS_TEST_TMPDIR/tree
	mkdir -p "$tree/dev/cpu/0" "$BATS_TEST_TMPDIR/outside"
	cp -r "$MNT/sys" "$MNT/proc" "$tree"
	ln -s "$MNT/dev/cpu/0/msr" "$tree/dev/cpu/0/msr"
	ln -s ../../../../machine/dev/cpu/0/cpuid "$tree/dev/cpu/0/cpuid"
	ln -s ../outside "$tree/run"
	run -4 uncore-read --machine="root:$tree" -e 0x9:1 -n 1 -i 0.1
	[[ $output == *"$tree/dev/cpu/0/msr: no device node"*"links that lead out of the tree are not followed"* ]]
	rm "$tree/sys/devices/system/cpu/online"
	mkdir "$tree/sys/devices/system/cpu/online"
	run -3 uncore-read --machine="root:$tree" -e 0x9:1 -n 1 -i 0.1
	[[ $output == *"/cpu/online: Is a directory; check that this is the root of a machine"* ]]
	rm -r "$tree/sys"
	ln -s "$MNT/sys" "$tree"
	run -3 uncore-read --machine="root:$tree" -e 0x9:1 -n 1 -i 0.1
	[[ $output == *"no online CPU is shown; links that lead out of the tree are not followed"* ]]
	# In this tree, links to the machine stay inside of the tree. Only the link "run" leads out of it.
	tree=$BATS_TEST_TMPDIR
	ln -s machine/{dev,sys,proc} "$tree"
	mkdir "$BATS_FILE_TMPDIR/outside"
	ln -s "$BATS_FILE_TMPDIR/outside" "$tree/run"
	run -4 uncore-read --machine="root:$tree" -e 0x9:1 -n 1 -i 0.1
	[[ $output == *"$tree/run/uncoremsr: "*"nothing is programmed without leases"* ]]
	[ -z "$(find "$BATS_FILE_TMPDIR/outside" "$tree/outside" -mindepth 1)" ]
	run ! grep -q ' wr ' "$LOG"
	same
}
