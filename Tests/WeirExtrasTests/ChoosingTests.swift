// Tests of what the documentation page `Choosing.md` says and no other test shows; `Tests/pages.csv` has all of its
// lines.

import TestKit
import Testing
import Weir
import WeirExtras

@Suite struct ChoosingTests {
  private func title(of address: String) async -> String { "title of \(address)" }

  @Test func aFunctionGivesTheOneResultThatAFutureWould() async {
    let future = Future<String, Never> { $0(.success("title of a")) }
    #expect(await title(of: "a") == "title of a")
    #expect(await future.value == "title of a")
  }

  @Test func aFewResultsComeSideBySide() async {
    async let first = title(of: "a")
    async let second = title(of: "b")
    #expect(await [first, second] == ["title of a", "title of b"])
  }

  // MARK: Subjects

  private final class Model: ObservableObject {
    @Published var number = 0
  }

  /// What somebody gets who comes when 1 and 2 were sent, and 3 was not.
  private func late(to stream: some Publisher<Int, Never>, _ send: (Int) -> Void) -> [Int] {
    for number in 1...2 { send(number) }
    var seen: [Int] = []
    let token = stream.sink { seen.append($0) }
    send(3)
    token.cancel()
    return seen
  }

  @Test func newSubscribersGetWhatTheSubjectKeeps() {
    let (event, state) = (PassthroughSubject<Int, Never>(), CurrentValueSubject<Int, Never>(0))
    let (eventRelay, stateRelay) = (PassthroughRelay<Int>(), CurrentValueRelay(0))
    let (replay, model) = (ReplaySubject<Int, Never>(bufferSize: 2), Model())
    #expect(late(to: event) { event.send($0) } == [3])
    #expect(late(to: state) { state.send($0) } == [2, 3])
    #expect(late(to: replay) { replay.send($0) } == [1, 2, 3])
    #expect(late(to: eventRelay) { eventRelay.accept($0) } == [3])
    #expect(late(to: stateRelay) { stateRelay.accept($0) } == [2, 3])
    #expect(late(to: model.$number) { model.number = $0 } == [2, 3])
  }

  private final class Session {
    private let signedIn = CurrentValueSubject<Bool, Never>(false)

    var isSignedIn: AnyPublisher<Bool, Never> { signedIn.eraseToAnyPublisher() }

    func signIn() { signedIn.send(true) }
  }

  @Test func aSubjectIsShownAsAPublisher() {
    let session = Session()
    var seen: [Bool] = []
    let token = session.isSignedIn.sink { seen.append($0) }
    session.signIn()
    token.cancel()
    #expect(seen == [false, true])
    #expect(!(session.isSignedIn as Any is any Subject))
  }

  // MARK: Operators

  @Test func onlyTheTextBehindAPauseIsSearchedFor() {
    let (text, scheduler) = (PassthroughSubject<String, Never>(), ManualScheduler())
    var shown: [[String]] = []
    let results =
      text
      .debounce(for: .milliseconds(300), scheduler: scheduler)
      .removeDuplicates()
      .map { query in Just(["results for " + query]) }
      .switchToLatest()
      .sink { shown.append($0) }
    for typed in ["s", "sw"] {
      text.send(typed)
      scheduler.advance(by: .milliseconds(299))
    }
    #expect(shown == [])
    scheduler.advance(by: .milliseconds(1))
    #expect(shown == [["results for sw"]])
    for typed in ["swi", "sw"] { text.send(typed) }
    scheduler.advance(by: .milliseconds(300))
    #expect(shown == [["results for sw"]])
    results.cancel()
  }

  @Test func flatMapOfOneStreamAtATimePutsOneBehindTheOther() {
    let streams = [PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>()]
    var seen: [Int] = []
    let token = streams.publisher.flatMap(maxPublishers: .max(1)) { $0 }.sink { seen.append($0) }
    streams[1].send(1)
    streams[0].send(2)
    streams[0].send(completion: .finished)
    streams[1].send(3)
    token.cancel()
    #expect(seen == [2, 3])
  }

  // MARK: Mistakes

  @Test func aSinkInsideOfASinkOutlivesItsValue() {
    let outer = PassthroughSubject<Int, Never>()
    let inner = [PassthroughSubject<String, Never>(), PassthroughSubject<String, Never>()]
    var (nested, newest): ([String], [String]) = ([], [])
    var tokens: Set<AnyCancellable> = []
    outer.sink { number in inner[number].sink { nested.append($0) }.store(in: &tokens) }.store(in: &tokens)
    outer.map { inner[$0] }.switchToLatest().sink { newest.append($0) }.store(in: &tokens)
    for number in 0..<2 { outer.send(number) }
    inner[0].send("old")
    inner[1].send("new")
    #expect(nested == ["old", "new"])
    #expect(newest == ["new"])
    tokens = []
  }

  @Test func subscriptionsOfEveryCallAllGoOn() {
    let (requests, answers) = (PassthroughSubject<Void, Never>(), PassthroughSubject<Int, Never>())
    var (all, newest): ([Int], [Int]) = ([], [])
    var tokens: Set<AnyCancellable> = []
    requests.map { _ in answers }.switchToLatest().sink { newest.append($0) }.store(in: &tokens)
    for _ in 0..<3 {
      answers.sink { all.append($0) }.store(in: &tokens)
      requests.send()
    }
    answers.send(7)
    #expect(all == [7, 7, 7])
    #expect(newest == [7])
    tokens = []
  }

  @Test func workIsDoneForEachSubscriberUnlessItIsShared() {
    let numbers = PassthroughSubject<Int, Never>()
    var runs = 0
    let work = numbers.map { number -> Int in
      runs += 1
      return number
    }
    func runsForTwo(_ stream: some Publisher<Int, Never>) -> Int {
      runs = 0
      let tokens = (0..<2).map { _ in stream.sink { _ in } }
      numbers.send(1)
      tokens.forEach { $0.cancel() }
      return runs
    }
    #expect(runsForTwo(work) == 2)
    #expect(runsForTwo(work.share()) == 1)
  }

  @Test func whatWaitsForTheEndGivesNothingBeforeIt() {
    let numbers = PassthroughSubject<Int, Never>()
    var seen: [String] = []
    let tokens = [
      numbers.collect().sink { seen.append("all \($0)") },
      numbers.last().sink { seen.append("last \($0)") },
      numbers.reduce(0, +).sink { seen.append("sum \($0)") },
      numbers.count().sink { seen.append("count \($0)") },
    ]
    for number in 1...3 { numbers.send(number) }
    #expect(seen == [])
    numbers.send(completion: .finished)
    #expect(seen == ["all [1, 2, 3]", "last 3", "sum 6", "count 3"])
    withExtendedLifetime(tokens) {}
  }
}
