/// The sides of a process's square at which its lines meet it.
///
/// Consumed molecules arrive on one side and produced ones leave on another: above and below where the layout permits.
/// If both are on one side, one of them goes around to the right side of the square, or to the left.
struct ProcessPorts: Sendable, Hashable {
  /// True if products leave at the upper side.
  var isUpwards = false
  /// The edges that go around, by index.
  var turned: Set<Int> = []
  /// The distance from the center of the square to the lines that go around; negative on its left.
  private(set) var lane = 20.0
  /// True if a line that goes around leads up, or down.
  var turnsUp = false
  var turnsDown = false
  /// True if a line meets the upper side, or the lower one.
  var hasUpper = false
  var hasLower = false

  /// The distance from the border of the square to the point where side molecules' lines join.
  static let reach = 6.0

  /// An end of a line at a process.
  struct End {
    var edge: Int
    var isMade: Bool
    var isUpper: Bool
    /// The position of the line's other end, at the process's side of the page.
    var towards: Double
  }

  /// - Parameter isLeft: True if lines go around to the left side.
  init(_ ends: [End], isLeft: Bool = false) {
    if isLeft { lane.negate() }
    // If both sides have lines of both kinds, the same kind goes around above and below.
    var first: Bool?
    for isUpper in [true, false] {
      let own = ends.filter { $0.isUpper == isUpper }
      guard let isMadeTurned = turnsMade(own, ends.filter { $0.isUpper != isUpper }).map({ first ?? $0 }) else {
        continue
      }
      first = isMadeTurned
      for end in own where end.isMade == isMadeTurned {
        turned.insert(end.edge)
        if isUpper { turnsUp = true } else { turnsDown = true }
      }
    }
    let kept = ends.filter { !turned.contains($0.edge) }
    let upper = kept.filter(\.isUpper)
    (hasUpper, hasLower) = (!upper.isEmpty, upper.count < kept.count)
    isUpwards = hasUpper ? upper.allSatisfy(\.isMade) : hasLower && kept.allSatisfy { !$0.isMade }
  }

  /// Returns true if products go around, false if reactants do; nil if all lines on one side of the page are of one
  /// kind.
  private func turnsMade(_ own: [End], _ other: [End]) -> Bool? {
    let (made, used) = (own.filter(\.isMade), own.filter { !$0.isMade })
    guard !made.isEmpty, !used.isEmpty else { return nil }
    // The kind that has lines on the other side too goes around, so that the sides keep their meaning.
    let kinds = Set(other.map(\.isMade))
    if kinds.count == 1, let kind = kinds.first { return kind }
    func mean(_ ends: [End]) -> Double { ends.reduce(0) { $0 + $1.towards } / Double(ends.count) }
    return lane > 0 ? mean(made) >= mean(used) : mean(made) <= mean(used)
  }
}

extension PathwayPicture {
  /// Returns the ports of each process, by node index.
  static func ports(_ parts: PictureParts, _ layout: GraphLayout) -> [Int: ProcessPorts] {
    let graph = parts.graph
    var ends: [Int: [ProcessPorts.End]] = [:]
    for route in layout.routes where graph.edges[route.edge].kind == .flow && route.points.count > 1 {
      for isMade in [true, false] {
        let place = layout.places[isMade ? route.source : route.target]
        guard graph.nodes[place.node].kind == .process else { continue }
        let points = isMade ? route.points : route.points.reversed()
        guard let first = points.first, let last = points.last else { continue }
        let towards = points.first { abs($0.x - first.x) > 0.5 } ?? last
        ends[place.node, default: []].append(
          .init(edge: route.edge, isMade: isMade, isUpper: first.y < place.frame.y, towards: towards.x))
      }
    }
    var ports: [Int: ProcessPorts] = [:]
    for (process, ends) in ends {
      let left = ProcessPorts(ends, isLeft: true)
      ports[process] = hasRoomAtLeft(left, parts.sides[process]) ? left : ProcessPorts(ends)
    }
    return ports
  }

  /// Returns whether lines go around on the left: the left is empty, and molecules inside a wall are on the right.
  private static func hasRoomAtLeft(_ ports: ProcessPorts, _ sides: PictureParts.Sides?) -> Bool {
    guard let sides, ports.turnsUp != ports.turnsDown else { return false }
    let beside = ports.turnsUp == ports.isUpwards ? sides.made : sides.used
    return (sides.used + sides.made).contains(where: \.isInside) && beside.allSatisfy(\.isInside)
  }

  /// Returns the center of a process's name relative to the center of its square: below or above a line that goes
  /// around.
  func labelOffset(_ process: Int) -> FrozenPath.Point {
    let gap = parts.labelGap(process)
    if let inner = innerHeight(process, isUpper: true) {
      let isBesideLane = ports[process].map { !$0.turned.isEmpty && $0.lane > 0 } ?? false
      return .init(x: isBesideLane ? 26 : gap, y: -inner - parts.labels[process].height / 2)
    }
    guard let ports = ports[process], !ports.turned.isEmpty else { return .init(x: gap, y: 0) }
    if ports.turnsUp, ports.turnsDown { return .init(x: ports.lane + 6, y: 0) }
    let height = parts.labels[process].height / 2 + PictureParts.square / 2 + 2
    return .init(x: gap, y: ports.turnsUp ? height : -height)
  }

  /// Returns the distance that the molecules inside the wall extend up or down from the square; nil if there are none.
  private func innerHeight(_ process: Int, isUpper: Bool) -> Double? {
    guard let sides = parts.sides[process], (sides.used + sides.made).contains(where: \.isInside) else { return nil }
    let isUpwards = ports[process]?.isUpwards ?? false
    let list = (isUpper == isUpwards ? sides.made : sides.used).filter(\.isInside)
    return max(PictureParts.height(list), PictureParts.square / 2 + 2)
  }

  /// Returns the distance from the square at which the modifiers of its process begin.
  func modifierStart(of process: Int, _ sign: Double) -> Double {
    if let inner = innerHeight(process, isUpper: false) { return sign * inner }
    return labelOffset(process).y + sign * (parts.labels[process].height / 2 + PictureParts.sideGap)
  }

  /// Returns the distance by which a square moves from the middle of its space to make room beside a line that goes
  /// around.
  func squareShift(_ place: GraphLayout.Place) -> Double {
    guard let ports = ports[place.node], ports.turnsUp != ports.turnsDown,
      innerHeight(place.node, isUpper: true) == nil
    else { return 0 }
    let sides = parts.sides[place.node] ?? PictureParts.Sides()
    let sign = ports.turnsUp ? 1.0 : -1.0
    let modifiers = PictureParts.height(sides.helpers) + PictureParts.height(sides.inhibitors)
    let needed = PictureParts.square / 2 + 2 + parts.labels[place.node].height + modifiers
    let isUsedOpposite = ports.isUpwards != ports.turnsUp
    let opposite = PictureParts.height(isUsedOpposite ? sides.used : sides.made)
    let half = place.frame.height / 2
    return -sign * max(0, min(needed - half, half - max(opposite, PictureParts.square)))
  }
}
