import PluginAPI
import PluginText

/// The picture of a network, with panning, zoom and search; nodes can be selected and lead to their details and to
/// pathways.
@MainActor final class GraphController: Controller {
  static let layingOut = "lay-out"
  static let drawing = "draw"
  static let saving: EffectID = "save"
  static let forgetting: EffectID = "forget"
  static let forgettingAsked: EffectID = "forget-asked"
  static let forgettingChoice = "forget"

  let request: ContentRequest
  /// The network shown; read again when its own layout was deleted.
  var network: ShownNetwork
  /// Opens another pathway by its id, with one of its parts in view.
  var onFollow: (_ pathway: String, _ focus: Identifier?) -> Void = { _, _ in }
  var state: GraphState
  /// The graph as laid out: with busy molecules marked as common if they are hidden.
  var graph: ReactionGraph
  var layout: GraphLayout?
  var words: GraphWords?
  /// The cached pictures of this layout.
  var pictures: [GraphPictureKey: GraphPicture] = [:]
  /// Counts layouts, so that stale ones are recognized.
  var round = 0
  /// Counts the layouts shown, so that pictures of an earlier one are recognized.
  var edition = 0
  /// The treatment of common molecules in the layout shown; nil before there is one.
  var shownCommon: CommonChoice?
  var isBusyOffered = false
  /// A Boolean value indicating whether stored positions are ignored.
  var ignoresFrozen = false
  /// A Boolean value indicating whether the user has a layout of this pathway.
  var hasOwnLayout: Bool
  /// The graph with the positions of nodes moved by hand; nil if none was moved.
  var movedGraph: ReactionGraph?
  /// A Boolean value indicating whether a node was moved since the layout was stored or computed.
  var isMoved = false
  private var hasStarted = false
  private var wantedFocus: Identifier?
  /// The point from which the mouse is dragging.
  private var drag: Point?
  /// The overlays shown so far, each once.
  private var overlays: [GraphOverlay] = []

  init(_ request: ContentRequest, place: GraphPlace?) {
    self.request = request
    network = request.network
    graph = request.network.graph
    hasOwnLayout = request.network.hasOwnLayout
    state = GraphState(place ?? GraphPlace())
    state.message = "laying out …"
  }

  // MARK: What is seen

  var title: String { "Graph" }
  var wantsText: Bool { state.find.isTyping }
  var view: any View { GraphView(title: title, state: state, about: about) }
  var place: GraphPlace { state.place }

  /// The description of the graph in the toolbar.
  var note: String {
    var parts = [state.place.zoom.title]
    if isMoved {
      parts.append("moved, S keeps it")
    } else if layout?.isFrozen == true {
      parts.append(hasOwnLayout ? "own layout" : "stored layout")
    }
    if layout?.isCoarse == true { parts.append("rough") }
    let hidden = graph.nodes.count(where: \.isCommon)
    if hidden > 0 { parts.append(state.place.common == .beside ? "common shown" : "\(hidden) common hidden") }
    return parts.joined(separator: " · ")
  }

  private var about: String {
    guard let node = state.selectedNode else {
      return state.picture == nil ? "" : "shift-arrows select a node · enter tells about it · / finds"
    }
    // Boxes have room for the values of an overlay only at the closest zoom.
    let mark = state.selected.flatMap { state.marks?.places[$0] }.map { [$0.label, $0.value] } ?? []
    let told = mark.filter { !$0.isEmpty }.joined(separator: " ")
    return (told.isEmpty ? "" : told + " · ") + GraphNodeText.line(node, graph, network.database)
  }

  // MARK: Events

  func handle(_ event: Event) -> [Effect]? {
    switch event {
    case .resize(let geometry): return resize(geometry.size)
    case .key(let key): return handle(key)
    case .paste where state.find.isTyping: return type(event)
    case .mouse(let mouse): return handle(mouse)
    default: return nil
    }
  }

  private func resize(_ size: Size) -> [Effect] {
    resize(to: size)
    if hasStarted { return [] }
    hasStarted = true
    return layOut()
  }

  /// Resizes the view around its center, or returns it to the start if it was there; something always stays in view.
  private func resize(to size: Size) {
    let (before, isAtStart) = (state.window, state.isAtStart)
    state.size = size
    guard before.width > 0, before.height > 0, let origin = state.place.origin else { return }
    state.place.origin = Point(
      x: origin.x + (before.width - state.window.width) / 2, y: origin.y + (before.height - state.window.height) / 2)
    state.clamp()
    if let selected = state.selected {
      state.reveal(selected)
    } else if isAtStart {
      state.goToStart()
    }
    state.revealSomething()
  }

  private func handle(_ key: Key) -> [Effect]? {
    if state.find.isTyping { return handleFinding(key) }
    if key == Key(.escape) {
      if state.find.isActive {
        state.find.end()
        return []
      }
      return nil
    }
    return nil
  }

  private func handleFinding(_ key: Key) -> [Effect]? {
    switch key {
    case Key(.escape): state.find.end()
    case Key(.enter):
      state.find.isTyping = false
      if !state.find.isActive { state.find.end() }
    case Key(.backspace) where state.find.line.text.isEmpty: state.find.end()
    case Key(.down): state.step(1)
    case Key(.up): state.step(-1)
    default: return type(.key(key))
    }
    return []
  }

