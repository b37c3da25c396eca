// On which processors a thread runs.
#ifndef GAUGE_PROCESSORS_H
#define GAUGE_PROCESSORS_H

/// Stores the processors that the calling thread may run on, at most `capacity`, in rising order. Returns their number,
/// or the negative error number.
int probe_allowed_processors(int *processors, int capacity);

/// Moves the calling thread to a processor that it may run on. The system may move it on,
/// as before. Returns 0, or the error number.
int probe_move_to_processor(int processor);

#endif
