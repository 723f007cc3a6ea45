import PluginAPI

/// The key of a cached picture.
struct GraphPictureKey: Hashable {
  var zoom: GraphZoom
  var isASCII: Bool
}

/// A layout computed off the main loop, with its picture.
struct LaidOutGraph: Sendable {
  var layout: GraphLayout
  var picture: GraphPicture
}

/// Layout and drawing, off the main loop.
extension GraphController {
  /// The number of processes from which a pool is called busy.
  static let busyFrom = 40

  private var layoutID: EffectID { EffectID(Self.layingOut, generation: round) }
  private var drawingID: EffectID { EffectID(Self.drawing, generation: edition) }

  /// Cancels running work.
  func close() -> [Effect] { [.cancel(layoutID), .cancel(drawingID)] }

  /// Lays out the graph; the present picture stays until that is done.
  func layOut() -> [Effect] {
    let before = close()
    round += 1
    graph = movedGraph ?? network.graph
    if state.place.common != .hidden { for node in busyNodes() { graph.nodes[node].isCommon = true } }
    if ignoresFrozen { for node in graph.nodes.indices { graph.nodes[node].frame = nil } }
    var options = LayoutOptions()
    options.common = state.place.common == .beside ? .beside : .hidden
    // Without common molecules, earlier positions are ignored, so that the network comes back as it was.
    if state.place.common != .hidden { options.earlier = earlierPlaces }
    state.message = "laying out \(ShownText.count(graph.nodes.count, "node")) …"
    let (graph, zoom, isASCII) = (graph, state.place.zoom, state.place.isASCII)
    let known = words?.count == graph.nodes.count ? words : nil
    let database = network.database
    let work: Effect = .compute(layoutID, label: "laying out") { [options] progress in
      let layout = LayeredLayout.layout(graph, options: options) { progress.isCancelled }
      if progress.isCancelled { throw CancellationError() }
      let words = known ?? GraphWords(graph) { GraphNodeText.aliases($0, database) }
      let picture = GraphPicture(graph, layout, zoom: zoom, isASCII: isASCII, words: words)
      return LaidOutGraph(layout: layout, picture: picture)
    }
    return before + [work]
  }

  /// The previous positions of nodes, which are kept as far as possible.
  private var earlierPlaces: [Identifier: GraphFrame] {
    guard let layout, let picture = state.picture else { return [:] }
    return Dictionary(
      layout.places.map { (picture.graph.nodes[$0.node].id, $0.frame) }, uniquingKeysWith: { first, _ in first })
  }

  func receiveFromWork(_ message: Message) -> [Effect] {
    switch message {
    case .finished(layoutID, let made as LaidOutGraph): return take(made)
    case .finished(drawingID, let picture as GraphPicture):
      take(picture)
    case .cancelled(layoutID):
      layoutCancelled()
    case .failed(layoutID, let report), .failed(drawingID, let report): state.message = report.description
    case .finished(Self.saving, _): return saved()
    case .finished(Self.forgetting, let network as ShownNetwork): return forgotten(network)
    case .answered(Self.forgettingAsked, Self.forgettingChoice): return forgetLayout()
    case .answered(Self.numbersAsked, let path): return layNumbers(ofFile: path)
    case .finished(Self.layingNumbers, let numbers as LaidNumbers): return take(numbers)
    case .failed(Self.saving, let report), .failed(Self.forgetting, let report),
      .failed(Self.layingNumbers, let report):
      return [.status(Diagnostic(telling: report, .error))]
    default: break
    }
    return []
  }

  /// Keeps the present picture after a canceled layout.
  private func layoutCancelled() {
    state.message = state.picture == nil ? "laying out was cancelled; r begins anew" : ""
    state.place.common = shownCommon ?? state.place.common
    if let picture = state.picture { graph = picture.graph }
  }

  private func take(_ made: LaidOutGraph) -> [Effect] {
    // Pictures of the previous layout that are still being drawn are discarded.
    let ending: Effect = .cancel(drawingID)
    edition += 1
    layout = made.layout
    shownCommon = state.place.common
    words = made.picture.words
    pictures = [:]
    state.message = emptyNote
    // The picture shown always belongs to the current layout, even if its zoom is no longer the requested one.
    let options = made.picture.drawing.options
    pictures[GraphPictureKey(zoom: made.picture.zoom, isASCII: options.isASCII)] = made.picture
    state.show(made.picture)
    // Another zoom was requested in the meantime.
    let isWanted = made.picture.zoom == state.place.zoom && options.isASCII == state.place.isASCII
    let redraw = isWanted ? [] : draw()
    return [ending] + redraw + focusWanted() + offerToHide()
  }

