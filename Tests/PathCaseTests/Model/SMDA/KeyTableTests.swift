import PluginText
import TestSupport
import Testing

@testable import PathCase

struct KeyTableTests {
  @Test func `each key has one number, in order of first appearance`() {
    var table = KeyTable<UInt64>()
    var wide = KeyTable<UInt128>()
    var numbers: [UInt64: UInt32] = [:]
    var source = SplitMix64(seed: 7)
    var isRight = true
    for _ in 0..<6_000 {
      // Few high and low bits vary, so that keys repeat and slots collide.
      let key = source.next() & 0xF000_0000_0000_0FF0
      let known = numbers[key] ?? UInt32(numbers.count)
      numbers[key] = known
      isRight = isRight && table.number(of: key) == known && wide.number(of: UInt128(key) << 60) == known
    }
    #expect(isRight && table.keys.count == numbers.count && numbers.count > 3_000)
    #expect(table.keys.enumerated().allSatisfy { numbers[$1] == UInt32($0) })
    #expect(wide.keys == table.keys.map { UInt128($0) << 60 })
  }
}
