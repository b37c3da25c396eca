// Exact counters of reference counting, those inside the Swift standard library included: the runtime's own switch for
// instruments sends every retain, release and object allocation through function pointers, which are replaced here.
#define _GNU_SOURCE
#include "GaugeHooks.h"
#include "Internal.h"

#if GAUGE_HOOKS_ACTIVE

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// MARK: The runtime's variables

/// Addresses of the variables, which only the symbol table of the file tells: some of them are local, and an executable
/// with a static standard library exports none.
static struct {
  unsigned char *enabled;
  void *(**retain_adapter)(void *);
  void *(**retain_n)(void *, uint32_t);
  void (**release)(void *);
  void (**release_n)(void *, uint32_t);
  void *(**try_retain)(void *);
  void *(**allocate)(const void *, size_t, size_t);
  void *type_name;
} runtime;

/// Where the address of a variable or function is kept, by its name; `NULL` for one that does not matter here.
static void **variable(const char *name) {
  static const struct {
    const char *name;
    void **address;
  } known[] = {
      {"_swift_enableSwizzlingOfAllocationAndRefCountingFunctions_forInstrumentsOnly", (void **)&runtime.enabled},
      // Not `_swift_retain`: before calling that, the adapter of Swift 6.3 masks the bits by which a string literal is
      // known to be no object.
      {"_ZL21_swift_retain_adapter", (void **)&runtime.retain_adapter},
      {"_swift_retain_n", (void **)&runtime.retain_n},
      {"_swift_release", (void **)&runtime.release},
      {"_swift_release_n", (void **)&runtime.release_n},
      {"_swift_tryRetain", (void **)&runtime.try_retain},
      {"_swift_allocObject", (void **)&runtime.allocate},
      {"swift_getTypeName", &runtime.type_name},
  };
  for (size_t index = 0; index < sizeof known / sizeof *known; index++) {
    if (strcmp(known[index].name, name) == 0) return known[index].address;
  }
  return NULL;
}

/// Whether a function is to be found in another file.
static bool imports(const ElfW(Sym) *symbols, size_t count, const char *names, size_t size, const char *name) {
  for (size_t number = 0; number < count; number++) {
    if (symbols[number].st_shndx != SHN_UNDEF || symbols[number].st_name >= size) continue;
    if (strcmp(names + symbols[number].st_name, name) == 0) return true;
  }
  return false;
}

/// Whether a file has code of Swift's in it: it then has tables of its types.
static bool has_swift(const unsigned char *file, size_t size) {
  const ElfW(Ehdr) *header = (const void *)file;
  const ElfW(Shdr) *sections = (const void *)(file + header->e_shoff);
  if (header->e_shstrndx >= header->e_shnum) return false;
  const ElfW(Shdr) *names = &sections[header->e_shstrndx];
  if (names->sh_offset + names->sh_size > size) return false;
  static const char prefix[] = "swift5_";
  for (size_t index = 0; index < header->e_shnum; index++) {
    if ((size_t)sections[index].sh_name + sizeof prefix > names->sh_size) continue;
    if (memcmp(file + names->sh_offset + sections[index].sh_name, prefix, sizeof prefix - 1) == 0) return true;
  }
  return false;
}

/// Whether the executable has a runtime of its own, so that one in a library is none that it uses.
static bool has_own_runtime;

