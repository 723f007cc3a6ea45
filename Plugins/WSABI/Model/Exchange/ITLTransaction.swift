/// A file of ANSI/NIST-ITL in its traditional encoding: a Type-1 record and those it announces.
///
/// - Source: ANSI/NIST-ITL 1-2011 (NIST SP 500-290), annex B.
struct ITLTransaction: Sendable, Hashable {
  /// The first is of Type-1.
  var records: [ITLRecord]

  /// The separators of records, fields, subfields and items.
  enum Separator {
    static let record: UInt8 = 0x1C
    static let field: UInt8 = 0x1D
    static let subfield: UInt8 = 0x1E
    static let item: UInt8 = 0x1F
  }

  /// Returns the bytes of the file.
  ///
  /// Characters that separate are left out of texts; the length of each record counts itself.
  func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    for record in records { Self.encode(record, into: &bytes) }
    return bytes
  }

  private static func encode(_ record: ITLRecord, into bytes: inout [UInt8]) {
    var rest: [UInt8] = []
    for field in record.fields where field.number != 1 {
      rest.append(Separator.field)
      rest += Array("\(tag(record.type, field.number)):".utf8)
      for (row, items) in field.subfields.enumerated() {
        if row > 0 { rest.append(Separator.subfield) }
        for (column, item) in items.enumerated() {
          if column > 0 { rest.append(Separator.item) }
          rest += item.utf8.filter { !(0x1C...0x1F).contains($0) }
        }
      }
    }
    if let data = record.data {
      rest.append(Separator.field)
      rest += Array("\(tag(record.type, 999)):".utf8)
      rest += data
    }
    rest.append(Separator.record)
    let head = Array("\(tag(record.type, 1)):".utf8)
    bytes += head
    bytes += Array(String(length(head.count + rest.count)).utf8)
    bytes += rest
  }

  /// Returns a record's length including the digits that state it.
  private static func length(_ others: Int) -> Int {
    var digits = 1
    while String(others + digits).utf8.count != digits { digits += 1 }
    return others + digits
  }

  private static func tag(_ type: Int, _ number: Int) -> String {
    let digits = String(number)
    return "\(type).\(String(repeating: "0", count: max(0, 3 - digits.count)))\(digits)"
  }
}
