/// Builds the mesh and the sticks of a cartoon from traces.
///
/// Helices are flat bands with round rims, strands boxes that end in an arrow, everything else a tube. Corners carry
/// the atom of their residue; they are white until colored.
struct CartoonBuilder {
  let style: CartoonStyle
  private let round: RibbonMesher
  private let box = RibbonMesher(profile: .box)
  private var mesh = TriangleMesh()
  private var sticks: [Cylinder] = []

  init(style: CartoonStyle) {
    self.style = style
    round = RibbonMesher(profile: .rounded(corners: style.corners))
    mesh.isClosed = true
  }

  /// Returns the mesh of ribbons and bases, and the sticks between them.
  ///
  /// - Complexity: O(residues × cuts × corners).
  static func build(_ traces: [BackboneTrace], style: CartoonStyle) -> (mesh: TriangleMesh, sticks: [Cylinder]) {
    var builder = CartoonBuilder(style: style)
    // An upper bound, as if all were round with extra cuts for ends; memory that is never written costs nothing.
    let corners = traces.reduce(0) { $0 + $1.nodes.count } * (style.cuts + 2) * style.corners
    builder.mesh.reserveCapacity(corners: corners, triangles: 2 * corners)
    for trace in traces where trace.nodes.count > 1 {
      switch trace.polymer {
      case .protein: builder.addProtein(trace)
      case .nucleic: builder.addNucleic(trace)
      }
    }
    return (builder.mesh, builder.sticks)
  }

  // MARK: Proteins

  private mutating func addProtein(_ trace: BackboneTrace) {
    let path = RibbonPath(trace)
    let strands = Self.strands(trace)
    let end = Float(trace.nodes.count - 1)
    var position: Float = 0
    for strand in strands {
      let from = max(0, Float(strand.lowerBound) - 0.5)
      let to = min(end, Float(strand.upperBound) + 0.5)
      addRound(trace, path, from: position, to: from)
      addStrand(trace, path, from: from, to: to)
      position = to
    }
    addRound(trace, path, from: position, to: end)
  }

  /// Returns the node ranges of the strands; single residues are not strands.
  static func strands(_ trace: BackboneTrace) -> [ClosedRange<Int>] {
    var strands: [ClosedRange<Int>] = []
    var start: Int?
    for index in 0...trace.nodes.count {
      let isStrand = index < trace.nodes.count && trace.nodes[index].shape == .strand
      if isStrand, start == nil { start = index }
      if !isStrand, let first = start {
        if index - first > 1 { strands.append(first...index - 1) }
        start = nil
      }
    }
    return strands
  }

  /// Adds tubes and helices between two positions.
  private mutating func addRound(_ trace: BackboneTrace, _ path: RibbonPath, from: Float, to: Float) {
    let rings = rings(trace, path, from: from, to: to) { position in
      let flatness = Self.flatness(trace, at: position)
      return SIMD2(
        style.tubeRadius + (style.helixWidth - style.tubeRadius) * flatness,
        style.tubeRadius + (style.helixHeight - style.tubeRadius) * flatness)
    }
    round.add(rings, to: &mesh)
  }

  /// Returns the degree to which a position is helix, 0 to 1; it changes smoothly halfway between two residues.
  private static func flatness(_ trace: BackboneTrace, at position: Float) -> Float {
    let index = min(max(0, Int(position)), trace.nodes.count - 2)
    let here: Float = trace.nodes[index].shape == .helix ? 1 : 0
    let next: Float = trace.nodes[index + 1].shape == .helix ? 1 : 0
    let t = min(max((position - Float(index) - 0.15) / 0.7, 0), 1)
    return here + (next - here) * t * t * (3 - 2 * t)
  }

  private mutating func addStrand(_ trace: BackboneTrace, _ path: RibbonPath, from: Float, to: Float) {
    let neck = max(from, to - style.arrowLength)
    let band = rings(trace, path, from: from, to: neck) { _ in SIMD2(style.strandWidth, style.strandHeight) }
    box.add(band, to: &mesh)
    let tip = style.tubeRadius * 0.5
    var head = rings(trace, path, from: neck, to: to) { position in
      let share = (to - position) / (to - neck)
      return SIMD2(tip + (style.arrowWidth - tip) * share, style.strandHeight)
    }
    if let first = head.first, let last = head.last {
      let length = (last.frame.place - first.frame.place).length
      let slope = length > 0.1 ? (tip - style.arrowWidth) / length : 0
      for index in head.indices { head[index].slope = slope }
    }
    box.add(head, to: &mesh)
  }

  // MARK: Nucleic acids

  private mutating func addNucleic(_ trace: BackboneTrace) {
    let path = RibbonPath(trace)
    let end = Float(trace.nodes.count - 1)
    let band = rings(trace, path, from: 0, to: end) { _ in SIMD2(style.nucleicWidth, style.nucleicHeight) }
    round.add(band, to: &mesh)
    for base in trace.bases {
      guard let anchor = base.outline.first else { continue }
      let atom = trace.nodes[base.node].atom
      sticks.append(
        Cylinder(
          start: path.frame(at: Float(base.node) + 0.5).place, end: anchor, radius: style.baseStickRadius,
          startColor: .white, endColor: .white, startAtom: atom, endAtom: base.atom))
      mesh.append(BaseSlab.mesh(base, height: style.baseHeight, margin: style.baseMargin))
    }
  }

  // MARK: Cuts

  /// Returns the cuts between two positions, both included; none if they are the same.
  private func rings(
    _ trace: BackboneTrace, _ path: RibbonPath, from: Float, to: Float, size: (Float) -> SIMD2<Float>
  ) -> [RibbonMesher.Ring] {
    guard to - from > 1e-3 else { return [] }
    let count = max(1, Int(((to - from) * Float(style.cuts)).rounded()))
    var rings: [RibbonMesher.Ring] = []
    rings.reserveCapacity(count + 1)
    for cut in 0...count {
      let position = cut == count ? to : from + (to - from) * Float(cut) / Float(count)
      let frame = path.frame(at: position, last: rings.last?.frame.across ?? SIMD3(1, 0, 0))
      let size = size(position)
      rings.append(
        RibbonMesher.Ring(frame: frame, width: size.x, height: size.y, atom: trace.atom(at: position)))
    }
    return rings
  }
}

extension BackboneTrace {
  /// Returns the scene's number of the residue at a position along the nodes.
  func atom(at position: Float) -> Int32 {
    let node = polymer == .protein ? Int(position.rounded()) : min(Int(position), nodes.count - 2)
    return nodes[min(max(0, node), nodes.count - 1)].atom
  }
}
