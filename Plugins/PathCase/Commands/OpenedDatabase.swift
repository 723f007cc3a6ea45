import PluginAPI

/// The database in use as it was opened, with the user's own layouts in it.
struct OpenedDatabase: Sendable {
  let database: MetabolicDatabase
  /// Where the snapshot is from; nil for the database that came with the program.
  let origin: SnapshotOrigin?
  /// Why something else than wished for was opened; nil if nothing is wrong.
  let trouble: Diagnostic?

  /// Opens it.
  ///
  /// - Parameter kept: What belongs to the user; nil if nothing was ever kept.
  /// - Throws: What reading and linking the bundled database throws.
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

  /// The snapshot that was fetched; nil if there is none.
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

  /// Links records with the user's layouts in the place of those they have.
  ///
  /// Layouts of pathways that are gone stay with the user until they come back.
  static func linked(
    _ records: DatabaseRecords, _ own: [FrozenLayout], places: RecordPlaces = RecordPlaces()
  ) throws -> MetabolicDatabase {
    var (records, places) = (records, places)
    let known = Set(records.pathways.map(\.id))
    let own = own.filter { known.contains($0.pathway) }
    if !own.isEmpty {
      let replaced = Set(own.map(\.pathway))
      records.layouts = records.layouts.filter { !replaced.contains($0.pathway) } + own
      // Lines of documents no longer stand beside the list.
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
