# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# Functions for several scripts: messages, Debian packages, adding up TAP. Sourcing this file also changes to the top
# folder of the project.
set -euo pipefail
export LC_ALL=C
ME=scripts/$(basename "$0")
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() {
	printf '%s: %s\n' "$ME" "$*"
}

die() {
	printf '%s: %s\n' "$ME" "$*" >&2
	exit 1
}

# ---- Debian packages: PURPOSE PACKAGE PROBE ----
# build: for the library and the tools. check: for the tests and benchmarks, in addition to those of build.
# fuzz: for the fuzzers. ppc: for the tests on POWER. If their packages are missing, fuzzers or these tests are skipped.
# PROBE tells without the package manager whether a package is installed: cmd:PROGRAM, pc:PKG-CONFIG-NAME or
# file:PATTERN. So if all packages are installed, no network is needed.
PACKAGES='
build gcc                cmd:gcc
build make               cmd:make
build libc6-dev          file:/usr/include/stdio.h
build pkg-config         cmd:pkg-config
build libfuse3-dev       pc:fuse3
build libjansson-dev     pc:jansson
build zlib1g-dev         pc:zlib
build libfdt-dev         file:/usr/include/libfdt.h
build libdw-dev          pc:libdw
build libiberty-dev      file:/usr/include/libiberty/demangle.h
build libmicrohttpd-dev  pc:libmicrohttpd
build libsnmp-dev        pc:netsnmp-agent
check g++                cmd:g++
check ccache             cmd:ccache
check check              pc:check
check bats               cmd:bats
check procps             cmd:pkill
check shellcheck         cmd:shellcheck
check cloc               cmd:cloc
check mandoc             cmd:mandoc
check jq                 cmd:jq
check curl               cmd:curl
check device-tree-compiler cmd:dtc
check msr-tools          cmd:rdmsr
check fuse3              cmd:fusermount3
check valgrind           cmd:valgrind
check strace             cmd:strace
check qemu-system-x86    cmd:qemu-system-x86_64
check busybox-static     file:/var/lib/dpkg/info/busybox-static.list
check cpio               cmd:cpio
check libcap2-bin        cmd:setcap
check xz-utils           cmd:xz
check linux-perf         cmd:perf
check libpfm4-dev        file:/usr/include/perfmon/pfmlib.h
ppc   gcc-powerpc64le-linux-gnu cmd:powerpc64le-linux-gnu-gcc
ppc   gcc-powerpc64-linux-gnu cmd:powerpc64-linux-gnu-gcc
ppc   libc6-dev-ppc64el-cross file:/usr/powerpc64le-linux-gnu/include/stdio.h
ppc   libc6-dev-ppc64-cross file:/usr/powerpc64-linux-gnu/include/stdio.h
ppc   qemu-user-static   cmd:qemu-ppc64le-static
fuzz  libclang-rt-14-dev file:/usr/lib/llvm-14/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a
'

have() {
	case $1 in
	cmd:*) PATH=$PATH:/usr/sbin:/sbin command -v "${1#cmd:}" ;;
	pc:*) pkg-config --exists "${1#pc:}" ;;
	file:*) compgen -G "${1#file:}" ;;
	esac >/dev/null 2>&1
}

# missing_packages PURPOSE...: print the packages that are not installed, one per line.
missing_packages() {
	local purpose package probe
	while read -r purpose package probe; do
		[[ -n $purpose && " $* " == *" $purpose "* ]] || continue
		have "$probe" || printf '%s\n' "$package"
	done <<<"$PACKAGES"
}

# as_root COMMAND...: run it as root, through sudo if we are not root.
as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	else
		sudo "$@"
	fi
}

apt() {
	as_root env DEBIAN_FRONTEND=noninteractive APT_LISTCHANGES_FRONTEND=none \
		apt-get -q -o DPkg::Lock::Timeout=120 "$@" </dev/null
}

