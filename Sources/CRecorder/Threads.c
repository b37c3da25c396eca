// The threads of the process, as /proc/self/task tells of them: which are there, how long they ran, and where they
// wait. Nobody is interrupted for that: the kernel says in which system call a thread waits, and where its stack is.
#define _GNU_SOURCE
#include "Internal.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "Sampling.h"

enum {
  most_threads = 4096,
  places = 4 * most_threads,
};

/// What the kernel says of a thread's scheduling.
struct schedule { uint64_t ran, stood_ready, turns; };

/// Where a thread waits: system call (-1 for none), two of its arguments, stack pointer and code address.
struct position { int64_t call; uint64_t first, second, stack, code; };

struct thread {
  pid_t identifier;
  /// Number of its folder in /proc, and when it began in ticks: the system gives numbers of ended threads again.
  uint64_t folder;
  uint64_t began;
  int timer;
  int has_timer;
  int is_waiting;
  int has_new_total;
  unsigned seen;
  struct schedule first;
  struct schedule last;
  struct position position;
  uint64_t wait;
  uint64_t wait_looks;
  /// When it was last seen, when it was last seen elsewhere than where it waits, and the former one that waited.
  uint64_t looked;
  uint64_t elsewhere;
  uint64_t looks;
  uint64_t waiting_looks;
  uint64_t name[2];
};

static struct {
  int folder;
  int with_samples;
  int with_waits;
  unsigned round;
  /// When the last look was, and the longest time between two.
  uint64_t last_look;
  uint64_t longest_gap;
  pid_t own;
  struct thread *threads;
  size_t count;
  uint16_t *index;
  uint64_t *stack;
  struct threads_counts counts;
  int wait_error;
  int sample_error;
} tasks = {.folder = -1};

// MARK: What the kernel says

