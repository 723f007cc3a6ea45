import PluginText
import TestSupport

/// An input made from a valid one by a few mutations; the same seed and number give the same input.
struct NetworkMutation {
  var seed: Int
  var number: Int

  /// The number of inputs of which one is real rather than synthetic.
  private static let realShare = 4

  /// Returns the bytes of the input.
  func bytes() -> [UInt8] {
    var random = SplitMix64(seed: UInt64(truncatingIfNeeded: seed) &* 0xD6E8_FEB8_6659_FD93 &+ UInt64(number))
    var bytes = pick(&random)
    // Most inputs are changed little, so that they are not rejected immediately.
    let changes = Bool.random(using: &random) ? 1 : Int.random(in: 1...5, using: &random)
    for _ in 0..<changes where !bytes.isEmpty { change(&bytes, &random) }
    return bytes
  }

  private func pick(_ random: inout SplitMix64) -> [UInt8] {
    let isReal = !NetworkSeeds.real.isEmpty && Int.random(in: 0..<Self.realShare, using: &random) == 0
    let seeds = isReal ? NetworkSeeds.real : NetworkSeeds.own
    return seeds[Int.random(in: seeds.indices, using: &random)]
  }

  private func change(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
    let place = Int.random(in: bytes.indices, using: &random)
    let longest = 1 << Int.random(in: 0..<9, using: &random)
    let end = min(bytes.count, place + Int.random(in: 1...longest, using: &random))
    let token = NetworkSeeds.tokens[Int.random(in: NetworkSeeds.tokens.indices, using: &random)]
    switch Int.random(in: 0..<20, using: &random) {
    case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 1: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
    case 2: bytes.removeLast(bytes.count - place)
    case 3: bytes.removeSubrange(place..<end)
    case 4:
      let copy = Array(bytes[place..<end])
      bytes.insert(contentsOf: copy, at: Int.random(in: 0...bytes.count, using: &random))
    case 5: bytes.insert(contentsOf: token, at: place)
    case 6: splice(&bytes, place, &random)
    case 7: bytes[place] = bytes.randomElement(using: &random) ?? 0
    case 8...11: replaceValue(at: place, of: &bytes, token)
    case 12...15: swapValues(of: &bytes, &random)
    case 16...18: repeatElement(at: place, of: &bytes, &random)
    default: for index in place..<end { bytes[index] = UInt8.random(in: 0x20..<0x7F, using: &random) }
    }
  }

  /// Returns the bytes between the quotes around or after an offset; nil if there are none.
  private func value(at place: Int, of bytes: [UInt8]) -> Range<Int>? {
    let quotes: [UInt8] = [UInt8(ascii: "\""), UInt8(ascii: "'")]
    guard let start = bytes[place...].firstIndex(where: quotes.contains),
      let end = bytes[(start + 1)...].firstIndex(of: bytes[start])
    else { return nil }
    return start + 1..<end
  }

  private func replaceValue(at place: Int, of bytes: inout [UInt8], _ token: [UInt8]) {
    if let range = value(at: place, of: bytes) { bytes.replaceSubrange(range, with: token) }
  }

  /// Copies one value of the input to another position, so that ids refer to something else that exists.
  private func swapValues(of bytes: inout [UInt8], _ random: inout SplitMix64) {
    guard let from = value(at: Int.random(in: bytes.indices, using: &random), of: bytes),
      let to = value(at: Int.random(in: bytes.indices, using: &random), of: bytes)
    else { return }
    let copy = Array(bytes[from])
    bytes.replaceSubrange(to, with: copy)
  }

  /// Repeats the contents between two tags or brackets, sometimes very often and sometimes nested.
  private func repeatElement(at place: Int, of bytes: inout [UInt8], _ random: inout SplitMix64) {
    let marks: [UInt8] = [UInt8(ascii: "<"), UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "(")]
    guard let start = bytes[place...].firstIndex(where: marks.contains),
      let end = bytes[(start + 1)...].firstIndex(where: { $0 == bytes[start] })
    else { return }
    let most = Int.random(in: 0..<20, using: &random) == 0 ? 2000 : 20
    let copy = Array(bytes[start..<end])
    guard copy.count < 200 || most == 20 else { return }
    let times = Int.random(in: 1...most, using: &random)
    bytes.insert(contentsOf: Array((0..<times).map { _ in copy }.joined()), at: start)
  }

  /// Joins the start of this input and the end of another.
  private func splice(_ bytes: inout [UInt8], _ place: Int, _ random: inout SplitMix64) {
    let other = pick(&random)
    bytes.replaceSubrange(place..., with: other.suffix(Int.random(in: 0...min(other.count, 4000), using: &random)))
  }
}
