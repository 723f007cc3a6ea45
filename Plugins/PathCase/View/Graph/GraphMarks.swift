import PluginAPI

/// The marks of an overlay on each place and line of a picture, computed once rather than per frame.
struct GraphMarks: Sendable {
  /// The mark of a place.
  struct Place: Sendable, Hashable {
    var style: Style
    /// The text in its upper border, such as `A|C`; "" for none.
    var label = ""
    /// The text in its lower border, such as `12.5`; "" for none.
    var value = ""

    /// The label if there is room for one letter; nil if it contains several.
    var letter: Character? { label.contains("|") ? nil : label.first }
  }

  /// The mark of a line.
  struct Route: Sendable, Hashable {
    var style: Style
    /// The presence of arrow heads at its end and at its beginning; nil to keep them unchanged.
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

  /// The marks by place; nil without data in the overlay.
  private(set) var places: [Place?]
  /// The marks by route; nil without data in the overlay.
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

  /// Returns the presence of arrow heads for the direction of a process.
  private static func heads(_ mark: GraphOverlay.ProcessMark) -> (end: Bool, start: Bool)? {
    switch mark.state {
    case .forward: (true, false)
    case .backward: (false, true)
    case .idle: nil
    case nil: mark.value.flatMap { $0 == 0 || $0.isNaN ? nil : ($0 > 0, $0 < 0) }
    }
  }

  /// Returns the label of a process's state: `+`, `-` or `0`, with `!` if it is the same in every scenario.
  private static func label(_ state: ProcessState, isForced: Bool) -> String {
    String(state.character) + (isForced ? "!" : "")
  }

  // MARK: Styles

  /// The style of an idle process.
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

  /// Returns a color from dim over blue, green and yellow to red, by the fraction of the largest number; without colors
  /// the larger half is bold.
  static func style(_ value: Double, largest: Double) -> Style {
    guard value.isFinite, largest > 0, value != 0 else { return idle }
    let share = abs(value) / largest
    let colors: [UInt8] = [4, 2, 3, 1]
    let index = min(colors.count - 1, Int(share * Double(colors.count)))
    return Style(foreground: .palette(colors[max(0, index)]), attributes: share >= 0.5 ? .bold : [])
  }

  /// Returns a color by the highest level of the label: unavailable blue, available green, accumulated yellow, severely
  /// accumulated red.
  private static func style(_ mark: GraphOverlay.PoolMark) -> Style {
    let levels = mark.label.compactMap { MetaboliteLevel(letter: String($0)) }
    let colors: [UInt8] = [4, 2, 3, 1]
    let color: Color = levels.max().map { .palette(colors[Int($0.rawValue)]) } ?? .standard
    return Style(foreground: color, attributes: mark.isObserved ? [.bold, .underline] : .bold)
  }

  /// Returns a number in few columns.
  static func number(_ value: Double) -> String {
    guard value.isFinite else { return "\(value)" }
    if value == value.rounded(), abs(value) < 1e6 { return "\(Int(value))" }
    if abs(value) >= 1e6 || abs(value) < 1e-3 { return "\(value)" }
    let decimals = abs(value) >= 100 ? 10.0 : abs(value) >= 1 ? 100.0 : 1000.0
    return "\((value * decimals).rounded() / decimals)"
  }
}