  private var emptyNote: String {
    if graph.nodes.isEmpty { return "there is nothing in it to draw" }
    return layout?.places.isEmpty == true ? "all of it is common molecules; c shows them" : ""
  }

  private func take(_ picture: GraphPicture) {
    let key = GraphPictureKey(zoom: picture.zoom, isASCII: picture.drawing.options.isASCII)
    pictures[key] = picture
    if picture.zoom == state.place.zoom, key.isASCII == state.place.isASCII { state.show(picture) }
  }

  // MARK: Zooming

  func zoom(by step: Int) -> [Effect] {
    guard let zoom = GraphZoom(rawValue: state.place.zoom.rawValue + step) else { return [] }
    return show(zoom)
  }

  private func show(_ zoom: GraphZoom) -> [Effect] {
    state.place.zoom = zoom
    return draw()
  }

  /// Shows the picture for the requested zoom, drawing it first if necessary.
  func draw() -> [Effect] {
    // While another layout is being computed, the graph of the present one is used.
    guard let layout, let words, let graph = state.picture?.graph else { return [] }
    let (zoom, isASCII) = (state.place.zoom, state.place.isASCII)
    if let picture = pictures[GraphPictureKey(zoom: zoom, isASCII: isASCII)] {
      state.show(picture)
      return [.cancel(drawingID)]
    }
    return [
      .cancel(drawingID),
      .compute(drawingID, label: "drawing") { _ in
        GraphPicture(graph, layout, zoom: zoom, isASCII: isASCII, words: words)
      },
    ]
  }

  /// Shows the whole graph at the closest zoom that fits.
  func fit() -> [Effect] {
    guard let layout, let graph = state.picture?.graph else { return [] }
    let zooms = GraphZoom.allCases.reversed().filter { $0 != .map }
    for zoom in zooms {
      // A box takes at least one cell, so a drawing that cannot fit is not tried.
      if layout.places.count > state.window.width * state.window.height { break }
      let key = GraphPictureKey(zoom: zoom, isASCII: state.place.isASCII)
      let isSmall = layout.places.count <= Self.mostMeasured
      guard let words,
        let picture = pictures[key]
          ?? (isSmall
            ? GraphPicture(graph, layout, zoom: zoom, isASCII: state.place.isASCII, words: words) : nil)
      else { continue }
      pictures[key] = picture
      if state.fits(picture) { return show(zoom) }
    }
    return show(.map)
  }

  /// The maximum number of nodes in pictures that are drawn at once to see whether they fit.
  private static let mostMeasured = 400

  func changeCharacters() -> [Effect] {
    state.place.isASCII.toggle()
    return draw()
  }

  // MARK: Common molecules

  /// Returns the pools that take part in very many processes and are not marked as common.
  private func busyNodes() -> [Int] {
    let graph = network.graph
    var uses = [Int](repeating: 0, count: graph.nodes.count)
    for edge in graph.edges where edge.kind == .flow {
      if uses.indices.contains(edge.source) { uses[edge.source] += 1 }
      if uses.indices.contains(edge.target) { uses[edge.target] += 1 }
    }
    return graph.nodes.indices.filter {
      uses[$0] >= Self.busyFrom && graph.nodes[$0].kind == .pool && !graph.nodes[$0].isCommon
    }
  }

  /// Hides common molecules, then also busy ones if there are any, then shows all.
  func changeCommon() -> [Effect] {
    let hasBusy = !busyNodes().isEmpty
    guard hasBusy || network.graph.nodes.contains(where: \.isCommon) else {
      return [.status(Diagnostic(.note, code: "pathcase.no-common", "there are no common molecules here"))]
    }
    switch state.place.common {
    case .hidden: state.place.common = hasBusy ? .hiddenWithBusy : .beside
    case .hiddenWithBusy: state.place.common = .beside
    case .beside: state.place.common = .hidden
    }
    return layOut()
  }

  private func offerToHide() -> [Effect] {
    let count = busyNodes().count
    guard !isBusyOffered, state.place.common == .hidden, count > 0 else { return [] }
    isBusyOffered = true
    // They may be out of sight, so the message gives their number rather than a name.
    return [
      .status(
        Diagnostic(
          .note, code: "pathcase.busy-pool",
          "\(ShownText.count(count, "metabolite")) \(count == 1 ? "takes" : "take") part in \(Self.busyFrom) processes or "
            + "more", advice: "c hides \(count == 1 ? "it" : "them")"))
    ]
  }
}
