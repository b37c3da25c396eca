// Which stream of the model stands for which operator.

/// Builds the model's pipelines.
struct Model {
  let sources: [Stream]
  let journal: Journal

  func pipeline(_ operators: [Operator]) -> Stream {
    operators.reduce(sources[0]) { upstream, next in apply(next, to: upstream) }
  }

  /// The stream that an operator makes of a value.
  func stream(_ inner: Inner, for value: Int) -> Stream {
    switch inner {
    case .numbers(let count): sequence(Inner.numbers(count, from: value))
    case .failing: fail(Fault(value))
    case .source(let source): sources[source]
    }
  }

  func apply(_ op: Operator, to up: @escaping Stream) -> Stream {
    switch op {
    case .map, .tryMap, .filter, .tryFilter, .compactMap, .tryCompactMap, .replaceNil, .scan, .tryScan,
      .removeDuplicates, .tryRemoveDuplicates, .prefix, .prefixWhile, .tryPrefixWhile, .dropWhile, .tryDropWhile,
      .outputAt, .outputIn:
      return stepping(up, op)
    case .collect, .reduce, .tryReduce, .count, .minimum, .maximum, .tryMinimum, .tryMaximum, .first, .firstWhere,
      .tryFirstWhere, .last, .lastWhere, .tryLastWhere, .contains, .containsWhere, .tryContainsWhere, .allSatisfy,
      .tryAllSatisfy:
      return folding(up, fold: { makeFold(op) })
    case .mapError(let increment):
      return { down in
        up(
          Receiver(
            begin: down.begin, value: down.value,
            end: { end in
              guard case .failed(let fault) = end else { return down.end(end) }
              down.end(.failed(Fault(fault.code + increment)))
            }))
      }
    case .ignoreOutput:
      return { down in
        up(
          Receiver(
            begin: { control in
              down.begin(control)
              control.request(.all)
            }, value: { _ in .none }, end: down.end))
      }
    case .collectByCount(let count): return collectByCount(up, count)
    case .dropFirst(let count): return dropFirst(up, count)
    case .handleEvents: return handleEvents(up, journal)
    case .replaceEmpty(let value): return replaceEmpty(up, value)
    case .replaceError(let value): return replaceError(up, value, journal)
    case .append(let values): return following(up, journal) { $0 == .finished ? .stream(sequence(values)) : .end($0) }
    case .prepend(let values): return following(sequence(values), journal) { $0 == .finished ? .stream(up) : .end($0) }
    case .appendSource(let source):
      return following(up, journal) { $0 == .finished ? .stream(sources[source]) : .end($0) }
    case .prependSource(let source):
      return following(sources[source], journal) { $0 == .finished ? .stream(up) : .end($0) }
    case .catch(let inner):
      return following(up, journal, trapping: "catch") { end in
        guard case .failed(let fault) = end else { return .end(end) }
        return .stream(stream(inner, for: fault.code))
      }
    case .tryCatch(let inner, let divisor):
      return following(up, journal, trapping: "tryCatch") { end in
        guard case .failed(let fault) = end else { return .end(end) }
        if fault.code % divisor == 0 { return .end(.failed(Fault(fault.code + 500))) }
        return .stream(stream(inner, for: fault.code))
      }
    case .retry(let attempts): return retry(up, attempts, journal)
    case .merge(let other): return merge([up, sources[other]])
    case .merge3(let other, let another): return merge([up, sources[other], sources[another]])
    case .mergeShared:
      let shared = share(up, journal)
      return merge([shared, apply(.map(1), to: shared)])
    case .zip(let other): return zip([up, sources[other]])
    case .zip3(let other, let another): return zip([up, sources[other], sources[another]])
    case .zipShared:
      let shared = share(up, journal)
      return zip([shared, apply(.map(1), to: shared)])
    case .combineLatest(let other): return combineLatest([up, sources[other]])
    case .combineLatest3(let other, let another): return combineLatest([up, sources[other], sources[another]])
    case .flatMap(let limit, let inner): return flatMap(up, limit) { stream(inner, for: $0) }
    case .switchToLatest(let inner): return switchToLatest(up, journal) { stream(inner, for: $0) }
    case .buffer(let size, let keepsFull, let whenFull): return buffer(up, size, keepsFull, whenFull)
    case .prefixUntil(let other): return prefixUntil(up, sources[other], journal)
    case .dropUntil(let other): return dropUntil(up, sources[other], journal)
    case .share: return share(up, journal)
    }
  }
}

/// What the closures of both sides do with a value.
package enum Closures {
  package static func multiple(_ value: Int, of divisor: Int) -> Bool { value % divisor == 0 }

  package static func throwing(_ value: Int, _ divisor: Int) throws(Fault) {
    if value % divisor == 0 { throw Fault(value) }
  }

  package static func mapped(_ value: Int, _ summand: Int) -> Int { (value * 3 + summand) % 1000 }

  package static func combined(_ result: Int, _ value: Int) -> Int { (result * 31 + value) % 1000 }

  /// One number that tells lists apart.
  package static func digest(_ values: [Int]) -> Int { values.reduce(values.count, combined) }

  package static func isOrdered(_ first: Int, _ second: Int) -> Bool { first % 10 < second % 10 }
}
