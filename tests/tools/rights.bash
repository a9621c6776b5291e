# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# Copies of the tools that have file capabilities. Needs common; the test removes the folder $copies.

# static NAME: link the tool statically, once for all tests of a file, and copy it. For a program with raised
# privileges, the dynamic loader loads no library from a build folder.
static() {
	[ -e "$BATS_FILE_TMPDIR/static-$1" ] || link_static "$1" "$BATS_FILE_TMPDIR/static-$1"
	cp "$BATS_FILE_TMPDIR/static-$1" "$copies/uncore-$1"
}

# link_static NAME PROGRAM: link the tool uncore-NAME statically, as the file PROGRAM.
link_static() {
	local libs source lib=$BIN/../lib objects=$BIN/../obj/tools parts=()
	read -r -a libs < <(pkg-config --libs jansson zlib fuse3) || true
	libs+=(-lfdt)
	[ -d "$objects/$1" ] || skip "no object files here"
	# Sources of the tool are in tools/, or were generated into the folder of the objects.
	for source in "$TOP/tools/$1"/*.c "$objects/$1"/*.c; do
		[ ! -e "$source" ] || { source=${source##*/}; parts+=("$objects/$1/${source%.c}.o"); }
	done
	parts+=("$objects/shared.a" "-Wl,-u,um_simulator" "$lib/libuncoremsr-sim.a" "$lib/libuncoremsr-sampling.a" "$lib/libuncoremsr.a")
	cc -o "$2" "${parts[@]}" "${libs[@]}" 2>/dev/null ||
		cc -fsanitize=address,undefined -o "$2" "${parts[@]}" "${libs[@]}"
}

# make_copies NAME...: copy these tools into a folder outside of /tmp, because /tmp may be mounted nosuid.
make_copies() {
	[ "$(id -u)" = 0 ] || skip "root is needed to give rights away"
	need setpriv cc pkg-config
	local name
	copies=$(mktemp -d /var/tmp/uncoremsr-rights.XXXXXX)
	chmod 755 "$copies"
	export ASAN_OPTIONS=detect_leaks=0
	for name; do static "$name"; done
}

# capable CAPABILITIES NAME...: make copies of the tools that have these capabilities.
capable() {
	need setcap
	make_copies "${@:2}"
	local name
	for name in "${@:2}"; do
		setcap "$1" "$copies/uncore-$name" 2>/dev/null || skip "no file capabilities here"
		as_nobody "$copies/uncore-$name" --version >/dev/null
	done
}
