// The recorder's file: words, collected in memory that was mapped before and written by the recorder's thread alone.
// Nothing here allocates or takes a lock, as the process may hang in one.
#define _GNU_SOURCE
#include "Internal.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "Sampling.h"

enum {
  room_words = 64 * 1024,
  /// Most words of a record that isn't text.
  most_record = 8192,
  /// Bytes of the lines of code of a map, and those that are read at a time.
  text_room = 2 * 1024 * 1024,
  piece_room = 64 * 1024,
  most_ranges = 4096,
  second = 1000000000,
  /// Nanoseconds between two readings of the map, at least: one that has taken some CPU time is followed by so many
  /// times that without one, but by no more than a minute. A sample in code that isn't known has it read sooner.
  map_period = second,
  rest_after_map = 1000,
  wanted_map_period = second / 10,
  rest_after_wanted_map = 100,
};

#define longest_map_rest (60ull * second)

struct range { uintptr_t start, end; };

static struct {
  int file;
  int error;
  uint64_t start;
  uint64_t written;
  uint64_t largest;
  uint64_t *words;
  size_t count;
  size_t record;
  char *text;
  char *piece;
  /// Where the file stays once all is well, and where it is meanwhile; empty for none.
  char path[1024];
  char new_path[1100];
  uint64_t map_sum;
  /// When the map may be read next, and when for code that isn't known.
  uint64_t next_map;
  uint64_t next_wanted_map;
  int map_was_cut;
  struct range *ranges;
  size_t range_count;
  /// The lowest address of code, and from there to behind the highest.
  uint64_t code;
  uint64_t code_size;
} output = {.file = -1};

static uint64_t nanoseconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

uint64_t recorder_now(void) { return nanoseconds(CLOCK_MONOTONIC); }
uint64_t recorder_own_time(void) { return nanoseconds(CLOCK_THREAD_CPUTIME_ID); }
uint64_t recorder_process_time(void) { return nanoseconds(CLOCK_PROCESS_CPUTIME_ID); }
uint64_t recorder_output_moment(void) { return recorder_now() - output.start; }

static void write_out(const void *bytes, size_t size) {
  const char *next = bytes;
  while (size > 0 && !output.error) {
    ssize_t count = write(output.file, next, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      output.error = count < 0 ? errno : EIO;
      break;
    }
    next += count;
    size -= (size_t)count;
    output.written += (uint64_t)count;
  }
}

/// Opens a file that isn't there. Returns 0, or the error number.
static int open_new(const char *path) {
  output.file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
  return output.file < 0 ? errno : 0;
}

/// Opens a file beside one that it will replace, once the recording is under way. Returns 0, or the error number.
static int open_beside(const char *path) {
  struct stat state;
  if (lstat(path, &state) == 0 && !S_ISREG(state.st_mode)) {
    return S_ISDIR(state.st_mode) ? EISDIR : S_ISLNK(state.st_mode) ? ELOOP : recorder_is_no_file;
  }
  const char *slash = strrchr(path, '/');
  int folder = slash ? (int)(slash - path) + 1 : 0;
  int error = EEXIST;
  for (int number = 0; error == EEXIST && number < 100; number++) {
    snprintf(output.new_path, sizeof output.new_path, "%.*s.gauge-%d-%d.new", folder, path, (int)getpid(), number);
    error = open_new(output.new_path);
  }
  return error;
}

