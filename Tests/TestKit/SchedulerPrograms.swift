// Random programs of several streams to one scheduler, and a model that puts one job there for each value.

import Weir

/// One step of a program.
package enum ProgramStep: Sendable {
  /// Sends a value, which no other step sends, into a stream.
  case send(stream: Int, value: Int)
  /// Schedules a job that the log shows as this number.
  case job(Int)
  /// Ends a stream.
  case finish(stream: Int)
  /// Cancels a stream's subscription.
  case cancel(stream: Int)
}

/// Streams to one scheduler, what is done at first, and what is done when something is delivered.
package struct SchedulerProgram {
  /// How a stream goes to the scheduler.
  package enum Route: CaseIterable, Sendable {
    case once, twice, delayed
  }

  /// What a program may hold.
  package struct Limits {
    /// The longest delay, in the units of the runner.
    package var longestDelay: Int
    /// Whether a delayed value does nothing when it is delivered, nor is its stream cancelled then: for schedulers that
    /// promise no order between what is due and what is delayed.
    package var delayedIsApart: Bool

    package init(longestDelay: Int, delayedIsApart: Bool = false) {
      self.longestDelay = longestDelay
      self.delayedIsApart = delayedIsApart
    }
  }

  package private(set) var routes: [Route] = []
  package private(set) var delays: [Int] = []
  package private(set) var steps: [ProgramStep] = []
  /// What is done when a value is delivered or a job runs.
  package private(set) var reactions: [Int: [ProgramStep]] = [:]

  private var random: SplitMix
  private var newest = 0

  package init(seed: UInt64, _ limits: Limits) {
    random = SplitMix(seed: seed)
    for _ in 0..<Int.random(in: 2...4, using: &random) {
      routes.append(Route.allCases.randomElement(using: &random)!)
      delays.append(Int.random(in: 0...limits.longestDelay, using: &random))
    }
    for _ in 0..<Int.random(in: 4...24, using: &random) { steps.append(makeStep(depth: 0, limits)) }
  }

  private mutating func makeStep(depth: Int, _ limits: Limits) -> ProgramStep {
    let stream = routes.indices.randomElement(using: &random)!
    let isApart = limits.delayedIsApart && routes[stream] == .delayed
    switch Int.random(in: 0..<20, using: &random) {
    case 0 where depth == 0 || !isApart: return .cancel(stream: stream)
    case 1: return .finish(stream: stream)
    case 2...6: return .job(makeNumber(depth: depth, mayReact: true, limits))
    default: return .send(stream: stream, value: makeNumber(depth: depth, mayReact: !isApart, limits))
    }
  }

  private mutating func makeNumber(depth: Int, mayReact: Bool, _ limits: Limits) -> Int {
    newest += 1
    let number = newest
    guard mayReact, depth < 3, Int.random(in: 0..<3, using: &random) == 0 else { return number }
    for _ in 0..<Int.random(in: 1...2, using: &random) {
      let reaction = makeStep(depth: depth + 1, limits)
      reactions[number, default: []].append(reaction)
    }
    return number
  }

  /// What the log shows for the end of a stream.
  package static func end(of stream: Int) -> Int { -1 - stream }

  /// The streams' part of a log that is due at once, and what is delayed.
  package func parted(_ log: [(stream: Int?, number: Int)]) -> [[Int]] {
    let isDelayed = { (stream: Int?) in stream.map { self.routes[$0] == .delayed } ?? false }
    return [log.filter { !isDelayed($0.stream) }.map(\.number), log.filter { isDelayed($0.stream) }.map(\.number)]
  }
}

/// What was delivered or run, in order: from which stream, or by a job.
package typealias ProgramLog = [(stream: Int?, number: Int)]

/// Runs a program on a scheduler.
package final class ProgramRun<Context: Scheduler>: @unchecked Sendable {
  package private(set) var log: ProgramLog = []

  private let program: SchedulerProgram
  private let scheduler: Context
  private var subjects: [PassthroughSubject<Int, Never>] = []
  private var tokens: [AnyCancellable] = []

  /// Makes the streams and takes the first steps.
  package init(_ program: SchedulerProgram, on scheduler: Context, unit: Context.SchedulerTimeType.Stride) {
    self.program = program
    self.scheduler = scheduler
    for (stream, route) in program.routes.enumerated() {
      let delay = unit * Context.SchedulerTimeType.Stride(exactly: program.delays[stream])!
      let subject = PassthroughSubject<Int, Never>()
      subjects.append(subject)
      let values: AnyPublisher<Int, Never> =
        switch route {
        case .once: subject.receive(on: scheduler).eraseToAnyPublisher()
        case .twice: subject.receive(on: scheduler).receive(on: scheduler).eraseToAnyPublisher()
        case .delayed: subject.delay(for: delay, scheduler: scheduler).eraseToAnyPublisher()
        }
      tokens.append(
        values.sink(
          receiveCompletion: { [unowned self] _ in log.append((stream, SchedulerProgram.end(of: stream))) },
          receiveValue: { [unowned self] in note($0, of: stream) }))
    }
    program.steps.forEach(take)
  }

  private func note(_ number: Int, of stream: Int?) {
    log.append((stream, number))
    program.reactions[number]?.forEach(take)
  }

  private func take(_ step: ProgramStep) {
    switch step {
    case .send(let stream, let value): subjects[stream].send(value)
    case .job(let number): scheduler.schedule { self.note(number, of: nil) }
    case .finish(let stream): subjects[stream].send(completion: .finished)
    case .cancel(let stream): tokens[stream].cancel()
    }
  }
}

/// What a serial scheduler makes of a program if each value has a job of its own.
package struct ProgramModel {
  package private(set) var log: ProgramLog = []

  private enum Job {
    case own(Int)
    case deliver(stream: Int, number: Int, hops: Int)
  }

  private let program: SchedulerProgram
  private var jobs: [(date: Int, job: Job)] = []
  private var now = 0
  private var isFinished: [Bool]
  private var isCancelled: [Bool]

  package init(_ program: SchedulerProgram) {
    self.program = program
    isFinished = program.routes.map { _ in false }
    isCancelled = isFinished
    program.steps.forEach { take($0) }
    while let next = jobs.indices.min(by: { (jobs[$0].date, $0) < (jobs[$1].date, $1) }) {
      let (date, job) = jobs.remove(at: next)
      now = date
      run(job)
    }
  }

  private mutating func take(_ step: ProgramStep) {
    switch step {
    case .send(let stream, let value): if !isFinished[stream] { enter(value, stream) }
    case .job(let number): jobs.append((now, .own(number)))
    case .finish(let stream):
      if !isFinished[stream] { enter(SchedulerProgram.end(of: stream), stream) }
      isFinished[stream] = true
    case .cancel(let stream): isCancelled[stream] = true
    }
  }

  private mutating func enter(_ number: Int, _ stream: Int) {
    let isDelayed = program.routes[stream] == .delayed
    let hops = program.routes[stream] == .twice ? 2 : 1
    jobs.append((isDelayed ? now + program.delays[stream] : now, .deliver(stream: stream, number: number, hops: hops)))
  }

  private mutating func run(_ job: Job) {
    switch job {
    case .own(let number): note(number, of: nil)
    case .deliver(let stream, _, _) where isCancelled[stream]: break
    case .deliver(let stream, let number, 1): note(number, of: stream)
    case .deliver(let stream, let number, let hops):
      jobs.append((now, .deliver(stream: stream, number: number, hops: hops - 1)))
    }
  }

  private mutating func note(_ number: Int, of stream: Int?) {
    log.append((stream, number))
    program.reactions[number]?.forEach { take($0) }
  }
}
