import PluginText
import Testing

@testable import WSABI
@testable import WSABISimulator

@Suite struct PhaseCorrelationTests {
  private func noise(_ count: Int, seed: UInt64) -> [Float] {
    var chance = SeededChance(77, Int(seed))
    return (0..<count).map { _ in chance.between(-1, 1) }
  }

  @Test(arguments: [2, 4, 8, 32])
  func `the Fourier transform equals its defining sum`(_ edge: Int) {
    let (real, imaginary) = (noise(edge * edge, seed: 1), noise(edge * edge, seed: 2))
    var field = ComplexField(edge: edge)
    (field.real, field.imaginary) = (real, imaginary)
    FourierTransform(edge: edge).transform(&field)
    for (u, v) in [(0, 0), (1, 0), (0, 1), (edge - 1, edge / 2), (edge / 2, edge / 2)] {
      var (sumReal, sumImaginary): (Float, Float) = (0, 0)
      for y in 0..<edge {
        for x in 0..<edge {
          let angle = -2 * PolynomialMath.pi * Float((u * x + v * y) % edge) / Float(edge)
          let (cosine, sine) = (PolynomialMath.cos(angle), PolynomialMath.sin(angle))
          let place = y * edge + x
          sumReal += real[place] * cosine - imaginary[place] * sine
          sumImaginary += real[place] * sine + imaginary[place] * cosine
        }
      }
      let place = v * edge + u
      // Single precision over a thousand terms.
      #expect(abs(field.real[place] - sumReal) < 2e-3 && abs(field.imaginary[place] - sumImaginary) < 2e-3)
    }
  }

  @Test func `the inverse transform restores the field`() {
    var field = ComplexField(edge: 64)
    field.real = noise(4096, seed: 3)
    let before = field.real
    let transform = FourierTransform(edge: 64)
    transform.transform(&field)
    transform.transform(&field, isInverse: true)
    #expect(zip(field.real, before).allSatisfy { abs($0 / 4096 - $1) < 1e-4 })
    #expect(field.imaginary.allSatisfy { abs($0 / 4096) < 1e-4 })
  }

  @Test func `identical fields correlate fully, and unrelated fields do not`() {
    let correlation = PhaseCorrelation(edge: 64, bandEdge: 32)
    let first = correlation.phases(noise(4096, seed: 4))
    let same = correlation.peak(first, first)
    #expect(same.height > 0.999 && same.right == 0 && same.down == 0)
    #expect(correlation.peak(first, correlation.phases(noise(4096, seed: 5))).height < 0.2)
  }

  @Test(arguments: [(6, 0), (0, -4), (-8, 10), (2, 2)])
  func `the correlation peak gives the shift between two fields`(_ right: Int, _ down: Int) {
    let large = noise(128 * 128, seed: 6)
    func part(_ left: Int, _ top: Int) -> [Float] {
      (0..<4096).map { large[(top + $0 / 64) * 128 + left + $0 % 64] }
    }
    let correlation = PhaseCorrelation(edge: 64, bandEdge: 32)
    // A feature at x in the first field is at x + right in the second.
    let peak = correlation.peak(
      correlation.phases(part(32, 32)), correlation.phases(part(32 - right, 32 - down)))
    #expect(peak.right == Float(right) && peak.down == Float(down))
    #expect(peak.height > 0.3)
  }
}
