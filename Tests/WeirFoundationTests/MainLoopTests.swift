// Tests of the main run loop under an asynchronous `main`, which this program has: the main queue runs in its place.

import Foundation
import TestKit
import Testing
import Weir
import WeirFoundation

#if !canImport(Darwin)
  @MainActor
  @Suite struct MainLoopTests {
    private func wait(until condition: () -> Bool) async { while !condition() { await Task.yield() } }

    @Test func actionsRunOnTheMainQueueInOrder() async {
      var numbers: [Int] = []
      for number in 0..<100 { RunLoop.main.schedule { numbers.append(number) } }
      #expect(numbers == [])
      await wait { numbers.count == 100 }
      #expect(numbers == Array(0..<100))
    }

    @Test func datesAreKeptInOrder() async {
      var numbers: [Int] = []
      let now = RunLoop.main.now
      for number in [3, 1, 2] {
        RunLoop.main.schedule(after: now.advanced(by: .milliseconds(number))) { numbers.append(number) }
      }
      await wait { numbers.count == 3 }
      #expect(numbers == [1, 2, 3])
    }

    @Test func repetitionsEnd() async {
      var runs = 0
      var token: (any Cancellable)?
      token = RunLoop.main.schedule(after: RunLoop.main.now, interval: .milliseconds(1)) {
        runs += 1
        if runs == 3 { token?.cancel() }
      }
      await wait { runs == 3 }
      var isBehind = false
      RunLoop.main.schedule(after: RunLoop.main.now.advanced(by: .milliseconds(5))) { isBehind = true }
      await wait { isBehind }
      #expect(runs == 3)
    }

    @Test func timersPublish() async {
      var dates: [Date] = []
      let token = Timer.publish(every: 0.001, on: .main, in: .common).autoconnect().sink { dates.append($0) }
      await wait { dates.count >= 3 }
      token.cancel()
      #expect(dates == dates.sorted())
    }

    @Test func aTimerWhoseConnectionIsDroppedGoesOn() async {
      let timer = Timer.publish(every: 0.02, on: .main, in: .default)
      var dates = 0
      let token = timer.sink { _ in dates += 1 }
      _ = timer.connect()
      await wait { dates >= 2 }
      token.cancel()
    }

    @Test func streamsDelayAndDebounce() async {
      let numbers = PassthroughSubject<Int, Never>()
      var (delayed, last): ([Int], [Int]) = ([], [])
      let tokens = [
        numbers.delay(for: .milliseconds(1), scheduler: RunLoop.main).sink { delayed.append($0) },
        numbers.debounce(for: .milliseconds(1), scheduler: RunLoop.main).sink { last.append($0) },
      ]
      for number in 1...3 { numbers.send(number) }
      await wait { delayed.count == 3 && last.last == 3 }
      #expect(delayed == [1, 2, 3])
      tokens.forEach { $0.cancel() }
    }
  }
#endif
