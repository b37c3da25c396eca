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

// The names of generic parameters are part of the interface: these extensions use Apple's.
private protocol Titled { static var title: String { get } }
extension Int: Titled { fileprivate static var title: String { "Int" } }
extension Just: Titled where Output: Titled { fileprivate static var title: String { "Just of \(Output.title)" } }
extension Publishers.FlatMap: Titled where NewPublisher: Titled {
  fileprivate static var title: String { "FlatMap to \(NewPublisher.title)" }
}
extension Publishers.SwitchToLatest: Titled where P: Titled {
  fileprivate static var title: String { "SwitchToLatest of \(P.title)" }
}
extension Publishers.Zip: Titled where A: Titled, B: Titled {
  fileprivate static var title: String { [A.title, B.title].joined(separator: ", ") }
}
extension Publishers.Zip3: Titled where A: Titled, B: Titled, C: Titled {
  fileprivate static var title: String { [A.title, B.title, C.title].joined(separator: ", ") }
}
extension Publishers.Zip4: Titled where A: Titled, B: Titled, C: Titled, D: Titled {
  fileprivate static var title: String { [A.title, B.title, C.title, D.title].joined(separator: ", ") }
}
extension RunLoop.SchedulerTimeType: Titled { fileprivate static var title: String { "run loops" } }
extension OperationQueue.SchedulerTimeType: Titled { fileprivate static var title: String { "operation queues" } }
extension RunLoop.SchedulerTimeType.Stride: Titled { fileprivate static var title: String { "stride of run loops" } }
extension OperationQueue.SchedulerTimeType.Stride: Titled {
  fileprivate static var title: String { "stride of operation queues" }
}

@Suite struct ExtensionTests {
  @Test func genericParametersHaveCombinesNames() {
    func title<Value: Titled>(_: Value) -> String { Value.title }
    let just = Just(1)
    #expect(title(just.flatMap { Just($0) }) == "FlatMap to Just of Int")
    #expect(title(Just(just).switchToLatest()) == "SwitchToLatest of Just of Int")
    #expect(title(just.zip(just)) == "Just of Int, Just of Int")
    #expect(title(just.zip(just, just)) == "Just of Int, Just of Int, Just of Int")
    #expect(title(just.zip(just, just, just)) == "Just of Int, Just of Int, Just of Int, Just of Int")
  }

  @Test func everySchedulerHasTypesOfTimeOfItsOwn() {
    #expect(RunLoop.SchedulerTimeType.title != OperationQueue.SchedulerTimeType.title)
    #expect(RunLoop.SchedulerTimeType.Stride.title != OperationQueue.SchedulerTimeType.Stride.title)
  }
}
