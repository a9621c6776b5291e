/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tests as text: a machine and steps on it, with ";" between them. Numbers are as in C; "*" between two multiplies
 * them. A step in which something else happens than it says fails the test, which names the story and the step.
 *
 * On a simulated machine alone, play():
 *
 *   use MACHINE                      continue with another machine
 *   write CPU MSR VALUE              refuses CPU MSR VALUE ERROR: the write must fail so; 0: succeed
 *   read CPU MSR VALUE               the register must have this value
 *   fails CPU MSR ERROR              reading must fail so; 0: succeed
 *   field CPU MSR SHIFT MASK VALUE   these bits of the register must have this value
 *   takes CPU MSR MASK               each bit of the mask can be set alone, the others fault; 0 is written at the end
 *   count CPU SELECTOR COUNTER WORD VALUE    what the counter must count in a second with this word in its selector
 *   pass SECONDS                     advance the clock by this time; at SECONDS: to this time, which must not be over
 *   online CPUS 0|1                  take CPUs, as "1,3-5" or "1-23/2", offline or online
 *   file PATH TEXT                   the file must have this line
 *
 * The same steps and those of a session, play_session(); the machine is that of open_stepped():
 *
 *   machine MACHINE                  continue with another machine
 *   route msr|perf                   next: a new session in place of the old one; the log is empty
 *   only cpus|packages|cores LIST    set multiplex|force|verify 0|1
 *   add EVENTS                       start [EVENTS]: add the events and start
 *   counter EVENT COUNTER            choose the counter of an event
 *   no-event EVENTS ERROR TEXT       adding fails, with a message or a hint that contains the text
 *   no-start ERROR TEXT              starting fails so; says TEXT, hints TEXT: what the last error must contain, too
 *   class usage|access|unsupported   class of the last error
 *   after SECONDS [ERROR]            let time pass and read; the read must fail with this error; "any": or not
 *   each LETTERS COUNT               for each letter "after "
	"1"; event 0 has on package 0 this count (o) or is disturbed (d)
 *   sample, rotate, pause, stop      with an ERROR: it must fail so
 *   repeat TIMES STEP
 *   value PACKAGE EVENT VALUE        total, raw: in all intervals, in the register
 *   unit EVENT NAME VALUE            of the first unit of this name; or its status
 *   some PACKAGE EVENT               there is a value above 0
 *   known PACKAGE EVENT TEXT         status with the number of known units, as "ok, 7 of 8"; cores SET ...: of this set
 *   of PACKAGE EVENT NUMBER          number of units in the sum; unit-on EVENT UNIT CPU [CORE]
 *   status PACKAGE EVENT WORD        total-status: of all intervals; detail ... TEXT: in its detail
 *   unknown PACKAGE EVENT WORD TEXT  there is a status and no value, and the text in the detail; total-unknown
 *   ran PACKAGE EVENT SECONDS        it is ok, and ran for the whole interval, which took this time
 *   on PACKAGE EVENT COUNTER         the counter that has the event
 *   disturbed NUMBER                 number of units that were disturbed
 *   units EVENT NUMBER, turns NUMBER, packages NUMBER
 *   through PACKAGE CPU              the CPU through which a package is read
 *   logged NUMBER TEXT               number of messages with this text; "some": at least one
 *   image                            remember all registers that a session may write; same: they are as remembered
 */
#ifndef STEPS_H
#define STEPS_H

#include <stddef.h>
#include <stdint.h>

#include "helpers.h"

extern struct uncoremsr_sim *sim;
/* use(): create this machine without a handle; a previous one is freed. */
void use(const char *what);
void free_sim(void);

struct story {
	const char *name, *machine, *steps;
};

void play(const struct story *story);
void play_session(const struct story *story);

/* ---- other vocabularies ---- */

enum { STEP_WORDS = 7 };

struct step {
	const char *row, *text;       /* @row: name of the story; @text: the whole step, unsplit */
	const char *word[STEP_WORDS]; /* the words after the first one */
	unsigned num;
};

struct step_kind {
	const char *name;
	unsigned least, most; /* words after the name */
	void (*fn)(const struct step *s);
};

struct vocabulary {
	const struct step_kind *kinds; /* a kind without a name ends them */
	const struct vocabulary *base; /* further ones; NULL: none */
};

extern const struct vocabulary sim_steps, session_steps;
void play_steps(const struct vocabulary *v, const char *row, const char *steps);
uint64_t step_number(const struct step *s, unsigned word);
/* step_int(): a number that may be negative. */
int step_int(const struct step *s, unsigned word);
/* step_time(): a time in seconds with at most nine decimals, in nanoseconds. */
uint64_t step_time(const struct step *s, unsigned word);
/* step_rest(): the text from this word on, with its blanks. */
const char *step_rest(const struct step *s, unsigned word);
/* step_error(): the call returned @err; @word has the name of the error that it must be; 0: none. */
void step_error(const struct step *s, int err, unsigned word);
/* step_holds(): the test fails and shows @got unless @right. */
void step_holds(const struct step *s, bool right, const char *got);
void step_got(const struct step *s, bool right, uint64_t got);

#endif
