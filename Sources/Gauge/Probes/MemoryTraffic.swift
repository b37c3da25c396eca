// Loads and stores that the optimiser neither merges nor turns into vectors.

import CProbes

/// Traffic between the core and its caches.
enum MemoryTraffic {
  /// Loads a word and stores it elsewhere, `turns` times, within 4 KiB: the nearest cache.
  static func loadAndStore(turns: Int) { probe_load_and_store(turns) }

  /// Follows a chain through 4 MiB, which is more than the caches that a core has for itself. For one thread at a time.
  static func chase(turns: Int) { probe_chase(turns) }
}
