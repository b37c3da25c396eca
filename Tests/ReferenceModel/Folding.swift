// Operators that make one value of many, or whose last value waits until it is asked for.

/// What a fold does with a value.
enum FoldStep {
  case goOn
  /// That is the result; the rest is not needed.
  case result(Int)
  case fail(Fault)
}

/// How values come to a result.
struct Fold {
  let step: (Int) -> FoldStep
  /// The result when the stream has finished, if there is one.
  let result: () -> Int?
}

extension Model {
  func makeFold(_ op: Operator) -> Fold {
    var found: Int?
    var values: [Int] = []
    func fold(_ bad: Int = .max, result: @escaping () -> Int?, _ step: @escaping (Int) -> FoldStep) -> Fold {
      Fold(step: { value in value % bad == 0 && bad != .max ? .fail(Fault(value)) : step(value) }, result: result)
    }
    func gathering(_ bad: Int = .max, _ result: @escaping ([Int]) -> Int?) -> Fold {
      fold(bad, result: { result(values) }) { value in
        values.append(value)
        return .goOn
      }
    }
    func extreme(_ bad: Int, _ isBetter: @escaping (Int, Int) -> Bool) -> Fold {
      fold(result: { found }) { value in
        // The first value has nothing to be compared with.
        if found != nil, bad != .max, value % bad == 0 { return .fail(Fault(value)) }
        if found.map({ isBetter(value, $0) }) ?? true { found = value }
        return .goOn
      }
    }
    func finding(_ bad: Int = .max, _ matches: @escaping (Int) -> Bool) -> Fold {
      fold(bad, result: { nil }) { matches($0) ? .result($0) : .goOn }
    }
    func findingLast(_ bad: Int = .max, _ matches: @escaping (Int) -> Bool) -> Fold {
      fold(bad, result: { found }) { value in
        if matches(value) { found = value }
        return .goOn
      }
    }
    func deciding(_ bad: Int = .max, otherwise: Int, _ decides: @escaping (Int) -> Bool) -> Fold {
      fold(bad, result: { otherwise }) { decides($0) ? .result(1 - otherwise) : .goOn }
    }
    switch op {
    case .collect: return gathering { Closures.digest($0) }
    case .reduce: return gathering { $0.reduce(0, Closures.combined) }
    case .tryReduce(let bad): return gathering(bad) { $0.reduce(0, Closures.combined) }
    case .count: return gathering { $0.count }
    case .minimum: return extreme(.max) { Closures.isOrdered($0, $1) }
    case .maximum: return extreme(.max) { Closures.isOrdered($1, $0) }
    case .tryMinimum(let bad): return extreme(bad) { Closures.isOrdered($0, $1) }
    case .tryMaximum(let bad): return extreme(bad) { Closures.isOrdered($1, $0) }
    case .first: return finding { _ in true }
    case .firstWhere(let divisor): return finding { $0 % divisor == 0 }
    case .tryFirstWhere(let divisor, let bad): return finding(bad) { $0 % divisor == 0 }
    case .last: return findingLast { _ in true }
    case .lastWhere(let divisor): return findingLast { $0 % divisor == 0 }
    case .tryLastWhere(let divisor, let bad): return findingLast(bad) { $0 % divisor == 0 }
    case .contains(let wanted): return deciding(otherwise: 0) { $0 == wanted }
    case .containsWhere(let divisor): return deciding(otherwise: 0) { $0 % divisor == 0 }
    case .tryContainsWhere(let divisor, let bad): return deciding(bad, otherwise: 0) { $0 % divisor == 0 }
    case .allSatisfy(let divisor): return deciding(otherwise: 1) { $0 % divisor != 0 }
    case .tryAllSatisfy(let divisor, let bad): return deciding(bad, otherwise: 1) { $0 % divisor != 0 }
    default: fatalError("\(op) makes no single value")
    }
  }

  /// An operator that takes everything, and whose result waits for the first request.
  func folding(_ up: @escaping Stream, fold makeFold: @escaping () -> Fold) -> Stream {
    { down in
      let fold = makeFold()
      var upstream = Control.empty
      var isOver = false
      var isWanted = false
      var isCancelled = false
      var waiting: (() -> Void)?
      func conclude(_ result: Int?) {
        let deliver = {
          if let result { _ = down.value(result) }
          down.end(.finished)
        }
        if isCancelled { return }
        if isWanted { deliver() } else { waiting = deliver }
      }
      up(
        Receiver(
          begin: { control in
            upstream = control
            down.begin(
              Control(
                request: { _ in
                  isWanted = true
                  let deliver = waiting
                  waiting = nil
                  deliver?()
                },
                cancel: {
                  isCancelled = true
                  waiting = nil
                  if isOver { return }
                  isOver = true
                  control.cancel()
                }))
            if !isOver { control.request(.all) }
          },
          value: { value in
            if isOver { return .none }
            switch fold.step(value) {
            case .goOn: break
            case .result(let result):
              isOver = true
              upstream.cancel()
              conclude(result)
            case .fail(let fault):
              isOver = true
              upstream.cancel()
              down.end(.failed(fault))
            }
            return .none
          },
          end: { end in
            if isOver { return }
            isOver = true
            if case .failed = end { down.end(end) } else { conclude(fold.result()) }
          }))
    }
  }

  func replaceEmpty(_ up: @escaping Stream, _ replacement: Int) -> Stream {
    { down in
      var isEmpty = true
      lastWaits(
        up, down, isPullingAll: true, trap: {},
        sees: { isEmpty = false },
        replacement: { $0 == .finished && isEmpty ? replacement : nil })
    }
  }

  func replaceError(_ up: @escaping Stream, _ replacement: Int, _ journal: Journal) -> Stream {
    { down in
      lastWaits(
        up, down, isPullingAll: false, trap: { journal.violate("replaceError") },
        sees: {},
        replacement: { $0 == .finished ? nil : replacement })
    }
  }

  /// Passes values on; the one in place of the end waits until it is asked for.
  private func lastWaits(
    _ up: Stream, _ down: Receiver, isPullingAll: Bool, trap: @escaping () -> Void, sees: @escaping () -> Void,
    replacement: @escaping (End) -> Int?
  ) {
    var wanted = Want.none
    var isOver = false
    var isCancelled = false
    var waiting: (() -> Void)?
    up(
      Receiver(
        begin: { control in
          down.begin(
            Control(
              request: { more in
                wanted += more
                if let deliver = waiting {
                  waiting = nil
                  return deliver()
                }
                if !isOver { control.request(more) }
              },
              cancel: {
                isCancelled = true
                waiting = nil
                if isOver { return }
                isOver = true
                control.cancel()
              }))
          if isPullingAll, !isOver { control.request(.all) }
        },
        value: { value in
          if isOver { return .none }
          if !isPullingAll, !wanted.take() {
            trap()
            return .none
          }
          sees()
          let more = down.value(value)
          if !isPullingAll { wanted += more }
          return more
        },
        end: { end in
          if isOver { return }
          isOver = true
          guard let value = replacement(end) else { return down.end(end) }
          let deliver = {
            _ = down.value(value)
            down.end(.finished)
          }
          if isCancelled { return }
          if wanted.isSome { deliver() } else { waiting = deliver }
        }))
  }
}
