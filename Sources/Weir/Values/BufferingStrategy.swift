// What happens to a value that finds no room.
// No test mirror: declarations only.

extension Publishers {
  /// What happens to a value that finds a buffer full.
  @frozen
  public enum BufferingStrategy<Failure: Error> {
    /// The value is dropped.
    case dropNewest
    /// The oldest value that waits is dropped to make room.
    case dropOldest
    /// The stream fails, after the values that wait, with an error that the closure makes.
    case customError(() -> Failure)
  }
}
