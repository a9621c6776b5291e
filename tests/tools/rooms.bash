# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# Includes and calls between the modules of lib, for layering.bats and scripts/house. BIN: folder of the built tools.

# included FILE...: print "FILE HEADER" for each header that a file includes in quotes.
included() {
	awk -F '"' '/^[ \t]*#[ \t]*include[ \t]*"/ { print FILENAME, $2 }' "$@"
}

# include_arrows: print "ROOM/MODULE ROOM/MODULE" for each header of a room that a file of lib includes. A module is a
# .c file and the header of the same name.
include_arrows() {
	included lib/*/*.[ch] | sed -nE 's,^lib/([^ ]*)\.[ch] (.*/.*)\.h$,\1 \2,p' | grep -v ' uncoremsr/' |
		awk '$1 != $2' | sort -u
}

# call_arrows: print "ROOM/MODULE ROOM/MODULE" for each symbol of another module that an object file needs.
call_arrows() {
	local file object objects=()
	for file in lib/*/*.c; do
		object=${BIN%/*}/obj/${file%.c}.o
		[ ! -e "$object" ] || objects+=("$object")
	done
	[ ${#objects[@]} -gt 0 ] || return
	nm -A -g "${objects[@]}" | sed -E 's,^.*/obj/lib/([^:]*)\.o:,\1 ,' | awk '
	$2 == "U" { need[$1 " " $3]; next }
	{ home[$4] = $1 }
	END {
		for (n in need) {
			split(n, a, " ")
			if (a[2] in home && home[a[2]] != a[1]) print a[1], home[a[2]]
		}
	}' | sort -u
}

# circles: from the arrows "A B" on standard input, print the nodes of each circle.
circles() {
	tsort 2>&1 >/dev/null | sed -n '/contains a loop/d; s/^tsort: //p'
}

# declared HEADER...: print the number of functions that the headers declare.
declared() {
	sed -E '/^[[:space:]]*\*|^[[:space:]]*\/\*|^struct [a-z_]+;|^#/d' "$@" |
		grep -oE '\buncoremsr_[a-z0-9_]+\(' | sort -u | wc -l
}
