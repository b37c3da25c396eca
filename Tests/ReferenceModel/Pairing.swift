// Operators that make one value of the values of several streams, or let one stream depend on another.

/// A stream among those that are combined.
private final class Side {
  var control: Control?
  var isOver = false
  var values: [Int] = []
}

extension Model {
  func zip(_ streams: [Stream]) -> Stream {
    combining(streams) { sides, down, ask, conclude in
      var completing: Side?
      var returned = Want.none
      return Combination(
        value: { value, side in
          side.values.append(value)
          guard sides.allSatisfy({ !$0.values.isEmpty }) else { return .none }
          let tuple = sides.map { $0.values.removeFirst() }
          let isOutermost = completing == nil
          if isOutermost { completing = side }
          let more = down.value(Closures.digest(tuple))
          if more.isSome { ask(more) }
          conclude()
          if !isOutermost { return .none }
          completing = nil
          defer { returned = .none }
          return returned
        },
        ask: { more in
          if completing != nil { returned += more }
          for side in sides where side !== completing { side.control?.request(more) }
        },
        isDone: { sides.contains { $0.isOver && $0.values.isEmpty } })
    }
  }

  func combineLatest(_ streams: [Stream]) -> Stream {
    combining(streams) { sides, down, ask, _ in
      var wanted = Want.none
      return Combination(
        value: { value, side in
          side.values = [value]
          if sides.allSatisfy({ !$0.values.isEmpty }), wanted.take() {
            let more = down.value(Closures.digest(sides.flatMap(\.values)))
            if more.isSome { ask(more) }
          }
          return .none
        },
        ask: { more in
          wanted += more
          for side in sides { side.control?.request(more) }
        }, isDone: { sides.allSatisfy(\.isOver) })
    }
  }

  /// What tells zip and combineLatest apart.
  private struct Combination {
    let value: (Int, Side) -> Want
    let ask: (Want) -> Void
    let isDone: () -> Bool
  }

  private func combining(
    _ streams: [Stream],
    _ makeRule: @escaping ([Side], Receiver, @escaping (Want) -> Void, @escaping () -> Void) -> Combination
  ) -> Stream {
    { down in
      let sides = streams.map { _ in Side() }
      var rule: Combination!
      var isOver = false
      var hasBegun = false
      func shutDown() {
        if isOver { return }
        isOver = true
        for side in sides {
          let control = side.control
          side.control = nil
          control?.cancel()
        }
      }
      func conclude(_ end: End) {
        shutDown()
        if !hasBegun { down.begin(.empty) }
        down.end(end)
      }
      func ask(_ more: Want) { if !isOver { rule.ask(more) } }
      rule = makeRule(sides, down, ask) { if !isOver, rule.isDone() { conclude(.finished) } }
      for (stream, side) in Swift.zip(streams, sides) {
        stream(
          Receiver(
            begin: { control in
              if isOver { return control.cancel() }
              side.control = control
              guard sides.allSatisfy({ $0.control != nil || $0.isOver }) else { return }
              hasBegun = true
              down.begin(Control(request: ask, cancel: shutDown))
            },
            value: { value in isOver || side.isOver ? .none : rule.value(value, side) },
            end: { end in
              if isOver || side.isOver { return }
              side.isOver = true
              if case .failed = end { return conclude(end) }
              side.control = nil
              if rule.isDone() { conclude(.finished) }
            }))
      }
    }
  }

  func prefixUntil(_ up: @escaping Stream, _ other: @escaping Stream, _ journal: Journal) -> Stream {
    { down in
      var upstream: Control?
      var trigger: Control?
      var isOver = false
      var isTriggerOver = false
      func shutDown() {
        if isOver { return }
        isOver = true
        upstream?.cancel()
        trigger?.cancel()
      }
      func finishEarly() {
        if isOver || isTriggerOver { return }
        // Combine sends the end without a subscription, which not every operator puts up with.
        if upstream == nil { journal.violate("prefix(untilOutputFrom:)") }
        isTriggerOver = true
        trigger = nil
        shutDown()
        down.end(.finished)
      }
      other(
        Receiver(
          begin: { control in
            trigger = control
            control.request(Want(1))
          },
          value: { _ in
            finishEarly()
            return .none
          },
          end: { _ in
            isTriggerOver = true
            trigger = nil
          }))
      up(
        Receiver(
          begin: { control in
            if isOver { return control.cancel() }
            upstream = control
            down.begin(Control(request: { if !isOver { control.request($0) } }, cancel: shutDown))
          }, value: { value in isOver ? .none : down.value(value) },
          end: { end in
            if isOver { return }
            upstream = nil
            shutDown()
            down.end(end)
          }))
    }
  }

  func dropUntil(_ up: @escaping Stream, _ other: @escaping Stream, _ journal: Journal) -> Stream {
    { down in
      var upstream: Control?
      var trigger: Control?
      var wanted = Want.none
      var isOpen = false
      var isOver = false
      func shutDown() {
        if isOver { return }
        isOver = true
        upstream?.cancel()
        trigger?.cancel()
      }
      func conclude(_ end: End) {
        if isOver { return }
        shutDown()
        down.end(end)
      }
      down.begin(
        Control(
          request: { more in
            if isOver { return }
            wanted += more
            upstream?.request(more)
          }, cancel: shutDown))
      other(
        Receiver(
          begin: { control in
            if isOver { return control.cancel() }
            trigger = control
            control.request(Want(1))
          },
          value: { _ in
            isOpen = true
            trigger = nil
            return .none
          },
          end: { end in
            trigger = nil
            if !isOpen { conclude(end) }
          }))
      up(
        Receiver(
          begin: { control in
            if isOver { return control.cancel() }
            upstream = control
            if wanted.isSome { control.request(wanted) }
          },
          value: { value in
            if isOver { return .none }
            if isOpen { return down.value(value) }
            // Dropped values use up what the subscriber has asked for.
            if !wanted.take() { journal.violate("drop(untilOutputFrom:)") }
            return .none
          },
          end: { end in
            upstream = nil
            conclude(end)
          }))
    }
  }
}