/// Reads a file of a thread. Returns its bytes, or the negative error number.
static ssize_t read_of(pid_t thread, const char *name, char *to, size_t room) {
  char path[48];
  char digits[12];
  int count = 0, length = 0;
  for (unsigned rest = (unsigned)thread; rest || !count; rest /= 10) digits[count++] = (char)('0' + rest % 10);
  while (count) path[length++] = digits[--count];
  path[length++] = '/';
  strcpy(path + length, name);
  int file = openat(tasks.folder, path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return -errno;
  ssize_t size = read(file, to, room - 1);
  int error = errno;
  close(file);
  if (size < 0) return -error;
  to[size] = 0;
  return size;
}

static const char *read_number(const char *text, uint64_t *number) {
  while (*text == ' ') text++;
  int is_negative = *text == '-';
  text += is_negative;
  unsigned base = 10;
  if (text[0] == '0' && text[1] == 'x') {
    base = 16;
    text += 2;
  }
  *number = 0;
  for (;; text++) {
    unsigned digit;
    if (*text >= '0' && *text <= '9') digit = (unsigned)(*text - '0');
    else if (base == 16 && *text >= 'a' && *text <= 'f') digit = (unsigned)(*text - 'a') + 10;
    else break;
    *number = *number * base + digit;
  }
  if (is_negative) *number = 0 - *number;
  return text;
}

/// Returns 0, or the error number.
static int read_schedule(pid_t thread, struct schedule *schedule) {
  char text[128];
  ssize_t size = read_of(thread, "schedstat", text, sizeof text);
  if (size <= 0) return size < 0 ? (int)-size : ENODATA;
  const char *at = read_number(text, &schedule->ran);
  at = read_number(at, &schedule->stood_ready);
  read_number(at, &schedule->turns);
  return 0;
}

/// Returns 1 for a thread that waits, 0 for one that runs or could, or the negative error number.
static int read_position(pid_t thread, struct position *position) {
  char text[256];
  ssize_t size = read_of(thread, "syscall", text, sizeof text);
  if (size <= 0) return size < 0 ? (int)size : -ENODATA;
  if (text[0] == 'r') return 0;
  uint64_t numbers[9];
  const char *at = text;
  int count = 0;
  while (count < 9 && *at && *at != '\n') at = read_number(at, &numbers[count++]);
  if (count != 9 && count != 3) return 0;
  *position = (struct position){(int64_t)numbers[0], count == 9 ? numbers[1] : 0, count == 9 ? numbers[2] : 0,
      numbers[count - 2], numbers[count - 1]};
  return 1;
}

/// When a thread began, in ticks since the system did; 0 where nobody tells.
static uint64_t read_beginning(pid_t thread) {
  char text[512];
  ssize_t size = read_of(thread, "stat", text, sizeof text);
  // Behind the name, which may have anything in it, the 20th number.
  const char *at = size > 0 ? strrchr(text, ')') : NULL;
  for (int field = 0; at && field < 20; field++) {
    at = strchr(at + 1, ' ');
  }
  uint64_t ticks = 0;
  if (at) read_number(at, &ticks);
  return ticks;
}

// MARK: One thread

static void put_total(struct thread *thread, uint64_t time, int has_ended) {
  thread->has_new_total = 0;
  recorder_output_begin(record_thread_total, time);
  recorder_output_put((uint64_t)thread->identifier);
  recorder_output_put(thread->last.ran - thread->first.ran);
  recorder_output_put(thread->last.stood_ready - thread->first.stood_ready);
  recorder_output_put(thread->looks);
  recorder_output_put(thread->waiting_looks);
  recorder_output_put((uint64_t)has_ended);
  recorder_output_end();
}

static void end_wait(struct thread *thread) {
  if (!thread->is_waiting) return;
  thread->is_waiting = 0;
  recorder_output_begin(record_wait_end, thread->looked);
  recorder_output_put(thread->wait);
  recorder_output_put(thread->wait_looks);
  recorder_output_end();
}

/// Says where a thread waits, with its stack, if it still does once that was read.
static void begin_wait(
    struct thread *thread, const struct position *position, const struct schedule *schedule, int knows, uint64_t time) {
  if (recorder_output_is_full()) return;
  recorder_output_want_code(position->code);
  uintptr_t base = position->stack & ~(uintptr_t)7;
  size_t words = probe_copy_memory(tasks.stack, base, most_stack) / 8;
  struct schedule again;
  struct position there;
  // One that has run meanwhile has written to its stack.
  if (knows ? read_schedule(thread->identifier, &again) != 0 || again.turns != schedule->turns ||
                  again.ran != schedule->ran
            : read_position(thread->identifier, &there) != 1 || memcmp(&there, position, sizeof there) != 0)
    return;
  thread->is_waiting = 1;
  thread->position = *position;
  thread->wait = ++tasks.counts.waits;
  thread->wait_looks = 1;
  recorder_output_begin(record_wait, time);
  recorder_output_put(thread->wait);
  recorder_output_put((uint64_t)thread->identifier);
  recorder_output_put(thread->elsewhere);
  recorder_output_put((uint64_t)position->call);
  recorder_output_put(position->first);
  recorder_output_put(position->second);
  recorder_output_put(position->stack);
  recorder_output_put(position->code);
  recorder_output_put_stack(base, tasks.stack, words);
  recorder_output_end();
}

/// Writes a thread's name, if it is new: threads are given theirs when they run already.
static void put_name(struct thread *thread, uint64_t time, int is_new) {
  char name[32] = {0};
  uint64_t words[2] = {0, 0};
  ssize_t size = read_of(thread->identifier, "comm", name, sizeof name);
  if (size > 0 && name[size - 1] == '\n') size--;
  if (size > 0) memcpy(words, name, size < 16 ? (size_t)size : 16);
  if (!is_new && (size <= 0 || memcmp(words, thread->name, sizeof words) == 0)) return;
  memcpy(thread->name, words, sizeof words);
  recorder_output_begin(record_thread, time);
  recorder_output_put((uint64_t)thread->identifier);
  recorder_output_put_words(words, 2);
  recorder_output_end();
}

/// Reads how long a thread ran, and where it waits if that is asked for.
static void look_at(struct thread *thread, const struct schedule *now, int knows, uint64_t time) {
  int has_run = !knows || now->ran != thread->last.ran || now->turns != thread->last.turns;
  if (knows) thread->last = *now;
  thread->has_new_total = 1;
  thread->looks++;
  // Each look that is twice as late as the one that has read the name before.
  if ((thread->looks & (thread->looks - 1)) == 0) put_name(thread, time, 0);
  if (!tasks.with_waits) return;
  if (!thread->is_waiting || has_run) {
    struct position position;
    int waits = read_position(thread->identifier, &position);
    if (waits < 0 && waits != -ESRCH && waits != -ENOENT) tasks.wait_error = -waits;
    // Without the kernel's count of turns, who waits at the same place is taken not to have left it.
    int is_same =
        !knows && waits == 1 && thread->is_waiting && memcmp(&position, &thread->position, sizeof position) == 0;
    if (!is_same) {
      if (has_run) thread->elsewhere = thread->looked;
      end_wait(thread);
      if (waits == 1) begin_wait(thread, &position, &thread->last, knows, time);
      if (thread->is_waiting) thread->waiting_looks++;
      else thread->elsewhere = time;
      thread->looked = time;
      return;
    }
  }
  thread->wait_looks++;
  thread->waiting_looks++;
  thread->looked = time;
}

// MARK: All threads

static size_t place_of(pid_t thread) { return ((size_t)(unsigned)thread * 2654435761u) % places; }

static struct thread *find(pid_t identifier) {
  for (size_t place = place_of(identifier); tasks.index[place]; place = (place + 1) % places) {
    struct thread *thread = tasks.threads + tasks.index[place] - 1;
    if (thread->identifier == identifier) return thread;
  }
  return NULL;
}

static void enter(size_t number) {
  size_t place = place_of(tasks.threads[number].identifier);
  while (tasks.index[place]) place = (place + 1) % places;
  tasks.index[place] = (uint16_t)(number + 1);
}

static void begin_sampling(struct thread *thread) {
  if (!tasks.with_samples) return;
  int error = recorder_capture_begin(thread->identifier, &thread->timer);
  thread->has_timer = error == 0;
  // It may have ended meanwhile.
  if (error && error != ESRCH && error != EINVAL) {
    tasks.sample_error = error;
    tasks.counts.left_out++;
  }
}

static void end_sampling(struct thread *thread) {
  if (thread->has_timer) recorder_capture_end(thread->timer);
  thread->has_timer = 0;
}

/// Begins to follow a thread, of which nothing was known at the look before.
static void begin_thread(struct thread *thread, pid_t identifier, uint64_t folder, uint64_t time) {
  *thread = (struct thread){
      .identifier = identifier, .folder = folder, .looked = tasks.last_look, .elsewhere = tasks.last_look};
  thread->began = read_beginning(identifier);
  // A thread that began after the recording has run since then; of others it counts from here.
  read_schedule(identifier, &thread->last);
  if (tasks.counts.looks == 1 || tasks.counts.left_out) thread->first = thread->last;
  begin_sampling(thread);
  put_name(thread, time, 1);
}

static struct thread *add_thread(pid_t identifier, uint64_t folder, uint64_t time) {
  if (tasks.count == most_threads) return NULL;
  begin_thread(tasks.threads + tasks.count, identifier, folder, time);
  enter(tasks.count++);
  tasks.counts.threads = tasks.count;
  return tasks.threads + tasks.count - 1;
}

static void end_thread(struct thread *thread, uint64_t time, int has_ended) {
  end_wait(thread);
  end_sampling(thread);
  put_total(thread, time, has_ended);
}

/// Whether a thread is another one than that which had its number before.
static int is_another(const struct thread *thread, uint64_t folder, const struct schedule *now, int knows) {
  if (knows && (now->ran < thread->last.ran || now->turns < thread->last.turns)) return 1;
  // The same thread may get another folder, where the system has forgotten it meanwhile.
  return folder != thread->folder && read_beginning(thread->identifier) != thread->began;
}

int recorder_threads_start(int with_samples, int with_waits) {
  if (!tasks.threads) {
    size_t sizes[3] = {sizeof(struct thread) * most_threads, sizeof(uint16_t) * places, most_stack};
    char *memory = mmap(
        NULL, sizes[0] + sizes[1] + sizes[2], PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
        0);
    if (memory == MAP_FAILED) return errno;
    tasks.threads = (struct thread *)memory;
    tasks.index = (uint16_t *)(memory + sizes[0]);
    tasks.stack = (uint64_t *)(memory + sizes[0] + sizes[1]);
  }
  tasks.folder = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (tasks.folder < 0) return errno;
  tasks.with_samples = with_samples;
  tasks.with_waits = with_waits;
  tasks.own = (pid_t)syscall(SYS_gettid);
  tasks.count = 0;
  tasks.counts = (struct threads_counts){0, 0, 0, 0};
  tasks.wait_error = 0;
  tasks.sample_error = 0;
  tasks.last_look = 0;
  tasks.longest_gap = 0;
  memset(tasks.index, 0, sizeof(uint16_t) * places);
  return 0;
}

void recorder_threads_look(void) {
  tasks.round++;
  tasks.counts.looks++;
  uint64_t time = recorder_output_moment();
  lseek(tasks.folder, 0, SEEK_SET);
  // As the kernel gives it: what the C library reads folders by allocates.
  struct entry { uint64_t inode; int64_t next; uint16_t length; uint8_t kind; char name[]; };
  _Alignas(8) char entries[8192];
  long size;
  uint64_t too_many = 0;
  while ((size = syscall(SYS_getdents64, tasks.folder, entries, sizeof entries)) > 0) {
    for (long at = 0; at < size;) {
      const struct entry *entry = (const struct entry *)(entries + at);
      at += entry->length;
      if (entry->name[0] < '0' || entry->name[0] > '9') continue;
      uint64_t number;
      read_number(entry->name, &number);
      if ((pid_t)number == tasks.own) continue;
      struct thread *thread = find((pid_t)number);
      if (!thread) thread = add_thread((pid_t)number, entry->inode, time);
      if (!thread) {
        // Too many, in this look.
        too_many++;
        continue;
      }
      struct schedule now = thread->last;
      int knows = read_schedule((pid_t)number, &now) == 0;
      if (is_another(thread, entry->inode, &now, knows)) {
        end_thread(thread, time, 1);
        begin_thread(thread, (pid_t)number, entry->inode, time);
        now = thread->last;
      }
      thread->folder = entry->inode;
      thread->seen = tasks.round;
      look_at(thread, &now, knows, time);
    }
  }
  if (tasks.counts.left_out < too_many) tasks.counts.left_out = too_many;
  if (time - tasks.last_look > tasks.longest_gap) tasks.longest_gap = time - tasks.last_look;
  tasks.last_look = time;
  size_t before = tasks.count;
  for (size_t number = 0; number < tasks.count;) {
    struct thread *thread = tasks.threads + number;
    if (thread->seen == tasks.round) {
      number++;
      continue;
    }
    end_thread(thread, time, 1);
    *thread = tasks.threads[--tasks.count];
  }
  if (tasks.count == before) return;
  memset(tasks.index, 0, sizeof(uint16_t) * places);
  for (size_t number = 0; number < tasks.count; number++) enter(number);
  tasks.counts.threads = tasks.count;
}

void recorder_threads_put_totals(void) {
  for (size_t number = 0; number < tasks.count; number++) {
    struct thread *thread = tasks.threads + number;
    if (thread->has_new_total) put_total(thread, tasks.last_look, 0);
  }
}

void recorder_threads_end_sampling(void) {
  tasks.with_samples = 0;
  for (size_t number = 0; number < tasks.count; number++) end_sampling(tasks.threads + number);
}

void recorder_threads_stop(void) {
  uint64_t time = recorder_output_moment();
  for (size_t number = 0; number < tasks.count; number++) {
    struct thread *thread = tasks.threads + number;
    // What waits still has no end.
    end_sampling(thread);
    struct schedule now;
    if (read_schedule(thread->identifier, &now) == 0 && now.ran >= thread->last.ran) thread->last = now;
    put_name(thread, time, 0);
    put_total(thread, time, 0);
  }
  tasks.count = 0;
  close(tasks.folder);
  tasks.folder = -1;
}

void recorder_threads_forget(void) {
  if (tasks.folder >= 0) close(tasks.folder);
  tasks.folder = -1;
  tasks.count = 0;
}

struct threads_counts recorder_threads_counts(void) { return tasks.counts; }
int recorder_threads_wait_error(void) { return tasks.wait_error; }
uint64_t recorder_threads_last_look(void) { return tasks.last_look; }
uint64_t recorder_threads_longest_gap(void) { return tasks.longest_gap; }
int recorder_threads_sample_error(void) { return tasks.sample_error; }

#endif
