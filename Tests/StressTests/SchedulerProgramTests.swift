// Random programs on serial schedulers, against a model with one job for each value, and on concurrent ones.

import Dispatch
import Foundation
import TestKit
import Testing
import Weir
import WeirDispatch
import WeirExtras
import WeirFoundation

@Suite(.serialized) struct SchedulerProgramTests {
  static let seeds: Range<UInt64> = 0..<1_000

  /// Programs whose run was not what the model makes of them.
  private func differences(
    _ limits: SchedulerProgram.Limits, _ run: (SchedulerProgram) -> ProgramLog
  ) -> [UInt64] {
    var count = 0
    let differing = Self.seeds.filter { seed in
      let program = SchedulerProgram(seed: seed, limits)
      let (expected, seen) = (ProgramModel(program).log, run(program))
      count += expected.count
      if limits.delayedIsApart { return program.parted(expected) != program.parted(seen) }
      return expected.map(\.number) != seen.map(\.number)
    }
    // The programs do something.
    #expect(count > Self.seeds.count * 8)
    return differing
  }

  @Test func aDispatchQueueRunsProgramsAsTheModelDoes() {
    let queue = DispatchQueue(label: "stress.programs")
    let differing = differences(.init(longestDelay: 0)) { program in
      queue.suspend()
      let run = ProgramRun(program, on: queue, unit: 0)
      queue.resume()
      // Each pass waits for what the former one's jobs have scheduled.
      for _ in 0..<20 { queue.sync {} }
      return queue.sync { run.log }
    }
    #expect(differing == [])
  }

  @Test func anOperationQueueRunsProgramsAsTheModelDoes() {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    let differing = differences(.init(longestDelay: 0)) { program in
      queue.isSuspended = true
      let run = ProgramRun(program, on: queue, unit: 0)
      queue.isSuspended = false
      queue.waitUntilAllOperationsAreFinished()
      return run.log
    }
    #expect(differing == [])
  }

  /// A run loop runs what is due in one go and what is delayed in another, by dates.
  @Test func aRunLoopRunsProgramsAsTheModelDoes() {
    let differing = differences(.init(longestDelay: 0, delayedIsApart: true)) { program in
      let run = ProgramRun(program, on: RunLoop.current, unit: 0)
      let expected = ProgramModel(program).log.count
      for _ in 0..<100_000 where run.log.count < expected {
        _ = RunLoop.current.run(mode: .default, before: .distantPast)
      }
      for _ in 0..<3 { _ = RunLoop.current.run(mode: .default, before: .distantPast) }
      return run.log
    }
    #expect(differing == [])
  }

  /// So does an event loop.
  @Test func anEventLoopRunsProgramsAsTheModelDoes() {
    let loop = EventLoopScheduler(startsThread: false)
    let differing = differences(.init(longestDelay: 0, delayedIsApart: true)) { program in
      let run = ProgramRun(program, on: loop, unit: 0)
      while loop.poll() > 0 {}
      return run.log
    }
    #expect(differing == [])
  }

  @Test func inVirtualTimeDelaysAreAsTheModelsToo() {
    let differing = differences(.init(longestDelay: 3)) { program in
      let scheduler = ManualScheduler()
      let run = ProgramRun(program, on: scheduler, unit: 1)
      scheduler.advance(by: 100)
      return run.log
    }
    #expect(differing == [])
  }

  // MARK: Concurrent schedulers

  /// Streams of random length to one scheduler that runs jobs at the same time; some are cancelled on the way.
  ///
  /// - Parameter finish: Waits until all that was scheduled has run.
  private func runConcurrently<Context: Scheduler>(_ scheduler: Context, seed: UInt64, finish: () -> Void) {
    var random = SplitMix(seed: seed)
    let counts = (0..<4).map { _ in Int.random(in: 0...60, using: &random) }
    let cancelAt = counts.map { random.next() % 3 == 0 && $0 > 0 ? Int.random(in: 0..<$0, using: &random) : nil }
    let logs = counts.map { _ in Shared([Int]()) }
    let (inside, overlaps) = (counts.map { _ in Counter() }, Counter())
    let subjects = counts.map { _ in PassthroughSubject<Int, Never>() }
    let tokens = counts.indices.map { stream in
      let note: (Int) -> Void = {
        if inside[stream].add() != 1 { overlaps.add() }
        logs[stream].value.append($0)
        inside[stream].add(-1)
      }
      let values = subjects[stream].receive(on: scheduler)
      return (stream % 2 == 0 ? values.eraseToAnyPublisher() : values.receive(on: scheduler).eraseToAnyPublisher())
        .sink(receiveCompletion: { _ in note(-1) }, receiveValue: note)
    }
    for value in 0..<61 {
      for stream in counts.indices {
        if value < counts[stream] { subjects[stream].send(value) }
        if value == counts[stream] { subjects[stream].send(completion: .finished) }
        if value == cancelAt[stream] { tokens[stream].cancel() }
        if random.next() % 32 == 0 { scheduler.schedule { yieldThread() } }
      }
    }
    withExtendedLifetime(tokens) { finish() }
    #expect(overlaps.value == 0)
    for stream in counts.indices {
      let all = Array(0..<counts[stream]) + [-1]
      let log = logs[stream].value
      if cancelAt[stream] == nil { #expect(log == all) } else { #expect(log == Array(all.prefix(log.count))) }
    }
  }

  @Test func concurrentDispatchQueuesKeepEachStreamsOrder() {
    let queue = DispatchQueue(label: "stress.programs", attributes: .concurrent)
    for seed in Self.seeds.prefix(300) {
      runConcurrently(queue, seed: seed) {
        // A stream's second hop is scheduled by its first.
        for _ in 0..<2 { queue.sync(flags: .barrier) {} }
      }
    }
  }

  @Test func concurrentOperationQueuesKeepEachStreamsOrder() {
    let queue = OperationQueue()
    for seed in Self.seeds.prefix(100) {
      runConcurrently(queue, seed: seed) { queue.waitUntilAllOperationsAreFinished() }
    }
  }
}
