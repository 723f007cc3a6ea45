import PluginAPI
import PluginText

/// The visible part of a graph's picture, with a line below it about the selected node or a search.
struct GraphView: View {
  var title: String
  var state: GraphState
  /// The description of the selected node.
  var about: String

  func draw(into frame: inout TextFrame) {
    guard frame.size.width > 0, frame.size.height > 0 else { return }
    // The size last given to the state may differ from that of the frame.
    var state = state
    if state.size != frame.size {
      state.size = frame.size
      state.clamp()
    }
    let window = Rect(x: 0, y: 0, width: state.window.width, height: state.window.height)
    if let picture = state.picture {
      let painter = GraphPainter(state: state, picture: picture)
      frame.inside(window) { painter.paint(&$0) }
    }
    if !state.message.isEmpty { frame.inside(window) { drawMessage(&$0) } }
    drawFoot(state, into: &frame)
  }

  private func drawMessage(_ frame: inout TextFrame) {
    let lines = TextWidth.wrapped(state.message, to: max(1, frame.size.width - 4))
    for (y, line) in lines.prefix(frame.size.height).enumerated() {
      frame.clear(Rect(x: 0, y: y, width: min(frame.size.width, TextWidth.columns(line) + 3), height: 1))
      frame.put(line, x: min(2, frame.size.width - 1), y: y, .secondary)
    }
  }

  // MARK: Foot

  private func drawFoot(_ state: GraphState, into frame: inout TextFrame) {
    var y = frame.size.height - state.footRows
    if let overlay = state.overlay, state.footRows > 0, !(state.find.isOpen && state.footRows == 1) {
      drawLegend(overlay, isASCII: state.place.isASCII, y: y, into: &frame)
      y += 1
    }
    guard y < frame.size.height else { return }
    if state.find.isOpen { drawFind(state, y: y, into: &frame) } else { drawAbout(y: y, into: &frame) }
  }

  private func drawAbout(y: Int, into frame: inout TextFrame) {
    frame.put(TextWidth.truncated(about, to: frame.size.width - 2), x: 1, y: y, .secondary)
  }

  private func drawFind(_ state: GraphState, y: Int, into frame: inout TextFrame) {
    let (find, width) = (state.find, frame.size.width)
    frame.put("/ ", x: 0, y: y, .accent)
    let count = find.nodes.count
    // Dots have no names: the selected node is named here.
    let name = TextWidth.truncated(Self.found(state), to: max(0, width / 2 - 12))
    let found = !find.isActive ? "type a name" : count == 0 ? "nothing found" : "\(name) · n next · esc ends"
    let room = max(1, min(width - 3, max(12, width - TextWidth.columns(found) - 5)))
    if find.isTyping {
      find.line.draw(into: &frame, x: 2, y: y, width: room)
    } else {
      frame.put(TextWidth.truncated(find.line.text, to: room), x: 2, y: y)
    }
    let left = width - room - 4
    if left > 3 { frame.put(TextWidth.truncated(found, to: left), x: room + 4, y: y, .secondary) }
  }

  /// Returns the position of the selected node among those found, such as `2 of 3 found: Pyruvate`.
  private static func found(_ state: GraphState) -> String {
    guard let node = state.selected.flatMap({ state.picture?.layout.places[$0].node }),
      let index = state.find.nodes.firstIndex(of: node), let found = state.selectedNode
    else { return "\(state.find.nodes.count) found" }
    return "\(index + 1) of \(state.find.nodes.count) found: \(ShownText.name(of: found))"
  }

  private func drawLegend(_ overlay: GraphOverlay, isASCII: Bool, y: Int, into frame: inout TextFrame) {
    var x = frame.put(
      " \(TextWidth.truncated(SanitizedText.line(overlay.title), to: max(8, frame.size.width / 3)))  ", x: 0, y: y,
      .heading
    )
    for run in Self.legend(overlay) {
      if x + TextWidth.columns(run.text) >= frame.size.width { break }
      x = frame.put(run.text, x: x, y: y, run.style)
      x = frame.put("  ", x: x, y: y)
    }
  }

  /// Returns the legend of an overlay's marks.
  static func legend(_ overlay: GraphOverlay) -> [StyledText.Run] {
    var runs: [StyledText.Run] = []
    let states = Set(overlay.processes.values.compactMap(\.state))
    if states.contains(.forward) { runs.append(.init("+ runs", GraphMarks.forward)) }
    if states.contains(.backward) { runs.append(.init("- runs backward", GraphMarks.backward)) }
    if states.contains(.idle) { runs.append(.init("0 idle", GraphMarks.idle)) }
    if overlay.processes.values.contains(where: \.isForced) { runs.append(.init("! in every scenario")) }
    let largest = overlay.largestValue
    if largest > 0 {
      runs.append(.init("up to \(GraphMarks.number(largest))", GraphMarks.style(largest, largest: largest)))
    }
    let letters = Set(overlay.pools.values.flatMap { $0.label.compactMap { MetaboliteLevel(letter: String($0)) } })
    for level in letters.sorted() { runs.append(.init("\(level.letter) \(levelName(level))")) }
    return runs
  }

  private static func levelName(_ level: MetaboliteLevel) -> String {
    switch level {
    case .unavailable: "unavailable"
    case .available: "available"
    case .accumulated: "accumulated"
    case .severelyAccumulated: "severely accumulated"
    }
  }

  // MARK: Linear reading

  /// The maximum number of nodes listed.
  private static let mostSpoken = 2000

  var outline: Outline {
    let message = state.message.isEmpty ? [] : [state.message]
    guard let picture = state.picture else { return Outline(title: title, text: message) }
    let nodes = picture.graph.nodes
    let shown = Set(picture.layout.places.map(\.node))
    let listed = nodes.indices.filter(shown.contains).prefix(Self.mostSpoken)
    let items = listed.map { index in
      Outline.Item(
        id: "\(index)",
        text: "\(nodes[index].kind.rawValue): \(ShownText.name(of: nodes[index]))",
        action: ActionInvocation(
          GraphAction.details.rawValue,
          [PathCaseArgument.subject.name: PathCaseArgument.subject.value(of: nodes[index].subject)]))
    }
    let missing = nodes.count - items.count
    let rest = missing > 0 ? ["\(missing) more nodes are not listed"] : []
    return Outline(title: title, text: message + rest, items: items)
  }
}
