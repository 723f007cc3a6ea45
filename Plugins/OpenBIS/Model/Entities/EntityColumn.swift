import PluginAPI

/// A column of the entities that commands list and exports write.
struct EntityColumn: Sendable {
  /// A form of output, each with columns of its own.
  enum Output: Sendable, CaseIterable {
    /// The records of commands that list or show entities.
    case commands
    /// The records of a JSON export, which leaves out columns that are null.
    case json
    /// The rows of a CSV export, which puts a column for each property behind these.
    case csv
  }

  let field: Field<EntityFamily>
  let outputs: [Output]

  private init(_ field: Field<EntityFamily>, in outputs: [Output] = Output.allCases) {
    (self.field, self.outputs) = (field, outputs)
  }

  /// The columns, in the order of all outputs: a new column is a row of this table.
  private static let all: [EntityColumn] = [
    EntityColumn(Field("permId", \.entity.permID, "Permanent id of the entity")),
    EntityColumn(Field("depth", \.depth, "Distance from the entity that the export begins with"), in: [.json, .csv]),
    EntityColumn(Field("category", \.entity.category, "Category by which it is grouped; empty for none")),
    EntityColumn(Field("summaryHeader", \.entity.summaryHeader, "First line in lists")),
    EntityColumn(Field("summary", \.entity.summary, "Second line in lists")),
    EntityColumn(Field("identifier", \.entity.identifier, "Identifier; null if its details are not loaded")),
    EntityColumn(Field("childCount", \.entity.childCount, "Number of its children; null if unknown"), in: [.csv]),
    EntityColumn(Field("children", \.children, "Ids of its children, in the order of lists; null if unknown")),
    EntityColumn(Field("refcon", \.entity.refcon, "Server's reference to it; null if unknown"), in: [.json, .csv]),
    EntityColumn(
      Field("properties", \.entity.properties, "Properties in the server's order; null if its details are not loaded"),
      in: [.commands, .json]),
    EntityColumn(Field("images", \.entity.images, "Images; null if its details are not loaded"), in: [.commands]),
    EntityColumn(Field("images", \.images, "Images; null if its details are not loaded"), in: [.json]),
    EntityColumn(Field("state", \.entity.flags, "Other states of the entity"), in: [.commands]),
    EntityColumn(Field("state", \.exportedState, "Other states of the entity; null for none"), in: [.json]),
    EntityColumn(
      Field("updatedAt", \.entity.updatedAt, "Time of the server's last data about it"), in: [.commands, .json]),
  ]

  /// Returns the fields of an output.
  static func fields(of output: Output) -> Fields<EntityFamily> {
    // 'return' makes the closure an ordinary one: a result builder takes no array.
    Fields { return all.filter { $0.outputs.contains(output) }.map(\.field) }
  }
}
