// Tests of the room that a loop waits for.

import TestKit
import Testing
import WeirQueues

@Suite struct RoomTests {
  @Test func asManyTakeItAsThereIsRoomFor() async {
    let room = Room(for: 2)
    await room.take()
    await room.take()
    room.giveBack()
    await room.take()
  }

  @Test func whoWaitsHasWhatIsGivenBack() async {
    let room = Room(for: 1)
    let taken = Counter()
    let loop = Task {
      for _ in 0..<3 {
        await room.take()
        taken.add()
      }
    }
    while taken.value < 1 { await Task.yield() }
    for _ in 0..<50 { await Task.yield() }
    #expect(taken.value == 1)
    room.giveBack()
    while taken.value < 2 { await Task.yield() }
    room.giveBack()
    await loop.value
    #expect(taken.value == 3)
  }
}
