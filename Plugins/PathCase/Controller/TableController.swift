import PluginAPI
import PluginText

/// A table of a pathway's participants; a row leads to its details.
@MainActor final class TableController: ContentController {
  /// The actions of the table.
  enum Action: String, CaseIterable {
    case choose
  }

  private let content: PathwayContent
  private let request: ContentRequest
  private var state = TableState(Table(columns: []))
  /// The subject of each visible row; nil if there are no details.
  private var subjects: [Identifier?] = []
  /// The search; nil before there are rows.
  private var search: TableSearch?
  private var size = Size(width: 0, height: 0)
  private var message = "reading …"

  init(_ content: PathwayContent, _ request: ContentRequest) {
    self.content = content
    self.request = request
  }

  var title: String { content.title }
  var wantsText: Bool { search?.isTyping ?? false }

  var view: any View {
    let shown = search.flatMap { $0.isOpen ? $0 : nil }
    let empty = shown.map { "nothing matches '\($0.line.text)'" } ?? content.emptyText
    return SearchedTableView(
      table: TableView(title, state, action: Action.choose.rawValue, emptyText: search == nil ? message : empty),
      search: shown.map { search in
        let note = SearchLine.note(search.line, count: search.rows.count, hint: "a word of a row")
        return SearchLine(line: search.line, isTyping: search.isTyping, note: note)
      })
  }

  var status: [StyledText.Run] {
    subjects.isEmpty ? [] : [.init(ShownText.count(subjects.count, "row"))]
  }

  func start() -> [Effect] {
    let making = compute(request.id("table-\(content.rawValue)"), "reading") { [content, network = request.network] _ in
      TableSearch(PathwayTable(content, network))
    } then: {
      $0.take($1)
    } failed: { controller, failure in
      controller.message = failure.text(ifCanceled: "reading canceled")
      return []
    }
    return [making]
  }

  private func take(_ made: TableSearch) {
    search = made
    show(selecting: state.cursor.selected)
  }

  func handle(_ event: Event) -> [Effect]? {
    if case .resize(let geometry) = event {
      size = geometry.size
      return []
    }
    if case .key(let key) = event, let effects = handle(key) { return effects }
    if case .paste = event, wantsText { return type(event) }
    return handleRows(event)
  }

  /// Handles a key of the search; returns nil for other keys.
  private func handle(_ key: Key) -> [Effect]? {
    guard let search else { return nil }
    switch key {
    case Key(.character("/")) where !search.isTyping: self.search?.isTyping = true
    case Key(.escape) where search.isOpen, Key(.backspace) where search.isTyping && search.line.text.isEmpty:
      let row = state.selectedRow.map { search.rows[$0] }
      self.search?.end()
      show(selecting: row ?? 0)
    case Key(.enter) where search.isTyping: self.search?.isTyping = false
    case Key(.up), Key(.down), Key(.pageUp), Key(.pageDown): return nil
    default: return search.isTyping ? type(.key(key)) : nil
    }
    return []
  }

  private func type(_ event: Event) -> [Effect]? {
    guard let isOther = search?.type(event) else { return nil }
    if isOther { show(selecting: 0) }
    return []
  }

  private func show(selecting row: Int) {
    guard let found = search?.found else { return }
    state.table = found.table
    state.cursor = RowCursor(selected: row)
    subjects = found.subjects
  }

  private func handleRows(_ event: Event) -> [Effect]? {
    var event = event
    let rect = SearchedTableView.tableRect(of: size, isSearching: search?.isOpen ?? false)
    if case .mouse(var mouse) = event {
      mouse.position.y -= rect.y
      event = .mouse(mouse)
    }
    switch state.handle(event, in: Rect(rect.size)) {
    case .changed: return []
    case .chosen(let row): return tell(Int(row))
    case .disclosed, nil: return nil
    @unknown default: return nil
    }
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    guard let action = Action(rawValue: invocation.action) else { return [] }
    switch action {
    case .choose: return tell(invocation.arguments[PathCaseArgument.row] ?? state.selectedRow)
    }
  }

  private func tell(_ row: Int?) -> [Effect] {
    guard let row, subjects.indices.contains(row), let subject = subjects[row] else { return [] }
    return request.onDetails(subject)
  }
}

