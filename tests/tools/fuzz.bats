#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# The script that runs the fuzzers. "scripts/check fuzz" runs the fuzzers themselves.

# bats file_tags=plain

load common

setup() {
	cd "$TOP" || return
	export O=$BATS_TEST_TMPDIR/out
	unset SEED CCACHE
}

fuzzers() {
	sed -n "/^FUZZERS='/,/^'/p" tests/fuzz/run | sed -nE 's/^([a-z-]+) .*/\1/p'
}

@test "without clang the fuzzers are skipped with the reason" {
	CLANG=no-such-compiler run tests/fuzz/run
	[ "$status" -eq 0 ]
	[ "${#lines[@]}" -eq 1 ]
	[[ $output == '1..0 # SKIP no clang '*clang-14* ]]
}

@test "a clang without its runtime library counts as missing" {
	printf '#!/bin/sh\nexit 1\n' >"$BATS_TEST_TMPDIR/clang"
	chmod +x "$BATS_TEST_TMPDIR/clang"
	CLANG=$BATS_TEST_TMPDIR/clang run tests/fuzz/run
	[ "$status" -eq 0 ]
	[[ $output == '1..0 # SKIP '* ]]
}

@test "a fuzzer that does not build is a failure" {
	# A compiler that can link only the probe.
	printf '#!/bin/sh\ncase "$*" in *probe*) exit 0 ;; esac\necho broken >&2\nexit 1\n' \
		>"$BATS_TEST_TMPDIR/clang"
	chmod +x "$BATS_TEST_TMPDIR/clang"
	CLANG=$BATS_TEST_TMPDIR/clang run tests/fuzz/run
	[ "$status" -eq 1 ]
	[ "${lines[0]}" = 'not ok 1 the fuzzers build' ]
	[ "${lines[-1]}" = 1..1 ]
}

@test "the seed of a run is random and printed, and SEED= repeats it" {
	local seed
	cd "$BATS_TEST_TMPDIR"
	# A make that builds nothing, and fuzzers that print their arguments.
	mkdir bin
	printf '#!/bin/sh\n' >bin/make
	# shellcheck disable=SC2016 # the script's own variables
	printf '#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\nprintf "#!/bin/sh\\necho \\$* >>%s\\n" >"$2"\nchmod +x "$2"\n' \
		"$PWD/called" >bin/clang
	chmod +x bin/*
	for seed in '' '' 42; do
		: >called
		SEED=$seed CLANG=clang PATH=$PWD/bin:$PATH run -0 "$TOP/tests/fuzz/run" '' number cpuset
		[[ $output =~ '# SEED='([0-9]+)$'\n' ]]
		[ "$(grep -c -e "-seed=${BASH_REMATCH[1]} " called)" = 2 ]
		printf '%s\n' "${BASH_REMATCH[1]}" >>seeds
	done
	[ "$(sort -u seeds | wc -l)" = 3 ]
	[ "$(tail -n 1 seeds)" = 42 ]
}

@test "each fuzzer is run, and has inputs to start from" {
	local name
	diff <(fuzzers | sort) <(find tests/fuzz -name '*.c' ! -name main.c | sed 's/.*\///; s/\.c$//' | sort)
	diff <(fuzzers | sort) <(ls tests/fuzz/corpus)
	for name in $(fuzzers); do
		[ "$(find "tests/fuzz/corpus/$name" -type f | wc -l)" -ge 10 ]
	done
}
