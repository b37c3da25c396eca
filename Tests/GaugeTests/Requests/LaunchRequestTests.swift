// Launch requests as arguments.

import Testing

@testable import Gauge

@Suite struct LaunchRequestTests {
  @Test(arguments: LaunchRequest.Pass.allCases)
  func roundTrip(pass: LaunchRequest.Pass) {
    let request = LaunchRequest(
      benchmark: "--pass", parameters: "a=1;b=x/y", pass: pass, budget: 7, reportDescriptor: 42,
      profile: pass == .profile ? LaunchRequest.Profile(.references, rate: 99, file: "a b") : nil)
    #expect(request.arguments.first == LaunchRequest.verb)
    #expect(LaunchRequest(arguments: request.arguments.dropFirst()) == request)
  }

  @Test(arguments: LaunchRequest.Profile.Kind.allCases.filter { $0 != .timeline })
  func profilesMakeTheRoundTrip(kind: LaunchRequest.Profile.Kind) {
    let request = LaunchRequest(benchmark: "b", pass: .profile, profile: LaunchRequest.Profile(kind, file: "f"))
    #expect(LaunchRequest(arguments: request.arguments.dropFirst()) == request)
  }

  @Test(arguments: [[.waits], [.allocations, .references]] as [Set<LaunchRequest.Profile.Timeline.Events>])
  func timelinesMakeTheRoundTrip(events: Set<LaunchRequest.Profile.Timeline.Events>) {
    let timeline = LaunchRequest.Profile.Timeline(events, operation: 7, operations: 3, timeLimit: 90)
    let request = LaunchRequest(
      benchmark: "b", pass: .profile, profile: LaunchRequest.Profile(.timeline, file: "f", timeline: timeline))
    #expect(LaunchRequest(arguments: request.arguments.dropFirst()) == request)
  }

  @Test(arguments: [
    ("--events", "speed"), ("--events", ""), ("--events", "waits,"), ("--operation", "0"), ("--operations", "0"),
    ("--time-limit", "0"), ("--time-limit", "86401"), ("--time-limit", ""),
    ("--operations", "1001"), ("--operation", "1000000001"), ("--kind", "cpu"),
  ])
  func refusesMalformedTimelines(option: String, value: String) throws {
    let profile = LaunchRequest.Profile(.timeline, file: "f", timeline: .init([.waits], timeLimit: 90))
    var arguments = Array(LaunchRequest(benchmark: "b", pass: .profile, profile: profile).arguments.dropFirst())
    let position = try #require(arguments.firstIndex(of: option))
    arguments[position + 1] = value
    #expect(LaunchRequest(arguments: arguments) == nil)
    let without = LaunchRequest(benchmark: "b", pass: .profile, profile: .init(.timeline, file: "f"))
    #expect(LaunchRequest(arguments: without.arguments.dropFirst()) == nil)
  }

  @Test func emptyParametersAreAnArgument() {
    let request = LaunchRequest(benchmark: "b", pass: .time)
    #expect(LaunchRequest(arguments: request.arguments.dropFirst()) == request)
    #expect(request.parameters.isEmpty)
  }

  @Test func orderIsFree() {
    let arguments = [
      "--report-descriptor", "3", "--budget", "5", "--pass", "latency", "--parameters", "", "--benchmark", "b",
    ]
    #expect(
      LaunchRequest(arguments: arguments)
        == LaunchRequest(benchmark: "b", pass: .latency, budget: 5, reportDescriptor: 3))
  }

  @Test(arguments: [
    ("--pass", "speed"), ("--budget", "0"), ("--budget", "-1"), ("--budget", "1.5"), ("--budget", ""),
    ("--budget", "99999999999999999999"), ("--report-descriptor", "x"), ("--report-descriptor", "-1"),
    ("--report-descriptor", "2147483648"),
  ])
  func refusesMalformedValues(option: String, value: String) throws {
    var arguments = Array(LaunchRequest(benchmark: "b", pass: .time).arguments.dropFirst())
    let position = try #require(arguments.firstIndex(of: option))
    arguments[position + 1] = value
    #expect(LaunchRequest(arguments: arguments) == nil)
  }

  @Test(arguments: [
    ("--kind", "speed"), ("--rate", "0"), ("--rate", "100001"), ("--rate", "x"), ("--pass", "time"),
  ])
  func refusesMalformedProfiles(option: String, value: String) throws {
    let profile = LaunchRequest.Profile(.cpu, file: "f")
    var arguments = Array(LaunchRequest(benchmark: "b", pass: .profile, profile: profile).arguments.dropFirst())
    let position = try #require(arguments.firstIndex(of: option))
    arguments[position + 1] = value
    #expect(LaunchRequest(arguments: arguments) == nil)
    #expect(LaunchRequest(arguments: LaunchRequest(benchmark: "b", pass: .profile).arguments.dropFirst()) == nil)
  }

  @Test func refusesUnknownRepeatedAndMissing() {
    let arguments = Array(LaunchRequest(benchmark: "b", pass: .time).arguments.dropFirst())
    #expect(LaunchRequest(arguments: arguments + ["--more", "1"]) == nil)
    #expect(LaunchRequest(arguments: arguments + ["--budget", "1"]) == nil)
    #expect(LaunchRequest(arguments: arguments + ["--budget"]) == nil)
    for length in 0..<arguments.count { #expect(LaunchRequest(arguments: arguments.prefix(length)) == nil) }
  }
}