/// The search for rows of a table that contain every typed word.
private struct TableSearch: Sendable {
  private let whole: PathwayTable
  /// The searched text of each row, in lowercase.
  private let words: [[UInt8]]
  var line = InputLine()
  /// A Boolean value indicating whether typed text goes to the search.
  var isTyping = false
  /// The indices of the rows found, ascending.
  private(set) var rows: [Int]

  /// The maximum number of scalars of a row that are searched.
  private static let longest = 2000

  init(_ table: PathwayTable) {
    whole = table
    rows = Array(0..<table.table.rowCount)
    words = rows.map { row in
      let cells = table.table.columns.compactMap { $0.values[row].text }
      let all = cells + (table.aliases.indices.contains(row) ? table.aliases[row] : [])
      return FoldedText.typed(all.joined(separator: "\n"), limit: Self.longest)
    }
  }

  /// A Boolean value indicating whether the search line is visible.
  var isOpen: Bool { isTyping || !line.text.isEmpty }

  /// Handles an event while text is typed.
  ///
  /// - Returns: True if the rows found have changed; nil if the line does not use the event.
  mutating func type(_ event: Event) -> Bool? {
    let before = line.text
    guard line.handle(event) else { return nil }
    if line.text == before { return false }
    let patterns = line.text.split(separator: " ").map { FoldedText.typed(String($0)) }
    rows = words.indices.filter { row in patterns.allSatisfy { ByteSearch.contains($0, in: words[row]) } }
    return true
  }

  /// Ends the search.
  mutating func end() {
    (line, isTyping) = (InputLine(), false)
    rows = Array(words.indices)
  }

  /// The rows that were found.
  var found: PathwayTable {
    if rows.count == words.count { return whole }
    return PathwayTable(
      table: Table(
        columns: whole.table.columns.map { .init($0.name, title: $0.title, unit: $0.unit, $0.values.at(rows)) }),
      subjects: rows.map { whole.subjects[$0] })
  }
}

extension Table.Values {
  /// Returns the values of some rows.
  fileprivate func at(_ rows: [Int]) -> Table.Values {
    switch self {
    case .integers(let values): .integers(rows.map { values[$0] })
    case .numbers(let column): .numbers(rows.map { column.values[$0] }, decimals: column.decimals)
    case .texts(let values): .texts(rows.map { values[$0] })
    case .values(let values): .values(rows.map { values[$0] })
    @unknown default: .values(rows.map { self[$0] })
    }
  }
}

/// The rows of a table about a pathway, and the subject of each row.
private struct PathwayTable: Sendable {
  var table: Table
  var subjects: [Identifier?]
  /// Additional search terms by row, besides the visible ones; empty if no row has any.
  var aliases: [[String]] = []
}

extension PathwayTable {
  /// Creates the table of a content.
  init(_ content: PathwayContent, _ network: ShownNetwork) {
    guard case .pathway(let pathway, let database) = network.opened else {
      self = Self.nodes(content, network.graph)
      return
    }
    let members = database.members(ofPathway: pathway)
    switch content {
    case .processes: self = Self.processes(Array(database.links.processesOfPathways[pathway]), database)
    case .metabolites: self = Self.pools(members.pools, database)
    case .compartments: self = Self.compartments(members, database)
    case .graph, .scenarios, .ranges: self = Self.referenceRanges(members, database)
    }
  }

  private static func processes(_ indices: [Int], _ database: MetabolicDatabase) -> PathwayTable {
    let records = indices.map { database.processes[$0] }
    return PathwayTable(
      table: Table(columns: [
        .init("name", title: "Process", .texts(records.map { ShownText.name($0.name, or: $0.id) })),
        .init("kind", title: "Kind", .texts(records.map(\.kind.rawValue))),
        .init("enzyme", title: "EC", .texts(records.map { SanitizedText.line($0.enzyme ?? "") })),
        .init("equation", title: "Equation", .texts(indices.map { database.equation(of: $0) })),
      ]), subjects: records.map(\.id), aliases: records.map(\.genes))
  }

