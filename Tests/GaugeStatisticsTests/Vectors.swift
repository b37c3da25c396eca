// Reference values from scipy, statsmodels, numpy and hdrhistogram; scripts/checks/check-statistics.py makes the files.
import Foundation

/// Reads a file of `Vectors/`.
func vectors<Contents: Decodable>(_ name: String, as _: Contents.Type = Contents.self) throws -> Contents {
  let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Vectors/\(name).json")
  return try JSONDecoder().decode(Contents.self, from: Data(contentsOf: file))
}

/// Whether a value agrees with the reference to the given relative precision.
func agrees(_ value: Double, _ reference: Double, within precision: Double = 1e-10) -> Bool {
  value == reference || abs(value - reference) <= precision * max(abs(value), abs(reference))
}
