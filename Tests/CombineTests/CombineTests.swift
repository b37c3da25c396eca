// Tests that the umbrella offers the core under Combine's name, without any other import.

import Combine
import Dispatch
import Foundation
import Testing

@Suite struct CombineTests {
  @Test func ordinaryProgramsCompileAndRun() {
    var received: [String] = []
    var cancellables: Set<AnyCancellable> = []
    let subject = PassthroughSubject<Int, Never>()
    subject
      .map { $0 * 2 }
      .filter { $0 > 2 }
      .map { "\($0)" }
      .eraseToAnyPublisher()
      .sink { received.append($0) }
      .store(in: &cancellables)
    for value in 1...3 { subject.send(value) }
    #expect(received == ["4", "6"])
    cancellables.removeAll()
    subject.send(4)
    #expect(received == ["4", "6"])
  }

  @Test func dispatchQueuesAreSchedulers() {
    func minimumTolerance(of scheduler: some Scheduler) -> String { "\(scheduler.minimumTolerance)" }
    #expect(minimumTolerance(of: DispatchQueue.main) == "\(DispatchQueue.SchedulerTimeType.Stride.nanoseconds(0))")
  }

  @Test func foundationsTypesTakePart() {
    func minimumTolerance(of scheduler: some Scheduler) -> String { "\(scheduler.minimumTolerance)" }
    #expect(minimumTolerance(of: RunLoop.main) == "\(RunLoop.SchedulerTimeType.Stride(0))")
    let center = NotificationCenter()
    var received = 0
    let cancellable = center.publisher(for: Notification.Name("test")).sink { _ in received += 1 }
    center.post(name: Notification.Name("test"), object: nil)
    #expect(received == 1)
    cancellable.cancel()
  }
}
