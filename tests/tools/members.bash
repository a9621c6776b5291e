# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# shellcheck disable=SC2034 # variables that tests use
# A simulated machine whose lease directory root shares with a group, and one member of that group: a real
# process with its own user id. Needs common and mounted.

machine() {
	serve westmere-2s,clock=stepped,start=12345 "$@"
	READ=("$BIN/uncore-read" "--machine=root:$MNT" -e 0x9:1 -i 0.1 -n 1)
	RUN=$MNT/run/uncoremsr
	remember
}

# member_machine: a machine whose nodes and lease directory are shared with group 4711, as --grant does it. The user
# nobody is a member of that group.
member_machine() {
	machine --allow-other
	need_nobody
	chgrp 4711 "$MNT/dev/cpu/0/msr"
	chmod 660 "$MNT/dev/cpu/0/msr"
	(umask 077 && : >"$RUN/lock" && mkdir "$RUN/user")
	chgrp 4711 "$RUN/lock" "$RUN/user"
	chmod 660 "$RUN/lock"
	chmod 1770 "$RUN/user"
	MINE=$RUN/user/65534
	DOCTOR=("$BIN/uncore-doctor" "--machine=root:$MNT")
}

MEMBER=(setpriv --reuid=65534 --regid=65534 --groups=4711 --inh-caps=+sys_rawio
	--ambient-caps=+sys_rawio)

as_member() {
	"${MEMBER[@]}" "$@"
}

# leave: kill a session of the member while it counts; $journal is set to the journal that it leaves.
leave() {
	killed_beside "${MEMBER[@]}" "$BIN/uncore-read" "--machine=root:$MNT" -e 0x9:1
	journal=$(echo "$MINE"/*.journal)
	[ -f "$journal" ]
}

# record BODY: print a journal with one record and the right checksum. Register values get all their digits.
record() {
	perl -e 'use integer; my $body = "$ARGV[0]\n"; my $sum = 0xcbf29ce484222325;
		$body =~ s/^((?:old-\w+|word) 0x)(\w+)$/$1 . "0" x (16 - length $2) . $2/gem;
		$sum = ($sum ^ ord) * 0x100000001b3 for split //, $body;
		printf "uncoremsr-journal 3 used %05d\n%ssum 0x%016x\n", 31 + length($body) + 23, $body, $sum' "$1"
}

# nothing_believed: whatever files members have left, root's commands end soon, write no register, and print no control
# characters for a terminal.
nothing_believed() {
	local command wrote
	wrote=$(grep -c ' wr ' "$LOG") || true
	for command in --leases --repair "" "--format=json"; do
		run timeout 60 "${DOCTOR[@]}" $command
		[ "$status" -lt 2 ] || { echo "$command: status $status: $output"; return 1; }
		[[ $output != *[$'\e\a\b\r']* ]]
	done
	[ "$(grep -c ' wr ' "$LOG")" = "$wrote" ]
}

# locked HOW BYTE: a member locks a byte of the lock file in the background; its process is $pid.
locked() {
	lock_beside held "${MEMBER[@]}" "$OFD_LOCK" "$1" "$RUN/lock" "$2"
}
