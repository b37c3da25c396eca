// What the files of the counting library share, and nobody else sees.
#ifndef GAUGE_HOOKS_INTERNAL_H
#define GAUGE_HOOKS_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

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
HIDDEN void hooks_record_reference(const void *object, int is_release);

/// Where a thread has called into this library: its frame pointer, stack pointer and code address, and where its stack ends.
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

/// Counts an event in the calling thread's node.
HIDDEN void hooks_count_retain(void);
HIDDEN void hooks_count_release(void);
HIDDEN void hooks_count_object(void);

#endif
