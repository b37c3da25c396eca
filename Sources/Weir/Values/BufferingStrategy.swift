// What happens to a value that finds no room.
// No test file: declarations only.

extension Publishers {
  /// What happens to a value that finds a buffer full.
  @frozen
  public enum BufferingStrategy<Failure: Error> {
    /// The value is dropped.
    case dropNewest
    /// The oldest value that is kept is dropped to make room.
    case dropOldest
    /// The upstream is cancelled, and the stream fails with an error that the closure makes.
    ///
    /// Behind ``Publisher/buffer(size:prefetch:whenFull:)`` the failure comes with the next request, after the values
    /// that this asks for; the others are dropped.
    case customError(() -> Failure)
  }
}
