import PluginAPI

/// A standard view that a program describes by value, with the cursor, filter and scroll position that the host keeps.
struct ProgramView: Sendable {
  /// The kinds of standard views.
  private indirect enum Content: Sendable {
    case list(ListState)
    /// A list of nested rows, of which those with the expanded ids show their children.
    case tree(ListState, rows: [TreeRow], expanded: Set<String>)
    case table(TableState)
    case form(FormState)
    case text(TextPageState)
    case picture(Picture?, description: String)
    case progress(Progress)
    /// Two views, of which the first gets the keys.
    case split(ProgramView, ProgramView, SplitView.Layout)
  }

  /// A row of a tree.
  private struct TreeRow: Sendable {
    var row: ListRow
    var children: [TreeRow]
  }

  private static let deepestSplit = 4

  private var title: String
  private var emptyText: String
  private var content: Content
  /// The first field that was ignored, as it is not of its kind; nil for none.
  private(set) var ignored: ValueDecodingError?

  /// A text in place of a view that the program did not send.
  init(title: String, text: String) {
    (self.title, emptyText, content) = (title, "", .text(TextPageState(text)))
  }

  /// Reads a view.
  ///
  /// A list that is not a list counts as empty, and an id that rows do not need is ignored unless it is a text: earlier
  /// versions read them in the same way, and installed programs may send them.
  ///
  /// - Parameter old: The view that it replaces, whose cursor it takes if both are of a kind.
  /// - Throws: ``ValueDecodingError`` if the value is not a view.
  init(_ value: Value, replacing old: ProgramView? = nil, depth: Int = 0) throws(ValueDecodingError) {
    title = value["title"].text ?? ""
    emptyText = value["empty"].text ?? "Nothing to show"
    var ignored: ValueDecodingError?
    switch (value["is"].text ?? "", old?.content) {
    case ("list", .list(var state)?):
      state.rows = try Self.rows(value, &ignored)
      content = .list(state)
    case ("list", _):
      let rows = try Self.rows(value, &ignored)
      content = .list(ListState(rows: rows, selected: Self.optionalText("selected", of: value, &ignored)))
    case ("tree", .tree(var state, _, let expanded)?):
      let rows = try Self.treeRows(value, "rows", &ignored)
      state.rows = Self.flat(rows, expanded)
      content = .tree(state, rows: rows, expanded: expanded)
    case ("tree", _):
      let rows = try Self.treeRows(value, "rows", &ignored)
      content = .tree(ListState(rows: Self.flat(rows, [])), rows: rows, expanded: [])
    case ("table", .table(var state)?):
      state.table = try Self.table(value)
      content = .table(state)
    case ("table", _): content = .table(TableState(try Self.table(value)))
    case ("form", .form(var state)?):
      state.sections = try Self.sections(value, &ignored)
      content = .form(state)
    case ("form", _): content = .form(FormState(try Self.sections(value, &ignored)))
    case ("text", .text(var state)?):
      state.text = try Self.text(value)
      content = .text(state)
    case ("text", _): content = .text(TextPageState(try Self.text(value)))
    case ("picture", _):
      let picture = value["picture"]
      guard picture.isNull || picture.picture != nil else {
        throw .unexpectedShape(path: "picture", expected: "a picture, or null until there is one")
      }
      content = .picture(picture.picture, description: value["description"].text ?? "")
    case ("progress", _):
      content = .progress(Progress(value["label"].text ?? "", fraction: value["fraction"].number))
    case ("split", let old):
      guard depth < Self.deepestSplit else {
        throw .unexpectedShape(path: "is", expected: "a view: splits are nested too deep")
      }
      var parts: (first: ProgramView, second: ProgramView)?
      if case .split(let first, let second, _)? = old { parts = (first, second) }
      let first = try Self.part("first", of: value, replacing: parts?.first, depth: depth + 1)
      let second = try Self.part("second", of: value, replacing: parts?.second, depth: depth + 1)
      ignored = first.ignored?.within("first") ?? second.ignored?.within("second")
      content = .split(
        first, second,
        SplitView.Layout(fraction: value["fraction"].number ?? 0.4))
    default:
      throw .unexpectedShape(
        path: "is", expected: "a view: list, tree, table, form, text, picture, progress or split")
    }
    self.ignored = ignored
  }

  /// A Boolean value indicating whether plain characters are text for a filter or search.
  var wantsText: Bool {
    switch content {
    case .list(let state), .tree(let state, _, _): state.isFiltering
    case .text(let state): state.isSearching
    case .split(let first, _, _): first.wantsText
    case .table, .form, .picture, .progress: false
    }
  }

