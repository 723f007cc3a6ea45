import PluginAPI

/// The active database as it was opened, with the user's own layouts.
struct OpenedDatabase: Sendable {
  let database: MetabolicDatabase
  /// The origin of the snapshot; nil for the bundled database.
  let origin: SnapshotOrigin?
  /// The reason why a different database was opened; nil if there is no problem.
  let trouble: Diagnostic?

  /// Opens the active database.
  ///
  /// - Parameter kept: The user's data; nil if nothing was ever stored.
  /// - Throws: The errors of reading and linking the bundled database.
  init(_ context: any PluginContext, kept: @autoclosure () throws -> UserDataStore?) throws {
    var found: [Diagnostic] = []
    var own: [FrozenLayout] = []
    do {
      own = try kept()?.layoutsAndWait() ?? []
    } catch {
      found.append(Self.trouble(error, then: "own layouts are not shown"))
    }
    var fetched: (MetabolicDatabase, SnapshotOrigin)?
    do {
      fetched = try Self.fetched(context, own)
    } catch {
      found.append(Self.trouble(error, then: "the database that came with the program is used"))
    }
    if let fetched {
      (database, origin) = fetched
    } else {
      let bundled = try BundledDatabase.read(context.folders.resources)
      (database, origin) = (try Self.linked(bundled.records, own, places: bundled.places), nil)
    }
    trouble = found.first
  }

  /// Returns the fetched snapshot; nil if there is none.
  private static func fetched(
    _ context: any PluginContext, _ own: [FrozenLayout]
  ) throws -> (MetabolicDatabase, SnapshotOrigin)? {
    let store = PathwayShelf.snapshots(context)
    store.removeLeftovers()
    let handle: SnapshotHandle
    do {
      handle = try store.open()
    } catch SnapshotStoreError.empty {
      return nil
    }
    defer { handle.closeAndWait() }
    return (try linked(handle.recordsAndWait(), own), try handle.originAndWait())
  }

  /// Links records, with the user's layouts in place of those in the records.
  ///
  /// Layouts of pathways that no longer exist are kept until the pathways come back.
  static func linked(
    _ records: DatabaseRecords, _ own: [FrozenLayout], places: RecordPlaces = RecordPlaces()
  ) throws -> MetabolicDatabase {
    var (records, places) = (records, places)
    let known = Set(records.pathways.map(\.id))
    let own = own.filter { known.contains($0.pathway) }
    if !own.isEmpty {
      let replaced = Set(own.map(\.pathway))
      records.layouts = records.layouts.filter { !replaced.contains($0.pathway) } + own
      // Positions in documents no longer correspond to the list.
      places[.layout] = []
    }
    return try DatabaseLinker.link(records, places: places)
  }

  private static func trouble(_ error: any Error, then consequence: String) -> Diagnostic {
    let report =
      (error as? any ReportableError)?.report
      ?? ErrorReport(code: "pathcase.store-damaged", kind: .failure, "the database cannot be used: \(error)")
    return Diagnostic(.warning, code: report.code, "\(report.message); \(consequence)", advice: report.advice)
  }
}
