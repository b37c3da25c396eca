// The recorder's file: words, collected in memory that was mapped before and written by the recorder's thread alone.
// Nothing here allocates or takes a lock, as the process may hang in one.
#define _GNU_SOURCE
#include "Internal.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "Sampling.h"

enum {
  room_words = 64 * 1024,
  /// Most words of a record that isn't text.
  most_record = 8192,
  text_room = 2 * 1024 * 1024,
  most_ranges = 4096,
};

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
  uint64_t map_sum;
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

int recorder_output_open(const char *path, int is_new, uint64_t sample_period, uint64_t look_period, uint64_t largest) {
  if (!output.words) {
    size_t ranges = most_ranges * sizeof *output.ranges;
    char *memory = mmap(
        NULL, room_words * 8 + text_room * 2 + ranges, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return errno;
    output.words = (uint64_t *)memory;
    output.text = memory + room_words * 8;
    output.ranges = (struct range *)(memory + room_words * 8 + text_room * 2);
  }
  int flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | (is_new ? O_EXCL : O_TRUNC);
  output.file = open(path, flags, 0600);
  if (output.file < 0) return errno;
  output.error = 0;
  output.written = 0;
  output.count = 0;
  output.map_sum = 0;
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
  return recorder_output_flush();
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

/// Reads a file of /proc. Returns its bytes.
static size_t read_whole(const char *path, char *to, size_t room) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  size_t size = 0;
  ssize_t count;
  while (size < room && (count = read(file, to + size, room - size)) > 0) size += (size_t)count;
  close(file);
  return size;
}

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

int recorder_output_map(uint64_t time) {
  char *map = output.text, *kept = output.text + text_room;
  size_t size = read_whole("/proc/self/maps", map, text_room);
  if (size == 0) return errno ? errno : EIO;
  const char *end = map + size;
  size_t kept_size = 0;
  uint64_t sum = 1469598103934665603u;
  output.range_count = 0;
  for (const char *line = map; line < end;) {
    const char *next = memchr(line, '\n', (size_t)(end - line));
    next = next ? next + 1 : end;
    uint64_t from, to;
    const char *at = read_hexadecimal(line, next, &from);
    at = read_hexadecimal(at + 1, next, &to);
    if (at + 4 < next && at[3] == 'x') {
      if (output.range_count < most_ranges) output.ranges[output.range_count++] = (struct range){from, to};
      for (const char *letter = line; letter < next; letter++) sum = (sum ^ (unsigned char)*letter) * 1099511628211u;
      memcpy(kept + kept_size, line, (size_t)(next - line));
      kept_size += (size_t)(next - line);
    }
    line = next;
  }
  if (output.range_count > 0) {
    // The page of system calls that old kernels map at the very end is no code that returns anywhere.
    const struct range *last = output.ranges + output.range_count - 1;
    if (output.range_count > 1 && last->start >> 63) last--;
    output.code = output.ranges[0].start;
    output.code_size = last->end - output.code;
  }
  if (sum == output.map_sum) return 0;
  output.map_sum = sum;
  put_text_record(record_map, time, kept, kept_size);
  // The builds: of each file the mapping with its first bytes.
  kept_size = 0;
  for (const char *line = map; line < end;) {
    const char *next = memchr(line, '\n', (size_t)(end - line));
    next = next ? next + 1 : end;
    uint64_t from, to, offset;
    const char *at = read_hexadecimal(line, next, &from);
    at = read_hexadecimal(at + 1, next, &to);
    at = at + 6 < next ? read_hexadecimal(at + 6, next, &offset) : next;
    const char *path = memchr(at, '/', (size_t)(next - at));
    unsigned char build[32];
    size_t length = path && offset == 0 ? find_build(from, build, sizeof build) : 0;
    if (length > 0 && kept_size + 80 + (size_t)(next - path) < text_room) {
      for (size_t index = 0; index < length; index++) {
        kept[kept_size++] = "0123456789abcdef"[build[index] >> 4];
        kept[kept_size++] = "0123456789abcdef"[build[index] & 15];
      }
      kept[kept_size++] = '\t';
      memcpy(kept + kept_size, path, (size_t)(next - path));
      kept_size += (size_t)(next - path);
    }
    line = next;
  }
  put_text_record(record_builds, time, kept, kept_size);
  return 0;
}

#endif
