// Call stacks of the calls that are counted: each different stack is kept once, with what it weighs. Nothing is unwound
// here; a stack is told from others by its frame pointers,
// and its registers and the memory of the stack are kept for the reader.
#define _GNU_SOURCE
#include "GaugeHooks.h"
#include "Internal.h"
#include "Whatif.h"

#if GAUGE_HOOKS_ACTIVE && (defined(__x86_64__) || defined(__aarch64__))

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

_Atomic int hooks_recorded;

enum {
#if defined(__x86_64__)
  registers = 17, frame_register = 6, stack_register = 7, code_register = 16, machine = 62,
#else
  registers = 33, frame_register = 29, stack_register = 31, code_register = 32, machine = 183,
#endif
  header_words = 16,
  most_weights = 4,
  /// Both are powers of two.
  most_stacks = 1 << 16,
  most_blocks = 1 << 21,
  /// Bytes of a stack that are kept.
  most_stack = 24 * 1024,
  most_ranges = 128,
  most_types = 4096,
  most_chain_words = 137,
};

/// Bytes of all stacks that are kept.
static const size_t copies_size = (size_t)1 << 29;

struct stack {
  uint64_t key;
  uint64_t weights[most_weights];
  uint64_t type;
  uint64_t thread;
  uint64_t registers[3];
  const uint64_t *words;
  uint64_t count;
  /// Behind the words: who awaits the asynchronous functions.
  uint64_t chain_words;
  /// Its place in the file, from 1 on.
  uint64_t number;
};

/// A live block that was allocated while stacks were recorded.
struct block {
  uintptr_t address;
  uint64_t size;
  size_t stack;
};

static struct {
  struct stack *stacks;
  size_t used;
  struct block *blocks;
  size_t live;
  unsigned char *copies;
  size_t copied;
  uint64_t lost;
  uint64_t calls;
  struct gauge_hooks_root root;
  gauge_hooks_follow follow;
  struct {
    uintptr_t start, end;
  } code[most_ranges], own;
  size_t ranges;
  atomic_flag lock;
} recording = {.lock = ATOMIC_FLAG_INIT};

/// The stack of this thread, asked for once; while it is asked for nothing is recorded, as asking allocates.
static __thread struct {
  uintptr_t end;
  int busy;
} bounds __attribute__((tls_model("initial-exec")));

static void lock(void) {
  while (atomic_flag_test_and_set_explicit(&recording.lock, memory_order_acquire)) sched_yield();
}

static void unlock(void) { atomic_flag_clear_explicit(&recording.lock, memory_order_release); }

static uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ hash >> 29;
}

// MARK: One call

static int is_code(uintptr_t address) {
  for (size_t index = 0; index < recording.ranges; index++) {
    if (address >= recording.code[index].start && address < recording.code[index].end) return 1;
  }
  return 0;
}

static int is_own(uintptr_t address) { return address >= recording.own.start && address < recording.own.end; }

static uintptr_t stack_end(void) {
  if (bounds.end) return bounds.end;
  bounds.busy = 1;
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    void *start;
    size_t size;
    if (pthread_attr_getstack(&attributes, &start, &size) == 0) bounds.end = (uintptr_t)start + size;
    pthread_attr_destroy(&attributes);
  }
  bounds.busy = 0;
  return bounds.end;
}

/// What tells one stack from another: the return addresses along the frame pointers, or, where those end too early,
/// whatever on the stack points into code.
static uint64_t key_of(const uint64_t *at, uintptr_t end, uintptr_t root) {
  uintptr_t stack = at[1];
  uint64_t key = mix(mix(1, at[2]), end - stack);
  uintptr_t frame = at[0];
  while (frame >= stack && frame + 16 <= end && frame % 8 == 0) {
    if (frame == root) return key;
    const uintptr_t *words = (const uintptr_t *)frame;
    key = mix(key, words[1]);
    if (words[0] == 0) return key;
    if (words[0] <= frame) break;
    frame = words[0];
  }
  for (uintptr_t address = stack; address + 8 <= end; address += 8) {
    uintptr_t word = *(const uintptr_t *)address;
    if (is_code(word)) key = mix(key, word);
  }
  return key;
}

/// Finds or makes the entry of a thread's stack; under the lock. Returns its index,
/// or `most_stacks` where there is no room.
static size_t entry(uint64_t key, uint64_t thread, uint64_t type, const uint64_t *at, uintptr_t end,
    const uint64_t *chains, size_t chain_words) {
  size_t index = key % most_stacks;
  while (recording.stacks[index].key && recording.stacks[index].key != key) index = (index + 1) % most_stacks;
  struct stack *stack = &recording.stacks[index];
  if (stack->key) return index;
  size_t size = (end - at[1]) & ~(size_t)7;
  size_t all = size + chain_words * 8;
  if (recording.used >= most_stacks / 4 * 3 || all > copies_size - recording.copied) return most_stacks;
  recording.used++;
  unsigned char *copy = recording.copies + recording.copied;
  recording.copied += all;
  memcpy(copy, (const void *)at[1], size);
  memcpy(copy + size, chains, chain_words * 8);
  *stack = (struct stack){.key = key, .type = type, .thread = thread,
      .registers = {at[0], at[1], at[2]}, .words = (const uint64_t *)(const void *)copy, .count = size / 8,
      .chain_words = chain_words};
  return index;
}

