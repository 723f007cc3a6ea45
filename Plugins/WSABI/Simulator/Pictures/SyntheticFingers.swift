import PluginText

/// Images of one or several fingers, as a fingerprint sensor delivers them.
struct SyntheticFingers: Sendable {
  /// The visible fingers, 1 (right thumb) to 10 (left little finger), from left to right.
  let positions: [Int]
  let isRolled: Bool
  private let impressions: [FingerImpression]
  private(set) var image: SimulatedImage
  private var nextRow = 0
  private let scale: Float
  /// Noise added to the white of the glass.
  private let glass: SmoothNoise

  /// Creates the fingers that a submodality shows; nil for one that shows no finger.
  ///
  /// - Parameters:
  ///   - impression: The number of the capture, which varies the placement.
  ///   - pixelsPerInch: 500 is usual.
  init?(_ submodality: String, seed: UInt64, impression: Int, pixelsPerInch: Int) {
    let positions = SimulatedFingers.positions(submodality)
    guard !positions.isEmpty else { return nil }
    self.positions = positions
    isRolled = submodality.lowercased().hasSuffix("rolled")
    scale = Float(pixelsPerInch) / 500
    var chance = SeededChance(seed, impression &* 131 &+ (positions.first ?? 0))
    let size = Self.size(positions.count, isRolled: isRolled)
    impressions = Self.impressions(positions, isRolled: isRolled, size, &chance)
    image = SimulatedImage(
      width: Int(Float(size.width) * scale), height: Int(Float(size.height) * scale), gray: 0,
      pixelsPerInch: Double(pixelsPerInch))
    glass = SmoothNoise(seed, impression)
  }

  /// True if the whole image is drawn.
  var isDone: Bool { nextRow >= image.height }

  /// Draws some rows.
  ///
  /// - Parameter masters: Those of ``positions``, in the same order.
  mutating func draw(_ masters: [FingerMaster], rows: Int = 48) {
    let end = min(image.height, nextRow + rows)
    for row in nextRow..<end {
      for column in 0..<image.width {
        let noise = glass.value(Float(column) / 90, Float(row) / 90) * 2
        image.pixels[row * image.width + column] = UInt8(250 + noise)
      }
    }
    for (master, impression) in zip(masters, impressions) {
      impression.draw(master, into: &image, rows: nextRow..<end, scale: scale)
    }
    nextRow = end
  }

  /// Returns the size in 500ths of an inch.
  private static func size(_ count: Int, isRolled: Bool) -> (width: Int, height: Int) {
    count > 1 ? (1600, 1500) : isRolled ? (640, 720) : (400, 500)
  }

  private static func impressions(
    _ positions: [Int], isRolled: Bool, _ size: (width: Int, height: Int), _ chance: inout SeededChance
  ) -> [FingerImpression] {
    let middle = (x: Float(size.width) / 2, y: Float(size.height) / 2)
    if positions.count == 1 {
      return [
        FingerImpression(
          x: middle.x, y: middle.y, turn: 0, halfWidth: isRolled ? 272 : 165, halfHeight: isRolled ? 320 : 218, &chance)
      ]
    }
    let pitch = Float(size.width) / Float(positions.count)
    return positions.enumerated().map { index, position in
      let center = (Float(index) + 0.5) * pitch
      let lean = (center - middle.x) / middle.x
      let isThumb = position == 1 || position == 6
      // The middle finger reaches highest, the little one lowest.
      let drop: Float = isThumb ? 0 : [60, 0, 40, 190][(position - 2) % 5 % 4]
      return FingerImpression(
        x: center, y: middle.y - 120 + drop, turn: isThumb ? lean * 0.1 : lean * 0.16,
        halfWidth: isThumb ? 220 : (position % 5 == 0 ? 140 : 165), halfHeight: isThumb ? 300 : 270, &chance)
    }
  }
}

/// The placement of one finger on a sensor; no two impressions are the same.
struct FingerImpression: Sendable {
  /// The middle of the finger in the picture, in 500ths of an inch.
  var x: Float
  var y: Float
  /// The rotation, in radians.
  var turn: Float
  /// The half extents of the area that touches the glass, in 500ths of an inch from the center.
  var halfWidth: Float
  var halfHeight: Float
  /// The pressure, -1 … 1; higher pressure widens the ridges.
  var pressure: Float
  let noiseSeed: UInt64

  /// Creates an impression around a point.
  init(x: Float, y: Float, turn: Float, halfWidth: Float, halfHeight: Float, _ chance: inout SeededChance) {
    self.x = x + chance.between(-14, 14)
    self.y = y + chance.between(-16, 16)
    self.turn = turn + chance.between(-0.12, 0.12)
    self.halfWidth = halfWidth * chance.between(0.94, 1.03)
    self.halfHeight = halfHeight * chance.between(0.95, 1.03)
    pressure = chance.between(-0.6, 0.6)
    noiseSeed = chance.next()
  }