# install_packages PURPOSE...: install the missing packages, and nothing else.
install_packages() {
	local missing
	mapfile -t missing < <(missing_packages "$@")
	[ ${#missing[@]} -gt 0 ] || return 0
	command -v apt-get >/dev/null ||
		die "missing: ${missing[*]}; there is no apt-get here: install the software of these Debian packages"
	[ "$(id -u)" = 0 ] || command -v sudo >/dev/null ||
		die "missing: ${missing[*]}; run as root: apt-get install --no-install-recommends ${missing[*]}"
	say "installing ${missing[*]}"
	apt update || say "apt update failed; trying with the present package lists"
	apt install -y --no-install-recommends "${missing[@]}" ||
		die "apt-get could not install ${missing[*]}; see its message above"
	mapfile -t missing < <(missing_packages "$@")
	[ ${#missing[@]} = 0 ] || die "still missing after apt-get install: ${missing[*]}"
}

# ---- TAP ----

# tap_sum FILE STATUS: add up the TAP of a suite; STATUS is its exit status. Prints failing tests with their output,
# skipped tests with their reason, and last "PASSED FAILED SKIPPED". A suite that crashed, printed no plan, or did not
# run as many tests as planned counts as an additional failure.
tap_sum() {
	awk -v status="$2" '
	function reason(line) { sub(/^.*# *[Ss][Kk][Ii][Pp][Pp]?[Ee]?[Dd]?:? */, "", line); return line }
	function name(line) { sub(/^ok *[0-9]* *-? */, "", line); sub(/ *#.*/, "", line); return line }
	function broken(why) { print "  not ok: the suite itself: " why; failed++ }
	function skip(what) { print "  skipped: " what; skipped++ }
	{ sub(/\r$/, "") }
	/^1\.\.[0-9]+/ {
		plans++
		planned = substr($1, 4) + 0
		if (!planned) {
			if (tolower($0) ~ /# *skip/) skip("everything: " reason($0))
			else broken("it planned no test")
		}
		next
	}
	/^Bail out!/ { broken($0); next }
	/^ok/ {
		failing = 0; ran++
		if (tolower($0) ~ /# *skip/) skip(name($0) ": " reason($0))
		else passed++
		next
	}
	/^not ok/ { failing = 1; ran++; failed++; print "  " $0; next }
	failing && /^[ \t]*#/ { print "    " $0 }
	END {
		if (plans != 1) broken(plans ? "it printed several plans" : "it printed no plan")
		else if (ran != planned) broken("it ran " ran + 0 " of " planned " tests")
		if (status != 0 && !failed) broken("it ended with status " status)
		print passed + 0, failed + 0, skipped + 0
	}' "$1"
}

# tap_skips FILE ERRORS: print libcheck's TAP in FILE, with skipped tests marked. libcheck cannot skip a test, so a test
# that cannot run here prints "NAME: skipped: REASON" on standard error, which is in ERRORS.
tap_skips() {
	awk '
	FILENAME == ARGV[1] {
		if ($2 == "skipped:") {
			why = $0
			sub(/^[^ ]* skipped: */, "", why)
			reason[substr($1, 1, length($1) - 1)] = why
		}
		next
	}
	/^ok/ {
		split($0, part, ":")
		if (part[3] in reason) sub(/: Passed$/, " # SKIP " reason[part[3]])
	}
	{ print }' "$2" "$1"
}

# tap_count FILE...: print the number of results in these TAP files; "123/580" if a plan at the beginning has the total.
# A file that does not exist yet counts as empty.
tap_count() {
	cat -- "$@" 2>/dev/null | awk '
	FNR == 1 && /^1\.\./ { planned += substr($1, 4) }
	/^(not )?ok / { n++ }
	END { printf planned ? "%d/%d" : "%d", n, planned }' || true
}

# minutes SECONDS: print a duration as "45 s" or "10 min".
minutes() {
	if (($1 < 100)); then
		printf '%d s' "$1"
	else
		printf '%d min' $((($1 + 30) / 60))
	fi
}