__attribute__((noinline)) void hooks_locate(struct hooks_place *place) {
  const uint64_t *frame = __builtin_frame_address(0);
  while (is_own(frame[1])) frame = (const uint64_t *)frame[0];
  // Frame pointer, stack pointer and code address behind the call.
  place->registers[0] = frame[0];
  place->registers[1] = (uint64_t)frame + 16;
  place->registers[2] = frame[1];
  place->end = stack_end();
}

/// Finds the entry of a thread's stack, and leaves it locked.
static size_t enter_at(const struct hooks_place *place, uint64_t thread, uint64_t type) {
  const uint64_t *at = place->registers;
  uintptr_t end = place->end;
  uintptr_t root = 0;
  // In a program that is built without frame pointers the root's may be any number.
  if (thread == recording.root.thread && recording.root.frame >= at[1] && recording.root.frame <= end - 16) {
    root = recording.root.frame;
    end = root + 16;
  }
  if (end < at[1]) end = at[1];
  if (end - at[1] > most_stack) end = at[1] + most_stack;
  uint64_t key = mix(key_of(at, end, root), type) | 1;
  // Where the stack ends at its root nobody awaits.
  uint64_t chains[most_chain_words] = {0};
  size_t chain_words = 1;
  if (!root && recording.follow) {
    const uint64_t *stack = (const uint64_t *)at[1];
    chain_words = (size_t)(recording.follow(chains, stack, at[1], (end - at[1]) / 8, at[0]) - chains);
    for (size_t word = 0; word < chain_words; word++) key = mix(key, chains[word]) | 1;
  }
  lock();
  size_t index = entry(key, thread, type, at, end, chains, chain_words);
  if (index == most_stacks) recording.lost++;
  return index;
}

/// Finds the stack of the function that has called into this library, and leaves its entry locked.
static __attribute__((noinline)) size_t enter(uint64_t type) {
  // A retain or an allocation may stand between a call that failed and whoever asks why.
  int error = errno;
  struct hooks_place place;
  hooks_locate(&place);
  size_t index = enter_at(&place, (uint64_t)syscall(SYS_gettid), type);
  errno = error;
  recording.calls++;
  return index;
}

size_t hooks_keep_stack(const struct hooks_place *place, uint64_t thread, uint64_t type) {
  size_t index = enter_at(place, thread, type);
  unlock();
  return index == most_stacks ? 0 : index + 1;
}

void hooks_weigh_stack(size_t stack, size_t weight, uint64_t amount) {
  if (stack == 0) return;
  lock();
  recording.stacks[stack - 1].weights[weight] += amount;
  unlock();
}

uint64_t hooks_stack_number(size_t stack) { return stack == 0 ? 0 : recording.stacks[stack - 1].number; }

static size_t place(uintptr_t address) {
  size_t index = mix(7, address) % most_blocks;
  while (recording.blocks[index].address && recording.blocks[index].address != address) {
    index = (index + 1) % most_blocks;
  }
  return index;
}

/// Takes a block off those that are live.
static void take_off(const struct block *block) {
  uint64_t *weights = recording.stacks[block->stack].weights;
  weights[2]--;
  weights[3] -= block->size;
}

static int recorded(void) { return atomic_load_explicit(&hooks_recorded, memory_order_relaxed); }

int hooks_record_allocation(const void *block, size_t bytes) {
  if (bounds.busy) return 0;
  if (recorded() & gauge_hooks_timeline_allocations) {
    hooks_put_event(hooks_reallocates ? event_ends_reallocating : event_allocates, block, bytes,
        hooks_reallocates ? 0 : (uint64_t)hooks_object_type);
  }
  if (recorded() != gauge_hooks_record_allocations) return 1;
  size_t index = enter(0);
  if (index < most_stacks) {
    uint64_t *weights = recording.stacks[index].weights;
    weights[0]++;
    weights[1] += bytes;
    if (recording.live < most_blocks / 4 * 3) {
      weights[2]++;
      weights[3] += bytes;
      struct block *place_of_it = &recording.blocks[place((uintptr_t)block)];
      // What had the address before was freed while nothing was recorded.
      if (place_of_it->address) take_off(place_of_it);
      else recording.live++;
      *place_of_it = (struct block){(uintptr_t)block, bytes, index};
    }
  }
  unlock();
  return 1;
}

