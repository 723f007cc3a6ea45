import PluginAPI
import PluginText
import Synchronization

extension SimulatorCore {
  static let serviceKey = "ipad-read-service-v1"

  /// Answers a call of V1.
  func tableOutcome(of call: SimulatedCall) throws(SimulatedFailure) -> SimulatedOutcome {
    switch (call.interface, call.method) {
    case (.query, "tryToAuthenticateAtQueryServer"), (.generalInformation, "tryToAuthenticateForAllServices"):
      guard call.parameters.count == 2 else { throw .badParameters(call.method) }
      return logIn(call).map { .text($0) } ?? .null
    case (_, "logout"):
      logOut(call)
      return .null
    case (_, "isSessionActive"): return .jsonText(isActive(call) ? "true" : "false")
    case (.query, "listAggregationServices"):
      _ = try user(of: call)
      return .jsonText(serviceList)
    case (.query, "createReportFromAggregationService"):
      let user = try user(of: call)
      guard call.parameters.count == 3, let key = call.parameters[1].text, let store = call.parameters[0].text else {
        throw .badParameters(call.method)
      }
      return try dataStoreReport(store, key, call.parameters[2], user, .v1)
    default: throw .unknownMethod(call.method)
    }
  }

  /// Runs the service at a data store, which the application server calls.
  func dataStoreReport(
    _ store: String, _ key: String, _ parameters: Value, _ user: SimulatorConfiguration.User,
    _ syntax: SimulatedTableSyntax
  ) throws(SimulatedFailure) -> SimulatedOutcome {
    if state.withLock({ $0.has(.dataStoreDown) }) {
      throw .exception("org.springframework.remoting.RemoteConnectFailureException", ServerWords.dataStoreUnreached)
    }
    return try report(store, key, parameters, user, syntax)
  }

  /// Runs the service.
  func report(
    _ store: String, _ key: String, _ parameters: Value, _ user: SimulatorConfiguration.User,
    _ syntax: SimulatedTableSyntax
  ) throws(SimulatedFailure) -> SimulatedOutcome {
    let view = view(hidden: user.hidden)
    guard view.dataStores.contains(store) else { throw .user("Unknown data store server '\(store)'") }
    guard key == Self.serviceKey, !state.withLock({ $0.has(.serviceMissing) }) else {
      throw .user("Data store server '\(store)' has no report with key '\(key)'")
    }
    return switch try TableAnswers(view: view).response(to: parameters) {
    case .table(let table): .table(table, syntax)
    case .rows(let rows): .rows(rows, syntax)
    }
  }

  private var serviceList: String {
    let view = view(hidden: [])
    let isMissing = state.withLock { $0.has(.serviceMissing) }
    let label = lab.shape == .tagBrowser ? "iPad Tag Browser Service" : "iPad Read Service"
    var services: [String] = []
    func add(_ store: String, _ key: String, _ label: String) {
      services.append(
        #"{"@type":"AggregationServiceDescription","@id":\#(services.count + 1),"dataStoreCode":\#(store.asSimulatedJSON),"#
          + #""dataStoreBaseUrl":\#(view.base.asSimulatedJSON),"serviceKey":"\#(key)","label":"\#(label)","type":"REPORT"}"#
      )
    }
    for store in view.dataStores {
      add(store, "plate-overview", "Plate Overview")
      if !isMissing { add(store, Self.serviceKey, label) }
    }
    return "[" + services.joined(separator: ",") + "]"
  }
}

/// The responses to requests of the table protocol, computed as the scripts on servers do.
struct TableAnswers: Sendable {
  let view: SimulatedView

  /// A response: a table held in memory, or rows generated while they are sent.
  enum Answer: Sendable {
    case table(SimulatedTable)
    case rows(SimulatedRows)
  }

  /// Answers a request.
  func response(to parameters: Value) throws(SimulatedFailure) -> Answer {
    switch parameters["requestKey"].text ?? "" {
    case "CLIENT_PREFS": return .table(preferences)
    case "NAVIGATION" where view.dialect == .final || view.dialect == .mid: return .table(navigation(parameters))
    case "CATEGORIES" where view.dialect == .seed: return .table(categories)
    case "ROOT": return roots(parameters)
    case "DRILL": return .table(drill(entities(parameters)))
    case "DETAIL": return .table(try details(entities(parameters), parameters))
    case "SEARCH": return .table(search(parameters["searchtext"].text ?? ""))
    default: return .table(.empty)
    }
  }

  /// Returns the requested PERM_IDs; a tag browser uses the first one only.
  private func entities(_ parameters: Value) -> [String] {
    let asked = parameters["entities"].list?.compactMap { $0["PERM_ID"].text } ?? []
    return view.lab.shape == .tagBrowser ? Array(asked.prefix(1)) : asked
  }

  // MARK: Preferences and categories