static void read_symbols(const unsigned char *file, size_t size, uintptr_t base, bool is_executable) {
  const ElfW(Ehdr) *header = (const void *)file;
  if (size < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return;
  if (header->e_shoff > size || header->e_shoff + (size_t)header->e_shnum * sizeof(ElfW(Shdr)) > size) return;
  const ElfW(Shdr) *sections = (const void *)(file + header->e_shoff);
  for (size_t index = 0; index < header->e_shnum; index++) {
    const ElfW(Shdr) *table = &sections[index];
    bool is_imports = is_executable && table->sh_type == SHT_DYNSYM;
    if ((table->sh_type != SHT_SYMTAB && !is_imports) || table->sh_link >= header->e_shnum) continue;
    const ElfW(Shdr) *strings = &sections[table->sh_link];
    if (table->sh_offset + table->sh_size > size || strings->sh_offset + strings->sh_size > size) continue;
    const ElfW(Sym) *symbols = (const void *)(file + table->sh_offset);
    if (is_imports) {
      const char *names = (const char *)(file + strings->sh_offset);
      has_own_runtime = has_swift(file, size) &&
                        !imports(symbols, table->sh_size / sizeof *symbols, names, strings->sh_size, "swift_retain");
      continue;
    }
    for (size_t number = 0; number < table->sh_size / sizeof *symbols; number++) {
      const ElfW(Sym) *symbol = &symbols[number];
      int type = ELF64_ST_TYPE(symbol->st_info);
      if ((type != STT_OBJECT && type != STT_FUNC) || symbol->st_shndx == SHN_UNDEF) continue;
      if (symbol->st_name >= strings->sh_size) continue;
      void **address = variable((const char *)(file + strings->sh_offset + symbol->st_name));
      if (address) *address = (void *)(base + symbol->st_value);
    }
  }
}

/// Looks for the runtime in one loaded object; ends the search where it is.
static int search(struct dl_phdr_info *object, size_t size, void *context) {
  bool is_executable = object->dlpi_name[0] == 0;
  if (!is_executable && !strstr(object->dlpi_name, "libswiftCore")) return 0;
  int descriptor = open(is_executable ? "/proc/self/exe" : object->dlpi_name, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return 0;
  struct stat status;
  if (fstat(descriptor, &status) == 0) {
    size_t length = (size_t)status.st_size;
    void *file = mmap(NULL, length, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (file != MAP_FAILED) {
      read_symbols(file, length, object->dlpi_addr, is_executable);
      munmap(file, length);
    }
  }
  close(descriptor);
  return runtime.enabled != NULL || has_own_runtime;
}

// MARK: Counting and forwarding

static void *(*next_retain)(void *);
static void *(*next_retain_n)(void *, uint32_t);
static void (*next_release)(void *);
static void (*next_release_n)(void *, uint32_t);
static void *(*next_try_retain)(void *);
static void *(*next_allocate)(const void *, size_t, size_t);

static inline void note(const void *object, bool is_release, uint32_t count) {
  if (__builtin_expect(atomic_load_explicit(&hooks_recorded, memory_order_relaxed) != 0, 0)) {
    hooks_record_reference(object, is_release, count);
  }
  if (is_release) hooks_count_release();
  else hooks_count_retain();
}

static void *retain(void *object) {
  note(object, false, 1);
  // Null and numbers with the top bit are no objects.
  if ((intptr_t)object <= 0) return object;
  next_retain((void *)((uintptr_t)object & UINT64_C(0xfffffffffffff8)));
  return object;
}

static void *retain_n(void *object, uint32_t count) {
  note(object, false, count);
  return next_retain_n(object, count);
}

static void *try_retain(void *object) {
  note(object, false, 1);
  return next_try_retain(object);
}

static void release(void *object) {
  note(object, true, 1);
  next_release(object);
}

static void release_n(void *object, uint32_t count) {
  note(object, true, count);
  next_release_n(object, count);
}

/// Of its own name, by which the reader of stacks knows that it is none of the program's.
static void *hooks_allocate_object(const void *metadata, size_t size, size_t alignment) {
  hooks_count_object();
  int recorded = atomic_load_explicit(&hooks_recorded, memory_order_relaxed);
  if (__builtin_expect(!(recorded & gauge_hooks_timeline_allocations), 1)) {
    return next_allocate(metadata, size, alignment);
  }
  hooks_object_type = metadata;
  void *object = next_allocate(metadata, size, alignment);
  hooks_object_type = NULL;
  return object;
}

/// Makes a variable writable: the linker may have sealed it after relocation.
static bool unseal(void *address) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  return mprotect((void *)((uintptr_t)address & ~(page - 1)), page, PROT_READ | PROT_WRITE) == 0;
}

#define REPLACE(variable, next, ours) \
  if (runtime.variable) {             \
    next = *runtime.variable;         \
    *runtime.variable = ours;         \
  }

size_t hooks_type_name(const void *type, const char **name) {
  static const struct {
    uint64_t kind;
    const char *name;
  } unnamed[] = {{0x400, "a closure's context"}, {0x500, "a box"}, {0x501, "a boxed error"}};
  uint64_t kind = *(const uint64_t *)type;
  struct {
    const char *text;
    uintptr_t length;
  } result = {"an object", 9};
  // A class, native to Swift, is of kind 0; the runtime knows the name of no other kind that objects begin with.
  if (kind == 0 && runtime.type_name) {
    __typeof__(result) __attribute__((swiftcall)) (*type_name)(const void *, bool);
    *(void **)&type_name = runtime.type_name;
    result = type_name(type, true);
  }
  for (size_t index = 0; index < sizeof unnamed / sizeof *unnamed; index++) {
    if (unnamed[index].kind == kind) result = (__typeof__(result)){unnamed[index].name, strlen(unnamed[index].name)};
  }
  *name = result.text;
  return result.length;
}

const char *gauge_hooks_count_references(void) {
  static bool counts;
  if (counts) return NULL;
  dl_iterate_phdr(search, NULL);
  if (!runtime.enabled && has_own_runtime) {
    return "the executable has the Swift runtime in it, but not its symbols: it was stripped";
  }
  if (!runtime.enabled) return "the Swift runtime of this process has no switch for instruments";
  if (!runtime.retain_adapter || !runtime.release || !runtime.allocate) {
    return "the Swift runtime of this process is another one than the counters know (6.3)";
  }
  void *all[] = {runtime.enabled, runtime.retain_adapter, runtime.retain_n, runtime.release, runtime.release_n,
      runtime.try_retain, runtime.allocate};
  for (size_t index = 0; index < sizeof all / sizeof *all; index++) {
    if (all[index] && !unseal(all[index])) return "the Swift runtime's variables can't be written";
  }
  REPLACE(retain_adapter, next_retain, retain)
  REPLACE(retain_n, next_retain_n, retain_n)
  REPLACE(release, next_release, release)
  REPLACE(release_n, next_release_n, release_n)
  REPLACE(try_retain, next_try_retain, try_retain)
  REPLACE(allocate, next_allocate, hooks_allocate_object)
  *runtime.enabled = 1;
  counts = true;
  return NULL;
}

#endif
