// Signals that wait until they are asked for.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct PendingSignalsTests {
  @Test func `a blocked signal waits and is found`() {
    let signals = PendingSignals(blocking: [SIGUSR1, SIGURG])
    #expect(signals.first == nil)
    pthread_kill(pthread_self(), SIGURG)
    #expect(signals.first == SIGURG)
    var set = sigset_t()
    var taken: Int32 = 0
    sigemptyset(&set)
    sigaddset(&set, SIGURG)
    sigwait(&set, &taken)
    #expect(signals.first == nil)
  }

  @Test func `another signal is found as the first ones are`() {
    let signals = PendingSignals(blocking: [SIGUSR1]).adding(SIGURG)
    #expect(signals.first == nil)
    pthread_kill(pthread_self(), SIGURG)
    #expect(signals.first == SIGURG)
    var set = sigset_t()
    var taken: Int32 = 0
    sigemptyset(&set)
    sigaddset(&set, SIGURG)
    sigwait(&set, &taken)
  }

  @Test func `a time passes without a signal, and not with one`() {
    #expect(PendingSignals(blocking: []).isCalm(for: .milliseconds(1)))
    let signals = PendingSignals(blocking: [SIGURG])
    pthread_kill(pthread_self(), SIGURG)
    #expect(!signals.isCalm(for: .seconds(600)))
    var set = sigset_t()
    var taken: Int32 = 0
    sigemptyset(&set)
    sigaddset(&set, SIGURG)
    sigwait(&set, &taken)
  }
}
