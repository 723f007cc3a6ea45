internal import Synchronization

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
  private let propertyNames: PropertyNames

  /// Creates the fields of a model.
  public init(@FieldBuilder<Root> _ fields: () -> [Field<Root>]) {
    all = fields()
    propertyNames = PropertyNames(all.compactMap { field in field.property.map { ($0, field.description.name) } })
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

  /// Returns the name of the field that is read from a property; nil if the model declares none.
  func name(of property: PartialKeyPath<Root>) -> String? { propertyNames.name(of: property) }

  private var columnFields: [Field<Root>] { all.filter { $0.description.heading != nil } }
}

/// The names of a model's fields by the properties that they are read from.
///
/// Comparing two key paths takes about 0.1 µs, and renderers read fields of 100,000 records. Each place in code that
/// reads a property has one key path object: names are kept by these objects.
private final class PropertyNames: Sendable {
  private struct Entry: Sendable {
    /// Of the declaration, or equal to one of them: what it holds can be read by every thread.
    nonisolated(unsafe) let property: AnyKeyPath
    let name: String
  }

  private let all: [Entry]
  private let known = Mutex<[ObjectIdentifier: Entry]>([:])
  /// Code can make any number of key path objects while it runs.
  private static let mostKnown = 256

  init(_ all: [(AnyKeyPath, String)]) { self.all = all.map(Entry.init) }

  func name(of property: AnyKeyPath) -> String? {
    known.withLock { known in
      // The entry keeps its key path alive: no other object can have its identifier.
      if let entry = known[ObjectIdentifier(property)] { return entry.name }
      guard let found = all.first(where: { $0.property == property }) else { return nil }
      if known.count < Self.mostKnown {
        known[ObjectIdentifier(property)] = Entry(property: property, name: found.name)
      }
      return found.name
    }
  }
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
  /// The property that the field is read from; nil if a closure computes it.
  let property: (any AnyKeyPath & Sendable)?

  @usableFromInline init(
    _ description: ValueSchema.Field, value: @escaping @Sendable (Root) -> Value,
    column: @escaping @Sendable ([Root]) -> Table.Values
  ) {
    (self.description, self.value, self.column, property) = (description, value, column, nil)
  }

  @usableFromInline init(
    _ description: ValueSchema.Field, property: any AnyKeyPath & Sendable, value: @escaping @Sendable (Root) -> Value,
    column: @escaping @Sendable ([Root]) -> Table.Values
  ) {
    (self.description, self.value, self.column, self.property) = (description, value, column, property)
  }

  /// Declares a field of a property, by which a ``ModelRecord`` reads it.
  ///
  /// - Parameters:
  ///   - name: The name in JSON and CSV, in camelCase.
  ///   - property: The key path of the property.
  ///   - summary: A one-line summary.
  ///   - heading: The heading of its column in tables, and its label on pages; without one, tables leave the field out.
  ///   - unit: The unit of a number, such as `angstrom`.
  ///   - decimals: The number of decimal places shown to users; nil for as many as needed.
  @inlinable public init<Content: FieldValue>(
    _ name: String, _ property: any KeyPath<Root, Content> & Sendable, _ summary: String, heading: String? = nil,
    unit: String? = nil, decimals: Int? = nil
  ) {
    let read = Self.reader(of: property)
    self.init(
      ValueSchema.Field(name, Content.schema, summary, heading: heading, unit: unit, decimals: decimals),
      property: property, value: { read($0).fieldValue },
      column: { models in Content.column(of: models.map(read), decimals: decimals) })
  }

  /// Declares a field of a property whose content is converted, such as rounded, by which a ``ModelRecord`` reads it.
  ///
  /// - Parameters:
  ///   - name: The name in JSON and CSV, in camelCase.
  ///   - property: The key path of the property.
  ///   - convert: Returns the content to emit.
  ///   - summary: A one-line summary.
  ///   - heading: The heading of its column in tables, and its label on pages; without one, tables leave the field out.
  ///   - unit: The unit of a number, such as `angstrom`.
  ///   - decimals: The number of decimal places shown to users; nil for as many as needed.
  @inlinable public init<Content: FieldValue>(
    _ name: String, _ property: any KeyPath<Root, Content> & Sendable,
    as convert: @escaping @Sendable (Content) -> Content, _ summary: String, heading: String? = nil,
    unit: String? = nil, decimals: Int? = nil
  ) {
    let read = Self.reader(of: property)
    self.init(
      ValueSchema.Field(name, Content.schema, summary, heading: heading, unit: unit, decimals: decimals),
      property: property, value: { convert(read($0)).fieldValue },
      column: { models in Content.column(of: models.map { convert(read($0)) }, decimals: decimals) })
  }

  /// Returns the accessor of a property.
  ///
  /// Stored properties are read at their offset, as each read through a key path is an unspecialized call.
  @inlinable static func reader<Content: FieldValue>(
    of property: any KeyPath<Root, Content> & Sendable
  ) -> @Sendable (Root) -> Content {
    guard let offset = MemoryLayout<Root>.offset(of: property) else { return { $0[keyPath: property] } }
    return { root in
      withUnsafePointer(to: root) { (UnsafeRawPointer($0) + offset).assumingMemoryBound(to: Content.self).pointee }
    }
  }

  /// Declares a field that a closure computes.
  ///
  /// A ``ModelRecord`` cannot read it; give the model a property for that.
  ///
  /// - Parameters:
  ///   - name: The name in JSON and CSV, in camelCase.
  ///   - read: Returns the field's value.
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