  private var preferences: SimulatedTable {
    SimulatedTable(
      columns: ["KEY", "VALUE"],
      rows: [
        ["ROOT_SET_REFRESH_INTERVAL", .text(view.refreshInterval)],
        ["SEARCH_DOMAINS", #"[{"key":"GLOBAL","label":"Search"},{"key":"BARCODE","label":"Barcode"}]"#],
      ])
  }

  private func navigation(_ parameters: Value) -> SimulatedTable {
    let asked = Set(parameters["HIDE"].list?.compactMap { $0["PERM_ID"].text ?? $0.text } ?? [])
    let hidden = asked.union(view.hidden)
    let gone = view.lab.categories.filter { hidden.contains($0.permID) }
    var columns = ["PERM_ID", "REFCON", "CATEGORY", "SUMMARY_HEADER", "SUMMARY", "ROOT_LEVEL"]
    if view.dialect == .final, !gone.isEmpty { columns.append("DELETED") }
    var table = SimulatedTable(columns: columns)
    for category in view.lab.categories where !hidden.contains(category.permID) {
      table.rows.append(cells(of: category, columns))
    }
    if view.dialect == .final { table.rows += gone.map { view.deletedCells($0.permID, columns) } }
    return table
  }

  private var categories: SimulatedTable {
    let columns = ["PERM_ID", "REFCON", "CATEGORY", "SUMMARY_HEADER", "SUMMARY", "CHILDREN"]
    return SimulatedTable(
      columns: columns,
      rows: view.lab.categories.indices.filter { !view.hidden.contains(view.lab.categories[$0].permID) }.map {
        cells(of: view.lab.categories[$0], columns, members: view.members(of: $0))
      })
  }

  private func cells(
    of category: SimulatedCategory, _ columns: [String], members: SimulatedIndexes? = nil
  ) -> [SimulatedTable.Cell] {
    columns.map { column in
      switch column {
      case "PERM_ID": .text(category.permID)
      case "REFCON": .text(category.refcon)
      case "CATEGORY": .text(category.category)
      case "SUMMARY_HEADER": .text(category.header)
      case "ROOT_LEVEL": "true"
      case "CHILDREN": .text(members.map(permIDs) ?? "[]")
      default: ""
      }
    }
  }

  private func permIDs(_ members: SimulatedIndexes) -> String {
    let ids = (0..<members.count).compactMap { view.entity(members[$0])?.permID.asSimulatedJSON }
    return "[" + ids.joined(separator: ",") + "]"
  }

  // MARK: Roots

  private func roots(_ parameters: Value) -> Answer {
    var asked = entities(parameters)
    if view.dialect == .seed, asked.isEmpty, let code = parameters["category"]["code"].text { asked = [code] }
    let since = Self.since(parameters["lastupdate"])
    var columns = ["PERM_ID", "REFCON", "CATEGORY", "SUMMARY_HEADER", "SUMMARY", "CHILDREN", "ROOT_LEVEL"]
    if view.dialect == .final { columns.append("DELETED") }
    let all = view.lab.categories.indices.filter { !view.hidden.contains(view.lab.categories[$0].permID) }
    let wanted =
      parameters["entities"].list?.isEmpty != false && asked.isEmpty
      ? all : all.filter { asked.contains(view.lab.categories[$0].permID) }
    return .rows(rows(wanted, columns, since: view.dialect == .final ? since : 0))
  }

  /// Returns the rows of some categories, including deletions since a time.
  private func rows(_ wanted: [Int], _ columns: [String], since: Int) -> SimulatedRows {
    let isDemo = view.lab.shape == .demo
    let repeatsCategory = isDemo || view.lab.shape == .tagBrowser
    let lists = wanted.map { view.members(of: $0, since: since) }
    let members: SimulatedIndexes =
      if lists.count == 1 { lists[0] } else { .list(lists.flatMap { list in (0..<list.count).map { list[$0] } }) }
    var since = since
    // If none of its probes has changed, the demonstration sends all of them.
    if isDemo, since > 0, !hasNews(members, since) || wanted.contains(0) { since = 0 }
    var rows = SimulatedRows(view: view, columns: columns, members: members, since: since)
    if repeatsCategory {
      rows.first = wanted.map { cells(of: view.lab.categories[$0], columns, members: view.members(of: $0)) }
    }
    if columns.last == "DELETED" {
      rows.last = deleted(among: isDemo ? nil : wanted, since: isDemo ? 0 : since).map {
        view.deletedCells($0, columns)
      }
    }
    return rows
  }

  private func hasNews(_ members: SimulatedIndexes, _ since: Int) -> Bool {
    (0..<members.count).contains { position in
      view.entity(members[position]).map { $0.modified > since } ?? false
    }
  }

  private func deleted(among categories: [Int]?, since: Int) -> [String] {
    let places = view.changes.deleted.filter { $0.value >= since }.keys.sorted()
    let sets = categories.map { $0.map { view.lab.members(of: $0) } }
    return places.filter { index in
      guard let categories, let sets else { return true }
      if index >= view.lab.count { return categories.contains(view.changes.addedCategories[index - view.lab.count]) }
      return sets.contains { $0.contains(index) }
    }.map { $0 < view.lab.count ? view.lab.entity($0).permID : view.changes.added[$0 - view.lab.count].permID }
  }

  /// Returns the time of a request in milliseconds; servers truncate the text at the point and read whole seconds.
  static func since(_ value: Value) -> Int {
    let text = value.text ?? value.integer.map { String($0) } ?? "0"
    return (text.split(separator: ".").first.flatMap { Int($0) } ?? 0) * 1000
  }

  // MARK: Drill, details, search

  private func drill(_ asked: [String]) -> SimulatedTable {
    if view.lab.shape == .demo, let category = view.lab.categories.firstIndex(where: { asked.contains($0.permID) }) {
      var columns = ["PERM_ID", "REFCON", "CATEGORY", "SUMMARY_HEADER", "SUMMARY", "CHILDREN", "ROOT_LEVEL"]
      if view.dialect == .final { columns.append("DELETED") }
      return rows([category], columns, since: 0).table
    }
    let columns = ["PERM_ID", "REFCON", "CATEGORY", "SUMMARY_HEADER", "SUMMARY", "CHILDREN"]
    var table = SimulatedTable(columns: columns)
    if view.lab.shape == .yeastlab { return table }
    var seen: Set<String> = []
    func add(_ permID: String) {
      guard seen.insert(permID).inserted, let entity = entity(permID) else { return }
      table.rows.append(view.cells(of: entity, columns))
    }
    for permID in asked {
      entity(permID)?.children.forEach { if let child = $0 { add(child) } }
      if view.lab.shape != .tagBrowser { add(permID) }
    }
    return table
  }

  private func entity(_ permID: String) -> SimulatedEntity? {
    view.index(ofPermID: permID).flatMap { view.entity($0) }
  }

  private func details(_ asked: [String], _ parameters: Value) throws(SimulatedFailure) -> SimulatedTable {
    // Scripts examine the REFCON, which must be an object by then; the tag browser accepts text as well.
    if view.lab.shape != .tagBrowser, view.lab.shape != .plain,
      let odd = parameters["entities"].list?.first(where: { $0["REFCON"].record == nil })
    {
      throw .script("TypeError: 'REFCON' of '\(odd["PERM_ID"].text ?? "")' is not an object")
    }
    let columns = ["PERM_ID", "REFCON", "CATEGORY", "SUMMARY_HEADER", "SUMMARY", "IDENTIFIER", "IMAGES", "PROPERTIES"]
    var table = SimulatedTable(columns: columns)
    for permID in asked {
      guard var entity = entity(permID) else { continue }
      if view.lab.shape == .demo, entity.native.typeCode == "5HT_PROBE" {
        entity.properties.append(.init("TIMESTAMP", "Timestamp", SimulatedDates.text(view.now)))
      }
      table.rows.append(view.cells(of: entity, columns))
    }
    return table
  }

  private func search(_ text: String) -> SimulatedTable {
    let columns = ["PERM_ID", "REFCON", "CATEGORY", "SUMMARY_HEADER", "SUMMARY", "CHILDREN"]
    var table = SimulatedTable(columns: columns)
    let terms = text.lowercased().split(separator: " ").map(String.init)
    if terms.isEmpty { return table }
    var seen: Set<Int> = []
    var materials: [Int] = []
    for index in 0..<min(view.count, 50_000) where table.rows.count < 100 {
      guard let entity = view.entity(index), matches(entity, terms) else { continue }
      if view.lab.shape == .demo, entity.native.typeCode != "5HT_PROBE" { continue }
      if view.lab.shape == .tagBrowser, entity.native.kind == .experiment { continue }
      seen.insert(index)
      table.rows.append(view.cells(of: entity, columns))
      if view.lab.shape == .demo { materials += entity.native.parents }
    }
    for index in materials where seen.insert(index).inserted {
      if let entity = view.entity(index) { table.rows.append(view.cells(of: entity, columns)) }
    }
    return table
  }

  private func matches(_ entity: SimulatedEntity, _ terms: [String]) -> Bool {
    let all = ([entity.header, entity.summary, entity.identifier] + entity.properties.compactMap(\.value))
      .joined(separator: "\n").lowercased()
    return terms.allSatisfy { word in ByteSearch.contains(word.utf8, in: all.utf8) }
  }
}

extension SimulatedIndexes {
  func contains(_ index: Int) -> Bool {
    switch self {
    case .every(let step, let from, let end): index >= from && index < end && (index - from) % step == 0
    case .list(let indexes): indexes.contains(index)
    }
  }
}
