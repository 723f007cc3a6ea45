import PluginAPI
import PluginText

/// The screen with the details of a node; its links lead to other nodes and pathways.
@MainActor final class NodeController: Controller {
  private static let reading: EffectID = "read"

  /// The actions of the screen.
  enum Action: String, CaseIterable {
    case choose
    case show
    case copy
  }

  nonisolated static let actions: [ScreenAction] = [
    ScreenAction(Action.choose, "Follow the link, or show the whole text"),
    ScreenAction(Action.show, "Show the node in the graph", keys: ["g"]),
    ScreenAction(Action.copy, "Copy the value", keys: ["y"]),
  ]

  private let context: any PluginContext
  private let shelf: PathwayShelf
  private let word: String
  private var subject: Identifier
  private var details: NodeDetails?
  private var form = FormState()
  private var message = "reading …"
  private var size = Size(width: 0, height: 0)
  /// A Boolean value indicating whether a node is being read; until then the previous node is shown.
  private var isReading = false
  /// The nodes shown before, with the selected field of each, the latest last.
  private var visited: [(details: NodeDetails, subject: Identifier, form: FormState)] = []

  init(_ request: ScreenRequest, _ context: any PluginContext, _ shelf: PathwayShelf) {
    (self.context, self.shelf) = (context, shelf)
    word = request.arguments[PathCaseArgument.network] ?? ""
    subject = request.arguments[PathCaseArgument.subject] ?? Identifier("")
  }

  var title: String { details?.title ?? "Details" }
  var view: any View { FormView(title, form, action: Action.choose.rawValue, emptyText: message) }

  var status: [StyledText.Run] {
    guard let link = selectedField?.link else { return [] }
    switch link {
    case .node: return [.init("enter shows details", .secondary)]
    case .pathway: return [.init("enter opens this pathway", .secondary)]
    }
  }

  // MARK: Events

  func start() -> [Effect] { [read()] }

  func handle(_ event: Event) -> [Effect]? {
    switch event {
    case .resize(let geometry):
      size = geometry.size
      return []
    case .key(Key(.escape)), .key(Key(.backspace)):
      return goBack()
    default: break
    }
    switch form.handle(event, in: Rect(size)) {
    case .changed: return []
    case .chosen(let id): return choose(id)
    case .disclosed, nil: return nil
    @unknown default: return nil
    }
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    guard let action = Action(rawValue: invocation.action) else { return [] }
    switch action {
    case .choose: return (invocation.arguments[PathCaseArgument.id] ?? form.selectedField?.id).map(choose) ?? []
    case .show: return [.pop(["show": .text(subject.text)])]
    case .copy: return selectedField.map { [.copy($0.value)] } ?? []
    }
  }

  /// Shows the previous node as it was left.
  ///
  /// - Returns: The effects; nil if there is no previous node.
  private func goBack() -> [Effect]? {
    guard let before = visited.popLast() else { return nil }
    isReading = false
    (details, subject, form) = (before.details, before.subject, before.form)
    return [.cancel(Self.reading)]
  }

  // MARK: Reading

  private func read() -> Effect {
    isReading = true
    return load(Self.reading, "reading details") { [shelf, context, word, subject] _ in
      let network = try await ShownNetwork.open(word, shelf, context)
      let found =
        network.database.flatMap { NodeDetails(subject, in: $0, pathway: network.pathway) }
        ?? NodeDetails(subject, in: network.graph)
      guard let found else { throw PathwayError.unknownNode(subject.text, known: []) }
      return found
    } then: {
      $0.take($1)
    } failed: {
      $0.fail($1)
    }
  }

  /// Goes back to the previous node if there is one.
  private func fail(_ failure: Load.Failure) -> [Effect] {
    guard isReading else { return [] }
    isReading = false
    message = failure.text(ifCanceled: "reading canceled")
    return goBack() ?? []
  }

  private func take(_ found: NodeDetails) {
    details = found
    isReading = false
    var number = 0
    form = FormState(
      found.sections.map { section in
        FormSection(
          section.heading,
          section.fields.map { field in
            defer { number += 1 }
            return .init(field.label, (field.link == nil ? "" : "› ") + field.value, id: "\(number)")
          })
      })
  }

  private var fields: [NodeDetails.Field] { details?.sections.flatMap(\.fields) ?? [] }
  private var selectedField: NodeDetails.Field? { field(form.selectedField?.id ?? "") }

  private func field(_ id: String) -> NodeDetails.Field? {
    Int(id).flatMap { fields.indices.contains($0) ? fields[$0] : nil }
  }

  private func choose(_ id: String) -> [Effect] {
    guard let field = field(id) else { return [] }
    switch field.link {
    case .node(let other):
      guard let details else { return [] }
      // A new choice replaces one that has not arrived yet.
      if !isReading { visited.append((details, subject, form)) }
      if visited.count > Self.mostVisits { visited.removeFirst() }
      subject = other
      return [read()]
    case .pathway(let pathway, let focus):
      return [.pop(["open": .text(pathway.text), "focus": .text(focus.text)])]
    case nil:
      let text = "\(field.label): \(field.value)"
      return [.push(ScreenRequest("text").with(PathCaseArgument.title, title).with(PathCaseArgument.text, text))]
    }
  }

  private static let mostVisits = 200
}

/// The screen that shows one long text.
@MainActor final class FieldTextController: Controller {
  let title: String
  private var page: TextPageState
  private var size = Size(width: 0, height: 0)

  init(_ request: ScreenRequest) {
    title = SanitizedText.line(request.arguments[PathCaseArgument.title] ?? "Text")
    page = TextPageState(request.arguments[PathCaseArgument.text] ?? "")
  }

  var view: any View { TextPageView(title, page) }
  var wantsText: Bool { page.isSearching }

  func handle(_ event: Event) -> [Effect]? {
    if case .resize(let geometry) = event {
      size = geometry.size
      return []
    }
    return page.handle(event, in: Rect(size)) == nil ? nil : []
  }
}
