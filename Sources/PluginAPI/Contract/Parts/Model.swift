/// An output of a command, or a part of one, with fields declared in one place.
///
/// Schema, JSON, CSV, tables, detail pages and the default text are all derived from the declaration:
///
/// ```swift
/// struct Station: Model {
///   static let typeName = "tides.station"
///   static let fields = Fields<Station> {
///     Field("name", \.name, "Name of the station", heading: "Station")
///     Field("latitude", \.latitude, "Latitude", heading: "North", unit: "degree", decimals: 2)
///     Field("constants", \.constants, "Tidal constants")
///   }
/// }
/// ```
public protocol Model: FieldValue {
  /// The name of the type, `plugin.name`.
  static var typeName: String { get }

  /// The fields, in the order of output.
  static var fields: Fields<Self> { get }
}

extension Model {
  /// The model as a record with its type name.
  public var value: Value { Value(.record(Self.fields.record(of: self)), typeName: Self.typeName) }

  /// The shape of ``value``.
  public static var schema: ValueSchema { .record(Self.fields.descriptions) }

  /// The record, as a field of another model.
  public var fieldValue: Value { .record(Self.fields.record(of: self)) }
}

/// A table of models, as a field of another model: a list of records in JSON.
public struct ModelTable<Row: Model>: FieldValue {
  /// The columns and rows.
  public let table: Table

  /// Creates the field of an existing table, whose columns are those of the models.
  public init(table: Table) { self.table = table }

  /// Creates the table of models, with one row per model.
  public init(rows: [Row]) { table = Row.fields.table(of: rows) }

  /// The shape of the table, with the columns of the models.
  public static var schema: ValueSchema { .table(Row.fields.columns) }

  /// The table.
  public var fieldValue: Value { .table(table) }
}

/// The declared fields of a model.
public struct Fields<Root: Sendable>: Sendable {
  private let all: [Field<Root>]

  /// Creates the fields of a model.
  public init(@FieldBuilder<Root> _ fields: () -> [Field<Root>]) {
    all = fields()
  }

  /// The names, shapes and wording of the fields, in order.
  public var descriptions: [ValueSchema.Field] { all.map(\.description) }

  /// The fields with a heading, which become the columns of a table of models.
  public var columns: [ValueSchema.Field] { columnFields.map(\.description) }

  /// Returns the values of a model.
  public func record(of model: Root) -> Record {
    Record(all.map { Record.Field($0.description.name, $0.value(model)) })
  }

  /// Returns a table of the fields with a heading, with one row per model.
  public func table(of models: [Root]) -> Table {
    Table(
      columns: columnFields.map { field in
        let description = field.description
        return Table.Column(
          description.name, title: description.heading, unit: description.unit, field.column(models))
      })
  }

  private var columnFields: [Field<Root>] { all.filter { $0.description.heading != nil } }
}

/// A result builder for the fields of a model.
@resultBuilder public enum FieldBuilder<Root: Sendable> {
  /// Gives the compiler the type of the model.
  public static func buildExpression(_ field: Field<Root>) -> Field<Root> { field }

  /// Collects fields in order.
  public static func buildBlock(_ fields: Field<Root>...) -> [Field<Root>] { fields }
}

/// A field of a model: its accessor, name, summary and format.
public struct Field<Root: Sendable>: Sendable {
  /// The name, shape, wording, heading and unit.
  public let description: ValueSchema.Field
  let value: @Sendable (Root) -> Value
  let column: @Sendable ([Root]) -> Table.Values

  @usableFromInline init(
    _ description: ValueSchema.Field, value: @escaping @Sendable (Root) -> Value,
    column: @escaping @Sendable ([Root]) -> Table.Values
  ) {
    (self.description, self.value, self.column) = (description, value, column)
  }

  /// Declares a field.
  ///
  /// - Parameters:
  ///   - name: The name in JSON and CSV, in camelCase.
  ///   - read: Returns the field's value; usually a key path.
  ///   - summary: A one-line summary.
  ///   - heading: The heading of its column in tables, and its label on pages; without one, tables leave the field out.
  ///   - unit: The unit of a number, such as `angstrom`.
  ///   - decimals: The number of decimal places shown to users; nil for as many as needed.
  @inlinable public init<Content: FieldValue>(
    _ name: String, _ read: @escaping @Sendable (Root) -> Content, _ summary: String, heading: String? = nil,
    unit: String? = nil, decimals: Int? = nil
  ) {
    self.init(
      ValueSchema.Field(name, Content.schema, summary, heading: heading, unit: unit, decimals: decimals),
      value: { read($0).fieldValue },
      column: { models in Content.column(of: models.map(read), decimals: decimals) })
  }
}
