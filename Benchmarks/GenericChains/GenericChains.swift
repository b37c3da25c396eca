// Generic code of another module: what a library does that builds chains of operators without knowing what from.

public import Weir

/// A chain of operators between a stream of numbers and a subscriber.
public protocol Chain {
  /// The kind of values that come out.
  associatedtype Output = Int
  /// The kind of error that comes out.
  associatedtype Failure: Error = Never

  /// Builds the chain and subscribes to it.
  ///
  /// - Parameters:
  ///   - upstream: Where the chain begins.
  ///   - downstream: The subscriber at its end.
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Output, Failure>)
}

/// Subscribes a closure to a stream whose type is not known, however clever the compiler is.
///
/// - Parameters:
///   - publisher: The stream.
///   - receiveValue: What its values are given to.
@inline(never)
@_semantics("optimize.sil.specialize.generic.never")
public func sink(_ publisher: some Publisher<Int, Never>, receiveValue: @escaping (Int) -> Void) -> AnyCancellable {
  publisher.sink(receiveValue: receiveValue)
}

/// Builds a chain where none of its types is known, however clever the compiler is.
///
/// - Parameters:
///   - chain: The chain.
///   - upstream: Where it begins.
///   - downstream: The subscriber at its end.
@inline(never)
@_semantics("optimize.sil.specialize.generic.never")
public func connect<Links: Chain>(
  _ chain: Links, from upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Links.Output, Links.Failure>
) {
  chain.connect(upstream, to: downstream)
}
