// What the files of the recorder share, and nobody else sees.
#ifndef GAUGE_CRECORDER_INTERNAL_H
#define GAUGE_CRECORDER_INTERNAL_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "CRecorder.h"

// Recording.swift of GaugeRunner describes the records of a file.
enum record_kind {
  record_map = 1,
  record_thread = 2,
  record_sample = 3,
  record_wait = 4,
  record_wait_end = 5,
  record_pulse = 6,
  record_thread_total = 7,
  record_builds = 8,
  record_end = 9,
  record_program = 10,
  record_cut_map = 11,
};

enum {
  /// Bytes of a stack that are looked at: what lies further out is lost.
  most_stack = 24 * 1024,
  stack_words = most_stack / 8,
};

/// Nanoseconds of a clock that never stops, and of the thread's and the process's CPU time.
uint64_t recorder_now(void);
uint64_t recorder_own_time(void);
uint64_t recorder_process_time(void);

// MARK: Output.c

/// Opens the file and writes its head: a new one, or one beside another that it will replace. Returns 0, the error
/// number, or `recorder_is_no_file` where there is a device or a pipe.
enum { recorder_is_no_file = -1 };
int recorder_output_open(const char *path, int is_new, uint64_t sample_period, uint64_t look_period, uint64_t largest);

/// Puts the file where it stays, and takes away what an earlier recording there has left of the heap. Returns 0, or the
/// error number.
int recorder_output_commit(void);
/// Takes away the file, and leaves what was there.
void recorder_output_discard(void);

/// Begins a record; what is put until the next one, or `recorder_output_flush`, is its own.
void recorder_output_begin(enum record_kind kind, uint64_t time);
void recorder_output_put(uint64_t word);
void recorder_output_put_words(const uint64_t *words, size_t count);
void recorder_output_put_text(const char *text, size_t size);
/// Puts the words of a stack that lead into code or into the stack itself, which is all that unwinding needs.
void recorder_output_put_stack(uintptr_t base, const uint64_t *words, size_t count);
void recorder_output_end(void);

/// Writes what was put. Returns 0, or the number of the first error.
int recorder_output_flush(void);
int recorder_output_close(void);

/// Whether the file has its largest size.
int recorder_output_is_full(void);

/// Writes where code is in memory, if that has changed, and the numbers of the builds. Returns 0, or the error number.
int recorder_output_map(uint64_t time);

/// The same where it is time for it again.
void recorder_output_map_when_due(void);
/// The same where an address isn't known to be code, unless that was done just now.
void recorder_output_want_code(uint64_t address);

/// Moments of the file count from its start.
uint64_t recorder_output_moment(void);

/// In a process that was forked: lets go of what was the parent's.
void recorder_output_forget(void);
void recorder_capture_forget(void);
void recorder_threads_forget(void);

// MARK: Asking.c

/// Makes a path one from the root on. Returns 0, or the error number.
int recorder_absolute_path(const char *path, char *to, size_t room);

/// Tells on the standard error, unless nobody could take it now, that a recording of a signal failed.
void recorder_tell_failure(const char *what, const char *path, int error);

// MARK: Capture.c

/// Makes ready to take samples: memory, and the handler. Returns 0 or a status; `error` is its number.
int recorder_capture_start(uint32_t samples, int *error);

/// Whether the signal still has the handler that takes samples, and when it was first seen that it has another one: the
/// program's, or a profiler's. 0 for never.
int recorder_capture_has_handler(void);
uint64_t recorder_capture_handler_lost(void);

/// Takes no more, and gives the signal back, unless somebody else has it.
void recorder_capture_stop(void);

/// Sends samples to a thread. Returns 0, or the error number.
int recorder_capture_begin(pid_t thread, int *timer);
void recorder_capture_end(int timer);

/// Writes the samples that have been taken.
void recorder_capture_drain(void);

/// Periods that were sampled and that had no room, stacks that could not be read, and nanoseconds that threads spent on
/// taking samples.
struct capture_counts { uint64_t periods, lost, unreadable, handling; };
struct capture_counts recorder_capture_counts(void);

/// Samples that may come before the next drain.
enum { capture_slots = 256 };

// MARK: Threads.c

struct threads_counts { uint64_t threads, looks, waits, left_out; };

/// Makes ready to look at threads. Returns 0, or the error number.
int recorder_threads_start(int with_samples, int with_waits);

/// Looks at all threads but the one that calls: begins and ends to sample them, and says what they wait for.
void recorder_threads_look(void);

/// Writes what each thread had come to at the last look, where that is new.
void recorder_threads_put_totals(void);

/// Ends the sampling of all threads, which are followed nevertheless.
void recorder_threads_end_sampling(void);

/// Ends the sampling of all threads, and writes what each has come to.
void recorder_threads_stop(void);

/// When the last look was, and the longest time between two.
uint64_t recorder_threads_last_look(void);
uint64_t recorder_threads_longest_gap(void);

struct threads_counts recorder_threads_counts(void);

/// The numbers of the last errors: why waits could not be read, and why threads are not sampled; 0 for none.
int recorder_threads_wait_error(void);
int recorder_threads_sample_error(void);

#endif
