/// The styles of a picture's elements: those of its theme, unless the file or an overlay gives others.
struct PictureStyles: Sendable {
  let theme: PictureTheme
  private let overlay: GraphOverlay?
  /// The size of a default line width.
  private let unit: Double
  /// The scale of line widths.
  private let pen: Double
  /// The largest absolute values of processes and pools in the overlay; 0 if there are none.
  let largest: (process: Double, pool: Double)

  init(_ theme: PictureTheme, _ overlay: GraphOverlay?, unit: Double, pen: Double) {
    self.theme = theme
    self.overlay = overlay
    self.unit = unit
    self.pen = pen
    let pools = overlay?.pools.values.reduce(0) { max($0, abs($1.value ?? 0)) }
    largest = (overlay?.largestValue ?? 0, pools ?? 0)
  }

  // MARK: Lines

  /// Returns the style of an edge's line: the color of its kind, or of its process in the overlay.
  func look(of edge: GraphEdge, _ nodes: (GraphNode, GraphNode)) -> EdgeLook {
    var look = plainLook(of: edge, nodes)
    if let style = edge.style, look.state == nil {
      if theme.keepsFileColors, let stroke = style.stroke { look.color = stroke }
      if let line = style.line { look.dashes = line == .dashed ? GraphStyle.dashes : [] }
    }
    look.width *= pen
    look.headScale *= 1 + (pen - 1) / 2
    return look
  }

  private func plainLook(of edge: GraphEdge, _ nodes: (GraphNode, GraphNode)) -> EdgeLook {
    switch edge.kind {
    case .activation: return EdgeLook(color: theme.activation, width: 1.2)
    case .inhibition: return EdgeLook(color: theme.inhibition, width: 1.2)
    case .catalysis: return EdgeLook(color: theme.catalysis, width: 1.2)
    case .association: return EdgeLook(color: theme.sideFlow, width: 1.1, dashes: [3, 3])
    case .flow: break
    }
    let pool = nodes.0.kind == .process ? nodes.1 : nodes.0
    let isSide = pool.kind == .pool && PictureParts.isSide(pool)
    var look = EdgeLook(
      color: isSide ? theme.sideFlow : theme.flow, width: isSide ? 1.1 : 1.9, headScale: isSide ? 0.8 : 1.1)
    let process = nodes.0.kind == .process ? nodes.0 : nodes.1
    guard overlay != nil, process.kind == .process, let mark = mark(ofProcess: process) else { return look }
    look.state = mark.state
    look.color = mark.isActive ? mark.color ?? look.color : theme.idle
    look.width = mark.isActive ? (1.4 + 4 * mark.share) * (isSide ? 0.6 : 1) : 1
    look.headScale = mark.isActive ? (1 + 0.9 * mark.share) * (isSide ? 0.8 : 1) : 0.8
    return look
  }

