# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# What every tool test shares. BIN: folder of the binaries under test.

TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
BIN=${BIN:-$TOP/build/bin}
CORPUS=${UNCOREMSR_CORPUS:-$TOP/../shared/corpus}
export PATH="$BIN:$PATH" LC_ALL=C
unset UNCOREMSR_MACHINE
bats_require_minimum_version 1.5.0

# need CMD...: skip the test, with the reason, where a program is missing.
need() {
	local cmd
	for cmd; do
		command -v "$cmd" >/dev/null || skip "no $cmd here"
	done
}

need_corpus() {
	[ -e "$CORPUS/$1" ] || skip "no corpus"
}
