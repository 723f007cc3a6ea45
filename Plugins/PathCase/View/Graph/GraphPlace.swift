import PluginAPI

/// The zoom of a graph.
enum GraphZoom: Int, Sendable, CaseIterable {
  /// The whole graph in the window, with a dot for the contents of each cell and without lines.
  case map
  /// A dot for each node.
  case dots
  /// A short label for each node.
  case names
  /// Boxes with labels.
  case full

  /// The zoom of its drawing; nil for the map, which has no drawing.
  var drawing: TextDrawing.Zoom? {
    switch self {
    case .map: nil
    case .dots: .overview
    case .names: .names
    case .full: .full
    }
  }

  /// The name in the toolbar.
  var title: String {
    switch self {
    case .map: "map"
    case .dots: "dots"
    case .names: "short labels"
    case .full: "labels"
    }
  }
}

/// The treatment of common molecules, such as ATP.
enum CommonChoice: Int, Sendable, CaseIterable {
  case hidden
  /// They are hidden, as are molecules not marked as common that have very many processes here.
  case hiddenWithBusy
  /// They are drawn beside each of their processes.
  case beside
}

/// The user's view of a graph, which can be restored later.
struct GraphPlace: Sendable, Hashable {
  var zoom = GraphZoom.full
  /// The first visible column and row of the drawing; nil if it was never shown.
  var origin: Point?
  /// The id of the thing that the selected node represents; nil if none is selected.
  var selected: Identifier?
  var common = CommonChoice.hidden
  var isASCII = false

  /// The picture that it shows of a layout.
  var pictureKey: GraphPicture.Key { GraphPicture.Key(zoom: zoom, isASCII: isASCII) }
}

extension GraphPlace {
  /// Creates a view from its value form; missing or malformed fields get their defaults.
  init(_ value: Value) {
    zoom = value["zoom"].integer.flatMap(GraphZoom.init) ?? .full
    if let x = value["x"].integer, let y = value["y"].integer, abs(x) < 1 << 30, abs(y) < 1 << 30 {
      origin = Point(x: x, y: y)
    }
    selected = value["selected"].text.map { Identifier($0) }
    common = value["common"].integer.flatMap(CommonChoice.init) ?? .hidden
    isASCII = value["ascii"].bool ?? false
  }

  /// The view as a record.
  var value: Value {
    var record: Record = [
      "zoom": .integer(zoom.rawValue), "common": .integer(common.rawValue), "ascii": .bool(isASCII),
    ]
    if let origin { (record["x"], record["y"]) = (.integer(origin.x), .integer(origin.y)) }
    if let selected { record["selected"] = .text(selected.text) }
    return .record(record)
  }
}
