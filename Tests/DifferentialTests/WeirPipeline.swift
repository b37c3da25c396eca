// The library's side of a comparison: its operators on scripted upstreams.

import ReferenceModel
import Weir

extension Want {
  init(_ demand: Subscribers.Demand) { self = demand.max.map { Want($0) } ?? .all }

  var demand: Subscribers.Demand { self == .all ? .unlimited : .max(count) }
}

extension Subscribers.Completion<Fault> {
  init(_ end: End) {
    switch end {
    case .finished: self = .finished
    case .failed(let fault): self = .failure(fault)
    }
  }

  var end: End {
    switch self {
    case .finished: .finished
    case .failure(let fault): .failed(fault)
    }
  }
}

/// A scripted upstream as a publisher.
private struct SourcePublisher: Publisher {
  typealias Output = Int
  typealias Failure = Fault

  let source: Source

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Fault {
    let subscription = source.subscribe(
      value: { Want(subscriber.receive($0)) }, end: { subscriber.receive(completion: .init($0)) })
    subscriber.receive(
      subscription: ClosureSubscription(
        control: Control(request: subscription.request, cancel: subscription.cancel)))
    subscription.start()
  }
}

private final class ClosureSubscription: Subscription {
  private let control: Control

  init(control: Control) { self.control = control }

  func request(_ demand: Subscribers.Demand) { control.request(Want(demand)) }

  func cancel() { control.cancel() }
}

/// A scripted subscriber as a subscriber.
private final class TargetSubscriber: Subscriber, CustomStringConvertible {
  private let target: Target
  let description: String

  init(_ target: Target, named name: String) {
    self.target = target
    description = name
  }

  func receive(subscription: any Subscription) {
    target.begin(Control(request: { subscription.request($0.demand) }, cancel: subscription.cancel))
  }

  func receive(_ input: Int) -> Subscribers.Demand { target.value(input).demand }

  func receive(completion: Subscribers.Completion<Fault>) { target.end(completion.end) }
}

extension Scenario {
  /// What the library does.
  ///
  /// - Parameters:
  ///   - name: What the subscriber calls itself.
  ///   - look: Called with each line of the journal.
  func runWeir(to name: String = "target", _ look: ((String) -> Void)? = nil) -> Journal {
    run { sources, target, journal in
      journal.look = look
      WeirPipeline(sources: sources, journal: journal).build(operators)
        .subscribe(TargetSubscriber(target, named: name))
    }
  }
}

/// Builds the library's pipelines.
struct WeirPipeline {
  typealias Stream = AnyPublisher<Int, Fault>

  let sources: [Source]
  let journal: Journal

  func build(_ operators: [Operator]) -> Stream {
    operators.reduce(source(0)) { upstream, next in apply(next, to: upstream) }
  }

  private func source(_ index: Int) -> Stream { SourcePublisher(source: sources[index]).eraseToAnyPublisher() }

  private func stream(_ inner: Inner, for value: Int) -> Stream {
    switch inner {
    case .numbers(let count):
      Publishers.Sequence<[Int], Fault>(sequence: Inner.numbers(count, from: value)).eraseToAnyPublisher()
    case .failing: Fail<Int, Fault>(error: Fault(value)).eraseToAnyPublisher()
    case .source(let index): source(index)
    }
  }

  private func apply(_ op: Operator, to up: Stream) -> Stream {
    if let applied = applyToEachValue(op, up) { return applied }
    if let applied = applyToAllValues(op, up) { return applied }
    if let applied = applyToEnds(op, up) { return applied }
    return applyToStreams(op, up)
  }