  private static func pools(_ indices: [Int], _ database: MetabolicDatabase) -> PathwayTable {
    let records = indices.map { database.metabolites[database.links.poolMetabolites[$0]] }
    let places = indices.map { database.compartments[database.links.poolCompartments[$0]] }
    return PathwayTable(
      table: Table(columns: [
        .init("name", title: "Metabolite", .texts(records.map { ShownText.name($0.name, or: $0.id) })),
        .init("compartment", title: "Compartment", .texts(places.map { ShownText.name($0.name, or: $0.id) })),
        .init("formula", title: "Formula", .texts(records.map { SanitizedText.line($0.formula ?? "") })),
        .init("charge", title: "Charge", .values(records.map { $0.charge.map { .integer($0) } ?? .null })),
        .init("common", title: "Common", .texts(records.map { $0.isCommon ? "yes" : "" })),
        .init(
          "processes", title: "Processes",
          .integers(indices.map { database.links.processesOfPools[$0].count })),
      ]), subjects: indices.map { database.pools[$0].id }, aliases: records.map(\.synonyms))
  }

  private static func compartments(
    _ members: MetabolicDatabase.PathwayMembers, _ database: MetabolicDatabase
  ) -> PathwayTable {
    let records = members.compartments.map { database.compartments[$0] }
    let tissues = members.compartments.map { index in
      database.links.compartmentTissues[index].map { database.tissues[$0] }
    }
    let counts = members.compartments.map { place in
      members.pools.count { database.links.poolCompartments[$0] == place }
    }
    return PathwayTable(
      table: Table(columns: [
        .init("name", title: "Compartment", .texts(records.map { ShownText.name($0.name, or: $0.id) })),
        .init("tissue", title: "Tissue", .texts(tissues.map { $0.map { ShownText.name($0.name, or: $0.id) } ?? "" })),
        .init("kind", title: "Kind", .texts(tissues.map { $0?.kind.rawValue ?? "" })),
        .init(
          "outside", title: "Within",
          .texts(
            members.compartments.map { index in
              database.links.outerCompartments[index].map {
                ShownText.name(database.compartments[$0].name, or: database.compartments[$0].id)
              } ?? ""
            })),
        .init("pools", title: "Pools here", .integers(counts)),
      ]), subjects: records.map { _ in nil })
  }

  /// Returns the table of the concentrations from which pools count as unavailable, accumulated and severely
  /// accumulated.
  private static func referenceRanges(
    _ members: MetabolicDatabase.PathwayMembers, _ database: MetabolicDatabase
  ) -> PathwayTable {
    let rows = members.pools.compactMap { pool in
      database.links.rangesOfPools[pool].map { (pool, database.ranges[$0]) }
    }
    func limits(_ limit: (BiofluidRange) -> Double?) -> Table.Values {
      .numbers(rows.map { limit($0.1) ?? .nan }, decimals: nil)
    }
    return PathwayTable(
      table: Table(columns: [
        .init("pool", title: "Metabolite", .texts(rows.map { database.poolName($0.0) })),
        .init("unavailableBelow", title: "Unavailable below", limits(\.unavailableBelow)),
        .init("accumulatedAbove", title: "Accumulated above", limits(\.accumulatedAbove)),
        .init("severeAbove", title: "Severely above", limits(\.severeAbove)),
        .init("unit", title: "Unit", .texts(rows.map { SanitizedText.line($0.1.unit) })),
      ]), subjects: rows.map { database.pools[$0.0].id })
  }

  /// Returns the table of a file's nodes.
  private static func nodes(_ content: PathwayContent, _ graph: ReactionGraph) -> PathwayTable {
    let isProcesses = content == .processes
    let nodes = graph.nodes.filter { ($0.kind == .process) == isProcesses && !$0.isBarePoint }
    let places = nodes.map { node in
      node.compartment.flatMap { graph.compartments.indices.contains($0) ? graph.compartments[$0] : nil }
    }
    return PathwayTable(
      table: Table(columns: [
        .init(
          "name", title: isProcesses ? "Process" : "Metabolite",
          .texts(nodes.map { ShownText.name(of: $0) })),
        .init("id", title: "Id", .texts(nodes.map { SanitizedText.line($0.id.text) })),
        .init(
          "compartment", title: "Compartment",
          .texts(places.map { $0.map { ShownText.name($0.name, or: $0.id) } ?? "" })),
        .init(
          "category", title: "Kind",
          .texts(nodes.map { $0.category.isEmpty ? $0.kind.rawValue : SanitizedText.line($0.category) })),
      ]), subjects: nodes.map(\.subject))
  }
}
