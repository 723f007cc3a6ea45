import PluginAPI

/// The outcome of a refresh.
struct SyncResult: Model, Hashable {
  var counts: EntityCounts
  var totals: SyncTotals
  var milliseconds: Int

  static let typeName = OpenBISValueType.sync
  static let fields = Fields<SyncResult> {
    Field("categories", \.counts.navigation, "Number of navigation entities")
    Field("roots", \.counts.roots, "Number of entities on the first screen")
    Field("entities", \.counts.entities, "Number of cached entities")
    Field("added", \.totals.added, "Number of new entities")
    Field("changed", \.totals.changed, "Number of changed entities")
    Field("removed", \.totals.removed, "Number of removed entities")
    Field("skipped", \.totals.skipped, "Number of rows that could not be used")
    Field("milliseconds", \.milliseconds, "Duration without the substring index, in milliseconds")
  }
}
