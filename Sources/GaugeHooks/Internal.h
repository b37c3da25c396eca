// What the files of the counting library share, and nobody else sees.
#ifndef GAUGE_HOOKS_INTERNAL_H
#define GAUGE_HOOKS_INTERNAL_H

#include <stddef.h>

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

/// Finds the name of a type of the Swift runtime's. Returns its length.
HIDDEN size_t hooks_type_name(const void *type, const char **name);

/// Counts an event in the calling thread's node.
HIDDEN void hooks_count_retain(void);
HIDDEN void hooks_count_release(void);
HIDDEN void hooks_count_object(void);

#endif
