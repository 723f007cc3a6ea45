import PluginAPI

/// The screen that shows the entities below or above an entity as a tree of lines, each entity once.
@MainActor final class EntityTreeController: ListController {
  /// The actions of the screen.
  enum Action: String, CaseIterable { case open, parents, deeper, shallower }

  nonisolated static let description = ScreenDescription(
    "tree", title: "Tree", summary: "Children and parents of an entity",
    actions: [
      ScreenAction(Action.open, "Open the entity"),
      ScreenAction(Action.parents, "Switch between children and parents", keys: ["b"]),
      ScreenAction(Action.deeper, "Show more levels", keys: ["+"]),
      ScreenAction(Action.shallower, "Show fewer levels", keys: ["-"]),
    ])

  /// The largest number of lines of a tree on the screen.
  private nonisolated static let mostLines = 20_000

  var list = ListState()
  private let lab: ScreenLab
  private let id: String
  private let account: String
  private var opened: OpenLab?
  private var lines: [TreeLine] = []
  private var counts: EntityWalk.Counts?
  private var message = "reading …"
  private var depth = 3
  private var isUpward: Bool

  init(_ request: ScreenRequest, _ lab: ScreenLab) {
    self.lab = lab
    id = request.arguments[OpenBISArgument.entity] ?? ""
    account = request.arguments[OpenBISArgument.account] ?? ""
    isUpward = request.arguments[OpenBISArgument.parents] ?? false
  }

  var title: String { isUpward ? "Parents" : "Children" }
  var view: any View { MessageListView(ListView(title, list, action: Action.open.rawValue, emptyText: message)) }

  var status: [StyledText.Run] {
    guard let counts else { return [] }
    let entities = counts.entities == 1 ? "1 entity" : "\(counts.entities) entities"
    let levels = depth == 1 ? "1 level" : "up to \(depth) levels"
    var text = "\(entities), \(levels) · + and - to change"
    if counts.isCut { text = "the first \(lines.count) lines · " + text }
    return [.init(text, .secondary)]
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    guard let action = Action(rawValue: invocation.action) else { return [] }
    switch action {
    case .open: return (invocation.arguments[OpenBISArgument.id] ?? list.selectedID).map(openRow) ?? []
    case .parents: isUpward.toggle()
    case .deeper: depth += 1
    case .shallower:
      if depth == 1 { return [] }
      depth -= 1
    }
    return reload()
  }

  func receive(_ message: Message) -> [Effect] {
    guard case .returned(_, let value) = message, case .open? = ScreenResult(value) else { return [] }
    return [.pop(value)]
  }

  func reload() -> [Effect] {
    let walk = load("walk", "reading the tree") { [lab, opened, account, id, depth, isUpward] progress in
      let opened = if let opened { opened } else { try await lab.open(account) }
      let limits = EntityWalk.Limits(depth: depth, steps: Self.mostLines)
      return try await opened.cache.withGraph(isUpward: isUpward) { graph in
        var (text, lines) = (TreeText(), [TreeLine]())
        let counts = try EntityWalk.from(id, graph, limits: limits) { step in
          if lines.count % 64 == 0 { try progress.checkCancellation() }
          let leadsOn = step.summary.map(EntityListView.leadsOn) ?? false
          lines.append(TreeLine(permID: step.permID, leadsOn: leadsOn, text: text.line(step)))
        }
        return WalkedTree(lab: opened, lines: lines, counts: counts)
      }
    } then: {
      $0.show($1)
    } failed: { controller, failure in
      if case .failed(let report) = failure { controller.message = report.description }
      return []
    }
    return [walk]
  }

  private func show(_ walked: WalkedTree) {
    (opened, lines, counts) = (walked.lab, walked.lines, walked.counts)
    list.rows = walked.lines.enumerated().map { ListRow(id: "\($0.offset)", title: $0.element.text) }
    message = "this id is not in the cache"
  }

  func openRow(_ row: String) -> [Effect] {
    guard let index = Int(row), lines.indices.contains(index), !lines[index].permID.isEmpty else { return [] }
    let line = lines[index]
    if line.leadsOn { return [ScreenResult.open(line.permID).pop] }
    // An entity without a list is shown here, so that keys apply to it alone.
    return [.detail(ScreenRequest("detail", of: line.permID, account: account))]
  }
}

/// A line of a tree, and the id of its entity; "" for none.
private struct TreeLine: Sendable {
  var permID: String
  /// A Boolean value indicating whether there is a list below it.
  var leadsOn: Bool
  var text: String
}

/// A tree that was traversed.
private struct WalkedTree: Sendable {
  var lab: OpenLab
  var lines: [TreeLine]
  var counts: EntityWalk.Counts
}
