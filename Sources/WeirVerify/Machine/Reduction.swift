// Keeps an exploration from trying the same twice: of orders that no step can tell apart it tries one.
//
// Two steps of different threads can change places if neither writes what the other touches; see Footprint. A schedule
// needn't be tried if another one that the search comes to first is the same but for such changes, and costs no more:
// as there are finitely many, the first of each kind is always tried, within the bounds on preemptions and stale reads.
// (Steps that change places read and write the same, so these are as stale as they were.) There are four cases.
//
// - A thread that was preempted has no turn before something was done that matters to its next step: that step could
//   have come before the preemption. These are sleep sets (P. Godefroid, "Partial-Order Methods for the Verification of
//   Concurrent Systems", 1996); and it costs nothing, as the thread is preempted as often.
// - A thread that could have had a turn, and has it later: all that it does in that turn could have come first, if none
//   of what was done in between matters to any of it. One step of several wouldn't do: to come first, and go on later,
//   costs a preemption more (K. Coons, M. Musuvathi, K. McKinley, "Bounded Partial-Order Reduction", 2013).
// - A thread needn't be preempted in front of a step if the same others had their turn behind it, in other runs, and
//   nothing that they did before the thread had its turn again mattered to that step.
// - A thread that was preempted in front of a load and then reads what it could have read at once, whatever was stored
//   in between, could as well have done so.
//
// What scenarios keep in plain memory is taken to be ordered by the program under test, as `Guarded` checks, or touched
// beside `pause` and `wait` only, whose steps matter to all others; `Unguarded` tells of what is not. Who releases an
// object last matters, as that frees it; weak references, and what the standard library releases, are not seen. Types
// stand for objects there, which have no name that is the same in all runs; see ObjectTypes and Captures.

/// Which orders of steps are tried.
package enum Orders: Equatable, Sendable {
  /// All of them.
  case all
  /// Of those that no step can tell apart, one.
  case distinct
  /// As `distinct`, with a mistake: the tests of the reduction must notice it.
  case mistaken(Fault)

  /// A mistake of a reduction.
  package enum Fault: Sendable {
    /// It takes two writes to one word for steps that can change places.
    case writesToOneWordAreApart
    /// It leaves out the last of several stores that a load may read.
    case readsLackAChoice
  }
}

/// What is known of the run under way, and of those that began as it does.
final class Reduction {
  /// How it stands with a thread that has not the turn.
  private enum Rest {
    case awake
    /// It was preempted, and this is what it does next; what was done since.
    case asleep(next: Footprint, since: Footprint)
    /// The same, and what was done since matters to what it does next.
    case woken(since: Footprint)
    /// It does that now.
    case resumed(since: Footprint)
    /// It could have had a turn; what was done since.
    case passedOver(since: Footprint)
    /// It has that turn now, and nothing done since it could have had it has mattered.
    case late(since: Footprint)
  }

  /// A choice of who has the next turn. Arrays have an element per thread, numbers of threads are sets as bits.
  private struct Node {
    /// How many turns there were before, in its run.
    var turn = 0
    /// The place of the choice before it, in its run.
    var former = -1
    /// Whether option 0 is the thread that had the turn: whoever else gets it preempts it.
    var isFirstOwn = false
    var threads = SIMD4<UInt8>()
    /// What that thread does next, if it keeps the turn.
    var own = Footprint()
    /// If a thread gets the turn, what is done before the one that had it has it again.
    var meanwhile = [Footprint](repeating: Footprint(), count: 5)
    var tried: UInt8 = 0
    /// The same, at the next choice, if the thread keeps the turn at this one and does nothing stale.
    var later = [Footprint](repeating: Footprint(), count: 5)
    var triedLater: UInt8 = 0
  }

  private let fault: Orders.Fault?
  /// Nodes by their places among the choices.
  private var nodes: [Node] = []
  /// The last of this run.
  private var last = -1
  private var turn = 0
  /// The step that is being done.
  private var step = Footprint()
  /// The node at which the thread that does the step has kept the turn, or -1.
  private var keeper = -1
  /// Words that the step reads from stores which were not there when its thread could have had its turn before.
  private var newReads: UInt64 = 0
  private var rests = [Rest](repeating: .awake, count: 5)
  /// How far the memory was when each thread was preempted or passed over.
  private var marks = [Int](repeating: 0, count: 5)
  /// Whether another run stands for this one from here on.
  private var isRedundant = false
  /// For each thread the node at which it lost its turn, until it has it again, and who got it.
  private var losses = [(node: Int, to: Int)](repeating: (-1, 0), count: 5)
  /// Objects that the step has released.
  private var released: [UInt] = []
  private static let mostReleased = 64

  private var bits: [Int: UInt64] = [:]
  private var unguarded = 0

