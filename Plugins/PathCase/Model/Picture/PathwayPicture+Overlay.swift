/// The style of an element with a number or a state from an overlay.
struct OverlayMark: Sendable, Hashable {
  var colour: PictureColour?
  /// The text below the name; nil for none.
  var text: String?
  var state = ProcessState.forward
  var isObserved = false
  /// The intensity, from 0 to 1.
  var share = 0.0

  var isActive: Bool { state != .idle }
}

extension PathwayPicture {
  /// Returns the style of an edge's line: the color of its kind, or of its process in the overlay.
  func look(of edge: GraphEdge, _ nodes: (GraphNode, GraphNode)) -> EdgeLook {
    var look = plainLook(of: edge, nodes)
    if let style = edge.style, look.state == nil {
      if theme.keepsFileColours, let stroke = style.stroke { look.colour = stroke }
      if let line = style.line { look.dashes = line == .dashed ? GraphStyle.dashes : [] }
    }
    look.width *= pen
    look.headScale *= 1 + (pen - 1) / 2
    return look
  }

  private func plainLook(of edge: GraphEdge, _ nodes: (GraphNode, GraphNode)) -> EdgeLook {
    switch edge.kind {
    case .activation: return EdgeLook(colour: theme.activation, width: 1.2)
    case .inhibition: return EdgeLook(colour: theme.inhibition, width: 1.2)
    case .catalysis: return EdgeLook(colour: theme.catalysis, width: 1.2)
    case .association: return EdgeLook(colour: theme.sideFlow, width: 1.1, dashes: [3, 3])
    case .flow: break
    }
    let pool = nodes.0.kind == .process ? nodes.1 : nodes.0
    let isSide = pool.kind == .pool && PictureParts.isSide(pool)
    var look = EdgeLook(
      colour: isSide ? theme.sideFlow : theme.flow, width: isSide ? 1.1 : 1.9, headScale: isSide ? 0.8 : 1.1)
    let process = nodes.0.kind == .process ? nodes.0 : nodes.1
    guard options.overlay != nil, process.kind == .process, let mark = mark(ofProcess: process) else { return look }
    look.state = mark.state
    look.colour = mark.isActive ? mark.colour ?? look.colour : theme.idle
    look.width = mark.isActive ? (1.4 + 4 * mark.share) * (isSide ? 0.6 : 1) : 1
    look.headScale = mark.isActive ? (1 + 0.9 * mark.share) * (isSide ? 0.8 : 1) : 0.8
    return look
  }

  /// Returns the overlay mark of a process; nil if there is none.
  func mark(ofProcess node: GraphNode) -> OverlayMark? {
    guard let overlay = options.overlay, !overlay.processes.isEmpty else { return nil }
    guard let found = overlay.processes[node.subject] ?? overlay.processes[node.id] else {
      // In an overlay of numbers, a process without one carries nothing.
      return OverlayMark(colour: theme.idle, state: .idle)
    }
    var mark = OverlayMark()
    let largest = largest.process
    if let value = found.value {
      mark.text = PictureNumber.short(value)
      mark.share = largest > 0 ? (abs(value) / largest).squareRoot() : 0
      mark.state = abs(value) < GraphOverlay.smallestFlux ? .idle : value < 0 ? .backward : .forward
    } else if found.state != nil {
      mark.share = found.isForced ? 0.6 : 0.3
    }
    if let state = found.state { mark.state = state }
    let share = found.value == nil ? 1 : 0.25 + 0.75 * mark.share
    mark.colour = mark.isActive ? PictureColour.between(theme.flow, theme.above, share) : theme.idle
    return mark
  }

  /// Returns the overlay mark of a pool; nil if there is none.
  func mark(ofPool node: GraphNode) -> OverlayMark? {
    guard let overlay = options.overlay, let found = overlay.pools[node.subject] ?? overlay.pools[node.id] else {
      return nil
    }
    var mark = OverlayMark(text: found.label.isEmpty ? nil : found.label, isObserved: found.isObserved)
    if let value = found.value {
      let share = largest.pool > 0 ? value / largest.pool : 0
      mark.colour = PictureColour.between(theme.background, share < 0 ? theme.below : theme.above, abs(share))
      if mark.text == nil { mark.text = PictureNumber.short(value) }
    }
    return mark
  }

  /// Returns a pool's level in a small box at its upper right.
  func badge(of node: GraphNode, _ glyph: NodeGlyph) -> [PictureShape] {
    guard node.kind == .pool, let mark = mark(ofPool: node), let text = mark.text else { return [] }
    let size = 8.5 * unit
    let shown = LetterWidths.cut(PictureLabel.shown(text), to: 80 * unit, size: size, isBold: true)
    let width = LetterWidths.width(shown, size: size, isBold: true) + 6 * unit
    let frame = GraphFrame(
      x: glyph.frame.x + glyph.frame.width / 2, y: glyph.frame.y - glyph.frame.height / 2, width: width,
      height: size + 3 * unit)
    return [
      .path(
        .rounded(frame, radius: 3 * unit),
        PictureStyle(fill: theme.background, stroke: theme.poolBorder, strokeWidth: 0.9 * unit)),
      .text(
        PictureText(
          text: shown, place: .init(x: frame.x, y: frame.y + size * 0.34), size: size, colour: theme.text,
          anchor: .middle, isBold: true)),
    ]
  }
}

/// Formats numbers for pictures.
enum PictureNumber {
  /// Returns a number with three significant digits, without an exponent if possible.
  static func short(_ value: Double) -> String {
    guard value.isFinite else { return value.isNaN ? "?" : value > 0 ? "∞" : "−∞" }
    let size = abs(value)
    if size == 0 { return "0" }
    if size >= 1e6 || size < 1e-3 {
      var exponent = 0
      var digits = size
      while digits >= 10 { (digits, exponent) = (digits / 10, exponent + 1) }
      while digits < 1 { (digits, exponent) = (digits * 10, exponent - 1) }
      if digits >= 9.95 { (digits, exponent) = (1, exponent + 1) }
      return (value < 0 ? "−" : "") + decimals(digits, 1) + "e\(exponent)"
    }
    let places = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3
    return (value < 0 ? "−" : "") + decimals(size, places)
  }

  /// Returns a number rounded to a maximum number of decimals, without trailing zeros.
  static func decimals(_ value: Double, _ places: Int) -> String {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let whole = Int((value * scale).rounded())
    var text = String(whole)
    if places > 0 {
      while text.utf8.count <= places { text = "0" + text }
      let split = text.index(text.endIndex, offsetBy: -places)
      text = text[..<split] + "." + text[split...]
      while text.hasSuffix("0") { text.removeLast() }
      if text.hasSuffix(".") { text.removeLast() }
    }
    return text
  }
}
