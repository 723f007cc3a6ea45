/// A reader of transactions from the layout of the standard alone.
///
/// It shares no code with the product, whose output it checks.
///
/// - Source: ANSI/NIST-ITL 1-2011, annex B: the traditional encoding.
struct PlainITLReader {
  /// `type.number` with its raw text, in the order of the file; 999 as bytes.
  struct Record {
    var type = ""
    var texts: [String: String] = [:]
    var order: [String] = []
    var image: [UInt8] = []

    /// All fields except the length and the image, with their exact bytes: a letter with a combining mark differs from
    /// the precomposed letter.
    var fields: [String: [UInt8]] {
      Self.bytes(texts.filter { !$0.key.hasSuffix(".001") })
    }

    static func bytes(_ texts: [String: String]) -> [String: [UInt8]] { texts.mapValues { Array($0.utf8) } }

    /// Returns descriptions of the differences from the expected fields, by number; empty if the record has these
    /// fields and no others.
    ///
    /// - Parameter expected: Texts by number, as in `["002": "01"]`.
    func differences(from expected: [String: String]) -> [String] {
      let expected = Dictionary(uniqueKeysWithValues: expected.map { ("\(type).\($0.key)", $0.value) })
      let (found, right) = (fields, Self.bytes(expected))
      return Set(found.keys).union(right.keys).filter { found[$0] != right[$0] }.sorted().map { tag in
        "\(tag) is '\(texts[tag] ?? "nothing")', not '\(expected[tag] ?? "nothing")'"
      }
    }
  }

  struct Wrong: Error {
    let what: String
  }

  let records: [Record]

  init(_ file: [UInt8]) throws {
    var rest = file[...]
    var records: [Record] = []
    while !rest.isEmpty {
      let text = String(decoding: rest.prefix(40), as: UTF8.self)
      guard let colon = text.firstIndex(of: ":"),
        let length = Int(text[text.index(after: colon)...].prefix { $0.isNumber }),
        length <= rest.count
      else { throw Wrong(what: "length") }
      let record = rest.prefix(length)
      rest = rest.dropFirst(length)
      guard record.last == 28 else { throw Wrong(what: "end of record") }
      records.append(try Self.record(record.dropLast()))
    }
    self.records = records
  }

  private static func record(_ bytes: ArraySlice<UInt8>) throws -> Record {
    var record = Record()
    var rest = bytes
    while !rest.isEmpty {
      guard let colon = rest.firstIndex(of: 58) else { throw Wrong(what: "tag") }
      let tag = String(decoding: rest[..<colon], as: UTF8.self)
      let type = String(tag.prefix { $0 != "." })
      if record.type.isEmpty { record.type = type }
      guard record.type == type, tag.count == type.count + 4 else { throw Wrong(what: "tag '\(tag)'") }
      // Fields are in order, each once, the length first.
      guard record.order.last.map({ $0 < tag }) ?? tag.hasSuffix(".001") else { throw Wrong(what: "order of '\(tag)'") }
      record.order.append(tag)
      if tag.hasSuffix(".999") {
        record.image = Array(rest[(colon + 1)...])
        return record
      }
      let end = rest[colon...].firstIndex(of: 29) ?? rest.endIndex
      record.texts[tag] = String(decoding: rest[(colon + 1)..<end], as: UTF8.self)
      rest = end == rest.endIndex ? [] : rest[(end + 1)...]
    }
    return record
  }
}
