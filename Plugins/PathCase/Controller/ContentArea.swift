import PluginAPI
import PluginText

/// A controller in the content area of a pathway's screen.
///
/// Its first event is its size. Keys that the screen binds to actions arrive as keys.
@MainActor protocol ContentController: Controller {
  /// Cancels work that takes long, because another pathway is shown; work that stores data continues.
  func pause() -> [Effect]

  /// Starts the canceled work again.
  func resume() -> [Effect]
}

extension ContentController {
  /// Cancels nothing.
  func pause() -> [Effect] { [] }
  /// Starts nothing.
  func resume() -> [Effect] { [] }
}

/// The environment of a controller in the content area.
@MainActor struct ContentRequest {
  /// The network shown, with its database or document.
  let network: ShownNetwork
  let shelf: PathwayShelf
  let context: any PluginContext
  /// The number of this visit on its screen.
  var visit = 0
  /// Shows an overlay on the graph, or removes it.
  var onOverlay: (GraphOverlay?) -> Void = { _ in }
  /// Shows the graph in place of another content.
  var onGraph: () -> [Effect] = { [] }
  /// Shows the details of the thing with an id.
  var onDetails: (Identifier) -> [Effect] = { _ in [] }
  /// Opens another pathway by its id, with one of its parts in view.
  var onFollow: (_ pathway: String, _ focus: Identifier?) -> [Effect] = { _, _ in [] }

  /// Returns the id of an effect, which differs from those of other visits on the screen.
  func id(_ name: String) -> EffectID { EffectID("\(visit)/\(name)") }
}

/// A pathway on its screen: the network, and the controllers of the contents that were shown, each kept in its last
/// state.
@MainActor final class ContentArea {
  private let graph: GraphController
  private var shown = PathwayContent.graph
  private var request: ContentRequest
  private var controllers: [PathwayContent: any ContentController]
  /// The size last sent to each controller.
  private var sizes: [PathwayContent: Size] = [:]
  private var geometry: ScreenGeometry?

  /// Creates an area that shows the graph.
  ///
  /// - Parameter place: The last view of the graph; nil if there was none.
  init(_ request: ContentRequest, place: GraphPlace?) {
    let graph = GraphController(request, place: place)
    self.graph = graph
    self.request = request
    controllers = [.graph: graph]
    self.request.onOverlay = { [weak graph] in graph?.show($0) }
    self.request.onGraph = { [weak self] in self?.show(.graph) ?? [] }
  }

  var network: ShownNetwork { request.network }

  /// The visible controller.
  var current: any ContentController { controllers[shown] ?? graph }

  /// The toolbar with the visible content.
  var view: PathwayView {
    PathwayView(
      title: network.title, contents: network.contents, shown: shown, note: "p pathways", content: current.view)
  }

  /// A Boolean value indicating whether the graph is visible, to which other contents return.
  var showsGraph: Bool { shown == .graph }

  /// The pathway as the user leaves it now.
  var visit: PathwayVisit {
    PathwayVisit(word: network.word, title: network.title, content: shown, place: graph.place, area: self)
  }

  /// Centers a node of the graph, by the id of the thing it represents or of its metabolite.
  func focus(on id: Identifier) -> [Effect] { graph.focus(on: id) }

  /// Shows the layout that another user or program stored meanwhile, unless this one was changed.
  func refresh() -> [Effect] { graph.refresh() }

  /// Shows a content, creating its controller on first use; does nothing if the network does not have it.
  func show(_ content: PathwayContent) -> [Effect] {
    guard network.contents.contains(content) else { return [] }
    if controllers[content] == nil { controllers[content] = makeController(content) }
    shown = content
    return sendSize()
  }

  private func makeController(_ content: PathwayContent) -> any ContentController {
    switch content {
    case .graph: graph
    case .scenarios: ScenarioController(request)
    case .processes, .metabolites, .compartments, .ranges: TableController(content, request)
    }
  }

  /// Updates the geometry given by the host.
  func resize(_ geometry: ScreenGeometry) -> [Effect] {
    self.geometry = geometry
    return sendSize()
  }

  private func sendSize() -> [Effect] {
    guard let geometry, sizes[shown] != geometry.size else { return [] }
    let isFirst = sizes.updateValue(geometry.size, forKey: shown) == nil
    let effects = current.handle(.resize(geometry)) ?? []
    return isFirst ? effects + current.start() : effects
  }

  /// Cancels long-running work until the user comes back.
  func pause() -> [Effect] { contents.flatMap { $0.pause() } }

  /// Starts the canceled work again.
  func resume() -> [Effect] { contents.flatMap { $0.resume() } }

  private var contents: [any ContentController] { PathwayContent.allCases.compactMap { controllers[$0] } }
}

/// The network shown: a pathway of the database, or the contents of a file.
struct ShownNetwork: Sendable {
  /// The word that identifies it in commands: the id of a pathway, or the path of a file.
  var word: String
  var opened: OpenedNetwork
  /// Its graph, with the positions of its own or stored layout.
  var graph: ReactionGraph
  /// The version of the user's own layout of the pathway; nil if there is none.
  var layoutVersion: Int?

  /// The heading of its screen.
  var title: String {
    switch opened {
    case .pathway(let index, let database): database.pathwayName(index)
    case .file: SanitizedText.line(opened.title)
    }
  }

  /// The database that contains it; nil for a file.
  var database: MetabolicDatabase? {
    if case .pathway(_, let database) = opened { database } else { nil }
  }

  /// The index of the pathway; nil for a file.
  var pathway: Int? {
    if case .pathway(let index, _) = opened { index } else { nil }
  }

  /// The contents that can be shown.
  var contents: [PathwayContent] {
    pathway != nil ? PathwayContent.allCases : [.graph, .scenarios, .processes, .metabolites]
  }
}

extension ShownNetwork {
  /// Opens the network identified by a word; the first pathway of the database without one.
  ///
  /// - Throws: The errors of the database, the formats and the user's data.
  static func open(
    _ word: String?, _ shelf: PathwayShelf, _ context: any PluginContext
  ) async throws -> ShownNetwork {
    let opened: OpenedNetwork
    if let word {
      opened = try await shelf.network(word, context)
    } else {
      let database = try await shelf.database(context)
      if database.pathways.isEmpty { throw PathwayError.unknownPathway("", known: []) }
      opened = .pathway(0, database)
    }
    return try await context.eventLoop.compute("opening") { _ in try ShownNetwork(opened, word: word ?? "") }
  }

  private init(_ opened: OpenedNetwork, word: String) throws {
    self.init(word: word, opened: opened, graph: try opened.graph())
    // A pathway may be requested by its name: it is stored under its id.
    if case .pathway(let index, let database) = opened {
      let id = database.pathways[index].id
      (self.word, layoutVersion) = (id.text, database.ownLayouts[id])
    }
  }
}