int recorder_output_open(const char *path, int is_new, uint64_t sample_period, uint64_t look_period, uint64_t largest) {
  if (!output.words) {
    size_t ranges = most_ranges * sizeof *output.ranges;
    char *memory = mmap(
        NULL, room_words * 8 + text_room + piece_room + ranges, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
        0);
    if (memory == MAP_FAILED) return errno;
    output.words = (uint64_t *)memory;
    output.text = memory + room_words * 8;
    output.piece = output.text + text_room;
    output.ranges = (struct range *)(output.piece + piece_room);
  }
  output.new_path[0] = 0;
  int error = is_new ? open_new(path) : open_beside(path);
  if (error) return error;
  snprintf(output.path, sizeof output.path, "%s", path);
  output.error = 0;
  output.written = 0;
  output.count = 0;
  output.map_sum = 0;
  output.next_map = output.next_wanted_map = 0;
  output.map_was_cut = 0;
  output.largest = largest;
  output.start = recorder_now();
  // "GAUGEREC"
  const uint64_t head[16] = {UINT64_C(0x4345524547554147), 1, probe_machine, (uint64_t)getpid(),
      nanoseconds(CLOCK_REALTIME), output.start, sample_period, look_period, probe_registers};
  recorder_output_put_words(head, 16);
  recorder_output_begin(record_program, 0);
  ssize_t length = readlink("/proc/self/exe", output.text, text_room);
  recorder_output_put_text(output.text, length < 0 ? 0 : (size_t)length);
  recorder_output_end();
  error = recorder_output_flush();
  if (error) recorder_output_discard();
  return error;
}

int recorder_output_commit(void) {
  if (output.new_path[0] && rename(output.new_path, output.path) != 0) return errno;
  output.new_path[0] = 0;
  // What an earlier recording has left there is of other stacks.
  char heap[1100];
  snprintf(heap, sizeof heap, "%s.heap", output.path);
  unlink(heap);
  return 0;
}

void recorder_output_discard(void) {
  unlink(output.new_path[0] ? output.new_path : output.path);
  close(output.file);
  output.file = -1;
}

void recorder_output_begin(enum record_kind kind, uint64_t time) {
  if (output.count > room_words - most_record) recorder_output_flush();
  output.record = output.count;
  recorder_output_put((uint64_t)kind << 32);
  recorder_output_put(time);
}

void recorder_output_put(uint64_t word) {
  if (output.count < room_words) output.words[output.count++] = word;
}

void recorder_output_put_words(const uint64_t *words, size_t count) {
  for (size_t index = 0; index < count; index++) recorder_output_put(words[index]);
}

void recorder_output_end(void) { output.words[output.record] |= output.count - output.record; }

int recorder_output_flush(void) {
  write_out(output.words, output.count * 8);
  output.count = 0;
  return output.error;
}

int recorder_output_close(void) {
  int error = recorder_output_flush();
  if (close(output.file) != 0 && !error) error = errno;
  output.file = -1;
  return error;
}

void recorder_output_forget(void) {
  if (output.file >= 0) close(output.file);
  output.file = -1;
}

int recorder_output_is_full(void) { return output.written + output.count * 8 >= output.largest; }

void recorder_output_put_text(const char *text, size_t size) {
  recorder_output_put(size);
  for (size_t at = 0; at < size; at += 8) {
    uint64_t word = 0;
    memcpy(&word, text + at, size - at < 8 ? size - at : 8);
    recorder_output_put(word);
  }
}

// MARK: Stacks

static int is_code(uint64_t address) {
  if (address - output.code >= output.code_size) return 0;
  size_t low = 0, high = output.range_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (output.ranges[middle].start <= address) low = middle + 1;
    else high = middle;
  }
  return low > 0 && address < output.ranges[low - 1].end;
}

void recorder_output_put_stack(uintptr_t base, const uint64_t *words, size_t count) {
  size_t bits = (count + 63) / 64;
  recorder_output_put(base);
  recorder_output_put(count);
  size_t marks = output.count;
  for (size_t index = 0; index < bits; index++) recorder_output_put(0);
  for (size_t index = 0; index < count; index++) {
    uint64_t word = words[index];
    // Addresses to return to, and frame pointers. Most words are small numbers.
    if (word < 4096 || (word - base >= count * 8 && !is_code(word))) continue;
    output.words[marks + index / 64] |= UINT64_C(1) << (index % 64);
    recorder_output_put(word);
  }
}

