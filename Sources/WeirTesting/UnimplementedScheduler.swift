// A scheduler that a test does not expect to be used.

public import Weir

/// Fails the test when it is used: shows that the code under test does nothing on its scheduler.
///
/// Actions are not run. For tests alone: a program that runs no test has nobody to tell, so that nothing happens there,
/// or it stops if it was built without a library for tests.
public struct UnimplementedScheduler<SchedulerTimeType: Strideable, SchedulerOptions>: Scheduler
where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
  private let name: String
  private let time: SchedulerTimeType
  private let location: TestLocation

  /// Creates a scheduler.
  ///
  /// - Parameters:
  ///   - name: Names it in failures.
  ///   - now: What it returns for the present, besides failing.
  ///   - fileID: The place where failures are reported.
  ///   - filePath: The place where failures are reported.
  ///   - line: The place where failures are reported.
  ///   - column: The place where failures are reported.
  public init(
    _ name: String = "", now: SchedulerTimeType, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    self.name = name.isEmpty ? "an unimplemented scheduler" : "the unimplemented scheduler '\(name)'"
    time = now
    location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  }

  private func fail(_ use: String) { reportTestFailure("\(name) was \(use)", at: location) }

  /// A failure.
  public var now: SchedulerTimeType {
    fail("asked for the time")
    return time
  }

  /// A failure.
  public var minimumTolerance: SchedulerTimeType.Stride {
    fail("asked for its tolerance")
    return .zero
  }

  /// A failure.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) { fail("given an action") }

  /// A failure.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    fail("given an action for a later date")
  }

  /// A failure.
  ///
  /// - Returns: An object whose cancellation does nothing.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    fail("given an action to repeat")
    return AnyCancellable {}
  }
}

extension UnimplementedScheduler where SchedulerTimeType == VirtualTime, SchedulerOptions == Never {
  /// Creates a scheduler with a time of its own.
  ///
  /// - Parameters:
  ///   - name: Names it in failures.
  ///   - fileID: The place where failures are reported.
  ///   - filePath: The place where failures are reported.
  ///   - line: The place where failures are reported.
  ///   - column: The place where failures are reported.
  public init(
    _ name: String = "", fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    self.init(name, now: VirtualTime(), fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