  /// Returns the overlay mark of a process; nil if there is none.
  func mark(ofProcess node: GraphNode) -> OverlayMark? {
    guard let overlay, !overlay.processes.isEmpty else { return nil }
    guard let found = overlay.processes[node.subject] ?? overlay.processes[node.id] else {
      // In an overlay of numbers, a process without one carries nothing.
      return OverlayMark(color: theme.idle, state: .idle)
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
    mark.color = mark.isActive ? PictureColor.between(theme.flow, theme.above, share) : theme.idle
    return mark
  }

  /// Returns the overlay mark of a pool; nil if there is none.
  func mark(ofPool node: GraphNode) -> OverlayMark? {
    guard let overlay, let found = overlay.pools[node.subject] ?? overlay.pools[node.id] else { return nil }
    var mark = OverlayMark(text: found.label.isEmpty ? nil : found.label, isObserved: found.isObserved)
    if let value = found.value {
      let share = largest.pool > 0 ? value / largest.pool : 0
      mark.color = PictureColor.between(theme.background, share < 0 ? theme.below : theme.above, abs(share))
      if mark.text == nil { mark.text = PictureNumber.short(value) }
    }
    return mark
  }

  // MARK: Nodes

  /// Returns the style of a node's outline: that of its file, unless an overlay replaces it.
  func style(of node: GraphNode) -> PictureStyle {
    let usual = usualStyle(of: node)
    guard let style = node.style else { return usual }
    let isMarked = mark(ofPool: node)?.color != nil || (node.kind == .process && mark(ofProcess: node) != nil)
    return isMarked ? usual : styled(usual, by: style)
  }

  private func usualStyle(of node: GraphNode) -> PictureStyle {
    switch node.kind {
    case .pool:
      let isSide = PictureParts.isSide(node)
      var style = PictureStyle(
        fill: isSide ? theme.side : theme.pool, stroke: isSide ? theme.sideBorder : theme.poolBorder,
        strokeWidth: (isSide ? 0.8 : 1.4) * unit)
      if let color = mark(ofPool: node)?.color { style.fill = color }
      if mark(ofPool: node)?.isObserved ?? false { style.strokeWidth = 2.6 * unit }
      return style
    case .process:
      let mark = mark(ofProcess: node)
      return PictureStyle(
        fill: mark.map { $0.isActive ? $0.color : theme.process } ?? theme.process,
        stroke: mark?.color ?? theme.processBorder, strokeWidth: 1.3 * unit)
    case .macromolecule:
      return PictureStyle(fill: theme.macromolecule, stroke: theme.macromoleculeBorder, strokeWidth: 1.1 * unit)
    case .pathway: return PictureStyle(fill: theme.pathway, stroke: theme.pathwayBorder, strokeWidth: 1 * unit)
    case .other: return PictureStyle(fill: theme.side, stroke: theme.sideBorder, strokeWidth: 0.8 * unit)
    }
  }

  /// Returns a style with the colors and dashes of a file.
  func styled(_ usual: PictureStyle, by own: GraphStyle?) -> PictureStyle {
    guard let own else { return usual }
    var style = usual
    if theme.keepsFileColors {
      if let stroke = own.stroke { style.stroke = stroke }
      if let fill = own.fill { style.fill = fill }
    }
    if own.outline == .disc { style.fill = style.stroke }
    if own.line == .dashed { style.dashes = GraphStyle.dashes.map { $0 * unit } }
    return style
  }

  /// Returns the color of a node's name.
  func textColor(of node: GraphNode) -> PictureColor {
    (theme.keepsFileColors && mark(ofPool: node)?.color == nil ? node.style?.text : nil) ?? theme.text
  }
}

/// The style of an element with a number or a state from an overlay.
struct OverlayMark: Sendable, Hashable {
  var color: PictureColor?
  /// The text below the name; nil for none.
  var text: String?
  var state = ProcessState.forward
  var isObserved = false
  /// The intensity, from 0 to 1.
  var share = 0.0

  var isActive: Bool { state != .idle }
}

/// The style of a drawn line.
struct EdgeLook: Sendable, Hashable {
  var color: PictureColor
  var width: Double
  var dashes: [Double] = []
  /// The scale of heads relative to the default.
  var headScale = 1.0
  /// The state of the process, if an overlay gives one; nil otherwise.
  var state: ProcessState?
}

/// The colors of a picture.
struct PictureTheme: Sendable, Hashable {
  var background: PictureColor
  var text: PictureColor
  /// The color of process names.
  var quietText: PictureColor
  /// The color of lines along the main chain.
  var flow: PictureColor
  /// The color of lines of side molecules.
  var sideFlow: PictureColor
  var pool: PictureColor
  var poolBorder: PictureColor
  var side: PictureColor
  var sideBorder: PictureColor
  var process: PictureColor
  var processBorder: PictureColor
  var macromolecule: PictureColor
  var macromoleculeBorder: PictureColor
  var pathway: PictureColor
  var pathwayBorder: PictureColor
  var activation: PictureColor
  var inhibition: PictureColor
  var catalysis: PictureColor
  /// The color of compartment walls.
  var wall: PictureColor
  /// The alternating fill colors of compartments, translucent so that they can be nested.
  var rooms: [PictureColor]
  /// The colors of numbers below and above 0 in an overlay.
  var below: PictureColor
  var above: PictureColor
  /// The color of inactive elements in an overlay.
  var idle: PictureColor
  /// A Boolean value indicating whether colors of files, which are made for white paper, are used.
  var keepsFileColors = false

