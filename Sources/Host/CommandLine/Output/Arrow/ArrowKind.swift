import PluginAPI

/// The kind of the values of an Arrow column.
indirect enum ArrowKind: Equatable, Sendable {
  /// `Int64`.
  case integer
  /// `Float64`; numbers that are not finite are null, as in all forms of results.
  case number
  /// `Float64`, with the unit in the metadata of the field.
  case quantity(unit: String)
  /// `Utf8`.
  case text
  /// `Bool`.
  case bool
  /// `Timestamp` in milliseconds, UTC.
  case date
  /// `Binary`.
  case bytes
  /// `List` of values of one kind, which is neither a list nor JSON.
  case list(ArrowKind)
  /// `Utf8` with a JSON document in each cell: for values without another form, and for mixed ones.
  case json

  /// Returns the kind that a shape declares; nil if values are to decide it.
  init?(declared schema: ValueSchema, unit: String?) {
    switch schema {
    case .bool: self = .bool
    case .integer: self = .integer
    case .number: self = .number
    case .text, .choice: self = .text
    case .date: self = .date
    case .bytes: self = .bytes
    case .optional(let inner): self.init(declared: inner, unit: unit)
    case .quantity:
      guard let unit else { return nil }
      self = .quantity(unit: unit)
    case .list(let element):
      guard let kind = ArrowKind(declared: element, unit: nil) else { return nil }
      self = kind.isElement ? .list(kind) : .json
    case .record, .map, .table, .picture, .array: self = .json
    case .any: return nil
    @unknown default: return nil
    }
  }

  /// Returns the kind of a value; nil for null, and for lists that show none.
  init?(of value: Value) {
    switch value.content {
    case .null: return nil
    case .bool: self = .bool
    case .integer: self = .integer
    case .number: self = .number
    case .decimal: self = Self.numbersOfJSON.first { $0.holds(value) } ?? .text
    case .text: self = .text
    case .bytes: self = .bytes
    case .date: self = .date
    case .quantity(let quantity): self = .quantity(unit: quantity.unit)
    case .list(let elements):
      var kind: ArrowKind?
      for element in elements { kind = ArrowKind.widened(kind, by: element) }
      guard let kind else { return nil }
      self = kind.isElement ? .list(kind) : .json
    case .record, .table, .picture, .array: self = .json
    @unknown default: self = .json
    }
    if !holds(value) { self = .json }
  }

  private static let numbersOfJSON: [ArrowKind] = [.integer, .number]

  /// A Boolean value indicating whether lists can have elements of the kind.
  private var isElement: Bool {
    switch self {
    case .integer, .number, .text, .bool, .date, .bytes: true
    case .quantity, .list, .json: false
    }
  }

  /// Returns the kind that also holds a value: the same, a wider one, or JSON.
  ///
  /// - Parameter kind: The kind of the values so far; nil if there is none yet.
  static func widened(_ kind: ArrowKind?, by value: Value) -> ArrowKind? {
    if let kind, kind.holds(value) { return kind }
    guard let other = ArrowKind(of: value) else { return kind }
    guard let kind else { return other }
    let joined = joined(kind, other)
    return joined.holds(value) ? joined : .json
  }

  /// Returns the kind that holds the values of both.
  static func joined(_ first: ArrowKind, _ second: ArrowKind) -> ArrowKind {
    switch (first, second) {
    case _ where first == second: return first
    case (.integer, .number), (.number, .integer): return .number
    case (.list(let first), .list(let second)):
      let element = joined(first, second)
      return element.isElement ? .list(element) : .json
    default: return .json
    }
  }

  /// Returns true if a column of the kind has a cell for the value, without loss; null has one in all.
  func holds(_ value: Value) -> Bool {
    if case .null = value.content { return true }
    switch self {
    case .integer: return Self.integer(value) != nil
    case .number:
      if case .number = value.content { return true }
      return Self.number(value) != nil
    case .quantity(let unit):
      if case .quantity(let quantity) = value.content { return quantity.unit == unit }
      return false
    case .text: return value.text != nil && value.typeName != JSONReader.rawNumberType
    case .bool: return value.bool != nil
    case .date: return Self.milliseconds(value) != nil
    case .bytes: return value.bytes != nil
    case .list(let element): return value.list?.allSatisfy(element.holds) ?? false
    case .json: return true
    }
  }

  /// Returns a whole number; nil if the value is not one of 64 bits.
  static func integer(_ value: Value) -> Int64? {
    switch value.content {
    case .integer(let number): Int64(number)
    case .decimal(let text) where value.typeName == JSONReader.rawNumberType: Int64(text)
    default: nil
    }
  }

  /// Returns a finite number; nil if the value is none, or a whole number that a `Float64` would round.
  static func number(_ value: Value) -> Double? {
    switch value.content {
    case .number(let number): number.isFinite ? number : nil
    case .quantity(let quantity): quantity.value.isFinite ? quantity.value : nil
    case .integer(let number): Double(exactly: number)
    case .decimal(let text) where value.typeName == JSONReader.rawNumberType:
      Double(text).flatMap { $0.isFinite ? $0 : nil }
    default: nil
    }
  }

  /// Returns the milliseconds since 1970 of a date; nil if they exceed 64 bits.
  static func milliseconds(_ value: Value) -> Int64? {
    guard let instant = value.date else { return nil }
    let (whole, isTooLarge) = instant.seconds.multipliedReportingOverflow(by: 1000)
    let (sum, overflows) = whole.addingReportingOverflow(Int64(instant.nanoseconds / 1_000_000))
    return isTooLarge || overflows ? nil : sum
  }
}
