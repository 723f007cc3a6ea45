import PluginAPI

/// What an overlay does to each place and line of a picture, found once and not for every frame.
struct GraphMarks: Sendable {
  /// A place.
  struct Place: Sendable, Hashable {
    var style: Style
    /// What stands in its upper border, such as `A|C`; "" for nothing.
    var label = ""
    /// What stands in its lower border, such as `12.5`; "" for nothing.
    var value = ""
  }

  /// A line.
  struct Route: Sendable, Hashable {
    var style: Style
    /// Whether it has an arrow head at its end, and at its beginning; nil where they stay as they are.
    var heads: (end: Bool, start: Bool)?

    static func == (one: Route, other: Route) -> Bool {
      one.style == other.style && one.heads?.end == other.heads?.end && one.heads?.start == other.heads?.start
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(style)
      hasher.combine(heads?.end)
      hasher.combine(heads?.start)
    }
  }

  /// By place; nil where the overlay says nothing.
  private(set) var places: [Place?]
  /// By route; nil where the overlay says nothing.
  private(set) var routes: [Route?]

  init(_ overlay: GraphOverlay, _ picture: GraphPicture) {
    let largest = overlay.largestValue
    let graph = picture.graph
    places = picture.layout.places.map { place in
      let node = graph.nodes[place.node]
      if let mark = overlay.processes[node.subject] {
        return Place(
          style: Self.style(mark, largest: largest),
          label: mark.state.map { Self.label($0, isForced: mark.isForced) } ?? "",
          value: mark.value.map(Self.number) ?? "")
      }
      guard let mark = overlay.pools[node.subject] else { return nil }
      return Place(style: Self.style(mark), label: mark.label, value: mark.value.map(Self.number) ?? "")
    }
    routes = picture.layout.routes.map { route in
      let edge = graph.edges[route.edge]
      let ends = [graph.nodes[edge.source], graph.nodes[edge.target]]
      guard let process = ends.first(where: { $0.kind == .process }), let mark = overlay.processes[process.subject]
      else { return nil }
      return Route(
        style: Self.style(mark, largest: largest),
        heads: edge.kind == .flow && route.opposite == nil ? Self.heads(mark) : nil)
    }
  }

  /// Where arrows point by what a process does.
  private static func heads(_ mark: GraphOverlay.ProcessMark) -> (end: Bool, start: Bool)? {
    switch mark.state {
    case .forward: (true, false)
    case .backward: (false, true)
    case .idle: nil
    case nil: mark.value.flatMap { $0 == 0 || $0.isNaN ? nil : ($0 > 0, $0 < 0) }
    }
  }

  /// The mark of what a process does: `+`, `-` or `0`, with `!` if it is so in every scenario.
  private static func label(_ state: ProcessState, isForced: Bool) -> String {
    String(state.character) + (isForced ? "!" : "")
  }

  // MARK: Looks

  /// What does not run.
  static let idle = Style(foreground: .palette(8), attributes: .dim)
  static let forward = Style(foreground: .palette(2), attributes: .bold)
  static let backward = Style(foreground: .palette(5), attributes: .bold)

  private static func style(_ mark: GraphOverlay.ProcessMark, largest: Double) -> Style {
    var style: Style
    switch mark.state {
    case .idle: style = idle
    case .forward: style = forward
    case .backward: style = backward
    case nil: style = Self.style(mark.value ?? 0, largest: largest)
    }
    if mark.isForced { style = style.adding(.underline) }
    return style
  }

  /// From dim over blue, green and yellow to red, by the share of the largest number; without colours the larger half
  /// is bold.
  static func style(_ value: Double, largest: Double) -> Style {
    guard value.isFinite, largest > 0, value != 0 else { return idle }
    let share = abs(value) / largest
    let colors: [UInt8] = [4, 2, 3, 1]
    let index = min(colors.count - 1, Int(share * Double(colors.count)))
    return Style(foreground: .palette(colors[max(0, index)]), attributes: share >= 0.5 ? .bold : [])
  }

  /// By the highest level of the label: unavailable blue, available green, accumulated yellow, severely so red.
  private static func style(_ mark: GraphOverlay.PoolMark) -> Style {
    let levels = mark.label.compactMap { MetaboliteLevel(letter: String($0)) }
    let colors: [UInt8] = [4, 2, 3, 1]
    let color: Color = levels.max().map { .palette(colors[Int($0.rawValue)]) } ?? .standard
    return Style(foreground: color, attributes: mark.isObserved ? [.bold, .underline] : .bold)
  }

  /// A number in few columns.
  static func number(_ value: Double) -> String {
    guard value.isFinite else { return "\(value)" }
    if value == value.rounded(), abs(value) < 1e6 { return "\(Int(value))" }
    if abs(value) >= 1e6 || abs(value) < 1e-3 { return "\(value)" }
    let decimals = abs(value) >= 100 ? 10.0 : abs(value) >= 1 ? 100.0 : 1000.0
    return "\((value * decimals).rounded() / decimals)"
  }
}
