// Operators that bring many streams into one: merge, flatMap, switchToLatest.

/// A stream among those that are merged.
private final class Child {
  var control: Control?
  var isOpen = true
}

/// Many streams into one: what merge and flatMap share.
private final class Merger {
  let down: Receiver
  let limit: Want
  var outer: Control?
  var isOuterOver = false
  /// Combine keeps them in no particular order; here one takes the place that was left last.
  private var children: [Child] = []
  private var freePlaces: [Int] = []
  private var waiting: [(value: Int, child: Child)] = []
  private var wanted = Want.none
  private var asksForAll = false
  private var isDelivering = false
  private(set) var isOver = false

  init(_ down: Receiver, limit: Want) {
    self.down = down
    self.limit = limit
  }

  var control: Control { Control(request: request, cancel: shutDown) }

  func add(_ stream: Stream) {
    if isOver || isOuterOver { return }
    let child = Child()
    let place = freePlaces.popLast() ?? children.count
    if place == children.count { children.append(child) } else { children[place] = child }
    stream(
      Receiver(
        begin: { [self] control in
          if isOver || !child.isOpen { return control.cancel() }
          child.control = control
          control.request(asksForAll ? .all : Want(1))
        },
        value: { [self] value in
          if isOver || !child.isOpen { return .none }
          guard waiting.isEmpty, wanted.take() else {
            waiting.append((value, child))
            return .none
          }
          let more = deliver(value)
          if more.isSome || !waiting.isEmpty { serve() }
          return asksForAll ? .none : Want(1)
        },
        end: { [self] end in
          if isOver || !child.isOpen { return }
          child.isOpen = false
          child.control = nil
          freePlaces.append(place)
          if case .failed = end {
            // The upstream is not cancelled, in Combine's way.
            outer = nil
            return conclude(end)
          }
          if limit != .all, !isOuterOver { outer?.request(Want(1)) }
          concludeIfDone()
        }))
  }

  private func deliver(_ value: Int) -> Want {
    let wasDelivering = isDelivering
    isDelivering = true
    let more = down.value(value)
    isDelivering = wasDelivering
    wanted += more
    return more
  }

  private func request(_ more: Want) {
    if isOver { return }
    wanted += more
    serve()
  }

  /// Delivers what waits, unless that is being done, and then asks for everything if everything is wanted.
  private func serve() {
    if !isDelivering {
      while !isOver, !waiting.isEmpty, wanted.take() {
        let (value, child) = waiting.removeFirst()
        _ = deliver(value)
        if wanted != .all, child.isOpen { child.control?.request(Want(1)) }
      }
      concludeIfDone()
    }
    if !isOver, !asksForAll, wanted == .all, waiting.isEmpty {
      asksForAll = true
      for child in children where child.isOpen && !isOver { child.control?.request(.all) }
    }
  }

  func concludeIfDone() {
    if !isOver, isOuterOver, waiting.isEmpty, !children.contains(where: \.isOpen) { conclude(.finished) }
  }

  func conclude(_ end: End) {
    if isOver { return }
    shutDown()
    down.end(end)
  }

  func shutDown() {
    if isOver { return }
    isOver = true
    waiting = []
    for child in children where child.isOpen {
      child.isOpen = false
      child.control?.cancel()
    }
    outer?.cancel()
    outer = nil
  }
}

extension Model {
  func merge(_ streams: [Stream]) -> Stream {
    { down in
      let merger = Merger(down, limit: .all)
      down.begin(merger.control)
      streams.forEach(merger.add)
      merger.isOuterOver = true
      merger.concludeIfDone()
    }
  }

  func flatMap(_ up: @escaping Stream, _ limit: Want, _ transform: @escaping (Int) -> Stream) -> Stream {
    { down in
      let merger = Merger(down, limit: limit)
      down.begin(merger.control)
      up(
        Receiver(
          begin: { control in
            if merger.isOver { return control.cancel() }
            merger.outer = control
            control.request(limit)
          },
          value: { value in
            if !merger.isOver { merger.add(transform(value)) }
            return .none
          },
          end: { end in
            if merger.isOver { return }
            merger.isOuterOver = true
            merger.outer = nil
            if case .failed = end { merger.conclude(end) } else { merger.concludeIfDone() }
          }))
    }
  }

  func switchToLatest(
    _ up: @escaping Stream, _ journal: Journal, _ transform: @escaping (Int) -> Stream
  ) -> Stream {
    { down in
      var wanted = Want.none
      var outer: Control?
      var inner: Child?
      var isOuterOver = false
      var isOver = false
      func shutDown() {
        if isOver { return }
        isOver = true
        inner?.isOpen = false
        inner?.control?.cancel()
        outer?.cancel()
      }
      func conclude(_ end: End) {
        if isOver { return }
        shutDown()
        down.end(end)
      }
      func open(_ stream: Stream) {
        if let former = inner {
          inner = nil
          former.isOpen = false
          former.control?.cancel()
        }
        if isOver { return }
        let child = Child()
        inner = child
        stream(
          Receiver(
            begin: { control in
              if isOver || !child.isOpen { return control.cancel() }
              child.control = control
              if wanted.isSome { control.request(wanted) }
            },
            value: { value in
              if isOver || !child.isOpen { return .none }
              guard wanted.take() else {
                journal.violate("switchToLatest")
                return .none
              }
              let more = down.value(value)
              wanted += more
              // A stream that has been replaced meanwhile leaves what was returned to its successor.
              if !child.isOpen, more.isSome, !isOver { inner?.control?.request(more) }
              return more
            },
            end: { end in
              if isOver || !child.isOpen { return }
              child.isOpen = false
              inner = nil
              if case .failed = end { return conclude(end) }
              if isOuterOver { conclude(.finished) }
            }))
      }
      down.begin(
        Control(
          request: { more in
            if isOver { return }
            wanted += more
            inner?.control?.request(more)
          }, cancel: shutDown))
      up(
        Receiver(
          begin: { control in
            if isOver { return control.cancel() }
            outer = control
            control.request(.all)
          },
          value: { value in
            if !isOver { open(transform(value)) }
            return .none
          },
          end: { end in
            if isOver { return }
            isOuterOver = true
            outer = nil
            if case .failed = end { return conclude(end) }
            if inner == nil { conclude(.finished) }
          }))
    }
  }
}
