// The programs whose transcripts Tests/behaviours.csv states, by the words with which the table names them.

/// Programs by operator and situation.
struct Behaviours {
  typealias Program = @Sendable (Transcript) async throws -> Void

  /// All programs, by operator and situation.
  static let all: [String: Program] = {
    var behaviours = Behaviours()
    behaviours.addOrigins()
    behaviours.addSequences()
    behaviours.addMapping()
    behaviours.addFiltering()
    behaviours.addPositions()
    behaviours.addReducing()
    behaviours.addErrors()
    behaviours.addRecovery()
    behaviours.addMerging()
    behaviours.addPairing()
    behaviours.addFlatMapping()
    behaviours.addSwitching()
    behaviours.addConcatenating()
    behaviours.addSharing()
    behaviours.addConnecting()
    behaviours.addBuffering()
    behaviours.addDelaying()
    behaviours.addRateLimits()
    behaviours.addTimedCollecting()
    behaviours.addSubjects()
    behaviours.addCurrentValues()
    behaviours.addSubscribers()
    behaviours.addObservation()
    behaviours.addValues()
    behaviours.addSchedulers()
    behaviours.addPrinting()
    behaviours.addPrintedDemand()
    behaviours.addAsync()
    return behaviours.programs
  }()

  private var programs: [String: Program] = [:]

  /// Adds a program.
  ///
  /// - Parameter name: The operator, a colon, and the situation, as in the table.
  mutating func callAsFunction(_ name: String, _ program: @escaping Program) {
    precondition(programs.updateValue(program, forKey: name) == nil, "two behaviours are named \"\(name)\"")
  }
}
