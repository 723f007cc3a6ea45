import PluginAPI

extension LabBrowser {
  /// Requests the children of an entity.
  func drill(_ permID: String) async throws {
    let reference = EntityReference(permID: permID, refcon: try await known(permID).refcon ?? "")
    guard let tables = try await tables() else {
      try await fetchObjects([permID])
      return try await fetchObjects(below: permID)
    }
    report(Progress("asking what is below \(permID)"))
    try await take(.drill(of: permID)) { try await tables.rows(.drill([reference]), into: $0) }
  }

  /// Requests the details of entities, except of categories: the server has none of those.
  func details(_ permIDs: [String]) async throws {
    var asked: [EntityReference] = []
    for permID in permIDs {
      let entity = try await known(permID)
      if entity.flags.contains(.navigation) { continue }
      asked.append(EntityReference(permID: permID, refcon: entity.refcon ?? ""))
    }
    guard let first = asked.first else { return }
    let (references, wanted) = (asked, asked.map(\.permID))
    guard let tables = try await tables() else { return try await fetchObjects(wanted) }
    report(Progress("asking for details of \(first.permID)"))
    try await take(.details(of: wanted)) { try await tables.rows(.details(references), into: $0) }
  }

  /// Searches on the server; the results are cached.
  ///
  /// - Parameters:
  ///   - text: At least three characters: servers do not search for shorter texts.
  ///   - domain: The key of a search domain that the server offers; nil for the default one.
  ///   - limit: The largest number of V3 objects to request; the server decides the length of tables.
  /// - Returns: The ids of the entities found, in the server's order.
  func searchRemotely(_ text: String, domain: String?, limit: Int = 100) async throws -> [String] {
    report(Progress("searching for '\(text)'"))
    let rows: [EntityRow]
    if let tables = try await tables() {
      let domain = try await setting.state().preferences.domain(domain)
      rows = try await setting.rows { try await tables.rows(.search(text, domain: domain), into: $0) }.0
    } else {
      rows = try await found(text, limit: limit)
    }
    let living = rows.filter { !$0.isDeleted }
    if !living.isEmpty { try await take(.search) { $0.push(living) } }
    return living.map(\.permID)
  }

  /// Returns the cached entity of an id.
  private func known(_ permID: String) async throws -> Entity {
    guard let entity = try await cache.entity(permID) else { throw try await unknown(permID) }
    return entity
  }

  /// Returns the error for an id that is not cached, with a similar id as suggestion if there is one.
  func unknown(_ permID: String) async throws -> ErrorReport {
    let near = try await cache.search(permID, limit: 50).rows.map(\.permID)
    let nearest = Suggestion.nearest(to: permID, in: near)
    return LabError.unknownEntity(
      "nothing is cached under '\(permID)'",
      advice: nearest.map { "did you mean '\($0)'?" } ?? "'workbench openbis search TEXT' finds entities",
      details: ["permId": .text(permID)]
    ).harmless
  }

  /// The configuration shared by refreshes and single requests.
  var setting: SyncSetting {
    SyncSetting(
      cache: cache, clock: clock, report: report, warn: warn,
      fullRefreshDays: context.setting("full-refresh-days").number ?? 7)
  }

  /// Writes a response into the cache, independently of any refresh.
  @discardableResult
  private func take<Summary: Sendable>(
    _ kind: AnswerKind, _ transfer: @escaping @Sendable (RowChannel) async throws -> Summary
  ) async throws -> AppliedRows {
    let generation = try await setting.state().generation
    let applied = try await setting.takeBeside(kind, generation: generation, transfer)
    for permID in applied.missing {
      warn(
        Diagnostic(
          .warning, code: "openbis.no-details",
          "the server said nothing of '\(permID)': it may have been deleted there",
          advice: "what is cached of it was kept"))
    }
    return applied
  }

  // MARK: V3 objects

  /// Fetches the objects that entities were made from, with all files that are shown with them.
  private func fetchObjects(_ permIDs: [String]) async throws {
    let (service, mapping) = (try await native(), try await mapping())
    var wanted: [NativeKind: [String]] = [:]
    var asked: [String] = []
    for permID in permIDs {
      if let object = Refcon.object(of: permID) {
        wanted[object.kind, default: []].append(object.permID)
      } else if let file = Refcon.file(of: permID) {
        wanted[.dataSet, default: []].append(file.dataSet)
      } else {
        // A group, which is not an object.
        continue
      }
      asked.append(permID)
    }
    guard let first = asked.first else { return }
    report(Progress("asking for details of \(first)"))
    var (groups, rows): ([EntityRow], [EntityRow]) = ([], [])
    for kind in NativeKind.allCases {
      guard let ids = wanted[kind] else { continue }
      let mapped = try await mapped(try await service.objects(kind, ids), kind, service, mapping)
      groups += mapped.groups
      rows += mapped.rows
    }
    let all = groups + rows
    try await take(.details(of: asked)) { $0.push(all) }
  }

  /// Fetches the objects that the mapping lists below the one an entity was made from.
  private func fetchObjects(below permID: String) async throws {
    guard let object = Refcon.object(of: permID) else { return }
    let (service, mapping) = (try await native(), try await mapping())
    for way in mapping.listed(below: object.kind) {
      report(Progress("asking for \(way.kind.plural) below \(permID)"))
      var (from, hasMore) = (0, true)
      while hasMore {
        let page = try await service.belonging(way, to: [object.permID], from: from, count: Self.pageSize)
        let mapped = try await mapped(page.objects, way.kind, service, mapping)
        if !mapped.rows.isEmpty {
          try await take(.drill(of: permID)) {
            $0.push(mapped.groups)
            $0.push(mapped.rows)
          }
        }
        (from, hasMore) = (from + Self.pageSize, page.hasMore)
      }
    }
  }

  /// The number of objects per request for those below another.
  private static let pageSize = 500

  private func mapped(
    _ objects: [NativeObject], _ kind: NativeKind, _ service: NativeService, _ mapping: Mapping
  ) async throws -> MappedRows {
    var surroundings = MappingSurroundings()
    if kind.hasTypes { surroundings.propertyTypes[kind] = try await service.propertyTypes(kind) }
    let context = NativeContext(service: service, mapping: mapping, warn: warn)
    return mapping.rows(
      of: objects, try await context.completed(surroundings, for: objects, wantsFiles: .all))
  }

  /// Returns the matches of a search over all objects, as rows.
  private func found(_ text: String, limit: Int) async throws -> [EntityRow] {
    let (service, mapping) = (try await native(), try await mapping())
    let matches = try await service.searchGlobally(text, limit: limit)
    var rows: [String: EntityRow] = [:]
    for kind in NativeKind.allCases {
      let ids = matches.filter { $0.kind == kind }.map(\.permID)
      if ids.isEmpty { continue }
      for start in stride(from: 0, to: ids.count, by: 500) {
        let some = Array(ids[start..<min(ids.count, start + 500)])
        for row in try await mapped(try await service.objects(kind, some), kind, service, mapping).rows {
          rows[row.permID] = row
        }
      }
    }
    return matches.compactMap { rows[NativeObject.entityID($0.kind, $0.permID)] }
  }
}
