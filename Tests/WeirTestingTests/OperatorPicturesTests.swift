// The pictures of the article "Operators by family" in Weir's documentation, each as it stands there.

import Testing
import Weir
import WeirTesting

@Suite struct OperatorPicturesTests {
  let scheduler = TestScheduler()
  let numbers: [Character: Int] = ["0": 0, "1": 1, "2": 2, "3": 3, "6": 6]
  let letters: [Character: String] = ["a": "a", "b": "b", "c": "c", "d": "d", "A": "A", "B": "B", "C": "C"]
  enum Failure: Error { case failed }

  func expect<Output: Equatable>(
    _ stream: some Publisher<Output, Never>, _ picture: String, _ values: [Character: Output],
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let recorder = scheduler.record(stream)
    scheduler.run()
    try recorder.expect(picture, values: values)
  }

  @Test func values() throws {
    try expect(scheduler.hot("a---b---c-|", values: letters).map { $0.uppercased() }, "A---B---C-|", letters)
    try expect(scheduler.hot("1---2---3-|", values: numbers).scan(0, +), "1---3---6-|", numbers)
  }

  @Test func selection() throws {
    let source = "1--2--2--3-|"
    try expect(scheduler.hot(source, values: numbers).filter { $0 % 2 == 1 }, "1--------3-|", numbers)
    try expect(scheduler.hot(source, values: numbers).removeDuplicates(), "1--2-----3-|", numbers)
    try expect(scheduler.hot(source, values: numbers).dropFirst(2), "------2--3-|", numbers)
    try expect(scheduler.hot(source, values: numbers).prefix(2), "1--(2|)", numbers)
    try expect(scheduler.hot(source, values: numbers).last(), "-----------(3|)", numbers)
  }

  @Test func reduction() throws {
    let source = "1--2--3-|"
    try expect(scheduler.hot(source, values: numbers).reduce(0, +), "--------(6|)", numbers)
    try expect(scheduler.hot(source, values: numbers).count(), "--------(3|)", numbers)
    try expect(scheduler.hot(source, values: numbers).contains(2), "---(t|)", ["t": true])
  }

  @Test func joins() throws {
    let (first, second) = ("1-----2-----3-|", "---a-----b----|")
    func streams() throws -> (some Publisher<String, Never>, some Publisher<String, Never>) {
      (
        try scheduler.hot(first, values: ["1": "1", "2": "2", "3": "3"]),
        try scheduler.hot(second, values: letters)
      )
    }
    var (one, other) = try streams()
    try expect(one.merge(with: other), "1--a--2--b--3-|", letters.merging(["1": "1", "2": "2", "3": "3"]) { $1 })
    (one, other) = try streams()
    try expect(one.zip(other).map { "\($0)\($1)" }, "---x-----y----|", ["x": "1a", "y": "2b"])
    (one, other) = try streams()
    try expect(
      one.combineLatest(other).map { "\($0)\($1)" }, "---x--y--z--w-|", ["x": "1a", "y": "2a", "z": "2b", "w": "3b"])
    try expect(
      scheduler.cold(first, values: ["1": "1", "2": "2", "3": "3"]).append(scheduler.cold(second, values: letters)),
      "1-----2-----3----a-----b----|", letters.merging(["1": "1", "2": "2", "3": "3"]) { $1 })
  }

  @Test func time() throws {
    let source = "ab--c----d---|"
    try expect(
      scheduler.hot(source, values: letters).debounce(for: .milliseconds(2), scheduler: scheduler), "---b--c----d-|",
      letters)
    try expect(
      scheduler.hot(source, values: letters).throttle(for: .milliseconds(4), scheduler: scheduler, latest: true),
      "a---c----d---|", letters)
    try expect(
      scheduler.hot(source, values: letters).delay(for: .milliseconds(2), scheduler: scheduler), "--ab--c----d---|",
      letters)
  }

  @Test func failures() throws {
    let source = "1--2--#"
    func failing() throws -> some Publisher<Int, Failure> {
      try scheduler.cold(source, values: numbers, failure: Failure.failed)
    }
    try expect(failing().replaceError(with: 0), "1--2--(0|)", numbers)
    let retried = scheduler.record(try failing().retry(1))
    scheduler.run()
    try retried.expect("1--2--1--2--#", values: numbers)
    try expect(
      failing().map { "\($0)" }.catch { _ in
        try! scheduler.cold("ab|", values: letters)
      }, "1--2--ab|", letters.merging(["1": "1", "2": "2"]) { $1 })
  }
}