  /// The id of the selected row or field, the index of a table's row; nil if nothing is selected.
  var selected: String? {
    switch content {
    case .list(let state), .tree(let state, _, _): state.selectedID
    case .table(let state): state.selectedRow.map { "\($0)" }
    case .form(let state): state.selectedField?.id
    case .split(let first, _, _): first.selected
    case .text, .picture, .progress: nil
    }
  }

  /// The cursor for the next start: the selected row, and the ids of expanded rows; null for views without rows.
  var position: Value {
    switch content {
    case .list, .table: ["selected": .optional(selected)]
    case .tree(_, _, let expanded):
      ["selected": .optional(selected), "expanded": .list(expanded.sorted().map { .text($0) })]
    case .split(let first, _, _): first.position
    case .form, .text, .picture, .progress: .null
    }
  }

  /// Returns a Boolean value indicating whether a view names the row that it selects.
  static func isSelecting(_ value: Value) -> Bool {
    value["is"].text == "split" ? isSelecting(value["first"]) : !value["selected"].isNull
  }

  /// Moves the cursor to a ``position`` of an earlier run, as far as its rows still exist.
  mutating func move(to position: Value) {
    let id = position["selected"].text
    switch content {
    case .list(var state):
      if let id { state.select(id) }
      content = .list(state)
    case .tree(var state, let rows, _):
      let expanded = Set((position["expanded"].list ?? []).compactMap(\.text))
      state.rows = Self.flat(rows, expanded)
      if let id { state.select(id) }
      content = .tree(state, rows: rows, expanded: expanded)
    case .table(var state):
      if let row = id.flatMap({ Int($0) }), row >= 0, row < state.table.rowCount { state.cursor.selected = row }
      content = .table(state)
    case .split(var first, let second, let layout):
      first.move(to: position)
      content = .split(first, second, layout)
    case .form, .text, .picture, .progress: break
    }
  }

  /// The view to draw.
  var view: any View {
    switch content {
    case .list(let state), .tree(let state, _, _): ListView(title, state, emptyText: emptyText)
    case .table(let state): TableView(title, state, emptyText: emptyText)
    case .form(let state): FormView(title, state, emptyText: emptyText)
    case .text(let state): TextPageView(title, state)
    case .picture(let picture, let description): PictureView(picture, description: description)
    case .progress(let progress): ProgressView(progress)
    case .split(let first, let second, let layout):
      SplitView(first.view, second.view, layout: layout)
    }
  }

  /// Handles an event.
  ///
  /// - Returns: The outcome, with a chosen row of a table given by its index; nil for an event that is not handled.
  mutating func handle(_ event: Event, in rect: Rect) -> ViewOutcome? {
    switch content {
    case .list(var state):
      defer { content = .list(state) }
      return state.handle(event, in: rect)
    case .tree(var state, let rows, var expanded):
      let outcome = state.handle(event, in: rect)
      if case .disclosed(let id)? = outcome {
        if expanded.remove(id) == nil { expanded.insert(id) }
        state.rows = Self.flat(rows, expanded)
      }
      content = .tree(state, rows: rows, expanded: expanded)
      if case .disclosed? = outcome { return .changed }
      return outcome
    case .table(var state):
      defer { content = .table(state) }
      return state.handle(event, in: rect)
    case .form(var state):
      defer { content = .form(state) }
      return state.handle(event, in: rect)
    case .text(var state):
      defer { content = .text(state) }
      return state.handle(event, in: rect)
    case .picture, .progress: return nil
    case .split(var first, var second, let layout):
      let rects = layout.rects(in: rect)
      defer { content = .split(first, second, layout) }
      if case .mouse(let mouse) = event, rects.second.contains(mouse.position) {
        return second.handle(event, in: rects.second)
      }
      return first.handle(event, in: rects.first)
    }
  }
}

extension ProgramView {
  /// Reads a part of a split view; errors name the part.
  private static func part(
    _ name: String, of value: Value, replacing old: ProgramView?, depth: Int
  ) throws(ValueDecodingError) -> ProgramView {
    do throws(ValueDecodingError) {
      return try ProgramView(value[name], replacing: old, depth: depth)
    } catch {
      throw error.within(name)
    }
  }

  /// Returns the error of a field that is not a text.
  private static func notAText(_ field: Value, path: String) -> ValueDecodingError {
    let example = field.number == nil ? "" : " such as \"\(field.shortText)\""
    return .unexpectedShape(path: path, expected: "a text" + example)
  }

  /// Reads a field that is ignored unless it is a text.
  ///
  /// - Parameter path: The path of the value that has the field, with a final period; empty for the view itself.
  private static func optionalText(
    _ name: String, of value: Value, at path: String = "", _ ignored: inout ValueDecodingError?
  ) -> String? {
    let field = value[name]
    if field.text == nil, !field.isNull { ignored = ignored ?? notAText(field, path: path + name) }
    return field.text
  }

