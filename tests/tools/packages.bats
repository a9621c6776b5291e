#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# How scripts/quickstart and scripts/check install missing packages; a fake apt-get notes its arguments.

# bats file_tags=plain

load common

setup() {
	FAKE=$BATS_TEST_TMPDIR/bin
	mkdir "$FAKE"
	CALLS=$BATS_TEST_TMPDIR/calls
	: >"$CALLS"
	# The fake apt-get installs a program with the package's name.
	program apt-get "echo apt-get \"\$@\" >>$CALLS
for last; do :; done
case \" \$* \" in *' install '*) printf '#!/bin/sh\n' >$FAKE/\$last; chmod +x $FAKE/\$last ;; esac"
	program sudo "echo sudo >>$CALLS; exec \"\$@\""
	program id 'echo 0'
}

# program NAME BODY: make a shell script that is found first in PATH.
program() {
	printf '#!/bin/sh\n%s\n' "$2" >"$FAKE/$1"
	chmod +x "$FAKE/$1"
}

# install TABLE: run "install_packages build" with TABLE (lines "PURPOSE PACKAGE PROBE") in place of our list.
install() {
	PATH=$FAKE:$PATH bash -c '. "$0/scripts/lib.bash"; PACKAGES=$1; install_packages build' "$TOP" "$1"
}

@test "only missing packages are installed, without recommended ones and questions, through sudo if not root" {
	run -0 install 'build bash cmd:bash
check no-such-program cmd:no-such-program'
	[ -z "$output" ]
	[ ! -s "$CALLS" ]
	run -0 install 'build bash cmd:bash
build fresh-program cmd:fresh-program'
	has_line "$CALLS" '^apt-get .*update'
	has_line "$CALLS" '^apt-get .*install -y --no-install-recommends fresh-program$'
	[[ $(<"$CALLS") != *sudo* ]]
	program id 'echo 1000'
	: >"$CALLS"
	rm "$FAKE/fresh-program"
	run -0 install 'build fresh-program cmd:fresh-program'
	[[ $(<"$CALLS") == sudo$'\n'* ]]
}

@test "a failed download is no error; a package that cannot be installed, or lacks its program, is named" {
	program apt-get "case \" \$* \" in *' update '*) exit 100 ;; esac
printf '#!/bin/sh\n' >$FAKE/fresh-program; chmod +x $FAKE/fresh-program"
	run -0 install 'build fresh-program cmd:fresh-program'
	rm "$FAKE/fresh-program"
	program apt-get 'exit 100'
	run -1 install 'build fresh-program cmd:fresh-program'
	[[ ${lines[-1]} == *'could not install fresh-program'* ]]
	program apt-get 'exit 0'
	run -1 install 'build fresh-program cmd:fresh-program'
	[[ ${lines[-1]} == *'still missing'*fresh-program* ]]
}
