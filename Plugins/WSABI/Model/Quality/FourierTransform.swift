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
    let step = 2 * SynthesisMath.pi / Float(edge)
    cosines = (0..<(edge / 2)).map { SynthesisMath.cos(step * Float($0)) }
    sines = (0..<(edge / 2)).map { SynthesisMath.sin(step * Float($0)) }
    var reversed = [Int](repeating: 0, count: edge)
    for place in 1..<edge { reversed[place] = reversed[place / 2] / 2 + (place & 1) * edge / 2 }
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
    for place in 0..<edge where place < reversed[place] {
      real.swapAt(start + place * step, start + reversed[place] * step)
      imaginary.swapAt(start + place * step, start + reversed[place] * step)
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
