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

# sysfs_tree NAME: a tree with the kernel PMUs of corpus/perf-sysfs/NAME.tsv, for --machine=root:DIR.
# Prints DIR. Nothing else is in it, no CPUs and no processor.
sysfs_tree() {
	local dir=$BATS_TEST_TMPDIR/tree-$1 path content
	while IFS=$'\t' read -r path content; do
		mkdir -p "$dir/sys/${path%/*}"
		printf '%s\n' "$content" >"$dir/sys/$path"
	done <"$CORPUS/perf-sysfs/$1.tsv"
	printf '%s\n' "$dir"
}

# as_nobody COMMAND...: as a user without rights.
as_nobody() {
	setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}

# need_nobody FILE...: skip where there is no such user, or it cannot reach these.
need_nobody() {
	local file
	[ "$(id -u)" = 0 ] || skip "root is needed to become nobody"
	need setpriv
	as_nobody true 2>/dev/null || skip "cannot become nobody"
	chmod 755 "$BATS_RUN_TMPDIR" "$BATS_TEST_TMPDIR"
	for file; do
		as_nobody test -x "$file" || skip "nobody cannot reach $file"
	done
}
