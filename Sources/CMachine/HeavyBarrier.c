// One half of an asymmetric fence: a full memory barrier on every running thread of the process,
// paid by whoever asks for it.
//
// The quick way is Linux's membarrier(2), private and expedited. A sandbox may take it away once it has been used;
// whoever relied on it then must not be left alone, so what is promised once is kept, by other means:
//
// - **Taking a page away.** Unmapping a page that has just been written to makes the kernel flush it out of the TLBs
//   before the call returns. On x86 that is an interrupt to every processor that runs this address space, and an
//   interrupt drains the store buffer; a thread that is not running has passed the scheduler's barriers, or those of
//   the hypervisor that has taken its processor away. HotSpot (its serialisation page), .NET's FlushProcessWriteBuffers
//   and folly's asymmetric fence do the same by a page's protection, and lock the page, since one that is swapped out
//   is in no TLB. A page of its own for each call needs no lock between threads, and if it is swapped out before it
//   goes, that has flushed it, or the kernel makes up for it in munmap. What undoes it: processors that flush each
//   other's TLBs without an interrupt. AMD's INVLPGB is such an instruction, and Linux uses it since 6.15; arm64's TLBI
//   is another, whose completion says nothing of accesses to other pages; RISC-V may leave it to the firmware. So this
//   is for x86-64 without INVLPGB.
// - **Time.** A store leaves its core's buffer within microseconds, and what was executed ahead of it is thrown away if
//   the core is interrupted: after some milliseconds one that came before is seen, and what comes later sees what was
//   written before the wait. No architecture's manual gives a number; Morrison and Afek, "Temporally Bounding TSO for
//   Fence-Free Asymmetric Synchronization" (ASPLOS 2015), measure and argue it.
//   It is the last resort, for what must not fail.
//
// Where membarrier is missing from the beginning nothing is promised, and callers have other ways.
#include "CMachine.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__linux__)
#include <linux/membarrier.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#endif
#endif
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#if defined(__linux__) && defined(SYS_membarrier)

/// How barriers are made; only ever goes on to a later one, or from the first to the last.
enum { way_unknown, way_membarrier, way_page, way_time, way_none };
static _Atomic int way = way_unknown;

/// Whether taking a page away interrupts the other processors.
static int unmapping_interrupts(void) {
#if defined(__x86_64__)
  unsigned a, b, c, d;
  // AMD64 Architecture Programmer's Manual 3, CPUID Fn8000_0008 EBX: bit 3 is INVLPGB and TLBSYNC.
  if (!__get_cpuid(0x80000008, &a, &b, &c, &d)) return 1;
  return (b & (1u << 3)) == 0;
#else
  return 0;
#endif
}

static int membarrier_works(void) {
  return syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
}

static int membarrier_registers(void) {
  return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

static int is_wanted(void) {
  const char *chosen = getenv("WEIR_OWNED_GATES");
  return !(chosen && strcmp(chosen, "0") == 0);
}

/// Registers when the program is loaded, which takes some microseconds. Once there are threads, the kernel waits until
/// every processor has been through its scheduler: 8 ms (Linux 6.18), for which the first two threads to meet would
/// stand still.
__attribute__((constructor)) static void register_early(void) {
#if __has_include(<sys/single_threaded.h>)
  if (!__libc_single_threaded) return;
#endif
  if (is_wanted()) membarrier_registers();
}

/// Decides at the first use, of several threads at once too: each comes to the same.
static int begin(void) {
  int decided = way_none;
  if (is_wanted() && membarrier_registers() && membarrier_works()) decided = way_membarrier;
  int seen = way_unknown;
  return atomic_compare_exchange_strong(&way, &seen, decided) ? decided : seen;
}

/// Writes to a new page and takes it away; 0 if the system refuses.
static int take_page_away(void) {
  size_t size = (size_t)sysconf(_SC_PAGESIZE);
  volatile char *page = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return 0;
  *page = 1;
  return munmap((void *)page, size) == 0;
}

static void wait_out(void) {
  struct timespec left = {0, 10 * 1000 * 1000};
  while (nanosleep(&left, &left) != 0 && errno == EINTR) {}
}

/// Goes on to a later way, unless another thread has.
static int go_on(int from, int to) {
  return atomic_compare_exchange_strong(&way, &from, to) ? to : from;
}

int machine_quick_heavy_barrier(void) {
  int current = atomic_load_explicit(&way, memory_order_relaxed);
  if (current == way_unknown) current = begin();
  if (current == way_membarrier) {
    // A process that has been forked may have to register again.
    if (membarrier_works() || (membarrier_registers() && membarrier_works())) return 1;
    current = go_on(way_membarrier, unmapping_interrupts() ? way_page : way_time);
  }
  if (current == way_page) {
    atomic_thread_fence(memory_order_seq_cst);
    int done = take_page_away();
    atomic_thread_fence(memory_order_seq_cst);
    if (done) return 1;
    go_on(way_page, way_time);
  }
  return 0;
}

int machine_heavy_barrier(void) {
  if (machine_quick_heavy_barrier()) return 1;
  if (atomic_load_explicit(&way, memory_order_relaxed) != way_time) return 0;
  atomic_thread_fence(memory_order_seq_cst);
  wait_out();
  atomic_thread_fence(memory_order_seq_cst);
  return 1;
}

#else

int machine_quick_heavy_barrier(void) { return 0; }

int machine_heavy_barrier(void) { return 0; }

#endif
