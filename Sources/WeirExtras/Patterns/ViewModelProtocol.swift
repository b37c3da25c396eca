// The shape of a view model with inputs and outputs.

public import Weir

/// A view model that makes streams of output of streams of input.
public protocol ViewModelProtocol: ObservableObject {
  /// What comes from the view.
  associatedtype Input
  /// What the view shows.
  associatedtype Output

  /// Connects the inputs, and gives the outputs.
  ///
  /// - Parameter input: What comes from the view.
  func transform(input: Input) -> Output
}
