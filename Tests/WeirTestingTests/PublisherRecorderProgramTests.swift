// Random programs for recorders of one stream, each compared with a list and what is left of the demand.

import TestKit
import Testing
import Weir
import WeirTesting

@Suite struct PublisherRecorderProgramTests {
  private typealias Event = RecordedEvent<Int, TestFailure>

  private struct Model {
    /// What is left of what it has asked for; without a limit if it is `nil`.
    var demand: Int?
    var isAttached = false
    var isOver = false
    var events: [Event] = []

    var listens: Bool { isAttached && !isOver }

    mutating func receive(_ value: Int) {
      guard listens, demand != 0 else { return }
      demand = demand.map { $0 - 1 }
      events.append(.value(value))
    }

    mutating func end(_ completion: Subscribers.Completion<TestFailure>) {
      guard listens else { return }
      isOver = true
      events.append(.completion(completion))
    }
  }

  @Test(arguments: 0..<4) func aRecorderIsAListOfWhatItAskedFor(quarter: UInt64) {
    for seed in programSeeds(quarter: quarter) {
      var random = SplitMix(seed: seed)
      let stream = MockPublisher<Int, TestFailure>()
      var end: Subscribers.Completion<TestFailure>?
      var models = (0..<3).map { _ in
        Model(demand: Bool.random(using: &random) ? nil : .random(in: 0..<3, using: &random))
      }
      let recorders = models.map {
        PublisherRecorder<Int, TestFailure>(demand: $0.demand.map { .max($0) } ?? .unlimited)
      }
      for step in 0..<20 {
        let chosen = Int.random(in: models.indices, using: &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<4 where !models[chosen].isAttached:
          stream.subscribe(recorders[chosen])
          models[chosen].isAttached = true
          if let end { models[chosen].end(end) }
        case 4..<8:
          let more = Int.random(in: 1..<3, using: &random)
          recorders[chosen].request(.max(more))
          models[chosen].demand = models[chosen].demand.map { $0 + more }
        case 8 where models[chosen].isAttached:
          recorders[chosen].cancel()
          models[chosen].isOver = true
        case 9 where end == nil:
          let completion: Subscribers.Completion<TestFailure> =
            Bool.random(using: &random) ? .finished : .failure(TestFailure.first)
          end = completion
          stream.send(completion: completion)
          for index in models.indices { models[index].end(completion) }
        default:
          stream.send(step)
          if end == nil { for index in models.indices { models[index].receive(step) } }
        }
        if step % 5 != 4 { continue }
        let isRight = zip(recorders, models).allSatisfy { recorder, model in
          recorder.events == model.events && (recorder.completion != nil) == (model.events.last.map(isEnd) ?? false)
        }
        let listening = models.filter(\.listens).count
        #expect(isRight && stream.subscriberCount == listening, "seed \(seed): \(recorders.map(\.events))")
        guard isRight, stream.subscriberCount == listening else { return }
      }
    }
  }

  private func isEnd(_ event: Event) -> Bool {
    if case .completion = event { return true }
    return false
  }
}
