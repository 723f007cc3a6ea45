/// A rectangle of the coefficient plane, and its derivation from the one that contains it.
///
/// - Source: IAFIS-IC-0110 (V3), figure of the 64 subbands.
struct WSQRegion: Equatable {
  var (x, y, width, height): (Int, Int, Int, Int)
  /// True if the high-pass half of the columns, or rows, comes first.
  ///
  /// The right and the lower half of each decomposition hold high frequencies, in which a further decomposition turns
  /// the order of frequencies round.
  var (turnsColumns, turnsRows) = (false, false)

  init(x: Int = 0, y: Int = 0, width: Int, height: Int, turnsColumns: Bool = false, turnsRows: Bool = false) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
    (self.turnsColumns, self.turnsRows) = (turnsColumns, turnsRows)
  }

  /// Returns the length of the first part; for an odd length the low-pass half has one more.
  static func first(of length: Int, isTurned: Bool) -> Int { isTurned ? length / 2 : (length + 1) / 2 }

  /// Its four parts: upper left and right, then lower left and right.
  var parts: [WSQRegion] {
    let left = Self.first(of: width, isTurned: turnsColumns)
    let upper = Self.first(of: height, isTurned: turnsRows)
    return [false, true].flatMap { isLower in
      [false, true].map { isRight in
        WSQRegion(
          x: isRight ? x + left : x, y: isLower ? y + upper : y, width: isRight ? width - left : left,
          height: isLower ? height - upper : upper, turnsColumns: isRight, turnsRows: isLower)
      }
    }
  }
}

/// The regions of all subbands in the plane, and the order in which regions are joined.
struct WSQSubbands {
  /// The coded subbands in the order in which they are coded.
  private(set) var bands: [WSQRegion] = []
  /// The regions whose four parts are joined, smallest first.
  private(set) var joints: [WSQRegion] = []

  init(width: Int, height: Int) {
    let image = WSQRegion(width: width, height: height)
    let halves = image.parts
    let quarters = halves[0].parts
    let eighths = quarters[0].parts
    let sixteenths = eighths[0].parts
    // 0–3, 4–6, 7–18.
    bands = sixteenths[0].parts + sixteenths[1...] + eighths[1...].flatMap(\.parts)
    // 19–34, 35–50, 51.
    bands += quarters[1...2].flatMap { $0.parts.flatMap(\.parts) } + [quarters[3]]
    // 52–55, 56–59; the lower right half, 60–63, is not coded.
    bands += halves[1...2].flatMap(\.parts)
    joints = [sixteenths[0]] + eighths + quarters[1...2].flatMap(\.parts)
    joints += quarters[0...2] + halves[0...2] + [image]
  }
}
