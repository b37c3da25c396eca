// Whether a function is on a stack, asked within a signal handler: frame by frame, by the tables that every function
// has for exceptions (DWARF 5, section 6.4, and the Linux Standard Base on .eh_frame_hdr), and by frame pointers where
// there is none. Only memory is read; nothing is allocated or locked. The reader of stacks has the same in Swift, for
// stacks that were kept.
#define _GNU_SOURCE
#include "Whatif.h"

#if GAUGE_HOOKS_ACTIVE && (defined(__x86_64__) || defined(__aarch64__))

#include <link.h>
#include <string.h>
#include <ucontext.h>

enum {
#if defined(__x86_64__)
  frame_register = 6, stack_register = 7, return_register = 16,
#else
  frame_register = 29, stack_register = 31, return_register = 30,
#endif
  most_objects = 128,
  deepest = 256,
  most_remembered = 8,
};

/// A file in memory: where its code is, and its table of functions.
struct object {
  uintptr_t start, end;
  const uint8_t *table;
};

static struct {
  struct object objects[most_objects];
  size_t count;
  /// The functions that are asked for.
  struct {
    uintptr_t start, end;
  } wanted[whatif_most_ranges];
  size_t wanted_count;
  uintptr_t base;
} code;

/// Where registers of the caller are, from the frame's address on.
struct rules {
  int has_frame;
  unsigned base;
  int64_t offset;
  int saves_frame_pointer;
  int64_t frame_pointer;
  int saves_return;
  int64_t return_address;
  int is_last;
};

struct reader {
  const uint8_t *at, *end;
};

// MARK: Numbers

static uint64_t unsigned_number(struct reader *reader) {
  uint64_t value = 0;
  for (unsigned shift = 0; reader->at < reader->end; shift += 7) {
    uint8_t byte = *reader->at++;
    if (shift < 64) value |= (uint64_t)(byte & 127) << shift;
    if (byte < 128) break;
  }
  return value;
}

static int64_t signed_number(struct reader *reader) {
  uint64_t value = 0;
  unsigned shift = 0;
  uint8_t byte = 0;
  while (reader->at < reader->end) {
    byte = *reader->at++;
    if (shift < 64) value |= (uint64_t)(byte & 127) << shift;
    shift += 7;
    if (byte < 128) break;
  }
  if (shift < 64 && byte & 64) value |= ~UINT64_C(0) << shift;
  return (int64_t)value;
}

static uint64_t fixed(struct reader *reader, size_t size) {
  uint64_t value = 0;
  if ((size_t)(reader->end - reader->at) < size) {
    reader->at = reader->end;
    return 0;
  }
  memcpy(&value, reader->at, size);
  reader->at += size;
  return value;
}

/// Bytes of an address in an encoding; 0 for one that is not read here.
static size_t size_of(uint8_t encoding) {
  switch (encoding & 15) {
    case 0:
    case 4:
    case 12: return 8;
    case 2:
    case 10: return 2;
    case 3:
    case 11: return 4;
    default: return 0;
  }
}

// MARK: One function

/// Begins a reader at an entry behind its length. Returns 0 for the end of the table.
static int enter(const uint8_t *entry, struct reader *reader) {
  uint32_t size;
  memcpy(&size, entry, 4);
  *reader = (struct reader){entry + 4, entry + 4 + size};
  return size != 0 && size != UINT32_MAX;
}

struct common {
  uint64_t code_factor;
  int64_t data_factor;
  size_t address_size;
  int has_augmentation;
  struct reader program;
};

static int read_common(const uint8_t *entry, struct common *common) {
  struct reader reader;
  if (!enter(entry, &reader) || fixed(&reader, 4) != 0) return 0;
  uint64_t version = fixed(&reader, 1);
  const char *letters = (const char *)reader.at;
  reader.at += strnlen(letters, (size_t)(reader.end - reader.at)) + 1;
  common->code_factor = unsigned_number(&reader);
  common->data_factor = signed_number(&reader);
  if (version == 1) fixed(&reader, 1);
  else unsigned_number(&reader);
  common->address_size = 8;
  common->has_augmentation = letters[0] == 'z';
  if (!common->has_augmentation && letters[0]) return 0;
  if (common->has_augmentation) {
    uint64_t size = unsigned_number(&reader);
    if (size > (uint64_t)(reader.end - reader.at)) return 0;
    const uint8_t *behind = reader.at + size;
    for (const char *letter = letters + 1; *letter; letter++) {
      if (*letter == 'R') common->address_size = size_of((uint8_t)fixed(&reader, 1));
      else if (*letter == 'L') fixed(&reader, 1);
      else if (*letter == 'P') fixed(&reader, size_of((uint8_t)fixed(&reader, 1)));
    }
    reader.at = behind;
  }
  common->program = reader;
  return common->address_size != 0;
}

