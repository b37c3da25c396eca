// Tells when an object is released: threads of other memories than x86's learn by it. Only builds with WEIR_EXPLORER
// have it, and what the standard library releases itself is not seen.
#define _GNU_SOURCE
#include "CExplorer.h"

#if defined(WEIR_EXPLORER) && defined(__GLIBC__)
#include <dlfcn.h>

size_t swift_retainCount(void *object);

static void (*observer)(void *, size_t);

void explorer_observe_releases(void (*told)(void *object, size_t left)) { observer = told; }

void swift_release(void *object) {
  static void (*release)(void *);
  if (!release) release = (void (*)(void *))dlsym(RTLD_NEXT, "swift_release");
  // Negative: an object that never dies.
  if (observer && (intptr_t)object > 0) {
    void (*told)(void *, size_t) = observer;
    // What it releases itself is the explorer's own.
    observer = NULL;
    told(object, swift_retainCount(object) - 1);
    observer = told;
  }
  release(object);
}

#else

void explorer_observe_releases(void (*told)(void *object, size_t left)) { (void)told; }

#endif
