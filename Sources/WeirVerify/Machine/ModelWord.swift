// Words and locks for programs that test the explorer itself.
// No test file: the tests of Machine and Reduction, and the litmus tests, go through all of it.

/// A shared word of the simulated machine.
package struct ModelWord {
  private let word: Word

  package init(_ value: Int = 0) { word = machine.makeWord(value) }

  package func load(
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> Int { machine.load(word, .acquire, Place(file, function, line)) }

  package func sequentialLoad(
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> Int { machine.load(word, .sequentiallyConsistent, Place(file, function, line)) }

  package func relaxedLoad(
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> Int { machine.load(word, .relaxed, Place(file, function, line)) }

  package func store(
    _ value: Int, file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) { machine.store(word, value, .release, Place(file, function, line)) }

  package func relaxedStore(
    _ value: Int, file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) { machine.store(word, value, .relaxed, Place(file, function, line)) }

  @discardableResult
  package func exchange(
    _ value: Int, file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> Int { machine.exchange(word, value, .acquireRelease, Place(file, function, line)) }

  @discardableResult
  package func sequentialExchange(
    _ value: Int, file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> Int { machine.exchange(word, value, .sequentiallyConsistent, Place(file, function, line)) }

  @discardableResult
  package func add(
    _ value: Int, file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> Int { machine.add(word, value, Place(file, function, line)) }

  package func compareExchange(
    _ expected: Int, _ desired: Int, file: StaticString = #fileID, function: StaticString = #function,
    line: UInt = #line
  ) -> (exchanged: Bool, original: Int) {
    machine.compareExchange(
      word, expected: expected, desired: desired, .acquireRelease, Place(file, function, line))
  }
}

/// A lock of the simulated machine.
package struct ModelLock {
  private let word: Word

  package init() { word = machine.makeWord(0) }

  package func withLock<Result>(
    _ body: () -> Result, file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> Result {
    machine.lock(word, Place(file, function, line))
    defer { machine.unlock(word, Place(file, function, line)) }
    return body()
  }
}

/// The barrier of the simulated machine that is one for every thread: the dear half of an asymmetric fence.
package func modelHeavyBarrier(
  file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
) -> Bool { machine.heavyBarrier(Place(file, function, line)) }

/// What keeps a compiler from moving anything: the cheap half of an asymmetric fence.
package func modelLightBarrier(
  file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
) { machine.lightBarrier(Place(file, function, line)) }

/// Spins on the simulated machine.
package func modelSpin(
  file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
) { machine.spin(Place(file, function, line)) }
