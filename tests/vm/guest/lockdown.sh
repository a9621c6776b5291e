# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
# Kernel lockdown (secure boot machines): reading registers is allowed, writing is not. Lockdown cannot be switched off,
# so this is the last scenario of its guest.

echo integrity >/sys/kernel/security/lockdown
run wrmsr 0x3c0 0
check "control: wrmsr is refused" status_is 127
run rdmsr 0x1b
check "control: rdmsr is not refused" status_is 0
run_read
check "lockdown is named" refused 4 lockdown integrity
run uncore-info --format=json
check "uncore-info shows the mode" is "$(json_in driver lockdown)" integrity

echo confidentiality >/sys/kernel/security/lockdown
run rdmsr 0x1b
check "control: rdmsr is not refused in the stronger mode either" status_is 0
run_read
check "the stronger mode is named" refused 4 lockdown confidentiality
run uncore-info
check "uncore-info says that writes are refused" out_has "refuses register writes"

umount /sys/kernel/security
run_read
check "where the mode cannot be read the message says where to look" refused 4 lockdown
