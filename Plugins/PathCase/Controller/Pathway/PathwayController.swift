import PluginAPI
import PluginText

/// The screen of a pathway or file: a toolbar, the content, and the links to other pathways.
///
/// The network and its contents are in a ``ContentArea``. Pathways visited by links can be revisited one by one.
@MainActor final class PathwayController: Controller {
  private static let opening: EffectID = "open"

  private let context: any PluginContext
  private let shelf: PathwayShelf
  /// The network shown, with its contents; nil until the first one is opened.
  private(set) var area: ContentArea?
  private var state = PathwayState()
  private var visits = PathwayVisits()
  /// The number of networks shown so far.
  private var visitCount = 0
  /// The network requested last.
  private var wanted: Wanted
  /// A Boolean value indicating whether the requested network is being opened.
  private var isOpening = false
  private var message = "opening …"
  private var geometry = ScreenGeometry(size: Size(width: 0, height: 0))
  /// A Boolean value indicating whether details are shown beside the content.
  private var isDetailShown = false

  /// A network to show.
  private struct Wanted: Equatable {
    /// The change to the history once the network has arrived.
    enum Turn { case none, onwards, back }

    var word: String?
    var content: PathwayContent?
    /// The thing to select: a node, or a metabolite.
    var focus: Identifier?
    var turn = Turn.none
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

  var title: String { area?.network.title ?? wanted.word.map { SanitizedText.line($0) } ?? "Pathway" }
  var wantsText: Bool { area?.current.wantsText ?? false }
  var view: any View { pathwayView }

  private var pathwayView: PathwayView {
    PathwayView(
      title: title, contents: area?.network.contents ?? [.graph], shown: area?.shown ?? .graph,
      note: area == nil ? "" : "p pathways", content: area?.current.view ?? NoticeView(title: "", text: message))
  }

  var status: [StyledText.Run] {
    let back = visits.last.map { [StyledText.Run("esc back to \($0.title)", .secondary)] } ?? []
    let graph = area.map { $0.shown == .graph ? $0.graph.note : "" } ?? ""
    return [.init(graph)] + (area?.current.status ?? []) + back
  }

  // MARK: Events

  func start() -> [Effect] { [open(wanted)] }

  func handle(_ event: Event) -> [Effect]? {
    switch event {
    case .resize(let geometry):
      self.geometry = geometry
      return area?.resize(innerGeometry) ?? []
    case .mouse(let mouse): return handle(mouse)
    case .visible(let isVisible):
      if isVisible { isDetailShown = false }
      return area?.current.handle(event) ?? []
    case .key(let key): return area?.current.handle(event) ?? handle(key)
    default: return area?.current.handle(event)
    }
  }

  /// The geometry of the content area.
  private var innerGeometry: ScreenGeometry {
    ScreenGeometry(size: PathwayView.area(of: geometry.size).size, pixelsPerCell: geometry.pixelsPerCell)
  }