static void save(struct rules *rules, uint64_t number, int is_saved, int64_t offset) {
  if (number == frame_register) {
    rules->saves_frame_pointer = is_saved;
    rules->frame_pointer = offset;
  } else if (number == return_register) {
    rules->saves_return = is_saved;
    rules->return_address = offset;
  }
}

static void define(struct rules *rules, uint64_t number, int64_t offset) {
  rules->has_frame = number == frame_register || number == stack_register;
  rules->base = (unsigned)number;
  rules->offset = offset;
}

/// Runs a program up to an address `distance` behind the function's first. Returns 0 for what is not read here.
static int run(struct reader reader, const struct common *common, uint64_t distance, const struct rules *first,
    struct rules *rules) {
  struct rules remembered[most_remembered];
  size_t count = 0;
  uint64_t place = 0;
  while (reader.at < reader.end) {
    uint8_t operation = *reader.at++;
    uint8_t low = operation & 63;
    uint64_t number;
    switch (operation & 192) {
      case 64: place += low * common->code_factor; break;
      case 128: save(rules, low, 1, (int64_t)unsigned_number(&reader) * common->data_factor); break;
      case 192:
        if (low == frame_register) save(rules, low, first->saves_frame_pointer, first->frame_pointer);
        if (low == return_register) save(rules, low, first->saves_return, first->return_address);
        break;
      default:
        switch (operation) {
          case 0: break;
          case 2: place += fixed(&reader, 1) * common->code_factor; break;
          case 3: place += fixed(&reader, 2) * common->code_factor; break;
          case 4: place += fixed(&reader, 4) * common->code_factor; break;
          case 5:
            number = unsigned_number(&reader);
            save(rules, number, 1, (int64_t)unsigned_number(&reader) * common->data_factor);
            break;
          case 6:
          case 8: save(rules, unsigned_number(&reader), 0, 0); break;
          case 7:
            number = unsigned_number(&reader);
            save(rules, number, 0, 0);
            if (number == return_register) rules->is_last = 1;
            break;
          case 10:
            if (count == most_remembered) return 0;
            remembered[count++] = *rules;
            break;
          case 11:
            if (count == 0) return 0;
            *rules = remembered[--count];
            break;
          case 12:
            number = unsigned_number(&reader);
            define(rules, number, (int64_t)unsigned_number(&reader));
            break;
          case 13: define(rules, unsigned_number(&reader), rules->offset); break;
          case 14: rules->offset = (int64_t)unsigned_number(&reader); break;
          case 17:
            number = unsigned_number(&reader);
            save(rules, number, 1, signed_number(&reader) * common->data_factor);
            break;
          case 18:
            number = unsigned_number(&reader);
            define(rules, number, signed_number(&reader) * common->data_factor);
            break;
          case 19: rules->offset = signed_number(&reader) * common->data_factor; break;
          // The sign of return addresses on AArch64, and the size of arguments.
          case 45: break;
          case 46: unsigned_number(&reader); break;
          case 16:
          case 22: {
            number = unsigned_number(&reader);
            uint64_t size = unsigned_number(&reader);
            if (size > (uint64_t)(reader.end - reader.at)) return 0;
            reader.at += size;
            if (number == frame_register || number == return_register) return 0;
            break;
          }
          default: return 0;
        }
    }
    if (place > distance) return 1;
  }
  return 1;
}

/// How the frame at an address is left. Returns 0 where no table says it.
static int find_rules(uintptr_t address, struct rules *rules) {
  const struct object *object = code.objects;
  while (object < code.objects + code.count && !(object->start <= address && address < object->end)) object++;
  if (object == code.objects + code.count || !object->table) return 0;
  const uint8_t *table = object->table;
  uint32_t count;
  memcpy(&count, table + 8, 4);
  uint32_t low = 0, high = count;
  int32_t entry[2];
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    memcpy(entry, table + 12 + (size_t)middle * 8, 8);
    if ((uintptr_t)table + (uintptr_t)(intptr_t)entry[0] <= address) low = middle + 1;
    else high = middle;
  }
  if (low == 0) return 0;
  memcpy(entry, table + 12 + (size_t)(low - 1) * 8, 8);
  uintptr_t start = (uintptr_t)table + (uintptr_t)(intptr_t)entry[0];
  const uint8_t *function = table + entry[1];
  struct reader reader;
  struct common common;
  if (!enter(function, &reader)) return 0;
  uint32_t back = (uint32_t)fixed(&reader, 4);
  if (!read_common(function + 4 - back, &common)) return 0;
  fixed(&reader, common.address_size);
  uint64_t size = fixed(&reader, common.address_size);
  if (address - start >= size) return 0;
  if (common.has_augmentation) {
    uint64_t length = unsigned_number(&reader);
    if (length > (uint64_t)(reader.end - reader.at)) return 0;
    reader.at += length;
  }
  struct rules first = {0};
  if (!run(common.program, &common, UINT64_MAX, &first, &first)) return 0;
  *rules = first;
  return run(reader, &common, address - start, &first, rules) && rules->has_frame;
}

