#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# scripts/quickstart: a real run, and runs with fake versions of make and the tools, which show how it chooses between
# hardware and a simulated machine.

# bats file_tags=plain

load common

setup() {
	cd "$TOP" || return
	export O=$BATS_TEST_TMPDIR/o
	FAKE=$BATS_TEST_TMPDIR/bin
	mkdir -p "$O/bin" "$FAKE"
}

# stand_in FILE BODY: make a fake program.
stand_in() {
	printf '#!/bin/sh\n%s\n' "$2" >"$1"
	chmod +x "$1"
}

# machine JSON READ: make an uncore-info that prints JSON, an uncore-read that runs READ, and a make and a modprobe that
# do nothing.
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

@test "quickstart builds and counts, and says on what" {
	# Begin with the existing objects, because compiling takes most of the time.
	tar -c -C "${BIN%/bin}" --exclude=./fuzz --exclude='./ppc64*' --exclude=./log --exclude=./bin . | tar -x -C "$O"
	rm "$O/obj/tools/read/main.o"
	run -0 quickstart
	[ -x "$O/bin/uncore-read" ]
	[ -e "$O/obj/tools/read/main.o" ]
	[[ $output == *'is supported; counting its metrics'* || $output == *UNC_PROCHOT_ASSERTION* ]]
}

@test "quickstart counts the machine's metrics, or says why not, shows the kernel's counts, and simulates" {
	machine '{"supported":true,"hypervisor":false}' 'echo "read ($*)"'
	run -0 quickstart
	[[ $output == *'the uncore of this machine is supported; counting its metrics'*'read ()'* ]]
	[[ $output != *sim:* ]]
	machine '{"supported":false,"reason":"a quantum processor"}' 'echo "read ($*)"'
	run -0 quickstart
	[[ $output == *'cannot be counted: a quantum processor; counting what its kernel counts'*'read ()'* ]]
	[[ $output == *'without hardware'*'read (--machine=sim:westmere-2s --event 0x82 --umask 0x1)'* ]]
	[[ $output != *modprobe* ]]
	machine '{"supported":true}' 'case $* in *sim:*) echo simulated ;; *) echo lockdown >&2; exit 4 ;; esac'
	run -0 quickstart
	[[ $output == *lockdown*'counting on this machine failed'*simulated* ]]
	# If one of several metrics is unknown, the others are still shown.
	machine '{"supported":true}' 'echo some; exit 1'
	run -0 quickstart
	[[ $output == *some* && $output != *Westmere* ]]
	machine '{"supported":false}' 'exit 3'
	run ! quickstart
	run -0 scripts/quickstart --help
	[[ $output == *"usage: "*UNCOREMSR_MACHINE* ]]
	run -1 scripts/quickstart --fast
	[[ $output == *"'--fast': not an option; see scripts/quickstart --help" ]]
}

@test "quickstart loads the msr driver where it is missing, and says so" {
	! compgen -G '/dev/cpu/*/msr' >/dev/null || skip "the msr driver is loaded here"
	machine '{"supported":true,"hypervisor":false}' 'echo "read ($*)"'
	run -0 quickstart
	[[ $output == *'loading the msr driver'*'called: modprobe msr'*'read ()'* ]]
	UNCOREMSR_MACHINE=sim:zen-1s run quickstart
	[ "$status" -eq 0 ]
	[[ $output == *'the uncore of sim:zen-1s is supported'*'read ()'* && $output != *modprobe* ]]
}

@test "quickstart on each simulated machine counts events of that machine" {
	local machine
	for machine in granite-rapids-2s genoa-1s alderlake-hybrid generic; do
		stand_in "$FAKE/make" true
		ln -sf "$BIN/uncore-info" "$BIN/uncore-read" "$O/bin/"
		UNCOREMSR_MACHINE=sim:$machine,clock=stepped run quickstart
		echo "$output"
		[ "$status" -eq 0 ]
		if [ "$machine" = generic ]; then
			[[ $output == *"what its kernel counts"*context-switches*"without hardware"*UNC_PROCHOT_ASSERTION* ]]
		else
			[[ $output == *"counting its metrics"*GB/s* && $output != *PROCHOT* ]]
		fi
	done
}
