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
    var place = start
    guard let (type, number) = tag(&place, before: bytes.count), number == 1 else {
      throw count == 1 ? .noTransaction : .badField(record: count, offset: start)
    }
    var length = 0
    while place < bytes.count, (0x30...0x39).contains(bytes[place]), length < 1 << 40 {
      length = length * 10 + Int(bytes[place] - 0x30)
      place += 1
    }
    let end = start + length - 1
    guard end >= place, end < bytes.count, bytes[end] == ITLTransaction.Separator.record else {
      throw .cut(record: count, offset: min(max(end, place), bytes.count))
    }
    offset = end + 1
    return try record(type, from: place, to: end)
  }

  /// Returns the fields from the separator after the length up to the end of the record, exclusive.
  private func record(_ type: Int, from start: Int, to end: Int) throws(ITLError) -> ITLRecord {
    var record = ITLRecord(type, [])
    var place = start
    while place < end {
      guard bytes[place] == ITLTransaction.Separator.field else { throw .badField(record: count, offset: place) }
      place += 1
      let fieldStart = place
      guard let (fieldType, number) = tag(&place, before: end), fieldType == type else {
        throw .badField(record: count, offset: fieldStart)
      }
      if number == 999 {
        record.data = Array(bytes[place..<end])
        return record
      }
      let fieldEnd = bytes[place..<end].firstIndex(of: ITLTransaction.Separator.field) ?? end
      record.fields.append(ITLField(number, subfields: items(bytes[place..<fieldEnd])))
      place = fieldEnd
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
  private func tag(_ place: inout Int, before end: Int) -> (type: Int, number: Int)? {
    guard let type = digits(&place, end, UInt8(ascii: ".")), let number = digits(&place, end, UInt8(ascii: ":")) else {
      return nil
    }
    return (type, number)
  }

  private func digits(_ place: inout Int, _ end: Int, _ stop: UInt8) -> Int? {
    let start = place
    var value = 0
    while place < end, (0x30...0x39).contains(bytes[place]), place - start < 9 {
      value = value * 10 + Int(bytes[place] - 0x30)
      place += 1
    }
    guard place > start, place < end, bytes[place] == stop else { return nil }
    place += 1
    return value
  }
}
