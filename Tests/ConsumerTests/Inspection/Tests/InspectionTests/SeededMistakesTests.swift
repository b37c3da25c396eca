// Seeded leaks and stalls: the rules name each with the line where it was made, and nothing else.

import Foundation
import Testing
import Weir
import WeirExtras
import WeirFoundation
import WeirTesting

/// What mistakes are made with.
final class Ground {
  let subject = PassthroughSubject<Int, Never>()
  let hoarder = Hoarder()
  let scheduler = TestScheduler()
  let queue = OperationQueue()
  let slow = Slow()
  var number = 0
  var tokens: [AnyCancellable] = []
  var loops: [Any] = []

  func send() { for number in 1...3 { subject.send(number) } }

  /// Cancels what it has been given, which the hoarder doesn't care about.
  func giveUp(_ token: AnyCancellable) { token.cancel() }

  /// Lets go of the subscription without cancelling it.
  func letGo() { slow.subscription = nil }

  func clear() {
    tokens = []
    loops = []
    slow.subscription?.cancel()
    slow.subscription = nil
    hoarder.subscribers = []
    subject.send(completion: .finished)
    queue.isSuspended = false
    scheduler.advance(by: .seconds(10))
    queue.waitUntilAllOperationsAreFinished()
  }
}

/// A mistake, each in a function of its own, which returns the line that has to be named.
struct Mistake: Sendable, CustomTestStringConvertible {
  let rule: String
  let testDescription: String
  let make: @Sendable (Ground) -> Int

  private init(_ rule: String, _ name: String, _ make: @escaping @Sendable (Ground) -> Int) {
    self.rule = rule
    testDescription = name
    self.make = make
  }

  static let all: [Mistake] = [
    Mistake("notCancellable", "let go of at the origin", letGoAtOrigin),
    Mistake("notCancellable", "let go of behind map", letGoBehindMap),
    Mistake("notCancellable", "let go of behind filter", letGoBehindFilter),
    Mistake("notCancellable", "let go of behind scan", letGoBehindScan),
    Mistake("notCancellable", "let go of behind two operators", letGoBehindTwo),
    Mistake("heldAfterItsEnd", "held after cancel", heldAtOrigin),
    Mistake("heldAfterItsEnd", "held behind map", heldBehindMap),
    Mistake("heldAfterItsEnd", "held behind filter", heldBehindFilter),
    Mistake("heldAfterItsEnd", "held behind three operators", heldBehindThree),
    Mistake("heldAfterItsEnd", "held for a property", heldForProperty),
    Mistake("growing", "a sink for each request", growingSinks),
    Mistake("growing", "a chain for each request", growingChains),
    Mistake("growing", "a property for each request", growingProperties),
    Mistake("growing", "a buffer for each request", growingBuffers),
    Mistake("stall", "a buffer nobody asks", stalledBuffer),
    Mistake("stall", "a buffer nobody asks behind operators", stalledBehindOperators),
    Mistake("stall", "a loop that doesn't go on", stalledLoop),
    Mistake("stall", "a scheduler that doesn't run", stalledHop),
    Mistake("stall", "a delay that doesn't end", stalledDelay),
    Mistake("stall", "a queue that is suspended", stalledQueue),
  ]

  private static func letGoAtOrigin(_ ground: Ground) -> Int {
    ground.subject.subscribe(ground.slow)
    let line = #line - 1
    ground.letGo()
    return line
  }

  private static func letGoBehindMap(_ ground: Ground) -> Int {
    ground.subject.map { $0 + 1 }.subscribe(ground.slow)
    let line = #line - 1
    ground.letGo()
    return line
  }

  private static func letGoBehindFilter(_ ground: Ground) -> Int {
    ground.subject.filter { $0 > 0 }.subscribe(ground.slow)
    let line = #line - 1
    ground.letGo()
    return line
  }

  private static func letGoBehindScan(_ ground: Ground) -> Int {
    ground.subject.scan(0, +).subscribe(ground.slow)
    let line = #line - 1
    ground.letGo()
    return line
  }

  private static func letGoBehindTwo(_ ground: Ground) -> Int {
    let numbers = ground.subject.removeDuplicates().map { $0 * 2 }
    numbers.subscribe(ground.slow)
    let line = #line - 1
    ground.letGo()
    return line
  }

  private static func heldAtOrigin(_ ground: Ground) -> Int {
    ground.giveUp(ground.hoarder.sink { _ in })
    return #line - 1
  }