// MARK: A stack

static int is_wanted(uintptr_t address) {
  for (size_t index = 0; index < code.wanted_count; index++) {
    if (code.wanted[index].start <= address && address < code.wanted[index].end) return 1;
  }
  return 0;
}

/// The word at an address of the stack; 0 outside of it.
static uintptr_t word(uintptr_t address, uintptr_t low, uintptr_t end) {
  return low <= address && address + 8 <= end && address % 8 == 0 ? *(const uintptr_t *)address : 0;
}

int whatif_is_on_stack(const struct whatif_registers *from, uintptr_t end) {
  struct whatif_registers at = *from;
  // What is interrupted may be the first instruction of a function; behind a call stands, perhaps, the next function.
  uintptr_t address = at.is_return ? at.code - 1 : at.code;
  const uintptr_t low = at.stack;
  for (int depth = 0; depth < deepest; depth++) {
    if (is_wanted(address)) return 1;
    struct rules rules;
    uintptr_t caller, frame, pointer = at.frame;
    if (find_rules(address, &rules)) {
      if (rules.is_last) return 0;
      frame = (rules.base == frame_register ? at.frame : at.stack) + (uintptr_t)rules.offset;
      caller = rules.saves_return ? word(frame + (uintptr_t)rules.return_address, low, end) : at.link;
      if (rules.saves_frame_pointer) pointer = word(frame + (uintptr_t)rules.frame_pointer, low, end);
    } else {
      frame = at.frame + 16;
      caller = word(at.frame + 8, low, end);
      pointer = word(at.frame, low, end);
    }
    // A frame is never below the one that it has called; the first may have none of its own.
    if (caller == 0 || frame < at.stack || (frame == at.stack && depth > 0)) return 0;
    // An asynchronous function marks the frame pointer that it has saved.
    at = (struct whatif_registers){.code = caller, .stack = frame, .frame = pointer & ~(UINT64_C(1) << 60)};
    address = caller - 1;
  }
  return 0;
}

void whatif_read_registers(const void *interrupted, struct whatif_registers *to) {
  const ucontext_t *context = interrupted;
#if defined(__x86_64__)
  const greg_t *registers = context->uc_mcontext.gregs;
  *to = (struct whatif_registers){.code = (uintptr_t)registers[REG_RIP], .stack = (uintptr_t)registers[REG_RSP],
      .frame = (uintptr_t)registers[REG_RBP]};
#else
  *to = (struct whatif_registers){.code = context->uc_mcontext.pc, .stack = context->uc_mcontext.sp,
      .frame = context->uc_mcontext.regs[29], .link = context->uc_mcontext.regs[30]};
#endif
}

// MARK: Preparing

static int find_object(struct dl_phdr_info *file, size_t size, void *context) {
  (void)size, (void)context;
  const uint8_t *table = NULL;
  for (size_t index = 0; index < file->dlpi_phnum; index++) {
    const ElfW(Phdr) *segment = &file->dlpi_phdr[index];
    if (segment->p_type != PT_GNU_EH_FRAME) continue;
    const uint8_t *found = (const uint8_t *)(file->dlpi_addr + segment->p_vaddr);
    // The form that linkers write: sorted, by distances of four bytes from the table's own beginning.
    if (found[0] == 1 && found[2] == 0x03 && found[3] == 0x3b) table = found;
  }
  for (size_t index = 0; index < file->dlpi_phnum && code.count < most_objects; index++) {
    const ElfW(Phdr) *segment = &file->dlpi_phdr[index];
    if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X)) continue;
    uintptr_t start = file->dlpi_addr + segment->p_vaddr;
    code.objects[code.count++] = (struct object){start, start + segment->p_memsz, table};
  }
  return 0;
}

static int find_base(struct dl_phdr_info *file, size_t size, void *context) {
  (void)size;
  *(uintptr_t *)context = file->dlpi_addr;
  // The executable comes first.
  return 1;
}

void whatif_find_functions(void) {
  code.count = 0;
  dl_iterate_phdr(find_object, NULL);
}

void whatif_want(uintptr_t start, uintptr_t end) {
  if (!code.base) dl_iterate_phdr(find_base, &code.base);
  if (code.wanted_count == whatif_most_ranges) return;
  code.wanted[code.wanted_count].start = code.base + start;
  code.wanted[code.wanted_count++].end = code.base + end;
}

#endif
