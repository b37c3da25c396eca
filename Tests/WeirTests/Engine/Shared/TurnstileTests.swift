// Tests of the turnstile: who passes, and who is stopped.

import TestKit
import Testing

@testable import Weir

@Suite struct TurnstileTests {
  private final class Watched {
    let turnstile = Turnstile()
  }

  @Test func isWatchedUntilOneOfWeirsPublishersIsThere() {
    let watched = Watched()
    let before = watched.turnstile.isWatched
    #expect(before)
    watched.turnstile.trust(RecordingSubscription())
    let foreign = watched.turnstile.isWatched
    #expect(foreign)
    watched.turnstile.trust(UpstreamLink(name: "Test"))
    let own = watched.turnstile.isWatched
    #expect(!own)
  }

  @Test func letsOneThreadPassAgainAndAgainAlsoWithinItself() {
    let watched = Watched()
    let sum = watched.turnstile.pass("Test") { 1 + watched.turnstile.pass("Test") { 2 } }
    #expect(sum == 3)
    onThreads(1) { _ in watched.turnstile.pass("Test") {} }
    let isWatched = watched.turnstile.isWatched
    #expect(isWatched)
  }

  @Test func stopsASecondThread() async {
    await #expect(processExitsWith: .failure) {
      let watched = Watched()
      watched.turnstile.pass("Test") { onThreads(1) { _ in watched.turnstile.pass("Test") {} } }
    }
  }
}
