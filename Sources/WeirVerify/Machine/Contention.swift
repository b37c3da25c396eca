// What several cores would have to do for the threads of a run.
//
// Which words share a line of memory is seen by where in the program's objects they are: each begins a line, as far as
// is reckoned here, and has its words where it has atomic ones in other builds.

import CExplorer

/// What the threads of a run did, as if each had a core of its own.
package struct ContentionCounts: Equatable, Sendable {
  /// Read-modify-writes of words, and locks taken.
  package var modifications = 0
  /// Compare-exchanges among them that found another value than they expected.
  package var failedExchanges = 0
  /// How often a line of memory with a word came from another core, or was taken away from others. Plain memory doesn't
  /// count.
  package var transfers = 0
  /// How often a thread waited: for a lock that another one had meanwhile, for a turn of a spin loop, or asleep.
  package var waits = 0
  /// How many steps other threads did meanwhile.
  package var waitedSteps = 0

  package init() {}
}

/// A line of memory.
final class CoreLine {
  /// How many bytes it has.
  static let size = 64
  /// Bit per thread whose core has it.
  var cores = 0
}

extension Machine {
  /// The running thread reads a word.
  func countRead(of word: Word) {
    guard counts != nil, let bit = coreBit else { return }
    let line = line(of: word)
    if line.cores & bit == 0, line.cores != 0 { counts?.transfers += 1 }
    line.cores |= bit
  }

  /// The running thread writes a word, which no other core has then.
  func countWrite(of word: Word) {
    guard counts != nil, let bit = coreBit else { return }
    let line = line(of: word)
    if line.cores & ~bit != 0 { counts?.transfers += 1 }
    line.cores = bit
  }

  /// The running thread reads and writes a word in one step, or finds that it is not what it expected, for which it has
  /// to have it for itself, too.
  func countModification(of word: Word, fails: Bool = false) {
    guard counts != nil, coreBit != nil else { return }
    counts?.modifications += 1
    if fails { counts?.failedExchanges += 1 }
    countWrite(of: word)
  }

  /// The running thread has waited.
  ///
  /// - Parameter step: How many steps there had been when it began to.
  func countWait(since step: Int) {
    guard counts != nil, coreBit != nil else { return }
    counts?.waits += 1
    counts?.waitedSteps += steps - step
  }

  /// The line that a word is in. One that no object has is alone in its line.
  private func line(of word: Word) -> CoreLine {
    if let line = word.line { return line }
    return ours {
      var offset = 0
      let holder = unsafe explorer_heap_holder(Unmanaged.passUnretained(word).toOpaque(), &offset)
      let key = holder << 32 | offset / CoreLine.size
      let line = holder > 0 ? coreLines[key] ?? CoreLine() : CoreLine()
      if holder > 0 { coreLines[key] = line }
      word.line = line
      return line
    }
  }

  /// The running thread's bit; `nil` where the run is set up and looked at.
  private var coreBit: Int? { current.number == 0 ? nil : 1 << current.number }
}