  private func handle(_ key: Key) -> [Effect]? {
    switch key {
    // With details beside the content, the host uses Tab to reach them.
    case Key(.tab) where !isDetailShown: choosePathway()
    case Key(.escape), Key(.backspace): goBack()
    default: nil
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
    return area?.current.handle(.mouse(inner))
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    switch invocation.action {
    case "pathways": return choosePathway()
    case "content": return invocation.arguments["content"]?.text.flatMap(PathwayContent.init(rawValue:)).map(show) ?? []
    case "back": return goBack() ?? []
    default: return area.map { perform(invocation, in: $0) } ?? []
    }
  }

  /// Passes an action to the visible controller, as a key if the controller does not know the action.
  private func perform(_ invocation: ActionInvocation, in area: ContentArea) -> [Effect] {
    if PathwayActions.scenarios.contains(where: { $0.id == invocation.action }) {
      return area.show(.scenarios) + area.current.perform(invocation)
    }
    if PathwayActions.numbers.contains(where: { $0.id == invocation.action }) {
      return area.show(.graph) + area.graph.perform(invocation)
    }
    guard area.shown != .graph, invocation.action != "choose", let key = PathwayActions.key(of: invocation) else {
      return area.current.perform(invocation)
    }
    return handle(.key(key)) ?? []
  }

  func receive(_ message: Message) -> [Effect] {
    switch message {
    case .returned("pathways", let value), .returned("node", let value): returned(value)
    default: []
    }
  }

  func saveState() -> [UInt8] {
    var state = state
    if let area {
      state.word = area.network.word
      state.content = area.shown
      state.keep(area.graph.place, of: area.network.word)
    }
    return state.bytes
  }

  func restore(_ state: [UInt8]) {
    guard let kept = PathwayState(state) else { return }
    self.state = kept
    if wanted.word == nil { wanted = Wanted(word: kept.word, content: kept.content) }
  }

  // MARK: Pathways

  /// Replaces this network by another one as soon as that is opened.
  private func open(_ wanted: Wanted) -> Effect {
    keepPlace()
    self.wanted = wanted
    isOpening = true
    return load(Self.opening, "opening") { [shelf, context] _ in
      try await ShownNetwork.open(wanted.word, shelf, context)
    } then: {
      $0.show($1, as: wanted)
    } failed: {
      $0.fail($1, to: wanted)
    }
  }

  /// Remembers the view of the present graph.
  private func keepPlace() {
    if let area { state.keep(area.graph.place, of: area.network.word) }
  }

  private func show(_ network: ShownNetwork, as wanted: Wanted) -> [Effect] {
    isOpening = false
    var effects = area?.pause() ?? []
    switch wanted.turn {
    case .onwards: if let area { effects += visits.append(PathwayVisit(area)) }
    case .back: visits.removeLast()
    case .none: break
    }
    visitCount += 1
    let request = ContentRequest(
      network: network, shelf: shelf, context: context, visit: visitCount,
      onDetails: { [weak self] in self?.details(of: $0) ?? [] },
      onFollow: { [weak self] in self?.follow($0, focus: $1) ?? [] })
    let area = ContentArea(request, place: state.place(of: network.word))
    self.area = area
    effects += area.resize(innerGeometry)
    if let focus = wanted.focus { effects += area.graph.focus(on: focus) }
    if let content = wanted.content { effects += area.show(content) }
    return effects
  }

  private func fail(_ failure: Load.Failure, to wanted: Wanted) -> [Effect] {
    // Another network was requested in the meantime.
    guard wanted == self.wanted else { return [] }
    isOpening = false
    // A network that cannot be reopened must not block the way to earlier ones.
    if case .failed = failure, wanted.turn == .back { visits.removeLast() }
    message = failure.text(canceled: "opening was cancelled; p shows a pathway")
    return []
  }

  private func choosePathway() -> [Effect] {
    var arguments = Record()
    if let area { arguments["selected"] = .text(area.network.word) }
    return [.present(ScreenRequest("pathways", arguments: arguments))]
  }

  private func returned(_ value: Value) -> [Effect] {
    isDetailShown = false
    if let word = value["open"].text { return follow(word, focus: value["focus"].text.map { Identifier($0) }) }
    return value["show"].text.map { showGraph(focusedOn: Identifier($0)) } ?? []
  }

  /// Opens another pathway and adds this one to the history.
  private func follow(_ word: String, focus: Identifier?) -> [Effect] {
    guard let area else { return [open(Wanted(word: word, focus: focus))] }
    if Identifier(area.network.word) == Identifier(word) { return focus.map(showGraph(focusedOn:)) ?? [] }
    return [open(Wanted(word: word, content: area.shown, focus: focus, turn: .onwards))]
  }

  /// Cancels an opening in progress; otherwise goes back to the graph, then to the previous pathway.
  ///
  /// - Returns: The effects; nil if there is nothing to go back to.
  private func goBack() -> [Effect]? {
    guard let area else { return nil }
    if isOpening {
      isOpening = false
      return [.cancel(Self.opening)]
    }
    if area.shown != .graph { return area.show(.graph) }
    guard let last = visits.last else { return nil }
    guard let left = last.area else { return [open(Wanted(word: last.word, content: last.content, turn: .back))] }
    // The pathway is shown as it was left, with its observations, overlays and moved nodes.
    visits.removeLast()
    keepPlace()
    self.area = left
    return area.pause() + left.resize(innerGeometry) + left.resume()
  }

  // MARK: Contents

  /// Shows another content of the pathway.
  private func show(_ content: PathwayContent) -> [Effect] { area?.show(content) ?? [] }

  private func showGraph(focusedOn id: Identifier) -> [Effect] {
    area.map { $0.show(.graph) + $0.graph.focus(on: id) } ?? []
  }

  private func details(of subject: Identifier) -> [Effect] {
    guard let area else { return [] }
    isDetailShown = true
    let arguments: Record = ["network": .text(area.network.word), "subject": .text(subject.text)]
    return [.detail(ScreenRequest("node", arguments: arguments))]
  }
}
