// A dictionary that several threads use at once, whose keys are the user's.

import WeirQueues

/// Keeps values under keys.
///
/// `hash(into:)` and `==` of the keys are user code, and so run outside the lock: under it stand lists of entries whose
/// hashes are the same, with a number that each change makes anew. Who has searched a list comes back with its number,
/// and searches again if that is no longer the list's.
final class SharedTable<Key: Hashable, Value>: Sendable {
  private struct List {
    var entries: [(key: Key, value: Value)] = []
    var number = 0
  }

  private struct State {
    var lists: [Int: List] = [:]
    var count = 0
    var number = 0
  }

  private let state = Lock(State())

  init() {}

  /// How many values there are.
  var count: Int { state.withLock { $0.count } }

  /// The entries, in no order.
  ///
  /// - Complexity: O(*n*).
  var all: [(key: Key, value: Value)] { state.withLock { $0.lists }.values.flatMap(\.entries) }

  /// Takes out everything.
  ///
  /// - Returns: The entries, in no order.
  func takeAll() -> [(key: Key, value: Value)] {
    let taken = state.withLock { state in
      defer {
        state.lists = [:]
        state.count = 0
      }
      return state.lists
    }
    return taken.values.flatMap(\.entries)
  }

  /// Reads the value under a key.
  func value(_ key: Key) -> Value? {
    for entry in list(key.hashValue).entries where entry.key == key { return entry.value }
    return nil
  }

  /// Puts in, changes or takes out the value under a key.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - change: Gets the value under the key, `nil` if there is none, and leaves what is to be there. It runs once,
  ///     under the lock, and so must not run user code.
  /// - Returns: What the change returns.
  func update<Result>(_ key: Key, _ change: (inout Value?) -> Result) -> Result {
    let hash = key.hashValue
    while true {
      let seen = list(hash)
      let index = seen.entries.firstIndex { $0.key == key }
      let result = state.withLock { state -> (Result, former: List?)? in
        guard state.lists[hash, default: List()].number == seen.number else { return nil }
        var value = index.map { seen.entries[$0].value }
        let result = change(&value)
        var entries = seen.entries
        switch (index, value) {
        case (let index?, let value?): entries[index].value = value
        case (let index?, nil): entries.remove(at: index)
        case (nil, let value?): entries.append((key, value))
        case (nil, nil): return (result, nil)
        }
        state.count += entries.count - seen.entries.count
        state.number += 1
        let former = state.lists.removeValue(forKey: hash)
        if !entries.isEmpty { state.lists[hash] = List(entries: entries, number: state.number) }
        return (result, former)
      }
      if let result { return result.0 }
    }
  }

  private func list(_ hash: Int) -> List { state.withLock { $0.lists[hash] } ?? List() }
}
