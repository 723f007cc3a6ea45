/// Columns of equal length, stored column by column.
public struct Table: Sendable, Hashable {
  /// A column of a table.
  public struct Column: Sendable, Hashable {
    /// The name in JSON and CSV, in camelCase.
    public var name: String
    /// The heading that users see.
    public var title: String
    /// The unit of every value, such as `angstrom`; nil for none.
    public var unit: String?
    /// The values, one per row.
    public var values: Values

    /// Creates a column.
    ///
    /// - Parameters:
    ///   - name: The name in JSON and CSV, in camelCase.
    ///   - title: The heading that users see; nil for the name.
    ///   - unit: The unit of every value; nil for none.
    ///   - values: The values, one per row.
    public init(_ name: String, title: String? = nil, unit: String? = nil, _ values: Values) {
      self.name = name
      self.title = title ?? name
      self.unit = unit
      self.values = values
    }
  }

  /// The values of a column, in a buffer of their kind.
  public enum Values: Sendable, Hashable {
    /// Whole numbers.
    case integers([Int])
    /// Floating-point numbers.
    case numbers(Numbers)
    /// Texts.
    case texts([String])
    /// Values of any kind.
    case values([Value])

    /// Makes a column of floating-point numbers, with the number of decimal places that users see.
    public static func numbers(_ values: [Double], decimals: Int?) -> Values {
      .numbers(Numbers(values, decimals: decimals))
    }

    /// The number of values.
    public var count: Int {
      switch self {
      case .integers(let values): values.count
      case .numbers(let column): column.values.count
      case .texts(let values): values.count
      case .values(let values): values.count
      }
    }

    /// The value at a 0-based row.
    public subscript(row: Int) -> Value {
      switch self {
      case .integers(let values): .integer(values[row])
      case .numbers(let column): column.values[row].isNaN ? .null : .number(column.values[row])
      case .texts(let values): .text(values[row])
      case .values(let values): values[row]
      }
    }
  }

  /// The floating-point numbers of a column.
  public struct Numbers: Sendable, Hashable {
    /// The numbers; NaN marks a missing one.
    public var values: [Double]
    /// The number of decimal places that users see; nil for as many as needed.
    public var decimals: Int?

    /// Creates the numbers of a column.
    public init(_ values: [Double], decimals: Int? = nil) {
      (self.values, self.decimals) = (values, decimals)
    }
  }

  /// The columns, in order.
  public private(set) var columns: [Column]

  /// The number of rows.
  public private(set) var rowCount: Int

  /// Creates a table.
  ///
  /// - Parameter columns: The columns; all have the same number of values, else the call is a programming mistake.
  public init(columns: [Column]) {
    let count = columns.first?.values.count ?? 0
    precondition(columns.allSatisfy { $0.values.count == count }, "every column of a table has the same number of rows")
    self.columns = columns
    self.rowCount = count
  }

  /// Returns the row at a 0-based index, as a record.
  public func row(_ index: Int) -> Record {
    Record(columns.map { Record.Field($0.name, $0.values[index]) })
  }

  /// The column with a name; nil if there is none.
  public subscript(name: String) -> Column? {
    columns.first { $0.name.utf8.elementsEqual(name.utf8) }
  }
}

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