  private static func heldBehindMap(_ ground: Ground) -> Int {
    ground.giveUp(ground.hoarder.map { $0 + 1 }.sink { _ in })
    return #line - 1
  }

  private static func heldBehindFilter(_ ground: Ground) -> Int {
    ground.giveUp(ground.hoarder.filter { $0 > 1 }.sink { _ in })
    return #line - 1
  }

  private static func heldBehindThree(_ ground: Ground) -> Int {
    let token = ground.hoarder
      .map { $0 + 1 }
      .scan(0, +)
      .filter { $0 > 1 }
      .sink { _ in }
    ground.giveUp(token)
    return #line - 2
  }

  private static func heldForProperty(_ ground: Ground) -> Int {
    ground.giveUp(ground.hoarder.assign(to: \.number, on: ground))
    return #line - 1
  }

  private static func growingSinks(_ ground: Ground) -> Int {
    ground.subject.sink { _ in }.store(in: &ground.tokens)
    return #line - 1
  }

  private static func growingChains(_ ground: Ground) -> Int {
    ground.subject.map { $0 + 1 }.filter { $0 > 1 }.sink { _ in }.store(in: &ground.tokens)
    return #line - 1
  }

  private static func growingProperties(_ ground: Ground) -> Int {
    ground.subject.assign(to: \.number, on: ground).store(in: &ground.tokens)
    return #line - 1
  }

  private static func growingBuffers(_ ground: Ground) -> Int {
    ground.subject.buffer(size: 3, prefetch: .byRequest, whenFull: .dropOldest).sink { _ in }.store(in: &ground.tokens)
    return #line - 1
  }

  private static func stalledBuffer(_ ground: Ground) -> Int {
    ground.subject.buffer(size: 9, prefetch: .byRequest, whenFull: .dropNewest).subscribe(ground.slow)
    let line = #line - 1
    ground.send()
    return line
  }

  private static func stalledBehindOperators(_ ground: Ground) -> Int {
    ground.subject
      .buffer(size: 9, prefetch: .byRequest, whenFull: .dropNewest)
      .map { $0 + 1 }
      .filter { $0 > 1 }
      .subscribe(ground.slow)
    let line = #line - 1
    ground.send()
    return line
  }

  private static func stalledLoop(_ ground: Ground) -> Int {
    ground.loops.append(ground.subject.values(buffering: .unbounded).makeAsyncIterator())
    let line = #line - 1
    ground.send()
    return line
  }

  private static func stalledHop(_ ground: Ground) -> Int {
    ground.subject
      .receive(on: ground.scheduler)
      .sink { _ in }.store(in: &ground.tokens)
    let line = #line - 2
    ground.send()
    return line
  }

  private static func stalledDelay(_ ground: Ground) -> Int {
    ground.subject
      .delay(for: .zero, scheduler: ground.scheduler)
      .sink { _ in }.store(in: &ground.tokens)
    let line = #line - 2
    ground.send()
    return line
  }

  private static func stalledQueue(_ ground: Ground) -> Int {
    ground.queue.isSuspended = true
    ground.subject
      .receive(on: ground.queue)
      .sink { _ in }.store(in: &ground.tokens)
    let line = #line - 2
    ground.send()
    return line
  }
}

extension LiveGraphTests {
  @Test(arguments: Mistake.all) func aSeededMistakeIsNamedWithItsLine(_ mistake: Mistake) {
    let ground = Ground()
    var (line, graphs) = (0, [StreamGraph]())
    for _ in 0..<(mistake.rule == "growing" ? 3 : 1) {
      line = mistake.make(ground)
      graphs.append(WeirInspector.snapshot())
    }
    let now = WeirInspector.snapshot()
    let leaks = mistake.rule == "growing" ? graphs[2].leaks(after: Array(graphs[0..<2])) : now.leaks(after: graphs)
    let stalls = now.stalls(since: graphs[0], lasting: 0)
    let found = leaks.map { ($0.reason.rawValue, $0.place) } + stalls.map { ("stall", $0.place) }
    #expect(!found.isEmpty, "\(now)")
    for (rule, place) in found {
      #expect(rule == mistake.rule)
      #expect(place.map { "\($0)" } == "SeededMistakesTests.swift:\(line)", "\(leaks)\n\(stalls)\n\(now)")
    }
    ground.clear()
    #expect(WeirInspector.snapshot().subscriptions.isEmpty)
  }
}
