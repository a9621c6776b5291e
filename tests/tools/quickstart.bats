#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# scripts/quickstart: for real, and with stand-ins for make and the tools, to see how it chooses
# between this machine's hardware and a simulated machine.

load common

setup() {
	cd "$TOP" || return
	export O=$BATS_TEST_TMPDIR/o
	FAKE=$BATS_TEST_TMPDIR/bin
	mkdir -p "$O/bin" "$FAKE"
}

# stand_in FILE BODY
stand_in() {
	printf '#!/bin/sh\n%s\n' "$2" >"$1"
	chmod +x "$1"
}

# machine JSON READ: what uncore-info and uncore-read do; make and modprobe do nothing.
machine() {
	stand_in "$O/bin/uncore-info" "echo '$1'"
	stand_in "$O/bin/uncore-read" "$2"
	stand_in "$FAKE/make" true
	stand_in "$FAKE/modprobe" "echo called: modprobe \"\$@\""
	stand_in "$FAKE/sudo" 'exec "$@"'
}

quickstart() {
	PATH=$FAKE:$PATH scripts/quickstart
}

@test "quickstart builds and counts on every package of a machine" {
	# That it builds, not how well: the compiler is most of the time that this takes.
	CFLAGS=-O0 run quickstart
	echo "$output"
	[ "$status" -eq 0 ]
	[ -x "$O/bin/uncore-read" ]
	[[ $output == *'UNC_PROCHOT_ASSERTION'* ]]
	[[ $output == *'counting on its hardware'* || $output == *'counting on the simulated machine'* ]]
}

@test "quickstart counts on the hardware where the uncore is supported" {
	machine '{"supported":true,"hypervisor":false}' 'echo "read $*"'
	run quickstart
	echo "$output"
	[ "$status" -eq 0 ]
	[[ $output == *'counting on its hardware'* ]]
	[[ $output == *'read --event 0x82 --umask 0x1'* ]]
	[[ $output != *sim:* ]]
}

@test "quickstart loads the msr driver where it is missing, and says so" {
	! compgen -G '/dev/cpu/*/msr' >/dev/null || skip "the msr driver is loaded here"
	machine '{"supported":true,"hypervisor":false}' 'echo "read $*"'
	run quickstart
	[ "$status" -eq 0 ]
	[[ $output == *'loading the msr driver'*'called: modprobe msr'*'read --event'* ]]
}

@test "quickstart says why and simulates where the uncore is not supported" {
	machine '{"supported":false,"reason":"a quantum processor"}' 'echo "read $*"'
	run quickstart
	echo "$output"
	[ "$status" -eq 0 ]
	[[ $output == *'a quantum processor; counting on the simulated machine'* ]]
	[[ $output == *'read --machine=sim:westmere-2s --event 0x82 --umask 0x1'* ]]
	[[ $output != *modprobe* ]]
}

@test "quickstart simulates when counting on the hardware fails, and shows the failure" {
	machine '{"supported":true}' 'case $* in *sim:*) echo simulated ;; *) echo lockdown >&2; exit 4 ;; esac'
	run quickstart
	echo "$output"
	[ "$status" -eq 0 ]
	[[ $output == *lockdown*'on the hardware failed'*simulated* ]]
}

@test "quickstart fails when not even the simulated machine can be counted" {
	machine '{"supported":false}' 'exit 3'
	run quickstart
	[ "$status" -ne 0 ]
}