// MARK: Where code is

static const char *read_hexadecimal(const char *text, const char *end, uint64_t *number) {
  *number = 0;
  for (; text < end; text++) {
    char letter = *text;
    unsigned digit;
    if (letter >= '0' && letter <= '9') digit = (unsigned)(letter - '0');
    else if (letter >= 'a' && letter <= 'f') digit = (unsigned)(letter - 'a') + 10;
    else break;
    *number = *number << 4 | digit;
  }
  return text;
}

/// Finds the number of a build in a file that was loaded. Returns its bytes.
static size_t find_build(uintptr_t start, unsigned char *to, size_t room) {
  Elf64_Ehdr head;
  if (probe_copy_memory(&head, start, sizeof head) != sizeof head || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
      head.e_phentsize != sizeof(Elf64_Phdr))
    return 0;
  int has_bias = 0;
  uintptr_t bias = 0;
  for (unsigned index = 0; index < head.e_phnum && index < 64; index++) {
    Elf64_Phdr part;
    if (probe_copy_memory(&part, start + head.e_phoff + index * sizeof part, sizeof part) != sizeof part) return 0;
    if (part.p_type == PT_LOAD && !has_bias) {
      bias = start - part.p_vaddr + part.p_offset;
      has_bias = 1;
    }
    if (part.p_type != PT_NOTE) continue;
    char notes[4096];
    size_t size = part.p_filesz < sizeof notes ? part.p_filesz : sizeof notes;
    // Where the first loaded part stands before it, as all linkers have it, or it lies in the first page.
    size = probe_copy_memory(notes, (has_bias ? bias + part.p_vaddr : start + part.p_offset), size);
    for (size_t at = 0; at + sizeof(Elf64_Nhdr) <= size;) {
      Elf64_Nhdr note;
      memcpy(&note, notes + at, sizeof note);
      size_t name = at + sizeof note, content = name + (((size_t)note.n_namesz + 3) & ~(size_t)3);
      if (note.n_descsz > size || content > size || content + note.n_descsz > size) break;
      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(notes + name, "GNU", 4) == 0) {
        size_t length = note.n_descsz < room ? note.n_descsz : room;
        memcpy(to, notes + content, length);
        return length;
      }
      at = content + (((size_t)note.n_descsz + 3) & ~(size_t)3);
    }
  }
  return 0;
}

/// Puts a text as one record, or as several where it doesn't fit.
static void put_text_record(enum record_kind kind, uint64_t time, const char *text, size_t size) {
  const size_t part = (most_record - 16) * 8;
  do {
    size_t now = size < part ? size : part;
    // Between two lines.
    if (now < size) {
      while (now > 1 && text[now - 1] != '\n') now--;
    }
    recorder_output_begin(kind, time);
    recorder_output_put_text(text, now);
    recorder_output_end();
    text += now;
    size -= now;
  } while (size > 0);
}

/// One line of the map: its addresses, whether it is code, its place in the file, and the file's path with its end of
/// line.
struct map_line {
  const char *text, *end, *path;
  uint64_t from, to, offset;
  int is_code;
};

static struct map_line read_line(const char *text, const char *end) {
  struct map_line line = {.text = text, .end = end};
  const char *at = read_hexadecimal(text, end, &line.from);
  if (at < end) at = read_hexadecimal(at + 1, end, &line.to);
  line.is_code = at + 4 < end && at[3] == 'x';
  at = at + 6 < end ? read_hexadecimal(at + 6, end, &line.offset) : end;
  line.path = memchr(at, '/', (size_t)(end - at));
  return line;
}

