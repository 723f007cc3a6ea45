import PluginAPI
import PluginText
import TestSupport
import Testing

@testable import OpenBIS

/// Corrupted responses.
struct TableMutationTests {
  private static let columns = [
    "PERM_ID", "REFCON", "CATEGORY", "SUMMARY_HEADER", "CHILDREN", "PROPERTIES", "IMAGES", "ROOT_LEVEL", "DELETED",
  ]

  private static let table = TableText.v1(
    columns,
    (0..<4).map { number in
      [
        "ID-\(number)", #"{"code":"X\#(number)"}"#, "Probes", "é😀 \(number)", #"["a","b\u00e9",null]"#,
        #"[{"key":"K","label":"L","value":[1,"x"]},{"key":"M","value":null}]"#,
        #"{"MARQUEE":{"URL":"/x.png"},"TILED":[{"DATA":{"BASE64":"iVBORw0KGgo=","FORMAT":"PNG"}}]}"#, "true", "",
      ]
    })

  /// Returns the table with a few bytes changed, moved, left out or repeated.
  private func mutated(_ random: inout SplitMix64) -> [UInt8] {
    var bytes = Array(Self.table.utf8)
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let place = Int.random(in: 0..<max(1, bytes.count), using: &random)
      let end = min(bytes.count, place + Int.random(in: 1...40, using: &random))
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: bytes.removeLast(bytes.count - place)
      case 2: bytes.removeSubrange(place..<end)
      case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
      case 4: bytes.insert(contentsOf: [UInt8](repeating: UInt8(ascii: "["), count: 10_000), at: place)
      default: bytes[place] = [0x22, 0x5C, 0x2C, 0x5D, 0x7D, 0x00, 0xFF, 0x7B].randomElement(using: &random) ?? 0
      }
      if bytes.isEmpty { return [] }
    }
    return bytes
  }

  @Test(.timeLimit(.minutes(10))) func `ten thousand damaged responses give complete rows or an error`() async throws {
    var random = SplitMix64(seed: 4)
    var (good, bad) = (0, 0)
    for _ in 0..<10_000 {
      // Other tests need time as well.
      await Task.yield()
      let channel = RowChannel(capacity: .max)
      let text = String(decoding: mutated(&random), as: UTF8.self)
      let service = TableService(CannedCaller(text, pieceInBytes: 1 << 12), host: .v1, dataStore: "D")
      do {
        let summary = try await service.rows(.navigation, into: channel)
        var rows: [EntityRow] = []
        while let batch = try channel.next() { rows += batch }
        #expect(rows.count == summary.rowCount && rows.allSatisfy { !$0.permID.isEmpty })
        good += 1
      } catch {
        #expect(throws: (any Error).self) { try channel.next() }
        bad += 1
      }
    }
    #expect(good > 500 && bad > 500)
  }
}