  /// Draws rows of it into a picture, darker where ridges touch.
  ///
  /// - Parameter scale: Pixels of the picture for a 500th of an inch.
  func draw(_ master: FingerMaster, into image: inout SimulatedImage, rows: Range<Int>, scale: Float) {
    let (cosine, sine) = (PolynomialMath.cos(turn), PolynomialMath.sin(turn))
    let (bend, skin, edge) = (SmoothNoise(noiseSeed, 1), SmoothNoise(noiseSeed, 2), SmoothNoise(noiseSeed, 3))
    let reach = (max(halfWidth, halfHeight) + 30) * scale
    let columns = max(0, Int(x * scale - reach))..<max(0, min(image.width, Int(x * scale + reach)))
    for row in rows where abs(Float(row) - y * scale) < reach {
      for column in columns {
        let (dx, dy) = (Float(column) / scale - x, Float(row) / scale - y)
        let (across, down) = (dx * cosine + dy * sine, dy * cosine - dx * sine)
        let contact = contact(across, down, edge)
        if contact <= 0 { continue }
        // Skin distorts: the same ridges are at slightly different positions each time.
        let shift = (bend.value(across / 110, down / 110) * 4, bend.value(down / 110 + 40, across / 110) * 4)
        let ridge = master.ridge((across + shift.0) / 2, (down + shift.1) / 2)
        let moisture = skin.sum(across / 45, down / 45, octaves: 3) * 0.75 + pressure * 0.4
        let fine = skin.value(across / 1.7 + 300, down / 1.7) * 0.5
        let ink = PictureMath.step(-0.45, 0.5, ridge + moisture + fine * 0.6) * contact
        let gray = 243 - ink * (188 + fine * 50)
        let index = row * image.width + column
        image.pixels[index] = UInt8(max(0, min(Float(image.pixels[index]), gray)))
      }
    }
  }

  /// Returns the contact of a point with the glass, 0 … 1: an oval that is flatter below, with a ragged edge.
  private func contact(_ across: Float, _ down: Float, _ edge: SmoothNoise) -> Float {
    let height = down > 0 ? halfHeight * 1.02 : halfHeight
    let (u, v) = (across / halfWidth, down / height)
    // Between an ellipse and a rectangle; below the joint the finger does not taper.
    let squared = u * u * (down > 0 ? 1 - 0.1 * v : 1)
    let distance = squared * squared * 0.35 + squared * 0.65 + v * v * v * v * 0.5 + v * v * 0.5
    let ragged = edge.sum(across / 16, down / 16, octaves: 2) * 0.1
    return 1 - PictureMath.step(0.86, 1.0, distance + ragged)
  }
}

/// The ridges of one finger, from which each impression is taken.
struct FingerMaster: Sendable {
  /// In cells of a 250th of an inch: enough for a rolled finger.
  static let width = 300
  static let height = 380

  /// The strength of the ridge at each cell, -1 … 1, row by row from the top.
  let cells: [Float]
  let kind: FingerPattern.Kind
  let position: Int
  let person: Int

  /// Returns the growth that makes a master; the caller decides how to run it.
  static func growth(seed: UInt64, person: Int, position: Int) -> RidgeGrowth {
    let pattern = FingerPattern(seed: seed, person: person, position: position)
    return RidgeGrowth(
      pattern, seed: seed &+ UInt64(truncatingIfNeeded: person &* 4096 &+ position), width: width, height: height)
  }

  init(_ growth: RidgeGrowth, seed: UInt64, person: Int, position: Int) {
    cells = growth.cells
    kind = FingerPattern(seed: seed, person: person, position: position).kind
    (self.person, self.position) = (person, position)
  }

  /// Returns the strength of the ridge at a point, in cells to the right and down from the center; 0 outside.
  func ridge(_ x: Float, _ y: Float) -> Float {
    let (column, row) = (x + Float(Self.width) / 2, y + Float(Self.height) / 2)
    let (left, top) = (Int(column.rounded(.down)), Int(row.rounded(.down)))
    guard left >= 1, top >= 1, left < Self.width - 2, top < Self.height - 2 else { return 0 }
    let (fractionX, fractionY) = (column - Float(left), row - Float(top))
    var sum: Float = 0
    for dy in -1...2 {
      let line = (top + dy) * Self.width + left
      let across =
        Self.weight(fractionX + 1) * cells[line - 1] + Self.weight(fractionX) * cells[line]
        + Self.weight(1 - fractionX) * cells[line + 1] + Self.weight(2 - fractionX) * cells[line + 2]
      sum += Self.weight(abs(fractionY - Float(dy))) * across
    }
    return sum
  }

