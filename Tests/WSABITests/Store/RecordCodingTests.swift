import PluginAPI
import PluginText
import TestSupport
import Testing

@testable import WSABI

struct RecordCodingTests {
  private static let values: [WireValue] = [
    .null, .string(""), .string("é\u{0}x"), .boolean(true), .boolean(false), .integer(.min, type: "long"),
    .integer(.max, type: "int"), .decimal("123456789012345678901234567890.5", type: "decimal"),
    .double(-0.0, type: "double"), .double(.infinity, type: "float"), .dateTime("1970-01-01T00:00:00.0000001Z"),
    .bytes([]), .bytes([0, 255]), .uri("http://x/?a=b&c"), .other("twelve", type: "int"),
    .range(WireRange()), .range(WireRange(minimum: .integer(0, type: "int"), maximumIsExclusive: true)),
    .range(
      WireRange(
        minimum: .resolution(WireResolution(width: "1", height: "2", unit: "px")), maximum: .null,
        minimumIsExclusive: false, maximumIsExclusive: false)),
    .resolution(WireResolution(width: "500", height: "19.685")),
    .resource(WireResource(uri: "u", contentType: nil, relationship: "")),
    .resource(WireResource(uri: "", contentType: "c", relationship: nil)),
    .array([], type: "Array"), .array([.string("a"), .array([.null], type: "")], type: "StringArray"),
    .dictionary(WireDictionary([.init("", .boolean(true)), .init("k", .dictionary(WireDictionary()))])),
    .parameter(
      SensorParameter(
        name: "gain", type: "int", isReadOnly: true, supportsMultiple: true, defaultValue: .integer(4, type: "int"),
        allowedValues: [.range(WireRange(maximum: .integer(9, type: "int"))), .null])),
  ]

  private func read(_ bytes: [UInt8]) throws -> WireDictionary {
    var reader = try ByteReader(bytes)
    let dictionary = try reader.dictionary()
    try reader.checkEnd()
    return dictionary
  }

  private func written(_ dictionary: WireDictionary) -> [UInt8] {
    var writer = ByteWriter(form: 1)
    writer.put(dictionary)
    return writer.bytes
  }

  @Test func `values of every kind are read back in their order`() throws {
    let items = Self.values.enumerated().map { WireDictionary.Item("key\($0)", $1) }
    let dictionary = WireDictionary(items.reversed())
    #expect(try read(written(dictionary)) == dictionary)
    #expect(try read(written(WireDictionary())) == WireDictionary())
    let notANumber = try read(written(WireDictionary([.init("n", .double(.nan, type: "double"))])))
    guard case .double(let number, "double") = notANumber["n"] else { return #expect(Bool(false)) }
    #expect(number.isNaN)
  }

  @Test func `values nested too deeply are read as too deep`() throws {
    var value = WireValue.string("bottom")
    for _ in 0..<200 { value = .array([value], type: "Array") }
    var level = try #require(try read(written(WireDictionary([.init("k", value)])))["k"])
    var depth = 0
    while case .array(let elements, _) = level, let first = elements.first { (level, depth) = (first, depth + 1) }
    #expect(level == .other("", type: "too-deep"))
    #expect(depth == 64)
  }

  @Test func `truncated or extended bytes are refused, and changed bytes never crash the reader`() throws {
    let whole = written(WireDictionary(Self.values.enumerated().map { .init("key\($0)", $1) }))
    for count in whole.indices { #expect(throws: ByteReader.Problem.self) { try read(Array(whole[..<count])) } }
    #expect(throws: ByteReader.Problem.self) { try read(whole + [0]) }
    var random = SplitMix64(seed: 3)
    for _ in 0..<20_000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      // Whatever the result: no crash, and no allocation as large as a false length.
      _ = try? read(bytes)
    }
    #expect(throws: ByteReader.Problem.self) { try read([2] + whole.dropFirst()) }
  }

  @Test func `an audit entry is read back as written`() throws {
    var event = AuditEvent(.captureKept, person: 1, item: 2, capture: 3, address: "http://x", outcome: "success")
    (event.session, event.captureID, event.sha256) = (StoreSamples.uuid(1), StoreSamples.uuid(2), [1, 2])
    for event in [event] + AuditAction.allCases.map({ AuditEvent($0) }) {
      let entry = AuditEntry(
        number: 7, at: Instant(seconds: -5, nanoseconds: 999_999_999), user: "é", role: .reviewer, event: event)
      var reader = try ByteReader(entry.bytes)
      #expect(try AuditEntry(number: 7, &reader) == entry)
    }
  }

  @Test func `each part of a record is bound to different bytes`() {
    var seen: Set<[UInt8]> = []
    var count = 0
    for kind in [RecordPlace.Kind.person, .item, .capture, .journal, .captured, .sensor, .user] {
      for part in [RecordPlace.Part.key, .body, .words, .thumbnail, .data, .outcome] {
        for (id, owner, version, order) in [(1, 0, 1, 0), (0, 1, 1, 0), (1, 0, 0, 1), (1, 1, 0, 0), (256, 0, 1, 0)] {
          seen.insert(RecordPlace(kind: kind, id: id, owner: owner, version: version, order: order).part(part))
          count += 1
        }
      }
    }
    #expect(seen.count == count)
  }
}
