#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Who may know whom, and what the library never does. The rooms are folders of lib/.

load common

setup() {
	cd "$TOP" || return
	ARCHIVE=${BIN%/*}/lib/libuncoremsr.a
}

# foreign_includes ALLOWED FILE...: every #include "..." of the files that the extended regular
# expression ALLOWED does not match as a whole.
foreign_includes() {
	local allowed=$1
	shift
	[ -e "$1" ]
	grep -HnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' "$@" |
		grep -vE "\"($allowed)\"" || true
}

# room NAME ALLOWED: the files of lib/NAME include their own headers and ALLOWED only.
room() {
	local own
	own=$(cd "lib/$1" && printf '%s\n' *.h | sed "s,.*,&|$1/&," | paste -sd '|')
	run foreign_includes "$own|$2" lib/"$1"/*.[ch]
	echo "$output"
	[ "$status" -eq 0 ]
	[ -z "$output" ]
}

plain_archive() {
	need nm objdump
	! nm "$ARCHIVE" 2>/dev/null | grep -q __asan_init ||
		skip "built with sanitizers, which add symbols of their own"
}

@test "tools include the public header and their own headers, nothing of the library" {
	local own
	own=$(cd tools && printf '%s\n' */*.h | paste -sd '|')
	run foreign_includes "uncoremsr(/[a-z]+)?\.h|$own" tools/*/*.[ch]
	echo "$output"
	[ "$status" -eq 0 ]
	[ -z "$output" ]
}

@test "access knows nobody but the errors" {
	room access 'common/error\.h'
}

@test "the register tables know nobody but the errors" {
	room uarch 'common/error\.h'
}

@test "machine knows access and no table of processors" {
	room machine 'common/error\.h|access/access\.h'
}

@test "events know the register tables and nobody else" {
	room events 'common/error\.h|uarch/uarch\.h'
}

@test "counting knows tables, events, access and machine, not the simulated machine" {
	room counting 'common/error\.h|internal\.h|reading\.h|uncoremsr\.h|(uarch/uarch|uarch/thermal|events/event|events/metrics|access/access|machine/machine|machine/core_kind)\.h'
}

@test "perf knows access and machine; no tables, no counting by registers, no simulated machine" {
	room perf 'common/error\.h|reading\.h|(access/access|machine/machine)\.h'
}

@test "the two routes know nothing of each other, and nobody but the front knows both" {
	run grep -lE '#[[:space:]]*include[[:space:]]*"counting/' lib/perf/*.[ch]
	[ -z "$output" ]
	run grep -lE '#[[:space:]]*include[[:space:]]*"perf/' lib/*/*.[ch]
	echo "$output"
	[ -n "$output" ]
	[ -z "$(grep -vE '^lib/(perf|sim)/' <<<"$output")" ]
	# the front: beside the rooms, not in one of them
	grep -q '#include "counting/session.h"' lib/session.h
	grep -q '#include "perf/count.h"' lib/session.h
	run grep -lE '#[[:space:]]*include[[:space:]]*"session\.h"' lib/*/*.[ch]
	echo "$output"
	[ -z "$output" ]
}

@test "throttling knows tables, access, machine and counting, not the simulated machine" {
	room throttle 'common/error\.h|internal\.h|uncoremsr\.h|(uarch/thermal|access/access|machine/machine|counting/registers|counting/lease)\.h'
}

@test "only the code that opens a machine and its kernel knows the simulated machine" {
	run grep -lE '#[[:space:]]*include[[:space:]]*"(.*/)?sim(/[^"]*)?\.h"' \
		lib/*.[ch] lib/access/*.[ch] lib/machine/*.[ch] lib/uarch/*.[ch] lib/events/*.[ch] lib/counting/*.[ch] \
		lib/throttle/*.[ch] lib/perf/*.[ch]
	echo "$output"
	[ "$output" = "$(printf 'lib/context.c\nlib/perf_kernel.c')" ]
}

@test "the simulated machine knows access, the tables, the seam to the kernel and the public header" {
	room sim 'common/error\.h|uncoremsr\.h|access/access\.h|uarch/uarch\.h|perf/(event|kernel)\.h'
}

@test "the public header includes nothing but stddef.h and stdint.h" {
	run sed -nE 's/^#[[:space:]]*include //p' include/uncoremsr.h
	echo "$output"
	[ "$output" = "$(printf '<stddef.h>\n<stdint.h>')" ]
}

@test "exactly one file writes registers" {
	run grep -lE 'ops->write[[:space:]]*\(' -r lib --include='*.c'
	echo "$output"
	[ "${#lines[@]}" -eq 1 ]
}

@test "the library does not print, exit, make threads, catch signals or read the environment" {
	local forbidden='printf|vprintf|__printf_chk|__vprintf_chk|puts|putchar|perror|stdout|stderr|err|errx'
	forbidden+='|warn|warnx|syslog|exit|_exit|quick_exit|error|pthread_create|thrd_create|fork|system'
	forbidden+='|signal|sigaction|getenv|secure_getenv|setlocale'
	need nm
	run nm -A -u "$ARCHIVE"
	[ "$status" -eq 0 ]
	[ -n "$output" ]
	run grep -E " U ($forbidden)(@.*)?\$" <<<"$output"
	echo "$output"
	[ "$status" -eq 1 ]
}

@test "the library has no variable of its own, only constants" {
	plain_archive
	run objdump -t "$ARCHIVE"
	[ "$status" -eq 0 ]
	grep -q 'O \.rodata' <<<"$output"
	run grep -E ' O (\.data|\.bss|\.tdata|\.tbss|\*COM\*)' <<<"$(grep -v 'O \.data\.rel\.ro' <<<"$output")"
	echo "$output"
	[ "$status" -eq 1 ]
}
