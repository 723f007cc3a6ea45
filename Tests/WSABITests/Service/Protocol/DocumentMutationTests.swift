import PluginText
import TestSupport
import Testing

@testable import WSABI

/// Documents of services, damaged at random from a seed.
@Suite struct DocumentMutationTests {
  /// The result of reading a document: the response and the data, or a refusal.
  private struct Outcome: Equatable {
    var answer: SensorAnswer?
    var data: [UInt8] = []
  }

  private func outcome(_ bytes: [UInt8], pieces: [Int]) -> Outcome {
    let sink = KeptBytes()
    var limits = SensorLimits()
    limits.documentInBytes = 200_000
    do {
      let reader = try DocumentReader(limits: limits, data: DataReceiver(sink, limitInBytes: 100_000))
      var rest = bytes[...]
      var turn = 0
      while !rest.isEmpty {
        let next = Array(rest.prefix(pieces[turn % pieces.count]))
        rest = rest.dropFirst(next.count)
        turn += 1
        try next.withUnsafeBytes { try reader.push($0) }
      }
      return Outcome(answer: try reader.finish(), data: sink.bytes)
    } catch {
      return Outcome()
    }
  }

  /// Documents to damage.
  private var seeds: [[UInt8]] {
    var seeds: [[UInt8]] = []
    for style in DocumentStyle.allCases {
      for namespace in [ProtocolNamespace.nist, .bioserv] {
        for metadata in [Situation.everyValue, Situation.serviceMetadata, Situation.captureMetadata] {
          seeds.append(
            style.document(
              WrittenResult(
                badFields: ["a"], captureIDs: [TestID.capture], metadata: metadata, data: Situation.someBytes(200),
                session: TestID.session), namespace))
        }
      }
    }
    return seeds
  }

  private static let words = [
    "<", ">", "/>", "<sensorData>", "</sensorData>", "&", "&amp;", "&#13;", "<![CDATA[", "]]>", "<!--", "-->", "<?x ?>",
    "\"", "=", " xsi:nil='true'", " xsi:type='xs:int'", "<status>", "\u{FC}", "\u{0}", "QUJD", "=", "\r\n", "ns2:",
    "xmlns=''",
    "<!DOCTYPE a>", "<item>", "<key>", "</value>",
  ].map { Array($0.utf8) }

  private func damaged(_ bytes: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    var bytes = bytes
    for _ in 0...Int.random(in: 0...2, using: &random) {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      let end = min(bytes.count, place + Int.random(in: 1...40, using: &random))
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
      case 1: bytes.removeSubrange(place..<end)
      case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
      case 3: bytes.insert(contentsOf: Self.words[Int.random(in: 0..<Self.words.count, using: &random)], at: place)
      case 4: bytes.removeSubrange(place...)
      default: bytes.replaceSubrange(place..<end, with: bytes[0..<min(bytes.count, 30)])
      }
      if bytes.isEmpty { return [0x3C] }
    }
    return bytes
  }

  @Test func `damaged documents have the same outcome in any chunks`() {
    var random = SplitMix64(seed: 6)
    let seeds = seeds
    var different: [String] = []
    var taken = 0
    for turn in 0..<240 {
      let bytes = damaged(seeds[turn % seeds.count], &random)
      let whole = outcome(bytes, pieces: [.max])
      let pieces = outcome(bytes, pieces: turn % 2 == 0 ? [1] : [5, 1, 300, 17])
      if whole.answer != nil { taken += 1 }
      if whole != pieces { different.append(String(decoding: bytes, as: UTF8.self)) }
    }
    #expect(different == [])
    // Some must be accepted, or the test proved nothing.
    #expect(taken > 10)
  }
}
