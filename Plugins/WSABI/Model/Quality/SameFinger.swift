import PluginText

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
    turns = stride(from: -mostTurn, through: mostTurn, by: 3).map { Float($0) * PolynomialMath.pi / 180 }
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
    return tries.sorted { $0.peak.height > $1.peak.height }.prefix(Self.mostTries).map { candidate in
      Self.likeness(of: surfaces(first.field, second.field, candidate.turn, candidate.peak))
    }.max() ?? 0
  }

  /// Returns the correlations of the small squares, row by row; nil where either finger does not reach.
  private func surfaces(
    _ first: RidgeField, _ second: RidgeField, _ turn: Float, _ peak: PhaseCorrelation.Peak
  ) -> [[Float]?] {
    let (cosine, sine) = (PolynomialMath.cos(turn), PolynomialMath.sin(turn))
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
            for index in total.indices { total[index] += surface[index] }
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

/// The ridges of one finger, made even: about zero, of the same strength everywhere, at a fixed scale.
struct RidgeField: Sendable {
  /// Cells of an inch: fine enough for ridges, which are four or five cells apart.
  private static let cellsPerInch: Float = 250

  let width: Int
  let height: Int
  /// Row by row from the top; 0 where no finger touches.
  let cells: [Float]
  /// The center of the contact area, in cells.
  let middle: (x: Float, y: Float)
  /// The number of cells that show a finger.
  let area: Int

  /// - Parameter image: A picture of one finger; dark ridges on a bright ground.
  init(_ image: GrayImage) {
    let scale = Float(image.pixelsPerInch) / Self.cellsPerInch
    let (width, height) = (max(1, Int(Float(image.width) / scale)), max(1, Int(Float(image.height) / scale)))
    let cells = Self.resampled(image, width, height, scale)
    let means = Self.local(cells, width, height)
    let spreads = Self.local(zip(cells, means).map { ($0 - $1) * ($0 - $1) }, width, height)
    var even = [Float](repeating: 0, count: cells.count)
    var (sumX, sumY, area): (Float, Float, Int) = (0, 0, 0)
    for index in cells.indices {
      let spread = spreads[index].squareRoot()
      // Glass alone shows little more than noise; gray values are 0 … 255.
      if spread < 18 { continue }
      even[index] = max(-2, min(2, (cells[index] - means[index]) / spread))
      sumX += Float(index % width)
      sumY += Float(index / width)
      area += 1
    }
    (self.width, self.height, self.cells, self.area) = (width, height, even, area)
    middle = area == 0 ? (Float(width) / 2, Float(height) / 2) : (sumX / Float(area), sumY / Float(area))
  }

  /// Returns a square around a point, rotated.
  ///
  /// - Parameters:
  ///   - turn: In radians.
  ///   - edge: Of the square, in cells.
  func square(atX x: Float, y: Float, turn: Float, edge: Int) -> [Float] {
    let (cosine, sine) = (PolynomialMath.cos(turn), PolynomialMath.sin(turn))
    var square = [Float](repeating: 0, count: edge * edge)
    let half = Float(edge - 1) / 2
    cells.withUnsafeBufferPointer { cells in
      for row in 0..<edge {
        for column in 0..<edge {
          let (dx, dy) = (Float(column) - half, Float(row) - half)
          let (sourceX, sourceY) = (x + dx * cosine - dy * sine, y + dx * sine + dy * cosine)
          square[row * edge + column] = Self.value(cells, width, height, sourceX, sourceY)
        }
      }
    }
    return square
  }

  /// Returns the value interpolated between four cells; 0 outside.
  private static func value(
    _ cells: UnsafeBufferPointer<Float>, _ width: Int, _ height: Int, _ x: Float, _ y: Float
  ) -> Float {
    guard x >= 0, y >= 0, x < Float(width - 1), y < Float(height - 1) else { return 0 }
    let (left, top) = (Int(x), Int(y))
    let (fractionX, fractionY) = (x - Float(left), y - Float(top))
    let index = top * width + left
    let upper = cells[index] + fractionX * (cells[index + 1] - cells[index])
    let lower = cells[index + width] + fractionX * (cells[index + width + 1] - cells[index + width])
    return upper + fractionY * (lower - upper)
  }

  /// Returns the image at the scale of the cells, each the mean of the area it covers.
  private static func resampled(_ image: GrayImage, _ width: Int, _ height: Int, _ scale: Float) -> [Float] {
    var cells = [Float](repeating: 0, count: width * height)
    image.pixels.withUnsafeBufferPointer { pixels in
      for y in 0..<height {
        let top = min(image.height - 1, Int(Float(y) * scale))
        let bottom = min(image.height, max(top + 1, Int(Float(y + 1) * scale)))
        for x in 0..<width {
          let left = min(image.width - 1, Int(Float(x) * scale))
          let right = min(image.width, max(left + 1, Int(Float(x + 1) * scale)))
          var sum = 0
          for row in top..<bottom { for column in left..<right { sum += Int(pixels[row * image.width + column]) } }
          cells[y * width + x] = Float(sum) / Float((bottom - top) * (right - left))
        }
      }
    }
    return cells
  }

  /// Returns the mean around each cell, over a square of 17 cells: three ridges and more.
  private static func local(_ cells: [Float], _ width: Int, _ height: Int) -> [Float] {
    let reach = 8
    var across = cells
    var out = cells
    for row in 0..<height {
      Self.slide(cells, &across, start: row * width, step: 1, count: width, reach)
    }
    for column in 0..<width { Self.slide(across, &out, start: column, step: width, count: height, reach) }
    return out
  }

  /// Computes the means along a line with a sliding sum.
  private static func slide(
    _ source: [Float], _ target: inout [Float], start: Int, step: Int, count: Int, _ reach: Int
  ) {
    var (sum, first, last): (Float, Int, Int) = (0, 0, 0)
    for index in 0..<count {
      while last < min(count, index + reach + 1) {
        sum += source[start + last * step]
        last += 1
      }
      while first < index - reach {
        sum -= source[start + first * step]
        first += 1
      }
      target[start + index * step] = sum / Float(last - first)
    }
  }
}

/// The similarity of two ridge fields and the shift between them, from the phases of their frequencies alone.
///
/// - Source: Ito, Nakajima, Kobayashi, Aoki and Higuchi, "A fingerprint matching algorithm using phase-only correlation",
///   IEICE Trans. Fundamentals E87-A (2004), 682: the band-limited phase-only correlation function.
struct PhaseCorrelation: Sendable {
  /// The peak of the correlation.
  struct Peak: Sendable, Hashable {
    /// 1 for identical fields, about 0 for unrelated ones.
    var height: Float
    /// The shift of the second field against the first, in its own cells.
    var right: Float
    var down: Float
  }

  private let whole: FourierTransform
  private let band: FourierTransform
  private let window: [Float]

  /// - Parameters:
  ///   - edge: Of the fields, a power of two.
  ///   - bandEdge: The number of frequencies around zero that count in each direction: a power of two, at most the
  ///     edge.
  init(edge: Int, bandEdge: Int) {
    (whole, band) = (FourierTransform(edge: edge), FourierTransform(edge: bandEdge))
    // Hann's window: the cut at the edges would look like ridges.
    window = (0..<edge).map { 0.5 - 0.5 * PolynomialMath.cos(2 * PolynomialMath.pi * (Float($0) + 0.5) / Float(edge)) }
  }

  /// Returns the phases of a field within the band, as numbers of length one.
  ///
  /// - Parameter cells: `edge × edge` numbers about zero, row by row.
  func phases(_ cells: [Float]) -> ComplexField {
    var field = ComplexField(edge: whole.edge)
    for row in 0..<whole.edge {
      for column in 0..<whole.edge {
        field.real[row * whole.edge + column] = cells[row * whole.edge + column] * window[row] * window[column]
      }
    }
    whole.transform(&field)
    var phases = ComplexField(edge: band.edge)
    let half = band.edge / 2
    for row in 0..<band.edge {
      let sourceRow = (row < half ? row : row - band.edge + whole.edge) * whole.edge
      for column in 0..<band.edge {
        let source = sourceRow + (column < half ? column : column - band.edge + whole.edge)
        let (real, imaginary) = (field.real[source], field.imaginary[source])
        let length = (real * real + imaginary * imaginary).squareRoot()
        if length > 1e-6 {
          phases.real[row * band.edge + column] = real / length
          phases.imaginary[row * band.edge + column] = imaginary / length
        }
      }
    }
    return phases
  }

  /// Returns the correlation of two fields for each shift of the second, row by row.
  ///
  /// - Complexity: O(*n* log *n*) in the size of the band.
  func surface(_ first: ComplexField, _ second: ComplexField) -> [Float] {
    let edge = band.edge
    var product = ComplexField(edge: edge)
    for index in product.real.indices {
      let (a, b, c, d) = (first.real[index], first.imaginary[index], second.real[index], second.imaginary[index])
      product.real[index] = a * c + b * d
      product.imaginary[index] = b * c - a * d
    }
    band.transform(&product, isInverse: true)
    let factor = 1 / Float(edge * edge)
    return product.real.map { $0 * factor }
  }

  /// Returns the peak of the correlation of two fields.
  func peak(_ first: ComplexField, _ second: ComplexField) -> Peak {
    let surface = surface(first, second)
    var best = 0
    for index in surface.indices where surface[index] > surface[best] { best = index }
    // After the band was cut, one step is several cells.
    let edge = band.edge
    let scale = Float(whole.edge) / Float(edge)
    func signed(_ index: Int) -> Float { Float(index < edge / 2 ? index : index - edge) * scale }
    return Peak(height: surface[best], right: -signed(best % edge), down: -signed(best / edge))
  }
}

/// The discrete Fourier transform of square fields of numbers.
///
/// - Source: Cooley and Tukey, "An algorithm for the machine calculation of complex Fourier series", Math. Comp. 19
///   (1965), 297: decimation in time, base 2.
struct FourierTransform: Sendable {
  /// The edge of a field: a power of two.
  let edge: Int
  private let cosines: [Float]
  private let sines: [Float]
  private let reversed: [Int]

  /// - Parameter edge: A power of two, 2 … 4096.
  init(edge: Int) {
    precondition(edge >= 2 && edge <= 4096 && edge & (edge - 1) == 0, "an edge is a power of two")
    self.edge = edge
    let step = 2 * PolynomialMath.pi / Float(edge)
    cosines = (0..<(edge / 2)).map { PolynomialMath.cos(step * Float($0)) }
    sines = (0..<(edge / 2)).map { PolynomialMath.sin(step * Float($0)) }
    var reversed = [Int](repeating: 0, count: edge)
    for index in 1..<edge { reversed[index] = reversed[index / 2] / 2 + (index & 1) * edge / 2 }
    self.reversed = reversed
  }

  /// Transforms a field in place, without a factor.
  ///
  /// - Parameters:
  ///   - field: `edge × edge` numbers, row by row.
  ///   - isInverse: True to invert the sign of the exponent.
  /// - Complexity: O(*n* log *n*).
  func transform(_ field: inout ComplexField, isInverse: Bool = false) {
    precondition(field.edge == edge, "a field has the edge of its transform")
    let edge = edge
    field.real.withUnsafeMutableBufferPointer { real in
      field.imaginary.withUnsafeMutableBufferPointer { imaginary in
        for row in 0..<edge { line(real, imaginary, start: row * edge, step: 1, isInverse) }
        for column in 0..<edge { line(real, imaginary, start: column, step: edge, isInverse) }
      }
    }
  }

  /// Transforms a row or a column.
  private func line(
    _ real: UnsafeMutableBufferPointer<Float>, _ imaginary: UnsafeMutableBufferPointer<Float>, start: Int, step: Int,
    _ isInverse: Bool
  ) {
    for index in 0..<edge where index < reversed[index] {
      real.swapAt(start + index * step, start + reversed[index] * step)
      imaginary.swapAt(start + index * step, start + reversed[index] * step)
    }
    var half = 1
    while half < edge {
      let stride = edge / (2 * half)
      for first in Swift.stride(from: 0, to: edge, by: 2 * half) {
        for offset in 0..<half {
          let (cosine, sine) = (cosines[offset * stride], isInverse ? sines[offset * stride] : -sines[offset * stride])
          let (upper, lower) = (start + (first + offset) * step, start + (first + offset + half) * step)
          let turnedReal = real[lower] * cosine - imaginary[lower] * sine
          let turnedImaginary = real[lower] * sine + imaginary[lower] * cosine
          (real[lower], imaginary[lower]) = (real[upper] - turnedReal, imaginary[upper] - turnedImaginary)
          (real[upper], imaginary[upper]) = (real[upper] + turnedReal, imaginary[upper] + turnedImaginary)
        }
      }
      half *= 2
    }
  }
}

/// Complex numbers in a square, row by row.
struct ComplexField: Sendable, Hashable {
  let edge: Int
  var real: [Float]
  var imaginary: [Float]

  init(edge: Int) {
    self.edge = edge
    real = [Float](repeating: 0, count: edge * edge)
    imaginary = real
  }
}
