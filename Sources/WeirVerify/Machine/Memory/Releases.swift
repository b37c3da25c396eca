// What reference counts order: whoever releases an object last, and frees it, or finds that nobody else has it, comes
// behind all that others did before they released it.
// No test file: compiled for builds with the trait Verification, and tested in Tests/ConsumerTests/Verification.

import CExplorer

/// Who has released an object and left it to others, and what they knew then: by the addresses of objects that live.
/// When one is freed, by whomever, what was known of it is no more.
final class Releases {
  private struct Former {
    /// Counts those before it in its run: the same in all runs, as addresses are not.
    let number: Int
    var known = Clock.zero
    /// Bit per thread.
    var threads = 0
    /// How many steps each thread had done when it did so last.
    var steps = SIMD8<Int32>(repeating: -1)
    /// Whether somebody was told that another thread has it still: what was released then, is released later.
    var isStillHeld = false

    mutating func noteRelease(by thread: SimulatedThread) {
      known.join(thread.clock)
      threads |= 1 << thread.number
      steps[thread.number] = Int32(thread.steps)
    }
  }

  private var formers: [UInt: Former] = [:]
  private var lastNumber = 0
  private var types = ObjectTypes()
  /// An object that never dies has more holders.
  private static let mostHolders = 1 << 28

  /// Begins to observe, as threads start: what one holds as long as it runs it can't be the last to release.
  func observe(_ threads: ArraySlice<SimulatedThread>) {
    for thread in threads {
      if let body = thread.body { ours { thread.captures.take(from: body, &types) } }
    }
    unsafe explorer_observe_releases { object, left in
      if let object = unsafe object { unsafe machine.releases.noteRelease(object, left: left, by: machine.current) }
    }
    unsafe explorer_observe_frees { block in
      if !isOwnWork { ours { machine.releases.noteFree(UInt(bitPattern: block)) } }
    }
  }

  /// Ends to observe, and forgets: what is freed from now on is not told.
  func observeNothing() {
    explorer_observe_releases(nil)
    explorer_observe_frees(nil)
    formers.removeAll(keepingCapacity: true)
    lastNumber = 0
  }

  private func noteRelease(_ object: UnsafeMutableRawPointer, left: Int, by thread: SimulatedThread) {
    guard !isOwnWork, !thread.isInMachine, left < Self.mostHolders else { return }
    ours {
      // SAFETY: an object that lives, whose first word is its type.
      let type = unsafe object.load(as: UInt.self)
      let address = UInt(bitPattern: object)
      guard !types.isOwn(type), left == 0 || !thread.captures.hold(address) else { return }
      if left == 0 { learnFromWhatIsBeingFreed(thread) }
      let former = formers[address]
      let others = (former?.threads ?? 0) & ~(1 << thread.number)
      machine.reduction?.noteRelease(of: address, types.bit(of: type), left: left, areOthers: others != 0)
      if left != 0 {
        lastNumber += former == nil ? 1 : 0
        formers[address, default: Former(number: lastNumber)].noteRelease(by: thread)
        machine.memory.noteRelease(by: thread)
        unsafe explorer_await_free(object)
      } else if let former {
        formers[address] = nil
        if !former.isStillHeld { machine.memory.learn(former.known, thread, on: machine) }
      }
    }
  }

  /// A thread is at a field, maybe in the `deinit` of an object that the runtime has released last, which isn't seen.
  func noteAccess(_ thread: SimulatedThread) {
    if !formers.isEmpty { ours { learnFromWhatIsBeingFreed(thread) } }
  }

  /// What is being freed now, its last holder has released, and so knows what the others did before.
  private func learnFromWhatIsBeingFreed(_ thread: SimulatedThread) {
    // SAFETY: objects that live, as they are taken out where they are freed.
    let being = formers.filter {
      unsafe !$0.value.isStillHeld && explorer_is_being_freed(UnsafeRawPointer(bitPattern: $0.key)!) != 0
    }
    for (address, former) in being.sorted(by: { $0.value.number < $1.value.number }) {
      let object = unsafe UnsafeRawPointer(bitPattern: address)!
      // SAFETY: the first word of an object is its type.
      let bit = types.bit(of: unsafe object.load(as: UInt.self))
      let others = former.threads & ~(1 << thread.number)
      machine.reduction?.noteRelease(of: address, bit, left: 0, areOthers: others != 0)
      machine.memory.learn(former.known, thread, on: machine)
    }
  }

  /// A thread asks whether anybody else has an object. What others do behind the answer may be another one's reason.
  ///
  /// Nobody comes between what a thread does last and its release of what it held for that. So if nobody else has the
  /// object as another thread has released it, and has done nothing since, that may as well come later: the answer is a
  /// choice, and costs as much as a preemption of that thread would.
  ///
  /// - Parameter object: The object that nobody else has; `nil` if somebody has it.
  /// - Returns: Whether nobody else has it.
  func isSoleHolder(of object: UInt?, _ thread: SimulatedThread) -> Bool {
    guard thread.number != 0 else { return object != nil }
    let former = object.flatMap { formers[$0] }
    if object == nil || former != nil { machine.reduction?.noteOpen() }
    guard let object, let former else { return object != nil }
    let mayComeLater = machine.threads[1..<machine.count].contains { other in
      other !== thread && former.steps[other.number] == Int32(other.steps)
    }
    let isStillHeld = mayComeLater && machine.choose(of: 2, costs: 0b10) == 1
    ours {
      formers[object]?.isStillHeld = isStillHeld
      if !isStillHeld { machine.memory.learn(former.known, thread, on: machine) }
    }
    return !isStillHeld
  }

  private func noteFree(_ block: UInt) {
    formers[block] = nil
    machine.reduction?.forget(block)
  }
}
