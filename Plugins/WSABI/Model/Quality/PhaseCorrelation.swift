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
    window = (0..<edge).map { 0.5 - 0.5 * SynthesisMath.cos(2 * SynthesisMath.pi * (Float($0) + 0.5) / Float(edge)) }
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
    for place in product.real.indices {
      let (a, b, c, d) = (first.real[place], first.imaginary[place], second.real[place], second.imaginary[place])
      product.real[place] = a * c + b * d
      product.imaginary[place] = b * c - a * d
    }
    band.transform(&product, isInverse: true)
    let factor = 1 / Float(edge * edge)
    return product.real.map { $0 * factor }
  }

  /// Returns the peak of the correlation of two fields.
  func peak(_ first: ComplexField, _ second: ComplexField) -> Peak {
    let surface = surface(first, second)
    var best = 0
    for place in surface.indices where surface[place] > surface[best] { best = place }
    // After the band was cut, one step is several cells.
    let edge = band.edge
    let scale = Float(whole.edge) / Float(edge)
    func signed(_ place: Int) -> Float { Float(place < edge / 2 ? place : place - edge) * scale }
    return Peak(height: surface[best], right: -signed(best % edge), down: -signed(best / edge))
  }
}
