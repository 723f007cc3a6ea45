/// One decoded column, with its values and a mask of missing ones.
struct BinaryCIFColumn {
  let file: UnsafeBufferPointer<UInt8>
  let values: BinaryCIFValues
  /// The mask: 0 for a value, 1 for not applicable (`.`), 2 for unknown (`?`); empty if no value is missing.
  let mask: [Int32]

  /// The offsets of the parts of a column that is not decoded yet.
  struct Place {
    var data: Int?
    var mask: Int?
  }

  /// Decodes a column.
  ///
  /// - Parameters:
  ///   - file: The whole file.
  ///   - place: The offsets of its data and mask.
  ///   - rows: The required number of rows; nil if the file ended before stating it.
  ///   - limit: The largest number of rows.
  init(
    _ file: UnsafeBufferPointer<UInt8>, _ place: Place, rows: Int?, limit: Int
  ) throws(BinaryCIFError) {
    self.file = file
    guard let data = place.data else { throw .rows(found: 0, expected: rows ?? 0) }
    guard rows ?? 0 <= limit else { throw .tooMany }
    values = try Self.decoded(file, at: data, limit: rows ?? limit)
    let expected = rows ?? values.count
    guard values.count == expected else { throw .rows(found: values.count, expected: expected) }
    guard let maskPlace = place.mask,
      case .integers(let marks) = try Self.decoded(file, at: maskPlace, limit: expected)
    else {
      mask = []
      return
    }
    guard marks.count == expected else { throw .rows(found: marks.count, expected: expected) }
    mask = marks
  }

  /// Returns the decoded map `{data, encoding}` that begins at an offset.
  private static func decoded(
    _ file: UnsafeBufferPointer<UInt8>, at offset: Int, limit: Int
  ) throws(BinaryCIFError) -> BinaryCIFValues {
    var data = 0..<0
    var steps: [BinaryCIFEncoding] = []
    do throws(MessagePackError) {
      var reader = MessagePackReader(file, at: offset)
      for _ in 0..<(try reader.mapCount()) {
        switch try reader.word() {
        case "data": data = try reader.data()
        case "encoding": steps = try BinaryCIFEncoding.steps(&reader)
        default: try reader.skip()
        }
      }
    } catch {
      throw .structure(error)
    }
    return try BinaryCIFDecoder(file: file).values(data, steps, limit: limit)
  }

  var count: Int { values.count }

  /// Returns true if a row has no value.
  @inline(__always)
  func isMissing(_ row: Int) -> Bool {
    if !mask.isEmpty, mask[row] != 0 { return true }
    if case .texts(let texts) = values {
      guard let index = texts.index(row) else { return true }
      return texts.ranges[index].isEmpty
    }
    return false
  }

  /// Returns the number in a row; nil if missing or not a number.
  @inline(__always)
  func number(_ row: Int) -> Double? {
    if !mask.isEmpty, mask[row] != 0 { return nil }
    switch values {
    case .integers(let values): return Double(values[row])
    case .numbers(let values): return abs(values[row]) < NumberText.largest ? values[row] : nil
    case .texts:
      guard let text = bytes(row), let base = text.baseAddress else { return nil }
      return NumberText.number(base, text.count)
    }
  }

  /// Returns the integer in a row; nil if missing or not an integer.
  @inline(__always)
  func integer(_ row: Int) -> Int? {
    if !mask.isEmpty, mask[row] != 0 { return nil }
    switch values {
    case .integers(let values): return Int(values[row])
    case .numbers(let values): return Int(exactly: values[row])
    case .texts:
      guard let text = bytes(row), let base = text.baseAddress else { return nil }
      return NumberText.integer(base, text.count)
    }
  }

  /// Returns the text of a row, with numbers in text form; empty if missing.
  func text(_ row: Int) -> String {
    guard !isMissing(row) else { return "" }
    switch values {
    case .integers(let values): return "\(values[row])"
    case .numbers(let values): return "\(values[row])"
    case .texts: return bytes(row).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
  }

  /// Returns the numbers of all rows; NaN if missing.
  func numbers() -> [Double] {
    if case .numbers(let values) = values, mask.isEmpty { return values }
    return (0..<count).map { number($0) ?? .nan }
  }

  /// Returns the integers of all rows; the smallest 32-bit integer if missing.
  func integers() -> [Int32] {
    if case .integers(let values) = values, mask.isEmpty { return values }
    return (0..<count).map { integer($0).map { Int32(truncatingIfNeeded: $0) } ?? .min }
  }

  private func bytes(_ row: Int) -> UnsafeBufferPointer<UInt8>? {
    guard case .texts(let texts) = values, let index = texts.index(row) else { return nil }
    return UnsafeBufferPointer(rebasing: file[texts.ranges[index]])
  }
}
