import Foundation

@testable import Molecules

/// Scenes made by a rule, and how alike pictures of them are.
enum SceneFixture {
  /// Numbers from 0 to 1 from a linear congruential generator.
  private struct Generator {
    var state: UInt32 = 99
    mutating func next() -> Float {
      state = state &* 1_664_525 &+ 1_013_904_223
      return Float(state >> 8) / Float(1 << 24)
    }
  }

  /// A filled ball of atoms with about the density of protein: one in 18 Å³, in runs of neighbours like a chain.
  static func blob(radius: Float) -> Scene {
    var generator = Generator()
    var scene = Scene()
    let side = radius * 2
    let count = Int(side * side * side / 18 / 8)
    for _ in 0..<count {
      let start = SIMD3(generator.next(), generator.next(), generator.next()) * side - radius
      guard (start * start).sum() <= radius * radius else { continue }
      for _ in 0..<8 {
        let place = start + SIMD3(generator.next(), generator.next(), generator.next()) * 5.2
        let colors: [UInt32] = [0x909090, 0x909090, 0x909090, 0x3050F8, 0xFF0D0D]
        let color = colors[min(4, Int(generator.next() * 5))]
        scene.spheres.append(
          Sphere(center: place, radius: 1.6, color: RGBColor(color), atom: Int32(scene.spheres.count)))
      }
    }
    return scene
  }

  /// The peak signal-to-noise ratio of two pictures of one size in decibels; infinite for equal ones.
  static func likeness(_ one: [UInt8], _ other: [UInt8]) -> Double {
    precondition(one.count == other.count, "pictures of one size")
    let squares = zip(one, other).reduce(0.0) { $0 + Double(Int($1.0) - Int($1.1)) * Double(Int($1.0) - Int($1.1)) }
    let mean = squares / Double(one.count)
    return mean == 0 ? .infinity : 10 * log10(255 * 255 / mean)
  }
}
