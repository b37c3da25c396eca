// Fifty small programs whose reference counting two instruments count: callgrind, by the calls that it sees, and the
// hooks of the runtime. Strings, arrays, dictionaries, existentials, closures, classes, weak references and
// asynchronous code, much of it inside the standard library. CorpusTests holds the two against each other.

import Gauge

/// The programs, each a benchmark `corpus/NAME`.
enum ReferenceCorpus {
  static var benchmarks: [Benchmark] {
    strings + arrays + dictionaries + existentials + closures + objects + asynchronous
  }

  /// A program: it counts fewer operations than other benchmarks, as callgrind takes its time for each.
  private static func program<Result>(_ name: String, _ body: @escaping () -> Result) -> Benchmark {
    Benchmark("corpus/" + name, passes: [.references, .counts], tags: ["corpus"]) { run in
      run.countedOperations = 20
      run.measure { blackHole(body()) }
    }
  }

  private static func task(_ name: String, _ body: @escaping @Sendable () async -> Int) -> Benchmark {
    Benchmark("corpus/" + name, threads: .single, passes: [.references, .counts], tags: ["corpus"]) { run in
      run.countedOperations = 20
      await run.measure { await body() }
    }
  }

  // MARK: Strings

  @BenchmarkBuilder private static var strings: [Benchmark] {
    let long = opaque("a string that is too long to be stored in place, so that it has a buffer")
    let words = (0..<8).map { "word number \($0) of a sentence that goes on" }
    program("string-copy") { opaque(long) }
    program("string-append") {
      var text = long
      text += " and more"
      return text
    }
    program("string-literal") { opaque("a literal that lives as long as the program does") }
    program("string-small") { opaque("small") + opaque("er") }
    program("string-joined") { words.joined(separator: ", ") }
    program("string-split") { long.split(separator: " ") }
    program("string-uppercased") { long.uppercased() }
    program("string-interpolated") { "\(long) and \(words.count) words: \(words)" }
    program("string-reversed") { String(long.reversed()) }
    program("string-hash") { long.hashValue }
    program("string-compare") { long == opaque(long) && long < words[0] }
    program("substring") { long.dropFirst(10).prefix(20) }
  }

  // MARK: Arrays

  @BenchmarkBuilder private static var arrays: [Benchmark] {
    let boxes = (0..<16).map { Leaf($0) }
    let numbers = Array(0..<64)
    program("array-of-objects-map") { boxes.map { $0.number } }
    program("array-of-objects-filter") { boxes.filter { $0.number % 2 == 0 } }
    program("array-of-objects-sorted") { boxes.sorted { $0.number > $1.number } }
    program("array-append") {
      var copy = boxes
      copy.append(boxes[0])
      return copy
    }
    program("array-copy-on-write") {
      var copy = numbers
      copy[3] = 7
      return copy
    }
    program("array-of-arrays") { numbers.map { [$0, $0] }.flatMap { $0 } }
    program("array-slice") { Array(boxes[4..<12]) }
    program("array-lazy") { boxes.lazy.map { $0.number }.filter { $0 > 3 }.reduce(0, +) }
    program("array-zip") { Array(zip(boxes, numbers)) }
    program("set-insert") { boxes.reduce(into: Set<Int>()) { $0.insert($1.number) } }
  }

  // MARK: Dictionaries

  @BenchmarkBuilder private static var dictionaries: [Benchmark] {
    let names = (0..<16).map { "a key that is too long to be stored in place \($0)" }
    let table = Dictionary(uniqueKeysWithValues: names.map { ($0, Leaf($0.utf8.count)) })
    program("dictionary-look-up") { table[names[3]] }
    program("dictionary-build") { Dictionary(uniqueKeysWithValues: names.map { ($0, 1) }) }
    program("dictionary-grouping") { Dictionary(grouping: names) { $0.utf8.last } }
    program("dictionary-update") {
      var copy = table
      copy[names[1]] = Leaf(1)
      return copy
    }
    program("dictionary-values") { table.values.map(\.number) }
    program("dictionary-of-any") { [AnyHashable(1): names[0] as Any, AnyHashable("two"): 2] }
    program("dictionary-merge") { table.merging(table) { $1 } }
  }

  // MARK: Existentials

