/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tests as text. A "story" is a row of a table: a name, a machine, and steps on it, with ";" between them. Numbers are
 * as in C; "a*b" multiplies. A step with another result fails the test; the message names the story and the step, or
 * the machine if that cannot be opened.
 *
 * On a simulated machine, play():
 *
 *   use MACHINE                      continue with another machine; not if a handle is open
 *   write CPU MSR VALUE              write the register; this must succeed
 *   refuses CPU MSR VALUE ERROR      writing must fail with this error
 *   read CPU MSR VALUE               the register must have this value
 *   fails CPU MSR ERROR              reading must fail with this error; 0: must succeed
 *   field CPU MSR SHIFT MASK VALUE   these bits of the register must have this value
 *   not CPU MSR VALUE                the register must have another value
 *   takes CPU MSR MASK               each bit of the mask can be set alone, the others fault; 0 is written at the end,
 *                                    unless the mask is 0
 *   count CPU SELECTOR COUNTER WORD VALUE    what the counter must count in a second with this word in its selector
 *   pass SECONDS                     advance the clock by this time
 *   at SECONDS                       advance the clock to this time, which must not be in the past
 *   online CPUS 0|1                  take CPUs, as "1,3-5" or "1-23/2", offline or online
 *   cpuid CPU LEAF SUBLEAF A B C D   EAX to EDX; "-": any value
 *   opens CPU ERROR                  opening the device must fail with this error; 0: must succeed
 *   file PATH TEXT                   the file must have this line, and no other
 *   line PATH TEXT                   one of the lines of the file must be this
 *   no-line PATH TEXT                no line of the file may contain the text
 *   no-file PATH ERROR               reading the file must fail with this error; 0: must succeed
 *   store PATH TEXT [ERROR]          write a line to the file; with an ERROR: must fail with this error
 *   list PATH NAMES                  the folder has these names in this order, folders with "/"; PATH "." is the top
 *   no-list PATH ERROR               listing the folder must fail with this error
 *   repeat TIMES STEP                play the step as often as this
 *
 * With a handle, also:
 *
 *   says TEXT                        the last error's message must contain the text
 *   class none|usage|access|unsupported      class of the last error
 *
 * A session, play_session(), has all these except "use"; the machine is that of open_stepped():
 *
 *   machine MACHINE                  continue with another machine
 *   route msr|perf|memory            count on this route
 *   force 0|1 [ERROR]                take counters of other programs, or not; with an ERROR: must fail with this error
 *   no-turns                         let no events take turns
 *   unverified                       do not check whether other programs change registers
 *   next                             a new session in place of the old one; the log is empty
 *   only cpus|packages|cores LIST [ERROR]    count only there; with an ERROR: must fail with this error
 *   add EVENTS                       add the events
 *   start [EVENTS]                   add the events and start
 *   counter EVENT COUNTER [ERROR]    choose the counter of an event
 *   no-event EVENTS ERROR TEXT       adding fails with this error; the message or the hint contains the text
 *   no-start ERROR TEXT              starting fails with this error; the message contains the text
 *   hints TEXT                       the last error's hint must contain the text
 *   after SECONDS [ERROR]            let time pass and read; the read must fail with this error; "any": may fail
 *   each LETTERS COUNT               for each letter "after 1"; o: event 0 has this count on package 0; d: it is
 *                                    disturbed
 *   sample, rotate, pause
 *   stop [ERROR]                     with an ERROR: must fail with this error
 *
 *   Readings; instead of a PACKAGE, "all" is the whole machine, "cores1" a set of "only cores", "core1" a core:
 *
 *   value PACKAGE EVENT VALUE        the count in the interval
 *   total PACKAGE EVENT VALUE        the count in all intervals
 *   counted PACKAGE EVENT VALUE      the count in the interval before it was scaled
 *   raw PACKAGE EVENT VALUE          the value in the register
 *   unit EVENT NAME VALUE            of the first unit with this name
 *   unit EVENT NAME STATUS [TEXT]    its status (no value unless ok or spread); the detail contains the text
 *   unit-total EVENT NAME VALUE, unit-total EVENT NAME STATUS [TEXT]     the same for all intervals
 *   some PACKAGE EVENT               there is a value above 0
 *   known PACKAGE EVENT TEXT         status with the number of known units, as "ok, 7 of 8"; "ok": all
 *   no-reading PACKAGE EVENT         there is no reading yet
 *   of PACKAGE EVENT NUMBER          number of units in the sum
 *   unit-on EVENT UNIT CPU [CORE]    the CPU and the core of the unit with this index
 *   status PACKAGE EVENT WORD        status of the interval
 *   total-status PACKAGE EVENT WORD  status of all intervals
 *   detail PACKAGE EVENT TEXT        the interval's detail must contain the text
 *   unknown PACKAGE EVENT WORD TEXT  the interval has this status and no value, and its detail contains the text
 *   total-unknown PACKAGE EVENT WORD TEXT    like "unknown", for all intervals
 *   total-detail PACKAGE EVENT TEXT  the detail of all intervals must contain the text
 *   ran PACKAGE EVENT SECONDS        the status is ok, and the event ran for the whole interval of this length
 *   on PACKAGE EVENT COUNTER         the counter that has the event
 *   disturbed NUMBER                 number of disturbed readings of units, over all events
 *   units EVENT NUMBER               number of units of the event
 *   events NUMBER                    number of events
 *   event EVENT msr|perf|memory [NAME]       route and name of the event
 *   turns NUMBER                     number of turns
 *   packages NUMBER                  number of packages
 *   package-error PACKAGE [TEXT]     the package's error must contain the text; no text: it must have none
 *   through PACKAGE CPU              the CPU through which a package is read
 *   logged NUMBER TEXT               number of messages with this text; "some": at least one
 *   image                            remember all registers that a session may write
 *   same                             all these registers must have the remembered contents
 *
 * Register accesses of the library; MSRS is one register or a range as "0x3b0-0x3b7":
 *
 *   deny read|write|any MSRS ERROR [TIMES [AFTER]]   from now on they fail: TIMES times (default: always)
 *                                    after AFTER accesses that succeed
 *   deny any MSRS silent             from now on writes are ignored, and reads give 0
 *   allow                            end of "deny"
 *   watch MSRS                       from now on count the accesses to these registers only
 *   reads NUMBER, writes NUMBER [VALUE]      number since "watch", and the value that was written last
 *
 * Leases:
 *
 *   root                             use a lease directory; the teardown must be close_in_root()
 *   leases NUMBER [held|leftover|invalid|locked]     number of leases; all have this state
 *   leased COUNTER                   counter of the first lease
 *   repair NUMBER [ERROR]            number of restored leases; "some": at least one
 */