  private func applyToEachValue(_ op: Operator, _ up: Stream) -> Stream? {
    switch op {
    case .map(let summand): up.map { Closures.mapped($0, summand) }.eraseToAnyPublisher()
    case .tryMap(let bad):
      up.tryMap { value in
        try Closures.throwing(value, bad)
        return Closures.mapped(value, 1)
      }.typed()
    case .mapError(let increment): up.mapError { Fault($0.code + increment) }.eraseToAnyPublisher()
    case .filter(let divisor): up.filter { $0 % divisor != 0 }.eraseToAnyPublisher()
    case .tryFilter(let divisor, let bad): up.tryFilter(not(divisor, bad)).typed()
    case .compactMap(let divisor): up.compactMap { $0 % divisor == 0 ? nil : $0 + 1 }.eraseToAnyPublisher()
    case .tryCompactMap(let divisor, let bad):
      up.tryCompactMap { value in
        try Closures.throwing(value, bad)
        return value % divisor == 0 ? nil : value + 1
      }.typed()
    case .replaceNil(let divisor):
      up.map { $0 % divisor == 0 ? nil : $0 }.replaceNil(with: 77).eraseToAnyPublisher()
    case .scan: up.scan(0, Closures.combined).eraseToAnyPublisher()
    case .tryScan(let bad):
      up.tryScan(0) { result, value in
        try Closures.throwing(value, bad)
        return Closures.combined(result, value)
      }.typed()
    case .removeDuplicates(let divisor): up.removeDuplicates { $0 / divisor == $1 / divisor }.eraseToAnyPublisher()
    case .tryRemoveDuplicates(let divisor, let bad):
      up.tryRemoveDuplicates { former, value in
        try Closures.throwing(value, bad)
        return former / divisor == value / divisor
      }.typed()
    case .collectByCount(let count): up.collect(count).map(Closures.digest).eraseToAnyPublisher()
    case .prefix(let count): up.prefix(count).eraseToAnyPublisher()
    case .prefixWhile(let limit): up.prefix { $0 < limit }.eraseToAnyPublisher()
    case .tryPrefixWhile(let limit, let bad): up.tryPrefix(while: below(limit, bad)).typed()
    case .dropFirst(let count): up.dropFirst(count).eraseToAnyPublisher()
    case .dropWhile(let limit): up.drop { $0 < limit }.eraseToAnyPublisher()
    case .tryDropWhile(let limit, let bad): up.tryDrop(while: below(limit, bad)).typed()
    case .outputAt(let index): up.output(at: index).eraseToAnyPublisher()
    case .outputIn(let lower, let upper): up.output(in: lower..<upper).eraseToAnyPublisher()
    case .handleEvents: handleEvents(up)
    default: nil
    }
  }

  private func not(_ divisor: Int, _ bad: Int) -> (Int) throws -> Bool {
    { value in
      try Closures.throwing(value, bad)
      return value % divisor != 0
    }
  }

  private func multiple(_ divisor: Int, _ bad: Int) -> (Int) throws -> Bool {
    { value in
      try Closures.throwing(value, bad)
      return value % divisor == 0
    }
  }

  private func below(_ limit: Int, _ bad: Int) -> (Int) throws -> Bool {
    { value in
      try Closures.throwing(value, bad)
      return value < limit
    }
  }

  /// An order that throws at the value that has just come: Combine compares it with the least, or the greatest with it.
  private func order(_ bad: Int, comesFirst: Bool) -> (Int, Int) throws -> Bool {
    { first, second in
      try Closures.throwing(comesFirst ? first : second, bad)
      return Closures.isOrdered(first, second)
    }
  }

  private func handleEvents(_ up: Stream) -> Stream {
    up.handleEvents(
      receiveSubscription: { _ in journal.note("seen: subscription") },
      receiveOutput: { journal.note("seen: value \($0)") },
      receiveCompletion: { journal.note("seen: \($0.end)") }, receiveCancel: { journal.note("seen: cancel") },
      receiveRequest: { if $0 != .none { journal.note("seen: request \(Want($0))") } }
    ).eraseToAnyPublisher()
  }

  private func applyToAllValues(_ op: Operator, _ up: Stream) -> Stream? {
    switch op {
    case .collect: up.collect().map(Closures.digest).eraseToAnyPublisher()
    case .reduce: up.reduce(0, Closures.combined).eraseToAnyPublisher()
    case .tryReduce(let bad):
      up.tryReduce(0) { result, value in
        try Closures.throwing(value, bad)
        return Closures.combined(result, value)
      }.typed()
    case .count: up.count().eraseToAnyPublisher()
    case .ignoreOutput: up.ignoreOutput().map { (_: Never) -> Int in }.eraseToAnyPublisher()
    case .minimum: up.min(by: Closures.isOrdered).eraseToAnyPublisher()
    case .maximum: up.max(by: Closures.isOrdered).eraseToAnyPublisher()
    case .tryMinimum(let bad): up.tryMin(by: order(bad, comesFirst: true)).typed()
    case .tryMaximum(let bad): up.tryMax(by: order(bad, comesFirst: false)).typed()
    case .first: up.first().eraseToAnyPublisher()
    case .firstWhere(let divisor): up.first { $0 % divisor == 0 }.eraseToAnyPublisher()
    case .tryFirstWhere(let divisor, let bad): up.tryFirst(where: multiple(divisor, bad)).typed()
    case .last: up.last().eraseToAnyPublisher()
    case .lastWhere(let divisor): up.last { $0 % divisor == 0 }.eraseToAnyPublisher()
    case .tryLastWhere(let divisor, let bad): up.tryLast(where: multiple(divisor, bad)).typed()
    case .contains(let wanted): up.contains(wanted).map { $0 ? 1 : 0 }.eraseToAnyPublisher()
    case .containsWhere(let divisor): up.contains { $0 % divisor == 0 }.map { $0 ? 1 : 0 }.eraseToAnyPublisher()
    case .tryContainsWhere(let divisor, let bad):
      up.tryContains(where: multiple(divisor, bad)).map { $0 ? 1 : 0 }.typed()
    case .allSatisfy(let divisor): up.allSatisfy { $0 % divisor == 0 }.map { $0 ? 1 : 0 }.eraseToAnyPublisher()
    case .tryAllSatisfy(let divisor, let bad): up.tryAllSatisfy(multiple(divisor, bad)).map { $0 ? 1 : 0 }.typed()
    default: nil
    }
  }

