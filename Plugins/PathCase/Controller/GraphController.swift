import PluginAPI
import PluginText

/// The picture of a network, with panning, zoom and search; nodes can be selected and lead to their details and to
/// pathways.
@MainActor final class GraphController: ContentController {
  private let request: ContentRequest
  private let shelf: PathwayShelf
  private let context: any PluginContext
  private let layingOut: EffectID
  private let drawing: EffectID
  /// The network shown; read again when its own layout was deleted or changed.
  private var network: ShownNetwork
  private var state: GraphState
  /// The graph as laid out: with busy molecules marked as common if they are hidden.
  private var graph: ReactionGraph
  private var positions = GraphPositions.stored
  private var layoutWork = LayoutWork.none
  /// The cached pictures of this layout.
  private var pictures: [GraphPicture.Key: GraphPicture] = [:]
  /// The treatment of common molecules in the layout shown; nil before there is one.
  private var shownCommon: CommonChoice?
  private var isBusyOffered = false
  private var wantedFocus: Identifier?
  /// The point from which the mouse is dragging.
  private var drag: Point?
  /// The overlays shown so far, each once.
  private var overlays: [GraphOverlay] = []

  /// The computation of a layout.
  private enum LayoutWork {
    case none, running
    /// It was canceled because another pathway is shown.
    case interrupted
  }

  init(_ request: ContentRequest, place: GraphPlace?) {
    (self.request, shelf, context) = (request, request.shelf, request.context)
    (layingOut, drawing) = (request.id("lay-out"), request.id("draw"))
    network = request.network
    graph = request.network.graph
    state = GraphState(place ?? GraphPlace())
    state.message = "laying out …"
  }

  // MARK: What is seen

  var title: String { "Graph" }
  var wantsText: Bool { state.find.isTyping }
  var view: any View { GraphView(title: title, state: state, about: about) }
  var status: [StyledText.Run] { [.init(note)] }
  /// The view of the graph, for the next visit.
  var place: GraphPlace { state.place }
  private var layout: GraphLayout? { state.picture?.layout }

  /// The description of the graph in the status line.
  private var note: String {
    var parts = [state.place.zoom.title]
    if positions.hasUnkeptMoves {
      parts.append("moved; S saves it")
    } else if layout?.isFrozen == true {
      parts.append(network.layoutVersion == nil ? "stored layout" : "own layout")
    }
    if layout?.isCoarse == true { parts.append("approximate layout") }
    let hidden = graph.nodes.count(where: \.isCommon)
    if hidden > 0 { parts.append(state.place.common == .beside ? "common shown" : "\(hidden) common hidden") }
    return parts.joined(separator: " · ")
  }

  private var about: String {
    guard let node = state.selectedNode else {
      return state.picture == nil ? "" : "shift-arrows select a node · enter shows details · / finds"
    }
    // Boxes have room for the values of an overlay only at the closest zoom.
    let mark = state.selected.flatMap { state.marks?.places[$0] }.map { [$0.label, $0.value] } ?? []
    let values = mark.filter { !$0.isEmpty }.joined(separator: " ")
    return (values.isEmpty ? "" : values + " · ") + GraphNodeText.line(node, graph, network.database)
  }

  // MARK: Events

  func start() -> [Effect] { layOut() }

  func handle(_ event: Event) -> [Effect]? {
    switch event {
    case .resize(let geometry):
      state.resize(to: geometry.size)
      return []
    case .key, .paste: return state.handleFind(event) ? [] : nil
    case .mouse(let mouse): return handle(mouse)
    default: return nil
    }
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
    guard let action = GraphAction(rawValue: invocation.action) else { return [] }
    let step = invocation.arguments[PathCaseArgument.step] ?? 1
    let direction = invocation.arguments[PathCaseArgument.direction]
    switch action {
    case .pan: if let direction { state.pan(direction, isPage: invocation.arguments[PathCaseArgument.page] ?? false) }
    case .select: if let direction { state.selectNext(direction) }
    case .zoom: return zoom(by: step)
    case .fit: return fit()
    case .find: if state.picture != nil { state.find.isTyping = true }
    case .next: state.step(step)
    case .details: return tell(invocation.arguments[PathCaseArgument.subject])
    case .common: return changeCommon()
    case .overlay: nextOverlay()
    case .noOverlay: state.show(nil)
    case .overlayFile: return askNumbers()
    case .overlayFluxes: return layBestFluxes()
    case .move: return direction.map(move) ?? []
    case .saveLayout: return saveLayout()
    case .forgetLayout: return askForgetting()
    case .layOut: return layOutAnew()
    case .ascii: return changeCharacters()
    case .copy: return state.selectedNode.map { [.copy($0.subject.text)] } ?? []
    }
    return []
  }

