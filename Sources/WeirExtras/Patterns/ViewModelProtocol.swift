// The shape of a view model with inputs and outputs.

public import Weir

/// A view model that makes streams of output of streams of input.
///
/// Views are on the main actor, and so is `transform`: a class with `@MainActor` conforms as it is. One whose
/// `transform` is called elsewhere writes `nonisolated func transform(input:)`.
public protocol ViewModelProtocol: ObservableObject {
  /// What comes from the view.
  associatedtype Input
  /// What the view shows.
  associatedtype Output

  /// Connects the inputs, and gives the outputs.
  ///
  /// - Parameter input: What comes from the view.
  @MainActor func transform(input: Input) -> Output
}