  /// - Returns: `nil` if all orders are tried.
  init?(_ orders: Orders) {
    switch orders {
    case .all: return nil
    case .distinct: fault = nil
    case .mistaken(let fault): self.fault = fault
    }
    released.reserveCapacity(Self.mostReleased)
  }

  /// Starts a run.
  func begin() {
    last = -1
    turn = 0
    step = Footprint()
    newReads = 0
    isRedundant = false
    keeper = -1
    for thread in rests.indices {
      rests[thread] = .awake
      losses[thread].node = -1
    }
    released.removeAll(keepingCapacity: true)
    unguarded = 0
  }

  // MARK: What a step touches

  /// - Parameters:
  ///   - source: The store that it reads from: how far the memory was before that.
  ///   - thread: Who reads.
  func noteRead(_ word: Word, from source: Int, by thread: Int) {
    step.reads |= word.bit
    if source >= marks[thread] { newReads |= word.bit }
  }

  func noteWrite(_ word: Word) { step.writes |= word.bit }
  func noteWake() { step.wakes = true }
  func noteSpin() { step.spins = true }
  func noteOpen() { step.isOpen = true }
  func noteUnguarded(_ bit: UInt64, writes: Bool) { if writes { step.writes |= bit } else { noteRead(bit) } }

  private func noteRead(_ bit: UInt64) {
    step.reads |= bit
    newReads |= bit
  }

  /// - Parameters:
  ///   - object: Which, by its address. That is told from those of others in this step, and says nothing else.
  ///   - type: A bit for its type.
  ///   - left: How many others hold it.
  ///   - areOthers: Whether other threads have released it before: if it is the last, one of them could have been.
  func noteRelease(of object: UInt, _ type: UInt64, left: Int, areOthers: Bool) {
    if left == 0 {
      if areOthers { step.frees |= type }
      forget(object)
      return
    }
    step.releases |= type
    if left == 1 { step.leavesOneHolder |= type }
    if released.contains(object) {
      step.releasesAgain |= type
    } else if released.count < Self.mostReleased {
      released.append(object)
    } else {
      step.isOpen = true
    }
  }

  /// An object is freed: another one may come to its address.
  func forget(_ object: UInt) {
    guard let index = released.firstIndex(of: object) else { return }
    released.swapAt(index, released.count - 1)
    released.removeLast()
  }

  /// A bit for a word that threads share, the same in all runs.
  func bit(of key: Int) -> UInt64 {
    if let bit = bits[key] { return bit }
    let bit = UInt64(1) << UInt64(bits.count & 63)
    ours { bits[key] = bit }
    return bit
  }

  /// A bit for plain memory.
  func bitOfUnguarded() -> UInt64 {
    unguarded += 1
    return UInt64(1) << UInt64(63 - unguarded & 63)
  }

  // MARK: Turns

  /// A thread has done a step, and somebody is about to have the next turn.
  func endStep(of me: SimulatedThread, _ threads: ArraySlice<SimulatedThread>, isIdle: Bool) {
    ours {
      if me.number != 0, !isIdle { noteStep(of: me, threads) }
      turn += 1
      step = Footprint()
      newReads = 0
      released.removeAll(keepingCapacity: true)
    }
  }

  private func noteStep(of me: SimulatedThread, _ threads: ArraySlice<SimulatedThread>) {
    step.isStep = true
    // Whether it is a preemption when it goes on no longer depends on the lock.
    if let lock = me.wanted, lock.value != 0 { noteRead(lock.bit) }
    if keeper >= 0 { nodes[keeper].own.formUnion(step) }
    keeper = -1
    // That a thread can't go on is a reason for what is not done.
    var meanwhile = step
    for thread in threads where !thread.isFinished {
      if let lock = thread.wanted, lock.value != 0 { meanwhile.reads |= lock.bit }
      if thread.condition != nil { meanwhile.isOpen = true }
    }
    for number in threads.indices where number != me.number {
      let loss = losses[number]
      if loss.node >= 0 { nodes[loss.node].meanwhile[loss.to].formUnion(meanwhile) }
      switch rests[number] {
      case .asleep(let next, var since):
        since.formUnion(step)
        rests[number] =
          next.isChanged(by: step, fault) ? .woken(since: since) : .asleep(next: next, since: since)
      case .woken(var since):
        since.formUnion(step)
        rests[number] = .woken(since: since)
      case .passedOver(var since):
        since.formUnion(step)
        rests[number] = .passedOver(since: since)
      case .awake, .resumed, .late: break
      }
    }
    // What it has read of what was there before can't tell the step from the same one before all that was done since.
    var own = step
    own.reads = newReads
    switch rests[me.number] {
    case .late(let since):
      if since.matters(to: own, fault) { rests[me.number] = .awake }
    case .resumed(let since):
      isRedundant = !since.matters(to: own, fault)
      rests[me.number] = .awake
    case .awake, .asleep, .woken, .passedOver: break
    }
  }

