import PluginAPI
import Synchronization

/// A source of the data that a mapping needs in addition to the objects themselves.
struct NativeContext: Sendable {
  let service: NativeService
  let mapping: Mapping
  let warn: @Sendable (Diagnostic) -> Void
  /// The data stores that did not respond and are not asked again.
  var silent = SilentStores()

  /// The selection of files to fetch.
  enum Files {
    /// Files that become entities of their own.
    case pages
    /// Files that become entities, and images.
    case all
  }

  /// Completes the surroundings with the objects that others take properties from, and with files of data sets.
  func completed(
    _ surroundings: MappingSurroundings, for objects: [NativeObject], wantsFiles: Files
  ) async throws -> MappingSurroundings {
    var complete = surroundings
    let wanted = objects.flatMap { object in
      mapping.rule(for: object)?.takes.flatMap { object.related($0) } ?? []
    }
    for (kind, permIDs) in Self.grouped(wanted) {
      for object in try await service.objects(kind, permIDs) { complete.related[object.entityID] = object }
    }
    let withFiles = objects.filter { object in
      guard object.kind == .dataSet, let rule = mapping.rule(for: object) else { return false }
      return rule.pages != nil || (wantsFiles == .all && rule.images.contains { $0.isOfFiles })
    }
    if withFiles.isEmpty { return complete }
    let stores = try await service.dataStores()
    for object in withFiles {
      guard let store = stores.first(where: { $0.code == object.dataStore }) ?? stores.first,
        !silent.contains(store.code)
      else { continue }
      do {
        complete.files[object.permID] = try await service.files(of: object.permID, at: store.downloadAddress)
      } catch let error as RPCError where error.isOfDataStore {
        // The response of the application server is usable without files; the files known before are kept.
        silent.insert(store.code)
        warn(Self.filesUnknown(store.code, error))
      }
    }
    return complete
  }

  private static func filesUnknown(_ store: String, _ error: RPCError) -> Diagnostic {
    Diagnostic(
      .warning, code: "openbis.files-unknown", "the data store '\(store)' did not list files: \(error.report.message)",
      advice: "all else is fresh; files that were known are kept")
  }

  /// Groups the ids of objects by kind, each id once, kinds in a fixed order.
  private static func grouped(_ entityIDs: [String]) -> [(NativeKind, [String])] {
    var byKind: [NativeKind: [String]] = [:]
    var seen: Set<String> = []
    for id in entityIDs where seen.insert(id).inserted {
      if let object = Refcon.object(of: id) { byKind[object.kind, default: []].append(object.permID) }
    }
    return NativeKind.allCases.compactMap { kind in byKind[kind].map { (kind, $0) } }
  }
}

/// The codes of data stores that did not respond.
final class SilentStores: Sendable {
  private let codes = Mutex<Set<String>>([])

  var isEmpty: Bool { codes.withLock { $0.isEmpty } }
  func contains(_ code: String) -> Bool { codes.withLock { $0.contains(code) } }
  func insert(_ code: String) { codes.withLock { _ = $0.insert(code) } }
}

extension MappingRule.Image {
  /// A Boolean value indicating whether the image is found among the files of a data set.
  var isOfFiles: Bool { if case .files = source { true } else { false } }
}
