import PluginAPI
import PluginText

/// The pathways of the database in use, ready to be listed and searched.
struct FoundPathways: Sendable {
  var database: MetabolicDatabase
  var search: PathwaySearch
  /// By pathway.
  var members: [MetabolicDatabase.PathwayMembers]
  /// How these are told in rows.
  var columns: PathwayColumns
  /// What the user took in from files.
  var imported: [ImportedNetwork]
  /// Where the database is from, in a few words.
  var origin: String
  /// What keeps another database from being used.
  var trouble: Diagnostic?

  /// Opens the database; only for work that may wait.
  ///
  /// - Throws: What reading and linking documents throws.
  init(_ shelf: PathwayShelf, _ context: any PluginContext) throws {
    let database = try shelf.database(context)
    self.database = database
    search = PathwaySearch(database)
    members = database.pathways.indices.map { database.members(ofPathway: $0) }
    columns = PathwayColumns(members)
    trouble = try shelf.trouble(context)
    // What is damaged is told by whoever wants to keep something; the pathways are there all the same.
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
