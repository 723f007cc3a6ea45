import PluginAPI

extension ItemRecord {
  /// Returns items with the open results of their last captures.
  static func all(_ items: [BiometricItem], _ records: RecordStore) async throws -> [ItemRecord] {
    let entries = try await records.newestEntries(of: items.map(\.id))
    return items.map { ItemRecord($0, newest: entries[$0.id]) }
  }

  /// Creates the record of an item.
  init(_ item: BiometricItem, _ records: RecordStore) async throws { self = try await Self.all([item], records)[0] }
}

/// The number of a deleted record.
struct DeletedRecord: Model {
  let number: Int

  static let typeName = "wsabi.deleted"
  static let fields = Fields<DeletedRecord> { Field("deleted", \.number, "Number of the deleted record") }
}
