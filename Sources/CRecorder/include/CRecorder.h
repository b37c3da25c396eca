// A recorder within a running process: samples of its CPU time and of what its threads wait for, written to a file by a
// thread of its own. Nothing of it is there, neither thread nor handler nor timer, before the first call that starts or
// arms it.
#ifndef GAUGE_CRECORDER_H
#define GAUGE_CRECORDER_H

#include <stdint.h>

/// What became of a call.
enum recorder_status {
  recorder_done = 0,
  /// A recording is under way already.
  recorder_is_on = 1,
  /// None is.
  recorder_is_off = 2,
  /// The signal is the program's: it has a handler.
  recorder_signal_taken = 3,
  /// The system refused: `error` is its number.
  recorder_refused = 4,
  /// The file can't be written: `error` says why.
  recorder_cannot_write = 5,
  /// Not on this system or processor.
  recorder_unsupported = 6,
  /// The path leads to a device, a pipe or a socket.
  recorder_no_file = 7,
};

/// What to record.
struct recorder_configuration {
  /// Samples of each thread's CPU time, per second of it; 0 for none.
  uint32_t samples;
  /// Looks at all threads per second; 0 for none at their waits.
  uint32_t looks;
  /// Bytes of the file at which the recording ends.
  uint64_t largest;
  /// Whether the preloaded or linked hooks record the stack of every allocation, into a second file.
  uint32_t heap_stacks;
};

/// What became of a call, and what the recording has come to.
struct recorder_answer {
  int status;
  int error;
  /// Nanoseconds from begin to end.
  uint64_t time;
  /// CPU time of the process meanwhile, and of the recorder's thread, in nanoseconds.
  uint64_t process_time;
  uint64_t own_time;
  /// Nanoseconds that the program's threads spent in the handler that takes their samples.
  uint64_t handler_time;
  /// Nanoseconds of CPU time between two samples of a thread, how many of these the samples stand for, and those of
  /// samples that had no room.
  uint64_t sample_period;
  uint64_t periods;
  uint64_t lost;
  /// Looks at the threads.
  uint64_t looks;
  /// Waits that were met.
  uint64_t waits;
  /// Threads that could not be followed.
  uint64_t left_out;
  /// Whether the file was full.
  int was_full;
  /// The file.
  char path[1024];
};

/// Begins to record into a file. Any thread may call these; a call waits for the recorder's own thread alone.
void recorder_start(
    const char *path, const struct recorder_configuration *configuration, struct recorder_answer *answer);

/// Ends the recording, whoever has started it.
void recorder_stop(struct recorder_answer *answer);

/// Has the file tell of this moment: that of the recording under way, or else one of a single look, at this path.
void recorder_dump(const char *path, struct recorder_answer *answer);

/// From now on the signal starts a recording, into a new file of the folder, and the next one stops it.
void recorder_arm(
    int signal, const char *folder, const struct recorder_configuration *configuration, struct recorder_answer *answer);

/// Ends that.
void recorder_disarm(struct recorder_answer *answer);

/// A variable of the environment; none in a program that was started with more rights than those of its user have.
const char *recorder_environment(const char *name);

/// Whether a recording is under way.
int recorder_records(void);

#endif
