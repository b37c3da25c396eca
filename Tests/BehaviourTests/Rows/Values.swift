// Behaviours of demand, completions and identifiers, and of schedulers and their times.

import Combine
import Dispatch
import Foundation

extension Behaviours {
  mutating func addValues() {
    typealias Demand = Subscribers.Demand
    self("Demand: adding is limited by unlimited") { t in
      t.note(Demand.max(1) + .max(2))
      t.note(Demand.unlimited + .max(1))
      t.note(Demand.max(1) + .unlimited)
      t.note(Demand.max(.max) + 1)
    }
    self("Demand: subtracting") { t in
      t.note(Demand.max(3) - .max(2))
      t.note(Demand.unlimited - .max(2))
      t.note(Demand.unlimited - .unlimited)
    }
    self("Demand: a difference beyond the largest limit") { t in t.note(Demand.max(.max) - (-1)) }
    self("Demand: a number in JSON that is beyond unlimited") { t in
      t.note(try JSONDecoder().decode([Demand].self, from: Data("[\(UInt(Int.max) + 2)]".utf8))[0])
    }
    self("Demand: multiplying") { t in
      t.note(Demand.max(3) * 2)
      t.note(Demand.unlimited * 2)
      t.note(Demand.unlimited * 0)
      t.note(Demand.max(.max) * 2)
    }
    self("Demand: comparing") { t in
      t.note(Demand.max(1) < .max(2))
      t.note(Demand.unlimited > .max(.max))
      t.note(Demand.unlimited < .unlimited)
      t.note(Demand.max(2) > 1)
    }
    self("Demand: none is a maximum of zero") { t in
      t.note(Demand.none == .max(0))
      t.note(Demand.none.max ?? -1)
      t.note(Demand.unlimited.max.debugDescription)
    }
    self("Demand: description") { t in
      t.note(Demand.max(3))
      t.note(Demand.unlimited)
      t.note(Demand.none)
    }
    self("Demand: there and back through JSON") { t in
      let data = try JSONEncoder().encode([Demand.max(3), .unlimited])
      t.note(try JSONDecoder().decode([Demand].self, from: data))
    }
    self("Completion: equality") { t in
      typealias Completion = Subscribers.Completion<Fault>
      t.note(Completion.finished == .finished)
      t.note(Completion.failure(.oops) == .failure(.oops))
      t.note(Completion.failure(.oops) == .failure(.other))
      t.note(Completion.finished == .failure(.oops))
    }
    self("Completion: description") { t in
      t.note(Subscribers.Completion<Fault>.finished)
      t.note(Subscribers.Completion<Fault>.failure(.oops))
    }
    self("CombineIdentifier: each is another") { t in
      t.note(CombineIdentifier() == CombineIdentifier())
    }
    self("CombineIdentifier: of an object is always the same") { t in
      let object = PassthroughSubject<Int, Never>()
      t.note(CombineIdentifier(object) == CombineIdentifier(object))
    }
  }

