// Tests of sleeping threads and of the table that finds circles.

import TestKit
import Testing

@testable import WeirQueues

@Suite struct WaitLineTests {
  private final class Named {
    let thread: AtomicWord
    let other = AtomicWord(0)
    init(_ thread: Int) { self.thread = AtomicWord(thread) }
  }

  private func enter(_ me: Int, _ named: Named) -> Bool {
    WaitTable.enter(me, waitingFor: named.thread, or: named.other)
  }

  @Test func aSleeperWakesUp() {
    let sleeper = Sleeper(thread: 1, since: 0)
    sleeper.wake()
    sleeper.sleep()
    #expect(sleeper.grant == .none)
  }

  @Test func exceptionsAreCounted() {
    let (letThrough, untold, circles) = (WaitException.letThrough, WaitException.untold, WaitException.circles)
    for _ in 0..<1000 { WaitException.noteLetThrough() }
    for _ in 0..<2000 { WaitException.noteCircle() }
    for _ in 0..<3000 { WaitException.noteUntold() }
    // Other tests count, too.
    #expect(WaitException.letThrough >= letThrough + 1000)
    #expect(WaitException.circles >= circles + 2000)
    #expect(WaitException.untold >= untold + 3000)
  }

  @Test func aThreadThatNobodyWaitsForIsInNoCircle() {
    let named = Named(0x1_0010)
    #expect(enter(0x1_0020, named) == false)
    WaitTable.leave(0x1_0020)
  }

  @Test func theLastOfACircleFindsIt() {
    let threads = (1...4).map { 0x2_0000 + 16 * $0 }
    let names = threads.map { Named($0) }
    for index in 0..<3 { #expect(enter(threads[index], names[index + 1]) == false) }
    #expect(enter(threads[3], names[0]) == true)
    WaitTable.leave(threads[3])
    names[3].thread.relaxedStore(0)
    #expect(enter(threads[3], names[0]) == false, "the third waits for nobody any more")
    names[3].other.relaxedStore(threads[3])
    #expect(enter(threads[3], names[0]) == true)
    for thread in threads { WaitTable.leave(thread) }
  }

  @Test func aCircleOfManyIsFound() {
    let threads = (1...70).map { 0x5_0000 + 16 * $0 }
    let names = threads.map { Named($0) }
    for index in 0..<69 { #expect(enter(threads[index], names[index + 1]) == false) }
    #expect(enter(threads[69], names[0]) == true)
    #expect(enter(threads[0], names[1]) == true, "the first is in it as well")
    #expect(enter(0x5_8010, names[0]) == false, "it leads into the circle, and is not in it")
    for thread in threads + [0x5_8010] { WaitTable.leave(thread) }
    withExtendedLifetime(names) {}
  }

  @Test func aCircleOfOthersIsTheirs() {
    let names = [Named(0x3_0010), Named(0x3_0020)]
    #expect(enter(0x3_0010, names[1]) == false)
    #expect(enter(0x3_0020, names[0]) == true)
    #expect(enter(0x3_0030, names[0]) == false)
    for thread in [0x3_0010, 0x3_0020, 0x3_0030] { WaitTable.leave(thread) }
  }

  @Test func whoCannotGiveWayLeavesThatToOthers() {
    let names = [Named(0x4_0010), Named(0x4_0020)]
    func enter(_ me: Int, _ named: Named, canGiveWay: Bool) -> Bool {
      WaitTable.enter(me, waitingFor: named.thread, or: named.other, canGiveWay: canGiveWay)
    }
    #expect(enter(0x4_0010, names[1], canGiveWay: true) == false)
    #expect(enter(0x4_0020, names[0], canGiveWay: false) == false)
    #expect(enter(0x4_0010, names[1], canGiveWay: true) == true)
    #expect(enter(0x4_0010, names[1], canGiveWay: false) == true, "nobody else can")
    for thread in [0x4_0010, 0x4_0020] { WaitTable.leave(thread) }
  }

  // MARK: Turns

  private final class Turn: AwaitedTurn {
    var changers: [Changer]
    init(_ changers: [Changer]) { self.changers = changers }
  }

  private func wait(for named: Named, canGiveWay: Bool = true) -> Waits.Wait {
    .thread(named.thread.place, named.other.place, canGiveWay: canGiveWay)
  }

  /// The first waits at the third's gate, the third for the second's turn, and the second for the first's.
  @Test func whoWaitsAtAGateFindsCirclesWithTurns() {
    let first = Changer(identity: 16, thread: 16)
    let second = Changer(identity: 32, thread: 32)
    let third = Changer(identity: 48, thread: 48)
    let (named, idle) = (Named(48), Changer(identity: 64, thread: 64))
    let turns = [Turn([first]), Turn([idle, second])]
    var waits = Waits()
    waits.add(second, waitingFor: turns[0])
    waits.add(third, waitingFor: turns[1])
    for canGiveWay in [true, false] {
      waits.add(first, waitingFor: wait(for: named, canGiveWay: canGiveWay))
      #expect(waits.isCircle(of: 16))
    }
    turns[1].changers = [idle]
    #expect(!waits.isCircle(of: 16))
    withExtendedLifetime(named) {}
  }

  /// Whoever can go another way does, and others needn't; but that one must be in each circle.
  @Test func aCircleWithoutAnybodyWhoCanGiveWayIsFoundBesideAnother() {
    let me = Changer(identity: 16, thread: 16)
    let (other, able, unable) = (32, 48, 64)
    let (toOther, toMe) = (Named(other), Named(16))
    let turn = Turn([able, unable].map { Changer(identity: $0, thread: $0) })
    var waits = Waits()
    waits.add(Changer(identity: other, thread: other), waitingFor: turn)
    waits.add(Changer(identity: able, thread: able), waitingFor: wait(for: toMe))
    waits.add(me, waitingFor: wait(for: toOther, canGiveWay: false))
    #expect(!waits.isCircle(of: 16))
    waits.add(Changer(identity: unable, thread: unable), waitingFor: wait(for: toMe, canGiveWay: false))
    #expect(waits.isCircle(of: 16))
    withExtendedLifetime((toOther, toMe)) {}
  }

  /// A task that has a turn is where it waits, and otherwise where it was last seen.
  @Test func aTaskIsFoundWhereItWaits() {
    let task = Changer(identity: 5, thread: 16)
    let toHolder = Named(32)
    let turn = Turn([task])
    var waits = Waits()
    waits.add(Changer(identity: 32, thread: 32), waitingFor: turn)
    waits.add(Changer(identity: 5, thread: 48), waitingFor: wait(for: toHolder))
    #expect(waits.isCircle(of: 48) && waits.contains(task) && waits.turn(awaitedBy: task) == nil)
    waits.remove(48)
    waits.add(Changer(identity: 16, thread: 16), waitingFor: turn)
    #expect(waits.turn(awaitedBy: task) === turn && !waits.contains(task))
    waits.add(Changer(identity: 16, thread: 16), waitingFor: wait(for: toHolder))
    #expect(waits.isCircle(of: 16))
    withExtendedLifetime(toHolder) {}
  }
}
