# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
# The reasons for which the driver refuses access; each must have its own message. Nothing is written.

node_is_back() {
	mknod "/dev/cpu/$1/msr" c 202 "$1" && chmod 600 "/dev/cpu/$1/msr"
}

unprivileged_read
check "a user without permission on the device gets a message about it" refused 4 /dev/cpu/0/msr permission
chmod 666 /dev/cpu/*/msr
unprivileged_read
check "a user with permission but without the capability gets a message about it" \
	refused 4 /dev/cpu/0/msr CAP_SYS_RAWIO
chmod 600 /dev/cpu/*/msr
no_rawio_read
check "root without the capability gets a message about it" refused 4 /dev/cpu/0/msr CAP_SYS_RAWIO

rm /dev/cpu/0/msr /dev/cpu/2/msr
run_read
check "a missing device node is distinguished from a missing driver" \
	refused 4 /dev/cpu/0/msr node
touch /.dockerenv
run_read
check "uncore-read says that it runs in a container" refused 4 /dev/cpu/0/msr container
rm /.dockerenv
node_is_back 0
node_is_back 2

write_filter off
run wrmsr 0x3c0 0
check "control: wrmsr is refused by the write filter" status_is 127
run_read
check "allow_writes=off is named" refused 4 allow_writes=off
check "allow_writes=off stays set" is "$(cat /sys/module/msr/parameters/allow_writes)" off
run uncore-info --format=json
check "uncore-info shows the filter is off" is "$(json_in driver writes)" off
write_filter default
run uncore-info --format=json
check "uncore-info shows the filter's default" is "$(json_in driver writes)" default
check "no refused run wrote a register" nothing_written