  mutating func addSchedulers() {
    self("ImmediateScheduler: runs at once") { t in
      let scheduler = ImmediateScheduler.shared
      scheduler.schedule { t.note("now") }
      scheduler.schedule(after: scheduler.now.advanced(by: 1_000_000)) { t.note("later") }
      t.note("done")
    }
    self("ImmediateScheduler: its times are all one") { t in
      let now = ImmediateScheduler.shared.now
      t.note(now.distance(to: now.advanced(by: 5)).magnitude)
      t.note(ImmediateScheduler.shared.minimumTolerance.magnitude)
    }
    self("ImmediateScheduler: delays nothing") { t in
      [1, 2].publisher.delay(for: 1_000_000, scheduler: ImmediateScheduler.shared).watch(t)
    }
    self("DispatchQueue: strides are nanoseconds and literals seconds") { t in
      typealias Stride = DispatchQueue.SchedulerTimeType.Stride
      t.note(Stride.seconds(2).magnitude)
      t.note(Stride.milliseconds(2).magnitude)
      t.note(Stride.microseconds(2).magnitude)
      t.note(Stride.nanoseconds(2).magnitude)
      t.note((3 as Stride).magnitude)
      t.note((0.5 as Stride).magnitude)
    }
    self("DispatchQueue: strides compare and add") { t in
      typealias Stride = DispatchQueue.SchedulerTimeType.Stride
      t.note(Stride.seconds(1) < .milliseconds(1001))
      t.note((Stride.seconds(1) + .milliseconds(1)).magnitude)
      t.note((Stride.seconds(1) - .milliseconds(1)).magnitude)
    }
    self("DispatchQueue: strides multiply as seconds") { t in
      typealias Stride = DispatchQueue.SchedulerTimeType.Stride
      t.note((1 * 10 as Stride).magnitude)
      t.note((Stride.milliseconds(500) * 3).magnitude)
      t.note(Stride(exactly: 2 as UInt64)?.magnitude ?? 0)
    }
    self("DispatchQueue: distance and advance") { t in
      let start = DispatchQueue.SchedulerTimeType(.init(uptimeNanoseconds: 10_000))
      t.note(start.distance(to: start.advanced(by: .nanoseconds(500))).magnitude)
      t.note(start.advanced(by: .nanoseconds(500)).dispatchTime.uptimeNanoseconds)
    }
    self("DispatchQueue: distance back from the distant future") { t in
      let soon = DispatchQueue.SchedulerTimeType(.init(uptimeNanoseconds: 10_000))
      t.note(DispatchQueue.SchedulerTimeType(.distantFuture).distance(to: soon).magnitude)
    }
    self("DispatchQueue: what a stride says of itself") { t in
      t.note(DispatchQueue.SchedulerTimeType.Stride.nanoseconds(7))
    }
    self("DispatchQueue: a stride in JSON") { t in
      let data = try JSONEncoder().encode(DispatchQueue.SchedulerTimeType.Stride.nanoseconds(7))
      t.note(String(decoding: data, as: UTF8.self))
    }
    self("DispatchQueue: minimum tolerance") { t in t.note(DispatchQueue.main.minimumTolerance.magnitude) }
    self("DispatchQueue: receives in order on a serial queue") { t in
      let queue = DispatchQueue(label: "serial")
      [1, 2, 3].publisher.receive(on: queue).watch(t)
      queue.sync {}
    }
    self("RunLoop: strides are seconds") { t in
      typealias Stride = RunLoop.SchedulerTimeType.Stride
      t.note(Stride.seconds(2).magnitude)
      t.note(Stride.milliseconds(500).magnitude)
      t.note((1.5 as Stride).timeInterval)
      t.note(RunLoop.main.minimumTolerance.magnitude)
    }
    self("RunLoop: distance and advance") { t in
      let start = RunLoop.SchedulerTimeType(Date(timeIntervalSinceReferenceDate: 100))
      t.note(start.distance(to: start.advanced(by: 5)).magnitude)
      t.note(start.advanced(by: 5).date.timeIntervalSinceReferenceDate)
    }
    self("RunLoop: what a stride says of itself") { t in t.note(RunLoop.SchedulerTimeType.Stride.seconds(2)) }
    self("OperationQueue: strides are seconds") { t in
      typealias Stride = OperationQueue.SchedulerTimeType.Stride
      t.note(Stride.seconds(2).magnitude)
      t.note((Stride.seconds(2) * 1.5).magnitude)
      t.note(OperationQueue.main.minimumTolerance.magnitude)
    }
    self("Timer: nothing before it is connected") { t in
      Timer.publish(every: 0.001, on: .main, in: .default).watch(t)
      runLoop(for: 0.01)
      t.note("still nothing")
    }
  }

  mutating func addAsync() {
    self("values: all of them in a loop") { t in
      for await value in [1, 2, 3].publisher.values { t.note(value) }
      t.note("finished")
    }
    self("values: a failure is thrown") { t in
      do {
        for try await value in [1].publisher.setFailureType(to: Fault.self).append(Fail(error: .oops)).values {
          t.note(value)
        }
      } catch { t.note("thrown \(error)") }
    }
    self("values: one is asked for at a time") { t in
      let source = [1, 2, 3].publisher.handleEvents(receiveRequest: { t.note("request \($0)") })
      for await value in source.values where value == 2 { break }
    }
    self("Future.value: the value of a future") { t in
      t.note(await Future<Int, Never> { $0(.success(5)) }.value)
    }
    self("Future.value: a failure is thrown") { t in
      do {
        t.note(try await Future<Int, Fault> { $0(.failure(.oops)) }.value)
      } catch { t.note("thrown \(error)") }
    }
  }
}

private func runLoop(for seconds: TimeInterval) { RunLoop.current.run(until: Date(timeIntervalSinceNow: seconds)) }