  /// Chooses who has the next turn, among candidates by their numbers.
  ///
  /// - Parameters:
  ///   - isFirstOwn: Whether the first of them has the turn now, and all others cost.
  ///   - me: Who has it now.
  func chooseTurn(
    of count: Int, _ candidates: SIMD4<UInt8>, costs: Int, isFirstOwn: Bool, _ me: Int, on machine: Machine
  ) -> Int {
    ours {
      if isRedundant { machine.choices.idle() }
      if machine.choices.isIdle { return 0 }
      var excluded = 0
      for option in 0..<count where isExcluded(Int(candidates[option]), me) { excluded |= 1 << option }
      if excluded == (1 << count) - 1 {
        machine.choices.idle()
        return 0
      }
      if count == 1 {
        passTurn(from: me, to: Int(candidates[0]))
        return 0
      }
      let place = machine.choices.depth
      let isNew = machine.choices.isAtEnd
      let chosen = machine.choose(of: count, costs: costs, without: excluded, isTurn: true)
      if machine.choices.isIdle { return 0 }
      if isNew { makeNode(place, candidates, isFirstOwn: isFirstOwn) }
      last = place
      for option in 0..<chosen {
        passOver(
          Int(candidates[option]), isFirstOwn && option == 0 ? nodes[place].own : nil, machine.memory.progress)
      }
      let next = Int(candidates[chosen])
      if isFirstOwn, chosen == 0 { keeper = place }
      passTurn(from: me, to: next)
      if me != 0, next != me {
        losses[me] = (place, next)
        nodes[place].tried |= 1 << UInt8(next)
      }
      return chosen
    }
  }

  /// A thread loses the turn, or keeps it, and a thread gets it.
  func passTurn(from me: Int, to next: Int) {
    losses[next].node = -1
    if next != me, case .late = rests[me] { rests[me] = .awake }
    switch rests[next] {
    case .passedOver(let since): rests[next] = .late(since: since)
    case .woken(let since): rests[next] = .resumed(since: since)
    case .asleep: rests[next] = .awake
    case .awake, .resumed, .late: break
    }
  }

  private func passOver(_ thread: Int, _ next: Footprint?, _ progress: Int) {
    if let next {
      rests[thread] = .asleep(next: next, since: Footprint())
    } else {
      switch rests[thread] {
      case .asleep, .woken: return
      case .awake, .resumed, .passedOver, .late: rests[thread] = .passedOver(since: Footprint())
      }
    }
    marks[thread] = progress
  }

  private func isExcluded(_ thread: Int, _ me: Int) -> Bool {
    if thread != me, case .late = rests[me] { return true }
    if case .asleep = rests[thread] { return true }
    return false
  }

  private func makeNode(_ place: Int, _ candidates: SIMD4<UInt8>, isFirstOwn: Bool) {
    while nodes.count <= place { nodes.append(Node()) }
    nodes[place].turn = turn
    nodes[place].former = last
    nodes[place].isFirstOwn = isFirstOwn
    nodes[place].threads = candidates
    nodes[place].own = Footprint()
    nodes[place].tried = 0
    nodes[place].triedLater = 0
    for thread in rests.indices {
      nodes[place].meanwhile[thread] = Footprint()
      nodes[place].later[thread] = Footprint()
    }
  }

  // MARK: Between runs

  /// Whether an option of a turn, all options before which have been tried, leads to nothing new.
  func isKnown(turn place: Int, _ option: Int) -> Bool {
    guard nodes[place].isFirstOwn else { return false }
    let thread = Int(nodes[place].threads[option])
    let later = nodes[place].later[thread]
    guard nodes[place].triedLater >> UInt8(thread) & 1 == 1, !nodes[place].own.matters(to: later, fault) else {
      return false
    }
    nodes[place].meanwhile[thread].formUnion(later)
    nodes[place].tried |= 1 << UInt8(thread)
    return true
  }

  /// All options of a turn have been tried.
  ///
  /// - Parameter isFirst: Whether all choices from a place up to this one are the first of their options.
  func leave(turn place: Int, isFirst: (Int) -> Bool) {
    let former = nodes[place].former
    guard former >= 0, nodes[former].isFirstOwn, nodes[former].turn + 1 == nodes[place].turn, isFirst(former) else {
      return
    }
    for thread in rests.indices where nodes[place].tried >> UInt8(thread) & 1 == 1 {
      nodes[former].later[thread].formUnion(nodes[place].meanwhile[thread])
    }
    nodes[former].triedLater |= nodes[place].tried
  }

  /// How many options of the memory's are kept.
  func kept(of options: Int) -> Int { fault == .readsLackAChoice ? options - 1 : options }
}
