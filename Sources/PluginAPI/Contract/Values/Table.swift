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
