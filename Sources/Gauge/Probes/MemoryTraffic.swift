// Loads and stores that the optimiser neither merges nor turns into vectors.

import CProbes

/// Traffic between the core and its nearest cache.
enum MemoryTraffic {
  /// Loads a word and stores it elsewhere, `turns` times, within 4 KiB.
  static func loadAndStore(turns: Int) { probe_load_and_store(turns) }
}
