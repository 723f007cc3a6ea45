/// The shape at the end of a line.
enum EdgeHead: Sendable, Hashable {
  case none
  /// Production: a filled triangle.
  case flow
  /// Activation: an open triangle.
  case activation
  /// Inhibition: a bar.
  case inhibition
  /// Catalysis: an open circle.
  case catalysis

  /// The distance from the end of the line to the tip.
  var length: Double {
    switch self {
    case .none: 0
    case .flow: 8
    case .activation: 7
    case .inhibition: 2.5
    case .catalysis: 7
    }
  }

  /// Returns the head between the end of its line and its tip.
  func shape(
    from base: FrozenPath.Point, to tip: FrozenPath.Point, _ look: EdgeLook, _ theme: PictureTheme, unit: Double
  ) -> PictureShape {
    let length = max(base.distance(to: tip), 1e-9)
    let (x, y) = ((tip.x - base.x) / length, (tip.y - base.y) / length)
    func side(_ along: FrozenPath.Point, _ reach: Double) -> FrozenPath.Point {
      .init(x: along.x - y * reach, y: along.y + x * reach)
    }
    let half = 0.42 * length
    switch self {
    case .inhibition:
      let reach = 5 * unit * look.headScale
      return .path(
        .line([side(tip, -reach), side(tip, reach)]),
        PictureStyle(stroke: look.colour, strokeWidth: max(2, look.width) * unit))
    case .catalysis:
      return .path(
        .circle(base.towards(tip, 0.5), radius: length / 2),
        PictureStyle(fill: theme.background, stroke: look.colour, strokeWidth: 1.3 * unit))
    case .activation:
      return .path(
        .line([side(base, -half), tip, side(base, half)], isClosed: true),
        PictureStyle(fill: theme.background, stroke: look.colour, strokeWidth: 1.3 * unit))
    case .flow, .none:
      return .path(.line([side(base, -half), tip, side(base, half)], isClosed: true), PictureStyle(fill: look.colour))
    }
  }
}

/// The style of a drawn line.
struct EdgeLook: Sendable, Hashable {
  var colour: PictureColour
  var width: Double
  var dashes: [Double] = []
  /// The scale of heads relative to the default.
  var headScale = 1.0
  /// The direction in which the process runs, if an overlay gives one; nil otherwise.
  var turn: ProcessTurn?
}