  /// Opens the pathway that a node represents; shows the details of any other node.
  private func tell(_ subject: Identifier? = nil) -> [Effect] {
    let node = subject.flatMap { id in graph.nodes.first { $0.subject == id } } ?? state.selectedNode
    guard let node else {
      return [.note("pathcase.nothing-selected", "no node is selected; shift-arrows select one")]
    }
    if node.kind == .pathway, network.database?.index.pathways[node.subject] != nil {
      return request.onFollow(node.subject.text, linkedSubject(of: node))
    }
    return request.onDetails(node.subject)
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
      .note(
        "pathcase.not-drawn",
        isHidden ? "\(name) is hidden as a common molecule" : "\(name) is not in this drawing",
        advice: isHidden ? "c shows it" : nil)
    ]
  }

  /// Focuses on the node that was requested before there was a picture.
  private func focusWanted() -> [Effect] {
    guard let id = wantedFocus else { return [] }
    wantedFocus = nil
    return focus(on: id)
  }

  // MARK: Layout

  /// Lays out the graph; the present picture stays until that is done.
  private func layOut() -> [Effect] {
    layoutWork = .running
    graph = positions.graph(of: network.graph)
    if state.place.common != .hidden { for node in network.graph.busyPools { graph.nodes[node].isCommon = true } }
    var options = LayoutOptions()
    options.common = state.place.common == .beside ? .beside : .hidden
    // Without common molecules, earlier positions are ignored, so that the network comes back as it was.
    if state.place.common != .hidden { options.earlier = earlierPlaces }
    state.message = "laying out \(ShownText.count(graph.nodes.count, "node")) …"
    let known = state.picture.flatMap { $0.words.count == graph.nodes.count ? $0.words : nil }
    let work = compute(layingOut, "laying out") {
      [graph, options, key = state.place.pictureKey, database = network.database] progress in
      let layout = LayeredLayout.layout(graph, options: options) { progress.isCancelled }
      try progress.checkCancellation()
      let words = known ?? GraphWords(graph) { GraphNodeText.aliases($0, database) }
      return GraphPicture(graph, layout, zoom: key.zoom, isASCII: key.isASCII, words: words)
    } then: {
      $0.take(laidOut: $1)
    } failed: { controller, _ in
      controller.layoutCanceled()
    }
    return [.cancel(drawing), work]
  }

  /// The previous positions of nodes, which are kept as far as possible.
  private var earlierPlaces: [Identifier: GraphFrame] {
    guard let picture = state.picture else { return [:] }
    return Dictionary(
      picture.layout.places.map { (picture.graph.nodes[$0.node].id, $0.frame) }, uniquingKeysWith: { first, _ in first }
    )
  }

  private func take(laidOut picture: GraphPicture) -> [Effect] {
    layoutWork = .none
    shownCommon = state.place.common
    // The picture shown always belongs to the current layout, even if its zoom is no longer the requested one.
    pictures = [picture.key: picture]
    state.show(picture)
    state.message = emptyNote
    // Another zoom was requested in the meantime.
    let redraw = picture.key == state.place.pictureKey ? [] : draw()
    return [.cancel(drawing)] + redraw + focusWanted() + offerToHide()
  }

  private var emptyNote: String {
    if graph.nodes.isEmpty { return "the network has nothing to draw" }
    return layout?.places.isEmpty == true ? "it has only common molecules; c shows them" : ""
  }

  /// Keeps the present picture after a canceled layout.
  private func layoutCanceled() -> [Effect] {
    if layoutWork == .running { layoutWork = .none }
    state.message = state.picture == nil ? "layout canceled; r starts it again" : ""
    state.place.common = shownCommon ?? state.place.common
    if let picture = state.picture { graph = picture.graph }
    return []
  }

  func pause() -> [Effect] {
    if layoutWork == .running { layoutWork = .interrupted }
    return [.cancel(layingOut), .cancel(drawing)]
  }

  func resume() -> [Effect] {
    if layoutWork == .interrupted { return layOut() }
    return state.picture.map { $0.key == state.place.pictureKey ? [] : draw() } ?? []
  }

  // MARK: Drawing

  private func zoom(by step: Int) -> [Effect] {
    GraphZoom(rawValue: state.place.zoom.rawValue + step).map(show) ?? []
  }

  private func show(_ zoom: GraphZoom) -> [Effect] {
    state.place.zoom = zoom
    return draw()
  }

  private func changeCharacters() -> [Effect] {
    state.place.isASCII.toggle()
    return draw()
  }

  /// Shows the picture for the requested zoom, drawing it first if necessary.
  private func draw() -> [Effect] {
    // While another layout is being computed, the graph of the present one is used.
    guard let shown = state.picture else { return [] }
    let key = state.place.pictureKey
    if let picture = pictures[key] {
      state.show(picture)
      return [.cancel(drawing)]
    }
    return [
      compute(drawing, "drawing") { _ in
        shown.redrawn(key)
      } then: {
        $0.take(drawn: $1)
      }
    ]
  }

  private func take(drawn picture: GraphPicture) {
    pictures[picture.key] = picture
    if picture.key == state.place.pictureKey { state.show(picture) }
  }

  /// Shows the whole graph at the closest zoom that fits.
  private func fit() -> [Effect] {
    guard let shown = state.picture else { return show(.map) }
    let count = shown.layout.places.count
    // A box takes at least one cell, so a drawing that cannot fit is not tried.
    guard count <= state.window.width * state.window.height else { return show(.map) }
    for zoom in GraphZoom.allCases.reversed() where zoom != .map {
      let key = GraphPicture.Key(zoom: zoom, isASCII: state.place.isASCII)
      guard let picture = pictures[key] ?? (count <= Self.mostMeasured ? shown.redrawn(key) : nil) else { continue }
      pictures[key] = picture
      if state.fits(picture) { return show(zoom) }
    }
    return show(.map)
  }

  /// The maximum number of nodes in pictures that are drawn at once to see whether they fit.
  private static let mostMeasured = 400

  // MARK: Common molecules

  /// Hides common molecules, then also busy ones if there are any, then shows all.
  private func changeCommon() -> [Effect] {
    let hasBusy = !network.graph.busyPools.isEmpty
    guard hasBusy || network.graph.nodes.contains(where: \.isCommon) else {
      return [.note("pathcase.no-common", "there are no common molecules here")]
    }
    switch state.place.common {
    case .hidden: state.place.common = hasBusy ? .hiddenWithBusy : .beside
    case .hiddenWithBusy: state.place.common = .beside
    case .beside: state.place.common = .hidden
    }
    return layOut()
  }

  private func offerToHide() -> [Effect] {
    guard !isBusyOffered, state.place.common == .hidden else { return [] }
    let count = network.graph.busyPools.count
    guard count > 0 else { return [] }
    isBusyOffered = true
    // They may be out of sight, so the message gives their number rather than a name.
    return [
      .note(
        "pathcase.busy-pool",
        "\(ShownText.count(count, "metabolite")) \(count == 1 ? "takes" : "take") part in \(ReactionGraph.busyFrom) "
          + "processes or more", advice: "c hides \(count == 1 ? "it" : "them")")
    ]
  }

  // MARK: Numbers

  private func askNumbers() -> [Effect] {
    [
      ask(PromptRequest("Path of a JSON, CSV or TSV file with fluxes or levels")) {
        $0.layNumbers(ofFile: $1.trimmed())
      }
    ]
  }

  private func layNumbers(ofFile path: String) -> [Effect] {
    if path.isEmpty { return [] }
    let reading = compute(request.id("numbers"), "reading numbers") { [graph = network.graph] _ in
      try OverlayNumbers.file(path, over: graph, title: ShownText.fileName(path))
    } then: {
      $0.take($1)
    }
    return [reading]
  }

  private func layBestFluxes() -> [Effect] {
    let finding = compute(request.id("numbers"), "finding the optimal fluxes") { [opened = network.opened] _ in
      try OverlayNumbers.bestFluxes(of: opened)
    } then: {
      $0.take($1)
    }
    return [finding]
  }

  private func take(_ numbers: OverlayNumbers) -> [Effect] {
    show(numbers.overlay)
    return numbers.warning.map { [.status($0)] } ?? []
  }

  // MARK: The user's own layout

  /// Moves the selected node by hand.
  private func move(_ direction: GraphState.Direction) -> [Effect] {
    guard let selected = state.selected, let picture = state.picture else { return tell() }
    positions = .moved(picture.moving(selected, direction), isKept: false)
    return layOut()
  }

  /// Lays out the graph and ignores stored positions.
  private func layOutAnew() -> [Effect] {
    positions = .computed
    state.place.origin = nil
    return layOut()
  }

  private func saveLayout() -> [Effect] {
    guard let picture = state.picture, case .pathway(let index, let database) = network.opened else {
      return [.note(Self.layoutKept, "only layouts of pathways in the database can be saved")]
    }
    var frozen = FrozenLayout(picture.layout, of: picture.graph, pathway: database.pathways[index].id)
    frozen.version = network.layoutVersion
    return save(frozen)
  }

  private func save(_ layout: FrozenLayout) -> [Effect] {
    let saving = load(request.id("save"), "saving the layout") { [shelf, context] _ in
      try await shelf.keep(layout, context)
    } then: { controller, kept in
      kept.isKept ? controller.saved(kept.item) : controller.askToReplace(with: kept.item)
    }
    return [saving]
  }

  /// Asks whether to replace a layout that another user or program stored since the network was read.
  private func askToReplace(with layout: FrozenLayout) -> [Effect] {
    let choices: [ChoiceRequest.Choice] = [
      .init(id: "keep", title: "Keep", detail: "your layout is not saved"),
      .init(id: "replace", title: "Replace", detail: "the other layout is lost"),
    ]
    let question = ChoiceRequest(
      "Another user or program changed the layout in the meantime. Replace it?", choices: choices, selected: "keep",
      isDestructive: true)
    return [choose(question) { $1 == "replace" ? $0.save(layout) : [] }]
  }

  private func saved(_ layout: FrozenLayout) -> [Effect] {
    network.layoutVersion = layout.version
    if case .moved(let graph, _) = positions { positions = .moved(graph, isKept: true) }
    return [
      .note(Self.layoutKept, "saved the layout; updates keep it", advice: "x deletes it")
    ]
  }

  /// Asks for confirmation before work is lost that cannot be recovered.
  private func askForgetting() -> [Effect] {
    guard network.layoutVersion != nil else { return [.note(Self.layoutKept, "you have no layout of your own")] }
    let choices: [ChoiceRequest.Choice] = [
      .init(id: "keep", title: "Keep"),
      .init(id: "forget", title: "Delete", detail: "return to the layout of the database, or to a computed one"),
    ]
    let question = ChoiceRequest(
      "Delete your own layout? This cannot be undone.", choices: choices, selected: "keep", isDestructive: true)
    return [choose(question) { $1 == "forget" ? $0.forgetLayout() : [] }]
  }

  private func forgetLayout() -> [Effect] {
    guard case .pathway(let index, let database) = network.opened else { return [] }
    let id = database.pathways[index].id
    let version = network.layoutVersion
    let forgetting = load(request.id("forget"), "deleting the layout") { [shelf, context] _ in
      try await shelf.forgetLayout(of: id, version: version, context)
      return try await ShownNetwork.open(id.text, shelf, context)
    } then: {
      $0.forgot($1)
    }
    return [forgetting]
  }

  private func forgot(_ network: ShownNetwork) -> [Effect] {
    [.note(Self.layoutKept, "deleted your own layout")] + replace(by: network)
  }

  private func replace(by network: ShownNetwork) -> [Effect] {
    self.network = network
    positions = .stored
    state.place.origin = nil
    return layOut()
  }

  /// Shows the layout that another user or program stored meanwhile, unless this one was changed.
  func refresh() -> [Effect] {
    guard network.pathway != nil, positions.areKept else { return [] }
    let reading = load(request.id("refresh"), "reading the layout") { [shelf, context, word = network.word] _ in
      // A pathway that another database does not have stays as it is.
      try? await ShownNetwork.open(word, shelf, context)
    } then: {
      $0.refreshed($1)
    }
    return [reading]
  }

  private func refreshed(_ network: ShownNetwork?) -> [Effect] {
    // The user may have moved nodes or saved the layout while it was read.
    guard let network, network.layoutVersion != self.network.layoutVersion, positions.areKept else { return [] }
    return replace(by: network)
  }

  private static let layoutKept = "pathcase.layout-kept"
}
