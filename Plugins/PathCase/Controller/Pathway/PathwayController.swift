import PluginAPI
import PluginText

/// The screen of a pathway or file: a toolbar, the content, and the links to other pathways.
///
/// The content is in a ``ContentArea``, which accepts any controller. Pathways visited by links can be revisited one by
/// one.
@MainActor final class PathwayController: Controller {
  static let loading = "load"

  let context: any PluginContext
  let shelf: PathwayShelf
  private(set) var area = ContentArea()
  private(set) var network: ShownNetwork?
  private var state = PathwayState()
  private var visits = PathwayVisits()
  /// Effects of this screen that a content requested; they do not belong to the content.
  private var outbox: [Effect] = []
  /// The change to the history once the requested network has arrived.
  private var pending = Turn.none
  /// The requested network, until it has arrived.
  private var wanted: Wanted
  /// A Boolean value indicating whether the requested network is being opened.
  private var isOpening = false
  private var message = "opening …"
  private var geometry = ScreenGeometry(size: Size(width: 0, height: 0))
  private var hasStarted = false
  /// Counts openings, so that stale responses are recognized.
  private var round = 0
  /// A Boolean value indicating whether details are shown beside the content.
  private var isDetailShown = false

  /// The direction of navigation.
  private enum Turn { case none, onwards, back }

  /// A network to show.
  private struct Wanted {
    var word: String?
    var content: PathwayContent?
    /// The thing to select: a node, or a metabolite.
    var focus: Identifier?
  }

  init(_ request: ScreenRequest, _ context: any PluginContext, _ shelf: PathwayShelf) {
    self.context = context
    self.shelf = shelf
    let arguments = request.arguments
    wanted = Wanted(
      word: arguments["pathway"]?.text ?? arguments["document"]?.text,
      content: arguments["content"]?.text.flatMap(PathwayContent.init(rawValue:)),
      focus: arguments["focus"]?.text.map { Identifier($0) })
  }

  // MARK: What is seen

  var title: String { network?.title ?? wanted.word.map { SanitizedText.line($0) } ?? "Pathway" }
  var wantsText: Bool { area.current?.wantsText ?? false }
  var view: any View { pathwayView }

  private var pathwayView: PathwayView {
    PathwayView(
      title: title, contents: network?.contents ?? [.graph], shown: area.shown,
      note: network == nil ? "" : "p pathways",
      content: area.current?.view ?? NoticeView(title: "", text: message))
  }

  var status: [StyledText.Run] {
    let back = visits.last.map { [StyledText.Run("esc back to \($0.title)", .secondary)] } ?? []
    let graph = area.shown == .graph ? (area.controller(.graph) as? GraphController)?.note : nil
    return [.init(graph ?? "")] + (area.current?.status ?? []) + back
  }

  // MARK: Events

  func handle(_ event: Event) -> [Effect]? {
    switch event {
    case .resize(let geometry): return resize(geometry)
    case .mouse(let mouse): return handle(mouse)
    case .visible(let isVisible):
      if isVisible { isDetailShown = false }
      return inside { $0.handle(event) } ?? []
    case .key(let key): return inside { $0.handle(event) } ?? handle(key)
    default: return inside { $0.handle(event) }
    }
  }

  /// Calls a function with the visible controller; if it ends, the graph replaces it.
  private func inside(_ work: (any Controller) -> [Effect]?) -> [Effect]? {
    area.perform(work).map { taken($0) }
  }

  /// Returns the effects that a content requested, followed by those it requested from this screen.
  private func taken(_ effects: [Effect]) -> [Effect] {
    defer { outbox = [] }
    return effects.flatMap(unwrapped) + outbox
  }

  private func resize(_ geometry: ScreenGeometry) -> [Effect] {
    self.geometry = geometry
    let effects = area.resize(innerGeometry)
    if hasStarted { return effects }
    hasStarted = true
    return effects + load()
  }

  /// The geometry of the content area.
  private var innerGeometry: ScreenGeometry {
    ScreenGeometry(size: PathwayView.area(of: geometry.size).size, pixelsPerCell: geometry.pixelsPerCell)
  }

