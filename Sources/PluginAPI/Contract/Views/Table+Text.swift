extension Table.Values {
  /// Returns the value at a 0-based row as users see it; empty for a missing one.
  public func text(at row: Int) -> String {
    switch self {
    case .integers(let values): String(values[row])
    case .numbers(let column): column.text(at: row)
    case .texts(let values): values[row]
    case .values(let values): values[row].shortText
    }
  }

  /// A Boolean value indicating whether the values are numbers, which are right-aligned.
  public var isNumeric: Bool {
    switch self {
    case .integers, .numbers: true
    case .texts: false
    case .values(let values): values.prefix(100).allSatisfy { $0.isNull || $0.number != nil }
    }
  }

  /// Returns the width of the widest value in columns, `limit` at most.
  ///
  /// Exact for numbers and texts; for values of any kind, only the first thousand rows are measured.
  /// - Complexity: O(*n*).
  func width(limit: Int) -> Int {
    var width = 0
    switch self {
    case .integers(let values):
      if let least = values.min(), let greatest = values.max() { width = max("\(least)".count, "\(greatest)".count) }
    case .numbers(let column) where column.decimals != nil:
      let finite = column.values.lazy.filter(\.isFinite)
      let extremes = Table.Numbers([finite.min(), finite.max()].compactMap { $0 }, decimals: column.decimals)
      for row in extremes.values.indices { width = max(width, extremes.text(at: row).count) }
      if column.values.contains(where: \.isInfinite) { width = max(width, 4) }
    case .texts(let values):
      for value in values where width < limit { width = max(width, TextWidth.columns(value)) }
    case .numbers, .values:
      for row in 0..<Swift.min(count, 1000) where width < limit { width = max(width, text(at: row).count) }
    }
    return Swift.min(width, limit)
  }
}

extension Table.Numbers {
  /// Returns the number at a 0-based row as users see it; empty for a missing one.
  func text(at row: Int) -> String {
    let number = values[row]
    return number.isNaN ? "" : decimals.map { NumberText.fixed(number, decimals: $0) } ?? "\(number)"
  }
}

extension Table.Column {
  /// The heading with its unit: `x (angstrom)`.
  public var heading: String { unit.map { "\(title) (\($0))" } ?? title }
}

extension Value {
  /// The value on one line as users see it: texts as they are, containers by their size.
  public var shortText: String {
    switch content {
    case .null: ""
    case .bool(let value): value ? "yes" : "no"
    case .integer(let value): String(value)
    case .number(let value): "\(value)"
    case .decimal(let text), .text(let text): text
    case .bytes(let bytes): "\(bytes.count) bytes"
    case .date(let instant): instant.description
    case .quantity(let quantity): "\(quantity.value) \(quantity.unit)"
    case .list(let values):
      values.count <= 8 && values.allSatisfy(\.isScalar)
        ? values.map(\.shortText).joined(separator: ", ") : "\(values.count) values"
    case .record(let record): "\(record.fields.count) fields"
    case .table(let table): "\(table.rowCount) rows"
    case .picture(let picture): "picture \(picture.width)×\(picture.height)"
    case .array(let array): array.description
    }
  }

  private var isScalar: Bool {
    switch content {
    case .list, .record, .table, .picture, .array, .bytes: false
    default: true
    }
  }
}

/// A formatter of numbers with a fixed number of decimals.
public enum NumberText {
  /// Returns a number rounded to a number of decimals, exact ties to even, without a locale.
  ///
  /// - Parameters:
  ///   - value: The number.
  ///   - decimals: Decimal places, 0…15; more count as 15.
  /// - Returns: `-12.50`; a number of 2⁵³ or more after scaling as the standard library writes it.
  public static func fixed(_ value: Double, decimals: Int) -> String {
    let places = min(max(0, decimals), 15)
    let scale = (0..<places).reduce(1.0) { product, _ in product * 10 }
    let scaled = value.magnitude * scale
    guard scaled < 9_007_199_254_740_992 else { return "\(value)" }
    var rounded = scaled.rounded(.toNearestOrEven)
    // The residue of the multiplication decides apparent ties.
    let residue = (-scaled).addingProduct(value.magnitude, scale)
    if scaled - rounded == 0.5, residue > 0 { rounded += 1 }
    if scaled - rounded == -0.5, residue < 0 { rounded -= 1 }
    let digits = String(Int(rounded))
    let sign = value < 0 && rounded > 0 ? "-" : ""
    if places == 0 { return sign + digits }
    let filled = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    return sign + filled.dropLast(places) + "." + filled.suffix(places)
  }
}
