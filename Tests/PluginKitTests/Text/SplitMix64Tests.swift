import PluginText
import Testing

@Suite struct SplitMix64Tests {
  @Test func `numbers equal those of the published random number generator`() {
    // S. Vigna, splitmix64.c, https://prng.di.unimi.it/splitmix64.c, with the state 1234567.
    var random = SplitMix64(seed: 1_234_567)
    let expected: [UInt64] = [
      6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423, 4_593_380_528_125_082_431,
      16_408_922_859_458_223_821,
    ]
    #expect(expected.map { _ in random.next() } == expected)
  }

  @Test func `equal seeds give equal numbers, and different seeds give different ones`() {
    var (first, second, third) = (SplitMix64(seed: 7), SplitMix64(seed: 7), SplitMix64(seed: 8))
    let numbers = (0..<100).map { _ in first.next() }
    #expect(numbers == (0..<100).map { _ in second.next() })
    #expect(numbers != (0..<100).map { _ in third.next() })
  }
}
