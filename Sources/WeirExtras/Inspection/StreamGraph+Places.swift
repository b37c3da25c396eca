// Where in the program the operators of live streams were made.

import Weir
import WeirQueues

extension StreamGraph {
  /// A line of the program.
  public struct Place: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The path of the source file.
    public let file: String
    /// The number of the line, from 1 on.
    public let line: Int
    /// The name of the function.
    public let function: String

    package init(file: String, line: Int, function: String) {
      self.file = file
      self.line = line
      self.function = function
    }

    /// The file's name and the line, as `Orders.swift:12`.
    public var description: String { "\(file.split(separator: "/").last ?? ""):\(line)" }
  }

  /// An operator, and where it was made.
  public struct Operator: Sendable, Hashable, Codable {
    /// The name of its publisher's type, or of the operator where that is another one's.
    public let name: String
    /// Where it was made.
    public let site: Site

    package init(name: String, site: Site) {
      self.name = name
      self.site = site
    }
  }

  /// A place in the program's code: the functions that were being called there.
  ///
  /// It keeps the addresses that they return to. Which lines these are is looked up when somebody asks, in the debug
  /// information of the program's files, and only once for each address.
  ///
  /// Two are equal if they are in the same line of the same function, or, without lines, have the same frames.
  public struct Site: Sendable, Hashable, Codable {
    private let addresses: [UInt]
    /// What another process has told.
    private let told: Told?

    private struct Told: Hashable, Codable {
      var place: Place?
      var frames: [String]
    }

    package init(_ addresses: [UInt]) {
      self.addresses = addresses
      told = nil
    }

    package init(place: Place?, frames: [String] = []) {
      addresses = []
      told = Told(place: place, frames: frames)
    }

    /// The innermost line that isn't Weir's own; `nil` where there is none, and where the program has no debug
    /// information, or it can't be read in the program itself: that is possible on Linux.
    public var place: Place? {
      if let told { return told.place }
      #if WEIR_INSPECTION
        return SourcePlaces.place(of: addresses).map { Place(file: $0.file, line: $0.line, function: $0.function) }
      #else
        return nil
      #endif
    }

    /// Where the functions return to, from the innermost outwards: the path of the file that each was loaded from, a
    /// `+`, and how far into it the address is, as `/usr/bin/shop+0x1f40`. For readers of debug information.
    public var frames: [String] {
      if let told { return told.frames }
      #if WEIR_INSPECTION
        return addresses.map { address in
          guard let (path, offset) = fileOfCode(at: address) else { return "0x" + String(address, radix: 16) }
          return "\(path)+0x" + String(offset, radix: 16)
        }
      #else
        return []
      #endif
    }

    /// What another process is told of it.
    private var telling: Told {
      let place = place
      return Told(place: place, frames: place == nil ? frames : [])
    }

    /// Whether two are the same place.
    public static func == (left: Site, right: Site) -> Bool {
      left.told == nil && right.told == nil && left.addresses == right.addresses || left.telling == right.telling
    }

    /// Feeds what makes it equal to others.
    public func hash(into hasher: inout Hasher) { hasher.combine(telling) }

    /// Reads what `encode(to:)` has written.
    ///
    /// - Parameter decoder: The decoder to read from.
    /// - Throws: What the decoder throws.
    public init(from decoder: any Decoder) throws {
      addresses = []
      told = try Told(from: decoder)
    }

    /// Writes `place`, or else `frames`.
    ///
    /// - Parameter encoder: The encoder to write to.
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
      try telling.encode(to: encoder)
    }
  }
}
