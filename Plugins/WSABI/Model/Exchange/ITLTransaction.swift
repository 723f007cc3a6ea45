import PluginAPI

/// A file of ANSI/NIST-ITL in its traditional encoding: a Type-1 record and those it announces.
///
/// - Source: ANSI/NIST-ITL 1-2011 (NIST SP 500-290), annex B.
struct ITLTransaction: Sendable, Hashable {
  /// The first is of Type-1.
  var records: [ITLRecord]

  /// The separators of records, fields, subfields and items.
  fileprivate enum Separator {
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
    var body: [UInt8] = []
    for field in record.fields where field.number != 1 {
      body.append(Separator.field)
      body += Array("\(tag(record.type, field.number)):".utf8)
      for (row, items) in field.subfields.enumerated() {
        if row > 0 { body.append(Separator.subfield) }
        for (column, item) in items.enumerated() {
          if column > 0 { body.append(Separator.item) }
          body += item.utf8.filter { !(0x1C...0x1F).contains($0) }
        }
      }
    }
    if let data = record.data {
      body.append(Separator.field)
      body += Array("\(tag(record.type, 999)):".utf8)
      body += data
    }
    body.append(Separator.record)
    let head = Array("\(tag(record.type, 1)):".utf8)
    bytes += head
    bytes += Array(String(length(head.count + body.count)).utf8)
    bytes += body
  }

  /// Returns a record's length including the digits that state it.
  private static func length(_ others: Int) -> Int {
    var digits = 1
    while String(others + digits).utf8.count != digits { digits += 1 }
    return others + digits
  }

  private static func tag(_ type: Int, _ number: Int) -> String {
    "\(type).\(number.padded(to: 3))"
  }
}

/// A logical record of an ANSI/NIST-ITL transaction: numbered fields, and for pictures the data of field 999.
///
/// - Source: ANSI/NIST-ITL 1-2011 (NIST SP 500-290), section 7.
struct ITLRecord: Sendable, Hashable {
  /// 1 for the first record, 2 for descriptive text, 10, 14 and 17 for pictures of faces, fingers and irises.
  var type: Int
  /// All but 1 (its length), which is made when it is written, and 999.
  var fields: [ITLField]
  /// Field 999; nil if it is missing.
  var data: [UInt8]?

  init(_ type: Int, _ fields: [ITLField], data: [UInt8]? = nil) {
    self.type = type
    self.fields = fields
    self.data = data
  }

  /// The first item of a field; nil if the field is not there.
  subscript(number: Int) -> String? { fields.first { $0.number == number }?.subfields.first?.first }

  /// Returns the complete text of a field; empty if it is missing.
  func subfields(_ number: Int) -> [[String]] { fields.first { $0.number == number }?.subfields ?? [] }
}

/// A field of a logical record: subfields of information items.
struct ITLField: Sendable, Hashable {
  var number: Int
  /// Row per subfield; each has at least one item.
  var subfields: [[String]]

  init(_ number: Int, subfields: [[String]]) {
    self.number = number
    self.subfields = subfields
  }

  /// Creates a field of one item.
  init(_ number: Int, _ text: String) { self.init(number, subfields: [[text]]) }
}

extension ITLTransaction {
  /// Reads a file.
  ///
  /// - Throws: ``ITLError`` if it is truncated, damaged, or not a transaction.
  init(_ bytes: [UInt8]) throws(ITLError) {
    var reader = ITLReader(bytes)
    var records: [ITLRecord] = []
    while let record = try reader.next() { records.append(record) }
    guard let first = records.first, first.type == 1 else { throw .noTransaction }
    let announced = first.subfields(3)
    guard announced.count == records.count else {
      throw .badContents(expected: announced.count, found: records.count)
    }
    self.init(records: records)
  }
}

/// A reader of consecutive records.
private struct ITLReader {
  private let bytes: [UInt8]
  private var offset = 0
  private var count = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func next() throws(ITLError) -> ITLRecord? {
    guard offset < bytes.count else { return nil }
    count += 1
    let start = offset
    var position = start
    guard let (type, number) = tag(&position, before: bytes.count), number == 1 else {
      throw count == 1 ? .noTransaction : .badField(record: count, offset: start)
    }
    var length = 0
    while position < bytes.count, (0x30...0x39).contains(bytes[position]), length < 1 << 40 {
      length = length * 10 + Int(bytes[position] - 0x30)
      position += 1
    }
    let end = start + length - 1
    guard end >= position, end < bytes.count, bytes[end] == ITLTransaction.Separator.record else {
      throw .cut(record: count, offset: min(max(end, position), bytes.count))
    }
    offset = end + 1
    return try record(type, from: position, to: end)
  }

