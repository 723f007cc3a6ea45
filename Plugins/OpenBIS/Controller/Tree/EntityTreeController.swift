import PluginAPI

/// The screen that shows the entities below or above an entity as a tree of lines, each entity once.
@MainActor final class EntityTreeController: Controller {
  static let walking = "walk"
  /// The largest number of lines of a tree on the screen.
  nonisolated static let mostLines = 20_000

  nonisolated static let actions: [ScreenAction] = [
    ScreenAction("open", "Open the entity"),
    ScreenAction("parents", "Below or above it", keys: ["b"]),
    ScreenAction("deeper", "A level more", keys: ["+"]),
    ScreenAction("shallower", "A level less", keys: ["-"]),
  ]

  private let lab: ScreenLab
  private let id: String
  private let account: String
  private var opened: OpenLab?
  private var list = ListState()
  private var lines: [TreeLine] = []
  private var counts: EntityWalk.Counts?
  private var message = "walking …"
  private var depth = 3
  private var isUpward: Bool
  private var size = Size(width: 0, height: 0)
  private var hasStarted = false
  private var round = 0

  init(_ request: ScreenRequest, _ lab: ScreenLab) {
    self.lab = lab
    id = request.arguments["perm-id"]?.text ?? ""
    account = request.arguments["account"]?.text ?? ""
    isUpward = request.arguments["parents"]?.bool ?? false
  }

  var title: String { isUpward ? "What lists it" : "What is below it" }
  var wantsText: Bool { list.isFiltering }
  var view: any View { ListView(title, list, action: "open", emptyText: message) }

  var status: [StyledText.Run] {
    guard let counts else { return [] }
    let entities = counts.entities == 1 ? "1 entity" : "\(counts.entities) entities"
    let levels = depth == 1 ? "1 level" : "\(depth) levels"
    var text = "\(entities), \(levels) · + and - change that"
    if counts.isCut { text = "the first \(lines.count) lines · " + text }
    return [.init(text, .secondary)]
  }

  func handle(_ event: Event) -> [Effect]? {
    if case .resize(let geometry) = event {
      size = geometry.size
      if hasStarted { return [] }
      hasStarted = true
      return walk()
    }
    switch list.handle(event, in: Rect(size)) {
    case .chosen(let row), .disclosed(let row): return open(row)
    case .changed: return []
    case nil: return nil
    @unknown default: return nil
    }
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    switch invocation.action {
    case "open": return (invocation.arguments["id"]?.text ?? list.selectedID).map(open) ?? []
    case "parents": isUpward.toggle()
    case "deeper": depth += 1
    case "shallower" where depth > 1: depth -= 1
    default: return []
    }
    return walk()
  }

  func receive(_ message: Message) -> [Effect] {
    switch message {
    case .finished(current, let walked as WalkedTree):
      (opened, lines, counts) = (walked.lab, walked.lines, walked.counts)
      list.rows = walked.lines.enumerated().map { ListRow(id: "\($0.offset)", title: $0.element.text) }
      self.message = "nothing is kept under this id"
    case .failed(current, let report): self.message = report.description
    case .returned(_, let value): return value["open"].text == nil ? [] : [.pop(value)]
    default: break
    }
    return []
  }

  private var current: EffectID { EffectID(Self.walking, generation: round) }

  private func walk() -> [Effect] {
    let before = current
    round += 1
    let (lab, known, account, id) = (lab, opened, account, id)
    let (depth, isUpward) = (depth, isUpward)
    return [
      .cancel(before),
      .compute(current, label: "walking") { progress in
        let opened = try known ?? lab.open(account)
        var (text, lines) = (TreeText(), [TreeLine]())
        let limits = EntityWalk.Limits(depth: depth, steps: Self.mostLines)
        let counts = try EntityWalk.from(id, opened.reading.graph(isUpward: isUpward), limits: limits) { step in
          if lines.count % 64 == 0 { try progress.checkCancellation() }
          let leadsOn = step.summary.map(EntityListView.leadsOn) ?? false
          lines.append(TreeLine(permID: step.permID, leadsOn: leadsOn, text: text.line(step)))
        }
        return WalkedTree(lab: opened, lines: lines, counts: counts)
      },
    ]
  }

  private func open(_ row: String) -> [Effect] {
    guard let index = Int(row), lines.indices.contains(index), !lines[index].permID.isEmpty else { return [] }
    let line = lines[index]
    if line.leadsOn { return [.pop(["open": .text(line.permID)])] }
    // An entity without a list is shown here, so that keys apply to it alone.
    let arguments: Record = ["perm-id": .text(line.permID), "account": .text(account)]
    return [.detail(ScreenRequest("detail", arguments: arguments))]
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

extension EntityReading {
  /// Returns the cache as a graph to traverse.
  func graph(isUpward: Bool) -> GraphReading {
    GraphReading { id in
      isUpward ? PackedTexts(try parentsAndWait(of: id).map(\.permID)) : try childIDsAndWait(of: id)
    } summaries: { ids in
      try summariesAndWait(ids)
    }
  }
}