int hooks_record_free(const void *block) {
  if (bounds.busy) return 0;
  if (recorded() & gauge_hooks_timeline_allocations) {
    hooks_put_event(hooks_reallocates ? event_begins_reallocating : event_frees, block, 0, 0);
  }
  if (recorded() != gauge_hooks_record_allocations) return 1;
  lock();
  size_t hole = place((uintptr_t)block);
  struct block gone = recording.blocks[hole];
  if (gone.address) {
    take_off(&gone);
    recording.live--;
    // Entries behind the hole move up, so that each is found from its first place on.
    for (size_t next = (hole + 1) % most_blocks; recording.blocks[next].address; next = (next + 1) % most_blocks) {
      size_t first = mix(7, recording.blocks[next].address) % most_blocks;
      if ((next - first) % most_blocks < (next - hole) % most_blocks) continue;
      recording.blocks[hole] = recording.blocks[next];
      hole = next;
    }
    recording.blocks[hole].address = 0;
  }
  unlock();
  return 1;
}

void hooks_record_no_reallocation(size_t bytes) {
  if (bounds.busy || !(recorded() & gauge_hooks_timeline_allocations)) return;
  hooks_put_event(event_ends_reallocating, NULL, bytes, 0);
}

void hooks_record_reference(const void *object, int is_release, uint32_t count) {
  int what = recorded();
  if (bounds.busy || !(what == gauge_hooks_record_references || what & gauge_hooks_timeline_references)) return;
  // Null and numbers with the top bit are no objects; every other one begins with the address of its type.
  uint64_t type = 0;
  uintptr_t address = (intptr_t)object > 0 ? (uintptr_t)object & UINT64_C(0xfffffffffffff8) : 0;
  if (address) type = *(const uint64_t *)address;
  if (what & gauge_hooks_timeline_references) {
    hooks_put_event(is_release ? event_releases : event_retains, (const void *)address, count, type);
    return;
  }
  size_t index = enter(type);
  if (index < most_stacks) recording.stacks[index].weights[is_release]++;
  unlock();
}

// MARK: Starting and stopping

static int find_code(struct dl_phdr_info *object, size_t size, void *context) {
  (void)size, (void)context;
  for (size_t index = 0; index < object->dlpi_phnum && recording.ranges < most_ranges; index++) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
    if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X)) continue;
    uintptr_t start = object->dlpi_addr + segment->p_vaddr;
    recording.code[recording.ranges].start = start;
    recording.code[recording.ranges++].end = start + segment->p_memsz;
    if ((uintptr_t)find_code - start < segment->p_memsz) {
      recording.own.start = start;
      recording.own.end = start + segment->p_memsz;
    }
  }
  return 0;
}

void hooks_find_code(void) {
  recording.ranges = 0;
  dl_iterate_phdr(find_code, NULL);
}

/// A child of the process records nothing: nobody reads it, and the thread that has the lock may not be in the child.
static void stop_in_child(void) {
  atomic_store(&hooks_recorded, 0);
  unlock();
}

int gauge_hooks_prepare_recording(struct gauge_hooks_root root, gauge_hooks_follow follow) {
  if (recording.stacks) return EBUSY;
  recording.stacks = hooks_map(most_stacks * sizeof(struct stack));
  recording.blocks = hooks_map(most_blocks * sizeof(struct block));
  recording.copies = hooks_map(copies_size);
  if (!recording.stacks || !recording.blocks || !recording.copies) return ENOMEM;
  int error = pthread_atfork(NULL, NULL, stop_in_child);
  if (!error) error = hooks_prepare_timeline();
  if (error) return error;
  hooks_find_code();
  recording.root = root;
  recording.follow = follow;
  return 0;
}

size_t gauge_hooks_record(int what) {
  int before = atomic_load_explicit(&hooks_recorded, memory_order_relaxed);
  if (what == gauge_hooks_record_waits) hooks_begin_waits();
  if (what & gauge_hooks_record_timeline) hooks_mark(event_begins_operation);
  atomic_store(&hooks_recorded, what);
  if (before & gauge_hooks_record_timeline && what == 0) hooks_mark(event_ends_operation);
  if (before == gauge_hooks_record_waits && what == 0) return hooks_end_waits();
  return recording.calls + hooks_count_events();
}

// MARK: The file

static void put_padded(struct hooks_output *output, const char *text, size_t size) {
  static const char zeros[8];
  hooks_put(output, text, size);
  hooks_put(output, zeros, (8 - size % 8) % 8);
}

static size_t read_map(char *text, size_t capacity) {
  int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  size_t size = 0;
  ssize_t count;
  while ((count = read(file, text + size, capacity - size)) > 0) size += (size_t)count;
  close(file);
  return size;
}

