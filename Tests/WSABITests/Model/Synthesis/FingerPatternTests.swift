import PluginText
import Testing

@testable import WSABI
@testable import WSABISimulator

/// The ridge flow has the singular points of its class.
struct FingerPatternTests {
  /// Counts the half turns of the direction around each cell of a grid: 1 for a core, -1 for a delta.
  private func turns(_ pattern: FingerPattern) -> (cores: Int, deltas: Int) {
    var (cores, deltas) = (0, 0)
    let step: Float = 0.05
    for row in -40..<30 {
      for column in -24..<24 {
        let (x, y) = (Float(column) * step + 0.013, Float(row) * step + 0.007)
        let corners = [(x, y), (x + step, y), (x + step, y + step), (x, y + step), (x, y)].map(pattern.direction)
        var sum: Float = 0
        for (from, to) in zip(corners, corners.dropFirst()) {
          var change = to - from
          // A direction is the same after half a turn.
          change -= (change / PolynomialMath.pi).rounded() * PolynomialMath.pi
          sum += change
        }
        let half = Int((sum / PolynomialMath.pi).rounded())
        if half > 0 { cores += half } else { deltas -= half }
      }
    }
    return (cores, deltas)
  }

  @Test(arguments: [
    (FingerPattern.Kind.arch, 0), (.tentedArch, 1), (.leftLoop, 1), (.rightLoop, 1), (.whorl, 2),
  ])
  func `each pattern class has the right number of cores and deltas`(_ kind: FingerPattern.Kind, _ count: Int) {
    for seed in 0..<5 {
      var chance = SeededChance(UInt64(seed))
      let found = turns(FingerPattern(kind, &chance))
      #expect(found.cores == count && found.deltas == count)
    }
  }

  @Test func `pattern classes have realistic frequencies, and most loops are ulnar`() {
    var counts: [FingerPattern.Kind: Int] = [:]
    var ulnar = 0
    for person in 0..<400 {
      for position in 1...10 {
        let kind = FingerPattern(seed: 1, person: person, position: position).kind
        counts[kind, default: 0] += 1
        if kind == (position <= 5 ? .rightLoop : .leftLoop) { ulnar += 1 }
      }
    }
    #expect((1000...1400).contains(counts[.whorl] ?? 0))
    #expect((2100...2620).contains(ulnar))
    #expect((100...420).contains((counts[.arch] ?? 0) + (counts[.tentedArch] ?? 0)))
  }

  @Test func `angle and exponential match known values`() {
    // Known values: the angle of (1, 1) is 45°, e is 2.71828.
    #expect(abs(PictureMath.angle(1, 1) - PolynomialMath.pi / 4) < 3e-4)
    #expect(abs(PictureMath.angle(-1, -1) + 3 * PolynomialMath.pi / 4) < 3e-4)
    #expect(abs(PictureMath.exp(1) - 2.718_28) < 3e-3)
    #expect(abs(PictureMath.exp(-3) - 0.049_787) < 1e-4)
  }
}
