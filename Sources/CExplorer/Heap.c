// A heap that notices blocks left behind, freed twice or used after they were freed. Only builds with WEIR_EXPLORER
// have it, and only where glibc lets a program replace malloc; elsewhere nothing is watched.
#define _GNU_SOURCE
#include "CExplorer.h"

#include <string.h>

#if defined(WEIR_EXPLORER) && defined(__GLIBC__)
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

// Not the address of anything on x86-64 and arm64, neither as a whole nor in any aligned half of it.
enum { pattern = 0xDB };

static int watching, keeping;
static long live, double_frees;
static void **kept;
static size_t kept_count, kept_capacity, kept_bytes;
static const size_t most_kept = (size_t)1 << 28;

// The blocks of a run in the order in which they were made; those that are gone have no start.
static struct block {
  void **start;
  size_t size;
} *made;
static size_t made_count, made_capacity;
static int recording;

static void note_made(void *block) {
  if (!recording || !watching || !block) return;
  if (made_count == made_capacity) {
    made_capacity = made_capacity ? made_capacity * 2 : 1024;
    made = __libc_realloc(made, made_capacity * sizeof *made);
  }
  made[made_count++] = (struct block){block, malloc_usable_size(block)};
}

static void note_gone(const void *block) {
  for (size_t index = recording && watching ? made_count : 0; index-- > 0;) {
    if (made[index].start == block) {
      made[index].start = NULL;
      return;
    }
  }
}

void explorer_heap_record(int records) { recording = records; }

size_t explorer_heap_holder(const void *pointer, size_t *offset) {
  for (size_t index = 0; index < made_count; index++) {
    for (size_t place = 0; made[index].start && place < made[index].size / sizeof pointer; place++) {
      if (made[index].start[place] != pointer) continue;
      *offset = place * sizeof pointer;
      return index + 1;
    }
  }
  return 0;
}

int explorer_heap_is_watching(void) { return 1; }

void explorer_heap_begin(int keeps) {
  // Memory goes back to the system at the end of the process, not of every run.
  static int kept_at_hand;
  if (!kept_at_hand) kept_at_hand = mallopt(M_TRIM_THRESHOLD, 1 << 30) && mallopt(M_MMAP_THRESHOLD, 1 << 30);
  live = double_frees = 0;
  made_count = 0;
  keeping = keeps;
  watching = 1;
}

long explorer_heap_end(void) {
  watching = 0;
  for (size_t index = 0; index < kept_count; index++) {
    // A write to a freed block shows in the pattern's place.
    __libc_free(kept[index]);
  }
  kept_count = kept_bytes = 0;
  return live;
}

int explorer_heap_pause(void) {
  int counts = watching;
  watching = 0;
  return counts;
}

void explorer_heap_resume(int counts) { watching = counts; }

long explorer_heap_double_frees(void) { return double_frees; }

// A program that frees much in one run would otherwise take all memory there is.
static void let_go_of_older_half(void) {
  size_t count = 0, bytes = 0;
  while (count < kept_count && bytes < kept_bytes / 2) {
    bytes += malloc_usable_size(kept[count]);
    __libc_free(kept[count++]);
  }
  memmove(kept, kept + count, (kept_count - count) * sizeof *kept);
  kept_count -= count;
  kept_bytes -= bytes;
}

// What nobody has written is the same in all runs, behind what was asked for, too.
static void *emptied(void *block) {
  if (watching && block) memset(block, 0, malloc_usable_size(block));
  note_made(block);
  return block;
}

void *malloc(size_t size) {
  live += watching;
  return emptied(__libc_malloc(size));
}

void *calloc(size_t count, size_t size) {
  live += watching;
  void *block = __libc_calloc(count, size);
  note_made(block);
  return block;
}

void *realloc(void *block, size_t size) {
  if (!block) live += watching;
  note_gone(block);
  block = __libc_realloc(block, size);
  note_made(block);
  return block;
}

void *memalign(size_t alignment, size_t size) {
  live += watching;
  return emptied(__libc_memalign(alignment, size));
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
  void *made = memalign(alignment, size);
  if (!made) return ENOMEM;
  *block = made;
  return 0;
}

// A bit per block that somebody waits for; several share one.
static uint64_t awaited[1024];
static void (*tell_freed)(void *);

static uint64_t hash(const void *block) { return ((uintptr_t)block >> 4) * UINT64_C(0x9E3779B97F4A7C15) >> 48; }
static uint64_t *awaited_word(const void *block) { return &awaited[hash(block) >> 6]; }
static uint64_t awaited_bit(const void *block) { return UINT64_C(1) << (hash(block) & 63); }

void explorer_observe_frees(void (*told)(void *block)) {
  tell_freed = told;
  memset(awaited, 0, sizeof awaited);
}

void explorer_await_free(const void *block) { *awaited_word(block) |= awaited_bit(block); }

size_t explorer_block_size(const void *block) { return malloc_usable_size((void *)(uintptr_t)block); }

// The system looks at the new mask before it finds that this is no way to change one.
int explorer_can_read(const void *word) {
  int error = errno;
  int can = syscall(SYS_rt_sigprocmask, ~0, word, NULL, sizeof(uint64_t)) == -1 && errno != EFAULT;
  errno = error;
  return can;
}

void free(void *block) {
  if (tell_freed && *awaited_word(block) & awaited_bit(block)) tell_freed(block);
  if (!watching || !block) {
    __libc_free(block);
    return;
  }
  note_gone(block);
  size_t size = malloc_usable_size(block);
  const unsigned char *bytes = block;
  if (keeping && size >= 16 && bytes[0] == pattern && bytes[8] == pattern && bytes[15] == pattern) {
    for (size_t index = kept_count; index-- > 0;) {
      if (kept[index] == block) {
        double_frees++;
        return;
      }
    }
  }
  live--;
  memset(block, pattern, size);
  if (!keeping) {
    __libc_free(block);
    return;
  }
  if (kept_count == kept_capacity) {
    kept_capacity = kept_capacity ? kept_capacity * 2 : 1024;
    kept = __libc_realloc(kept, kept_capacity * sizeof *kept);
  }
  kept[kept_count++] = block;
  kept_bytes += size;
  if (kept_bytes > most_kept) let_go_of_older_half();
}

#else

int explorer_heap_is_watching(void) { return 0; }
void explorer_heap_begin(int keeps) { (void)keeps; }
long explorer_heap_end(void) { return 0; }
int explorer_heap_pause(void) { return 0; }
void explorer_heap_resume(int counts) { (void)counts; }
long explorer_heap_double_frees(void) { return 0; }
void explorer_heap_record(int records) { (void)records; }
size_t explorer_heap_holder(const void *pointer, size_t *offset) {
  (void)pointer, (void)offset;
  return 0;
}
void explorer_observe_frees(void (*told)(void *block)) { (void)told; }
void explorer_await_free(const void *block) { (void)block; }
size_t explorer_block_size(const void *block) {
  (void)block;
  return 0;
}
int explorer_can_read(const void *word) {
  (void)word;
  return 0;
}

#endif
