// What steps of threads touch, and which of them could change places without anybody's noticing.
// No test file: the tests of Machine and Reduction, and the litmus tests, go through all of it.

/// What a step touches, or several do.
///
/// A step is what a thread does from one moment that others may come before to the next. Sets have 64 bits; where there
/// are more things than that, some share bits, and steps are taken to touch one thing that don't.
struct Footprint {
  /// Words that it reads.
  var reads: UInt64 = 0
  /// Words that it writes.
  var writes: UInt64 = 0
  /// Types of objects that it releases while they have other holders.
  var releases: UInt64 = 0
  /// Those of them of which it releases one object more than once.
  var releasesAgain: UInt64 = 0
  /// Those of them of which it leaves an object with one holder.
  var leavesOneHolder: UInt64 = 0
  /// Types of objects that it frees, and that other threads have released before.
  var frees: UInt64 = 0
  /// Whether it touches what nobody can name: every other step may notice.
  var isOpen = false
  /// Whether it waits for others to write something, whatever it is.
  var spins = false
  /// Whether it writes something that a spinner may wait for.
  var wakes = false
  /// Whether there is a step at all.
  var isStep = false

  mutating func formUnion(_ other: Footprint) {
    reads |= other.reads
    writes |= other.writes
    releases |= other.releases
    releasesAgain |= other.releasesAgain
    leavesOneHolder |= other.leavesOneHolder
    frees |= other.frees
    isOpen = isOpen || other.isOpen
    spins = spins || other.spins
    wakes = wakes || other.wakes
    isStep = isStep || other.isStep
  }

  /// Whether something would have been different if a step that was done later had come first.
  func matters(to later: Footprint, _ fault: Orders.Fault?) -> Bool {
    // Who releases an object last frees it.
    meets(later, fault) || releases & later.frees != 0
  }

  /// Whether a thread that does this next would have done something else before a step that was done in the meantime.
  func isChanged(by former: Footprint, _ fault: Orders.Fault?) -> Bool {
    meets(former, fault) || releases & former.leavesOneHolder != 0 || releasesAgain & former.releases != 0
  }

  private func meets(_ other: Footprint, _ fault: Orders.Fault?) -> Bool {
    guard isStep, other.isStep else { return false }
    if isOpen || other.isOpen { return true }
    if spins && other.wakes || wakes && other.spins { return true }
    let touched = fault == .writesToOneWordAreApart ? other.reads : other.reads | other.writes
    return writes & touched != 0 || reads & other.writes != 0
  }
}
