/// A line of segments that can be cut where it enters a node, and that has a direction at its ends.
struct PictureCurve: Sendable, Hashable {
  /// A cubic Bézier curve; a straight segment has its control points on it.
  struct Piece: Sendable, Hashable {
    var start: FrozenPath.Point
    var first: FrozenPath.Point
    var second: FrozenPath.Point
    var end: FrozenPath.Point
    var isStraight = false

    /// Returns a straight segment.
    static func line(_ start: FrozenPath.Point, _ end: FrozenPath.Point) -> Piece {
      Piece(
        start: start, first: start.towards(end, 1 / 3), second: start.towards(end, 2 / 3), end: end, isStraight: true)
    }

    /// Returns the point at a fraction of the segment, from 0 to 1.
    func point(_ share: Double) -> FrozenPath.Point { halves(share).before.end }

    /// Returns the parts before and after a fraction, by de Casteljau's algorithm.
    func halves(_ share: Double) -> (before: Piece, behind: Piece) {
      let (a, b, c) = (start.towards(first, share), first.towards(second, share), second.towards(end, share))
      let (d, e) = (a.towards(b, share), b.towards(c, share))
      let middle = d.towards(e, share)
      return (
        Piece(start: start, first: a, second: d, end: middle, isStraight: isStraight),
        Piece(start: middle, first: e, second: c, end: end, isStraight: isStraight)
      )
    }

    var reversed: Piece { Piece(start: end, first: second, second: first, end: start, isStraight: isStraight) }
  }

  var pieces: [Piece] = []

  /// Creates a line through vertices, which are rounded.
  init(corners: [FrozenPath.Point], radius: Double) {
    var points: [FrozenPath.Point] = []
    for corner in corners where points.last.map({ $0.distance(to: corner) > 0.01 }) ?? true { points.append(corner) }
    guard var last = points.first else { return }
    for index in points.indices.dropFirst().dropLast() {
      let (before, corner, next) = (points[index - 1], points[index], points[index + 1])
      let reach = min(radius, before.distance(to: corner) / 2, corner.distance(to: next) / 2)
      let (from, to) = (corner.moved(reach, towards: before), corner.moved(reach, towards: next))
      if last.distance(to: from) > 0.01 { pieces.append(.line(last, from)) }
      pieces.append(
        Piece(start: from, first: from.towards(corner, 0.6), second: to.towards(corner, 0.6), end: to))
      last = to
    }
    if let end = points.last, points.count > 1 { pieces.append(.line(last, end)) }
  }

  /// Creates a smooth line through points, each of which is further down (or each further up) than the one before.
  ///
  /// It leaves and arrives vertically and never overshoots a point horizontally.
  ///
  /// - Returns: The line; nil if the points change direction.
  /// - Source: F. N. Fritsch, R. E. Carlson, SIAM J. Numer. Anal. 17, 238 (1980), for slopes of monotone pieces; the
  ///   harmonic mean as one of F. N. Fritsch, J. Butland, SIAM J. Sci. Stat. Comput. 5, 300 (1984).
  init?(flowing places: [FrozenPath.Point]) {
    var points: [FrozenPath.Point] = []
    for point in places where points.last.map({ $0.distance(to: point) > 0.01 }) ?? true { points.append(point) }
    guard points.count > 1 else { return nil }
    let steps = zip(points, points.dropFirst()).map { (x: $1.x - $0.x, y: $1.y - $0.y) }
    let isDown = steps[0].y > 0
    guard steps.allSatisfy({ abs($0.y) > 0.01 && ($0.y > 0) == isDown }) else { return nil }
    // The horizontal offset for each step down.
    let slopes = steps.map { $0.x / $0.y }
    var tangents = [0.0]
    for (before, behind) in zip(slopes, slopes.dropFirst()) {
      tangents.append(before * behind > 0 ? 2 * before * behind / (before + behind) : 0)
    }
    tangents.append(0)
    for (index, step) in steps.enumerated() {
      let (start, end) = (points[index], points[index + 1])
      if abs(step.x) < 0.01 {
        pieces.append(.line(start, end))
        continue
      }
      // Longer control arms at the ends make the turns of wide segments rounder.
      let reach = tangents[index] == 0 && tangents[index + 1] == 0 ? step.y / 2 : step.y / 3
      pieces.append(
        Piece(
          start: start, first: .init(x: start.x + tangents[index] * reach, y: start.y + reach),
          second: .init(x: end.x - tangents[index + 1] * reach, y: end.y - reach), end: end))
    }
  }

  init(pieces: [Piece]) { self.pieces = pieces }

  var reversed: PictureCurve { PictureCurve(pieces: pieces.reversed().map(\.reversed)) }

  /// Returns the curve without the end that lies in an area.
  func cut(endIn isInside: (FrozenPath.Point) -> Bool) -> PictureCurve {
    var kept = pieces
    while let piece = kept.last {
      guard isInside(piece.end) else { return PictureCurve(pieces: kept) }
      if isInside(piece.start), kept.count > 1 {
        kept.removeLast()
        continue
      }
      if isInside(piece.start) { return PictureCurve(pieces: []) }
      var (low, high) = (0.0, 1.0)
      for _ in 0..<24 {
        let middle = (low + high) / 2
        if isInside(piece.point(middle)) { high = middle } else { low = middle }
      }
      kept[kept.count - 1] = piece.halves(low).before
      return PictureCurve(pieces: kept)
    }
    return self
  }

  /// Returns the curve shortened at its end by about a length.
  func shortened(by length: Double) -> PictureCurve {
    guard let end = pieces.last?.end else { return self }
    return cut { $0.distance(to: end) < length }
  }

  /// Returns points along the curve, no further apart than a step.
  func samples(step: Double) -> [FrozenPath.Point] {
    var found: [FrozenPath.Point] = []
    for piece in pieces {
      let length =
        piece.start.distance(to: piece.first) + piece.first.distance(to: piece.second)
        + piece.second.distance(to: piece.end)
      let count = max(1, min(400, Int((length / step).rounded(.up))))
      for index in 0..<count { found.append(piece.point(Double(index) / Double(count))) }
    }
    if let end = pieces.last?.end { found.append(end) }
    return found
  }

  var path: PicturePath {
    var path = PicturePath()
    for (index, piece) in pieces.enumerated() {
      if index == 0 { path.steps.append(.move(piece.start)) }
      path.steps.append(piece.isStraight ? .line(piece.end) : .curve(piece.first, piece.second, piece.end))
    }
    return path
  }
}