#ifndef STEPS_H
#define STEPS_H

#include <stdint.h>

#include "helpers.h"

extern struct uncoremsr_sim *sim;
/* use(): free the previous simulated machine, and create the machine @what without opening a handle. */
void use(const char *what);
void free_sim(void);

struct story {
	const char *name, *machine, *steps;
};

void play(const struct story *story);
void play_session(const struct story *story);
/* play_on(): play steps on the session of machine.h; messages contain @row. */
__attribute__((format(printf, 2, 3))) void play_on(const char *row, const char *format, ...);

/* ---- other vocabularies ---- */

/* ANY: the step may have any number of words. */
enum { STEP_WORDS = 7, ANY = STEP_WORDS };

struct step {
	const char *row, *text;       /* @row: name of the story; @text: the whole step, unsplit */
	const char *word[STEP_WORDS]; /* words of the step after its name */
	unsigned num;
};

struct step_kind {
	const char *name;
	unsigned least, most; /* smallest and largest number of words after the step's name */
	void (*fn)(const struct step *s);
};

struct vocabulary {
	const struct step_kind *kinds; /* array; ends with an element without a name */
	const struct vocabulary *base; /* vocabulary whose steps are accepted in addition, or NULL */
};

/* handle_steps: the steps of sim_steps except "use", and steps that check the last error. */
extern const struct vocabulary sim_steps, handle_steps, session_steps;
void play_steps(const struct vocabulary *v, const char *row, const char *steps);
/* play_story(): like play_session(), but with the steps of @v. */
void play_story(const struct vocabulary *v, const struct story *story);
uint64_t step_number(const struct step *s, unsigned word);
/* step_value_of(): parse a number in @text, which is a part of a word. */
uint64_t step_value_of(const struct step *s, const char *text);
/* step_time(): parse a number of seconds like "1.5". Returns nanoseconds. */
uint64_t step_time(const struct step *s, unsigned word);
int step_int(const struct step *s, unsigned word);
/* step_choice(): index of a word in @words, which ends with NULL; another word fails the test. */
int step_choice(const struct step *s, unsigned word, const char *const *words);
/* step_rest(): the rest of the text from the word @word on, with its blanks. */
const char *step_rest(const struct step *s, unsigned word);
/* step_error(): fail the test unless @err is the error that @word names; "0" or no word: success; "any": anything. */
void step_error(const struct step *s, int err, unsigned word);
/* step_class_is(): the first word must be the name of the error class @got. */
void step_class_is(const struct step *s, enum uncoremsr_error_class got);
/* step_holds(): fail the test with @got in the message unless @right is true. */
void step_holds(const struct step *s, bool right, const char *got);
void step_got(const struct step *s, bool right, uint64_t got);
void step_is(const struct step *s, unsigned word, uint64_t got);
void step_let_pass(const struct step *s, uint64_t ns);

#endif