  /// Reads a field that must be there and a text.
  ///
  /// - Parameter need: The fields that the value needs, in words.
  private static func text(
    _ name: String, of value: Value, at path: String, need: String
  ) throws(ValueDecodingError) -> String {
    let field = value[name]
    if field.isNull { throw .unexpectedShape(path: path + name, expected: "there: \(need)") }
    guard let text = field.text else { throw notAText(field, path: path + name) }
    return text
  }

  /// Reads a field that is ignored, and then empty, unless it is a list.
  private static func list(
    _ name: String, of value: Value, at path: String = "", _ ignored: inout ValueDecodingError?
  ) -> [Value] {
    let field = value[name]
    if field.list == nil, !field.isNull {
      ignored = ignored ?? .unexpectedShape(path: path + name, expected: "a list")
    }
    return field.list ?? []
  }

  /// Reads a row.
  ///
  /// - Parameters:
  ///   - path: The path of the row, such as `rows[0]`.
  ///   - indent: The text before its title.
  private static func row(
    _ value: Value, at path: String, indent: String = "", discloses: Bool = false
  ) throws(ValueDecodingError) -> ListRow {
    let need = "a row needs 'id' and 'title'"
    let id = try text("id", of: value, at: path + ".", need: need)
    let title = try text("title", of: value, at: path + ".", need: need)
    return ListRow(
      id: id, title: indent + title, detail: value["detail"].shortText, badge: value["badge"].shortText,
      hasDisclosure: discloses)
  }

  private static func rows(
    _ value: Value, _ ignored: inout ValueDecodingError?
  ) throws(ValueDecodingError) -> [ListRow] {
    var rows: [ListRow] = []
    for (index, element) in list("rows", of: value, &ignored).enumerated() {
      rows.append(try row(element, at: "rows[\(index)]"))
    }
    return rows
  }

  /// Reads the rows of a tree.
  ///
  /// - Parameters:
  ///   - name: The field that has them.
  ///   - parent: The path of the value, with a final period.
  private static func treeRows(
    _ value: Value, _ name: String, of parent: String = "", depth: Int = 0, _ ignored: inout ValueDecodingError?
  ) throws(ValueDecodingError) -> [TreeRow] {
    var rows: [TreeRow] = []
    for (index, element) in list(name, of: value, at: parent, &ignored).enumerated() {
      let path = "\(parent)\(name)[\(index)]"
      let children = try treeRows(element, "children", of: path + ".", depth: depth + 1, &ignored)
      let indent = String(repeating: "  ", count: depth)
      rows.append(
        TreeRow(row: try row(element, at: path, indent: indent, discloses: !children.isEmpty), children: children))
    }
    return rows
  }

  private static func flat(_ rows: [TreeRow], _ expanded: Set<String>) -> [ListRow] {
    rows.flatMap { [$0.row] + (expanded.contains($0.row.id) ? flat($0.children, expanded) : []) }
  }

  private static func table(_ value: Value) throws(ValueDecodingError) -> Table {
    guard let table = value["table"].table else {
      throw .unexpectedShape(path: "table", expected: "a table")
    }
    return table
  }

  private static func text(_ value: Value) throws(ValueDecodingError) -> StyledText {
    if let text = value["text"].text { return StyledText(text) }
    guard let text = try? StyledText(value: value["text"]) else {
      throw .unexpectedShape(path: "text", expected: "a text or its styled lines")
    }
    return text
  }

  private static func sections(
    _ value: Value, _ ignored: inout ValueDecodingError?
  ) throws(ValueDecodingError) -> [FormSection] {
    var sections: [FormSection] = []
    for (index, section) in list("sections", of: value, &ignored).enumerated() {
      let parent = "sections[\(index)]."
      var fields: [FormSection.Field] = []
      for (index, field) in list("fields", of: section, at: parent, &ignored).enumerated() {
        let path = "\(parent)fields[\(index)]."
        let label = try text("label", of: field, at: path, need: "a field needs 'label' and 'value'")
        let id = optionalText("id", of: field, at: path, &ignored)
        fields.append(FormSection.Field(label, field["value"].shortText, id: id))
      }
      sections.append(FormSection(section["heading"].text ?? "", fields))
    }
    return sections
  }
}

extension ValueDecodingError {
  /// Returns the error with the path of a field in the value of another field.
  fileprivate func within(_ name: String) -> Self {
    guard case .unexpectedShape(let path, let expected) = self else { return self }
    return .unexpectedShape(path: "\(name).\(path)", expected: expected)
  }
}
