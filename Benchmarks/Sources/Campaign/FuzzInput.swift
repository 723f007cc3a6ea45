import BenchmarkSupport
import PluginText

/// Something that reads foreign bytes.
protocol FuzzSubject {
  /// Good inputs, of which others are made.
  var seeds: [[UInt8]] { get }
  /// Pieces that mean something to it.
  var tokens: [[UInt8]] { get }

  /// Reads an input; a trap, a hang or an error that should not be ends the process.
  func read(_ bytes: [UInt8]) -> FuzzReading

  /// Repairs a changed input so that it is not refused at once, such as by its checksums.
  func mend(_ bytes: [UInt8]) -> [UInt8]
}

/// The outcome of reading an input.
struct FuzzReading {
  /// A Boolean value indicating whether the input was accepted.
  var isAccepted: Bool
  /// The memory allocated while it was read; nil if no limit is promised.
  var memory: FuzzMemory?
}

extension FuzzSubject {
  func mend(_ bytes: [UInt8]) -> [UInt8] { bytes }
}

/// One input: of a seed and a number.
struct FuzzInput {
  var seed: Int
  var number: Int

  /// Returns the bytes.
  func bytes(for subject: any FuzzSubject) -> [UInt8] {
    var random = SplitMix64(seed: UInt64(seed) &* 0xD6E8_FEB8_6659_FD93 &+ UInt64(number))
    let seeds = subject.seeds
    var bytes = seeds[random.next(below: seeds.count)]
    for _ in 0..<1 + random.next(below: 6) where !bytes.isEmpty {
      mutate(&bytes, subject, &random)
    }
    return random.next(below: 2) == 0 ? subject.mend(bytes) : bytes
  }

  private func mutate(_ bytes: inout [UInt8], _ subject: any FuzzSubject, _ random: inout SplitMix64) {
    let place = random.next(below: bytes.count)
    let length = min(1 + random.next(below: 1 << random.next(below: 9)), bytes.count - place)
    switch random.next(below: 11) {
    case 0: bytes[place] ^= 1 << UInt8(random.next(below: 8))
    case 1: bytes[place] = UInt8(truncatingIfNeeded: random.next())
    case 2: bytes.removeLast(bytes.count - place)
    case 3: bytes.removeSubrange(place..<place + length)
    case 4:
      let copy = Array(bytes[place..<place + length])
      bytes.insert(contentsOf: copy, at: random.next(below: bytes.count + 1))
    case 5:
      let token = subject.tokens[random.next(below: subject.tokens.count)]
      bytes.insert(contentsOf: token, at: place)
    case 6:
      let token = subject.tokens[random.next(below: subject.tokens.count)]
      let end = min(bytes.count, place + token.count)
      bytes.replaceSubrange(place..<end, with: token.prefix(end - place))
    case 7:
      for index in place..<place + length { bytes[index] = UInt8(truncatingIfNeeded: random.next()) }
    case 8: swapLines(&bytes, place, random.next(below: bytes.count))
    case 9:
      // The start of this one and the end of another.
      let other = subject.seeds[random.next(below: subject.seeds.count)]
      bytes.replaceSubrange(place..., with: other.suffix(min(other.count, random.next(below: 20_000))))
    default:
      let fill: [UInt8] = [0, 9, 10, 13, 32, 39, 42, 45, 46, 48, 57, 59, 127, 128, 255]
      bytes[place] = fill[random.next(below: fill.count)]
    }
  }

  private func swapLines(_ bytes: inout [UInt8], _ one: Int, _ other: Int) {
    func line(_ place: Int) -> Range<Int> {
      let start = bytes[..<place].lastIndex(of: 10).map { $0 + 1 } ?? 0
      return start..<(bytes[place...].firstIndex(of: 10) ?? bytes.count)
    }
    let (first, second) = (line(min(one, other)), line(max(one, other)))
    guard first.upperBound <= second.lowerBound else { return }
    let copy = Array(bytes[first])
    bytes.replaceSubrange(second, with: copy)
  }
}
