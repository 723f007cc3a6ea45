import PluginAPI

/// How close a graph is looked at.
enum GraphZoom: Int, Sendable, CaseIterable {
  /// All of it in the window, a dot for what lies in a cell, without lines.
  case map
  /// A dot for each node.
  case dots
  /// A short label for each node.
  case names
  /// Boxes with labels.
  case full

  /// How the drawing for it is made; nil for the map, which has none.
  var drawing: TextDrawing.Zoom? {
    switch self {
    case .map: nil
    case .dots: .overview
    case .names: .names
    case .full: .full
    }
  }

  /// What the toolbar says.
  var title: String {
    switch self {
    case .map: "map"
    case .dots: "dots"
    case .names: "short labels"
    case .full: "labels"
    }
  }
}

/// What becomes of common molecules, such as ATP.
enum CommonChoice: Int, Sendable, CaseIterable {
  case hidden
  /// Hidden, and with them those that nobody called common but that have very many processes here.
  case hiddenWithBusy
  /// Drawn beside each of their processes.
  case beside
}

/// Where in a graph somebody is, so that they can come back there.
struct GraphPlace: Sendable, Hashable {
  var zoom = GraphZoom.full
  /// The first column and row of the drawing that are seen; nil where it was never looked at.
  var origin: Point?
  /// What the selected node stands for; nil if none is.
  var selected: Identifier?
  var common = CommonChoice.hidden
  var isASCII = false
}

extension GraphPlace {
  /// Takes a place from its value form; what is missing or wrong is as at first.
  init(_ value: Value) {
    zoom = value["zoom"].integer.flatMap(GraphZoom.init) ?? .full
    if let x = value["x"].integer, let y = value["y"].integer, abs(x) < 1 << 30, abs(y) < 1 << 30 {
      origin = Point(x: x, y: y)
    }
    selected = value["selected"].text.map { Identifier($0) }
    common = value["common"].integer.flatMap(CommonChoice.init) ?? .hidden
    isASCII = value["ascii"].bool ?? false
  }

  /// The place as a record.
  var value: Value {
    var record: Record = [
      "zoom": .integer(zoom.rawValue), "common": .integer(common.rawValue), "ascii": .bool(isASCII),
    ]
    if let origin { (record["x"], record["y"]) = (.integer(origin.x), .integer(origin.y)) }
    if let selected { record["selected"] = .text(selected.text) }
    return .record(record)
  }
}
