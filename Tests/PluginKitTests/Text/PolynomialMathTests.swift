import PluginText
import Testing

/// Sine and cosine by polynomials.
struct PolynomialMathTests {
  @Test(
    arguments: [(-3, -0.141_120_0), (0, 0), (0.5, 0.479_425_5), (2, 0.909_297_4), (7, 0.656_986_6)] as [(Float, Float)])
  func `the sine is accurate on the whole circle and beyond`(_ angle: Float, _ sine: Float) {
    // The polynomial is right within 4e-6; the reduction of the angle adds the rounding of a Float.
    #expect(abs(PolynomialMath.sin(angle) - sine) < 6e-6)
    #expect(abs(PolynomialMath.cos(angle - PolynomialMath.pi / 2) - sine) < 6e-6)
  }
}
