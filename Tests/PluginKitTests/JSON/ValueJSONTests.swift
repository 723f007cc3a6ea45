import JSONDocuments
import PluginAPI
import PluginJSON
import PluginText
import TestSupport
import Testing

struct ValueJSONTests {
  private func value(_ text: String) throws -> Value { try Value(json: Array(text.utf8)) }

  @Test func `a document becomes a value with its fields in order`() throws {
    let found = try value(#"{"z":1,"a":[true,null,"x",{}],"m":{"k":[]}}"#)
    #expect(found == ["z": 1, "a": [true, nil, "x", .record([:])], "m": ["k": []]])
    #expect(found.record?.names == ["z", "a", "m"])
  }

  @Test func `the last of equal keys sets the value, and the first its position`() throws {
    #expect(try value(#"{"a":1,"b":2,"a":3}"#) == ["a": 3, "b": 2])
  }

  @Test func `numbers keep their exact value`() throws {
    let cases: [String: Value] = [
      "0": 0, "-5": -5, "9223372036854775807": .integer(.max), "9223372036854775808": .decimal("9223372036854775808"),
      "-9223372036854775808": .integer(.min), "1.5": 1.5, "1e3": 1000.0, "0.1": 0.1, "1.50": 1.5, "-0": .number(-0.0),
      "0.1234567890123456": .decimal("0.1234567890123456"), "1e400": .decimal("1e400"), "1e-400": .decimal("1e-400"),
      "0e5": 0.0, "123456789012345": 123_456_789_012_345, "0.000000000000000000012": 1.2e-20,
    ]
    for (text, expected) in cases { #expect(try value(text) == expected) }
    #expect(try value("-0").number?.sign == .minus)
  }

  @Test func `depth and size have limits`() throws {
    let deep = String(repeating: "[", count: 257) + String(repeating: "]", count: 257)
    #expect(throws: JSONError.tooDeep(JSONPlace(offset: 256, line: 1, column: 257), limit: 256)) { try value(deep) }
    let deepest = try value(String(deep.dropFirst().dropLast()))
    #expect(try Value(decoding: deepest.encoded()) == deepest)
    #expect(throws: JSONError.tooLarge(limitInBytes: 3)) { try Value(json: Array("[1,2]".utf8), sizeInBytes: 3) }
  }

  @Test func `reading a written value restores it`() throws {
    var documents = RandomJSON(SplitMix64(seed: 12))
    var (count, lost) = (0, [String]())
    for _ in 0..<3000 {
      let document = documents.next()
      guard let value = try? Value(json: document) else { continue }
      var writer = JSONWriter(indentation: count % 2 == 0 ? nil : 1)
      writer.write(value)
      if try Value(json: writer.bytes) != value { lost.append(String(decoding: document, as: UTF8.self)) }
      count += 1
    }
    #expect(lost == [])
    #expect(count > 1000)
  }
}