/// Finds the name of a type, or of the cause of a wait. Returns its length.
static size_t name_of(uint64_t type, int what, const char **name) {
  // Nothing is in the first page.
  int is_cause = what == gauge_hooks_record_waits || what == gauge_hooks_record_experiments
      || (what & gauge_hooks_record_timeline && type < 4096);
  return is_cause ? hooks_cause_name(type, name) : hooks_type_name((const void *)type, name);
}

/// Writes the name of each type that a stack has: its address, a tabulator, its name, a line feed.
/// Of a wait it is its cause.
static size_t name_types(char *text, size_t capacity, int what) {
  static uint64_t named[most_types];
  size_t count = 0, size = 0;
  for (size_t index = 0; index < most_stacks && count < most_types; index++) {
    uint64_t type = recording.stacks[index].type;
    if (!type) continue;
    size_t known = 0;
    while (known < count && named[known] != type) known++;
    if (known < count) continue;
    named[count++] = type;
    const char *name;
    size_t length = name_of(type, what, &name);
    int written = snprintf(text + size, capacity - size, "%llx\t%.*s\n", (unsigned long long)type, (int)length, name);
    if (written < 0 || (size_t)written >= capacity - size) break;
    size += (size_t)written;
  }
  return size;
}

static void put_stack(struct hooks_output *output, const struct stack *stack, size_t weights) {
  uint64_t head[5 + most_weights + registers + 2] = {0};
  size_t next = 1;
  head[next++] = stack->thread;
  head[next++] = stack->type;
  head[next++] = weights;
  for (size_t index = 0; index < weights; index++) head[next++] = stack->weights[index];
  head[next++] = registers;
  head[next + frame_register] = stack->registers[0];
  head[next + stack_register] = stack->registers[1];
  head[next + code_register] = stack->registers[2];
  next += registers;
  head[next++] = stack->registers[1];
  head[next++] = stack->count;
  uint64_t length = next + stack->count + stack->chain_words;
  head[0] = length;
  hooks_put(output, &length, sizeof length);
  hooks_put(output, head, next * sizeof *head);
  hooks_put(output, stack->words, (stack->count + stack->chain_words) * 8);
}

int gauge_hooks_write_recording(const char *path, int what) {
  enum { capacity = 4 << 20 };
  char *text = hooks_map(2 * capacity);
  if (!text || !recording.stacks) return ENOMEM;
  char *types = text + capacity;
  size_t map_size = read_map(text, capacity);
  size_t types_size = name_types(types, capacity, what);
  struct hooks_output output = {open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), 0};
  if (output.file < 0) return errno;
  // A thread that was within a call when the recording ended has yet to keep its stack.
  lock();
  uint64_t number = 0;
  for (size_t index = 0; index < most_stacks; index++) {
    if (recording.stacks[index].key) recording.stacks[index].number = ++number;
  }
  int is_waits = what == gauge_hooks_record_waits, is_timeline = what & gauge_hooks_record_timeline;
  int has_experiments = what == gauge_hooks_record_experiments;
  // SampleFile.swift describes the words.
  uint64_t source = is_timeline ? 6 : is_waits ? 5 : has_experiments ? 7 : 4;
  uint64_t header[header_words] = {UINT64_C(0x504d415345475547), 1, machine, source, 0,
      recording.root.code, recording.root.frame, recording.root.thread, recording.lost, 0, 0, 0, map_size, types_size,
      recording.used, is_timeline ? hooks_size_of_timeline() : is_waits ? hooks_size_of_waits()
          : has_experiments ? hooks_size_of_experiments() : 0};
  hooks_put(&output, header, sizeof header);
  put_padded(&output, text, map_size);
  put_padded(&output, types, types_size);
  if (is_waits) hooks_put_waits(&output);
  if (is_timeline) hooks_put_timeline(&output);
  if (has_experiments) hooks_put_experiments(&output);
  for (size_t index = 0; index < most_stacks; index++) {
    if (recording.stacks[index].key) {
      size_t weights = is_timeline ? 0 : what == gauge_hooks_record_allocations ? 4 : 2;
      put_stack(&output, &recording.stacks[index], weights);
    }
  }
  unlock();
  if (close(output.file) != 0 && !output.error) output.error = errno;
  munmap(text, 2 * capacity);
  return output.error;
}

#elif GAUGE_HOOKS_ACTIVE

// Nothing is recorded on this kind of processor: nobody starts it.
_Atomic int hooks_recorded;
int hooks_record_allocation(const void *block, size_t bytes) { return 1; }
int hooks_record_free(const void *block) { return 1; }
void hooks_record_reference(const void *object, int is_release, uint32_t count) {}
void hooks_record_no_reallocation(size_t bytes) {}

#endif
