// One process that becomes many: started once, it forks a child for each request that it reads.
#ifndef GAUGE_ZYGOTE_H
#define GAUGE_ZYGOTE_H

#include <stddef.h>

/// Forks a child for each line of `requests`, one after the other, and waits for it. To be called while the process has
/// one thread. Nothing is allocated here: each child begins as the same process, whatever the other requests are.
///
/// Returns in each child with the line, without line feed, in `line`: its length. Returns -1 in the first process once
/// there is no further line. Each child's part of `report` stands between `launched<TAB>PID` and
/// `ended<TAB>PID<TAB>STATUS`, the status being that of `waitpid`.
long probe_fork_per_line(int requests, int report, char *line, size_t capacity);

#endif
