import PluginAPI
import PluginText

/// The screen of a pathway or file: a toolbar, the content, and the links to other pathways.
///
/// The network and its contents are in a ``ContentArea``. Pathways visited by links can be revisited one by one.
@MainActor final class PathwayController: Controller {
  private static let opening: EffectID = "open"

  /// The actions of the screen itself; those of its contents are ``GraphAction``, ``ScenarioAction`` and
  /// ``TableController/Action``.
  enum Action: String, CaseIterable {
    case pathways
    case content
    case back
  }

  private let context: any PluginContext
  private let shelf: PathwayShelf
  /// The network shown, with its contents; nil until the first one is opened.
  private var area: ContentArea?
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
      word: arguments[PathCaseArgument.pathway] ?? arguments[PathCaseArgument.document],
      content: arguments[PathCaseArgument.content],
      focus: arguments[PathCaseArgument.focus])
  }

  // MARK: What is seen

  var title: String { area?.network.title ?? wanted.word.map { SanitizedText.line($0) } ?? "Pathway" }
  var wantsText: Bool { area?.current.wantsText ?? false }
  var view: any View { pathwayView }

  private var pathwayView: PathwayView {
    area?.view
      ?? PathwayView(
        title: title, contents: [.graph], shown: .graph, note: "", content: NoticeView(title: "", text: message))
  }

  var status: [StyledText.Run] {
    let back = visits.last.map { [StyledText.Run("esc back to \($0.title)", .secondary)] } ?? []
    return (area?.current.status ?? []) + back
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
    guard let action = Action(rawValue: invocation.action) else {
      return area.map { perform(invocation, in: $0) } ?? []
    }
    switch action {
    case .pathways: return choosePathway()
    case .content: return invocation.arguments[PathCaseArgument.content].map(show) ?? []
    case .back: return goBack() ?? []
    }
  }

  /// Passes an action to the visible controller, as a key if the controller does not know the action.
  private func perform(_ invocation: ActionInvocation, in area: ContentArea) -> [Effect] {
    if ScenarioAction(rawValue: invocation.action)?.paletteTitle != nil {
      return area.show(.scenarios) + area.current.perform(invocation)
    }
    if GraphAction(rawValue: invocation.action)?.showsGraph ?? false {
      return area.show(.graph) + area.current.perform(invocation)
    }
    guard !area.showsGraph, let key = PathwayActions.key(of: invocation) else {
      return area.current.perform(invocation)
    }
    return handle(.key(key)) ?? []
  }

  func receive(_ message: Message) -> [Effect] {
    switch message {
    case .returned("pathways", let value), .returned("node", let value): returned(value)
    case .notification: area?.refresh() ?? []
    default: []
    }
  }

  func saveState() -> [UInt8] {
    var state = state
    if let area { state.keep(area.visit) }
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
      try shelf.listen(context)
      return try await ShownNetwork.open(wanted.word, shelf, context)
    } then: {
      $0.show($1, as: wanted)
    } failed: {
      $0.fail($1, to: wanted)
    }
  }

  /// Remembers the view of the present graph.
  private func keepPlace() {
    if let area { state.keep(area.visit) }
  }

  private func show(_ network: ShownNetwork, as wanted: Wanted) -> [Effect] {
    isOpening = false
    var effects = area?.pause() ?? []
    switch wanted.turn {
    case .onwards: if let area { effects += visits.append(area.visit) }
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
    if let focus = wanted.focus { effects += area.focus(on: focus) }
    if let content = wanted.content { effects += area.show(content) }
    return effects
  }

  private func fail(_ failure: Load.Failure, to wanted: Wanted) -> [Effect] {
    // Another network was requested in the meantime.
    guard wanted == self.wanted else { return [] }
    isOpening = false
    // A network that cannot be reopened must not block the way to earlier ones.
    if case .failed = failure, wanted.turn == .back { visits.removeLast() }
    message = failure.text(ifCanceled: "opening canceled; p shows the pathways")
    return []
  }

  private func choosePathway() -> [Effect] {
    [.present(ScreenRequest("pathways").with(PathCaseArgument.selected, area?.network.word))]
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
    return [open(Wanted(word: word, content: area.visit.content, focus: focus, turn: .onwards))]
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
    if !area.showsGraph { return area.show(.graph) }
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
    area.map { $0.show(.graph) + $0.focus(on: id) } ?? []
  }

  private func details(of subject: Identifier) -> [Effect] {
    guard let area else { return [] }
    isDetailShown = true
    let request = ScreenRequest("node").with(PathCaseArgument.network, area.network.word).with(
      PathCaseArgument.subject, subject)
    return [.detail(request)]
  }
}

