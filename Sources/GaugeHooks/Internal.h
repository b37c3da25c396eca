// What the files of the counting library share, and nobody else sees.
#ifndef GAUGE_HOOKS_INTERNAL_H
#define GAUGE_HOOKS_INTERNAL_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define GAUGE_HOOKS_SANITIZED 1
#endif
#endif

// A sanitizer replaces the allocator itself, and other systems have other means than ELF preloading.
#if defined(__linux__) && !defined(GAUGE_HOOKS_SANITIZED)
#define GAUGE_HOOKS_ACTIVE 1
#else
#define GAUGE_HOOKS_ACTIVE 0
#endif

#define HIDDEN __attribute__((visibility("hidden")))

/// Counted and forwarded like malloc, memalign and free.
HIDDEN void *hooks_allocate(size_t size);
HIDDEN void *hooks_allocate_aligned(size_t alignment, size_t size);
HIDDEN void hooks_free(void *block);

/// What of the calls that count is recorded with its stack; 0 for nothing.
HIDDEN extern _Atomic int hooks_recorded;

/// Record a call with its stack. Returns 0 for a call of the recorder's own, which does not count.
HIDDEN int hooks_record_allocation(const void *block, size_t bytes);
HIDDEN int hooks_record_free(const void *block);
HIDDEN void hooks_record_reference(const void *object, int is_release, uint32_t count);

/// Record that a block could not be reallocated, or was freed by that.
HIDDEN void hooks_record_no_reallocation(size_t bytes);

/// Where a thread has called into this library: its frame pointer, stack pointer and code address,
/// and where its stack ends.
struct hooks_place {
  uint64_t registers[3];
  uintptr_t end;
};

/// Says where the calling thread has called into this library.
HIDDEN void hooks_locate(struct hooks_place *place);

/// Keeps the stack of a thread that is here still. Returns its number plus one, or 0 where there was no room.
HIDDEN size_t hooks_keep_stack(const struct hooks_place *place, uint64_t thread, uint64_t type);

/// Adds to one of the weights of a stack that was kept.
HIDDEN void hooks_weigh_stack(size_t stack, size_t weight, uint64_t amount);

/// The place of a stack in the file, from 1 on; 0 for none. While the file is written.
HIDDEN uint64_t hooks_stack_number(size_t stack);

/// Looks where code is, this library's own above all.
HIDDEN void hooks_find_code(void);

/// Memory that is no allocation; NULL where there is none.
HIDDEN void *hooks_map(size_t size);

/// Opens, reads and closes a file of the system's: within these a thread can't be cancelled, as it can be within
/// `open`, `pread` and `close`, and would never give back the locks that it holds then.
HIDDEN int hooks_open_surely(const char *path);
HIDDEN ssize_t hooks_read_surely(int file, void *to, size_t size);
HIDDEN void hooks_close_surely(int file);

/// Opens what the system tells of a thread by the name of a file.
HIDDEN int hooks_open_about_thread(uint64_t id, const char *file);

/// Finds the name of a thread; leaves the bytes of one that has none as they are.
HIDDEN void hooks_read_name(uint64_t id, char name[16]);

/// A file that is being written, and the number of the first error.
struct hooks_output {
  int file;
  int error;
};

HIDDEN void hooks_put(struct hooks_output *output, const void *bytes, size_t count);

/// Whether the waits of this process are followed from its start.
HIDDEN int hooks_follows_waits(void);

/// Waits count from here to there. The second returns how many were recorded.
HIDDEN void hooks_begin_waits(void);
HIDDEN size_t hooks_end_waits(void);

/// Finds the name of what a thread waits for. Returns its length.
HIDDEN size_t hooks_cause_name(uint64_t cause, const char **name);

/// Writes the threads and their waits; the size is in bytes.
HIDDEN size_t hooks_size_of_waits(void);
HIDDEN void hooks_put_waits(struct hooks_output *output);

/// Finds the name of a type of the Swift runtime's. Returns its length.
HIDDEN size_t hooks_type_name(const void *type, const char **name);

/// What happens on a timeline. The numbers are part of the file format.
enum hooks_event {
  event_allocates = 1,
  event_frees,
  event_begins_reallocating,
  event_ends_reallocating,
  event_retains,
  event_releases,
  event_begins_waiting,
  event_ends_waiting,
  event_wakes,
  event_begins_operation,
  event_ends_operation,
};

/// Of the object that the calling thread allocates within this library; NULL for none.
HIDDEN extern __thread const void *hooks_object_type __attribute__((tls_model("initial-exec")));

/// Whether the calling thread is within a reallocation: a free and an allocation are parts of it.
HIDDEN extern __thread int hooks_reallocates __attribute__((tls_model("initial-exec")));

/// Makes room for a timeline. Returns 0, or the error number.
HIDDEN int hooks_prepare_timeline(void);

/// Adds the beginning or the end of an operation.
HIDDEN void hooks_mark(enum hooks_event kind);

/// How many events and marks are kept.
HIDDEN size_t hooks_count_events(void);

/// Adds an event with the stack of the function that has called into this library.
HIDDEN void hooks_put_event(enum hooks_event kind, const void *address, uint64_t size, uint64_t type);

/// Adds the beginning or the end of a wait; `by_itself` says that nobody ended it.
HIDDEN void hooks_put_wait(
    enum hooks_event kind, const void *object, uint64_t cause, int by_itself, const struct hooks_place *place);

/// Writes the events; the size is in bytes.
HIDDEN size_t hooks_size_of_timeline(void);
HIDDEN void hooks_put_timeline(struct hooks_output *output);

/// Memory that no counter sees.
HIDDEN void *hooks_allocate_unseen(size_t size);
HIDDEN void hooks_free_unseen(void *block);

/// Counts an event in the calling thread's node.
HIDDEN void hooks_count_retain(void);
HIDDEN void hooks_count_release(void);
HIDDEN void hooks_count_object(void);

#endif
