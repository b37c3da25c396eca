// What the parts of the virtual speed-ups share, and what the functions that may block tell them.
#ifndef GAUGE_HOOKS_WHATIF_H
#define GAUGE_HOOKS_WHATIF_H

#include "GaugeHooks.h"
#include "Internal.h"

enum {
  /// Pieces of code that the functions whose speed-up is tried may consist of.
  whatif_most_ranges = 256,
};

/// Where a thread is: its code address, stack pointer, frame pointer and link register, and whether the address is one
/// to return to.
struct whatif_registers {
  uintptr_t code, stack, frame, link;
  int is_return;
};

/// Takes them from what a signal handler is given.
HIDDEN void whatif_read_registers(const void *interrupted, struct whatif_registers *to);

/// Whether one of the functions that are wanted is on a stack that ends at an address.
HIDDEN int whatif_is_on_stack(const struct whatif_registers *from, uintptr_t end);

/// Wants a piece of the executable's code, by its addresses in the file.
HIDDEN void whatif_want(uintptr_t start, uintptr_t end);

/// Looks where code is, and its tables. While no handler asks.
HIDDEN void whatif_find_functions(void);

/// The thread that calls begins, as another one wants it that has had so many delays, and ends.
HIDDEN void whatif_thread_begins(uint64_t delays);
HIDDEN void whatif_thread_ends(void);

/// Makes up for what the thread that calls is ahead, before others can take notice of what it did. Returns its delays
/// so far. Leaves `errno` as it is.
HIDDEN uint64_t whatif_settle(void);

/// The thread that calls begins to wait for what another thread may end it by (or null), and goes on.
HIDDEN void whatif_begins_waiting(int cause, const void *object, const struct hooks_place *place);
HIDDEN void whatif_ends_waiting(int by_itself);

/// Writes the experiments; the size is in bytes.
HIDDEN size_t hooks_size_of_experiments(void);
HIDDEN void hooks_put_experiments(struct hooks_output *output);

#endif
