// Collects subscriptions that are written one below the other.

public import Weir

/// Makes a list of subscriptions out of the statements of a block.
///
/// A token that is an `AnyCancellable` already is taken as it is; CombineExt wraps it in another one.
@resultBuilder
public struct SubscriptionBuilder {
  /// Collects the subscriptions of a block.
  public static func subscribe(@SubscriptionBuilder content: () -> [AnyCancellable]) -> [AnyCancellable] { content() }

  /// Joins statements.
  public static func buildBlock(_ components: [any Cancellable]...) -> [AnyCancellable] { erase(components.joined()) }

  /// An `if` without `else`.
  public static func buildOptional(_ component: [any Cancellable]?) -> [AnyCancellable] { erase(component ?? []) }

  /// The first branch of an `if` or `switch`.
  public static func buildEither(first component: [any Cancellable]) -> [AnyCancellable] { erase(component) }

  /// Another branch of an `if` or `switch`.
  public static func buildEither(second component: [any Cancellable]) -> [AnyCancellable] { erase(component) }

  /// A loop.
  public static func buildArray(_ components: [[any Cancellable]]) -> [AnyCancellable] { erase(components.joined()) }

  /// A block under `#available`.
  public static func buildLimitedAvailability(_ component: [any Cancellable]) -> [AnyCancellable] { erase(component) }

  /// One subscription.
  public static func buildExpression(_ expression: any Cancellable) -> [AnyCancellable] { erase([expression]) }

  /// Several subscriptions.
  public static func buildExpression(_ expression: [any Cancellable]) -> [AnyCancellable] { erase(expression) }

  /// A statement that makes none, such as `print`.
  public static func buildExpression(_: Void) -> [AnyCancellable] { [] }

  private static func erase(_ tokens: some Sequence<any Cancellable>) -> [AnyCancellable] {
    tokens.map { token in (token as? AnyCancellable) ?? AnyCancellable { token.cancel() } }
  }
}
