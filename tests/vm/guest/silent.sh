# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
# The emulator reads unknown registers as 0 and drops writes to them, as some hypervisors do. This is also the first
# scenario that writes registers, with allow_writes=default.

# Every register that was written must have its old value, 0, at the end.
ends_as_it_began() {
	writes_seen >/tmp/writes
	[ -s /tmp/writes ] || return 1
	awk '{ last[$1] = $2 } END { for (r in last) if (last[r] != "0") exit 1 }' /tmp/writes
}

# log_lines: how often the driver has named uncore-read as the writer of a register. It does so at most once in 30
# seconds, counted from when it was loaded.
log_lines() {
	dmesg | grep -c 'msr: Write to unrecognized MSR 0x3[0-9a-f]* by uncore-read'
}

reload_driver() {
	rmmod msr && modprobe msr
}

check "the write filter is the kernel's default" \
	is "$(cat /sys/module/msr/parameters/allow_writes)" default
check "the kernel is not tainted so far" nothing_written
run_read
check "registers that do not keep what was written give no number" refused 3 "keep" "virtual"
writes_seen >/tmp/out
check "every register that was tried is put back" ends_as_it_began
check "the kernel logged the write and named the program" is "$(log_lines)" 1
check "the kernel set the taint flag for the write" is "$(($(cat /proc/sys/kernel/tainted) & 4))" 4

reload_driver
write_filter on
run_read
check "registers give no number with allow_writes=on either" refused 3 "keep" "virtual"
check "with allow_writes=on the kernel logs no line" is "$(log_lines)" 1
run uncore-info --format=json
check "uncore-info shows the filter is on" is "$(json_in driver writes)" on
reload_driver
run_read
check "control: with allow_writes=default the kernel logs a line again" is "$(log_lines)" 2

run wrmsr 0x3c0 0x420182
run rdmsr -0 0x3c0
check "control: rdmsr sees 0 after wrmsr" out_has 0000000000000000
