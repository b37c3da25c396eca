// Operators that hold values or subscribers: buffer and share.

extension Model {
  func buffer(_ up: @escaping Stream, _ size: Int, _ keepsFull: Bool, _ whenFull: WhenFull) -> Stream {
    { down in
      var values: [Int] = []
      /// On their way out: what they use up is taken for all of them before the first goes.
      var leaving: [Int] = []
      var wanted = Want.none
      var upstream: Control?
      var ending: End?
      var isOver = false
      var isCancelled = false
      var isAnnounced = false
      var isDelivering = false

      func deliver(_ value: Int) {
        let wasDelivering = isDelivering
        isDelivering = true
        wanted += down.value(value)
        isDelivering = wasDelivering
      }
      func concludeIfDue() {
        guard !isOver, let end = ending, isAnnounced else { return }
        switch end {
        case .finished: if !values.isEmpty || !leaving.isEmpty || !wanted.isSome { return }
        case .failed: if !values.isEmpty, wanted.isSome { return }
        }
        isOver = true
        down.end(end)
      }
      /// - Returns: How many values went.
      func drain() -> Want {
        var delivered = 0
        while !isOver, !isCancelled, !values.isEmpty, wanted.isSome {
          while !values.isEmpty, wanted.take() { leaving.append(values.removeFirst()) }
          while !isCancelled, !leaving.isEmpty {
            deliver(leaving.removeFirst())
            delivered += 1
          }
        }
        if !isCancelled { concludeIfDue() }
        return keepsFull ? Want(delivered) : .none
      }
      func ask(_ more: Want) { if more.isSome { upstream?.request(more) } }

      up(
        Receiver(
          begin: { control in
            upstream = control
            control.request(keepsFull ? Want(size) : .all)
            isAnnounced = true
            down.begin(
              Control(
                request: { more in
                  if isOver || isCancelled { return }
                  wanted += more
                  if !isDelivering { ask(drain()) }
                },
                cancel: {
                  if isOver || isCancelled { return }
                  isCancelled = true
                  let control = upstream
                  upstream = nil
                  control?.cancel()
                }))
            if ending != nil { ask(drain()) }
          },
          value: { value in
            if isOver || isCancelled { return .none }
            if case .failed = ending { return .none }
            if values.isEmpty, leaving.isEmpty, size > 0, wanted.take() {
              deliver(value)
              let more = values.isEmpty && ending == nil ? Want.none : drain()
              return keepsFull ? more + Want(1) : .none
            }
            if values.count >= size {
              switch whenFull {
              case .dropNewest: return drain()
              case .dropOldest: if values.isEmpty { return drain() } else { values.removeFirst() }
              case .fail:
                ending = .failed(Fault(900))
                let control = upstream
                upstream = nil
                control?.cancel()
                return .none
              }
            }
            values.append(value)
            return drain()
          },
          end: { end in
            if isOver || isCancelled || ending != nil { return }
            ending = end
            ask(drain())
          }))
    }
  }

  /// One subscription to the upstream for all subscribers, from the first one's arrival to the last one's departure.
  func share(_ up: @escaping Stream, _ journal: Journal) -> Stream {
    final class Member {
      let down: Receiver
      var wanted = Want.none
      var isOver = false

      init(_ down: Receiver) { self.down = down }
    }
    var members: [Member] = []
    var isConnected = false
    var isConnecting = false
    /// Which connection it is: what one sends after it was cut is ignored.
    var number = 0
    var upstream: Control?
    var hasAsked = false
    var isWanted = false
    var end: End?
    func askOnce() {
      guard isWanted, !hasAsked, let upstream else { return }
      hasAsked = true
      upstream.request(.all)
    }
    func disconnectIfDeserted() {
      // What is being connected can be cut only afterwards.
      guard members.isEmpty, isConnected, !isConnecting else { return }
      isConnected = false
      number += 1
      hasAsked = false
      let control = upstream
      upstream = nil
      control?.cancel()
    }
    return { down in
      // Combine connects twice.
      if isConnecting { journal.violate("share") }
      if let end {
        down.begin(.empty)
        down.end(end)
        return
      }
      let member = Member(down)
      members.append(member)
      down.begin(
        Control(
          request: { more in
            if member.isOver { return }
            member.wanted += more
            isWanted = true
            askOnce()
          },
          cancel: {
            if member.isOver { return }
            member.isOver = true
            members.removeAll { $0 === member }
            disconnectIfDeserted()
          }))
      guard !isConnected, !members.isEmpty else { return }
      isConnected = true
      isConnecting = true
      let mine = number
      up(
        Receiver(
          begin: { control in
            upstream = control
            askOnce()
          },
          value: { value in
            if mine != number { return .none }
            for member in members where !member.isOver && member.wanted.take() {
              member.wanted += member.down.value(value)
            }
            return .none
          },
          end: { theEnd in
            if mine != number || end != nil { return }
            end = theEnd
            upstream = nil
            let told = members
            members = []
            for member in told where !member.isOver {
              member.isOver = true
              member.down.end(theEnd)
            }
          }))
      isConnecting = false
      disconnectIfDeserted()
    }
  }
}