  private func type(_ event: Event) -> [Effect]? {
    let before = state.find.line.text
    guard state.find.line.handle(event) else { return nil }
    if state.find.line.text != before {
      state.find.update(state.picture)
      let isOnFound = state.selected.flatMap { index in
        state.picture.map { state.find.nodes.contains($0.layout.places[index].node) }
      }
      if isOnFound != true { state.step(1) }
    }
    return []
  }

  private func handle(_ mouse: Mouse) -> [Effect]? {
    switch mouse.action {
    case .scroll(let rows):
      if mouse.modifiers.contains(.control) { return zoom(by: rows < 0 ? 1 : -1) }
      mouse.modifiers.contains(.shift) ? state.pan(x: 6 * rows, y: 0) : state.pan(x: 0, y: 3 * rows)
    case .press(let clicks) where mouse.button == .left:
      drag = mouse.position
      guard let index = state.placeIndex(at: mouse.position) else { return [] }
      state.select(index)
      if clicks >= 2 { return tell() }
    case .drag:
      // A drag that did not begin in the picture does not move it.
      guard let from = drag else { return [] }
      state.pan(x: from.x - mouse.position.x, y: from.y - mouse.position.y)
      drag = mouse.position
    case .release: drag = nil
    default: return nil
    }
    return []
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    let step = invocation.arguments["step"]?.integer ?? 1
    let direction = invocation.arguments["direction"]?.text.flatMap(GraphState.Direction.init(rawValue:))
    switch invocation.action {
    case "pan": if let direction { pan(direction, isPage: invocation.arguments["page"]?.bool ?? false) }
    case "select": if let direction { state.selectNext(direction) }
    case "zoom": return zoom(by: step)
    case "fit": return fit()
    case "find": if state.picture != nil { state.find.isTyping = true }
    case "next": state.step(step)
    case "details": return tell(invocation.arguments["subject"]?.text.map { Identifier($0) })
    case "common": return changeCommon()
    case "overlay": nextOverlay()
    case "no-overlay": state.show(nil)
    case "overlay-file": return askNumbers()
    case "overlay-fluxes": return layBestFluxes()
    case "move": return direction.map(move) ?? []
    case "save-layout": return saveLayout()
    case "forget-layout": return askForgetting()
    case "lay-out": return layOutAnew()
    case "ascii": return changeCharacters()
    case "copy": return state.selectedNode.map { [.copy($0.subject.text)] } ?? []
    default: break
    }
    return []
  }

  private func pan(_ direction: GraphState.Direction, isPage: Bool) {
    let step = direction.step
    let window = state.window
    let (columns, rows) = isPage ? (max(1, window.width - 8), max(1, window.height - 2)) : (6, 3)
    state.pan(x: step.x * columns, y: step.y * rows)
  }

  /// Opens the pathway that a node represents; shows the details of any other node.
  func tell(_ subject: Identifier? = nil) -> [Effect] {
    let node = subject.flatMap { id in graph.nodes.first { $0.subject == id } } ?? state.selectedNode
    guard let node else {
      return [
        .status(Diagnostic(.note, code: "pathcase.nothing-selected", "no node is selected; shift-arrows select one"))
      ]
    }
    if node.kind == .pathway, network.database?.index.pathways[node.subject] != nil {
      onFollow(node.subject.text, linkedSubject(of: node))
      return []
    }
    request.onDetails(node.subject)
    return []
  }

  /// Returns the pool through which a link leads.
  private func linkedSubject(of node: GraphNode) -> Identifier? {
    guard let index = graph.nodes.firstIndex(of: node) else { return nil }
    return graph.edges.first { $0.target == index && $0.kind == .association }.map { graph.nodes[$0.source].subject }
  }

  // MARK: From outside

  /// Shows an overlay on the graph, or removes it.
  func show(_ overlay: GraphOverlay?) {
    if let overlay {
      overlays.removeAll { $0.title == overlay.title }
      overlays.append(overlay)
      overlays.removeFirst(max(0, overlays.count - 9))
    }
    state.show(overlay)
  }

  private func nextOverlay() {
    guard !overlays.isEmpty else { return }
    let current = overlays.firstIndex { $0 == state.overlay }
    let next = current.map { $0 + 1 } ?? 0
    state.show(next < overlays.count ? overlays[next] : nil)
  }

  /// Centers a node, by the id of the thing it represents or of its metabolite, as soon as there is a picture.
  func focus(on id: Identifier) -> [Effect] {
    guard state.picture != nil else {
      wantedFocus = id
      return []
    }
    let database = network.database
    func isMeant(_ node: GraphNode) -> Bool {
      if node.subject == id { return true }
      guard let database, let pool = database.index.pools[node.subject] else { return false }
      return database.metabolites[database.links.poolMetabolites[pool]].id == id
    }
    if state.focus(where: isMeant) { return [] }
    let name = "'\(database?.shownName(of: id) ?? SanitizedText.line(id.text))'"
    // A node that is in the graph but not in the picture is hidden.
    let isHidden = graph.nodes.contains(where: isMeant)
    return [
      .status(
        Diagnostic(
          .note, code: "pathcase.not-drawn",
          isHidden ? "\(name) is hidden as a common molecule" : "\(name) takes no part in what is drawn here",
          advice: isHidden ? "c shows it" : nil))
    ]
  }

  /// Focuses on the node that was requested before there was a picture.
  func focusWanted() -> [Effect] {
    guard let id = wantedFocus else { return [] }
    wantedFocus = nil
    return focus(on: id)
  }

  func receive(_ message: Message) -> [Effect] { receiveFromWork(message) }
}
