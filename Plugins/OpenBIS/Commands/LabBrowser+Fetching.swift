import PluginAPI

extension LabBrowser {
  /// Asks the server what is below an entity.
  func drill(_ permID: String) async throws {
    guard let reference = try await reference(permID) else { return }
    guard let tables = try await tables() else { return try await fetchObjects([permID]) }
    report(Progress("asking what is below \(permID)"))
    try await take(.drill(of: permID)) { try await tables.rows(.drill([reference]), into: $0) }
  }

  /// Asks the server for the details of entities.
  func details(_ permIDs: [String]) async throws {
    var references: [EntityReference] = []
    for permID in permIDs { if let known = try await reference(permID) { references.append(known) } }
    guard let tables = try await tables() else { return try await fetchObjects(permIDs) }
    report(Progress("asking for details of \(permIDs.first ?? "")"))
    let asked = references
    try await take(.details(of: permIDs)) { try await tables.rows(.details(asked), into: $0) }
  }

  /// Asks the server to search; what is found is kept.
  ///
  /// - Parameters:
  ///   - text: At least three characters: servers search nothing shorter.
  ///   - domain: The key of a kind of search the server offers; nil for the usual one.
  ///   - limit: How many objects of V3 are asked for; tables come as the server makes them.
  /// - Returns: The ids of what was found, in the server's order.
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

  /// What is sent to the server to name an entity; the id alone of what is not cached.
  private func reference(_ permID: String) async throws -> EntityReference? {
    guard let entity = try await cache.entity(permID) else { throw try await unknown(permID) }
    return EntityReference(permID: permID, refcon: entity.refcon ?? "")
  }

  /// The error for an id that is not cached, with one that is meant maybe.
  func unknown(_ permID: String) async throws -> LabError {
    let near = try await cache.search(permID, limit: 50).rows.map(\.permID)
    return .unknownEntity(permID, nearest: Suggestion.nearest(to: permID, in: near))
  }

  /// What a refresh and single answers have in common.
  var setting: SyncSetting { SyncSetting(cache: cache, clock: clock, report: report, warn: warn) }

  /// Writes an answer into the cache, beside any refresh.
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

  // MARK: Objects of V3

  /// Asks for the objects that entities were made of, with all files they are shown with.
  private func fetchObjects(_ permIDs: [String]) async throws {
    let (service, mapping) = (try await native(), try await mapping())
    var wanted: [NativeKind: [String]] = [:]
    for permID in permIDs {
      if let object = Refcon.object(of: permID) { wanted[object.kind, default: []].append(object.permID) }
      if let file = Refcon.file(of: permID) { wanted[.dataSet, default: []].append(file.dataSet) }
    }
    if wanted.isEmpty { return }
    report(Progress("asking for details of \(permIDs.first ?? "")"))
    var rows: [EntityRow] = []
    for kind in NativeKind.allCases {
      guard let ids = wanted[kind] else { continue }
      rows += try await mapped(try await service.objects(kind, ids), kind, service, mapping).rows
    }
    let all = rows
    try await take(.details(of: permIDs)) { $0.push(all) }
  }

  private func mapped(
    _ objects: [NativeObject], _ kind: NativeKind, _ service: NativeService, _ mapping: Mapping
  ) async throws -> MappedRows {
    var surroundings = MappingSurroundings()
    if kind.hasTypes { surroundings.propertyTypes[kind] = try await service.propertyTypes(kind) }
    let context = NativeContext(service: service, mapping: mapping)
    return mapping.rows(
      of: objects, try await context.completed(surroundings, for: objects, wantsFiles: .all))
  }

  /// What a search over all objects found, as rows.
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