  /// Returns the fields from the separator after the length up to the end of the record, exclusive.
  private func record(_ type: Int, from start: Int, to end: Int) throws(ITLError) -> ITLRecord {
    var record = ITLRecord(type, [])
    var position = start
    while position < end {
      guard bytes[position] == ITLTransaction.Separator.field else { throw .badField(record: count, offset: position) }
      position += 1
      let fieldStart = position
      guard let (fieldType, number) = tag(&position, before: end), fieldType == type else {
        throw .badField(record: count, offset: fieldStart)
      }
      if number == 999 {
        record.data = Array(bytes[position..<end])
        return record
      }
      let fieldEnd = bytes[position..<end].firstIndex(of: ITLTransaction.Separator.field) ?? end
      record.fields.append(ITLField(number, subfields: items(bytes[position..<fieldEnd])))
      position = fieldEnd
    }
    return record
  }

  private func items(_ bytes: ArraySlice<UInt8>) -> [[String]] {
    bytes.split(separator: ITLTransaction.Separator.subfield, omittingEmptySubsequences: false).map { row in
      row.split(separator: ITLTransaction.Separator.item, omittingEmptySubsequences: false).map {
        String(decoding: $0, as: UTF8.self)
      }
    }
  }

  /// Returns a type and a number as in `14.001:`, and the offset after the colon.
  private func tag(_ position: inout Int, before end: Int) -> (type: Int, number: Int)? {
    guard let type = digits(&position, end, UInt8(ascii: ".")), let number = digits(&position, end, UInt8(ascii: ":"))
    else {
      return nil
    }
    return (type, number)
  }

  private func digits(_ position: inout Int, _ end: Int, _ stop: UInt8) -> Int? {
    let start = position
    var value = 0
    while position < end, (0x30...0x39).contains(bytes[position]), position - start < 9 {
      value = value * 10 + Int(bytes[position] - 0x30)
      position += 1
    }
    guard position > start, position < end, bytes[position] == stop else { return nil }
    position += 1
    return value
  }
}

/// A captured picture in the form of an export.
struct ExchangedImage: Sendable, Hashable {
  /// The compression of the image, by the codes of the standard (field `CGA`).
  ///
  /// - Source: ANSI/NIST-ITL 1-2011, table 15.
  enum Compression: String, Sendable, CaseIterable {
    /// Rows of samples, from the top, without anything before or between them.
    case none = "NONE"
    case wsq = "WSQ20"
    case jpeg = "JPEGB"
    case losslessJPEG = "JPEGL"
    case jpeg2000 = "JP2"
    case losslessJPEG2000 = "JP2L"
    case png = "PNG"
  }

  var bytes: [UInt8]
  var compression: Compression
  var width: Int
  var height: Int
  /// Bits per pixel: 8 for gray, 24 for color.
  var bitsPerPixel: Int
  /// Pixels per inch; nil if the picture does not say.
  var pixelsPerInch: Int?
}

/// The reason a file is not an ANSI/NIST-ITL transaction, or none can be created.
enum ITLError: Error, Equatable, ReportableError {
  /// The file ends within a record, or a length is malformed.
  case cut(record: Int, offset: Int)
  /// Unexpected bytes in place of a field.
  case badField(record: Int, offset: Int)
  /// The first record lists other records than there are.
  case badContents(expected: Int, found: Int)
  /// The first record is not Type-1, or there is no record.
  case noTransaction
  /// A text of the first record that is empty, or has other letters than those of ASCII; which field it is.
  case badEnvelope(field: String, text: String)
  /// More records than 99 picture records can be numbered.
  case tooMany(Int)

  private enum Code {
    static let unusable = DeclaredError(
      "wsabi.itl", .failure, "a file is not an ANSI/NIST-ITL transaction, or the data does not fit into one")
    static let badEnvelope = DeclaredError(unusable.code, .usage, unusable.summary)
  }

  /// The stable codes.
  static let errorCodes = [Code.unusable.catalogueEntry]

  var report: ErrorReport {
    switch self {
    case .cut(let record, let offset):
      Code.unusable("record \(record) of the file is truncated at byte \(offset)", advice: "copy the file again")
    case .badField(let record, let offset):
      Code.unusable(
        "record \(record) of the file has no field at byte \(offset)",
        advice: "copy the file again")
    case .badContents(let expected, let found):
      Code.unusable("the file has \(found) records instead of \(expected)", advice: "copy the file again")
    case .noTransaction:
      Code.unusable(
        "the file does not begin with a Type-1 record",
        advice: "give an ANSI/NIST-ITL file in the traditional encoding")
    case .badEnvelope(let field, let text):
      Code.badEnvelope(
        "'\(text)' cannot be the \(field) of a transaction",
        advice: "use one or more printable ASCII characters")
    case .tooMany(let count):
      Code.unusable("\(count) pictures are too many for one file: the maximum is 99", advice: "export fewer items")
    }
  }
}
