// The scheduler of user interfaces: no hop on the main queue, one from everywhere else.

import Dispatch
import TestKit
import Testing
import Weir
import WeirExtras

@Suite struct UISchedulerTests {
  @Test @MainActor func runsAtOnceOnTheMainQueue() {
    var log: [Int] = []
    UIScheduler.shared.schedule { log.append(1) }
    log.append(2)
    #expect(log == [1, 2])
    let token = [1, 2].publisher.receive(on: UIScheduler.shared).sink { log.append($0) }
    #expect(log == [1, 2, 1, 2])
    withExtendedLifetime(token) {}
  }

  @Test func hopsToTheMainQueueFromElsewhere() async {
    for await isMain in runs({ action in UIScheduler.shared.schedule(action) }) { #expect(isMain) }
  }

  @Test func laterWorkRunsOnTheMainQueueToo() async {
    let scheduler = UIScheduler.shared
    #expect(scheduler.minimumTolerance == DispatchQueue.main.minimumTolerance)
    let later = runs { scheduler.schedule(after: scheduler.now.advanced(by: .nanoseconds(1)), $0) }
    for await isMain in later { #expect(isMain) }
  }

  @Test func repeatedWorkEndsWithItsToken() async {
    let scheduler = UIScheduler.shared
    let count = Counter()
    await withCheckedContinuation { continuation in
      let token = CurrentValueSubject<(any Cancellable)?, Never>(nil)
      DispatchQueue.main.schedule {
        token.value = scheduler.schedule(after: scheduler.now, interval: .milliseconds(1)) {
          guard count.add() == 3 else { return }
          token.value?.cancel()
          continuation.resume()
        }
      }
    }
    #expect(count.value == 3)
  }

  /// Whether one piece of work runs on the main queue.
  private func runs(_ schedule: @escaping (@escaping () -> Void) -> Void) -> AsyncStream<Bool> {
    AsyncStream { continuation in
      schedule {
        dispatchPrecondition(condition: .onQueue(.main))
        continuation.yield(true)
        continuation.finish()
      }
    }
  }
}