  /// - Source: Keys, "Cubic convolution interpolation for digital image processing", IEEE ASSP-29 (1981), a = -1/2.
  private static func weight(_ distance: Float) -> Float {
    distance < 1
      ? (1.5 * distance - 2.5) * distance * distance + 1
      : distance < 2 ? ((-0.5 * distance + 2.5) * distance - 4) * distance + 2 : 0
  }
}

/// The ridge flow of one finger: its singular points and its directions.
///
/// Coordinates are in units of half the width of a finger, x to the right, y upwards, from the center of its last
/// joint.
///
/// - Source: Sherlock and Monro, "A model for interpreting fingerprint topology", Pattern Recognition 26 (1993), 1047:
///   half the angles to the cores, less half the angles to the deltas; the arch after Cappelli, Maio and Maltoni,
///   "Synthetic fingerprint-image generation", ICPR 2000.
struct FingerPattern: Sendable, Hashable {
  /// The classes of Galton and Henry.
  enum Kind: String, CaseIterable, Sendable {
    case arch
    case tentedArch
    /// Its ridges leave to the left, as seen in the picture.
    case leftLoop
    case rightLoop
    case whorl
  }

  struct Point: Sendable, Hashable {
    var x: Float
    var y: Float
  }

  let kind: Kind
  private let cores: [Point]
  private let deltas: [Point]
  /// The rise of the ridges in the middle of an arch, in radians.
  private let rise: Float

  /// Creates the pattern of a person's finger.
  ///
  /// - Parameter position: 1 (right thumb) to 10 (left little finger).
  init(seed: UInt64, person: Int, position: Int) {
    var chance = SeededChance(seed, person &* 64 &+ position)
    let part = chance.below(100)
    // About as often as in people: whorls 30 %, loops 64 %, most of them towards the little finger, arches 6 %.
    let isRightHand = position <= 5
    let kind: Kind =
      part < 30
      ? .whorl
      : part < 89
        ? (isRightHand ? .rightLoop : .leftLoop)
        : part < 94 ? (isRightHand ? .leftLoop : .rightLoop) : part < 98 ? .arch : .tentedArch
    self.init(kind, &chance)
  }

  /// Creates a pattern of a kind, with random positions.
  init(_ kind: Kind, _ chance: inout SeededChance) {
    self.kind = kind
    rise = chance.between(0.6, 0.9)
    let core = Point(x: chance.between(-0.08, 0.08), y: chance.between(0.0, 0.2))
    let side = chance.between(0.55, 0.75)
    let depth = chance.between(0.6, 0.85)
    switch kind {
    case .arch: (cores, deltas) = ([], [])
    case .tentedArch:
      (cores, deltas) = ([core], [Point(x: core.x + chance.between(-0.04, 0.04), y: core.y - 0.55)])
    case .rightLoop: (cores, deltas) = ([core], [Point(x: core.x - side, y: core.y - depth)])
    case .leftLoop: (cores, deltas) = ([core], [Point(x: core.x + side, y: core.y - depth)])
    case .whorl:
      let height = chance.between(0.12, 0.3)
      let lean = chance.between(-0.1, 0.1)
      cores = [Point(x: core.x - lean, y: core.y + height / 2), Point(x: core.x + lean, y: core.y - height / 2)]
      deltas = [
        Point(x: core.x - side - 0.1, y: core.y - depth),
        Point(x: core.x + side + 0.1, y: core.y - depth + chance.between(-0.12, 0.12)),
      ]
    }
  }

  /// Returns the direction of the ridges at a point, in radians from the x axis; directions that differ by π are the
  /// same.
  func direction(_ x: Float, _ y: Float) -> Float {
    // Around the tip ridges follow its outline; near the joint they run across.
    let side = PolynomialMath.sin(PolynomialMath.pi / 2 * min(1, max(-1, x)))
    let around = -side * PictureMath.step(0.1, 1.5, y) * 0.75
    if kind == .arch {
      let strength = rise * PictureMath.step(-1.5, -0.3, y) * (1 - PictureMath.step(0.2, 1.4, y) * 0.6)
      return -strength * PolynomialMath.sin(PolynomialMath.pi * min(1, max(-1, x))) + around / 2
    }
    // A single core leaves the far sides too level.
    let fall: Float =
      kind == .whorl ? 0 : 0.55 * PictureMath.step(-1.3, -0.1, y) * (1 - PictureMath.step(0.3, 1.4, y) * 0.6)
    var direction = around - side * fall
    for core in cores { direction += PictureMath.angle(y - core.y, x - core.x) / 2 }
    for delta in deltas { direction -= PictureMath.angle(y - delta.y, x - delta.x) / 2 }
    return direction
  }
}

