/// A comparison that detects whether two pictures show the same finger, to warn of a finger captured twice.
///
/// It does not identify people.
///
/// The second picture is rotated and shifted onto the first by the phases of a large square. Then small squares all
/// over the finger are compared one by one, as skin distorts, but only a little from one to the next.
///
/// - Source: Ito et al., IEICE Trans. Fundamentals E87-A (2004), 682, for turning, moving and comparing; the squares after
///   Ito, Morita, Aoki, Higuchi, Nakajima and Kobayashi, "A fingerprint recognition algorithm using phase-based image
///   matching for low-quality fingerprints", ICIP 2005.
struct SameFinger: Sendable {
  /// The similarity from which two pictures count as the same finger.
  ///
  /// - Source: measured on synthetic fingers, see Documentation/WSABI/Quality.md.
  static let threshold: Float = 0.12
  /// The similarity under which two pictures count as different fingers; in between there is no verdict.
  static let differentBelow: Float = 0.10

  private static let edge = 128
  private static let patch = 32
  private static let band = 16
  /// The distance between the small squares, in cells.
  private static let pitch: Float = 16
  /// The number of small squares on each side of the center.
  private static let reach = 6
  /// A square counts if so much of it is finger.
  private static let leastCover: Float = 0.6
  /// The tolerance for skin distortion, in steps of a small square's function: 2 cells, a fifth of a millimeter.
  private static let give = 3

  /// The number of peaks of the large square that are examined closely.
  private static let mostTries = 4

  private let large = PhaseCorrelation(edge: edge, bandEdge: 64)
  private let small = PhaseCorrelation(edge: patch, bandEdge: band)
  /// In radians.
  private let turns: [Float]

  /// - Parameters:
  ///   - mostTurn: The largest rotation of a finger between two captures, in degrees.
  init(mostTurn: Int = 24) {
    turns = stride(from: -mostTurn, through: mostTurn, by: 3).map { Float($0) * SynthesisMath.pi / 180 }
  }

  /// A finger prepared for comparisons.
  struct Prepared: Sendable {
    fileprivate let field: RidgeField
    /// The phases of the large square, and of the same turned by each of the turns.
    fileprivate let phases: ComplexField
    fileprivate let turned: [ComplexField]
  }

  /// Prepares a finger for any number of comparisons.
  ///
  /// - Complexity: some dozen transforms of 128 × 128 cells.
  func prepared(_ field: RidgeField) -> Prepared {
    func phases(_ turn: Float) -> ComplexField {
      large.phases(field.square(atX: field.middle.x, y: field.middle.y, turn: turn, edge: Self.edge))
    }
    return Prepared(field: field, phases: phases(0), turned: turns.map(phases))
  }

  /// Returns the similarity of two fingers: under 0.1 for different ones, up to 1.
  ///
  /// - Complexity: a transform of 64 × 64 for each turn, and some for each of about fifty small squares.
  func likeness(_ first: Prepared, _ second: Prepared) -> Float {
    guard first.field.area > 3000, second.field.area > 3000 else { return 0 }
    let tries = zip(turns, second.turned).map { (turn: $0, peak: large.peak(first.phases, $1)) }
    // The highest peak can be random, so the next ones are examined too.
    return tries.sorted { $0.peak.height > $1.peak.height }.prefix(Self.mostTries).map { place in
      Self.likeness(of: surfaces(first.field, second.field, place.turn, place.peak))
    }.max() ?? 0
  }

  /// Returns the correlations of the small squares, row by row; nil where either finger does not reach.
  private func surfaces(
    _ first: RidgeField, _ second: RidgeField, _ turn: Float, _ peak: PhaseCorrelation.Peak
  ) -> [[Float]?] {
    let (cosine, sine) = (SynthesisMath.cos(turn), SynthesisMath.sin(turn))
    var surfaces: [[Float]?] = []
    for row in -Self.reach...Self.reach {
      for column in -Self.reach...Self.reach {
        let (dx, dy) = (Float(column) * Self.pitch, Float(row) * Self.pitch)
        let here = first.square(atX: first.middle.x + dx, y: first.middle.y + dy, turn: 0, edge: Self.patch)
        let (movedX, movedY) = (dx + peak.right, dy + peak.down)
        let there = second.square(
          atX: second.middle.x + movedX * cosine - movedY * sine,
          y: second.middle.y + movedX * sine + movedY * cosine, turn: turn, edge: Self.patch)
        let isCovered = Self.cover(here) >= Self.leastCover && Self.cover(there) >= Self.leastCover
        surfaces.append(isCovered ? small.surface(small.phases(here), small.phases(there)) : nil)
      }
    }
    return surfaces
  }

  /// Returns the mean peak of the small squares, each summed with its neighbors.
  private static func likeness(of surfaces: [[Float]?]) -> Float {
    let side = 2 * reach + 1
    var (sum, count): (Float, Float) = (0, 0)
    for row in 0..<side {
      for column in 0..<side where surfaces[row * side + column] != nil {
        var (total, summed) = ([Float](repeating: 0, count: band * band), Float(0))
        for y in max(0, row - 1)...min(side - 1, row + 1) {
          for x in max(0, column - 1)...min(side - 1, column + 1) {
            guard let surface = surfaces[y * side + x] else { continue }
            for place in total.indices { total[place] += surface[place] }
            summed += 1
          }
        }
        if summed < 4 { continue }
        sum += highest(total) / summed
        count += 1
      }
    }
    // A few squares are not evidence.
    return count >= 10 ? sum / count : 0
  }

  /// Returns the peak near the center, within the reach of skin distortion.
  private static func highest(_ surface: [Float]) -> Float {
    var highest: Float = 0
    for row in -give...give {
      for column in -give...give {
        highest = max(highest, surface[((row + band) % band) * band + (column + band) % band])
      }
    }
    return highest
  }

  /// Returns the share of a square that shows a finger.
  private static func cover(_ square: [Float]) -> Float {
    Float(square.count { $0 != 0 }) / Float(square.count)
  }
}
