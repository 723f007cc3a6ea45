import PluginAPI

/// Asks for what a mapping needs to know beside the objects themselves.
struct NativeContext: Sendable {
  let service: NativeService
  let mapping: Mapping

  /// Which files are wanted.
  enum Files {
    /// Those that become entities of their own.
    case pages
    /// Those and images.
    case all
  }

  /// The surroundings with the objects that others take properties of, and with files of data sets.
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
      guard let store = stores.first(where: { $0.code == object.dataStore }) ?? stores.first else { continue }
      complete.files[object.permID] = try await service.files(of: object.permID, at: store.downloadAddress)
    }
    return complete
  }

  /// The ids of objects by kind, each once, kinds in a fixed order.
  private static func grouped(_ entityIDs: [String]) -> [(NativeKind, [String])] {
    var byKind: [NativeKind: [String]] = [:]
    var seen: Set<String> = []
    for id in entityIDs where seen.insert(id).inserted {
      if let object = Refcon.object(of: id) { byKind[object.kind, default: []].append(object.permID) }
    }
    return NativeKind.allCases.compactMap { kind in byKind[kind].map { (kind, $0) } }
  }
}

extension MappingRule.Image {
  /// Whether it is found among the files of a data set.
  var isOfFiles: Bool { if case .files = source { true } else { false } }
}
