// What the interleaving explorer needs of the machine: stacks to switch between, a heap that notices, child processes.
#ifndef WEIR_CEXPLORER_H
#define WEIR_CEXPLORER_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/// A stack with a body that runs on it; switching costs a few nanoseconds and no system call.
typedef struct explorer_fiber explorer_fiber;

/// The fiber of the caller, which has no stack of its own to free.
explorer_fiber *explorer_fiber_main(void);
/// A fiber that runs `body(context)` when it is first switched to. The body must not return.
explorer_fiber *explorer_fiber_make(void (*body)(void *), void *context);
/// Has a stack that is full told on standard error, when that ends the process: what comes of it is a crash anyway.
void explorer_note_full_stacks(void);
/// Frees a fiber that is not running; its stack is kept for the next.
void explorer_fiber_free(explorer_fiber *fiber);
/// Leaves `from`, which is running, and goes on with `to`.
void explorer_fiber_switch(explorer_fiber *from, explorer_fiber *to);

/// Whether this program's malloc is the one that watches (builds with the trait Verification).
int explorer_heap_is_watching(void);
/// Starts to count blocks. Freed blocks are filled with a pattern that no pointer has; with `keeps` they are also kept
/// from being handed out again until `explorer_heap_end`, as far as they take no more than a quarter of a gigabyte: of
/// more, the older half is handed out again.
void explorer_heap_begin(int keeps);
/// Returns how many blocks were made and not freed since `explorer_heap_begin`.
long explorer_heap_end(void);
/// Stops counting, for blocks of the explorer's own. Returns what `explorer_heap_resume` wants to know.
int explorer_heap_pause(void);
void explorer_heap_resume(int counts);
/// How often a block was freed twice since `explorer_heap_begin`.
long explorer_heap_double_frees(void);

/// Has blocks that are made from now on be known to `explorer_heap_holder`, or no more.
void explorer_heap_record(int records);
/// Which of the blocks that were made since `explorer_heap_begin`, and are there, has a pointer first: its number, from
/// 1 on, and at how many bytes; 0 for none.
size_t explorer_heap_holder(const void *pointer, size_t *offset);

/// Has a function told of every release of an object, before it happens, and how many others hold it; `NULL` ends that.
/// Those of the runtime and of the standard library are not among them.
void explorer_observe_releases(void (*told)(void *object, size_t left));
/// Whether an object is in its `deinit`.
int explorer_is_being_freed(const void *object);
/// The metadata of a type by its mangled name, as the description of a class has it of a field, and the class's generic
/// arguments; `NULL` if there is none.
const void *explorer_type_named(const char *name, size_t length, const void *context, const void *arguments);
/// Has a function told, before it happens, when a block of the program's is freed that `explorer_await_free` was called
/// for, and perhaps of others; `NULL` ends that. Forgets what was asked for before.
void explorer_observe_frees(void (*told)(void *block));
void explorer_await_free(const void *block);
/// How many bytes may be read of a block of the heap; 0 where the heap is not watched. What nobody has written of a
/// block that was made while it was is zero.
size_t explorer_block_size(const void *block);
/// Whether eight bytes, aligned as such, can be read; never where the heap is not watched.
int explorer_can_read(const void *word);

/// Memory that a process shares with the children it forks.
uint8_t *explorer_shared_memory(size_t size);
void explorer_shared_memory_free(uint8_t *memory, size_t size);
/// Forks. The child (0 is returned there) gets no core dump, default signal actions, no blocked signals, `seconds` of
/// processor time and its standard error in a file without a name. Returns -1 if there can be no child.
int explorer_fork(unsigned seconds, int *standard_error);
/// From now on, ends the caller with a line on standard error where it is stuck: with the signal of
/// `explorer_signal_is_wait` where it has blocked, having made no step for so many seconds, and used no processor time
/// or slept for short times, over and over;
/// with another alarm where it has computed for so many seconds of processor time without a step. Takes the place of
/// the limit on waiting that `explorer_fork` has set.
void explorer_watch(unsigned blocked, unsigned computing);
/// A step, to `explorer_watch`.
void explorer_note_step(void);
/// Limits the processor time from now on: a second or so after as many seconds the time is over, where `explorer_watch`
/// was called.
void explorer_limit_time(double seconds);
int explorer_time_is_over(void);
/// Has the Swift runtime look no longer for overlapping accesses: simulated threads share one real one, and its record.
void explorer_ignore_accesses(void);
/// Ends the child at once, running nothing that was registered for the exit.
_Noreturn void explorer_exit(int code);
/// Waits for a child, or for any if that is -1. Returns its process id, or -1 if there is none, and its exit code, or
/// 256 plus the signal that ended it.
int explorer_wait(int child, int *code);
/// Reads the last of what a child wrote to its standard error, and closes the file.
size_t explorer_read_back(int file, char *text, size_t size);
const char *explorer_signal_name(int signal);
/// Whether this signal is one that ends a child that has taken too long.
int explorer_signal_is_alarm(int signal);
/// Whether it is the one of those that ends a child that has blocked.
int explorer_signal_is_wait(int signal);
/// Writes through to standard output.
void explorer_print(const char *text);
/// Seconds since some moment in the past.
double explorer_seconds(void);
/// Seconds of processor time that the process has taken.
double explorer_processor_seconds(void);

#endif
