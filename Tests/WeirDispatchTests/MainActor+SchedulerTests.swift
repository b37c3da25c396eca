// Tests of the main actor as a scheduler, and of the main queue by its short name.

import Dispatch
import TestKit
import Testing
import Weir
import WeirDispatch

@MainActor
@Suite struct MainActorSchedulerTests {
  @Test func actionsRunLaterAndInOrder() async {
    var numbers: [Int] = []
    for number in 0..<100 { MainActor.shared.schedule { numbers.append(number) } }
    #expect(numbers == [])
    while numbers.count < 100 { await Task.yield() }
    #expect(numbers == Array(0..<100))
  }

  @Test func datesAndRepetitions() async {
    var numbers: [Int] = []
    let now = MainActor.shared.now
    for number in [2, 1] {
      let date = now.advanced(by: .milliseconds(number))
      MainActor.shared.schedule(after: date) {
        #expect(MainActor.shared.now >= date)
        numbers.append(number)
      }
    }
    while numbers.count < 2 { await Task.yield() }
    // On a busy machine both are overdue when the first is scheduled: Dispatch runs them in any order then.
    #expect(numbers.sorted() == [1, 2])
    var token: (any Cancellable)?
    token = MainActor.shared.schedule(after: MainActor.shared.now, interval: .milliseconds(1)) {
      numbers.append(3)
      if numbers.count == 5 { token?.cancel() }
    }
    while numbers.count < 5 { await Task.yield() }
    var isBehind = false
    MainActor.shared.schedule(after: MainActor.shared.now.advanced(by: .milliseconds(3))) { isBehind = true }
    while !isBehind { await Task.yield() }
    #expect(numbers.dropFirst(2) == [3, 3, 3])
  }

  @Test func valuesComeInOrderWithoutAClosureForEach() async {
    let numbers = PassthroughSubject<Int, Never>()
    var seen: [Int] = []
    let token = numbers.receive(on: MainActor.shared).sink { seen.append($0) }
    #expect(OtherThread { for number in 0..<500 { numbers.send(number) } }.comesBack())
    while seen.count < 500 { await Task.yield() }
    token.cancel()
    #expect(seen == Array(0..<500))
  }

  @Test func theMainQueueHasAShortName() async {
    let numbers = PassthroughSubject<Int, Never>()
    var seen: [Int] = []
    let token = numbers.receive(on: .main).sink { seen.append($0) }
    numbers.send(1)
    #expect(seen == [])
    while seen.isEmpty { await Task.yield() }
    token.cancel()
    #expect(seen == [1])
  }
}
