extension GPMLReader {
  /// Creates compartments from shapes drawn as cell components, and assigns their contents to them.
  mutating func addCompartments() throws(MapError) {
    var found: [GraphCompartment] = []
    for index in elements("Shape") {
      guard let component = component(of: index),
        let frame = try tree[index].placing({ () throws(MapError) in try self.frame(of: index) }), frame.width > 0,
        frame.height > 0
      else { continue }
      let text = MapText.oneLine(tree[index][version.label] ?? "")
      found.append(
        GraphCompartment(
          id: id(of: index), name: text.isEmpty ? component : text, parent: nil, frame: frame, style: style(of: index)))
    }
    // Larger ones come first: a compartment precedes those it contains.
    let order = found.indices.sorted { left, right in
      let (first, second) = (Self.area(found[left]), Self.area(found[right]))
      return first == second ? left < right : first > second
    }
    var compartments = order.prefix(Self.mostCompartments).map { found[$0] }
    if found.count > compartments.count {
      builder.warn("map-simplified", "of \(found.count) compartments the largest \(compartments.count) are kept")
    }
    for index in compartments.indices {
      compartments[index].parent = compartments[..<index].lastIndex { outer in
        guard let outer = outer.frame, let inner = compartments[index].frame else { return false }
        return outer.contains(inner)
      }
    }
    builder.graph.compartments = compartments
    // Later compartments are smaller: the last that contains a node is the innermost.
    for index in builder.graph.nodes.indices {
      guard let frame = builder.graph.nodes[index].frame else { continue }
      builder.graph.nodes[index].compartment = compartments.lastIndex { $0.frame?.contains(frame.x, frame.y) ?? false }
    }
  }

  /// The maximum number of compartments, since each is compared with each node; real maps have some ten.
  private static let mostCompartments = 1000

  private static func area(_ compartment: GraphCompartment) -> Double {
    compartment.frame.map { $0.width * $0.height } ?? 0
  }

  /// Returns the cell component that a shape represents; nil if there is none.
  func component(of index: Int) -> String? {
    for name in ["Attribute", "Property"] {
      for child in tree.children(of: index, named: name) {
        let key = tree[child]["Key"] ?? tree[child]["key"]
        guard key == "org.pathvisio.CellularComponentProperty" else { continue }
        let value = tree[child]["Value"] ?? tree[child]["value"] ?? ""
        if !value.isEmpty, value != "None" { return value }
      }
    }
    return nil
  }
}

extension GraphFrame {
  /// Returns whether a point is in the frame.
  func contains(_ x: Double, _ y: Double) -> Bool {
    abs(x - self.x) <= width / 2 && abs(y - self.y) <= height / 2
  }

  /// Returns whether another frame is entirely in this one.
  func contains(_ other: GraphFrame) -> Bool {
    abs(other.x - x) + other.width / 2 <= width / 2 && abs(other.y - y) + other.height / 2 <= height / 2
  }
}
