import PluginAPI

/// The decimals of figures that this plugin works out, in CSV and in JSON alike.
///
/// A PDB file gives coordinates to 0.001 Å, and what follows from them is known no better. A figure that stands alone,
/// such as that of `measure`, has more decimals, so that scripts may calculate with it.
enum ReportedDigits: Int {
  /// Angles in degrees and areas in Å².
  case angle = 2
  /// Coordinates, distances and RMSDs in Å, energies in kcal/mol, parts of a whole.
  case length = 3
  /// A distance or angle that stands alone.
  case single = 6
  /// Elements of a rotation matrix: 1000 Å from the origin they place an atom to 0.000001 Å.
  case rotation = 9

  static let area = angle
  static let energy = length
  static let ratio = length

  /// Returns a number rounded to these decimals, halves away from zero; one too large to have any is returned as it is.
  func rounded(_ value: Double) -> Double {
    let scale = Self.scales[rawValue]
    let scaled = (value * scale).rounded()
    // Beyond this a Double has no digits after the point; it is false for NaN.
    guard abs(scaled) < 9e15 else { return value }
    // Adding zero makes of -0 a 0.
    return scaled / scale + 0
  }

  private static let scales = (0...9).reduce(into: [Double]()) { scales, _ in scales.append((scales.last ?? 0.1) * 10) }
}

extension Table.Values {
  /// Numbers of a column with the decimals that mean something; NaN marks a missing one.
  static func numbers(_ values: [Double], _ digits: ReportedDigits) -> Table.Values {
    .numbers(values.map(digits.rounded), decimals: digits.rawValue)
  }
}

extension Value {
  /// A number with the decimals that mean something.
  static func number(_ value: Double, _ digits: ReportedDigits) -> Value { .number(digits.rounded(value)) }

  /// The coordinates of a place in Å.
  static func coordinates(_ place: SIMD3<Double>) -> Value {
    .list([.number(place.x, .single), .number(place.y, .single), .number(place.z, .single)])
  }
}