/// The growth of ridges from noise until they follow a pattern, one step at a time.
///
/// Each step filters the image at every point with a wave of the local direction and width. Where the waves of
/// neighbors do not meet, ridges end or fork: the minutiae.
///
/// - Source: Cappelli, Maio and Maltoni, "Synthetic fingerprint-image generation", ICPR 2000: Gabor filters applied again
///   and again; here from noise instead of single spots.
struct RidgeGrowth: Sendable {
  /// In cells of a 250th of an inch.
  let width: Int
  let height: Int
  /// The number of growth steps.
  static let stepCount = 22
  private(set) var steps = 0
  /// From -1 (valley) to 1 (ridge), row by row from the top.
  private(set) var cells: [Float]
  /// The filter of each cell.
  private var filterOfCell: [Int16]
  private let filters: [[SIMD16<Float>]]

  /// The reach of a filter, in cells.
  private static let reach = 6
  private static let directionCount = 36
  private static let widths: [Float] = [4.1, 4.4, 4.7, 5.0]

  init(_ pattern: FingerPattern, seed: UInt64, width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    var chance = SeededChance(seed, 1)
    cells = (0..<(width * height)).map { _ in chance.between(-1, 1) }
    filters = Self.widths.flatMap { width in
      (0..<Self.directionCount).map { Self.filter(Float($0) * PolynomialMath.pi / Float(Self.directionCount), width) }
    }
    filterOfCell = [Int16](repeating: 0, count: width * height)
    let noise = SmoothNoise(seed, 2)
    let half = Float(width) / 2
    for row in 0..<height {
      for column in 0..<width {
        let (x, y) = ((Float(column) + 0.5) / half - 1, (Float(height) * 0.52 - Float(row)) / half)
        // Ridges are wider near the joint and finer above the core.
        let wide = 1.4 - y * 0.5 + noise.value(Float(column) / 60, Float(row) / 60) * 1.3
        let size = min(Self.widths.count - 1, max(0, Int(wide.rounded())))
        var turns = pattern.direction(x, y) / PolynomialMath.pi
        turns -= turns.rounded(.down)
        let direction = Int(turns * Float(Self.directionCount)) % Self.directionCount
        filterOfCell[row * width + column] = Int16(size * Self.directionCount + direction)
      }
    }
  }

  /// True if the ridges are fully grown.
  var isDone: Bool { steps >= Self.stepCount }

  /// Lets them grow by one step.
  ///
  /// - Complexity: O(*cells*), some hundred multiplications for each.
  mutating func step() {
    // A border of zeros around the cells, so that filters need no bounds checks.
    let (reach, stride) = (Self.reach, width + 2 * Self.reach + 4)
    var framed = [Float](repeating: 0, count: stride * (height + 2 * reach))
    for row in 0..<height {
      framed.replaceSubrange(
        (row + reach) * stride + reach..<(row + reach) * stride + reach + width,
        with: cells[row * width..<(row + 1) * width])
    }
    framed.withUnsafeBytes { framed in
      for row in 0..<height {
        for column in 0..<width {
          let filter = filters[Int(filterOfCell[row * width + column])]
          var sum = SIMD16<Float>()
          var offset = (row * stride + column) * MemoryLayout<Float>.stride
          for line in 0...(2 * reach) {
            sum += framed.loadUnaligned(fromByteOffset: offset, as: SIMD16<Float>.self) * filter[line]
            offset += stride * MemoryLayout<Float>.stride
          }
          cells[row * width + column] = min(1, max(-1, sum.sum()))
        }
      }
    }
    steps += 1
  }

  /// Returns a wave across a direction, fading outwards, that maps a uniform image to zero.
  ///
  /// - Parameter width: From ridge to ridge, in cells.
  /// - Returns: 13 lines of 13 weights, each with three more that are 0.
  private static func filter(_ direction: Float, _ width: Float) -> [SIMD16<Float>] {
    let (cosine, sine) = (PolynomialMath.cos(direction), PolynomialMath.sin(direction))
    var weights: [Float] = []
    for dy in -reach...reach {
      for dx in -reach...reach {
        // Rows go down, the pattern's y goes up.
        let across = Float(dx) * sine + Float(dy) * cosine
        let along = Float(dx) * cosine - Float(dy) * sine
        let fading = PictureMath.exp(-across * across / (2 * 2.0 * 2.0) - along * along / (2 * 2.6 * 2.6))
        weights.append(fading * PolynomialMath.cos(2 * PolynomialMath.pi * across / width))
      }
    }
    let mean = weights.reduce(0, +) / Float(weights.count)
    weights = weights.map { $0 - mean }
    let total = weights.reduce(0) { $0 + abs($1) }
    let side = 2 * reach + 1
    return (0..<side).map { line in
      var row = SIMD16<Float>()
      for column in 0..<side { row[column] = weights[line * side + column] * 2.4 / total }
      return row
    }
  }
}
