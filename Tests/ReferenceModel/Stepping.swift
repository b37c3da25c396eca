// Operators that decide about each value at once.

/// What an operator does with a value.
enum Decision {
  case emit(Int)
  /// Ask for another instead.
  case skip
  /// Pass the value on, and end.
  case last(Int)
  case finish
  case fail(Fault)
}

extension Model {
  /// The decision of an operator, with whatever it remembers.
  func makeStep(_ op: Operator) -> (Int) -> Decision {
    func trying(_ divisor: Int, _ value: Int, _ decide: () -> Decision) -> Decision {
      value % divisor == 0 ? .fail(Fault(value)) : decide()
    }
    var former: Int?
    var isDropping = true
    func position(in range: Range<Int>) -> (Int) -> Decision {
      var position = 0
      return { value in
        // A value that comes while the last is being delivered finds the stream at its end.
        if position >= range.upperBound { return .finish }
        position += 1
        if position <= range.lowerBound { return .skip }
        return position == range.upperBound ? .last(value) : .emit(value)
      }
    }
    switch op {
    case .map(let summand): return { .emit(Closures.mapped($0, summand)) }
    case .tryMap(let divisor): return { value in trying(divisor, value) { .emit(Closures.mapped(value, 1)) } }
    case .filter(let divisor): return { $0 % divisor == 0 ? .skip : .emit($0) }
    case .tryFilter(let divisor, let bad):
      return { value in trying(bad, value) { value % divisor == 0 ? .skip : .emit(value) } }
    case .compactMap(let divisor): return { $0 % divisor == 0 ? .skip : .emit($0 + 1) }
    case .tryCompactMap(let divisor, let bad):
      return { value in trying(bad, value) { value % divisor == 0 ? .skip : .emit(value + 1) } }
    case .replaceNil(let divisor): return { $0 % divisor == 0 ? .emit(77) : .emit($0) }
    case .scan, .tryScan:
      var result = 0
      return { value in
        if case .tryScan(let divisor) = op, value % divisor == 0 { return .fail(Fault(value)) }
        result = Closures.combined(result, value)
        return .emit(result)
      }
    case .removeDuplicates(let divisor), .tryRemoveDuplicates(let divisor, _):
      return { value in
        // The first value has nothing to be compared with.
        if case .tryRemoveDuplicates(_, let bad) = op, former != nil, value % bad == 0 { return .fail(Fault(value)) }
        let isDuplicate = former.map { $0 / divisor == value / divisor } ?? false
        if isDuplicate { return .skip }
        former = value
        return .emit(value)
      }
    case .prefix(let count): return position(in: 0..<count)
    case .outputAt(let index): return position(in: index..<index + 1)
    case .outputIn(let lower, let upper): return position(in: lower..<upper)
    case .prefixWhile(let limit): return { $0 < limit ? .emit($0) : .finish }
    case .tryPrefixWhile(let limit, let bad):
      return { value in trying(bad, value) { value < limit ? .emit(value) : .finish } }
    case .dropWhile(let limit), .tryDropWhile(let limit, _):
      return { value in
        if isDropping, case .tryDropWhile(_, let bad) = op, value % bad == 0 { return .fail(Fault(value)) }
        if isDropping, value < limit { return .skip }
        isDropping = false
        return .emit(value)
      }
    default: fatalError("\(op) does not decide about each value at once")
    }
  }

  /// An operator that decides about each value at once.
  func stepping(_ up: @escaping Stream, _ op: Operator) -> Stream {
    { down in
      let step = makeStep(op)
      var upstream = Control.empty
      var isOver = false
      func finish(_ end: End) {
        if isOver { return }
        isOver = true
        upstream.cancel()
        down.end(end)
      }
      up(
        Receiver(
          begin: { control in
            if op.isTransparent { return down.begin(control) }
            upstream = control
            down.begin(
              Control(
                request: { if !isOver { control.request($0) } },
                cancel: {
                  if isOver { return }
                  isOver = true
                  control.cancel()
                }))
          },
          value: { value in
            if isOver { return .none }
            switch step(value) {
            case .emit(let output): return down.value(output)
            case .skip: return Want(1)
            case .last(let output):
              let more = down.value(output)
              finish(.finished)
              return more
            case .finish: finish(.finished)
            case .fail(let fault): finish(.failed(fault))
            }
            return .none
          },
          end: { end in
            if isOver { return }
            isOver = true
            down.end(end)
          }))
    }
  }

  func collectByCount(_ up: @escaping Stream, _ count: Int) -> Stream {
    { down in
      var values: [Int] = []
      var isOver = false
      up(
        Receiver(
          begin: { control in
            down.begin(
              Control(
                request: { if !isOver { control.request($0 * count) } },
                cancel: {
                  if isOver { return }
                  isOver = true
                  control.cancel()
                }))
          },
          value: { value in
            if isOver { return .none }
            values.append(value)
            if values.count < count { return .none }
            let group = values
            values = []
            return down.value(Closures.digest(group)) * count
          },
          end: { end in
            // Combine passes an end on even after a cancellation.
            let wasOver = isOver
            isOver = true
            if !wasOver, end == .finished, !values.isEmpty { _ = down.value(Closures.digest(values)) }
            down.end(end)
          }))
    }
  }

  /// The subscriber gets its subscription first; what is dropped is asked for on the operator's account.
  func dropFirst(_ up: @escaping Stream, _ count: Int) -> Stream {
    { down in
      var left = count
      var early = Want.none
      var upstream: Control?
      var isOver = false
      down.begin(
        Control(
          request: { more in
            if isOver { return }
            if let upstream { upstream.request(more) } else { early += more }
          },
          cancel: {
            if isOver { return }
            isOver = true
            upstream?.cancel()
          }))
      up(
        Receiver(
          begin: { control in
            if isOver { return control.cancel() }
            upstream = control
            let all = early + Want(count)
            if all.isSome { control.request(all) }
          },
          value: { value in
            if left > 0 {
              left -= 1
              return .none
            }
            return down.value(value)
          },
          end: { end in
            isOver = true
            down.end(end)
          }))
    }
  }

  func handleEvents(_ up: @escaping Stream, _ journal: Journal) -> Stream {
    { down in
      var isOver = false
      up(
        Receiver(
          begin: { control in
            journal.note("seen: subscription")
            down.begin(
              Control(
                request: { more in
                  if isOver { return }
                  journal.note("seen: request \(more)")
                  control.request(more)
                },
                cancel: {
                  if isOver { return }
                  journal.note("seen: cancel")
                  isOver = true
                  control.cancel()
                }))
          },
          value: { value in
            if !isOver { journal.note("seen: value \(value)") }
            let more = down.value(value)
            if !isOver, more.isSome { journal.note("seen: request \(more)") }
            return more
          },
          end: { end in
            if !isOver { journal.note("seen: \(end)") }
            isOver = true
            down.end(end)
          }))
    }
  }
}

extension Operator {
  /// Whether it has no subscription of its own.
  fileprivate var isTransparent: Bool {
    switch self {
    case .map, .filter, .compactMap, .replaceNil, .scan: true
    default: false
    }
  }
}
