// Tells when an object is released: threads learn by it. Only builds with WEIR_EXPLORER have it, and what the runtime
// releases itself is not seen, as by an array that is freed: of that the object tells when it is freed.
#define _GNU_SOURCE
#include "CExplorer.h"

#if defined(WEIR_EXPLORER) && defined(__GLIBC__)
#include <dlfcn.h>

size_t swift_retainCount(void *object);
_Bool swift_isDeallocating(void *object);

static void (*observer)(void *, size_t);

void explorer_observe_releases(void (*told)(void *object, size_t left)) { observer = told; }

int explorer_is_being_freed(const void *object) { return swift_isDeallocating((void *)(uintptr_t)object); }

// The runtime's, with the calling convention of Swift, which is that of C for such arguments.
const void *swift_getTypeByMangledNameInContext(
    const char *name, size_t length, const void *context, const void *const *arguments);

const void *explorer_type_named(const char *name, size_t length, const void *context, const void *arguments) {
  return swift_getTypeByMangledNameInContext(name, length, context, arguments);
}

static void tell(void *object, size_t count) {
  // Negative: an object that never dies, or a short text in place of one.
  if (!observer || (intptr_t)object <= 0) return;
  void (*told)(void *, size_t) = observer;
  // What it releases itself is the explorer's own.
  observer = NULL;
  told(object, swift_retainCount(object) - count);
  observer = told;
}

void swift_release(void *object) {
  static void (*release)(void *);
  if (!release) release = (void (*)(void *))dlsym(RTLD_NEXT, "swift_release");
  tell(object, 1);
  release(object);
}

void swift_release_n(void *object, uint32_t count) {
  static void (*release)(void *, uint32_t);
  if (!release) release = (void (*)(void *, uint32_t))dlsym(RTLD_NEXT, "swift_release_n");
  tell(object, count);
  release(object, count);
}

// Of dictionaries, sets and texts: bits that no address has say what it is.
static void *untagged(void *object) {
  return (intptr_t)object < 0 ? NULL : (void *)((uintptr_t)object & UINT64_C(0x00FFFFFFFFFFFFF8));
}

void swift_bridgeObjectRelease(void *object) {
  static void (*release)(void *);
  if (!release) release = (void (*)(void *))dlsym(RTLD_NEXT, "swift_bridgeObjectRelease");
  tell(untagged(object), 1);
  release(object);
}

void swift_bridgeObjectRelease_n(void *object, uint32_t count) {
  static void (*release)(void *, uint32_t);
  if (!release) release = (void (*)(void *, uint32_t))dlsym(RTLD_NEXT, "swift_bridgeObjectRelease_n");
  tell(untagged(object), count);
  release(object, count);
}

#else

void explorer_observe_releases(void (*told)(void *object, size_t left)) { (void)told; }
int explorer_is_being_freed(const void *object) {
  (void)object;
  return 0;
}
const void *explorer_type_named(const char *name, size_t length, const void *context, const void *arguments) {
  (void)name, (void)length, (void)context, (void)arguments;
  return NULL;
}

#endif