/// Gives each line of the map to a function, whatever their number. Returns 0, or the error number.
static int for_each_line(void (*take)(const struct map_line *)) {
  int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (file < 0) return errno;
  size_t kept = 0;
  ssize_t count;
  while ((count = read(file, output.piece + kept, piece_room - kept)) > 0) {
    const char *line = output.piece, *end = output.piece + kept + (size_t)count, *next;
    while ((next = memchr(line, '\n', (size_t)(end - line)))) {
      struct map_line read = read_line(line, next + 1);
      take(&read);
      line = next + 1;
    }
    kept = (size_t)(end - line);
    // No line is as long: a path has 4096 bytes.
    if (kept == piece_room) kept = 0;
    memmove(output.piece, line, kept);
  }
  int error = count < 0 ? errno : 0;
  close(file);
  return error;
}

/// What is collected from the map.
static struct { size_t size; uint64_t sum; int is_cut; } map;

static void keep_text(const char *text, size_t size) {
  if (map.size + size > text_room) {
    map.is_cut = 1;
    return;
  }
  memcpy(output.text + map.size, text, size);
  map.size += size;
}

static void take_code(const struct map_line *line) {
  if (!line->is_code) return;
  if (output.range_count < most_ranges) output.ranges[output.range_count++] = (struct range){line->from, line->to};
  else map.is_cut = 1;
  for (const char *at = line->text; at < line->end; at++) map.sum = (map.sum ^ (unsigned char)*at) * 1099511628211u;
  keep_text(line->text, (size_t)(line->end - line->text));
}

/// Of each file the mapping with its first bytes.
static void take_build(const struct map_line *line) {
  unsigned char build[32];
  char text[2 * sizeof build + 1];
  size_t length = line->path && line->offset == 0 ? find_build(line->from, build, sizeof build) : 0;
  size_t path = line->path ? (size_t)(line->end - line->path) : 0;
  if (length == 0 || map.size + 2 * length + 1 + path > text_room) return;
  for (size_t index = 0; index < length; index++) {
    text[2 * index] = "0123456789abcdef"[build[index] >> 4];
    text[2 * index + 1] = "0123456789abcdef"[build[index] & 15];
  }
  text[2 * length] = '\t';
  keep_text(text, 2 * length + 1);
  keep_text(line->path, path);
}

static int put_map(uint64_t time) {
  map.size = 0;
  map.sum = 1469598103934665603u;
  map.is_cut = 0;
  output.range_count = 0;
  int error = for_each_line(take_code);
  if (error) return error;
  if (output.range_count > 0) {
    // The page of system calls that old kernels map at the very end is no code that returns anywhere.
    const struct range *last = output.ranges + output.range_count - 1;
    if (output.range_count > 1 && last->start >> 63) last--;
    output.code = output.ranges[0].start;
    output.code_size = last->end - output.code;
  }
  if (map.sum == output.map_sum) return 0;
  output.map_sum = map.sum;
  put_text_record(record_map, time, output.text, map.size);
  if (map.is_cut && !output.map_was_cut) {
    output.map_was_cut = 1;
    recorder_output_begin(record_cut_map, time);
    recorder_output_put(output.range_count);
    recorder_output_end();
  }
  map.size = 0;
  error = for_each_line(take_build);
  put_text_record(record_builds, time, output.text, map.size);
  return error;
}

int recorder_output_map(uint64_t time) {
  uint64_t before = recorder_own_time();
  int error = put_map(time);
  uint64_t cost = recorder_own_time() - before, now = recorder_now();
  uint64_t rest = cost * rest_after_map, wanted = cost * rest_after_wanted_map;
  rest = rest < map_period ? map_period : rest > longest_map_rest ? longest_map_rest : rest;
  output.next_map = now + rest;
  output.next_wanted_map = now + (wanted < wanted_map_period ? wanted_map_period : wanted);
  return error;
}

void recorder_output_map_when_due(void) {
  if (recorder_now() >= output.next_map) recorder_output_map(recorder_output_moment());
}

void recorder_output_want_code(uint64_t address) {
  if (is_code(address) || recorder_now() < output.next_wanted_map) return;
  recorder_output_map(recorder_output_moment());
}

#endif
