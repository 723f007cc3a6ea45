public import PluginAPI

extension JSONWriter {
  /// Writes a value.
  ///
  /// Dates become ISO 8601 text, quantities `{"value", "unit"}`, tables lists of records, bytes base64 text, and a
  /// picture its size. Decimals are written as numbers, digit for digit, so that they survive a round trip; malformed
  /// ones are written as text.
  public mutating func write(_ value: Value) {
    switch value.content {
    case .null: writeNull()
    case .bool(let flag): write(flag)
    case .integer(let number): write(number)
    case .number(let number): write(number)
    case .decimal(let text): if JSONNumber.isNumber(text.utf8) { write(raw: text.utf8) } else { write(text) }
    case .text(let text): write(text)
    case .bytes(let data): write(String(decoding: base64(data), as: UTF8.self))
    case .date(let instant): write(instant.description)
    case .quantity(let quantity):
      write(Record([.init("value", .number(quantity.value)), .init("unit", .text(quantity.unit))]))
    case .list(let values):
      beginArray()
      for value in values { write(value) }
      endArray()
    case .record(let record): write(record)
    case .table(let table): write(table)
    case .picture(let picture):
      write(Record([.init("width", .integer(picture.width)), .init("height", .integer(picture.height))]))
    case .array(let array):
      let shape = array.shape.map(Value.integer)
      write(
        Record([
          .init("type", .text(array.elementType.rawValue)), .init("shape", .list(shape)),
          .init("data", .bytes(array.bytes)),
        ]))
    @unknown default: writeNull()
    }
  }

  private mutating func write(_ record: Record) {
    beginObject()
    for field in record.fields {
      key(field.name)
      write(field.value)
    }
    endObject()
  }

  private mutating func write(_ table: Table) {
    beginArray()
    for row in 0..<table.rowCount {
      beginObject()
      for column in table.columns {
        key(column.name)
        write(column.values[row])
      }
      endObject()
    }
    endArray()
  }

  /// - Source: RFC 4648, section 4.
  private func base64(_ data: [UInt8]) -> [UInt8] {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    text.reserveCapacity((data.count + 2) / 3 * 4)
    for start in stride(from: 0, to: data.count, by: 3) {
      let count = min(3, data.count - start)
      var word = 0
      for index in 0..<3 { word = word << 8 | (index < count ? Int(data[start + index]) : 0) }
      for place in 0..<4 { text.append(place > count ? UInt8(ascii: "=") : letters[word >> (18 - 6 * place) & 63]) }
    }
    return text
  }
}
