import PluginAPI

/// Runs a command and shows its result: a table, a form, a picture or text.
@MainActor final class ResultController: HostController {
  /// The form in which a value is shown.
  private enum Content {
    case page(TextPageState)
    case table(TableState)
    case form(FormState)
    case picture(Picture)
  }

  private unowned let navigator: Navigator
  private let plugin: String
  private let declaration: CommandDescription
  private let arguments: Record
  private var values: [Value] = []
  private var content: Content?
  private var isStarted = false
  private var rect = Rect(x: 0, y: 0, width: 0, height: 0)

  init(navigator: Navigator, plugin: String, _ declaration: CommandDescription, _ arguments: Record) {
    self.navigator = navigator
    self.plugin = plugin
    self.declaration = declaration
    self.arguments = arguments
  }

  var title: String { declaration.name }
  var hints: [KeyHint] { [KeyHint("esc", "back")] }

  var wantsText: Bool {
    if case .page(let state) = content { state.isSearching } else { false }
  }

  var isLoading: Bool { content == nil }

  var view: any View {
    switch content {
    case .page(let state): TextPageView(title, state)
    case .table(let state): TableView(title, state)
    case .form(let state): FormView(title, state, action: "open")
    case .picture(let picture): PictureView(picture, description: declaration.summary)
    case nil: TextPageView(title, TextPageState("…"))
    }
  }

  func handle(_ event: Event) -> [Effect]? {
    if case .resize(let geometry) = event {
      rect = Rect(geometry.size)
      if isStarted {
        show()
        return []
      }
      isStarted = true
      return [.run("result", command: plugin + "." + declaration.name, arguments: arguments)]
    }
    switch content {
    case .page(var state):
      defer { content = .page(state) }
      return state.handle(event, in: rect) == nil ? nil : []
    case .table(var state):
      defer { content = .table(state) }
      return state.handle(event, in: rect) == nil ? nil : []
    case .form(var state):
      defer { content = .form(state) }
      let outcome = state.handle(event, in: rect)
      if case .chosen(let id) = outcome { return choose(item: id) }
      return outcome == nil ? nil : []
    case .picture, nil: return nil
    }
  }

  func choose(item id: String) -> [Effect] {
    if case .form(let state) = content, let field = state.field(id) {
      let page = PageController(title: field.label, StyledText(field.value))
      navigator.push(host: page, named: "text", placement: .page)
    }
    return []
  }

  func receive(_ message: Message) -> [Effect] {
    switch message {
    case .emitted(_, let value): values.append(value)
    case .finished: show()
    case .cancelled: content = .page(TextPageState(StyledText("Canceled", .secondary)))
    case .failed(_, let report): content = .page(TextPageState(ErrorController.text(of: report)))
    default: break
    }
    return []
  }

  private func show() {
    guard !values.isEmpty else {
      if content == nil { content = .page(TextPageState(StyledText("Done", .secondary))) }
      return
    }
    let value = declaration.output.joined(values)
    if let text = rendered(value) {
      content = .page(TextPageState(text, wraps: false))
      return
    }
    switch value.content {
    case .picture(let picture): content = .picture(picture)
    case .table(let table): content = .table(TableState(table))
    case .record(let record): content = .form(FormState(ResultForm.sections(record)))
    case .list(let list):
      content =
        ResultForm.table(list).map { .table(TableState($0)) }
        ?? .page(TextPageState(list.map(\.shortText).joined(separator: "\n")))
    default: content = .page(TextPageState(value.shortText))
    }
  }

  /// Returns the values rendered by the plugin, if it has a renderer for them.
  private func rendered(_ value: Value) -> StyledText? {
    guard let name = value.typeName ?? declaration.output.typeName,
      let renderer = try? navigator.session.plugins.textRenderer(name)
    else { return nil }
    let request = TextRequest(width: max(20, rect.width - 2), colorDepth: .trueColor)
    return try? renderer.render(value, for: request)
  }
}

/// Turns records into forms and lists of records into tables.
private enum ResultForm {
  static func sections(_ record: Record) -> [FormSection] {
    var plain = FormSection("", [])
    var groups: [FormSection] = []
    for field in record.fields {
      if let inner = field.value.record, !inner.isEmpty {
        let fields = inner.fields.map {
          FormSection.Field($0.name, $0.value.shortText, id: field.name + "." + $0.name)
        }
        groups.append(FormSection(field.name, fields))
      } else {
        plain.fields.append(FormSection.Field(field.name, field.value.shortText))
      }
    }
    return (plain.fields.isEmpty ? [] : [plain]) + groups
  }

  /// Returns the table of a list of records; nil if something else is in the list.
  static func table(_ list: [Value]) -> Table? {
    let records = list.compactMap(\.record)
    guard records.count == list.count, let first = records.first else { return nil }
    var names = first.names
    for record in records.dropFirst().prefix(100) { names += record.names.filter { !names.contains($0) } }
    return Table(columns: names.map { name in Table.Column(name, .values(records.map { $0[name] ?? .null })) })
  }
}
