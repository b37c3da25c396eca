// Every publisher's life cycle above which a subject or a sequence stands: the engine has shorter ways for these.

import TestKit
import Testing
import Weir

@Suite struct EveryUpstreamTests {
  static let specimens = Specimen.all.filter { !$0.lacks.contains(.upstream) }
  static let withValues = specimens.filter { !$0.lacks.contains(.value) }
  static let withDemand = withValues.filter { !$0.lacks.contains(.demand) }

  // MARK: A subject

  /// What a subject can be made to do.
  private static let questions: [Question] = [
    .finishTwice, .failTwice, .cancelFirst, .cancelWithinDelivery, .sendWithinDelivery, .finishWithinDelivery,
    .requestWithinDelivery, .sendWithinClosure, .finishWithinClosure, .cancelWithinClosure, .requestWithinClosure,
  ]

  @Test(arguments: specimens) func answersASubjectAsItsModel(_ specimen: Specimen) {
    for question in Self.questions where question.reasonAgainst(specimen) == nil {
      let answer = question.ask(specimen, fedBy: .subject)
      #expect(answer == question.ask(specimen, fedBy: .likeSubject), "\(question.rawValue)")
    }
  }

  /// Up to where only a script goes on, after an end or a cancellation.
  @Test(arguments: specimens) func answersASubjectAsWrittenForAScript(_ specimen: Specimen) throws {
    let answers = try #require(LifeCycles.answers[specimen.name])
    for question in [Question.finishTwice, .failTwice, .cancelFirst, .cancelWithinDelivery] {
      guard question.reasonAgainst(specimen) == nil else { continue }
      let written = try #require(answers[question.rawValue]).split(separator: " ").filter { !$0.hasPrefix("upstream") }
      let answer = question.ask(specimen, fedBy: .subject).split(separator: " ").filter { $0 != "nothing" }
      #expect(written.starts(with: answer), "\(question.rawValue)")
    }
  }

  @Test(arguments: specimens, [Ending.finish, .failure, .cancellation])
  func isFreedWhenASubjectEndsOrIsCancelled(_ specimen: Specimen, _ ending: Ending) {
    if ending == .failure, specimen.lacks.contains(.upstreamFailure) { return }
    let leftovers = ending.leftovers(of: specimen, fedBy: .subject)
    #expect(leftovers == ending.leftovers(of: specimen, fedBy: .likeSubject))
  }

  /// A property and what tells of an object's changes are fed by others than their subscribers.
  @Test(arguments: specimens) func isFreedWithTheOnlyCancellable(_ specimen: Specimen) throws {
    let written = try #require(LifeCycles.answers[specimen.name]?[Question.leakAfterCancellation.rawValue])
    let isFedByOthers = ["Published.projectedValue", "ObservableObjectPublisher.init()"].contains(specimen.name)
    #expect(Ending.drop.leftovers(of: specimen, fedBy: .subject) == (isFedByOthers ? written : "nothing"))
  }

  @Test(arguments: withValues) func isSilentAfterACancellationThatRacesWithValues(_ specimen: Specimen) {
    for _ in 0..<50 {
      let bench = Bench(fedBy: .subject)
      specimen.subscribe(on: bench)
      onThreads([
        { for number in 10..<210 { bench.send(number) } },
        { bench.subscription?.cancel() },
      ])
      let log = bench.log
      bench.send(210)
      #expect(bench.log == log)
      let events = log.filter { $0 != "subscribed" && $0 != "finished" }
      let numbers = events.compactMap { Int($0) }
      if numbers.count == events.count { #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }) }
    }
  }

  // MARK: A sequence

  @Test(arguments: withValues) func cancelsASequenceWithinADelivery(_ specimen: Specimen) {
    let question = Question.cancelWithinDelivery
    #expect(question.ask(specimen, fedBy: .sequence) == question.ask(specimen, fedBy: .likeSequence))
  }

  /// It gets all, where neither the demand nor the time decides what that is.
  @Test(arguments: withDemand) func asksASequenceForOneValuePerDelivery(_ specimen: Specimen) {
    func log(_ kind: Feed.Kind, _ demand: Subscribers.Demand) -> [String] {
      let bench = Bench(fedBy: kind)
      bench.demand = demand
      bench.onValue = { [unowned bench] in bench.request(demand) }
      specimen.subscribe(on: bench)
      return bench.log
    }
    let onePerDelivery = log(.sequence, .max(1))
    #expect(onePerDelivery == log(.likeSequence, .max(1)))
    let isSelective = specimen.name.hasPrefix("combineLatest(") || specimen.type == "Publishers.Throttle"
    if !isSelective { #expect(onePerDelivery == log(.sequence, .unlimited)) }
  }
}
