import Foundation
import PluginText
import TestSupport
import Testing

@testable import Host

struct LogFrameTests {
  /// The documents of a log, in order.
  private static let documents = (1...40).map { Array(#"{"kind":"value","item":\#($0),"id":"é\#($0)"}"#.utf8) }
  private static let log = documents.flatMap(LogFrame.line)

  /// Returns the whole documents of a file, and the number of damaged lines.
  private static func read(_ bytes: [UInt8]) throws -> (documents: [[UInt8]], damaged: Int) {
    let folder = try TemporaryFolder()
    let file = try folder.write(bytes, "log")
    var documents: [[UInt8]] = []
    var offsets: [Int] = []
    let damaged = try LogFrame.read(file.path) { offset, document in
      documents.append(Array(document))
      offsets.append(offset)
    }
    for (offset, document) in zip(offsets, documents) {
      #expect(Array(bytes[offset..<offset + document.count]) == document)
    }
    return (documents, damaged)
  }

  @Test func `a line begins with its CRC-32, as in gzip and ZIP`() {
    // The check value of CRC-32 in the catalog of parametrized algorithms.
    #expect(String(decoding: LogFrame.line(Array("123456789".utf8)), as: UTF8.self) == "cbf43926 123456789\n")
    #expect(String(decoding: LogFrame.line([]), as: UTF8.self) == "00000000 \n")
  }

  @Test func `a written log is read back`() throws {
    let (documents, damaged) = try Self.read(Self.log)
    #expect(documents == Self.documents)
    #expect(damaged == 0)
  }

  @Test func `a document longer than a read buffer is complete`() throws {
    let long = Array(repeating: UInt8(ascii: "x"), count: 1 << 20)
    let (documents, damaged) = try Self.read(LogFrame.line([1]) + LogFrame.line(long) + LogFrame.line([2]))
    #expect(documents == [[1], long, [2]])
    #expect(damaged == 0)
  }

  @Test func `a truncated log has the lines before the cut`() throws {
    let lengths = Self.documents.map { $0.count + LogFrame.headSize + 1 }
    for count in stride(from: 0, to: Self.log.count, by: 7) {
      let (documents, damaged) = try Self.read(Array(Self.log[..<count]))
      var (whole, end) = (0, 0)
      while end + lengths[whole] <= count {
        end += lengths[whole]
        whole += 1
      }
      #expect(documents == Array(Self.documents[..<whole]))
      #expect(damaged == (end == count ? 0 : 1))
    }
  }

  @Test func `changed bytes never yield a different document`() throws {
    let seed = CampaignNumber.of("WORKBENCH_SEED", else: 24)
    let count = CampaignNumber.of("WORKBENCH_MUTATIONS", else: 300)
    var random = SplitMix64(seed: UInt64(seed))
    let known = Set(Self.documents)
    var strange: [[UInt8]] = []
    var lost = 0
    for _ in 0..<count {
      var bytes = Self.log
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
      }
      let (documents, _) = try Self.read(bytes)
      strange += documents.filter { !known.contains($0) }
      lost += Self.documents.count - documents.count
    }
    #expect(strange.isEmpty)
    // At most two lines for each changed byte: a changed line feed joins two.
    #expect(lost > 0 && lost <= 6 * count)
  }
}
