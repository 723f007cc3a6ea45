import PluginAPI

/// The decimals of computed figures in CSV and JSON.
///
/// A PDB file gives coordinates to 0.001 Å, and derived figures are no more precise. A single figure, such as the
/// result of `measure`, has more decimals, so that scripts can calculate with it.
enum ReportedDigits: Int {
  /// Angles in degrees and areas in Å².
  case angle = 2
  /// Coordinates, distances and RMSDs in Å, energies in kcal/mol, fractions.
  case length = 3
  /// A single distance or angle.
  case single = 6
  /// Elements of a rotation matrix: 1000 Å from the origin they position an atom to 0.000001 Å.
  case rotation = 9

  static let area = angle
  static let energy = length
  static let ratio = length

  /// Returns a number rounded to these decimals, halves away from zero; numbers too large for decimals are returned
  /// unchanged.
  func rounded(_ value: Double) -> Double {
    let scale = Self.scales[rawValue]
    let scaled = (value * scale).rounded()
    // Larger Doubles have no digits after the point; the comparison is false for NaN.
    guard abs(scaled) < 9e15 else { return value }
    // Adding zero turns -0 into 0.
    return scaled / scale + 0
  }

  private static let scales = (0...9).reduce(into: [Double]()) { scales, _ in scales.append((scales.last ?? 0.1) * 10) }
}

extension Table.Values {
  /// Returns the numbers of a column with their significant decimals; NaN marks a missing value.
  static func numbers(_ values: [Double], _ digits: ReportedDigits) -> Table.Values {
    .numbers(values.map(digits.rounded), decimals: digits.rawValue)
  }
}

extension Field {
  /// Declares a number with its significant decimals.
  init(
    _ name: String, _ read: @escaping @Sendable (Root) -> Double, _ digits: ReportedDigits, _ summary: String,
    heading: String? = nil, unit: String? = nil
  ) {
    self.init(
      name, { digits.rounded(read($0)) }, summary, heading: heading, unit: unit, decimals: digits.rawValue)
  }

  /// Declares a number with its significant decimals that may be missing.
  init(
    _ name: String, optional read: @escaping @Sendable (Root) -> Double?, _ digits: ReportedDigits, _ summary: String,
    heading: String? = nil, unit: String? = nil
  ) {
    self.init(
      name, { read($0).map(digits.rounded) }, summary, heading: heading, unit: unit, decimals: digits.rawValue)
  }
}

extension SIMD3<Double> {
  /// The components in order.
  var components: [Double] { [x, y, z] }

  /// The components of a position in Å, rounded to their significant decimals.
  var coordinates: [Double] { components.map(ReportedDigits.single.rounded) }
}
