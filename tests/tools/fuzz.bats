#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Tests of the script that runs the fuzzers. "scripts/check fuzz" runs the fuzzers themselves.

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

# fake_make LINES: let later commands run a fake make, which only runs these lines of shell.
fake_make() {
	mkdir "$BATS_TEST_TMPDIR/bin"
	printf '#!/bin/bash\n%s\n' "$1" >"$BATS_TEST_TMPDIR/bin/make"
	chmod +x "$BATS_TEST_TMPDIR/bin/make"
	PATH=$BATS_TEST_TMPDIR/bin:$PATH
}

@test "without libFuzzer the fuzzers are skipped with the reason" {
	LIBFUZZER=/nonexistent run -0 tests/fuzz/run
	[ "$output" = '1..0 # SKIP no libFuzzer (Debian: libclang-rt-14-dev)' ]
}

@test "a fuzzer that does not build is a failure" {
	fake_make 'echo broken >&2; exit 1'
	LIBFUZZER=/dev/null run -1 tests/fuzz/run
	[[ $output == $'not ok 1 the fuzzers build\n# broken\n'*$'\n1..1' ]]
}

@test "the seed of a run is random and printed, and SEED= repeats it" {
	local seed
	cd "$BATS_TEST_TMPDIR"
	# A make whose fuzzers write their arguments into a file.
	fake_make 'mkdir -p "$(dirname "${!#}")"; printf "#!/bin/sh\necho \$* >>'"$PWD"'/called\n" >"${!#}"; chmod +x "${!#}"'
	for seed in '' '' 42; do
		: >called
		SEED=$seed LIBFUZZER=/dev/null run -0 "$TOP/tests/fuzz/run" '' number cpuset
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