  /// The names of themes that users give.
  enum Name: String, Sendable, CaseIterable {
    case light, print, dark

    var theme: PictureTheme {
      switch self {
      case .light: PictureTheme.light
      case .print: PictureTheme.print
      case .dark: PictureTheme.dark
      }
    }
  }

  /// The theme for screens and slides.
  static let light = PictureTheme(
    background: .init(255, 255, 255), text: .init(28, 34, 46), quietText: .init(70, 82, 105),
    flow: .init(62, 78, 104), sideFlow: .init(140, 151, 168),
    pool: .init(253, 238, 214), poolBorder: .init(203, 139, 58),
    side: .init(244, 245, 248), sideBorder: .init(178, 186, 199),
    process: .init(255, 255, 255), processBorder: .init(62, 78, 104),
    macromolecule: .init(222, 239, 226), macromoleculeBorder: .init(84, 145, 99),
    pathway: .init(228, 228, 246), pathwayBorder: .init(118, 116, 178),
    activation: .init(44, 132, 72), inhibition: .init(190, 48, 48), catalysis: .init(52, 104, 176),
    wall: .init(150, 162, 182),
    rooms: [
      .init(236, 243, 250, cover: 0.75), .init(250, 244, 232, cover: 0.85), .init(238, 247, 238, cover: 0.8),
      .init(249, 238, 244, cover: 0.8), .init(241, 239, 250, cover: 0.8),
    ],
    below: .init(46, 110, 182), above: .init(200, 62, 42), idle: .init(203, 208, 216), keepsFileColors: true)

  /// The theme for paper: black lines on white.
  static let print = PictureTheme(
    background: .init(255, 255, 255), text: .init(0, 0, 0), quietText: .init(40, 40, 40),
    flow: .init(0, 0, 0), sideFlow: .init(110, 110, 110),
    pool: .init(255, 255, 255), poolBorder: .init(0, 0, 0), side: .init(255, 255, 255),
    sideBorder: .init(150, 150, 150), process: .init(255, 255, 255), processBorder: .init(0, 0, 0),
    macromolecule: .init(238, 238, 238), macromoleculeBorder: .init(0, 0, 0),
    pathway: .init(245, 245, 245), pathwayBorder: .init(90, 90, 90),
    activation: .init(0, 0, 0), inhibition: .init(0, 0, 0), catalysis: .init(0, 0, 0), wall: .init(120, 120, 120),
    rooms: [.init(0, 0, 0, cover: 0.025)], below: .init(90, 90, 90), above: .init(0, 0, 0),
    idle: .init(200, 200, 200))

  /// The theme for slides with a dark background.
  static let dark = PictureTheme(
    background: .init(22, 26, 34), text: .init(236, 239, 245), quietText: .init(176, 188, 208),
    flow: .init(158, 176, 206), sideFlow: .init(104, 118, 142),
    pool: .init(70, 52, 28), poolBorder: .init(222, 164, 88), side: .init(38, 44, 56),
    sideBorder: .init(92, 104, 126), process: .init(22, 26, 34), processBorder: .init(158, 176, 206),
    macromolecule: .init(32, 60, 42), macromoleculeBorder: .init(112, 178, 128),
    pathway: .init(48, 46, 80), pathwayBorder: .init(150, 148, 214),
    activation: .init(96, 196, 124), inhibition: .init(238, 108, 104), catalysis: .init(112, 164, 236),
    wall: .init(98, 114, 142),
    rooms: [
      .init(110, 150, 210, cover: 0.09), .init(220, 180, 100, cover: 0.08), .init(120, 200, 140, cover: 0.08),
      .init(220, 130, 170, cover: 0.08),
    ],
    below: .init(104, 166, 240), above: .init(244, 118, 96), idle: .init(70, 78, 92))
}