/// A visited pathway as it is left.
@MainActor struct PathwayVisit {
  /// The word that identifies it in commands.
  let word: String
  /// Its heading.
  let title: String
  let content: PathwayContent
  /// The view of its graph.
  let place: GraphPlace
  /// Its network and controllers; nil if the visit is so old that it must be reopened.
  var area: ContentArea?
}

/// The history of visited pathways, the latest last.
///
/// The latest are kept as they were left, so following a link loses no observations, overlays or moved nodes. For older
/// ones only the name is remembered.
@MainActor private struct PathwayVisits {
  /// The maximum number of visits kept: users may follow cycles of links indefinitely.
  private static let most = 200
  /// The maximum number of visits kept whole: a large network has some ten megabytes of pictures.
  private static let mostWhole = 8

  private var visits: [PathwayVisit] = []

  var last: PathwayVisit? { visits.last }

  /// Adds a pathway that is left.
  ///
  /// - Returns: The effects that cancel the work of a visit too old to be kept whole.
  mutating func append(_ visit: PathwayVisit) -> [Effect] {
    visits.append(visit)
    visits.removeFirst(max(0, visits.count - Self.most))
    let index = visits.count - 1 - Self.mostWhole
    guard visits.indices.contains(index), let area = visits[index].area else { return [] }
    visits[index].area = nil
    return area.pause()
  }

  mutating func removeLast() { if !visits.isEmpty { visits.removeLast() } }
}

/// The persistent state of the pathway screen: the last word shown, and the view of each pathway.
struct PathwayState: Sendable {
  /// The pathway or file shown last; nil if there was none.
  var word: String?
  var content = PathwayContent.graph
  /// The last view of each pathway, the latest last.
  private var places: [(word: String, place: GraphPlace)] = []

  /// The maximum number of views remembered.
  private static let mostPlaces = 40

  init() {}

  /// Reads a state; nil if the bytes do not encode one.
  init?(_ bytes: [UInt8]) {
    guard let value = try? Value(decoding: bytes), value.record != nil else { return nil }
    word = value["word"].text
    content = value["content"].text.flatMap(PathwayContent.init(rawValue:)) ?? .graph
    places = (value["places"].list ?? []).suffix(Self.mostPlaces).compactMap { entry in
      entry["word"].text.map { ($0, GraphPlace(entry["place"])) }
    }
  }

  /// Returns the last view of a pathway.
  func place(of word: String) -> GraphPlace? { places.first { Identifier($0.word) == Identifier(word) }?.place }

  /// Remembers a pathway as the one shown last, and the view of it.
  @MainActor mutating func keep(_ visit: PathwayVisit) {
    (word, content) = (visit.word, visit.content)
    places.removeAll { Identifier($0.word) == Identifier(visit.word) }
    places.append((visit.word, visit.place))
    places.removeFirst(max(0, places.count - Self.mostPlaces))
  }

  /// The encoded state.
  var bytes: [UInt8] {
    var record: Record = ["content": .text(content.rawValue)]
    if let word { record["word"] = .text(word) }
    record["places"] = .list(places.map { ["word": .text($0.word), "place": $0.place.value] })
    return Value.record(record).encoded()
  }
}

/// The actions of the pathway screen: its own, and those of the contents that it may show.
enum PathwayActions {
  static let all =
    own + GraphAction.all + [ScreenAction(TableController.Action.choose, "Show details of the selected row")]
    + ScenarioAction.inPalette

  private static let own =
    [ScreenAction(PathwayController.Action.pathways, "Choose another pathway", keys: ["p"])]
    + PathwayContent.allCases.map { content in
      ScreenAction(
        PathwayController.Action.content, "Show \(content == .graph ? "the graph" : content.name)", keys: [content.key]
      ).with(PathCaseArgument.content, content)
    } + [ScreenAction(PathwayController.Action.back, "Return to the previous pathway")]

  /// Returns the key that stands for an action, for contents that know keys but not the action.
  static func key(of invocation: ActionInvocation) -> Key? {
    let action = all.first { $0.id == invocation.action && $0.arguments == invocation.arguments }
    return action?.keys.first.flatMap { Key($0) }
  }
}
