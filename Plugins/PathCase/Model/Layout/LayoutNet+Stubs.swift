/// Molecules that are drawn directly beside a process, outside the layers.
extension LayoutNet {
  /// A molecule at the left or right border of a vertex.
  struct Stub: Sendable {
    var node: Int
    var clone: Int
    var size: LayoutOptions.Size
    /// The vertex beside which it lies.
    var host: Int
    var isLeft: Bool
    /// The number of stubs above it on its side.
    var place = 0
    /// The number of stubs on its side.
    var count = 1
    var lines: [Line] = []
  }

  /// The gap between a stub and the border of its process.
  static let stubGap = 24.0
  /// The maximum height of a stub.
  private static let stubHeight = 18.0

  /// Removes clones of common molecules from the vertices; their processes grow to make room for them.
  ///
  /// Consumed molecules are on the left, produced ones on the right.
  mutating func makeStubs(_ isStub: (Vertex) -> Bool) {
    let hosted = vertices.map(isStub)
    guard hosted.contains(true) else { return }
    var numbers = [Int](repeating: -1, count: vertices.count)
    var kept: [Vertex] = []
    for (index, vertex) in vertices.enumerated() where !hosted[index] {
      numbers[index] = kept.count
      kept.append(vertex)
    }
    var stubOf: [Int: Int] = [:]
    var rest: [Line] = []
    for var line in lines {
      let isLeft = hosted[line.source]
      guard isLeft || hosted[line.target] else {
        (line.source, line.target) = (numbers[line.source], numbers[line.target])
        rest.append(line)
        continue
      }
      let (own, host) = isLeft ? (line.source, line.target) : (line.target, line.source)
      let stub = stubOf[own] ?? stubs.count
      if stub == stubs.count {
        stubOf[own] = stub
        let size = LayoutOptions.Size(
          width: vertices[own].size.width, height: min(vertices[own].size.height, Self.stubHeight))
        stubs.append(
          Stub(node: vertices[own].node, clone: vertices[own].clone, size: size, host: numbers[host], isLeft: isLeft))
      }
      stubs[stub].lines.append(line)
    }
    vertices = kept
    lines = rest
    arrangeStubs()
  }

  /// Numbers the stubs of each side and makes room for them.
  private mutating func arrangeStubs() {
    var sides = [[Int]](repeating: [], count: 2 * vertices.count)
    for (number, stub) in stubs.enumerated() { sides[2 * stub.host + (stub.isLeft ? 0 : 1)].append(number) }
    for vertex in vertices.indices {
      var (width, height) = (0.0, 0.0)
      for side in [sides[2 * vertex], sides[2 * vertex + 1]] {
        for (place, number) in side.enumerated() {
          stubs[number].place = place
          stubs[number].count = side.count
          width = max(width, stubs[number].size.width + Self.stubGap)
        }
        height = max(height, side.reduce(0) { $0 + stubs[$1].size.height })
      }
      vertices[vertex].size.height = max(vertices[vertex].size.height, height)
      vertices[vertex].room = LayoutOptions.Size(
        width: vertices[vertex].size.width + 2 * width, height: vertices[vertex].size.height)
    }
  }

  /// Returns the frame of a stub, given the frame of its host.
  func frame(_ stub: Stub, beside host: GraphFrame) -> GraphFrame {
    let side = stub.isLeft ? -1.0 : 1
    return GraphFrame(
      x: host.x + side * (host.width / 2 + Self.stubGap + stub.size.width / 2),
      y: host.y + (Double(stub.place) + 0.5 - Double(stub.count) / 2) * stub.size.height, width: stub.size.width,
      height: stub.size.height)
  }

  /// Returns the line from a stub to its host, or back.
  func points(_ stub: Stub, _ line: Line, beside host: GraphFrame) -> [FrozenPath.Point] {
    let frame = frame(stub, beside: host)
    let side = stub.isLeft ? 1.0 : -1
    // Stored frames may be lower than the stubs beside them.
    let height = min(max(frame.y, host.y - host.height / 2), host.y + host.height / 2)
    let ends = [
      FrozenPath.Point(x: frame.x + side * frame.width / 2, y: frame.y),
      FrozenPath.Point(x: host.x - side * host.width / 2, y: height),
    ]
    return stub.isLeft == (stub.lines.first?.source == line.source) ? ends : ends.reversed()
  }
}
