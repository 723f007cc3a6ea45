import PluginAPI
import PluginText

/// The pathways of the active database, prepared for listing and search.
struct FoundPathways: Sendable {
  var database: MetabolicDatabase
  var search: PathwaySearch
  /// The participants of each pathway.
  var members: [MetabolicDatabase.PathwayMembers]
  /// The columns that show these in rows.
  var columns: PathwayColumns
  /// The networks that the user imported from files.
  var imported: [ImportedNetwork]
  /// The origin of the database in a few words.
  var origin: String
  /// The problem that prevents the use of another database.
  var trouble: Diagnostic?

  /// Opens the database.
  ///
  /// Blocks; call it only off the main loop.
  ///
  /// - Throws: The errors of reading and linking documents.
  init(_ shelf: PathwayShelf, _ context: any PluginContext) throws {
    let database = try shelf.database(context)
    self.database = database
    search = PathwaySearch(database)
    members = database.pathways.indices.map { database.members(ofPathway: $0) }
    columns = PathwayColumns(members)
    trouble = try shelf.trouble(context)
    // A damaged store is reported when something is to be stored; the pathways are available all the same.
    imported = (try? shelf.importedAndWait(context)) ?? []
    let snapshot = database.snapshot.isEmpty ? "" : " \(SanitizedText.line(database.snapshot))"
    if let found = try shelf.origin(context) {
      let date = Instant(seconds: Int64(found.fetchedAt)).description.prefix(10)
      origin = "snapshot\(snapshot), fetched \(date)"
    } else {
      origin = "bundled database\(snapshot)"
    }
  }
}
