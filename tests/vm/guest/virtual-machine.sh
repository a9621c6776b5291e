# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
# The processor says that it runs under a hypervisor.

watch_writes
modprobe msr
run uncore-info --format=json
check "uncore-info says that it is a virtual machine" is "$(json hypervisor)" true
check "uncore-info names the processor all the same" \
	is "$(json uarch)" "$(case $(json model) in 44) echo westmere ;; 26) echo nehalem ;; *) echo "?" ;; esac)"
run_read
check "counting is refused because this is a virtual machine" refused 3 "virtual machine"
check "nothing was written" nothing_written
run wrmsr 0x3c0 0
check "control: the kernel's record shows a write by wrmsr" is "$(writes_seen)" "3c0 0"
