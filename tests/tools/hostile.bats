#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# What others may do to the lease directory, and root still counts or refuses with nothing programmed.
# Attackers are real processes with their own user id.

# bats sets status, output, stderr and their line arrays.
# shellcheck disable=SC2154

setup() {
	load common
	load mounted
	need_fuse
	PROBE=${BIN%/*}/tests/guard_probe
	[ -x "$PROBE" ] || skip "make tests was not run"
}

teardown() {
	kill_started
	unserve
}

machine() {
	serve westmere-2s,clock=stepped,start=12345 "$@"
	READ=("$BIN/uncore-read" "--machine=root:$MNT" -e 0x9:1 -i 0.1 -n 1)
	RUN=$MNT/run/uncoremsr
	"$PROBE" snapshot "$MNT" "$BATS_TEST_TMPDIR/before"
}

same() {
	"$PROBE" same "$MNT" "$BATS_TEST_TMPDIR/before"
}

@test "an ordinary user can open nothing in the lease directory, and so lock nothing" {
	machine --allow-other
	need_nobody
	"${READ[@]}" >/dev/null
	background "$BIN/uncore-read" "--machine=root:$MNT" -e 0x82:1 -i 1000
	for _ in {1..200}; do
		[ "$(find "$RUN" -type f | wc -l)" -lt 2 ] || break
		sleep 0.02
	done
	[ "$(find "$RUN" -type f | wc -l)" = 2 ]
	cd "$RUN"
	for file in *; do
		run ! as_nobody cat "$file"
		run ! as_nobody flock -s -n "$file" true
	done
	cd /
}

@test "a link or an open file in place of the lock: status 4, and nothing is programmed" {
	machine
	for how in 'ln -s /etc/passwd lock' 'ln -s nowhere lock' 'touch lock; chmod 666 lock'; do
		"${READ[@]}" >/dev/null
		(cd "$RUN" && rm -f lock && eval "$how")
		run -4 --separate-stderr timeout 20 "${READ[@]}"
		[[ $stderr == *"run/uncoremsr/lock: "*"nothing is programmed"* ]]
		same
		rm -f "$RUN/lock"
	done
	"${READ[@]}" >/dev/null
	same
}

@test "however few files may be open, a run counts and restores or refuses with nothing programmed" {
	machine
	local counted=0
	for n in {6..40}; do
		run bash -c "ulimit -n $n; exec \"\$@\"" - "${READ[@]}"
		same || { echo "ulimit -n $n: $status $output"; return 1; }
		counted=$((counted + (status == 0)))
	done
	[ "$counted" -gt 10 ]
}