  private func handle(_ key: Key) -> [Effect]? {
    switch key {
    // With details beside the content, the host uses Tab to reach them.
    case Key(.tab) where !isDetailShown: return choosePathway()
    case Key(.escape), Key(.backspace): return goBack()
    default: return nil
    }
  }

  private func handle(_ mouse: Mouse) -> [Effect]? {
    let rect = PathwayView.area(of: geometry.size)
    if mouse.position.y < rect.y {
      if case .press = mouse.action {
        return pathwayView.content(at: mouse.position, width: geometry.size.width).map(show)
      }
      // A drag that leaves the content ends there too.
      guard mouse.action == .release else { return nil }
    }
    var inner = mouse
    inner.position.y -= rect.y
    return inside { $0.handle(.mouse(inner)) }
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    switch invocation.action {
    case "pathways": return choosePathway()
    case "content": return invocation.arguments["content"]?.text.flatMap(PathwayContent.init(rawValue:)).map(show) ?? []
    case "back": return goBack() ?? []
    default: return performInside(invocation)
    }
  }

  /// Passes an action to the visible controller, as a key if the controller does not know the action.
  private func performInside(_ invocation: ActionInvocation) -> [Effect] {
    if ScenarioController.actions.contains(where: { $0.id == invocation.action }) {
      return show(.scenarios) + (inside { $0.perform(invocation) } ?? [])
    }
    if GraphController.numberActions.contains(where: { $0.id == invocation.action }) {
      return show(.graph) + area.performOnGraph { $0.perform(invocation) }
    }
    if area.shown == .graph || invocation.action == "choose" {
      return inside { $0.perform(invocation) } ?? []
    }
    guard let key = PathwayActions.key(of: invocation) else { return inside { $0.perform(invocation) } ?? [] }
    return handle(.key(key)) ?? []
  }

  func receive(_ message: Message) -> [Effect] {
    switch message {
    case .finished(EffectID(Self.loading, generation: round), let network as ShownNetwork): return take(network)
    case .failed(EffectID(Self.loading, generation: round), let report):
      // A network that cannot be reopened must not block the way to earlier ones.
      if pending == .back { visits.removeLast() }
      (pending, isOpening) = (.none, false)
      self.message = report.description
      return network == nil ? [] : [.status(Diagnostic(telling: report, .error))]
    case .cancelled(EffectID(Self.loading, generation: round)):
      (pending, isOpening) = (.none, false)
      self.message = "opening was cancelled; p shows a pathway"
      return []
    case .returned("pathways", let value), .returned("node", let value): return returned(value)
    default: return taken(area.receive(message)) + visits.areas.flatMap { $0.receive(message) }
    }
  }

  func saveState() -> [UInt8] {
    var state = state
    if let network {
      state.word = network.word
      state.content = area.shown
      if let place = graphPlace { state.keep(place, of: network.word) }
    }
    return state.bytes
  }

  func restore(_ state: [UInt8]) {
    guard let kept = PathwayState(state) else { return }
    self.state = kept
    if wanted.word == nil { wanted = Wanted(word: kept.word, content: kept.content) }
  }

  private var graphPlace: GraphPlace? { (area.controller(.graph) as? GraphController)?.place }

  /// Returns the effects of a content; one that ends is replaced by the graph.
  private func unwrapped(_ effect: Effect) -> [Effect] {
    if case .pop = effect { return show(.graph) }
    return [effect]
  }

  // MARK: Pathways

  /// Opens the requested network, off the main loop.
  private func load() -> [Effect] {
    round += 1
    isOpening = true
    let (shelf, context, word) = (shelf, context, wanted.word)
    return [
      .compute(EffectID(Self.loading, generation: round), label: "opening") { _ in
        try ShownNetwork.open(word, shelf, context)
      }
    ]
  }

  /// Replaces this network by another one.
  private func open(_ word: String, content: PathwayContent? = nil, focus: Identifier? = nil) -> [Effect] {
    if let network, let place = graphPlace { state.keep(place, of: network.word) }
    wanted = Wanted(word: word, content: content, focus: focus)
    return [.cancel(EffectID(Self.loading, generation: round))] + load()
  }