  @BenchmarkBuilder private static var existentials: [Benchmark] {
    let shapes: [any Shape] = [Square(side: 2), Named(name: "a name that is kept in a buffer of its own", side: 3)]
    let mixed: [Any] = [1, "two, but long enough to need a buffer", Leaf(3)]
    program("existential-call") { shapes.reduce(0) { $0 + $1.area } }
    program("existential-copy") { opaque(shapes[1]) }
    program("existential-box") { [Square(side: 1) as any Shape, shapes[1]] }
    program("any-cast") { mixed.compactMap { $0 as? Int } }
    program("any-class-cast") { mixed.compactMap { $0 as? Leaf } }
    program("any-describing") { mixed.prefix(2).map { String(describing: $0) } }
    program("error-thrown") { (try? fail(Leaf(1))) ?? 0 }
  }

  // MARK: Closures

  @BenchmarkBuilder private static var closures: [Benchmark] {
    let leaf = Leaf(5)
    program("closure-made") { () -> (() -> Int) in opaque({ leaf.number + 1 }) }
    program("closure-called") { () -> Int in
      let step: () -> Int = opaque({ leaf.number + 1 })
      return step()
    }
    program("closure-of-variable") { () -> Int in
      var count = 0
      let step: () -> Void = opaque({ count += 1 })
      step()
      step()
      return count
    }
    program("closure-list") { () -> [Int] in
      let steps: [() -> Int] = (0..<4).map { number in { number + leaf.number } }
      return steps.map { $0() }
    }
    program("closure-composed") { () -> Int in compose({ $0 + leaf.number }, { $0 * 2 })(3) }
  }

  // MARK: Objects

  @BenchmarkBuilder private static var objects: [Benchmark] {
    let tree = Branch(depth: 4)
    let leaf = Leaf(5)
    program("object-made") { opaque(Leaf(1)) }
    program("object-tree-made") { Branch(depth: 3) }
    program("object-tree-walked") { tree.sum }
    program("object-weak") { WeakHolder(leaf).leaf?.number ?? 0 }
    program("object-optional-chain") { tree.left?.left?.right?.sum ?? 0 }
  }

  // MARK: Asynchronous code

  @BenchmarkBuilder private static var asynchronous: [Benchmark] {
    let long = opaque("a string that is too long to be stored in place, so that it has a buffer")
    task("async-call") { await later(long).utf8.count }
    task("async-loop") {
      var sum = 0
      for number in 0..<4 { sum += await later("\(number)\(long)").utf8.count }
      return sum
    }
    task("async-closure") { await apply({ await later($0 + long).utf8.count }, to: "x") }
    task("async-sequence") {
      var sum = 0
      for await number in Countdown(from: 4) { sum += number }
      return sum
    }
  }
}

// MARK: What the programs are made of

private final class Leaf: Sendable {
  let number: Int
  init(_ number: Int) { self.number = number }
}

private final class Branch {
  let left: Branch?
  let right: Branch?
  let leaf: Leaf

  init(depth: Int) {
    left = depth > 0 ? Branch(depth: depth - 1) : nil
    right = depth > 0 ? Branch(depth: depth - 1) : nil
    leaf = Leaf(depth)
  }

  var sum: Int { leaf.number + (left?.sum ?? 0) + (right?.sum ?? 0) }
}

private struct WeakHolder {
  weak var leaf: Leaf?
  init(_ leaf: Leaf) { self.leaf = leaf }
}

private protocol Shape { var area: Int { get } }

private struct Square: Shape {
  var side: Int
  var area: Int { side * side }
}

private struct Named: Shape {
  var name: String
  var side: Int
  var area: Int { name.utf8.count * side }
}

private struct Failure: Error { var leaf: Leaf }

@inline(never)
private func fail(_ leaf: Leaf) throws -> Int { throw Failure(leaf: leaf) }

@inline(never)
private func compose(_ first: @escaping (Int) -> Int, _ second: @escaping (Int) -> Int) -> (Int) -> Int {
  { second(first($0)) }
}

@inline(never)
private func later(_ text: String) async -> String { opaque(text) }

@inline(never)
private func apply(_ step: @Sendable (String) async -> Int, to text: String) async -> Int { await step(text) }

private struct Countdown: AsyncSequence, AsyncIteratorProtocol {
  var number: Int
  init(from number: Int) { self.number = number }
  func makeAsyncIterator() -> Countdown { self }

  mutating func next() async -> Int? {
    guard number > 0 else { return nil }
    number -= 1
    return number
  }
}
