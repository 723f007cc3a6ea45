/// What stands at the end of a line.
enum EdgeHead: Sendable, Hashable {
  case none
  /// Something is made: a full triangle.
  case flow
  /// An open triangle.
  case activation
  /// A bar.
  case inhibition
  /// An open circle.
  case catalysis

  /// From where the line ends to its tip.
  var length: Double {
    switch self {
    case .none: 0
    case .flow: 8
    case .activation: 7
    case .inhibition: 2.5
    case .catalysis: 7
    }
  }

  /// The head between the end of its line and its tip.
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

/// How a line is drawn.
struct EdgeLook: Sendable, Hashable {
  var colour: PictureColour
  var width: Double
  var dashes: [Double] = []
  /// How much larger heads are than usual.
  var headScale = 1.0
  /// Which way the process runs, where that is laid over; nil if it is not.
  var turn: ProcessTurn?
}
