// The part of a file of stacks that is about experiments with virtual speed-ups.
//
// Four words of a head: number of experiments, nanoseconds between two looks at a thread, two of nothing. Eight of each
// experiment, in the order in which they were made: thousandths of the function's time that were saved, operations,
// nanoseconds that these took, nanoseconds of them by which threads were delayed for what was saved, time that threads
// were seen to use, on a processor or ready for one, that of the function, its sleep, and how often threads were found
// in it.

extension ExperimentRecord {
  /// Reads the words.
  ///
  /// - Throws: `SampleFile.FormatError` for words that are not of the format, or numbers that can't be.
  init(_ words: [UInt64]) throws(SampleFile.FormatError) {
    guard words.count >= 4, words[0] <= UInt64(words.count), 4 + words[0] * 8 == UInt64(words.count) else {
      throw .brokenOff
    }
    var experiments: [Experiment] = []
    for first in stride(from: 4, to: words.count, by: 8) {
      guard words[first] <= 1000 else {
        throw SampleFile.FormatError(description: "an experiment that saves more time than there is")
      }
      guard words[first..<first + 8].allSatisfy({ $0 <= SampleFile.largestWeight }) else {
        throw SampleFile.FormatError(description: "an experiment of more time than there is")
      }
      let numbers = words[first..<first + 8].map { Double($0) }
      experiments.append(
        Experiment(
          speedUp: numbers[0] / 1000, operations: Int(words[first + 1]), time: numbers[2], delays: numbers[3],
          used: numbers[4], inside: numbers[5], asleep: numbers[6], hits: Int(words[first + 7])))
    }
    self.init(experiments: experiments)
  }
}
