// Where in the program a publisher was made, in builds with the trait Inspection.
// No test file: Tests/ConsumerTests/inspection tests what is built with the trait.

#if WEIR_INSPECTION
  import WeirQueues

  /// Where in the program a publisher was made, if inspection was on.
  ///
  /// It is no part of what a publisher is: all are equal.
  public struct _AssemblySite: Sendable, Equatable {
    /// The functions that were being called, and the operator, if it was made into one with others.
    package final class Stack: Sendable {
      /// That an operator was made into one with another.
      package struct Fusion: Sendable {
        /// The operator's name.
        package let name: StaticString
        /// The type of the publisher that was there before.
        package let type: Any.Type
        /// Where that was made.
        package let stack: Stack
      }

      /// Where they return to, from the innermost outwards.
      package let addresses = returnAddresses(most: 12)
      private let fused = Lock<Fusion?>(nil)

      fileprivate init() {}

      /// What it was made one with, if it was.
      package fileprivate(set) var fusion: Fusion? {
        get { fused.withLock { $0 } }
        set { fused.withLock { $0 = newValue } }
      }
    }

    package let stack: Stack?

    /// The line of the program that is being run; nothing if inspection is off.
    @inline(never)
    public static func here() -> _AssemblySite { _AssemblySite(stack: isInspectionOn ? Stack() : nil) }

    /// Whether they are equal, which they are.
    public static func == (left: _AssemblySite, right: _AssemblySite) -> Bool { true }

    /// Notes that an operator has become part of the one that was made here.
    @usableFromInline
    func follow(_ former: _AssemblySite, of type: Any.Type, as name: StaticString) {
      guard let stack, let before = former.stack else { return }
      stack.fusion = Stack.Fusion(name: name, type: type, stack: before)
    }

    /// No place.
    @usableFromInline static let unknown = _AssemblySite(stack: nil)
  }

  extension Publisher {
    /// Where it was made; not known here.
    @_alwaysEmitIntoClient public var _assembly: _AssemblySite { .unknown }

    /// This publisher, which does what another operator did and one more.
    @_alwaysEmitIntoClient
    public func _fused<Former: Publisher>(with former: Former, as name: StaticString) -> Self {
      _assembly.follow(former._assembly, of: Former.self, as: name)
      return self
    }
  }
#endif
