# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
# The simulated Westmere replaces the guest's devices and sysfs, and the guest's processor is a Westmere, too: counting
# with --machine=live, from start to end.

DIR=/mnt

# Counters, selectors, global control, fixed counter and its control of both packages, by rdmsr.
registers() {
	for cpu in 0 1; do
		for msr in 391 394 395 3b0 3b1 3b2 3b3 3b4 3b5 3b6 3b7 3c0 3c1 3c2 3c3 3c4 3c5 3c6 3c7; do
			echo "$cpu $msr $(rdmsr -p $cpu -0 0x$msr)"
		done
	done
}

counts_on_both_packages() {
	status_is 0 && [ "$(grep -cE '"status":"(ok|spread)"' /tmp/json)" -eq 2 ] &&
		[ "$(sed -n 's/.*"package":\([0-9]*\).*/\1/p' /tmp/json | sort -u | wc -l)" -eq 2 ] &&
		! grep -q '"counted":"0"' /tmp/json
}

watch_writes
loses_package_1_only() {
	status_is 1 && grep '"package":0,' /tmp/json | grep -qE '"status":"(ok|spread)"' &&
		grep '"package":1,' /tmp/json | grep '"value":null,' | grep -qv '"status":"ok"' &&
		grep -q "package 1: .*not the register driver's device" /tmp/err
}

# /tmp/commands has the commands that a dry run printed, /tmp/out what they read. The first rdmsr after the sleep must
# have read a count.
counted_by_hand() {
	reads=$(sed -n '/^sleep/q; /^rdmsr/p' /tmp/commands | wc -l)
	count=$(sed -n "$((reads + 1))p" /tmp/out)
	[ $((0x${count:-0})) -gt 0 ]
}

modprobe fuse
run uncore-sim mount westmere-2s,rate=0x82:0x1=1000000 "$DIR" --daemon --log /tmp/sim.log
check "uncore-sim mounts a machine in the guest" status_is 0
mount -o bind "$DIR/dev/cpu" /dev/cpu
mount -o bind "$DIR/sys/devices/system/cpu" /sys/devices/system/cpu
registers >/tmp/before
run_read --format=json
json_lines
check "the event is counted on both packages of the live machine" counts_on_both_packages
registers >/tmp/after
diff /tmp/before /tmp/after >/tmp/out
check "every register holds afterwards what it held before" cmp -s /tmp/before /tmp/after
check "there are registers to compare" is "$(grep -cE '[0-9a-f]{16}$' /tmp/before)" 38
check "the simulated machine was programmed" grep -q 420182 /tmp/sim.log
check "the guest's own registers were not programmed" no_writes_seen

run_read --dry-run
cp /tmp/out /tmp/commands
run sh -e /tmp/commands
check "the commands of a dry run work with Debian's rdmsr and wrmsr" status_is 0
check "one of the commands reads a count" counted_by_hand
registers >/tmp/after
diff /tmp/before /tmp/after >/tmp/out
check "the commands put everything back" cmp -s /tmp/before /tmp/after

# Replace the device of CPU 1, through which package 1 is reached, by a plain file. Unlike the driver it accepts a read
# of 4 bytes.
: >/tmp/empty
mount -o bind /tmp/empty /dev/cpu/1/msr
run_read --format=json
json_lines
check "a plain file in place of a device affects its package only" loses_package_1_only
umount /dev/cpu/1/msr

# Another session reaches the registers through copied device nodes: leases must not depend on the nodes.
uncore-read -e 0x1:1,0x1:2,0x1:4,0x3:1,0x3:2,0x5:1,0x8:1,0x9:1 -i 60 >/dev/null 2>&1 &
holder=$!
tries=0
while [ "$(rdmsr -p 1 -0 0x3c7)" = 0000000000000000 ] && [ $tries -lt 100 ]; do
	tries=$((tries + 1))
	sleep 0.2
done
mkdir -p /tmp/copy/0 /tmp/copy/1
mknod /tmp/copy/0/msr c 202 0
mknod /tmp/copy/1/msr c 202 1
mount -o bind /tmp/copy /dev/cpu
run_read
check "through copied device nodes the counters of a session are leased, too" \
	refused 3 "0 of 8 free" "held by uncore-read (pid $holder)"
umount /dev/cpu
kill $holder
wait $holder
registers >/tmp/after
diff /tmp/before /tmp/after >/tmp/out
check "the session on copied nodes puts everything back" cmp -s /tmp/before /tmp/after

umount /sys/devices/system/cpu
umount /dev/cpu
umount "$DIR"
