import Testing

@testable import WSABI
@testable import WSABISimulator

struct SeededChanceTests {
  /// Returns the first numbers of a seed.
  private func numbers(_ seed: UInt64, _ place: Int = 0) -> [UInt64] {
    var chance = SeededChance(seed, place)
    return (0..<200).map { _ in chance.next() }
  }

  @Test func `neighboring seeds and streams share no numbers, and equal seeds share all`() {
    for seed: UInt64 in [0, 1, 7, .max - 1] {
      #expect(numbers(seed) == numbers(seed))
      var seen = Set(numbers(seed))
      for (other, place) in [(seed &+ 1, 0), (seed &+ 2, 0), (seed, 1), (seed, 2), (seed &+ 1, 1)] {
        let others = numbers(other, place)
        #expect(seen.isDisjoint(with: others), "\(seed) \(other) \(place)")
        seen.formUnion(others)
      }
    }
  }
}