  private func applyToEnds(_ op: Operator, _ up: Stream) -> Stream? {
    switch op {
    case .replaceEmpty(let value): up.replaceEmpty(with: value).eraseToAnyPublisher()
    case .replaceError(let value):
      up.replaceError(with: value).setFailureType(to: Fault.self).eraseToAnyPublisher()
    case .catch(let inner): up.catch { stream(inner, for: $0.code) }.eraseToAnyPublisher()
    case .tryCatch(let inner, let divisor):
      up.tryCatch { fault in
        if fault.code % divisor == 0 { throw Fault(fault.code + 500) }
        return stream(inner, for: fault.code)
      }.typed()
    case .retry(let attempts): up.retry(attempts).eraseToAnyPublisher()
    case .append(let values): up.append(values).eraseToAnyPublisher()
    case .prepend(let values): up.prepend(values).eraseToAnyPublisher()
    case .appendSource(let index): up.append(source(index)).eraseToAnyPublisher()
    case .prependSource(let index): up.prepend(source(index)).eraseToAnyPublisher()
    case .prefixUntil(let index): up.prefix(untilOutputFrom: source(index)).eraseToAnyPublisher()
    case .dropUntil(let index): up.drop(untilOutputFrom: source(index)).eraseToAnyPublisher()
    default: nil
    }
  }

  private func applyToStreams(_ op: Operator, _ up: Stream) -> Stream {
    switch op {
    case .merge(let other): return up.merge(with: source(other)).eraseToAnyPublisher()
    case .merge3(let other, let another):
      return Publishers.Merge3(up, source(other), source(another)).eraseToAnyPublisher()
    case .zip(let other): return up.zip(source(other)) { Closures.digest([$0, $1]) }.eraseToAnyPublisher()
    case .zip3(let other, let another):
      return up.zip(source(other), source(another)) { Closures.digest([$0, $1, $2]) }.eraseToAnyPublisher()
    case .combineLatest(let other):
      return up.combineLatest(source(other)) { Closures.digest([$0, $1]) }.eraseToAnyPublisher()
    case .combineLatest3(let other, let another):
      return up.combineLatest(source(other), source(another)) { Closures.digest([$0, $1, $2]) }.eraseToAnyPublisher()
    case .flatMap(let limit, let inner):
      return up.flatMap(maxPublishers: limit.demand) { stream(inner, for: $0) }.eraseToAnyPublisher()
    case .switchToLatest(let inner):
      return up.map { stream(inner, for: $0) }.switchToLatest().eraseToAnyPublisher()
    case .buffer(let size, let keepsFull, let whenFull):
      let strategy: Publishers.BufferingStrategy<Fault> =
        switch whenFull {
        case .dropNewest: .dropNewest
        case .dropOldest: .dropOldest
        case .fail: .customError { Fault(900) }
        }
      return up.buffer(size: size, prefetch: keepsFull ? .keepFull : .byRequest, whenFull: strategy)
        .eraseToAnyPublisher()
    case .share: return up.share().eraseToAnyPublisher()
    case .mergeShared:
      let shared = up.share()
      return shared.merge(with: shared.map { Closures.mapped($0, 1) }).eraseToAnyPublisher()
    case .zipShared:
      let shared = up.share()
      return shared.zip(shared.map { Closures.mapped($0, 1) }) { Closures.digest([$0, $1]) }.eraseToAnyPublisher()
    default: fatalError("\(op) has no counterpart")
    }
  }
}

extension Publisher where Output == Int, Failure == any Error {
  /// The errors of the closures are all of one type.
  fileprivate func typed() -> AnyPublisher<Int, Fault> { mapError { $0 as! Fault }.eraseToAnyPublisher() }
}
