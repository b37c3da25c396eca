// Collects tokens of any kind that are written one below the other.

/// Makes a list of tokens out of the statements of a block.
@resultBuilder
public struct AnyTokenBuilder<Value> {
  /// Collects the tokens of a block.
  public static func build(@AnyTokenBuilder content: () -> [Value]) -> [Value] { content() }

  /// Joins statements.
  public static func buildBlock(_ components: [Value]...) -> [Value] { Array(components.joined()) }

  /// An `if` without `else`.
  public static func buildOptional(_ component: [Value]?) -> [Value] { component ?? [] }

  /// The first branch of an `if` or `switch`.
  public static func buildEither(first component: [Value]) -> [Value] { component }

  /// Another branch of an `if` or `switch`.
  public static func buildEither(second component: [Value]) -> [Value] { component }

  /// A loop.
  public static func buildArray(_ components: [[Value]]) -> [Value] { Array(components.joined()) }

  /// A block under `#available`.
  public static func buildLimitedAvailability(_ component: [Value]) -> [Value] { component }

  /// One token.
  public static func buildExpression(_ expression: Value) -> [Value] { [expression] }

  /// Several tokens.
  public static func buildExpression(_ expression: [Value]) -> [Value] { expression }

  /// A statement that makes none, such as `print`.
  public static func buildExpression(_: Void) -> [Value] { [] }
}

/// Makes a list of notification tokens out of the statements of a block.
public typealias NotificationBuilder = AnyTokenBuilder<NotificationToken>