  private func take(_ network: ShownNetwork) -> [Effect] {
    var effects: [Effect] = []
    switch pending {
    case .onwards:
      effects = area.pause() + (self.network.map { visits.append(PathwayVisit(network: $0, area: area)) } ?? [])
    case .back:
      visits.removeLast()
      effects = area.close()
    case .none: effects = area.close()
    }
    (pending, isOpening) = (.none, false)
    self.network = network
    area = ContentArea()
    let wanted = self.wanted
    effects += area.resize(innerGeometry) + show(.graph)
    if let focus = wanted.focus { effects += area.performOnGraph { $0.focus(on: focus) } }
    if let content = wanted.content, content != .graph { effects += show(content) }
    return effects
  }

  private func choosePathway() -> [Effect] {
    var arguments = Record()
    if let word = network?.word { arguments["selected"] = .text(word) }
    return [.present(ScreenRequest("pathways", arguments: arguments))]
  }

  private func returned(_ value: Value) -> [Effect] {
    isDetailShown = false
    if let word = value["open"].text { return follow(word, focus: value["focus"].text.map { Identifier($0) }) }
    guard let subject = value["show"].text else { return [] }
    return show(.graph) + area.performOnGraph { $0.focus(on: Identifier(subject)) }
  }

  /// Opens another pathway and adds this one to the history.
  private func follow(_ word: String, focus: Identifier?) -> [Effect] {
    guard let network else { return open(word, focus: focus) }
    if Identifier(network.word) == Identifier(word) {
      return focus.map { id in show(.graph) + area.performOnGraph { $0.focus(on: id) } } ?? []
    }
    pending = .onwards
    return open(word, content: area.shown, focus: focus)
  }

  /// Cancels an opening in progress; otherwise goes back to the graph, then to the previous pathway.
  ///
  /// - Returns: The effects; nil if there is nothing to go back to.
  private func goBack() -> [Effect]? {
    guard network != nil else { return nil }
    if isOpening {
      let opening = EffectID(Self.loading, generation: round)
      // Its stale responses are discarded.
      round += 1
      (pending, isOpening) = (.none, false)
      return [.cancel(opening)]
    }
    if area.shown != .graph { return show(.graph) }
    guard let last = visits.last else { return nil }
    if let left = last.area { return goBack(to: last, left) }
    pending = .back
    return open(last.word, content: last.content)
  }

  /// Shows a pathway as it was left, with its observations, overlays and moved nodes.
  private func goBack(to visit: PathwayVisit, _ left: ContentArea) -> [Effect] {
    visits.removeLast()
    if let network, let place = graphPlace { state.keep(place, of: network.word) }
    let effects = area.close()
    (network, area) = (visit.network ?? network, left)
    return effects + taken(area.resize(innerGeometry) + area.resume())
  }

  // MARK: Contents

  /// Shows another content of the pathway.
  func show(_ content: PathwayContent) -> [Effect] {
    guard let network, network.contents.contains(content) else { return [] }
    return area.show(content) { makeController(content, network) }
  }

  private func makeController(_ content: PathwayContent, _ network: ShownNetwork) -> any Controller {
    let request = ContentRequest(
      network: network, shelf: shelf, context: context,
      // Stale responses for a pathway that was left must not reach the present one.
      onOverlay: { [weak area] overlay in (area?.controller(.graph) as? GraphController)?.show(overlay) },
      onDetails: { [weak self] subject in
        if let self { outbox += details(of: subject) }
      })
    switch content {
    case .graph:
      let graph = GraphController(request, place: state.place(of: network.word))
      graph.onFollow = { [weak self] word, focus in
        if let self { outbox += follow(word, focus: focus) }
      }
      return graph
    case .scenarios: return ScenarioController(request)
    case .processes, .metabolites, .compartments, .ranges: return TableController(content, request)
    }
  }

  private func details(of subject: Identifier) -> [Effect] {
    guard let network else { return [] }
    isDetailShown = true
    return [
      .detail(
        ScreenRequest("node", arguments: ["network": .text(network.word), "subject": .text(subject.text)]))
    ]
  }
}
