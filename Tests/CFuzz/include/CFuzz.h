// What the fuzzer needs of the system: which code a file has led to, and a watch that writes the file down where it is
// the last.
#ifndef WEIR_CFUZZ_H
#define WEIR_CFUZZ_H

#include <stdint.h>

/// Watches from here on: a signal, a sanitizer's report, or a file that is read for too long ends the process, and the
/// file that is being read is written down.
///
/// `path` is where, `seconds` the CPU time that a file may take; both hold until this is called again.
void fuzz_watch(const char *path, double seconds);

/// Ends the watch.
void fuzz_rest(void);

/// A file is about to be read. Its bytes stay where they are until `fuzz_end`.
void fuzz_begin(const uint8_t *bytes, long count);

/// It was read. Returns how many places in the code it led to, or how often, as none before it; 0 where nothing is
/// counted.
long fuzz_end(void);

/// How many places in the code files have led to so far; 0 where they are not counted.
long fuzz_places(void);

/// How much memory this process has had at most, in kilobytes.
long fuzz_peak(void);

/// The time in seconds since some fixed moment.
double fuzz_now(void);

/// Writes the file that is being read down, says why, and ends the process.
_Noreturn void fuzz_give_up(const char *why);

#endif
