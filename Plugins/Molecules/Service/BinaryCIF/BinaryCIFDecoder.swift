/// Decodes one BinaryCIF column.
private struct BinaryCIFDecoder {
  let file: UnsafeBufferPointer<UInt8>

  /// Decodes a column.
  ///
  /// - Parameters:
  ///   - data: The range of its bytes in the file.
  ///   - steps: The encodings, in the order of encoding.
  ///   - limit: The largest number of values, checked before memory is reserved.
  /// - Throws: ``BinaryCIFError``.
  func values(
    _ data: Range<Int>, _ steps: [BinaryCIFEncoding], limit: Int
  ) throws(BinaryCIFError) -> BinaryCIFValues {
    if case .stringArray(let text, let offsets, let offsetSteps, let indexSteps) = steps.first, steps.count == 1 {
      let indices = try integers(data, indexSteps, limit: limit)
      let ends = try integers(offsets, offsetSteps, limit: text.count + 2)
      return .texts(BinaryCIFTexts(ranges: ranges(text, ends), indices: indices))
    }
    var values = BinaryCIFValues.integers([])
    for (index, step) in steps.reversed().enumerated() {
      values = try undo(step, values, isFirst: index == 0, data, limit)
    }
    return values
  }

  private func integers(
    _ data: Range<Int>, _ steps: [BinaryCIFEncoding], limit: Int
  ) throws(BinaryCIFError) -> [Int32] {
    guard case .integers(let values) = try values(data, steps, limit: limit) else { throw .notIntegers }
    return values
  }

  private func undo(
    _ step: BinaryCIFEncoding, _ values: BinaryCIFValues, isFirst: Bool, _ data: Range<Int>, _ limit: Int
  ) throws(BinaryCIFError) -> BinaryCIFValues {
    if case .byteArray(let type) = step {
      guard isFirst else { throw .misplaced }
      return try bytes(data, type)
    }
    guard !isFirst, case .integers(let input) = values else { throw .misplaced }
    switch step {
    case .fixedPoint(let factor): return .numbers(input.map { Double($0) / factor })
    case .intervalQuantization(let minimum, let maximum, let steps):
      let width = steps > 1 ? (maximum - minimum) / Double(steps - 1) : 0
      return .numbers(input.map { minimum + Double($0) * width })
    case .runLength: return .integers(try runs(input, limit))
    case .delta(let origin):
      var sum = Int32(truncatingIfNeeded: origin)
      return .integers(
        input.map {
          sum &+= $0
          return sum
        })
    case .integerPacking(let byteCount, let isUnsigned):
      guard byteCount == 1 || byteCount == 2 else { throw .misplaced }
      return .integers(unpacked(input, byteCount, isUnsigned))
    case .byteArray, .stringArray: throw .misplaced
    }
  }

  private func bytes(_ data: Range<Int>, _ type: Int) throws(BinaryCIFError) -> BinaryCIFValues {
    switch type {
    case 1: return .integers(try numbers(data) { (value: Int8) in Int32(value) })
    case 2: return .integers(try numbers(data) { (value: Int16) in Int32(Int16(littleEndian: value)) })
    case 3: return .integers(try numbers(data) { (value: Int32) in Int32(littleEndian: value) })
    case 4: return .integers(try numbers(data) { (value: UInt8) in Int32(value) })
    case 5: return .integers(try numbers(data) { (value: UInt16) in Int32(UInt16(littleEndian: value)) })
    case 6:
      return .integers(
        try numbers(data) { (value: UInt32) in Int32(bitPattern: UInt32(littleEndian: value)) })
    case 32:
      return .numbers(
        try numbers(data) { (value: UInt32) in Double(Float(bitPattern: UInt32(littleEndian: value))) })
    case 33:
      return .numbers(try numbers(data) { (value: UInt64) in Double(bitPattern: UInt64(littleEndian: value)) })
    default: throw .unknownType(type)
    }
  }

  /// Returns the stored numbers of a type.
  @inline(__always)
  private func numbers<Stored: FixedWidthInteger, Number>(
    _ data: Range<Int>, _ make: (Stored) -> Number
  ) throws(BinaryCIFError) -> [Number] {
    let width = MemoryLayout<Stored>.size
    let count = data.count / width
    guard data.count == count * width else { throw .oddLength }
    guard let base = file.baseAddress, count > 0 else { return [] }
    let raw = UnsafeRawPointer(base + data.lowerBound)
    return [Number](unsafeUninitializedCapacity: count) { room, filled in
      for index in 0..<count {
        room.initializeElement(at: index, to: make(raw.loadUnaligned(fromByteOffset: index * width, as: Stored.self)))
      }
      filled = count
    }
  }

  private func runs(_ input: [Int32], _ limit: Int) throws(BinaryCIFError) -> [Int32] {
    var total = 0
    for index in stride(from: 1, to: input.count, by: 2) {
      guard input[index] >= 0 else { throw .tooMany }
      total += Int(input[index])
    }
    guard total <= limit else { throw .tooMany }
    var output: [Int32] = []
    output.reserveCapacity(total)
    for index in stride(from: 1, to: input.count, by: 2) {
      output.append(contentsOf: repeatElement(input[index - 1], count: Int(input[index])))
    }
    return output
  }

  private func unpacked(_ input: [Int32], _ byteCount: Int, _ isUnsigned: Bool) -> [Int32] {
    let upper: Int32 = isUnsigned ? (byteCount == 1 ? 0xFF : 0xFFFF) : (byteCount == 1 ? 0x7F : 0x7FFF)
    let lower: Int32 = isUnsigned ? -1 : -upper - 1
    return [Int32](unsafeUninitializedCapacity: input.count) { room, filled in
      var sum: Int32 = 0
      var count = 0
      for value in input {
        sum &+= value
        if value != upper, value != lower {
          room.initializeElement(at: count, to: sum)
          count += 1
          sum = 0
        }
      }
      filled = count
    }
  }

  /// Returns the ranges of texts in the file; offsets in the long text count its characters, not its bytes.
  private func ranges(_ text: Range<Int>, _ offsets: [Int32]) -> [Range<Int>] {
    guard offsets.count > 1 else { return [] }
    let starts = file[text].contains { $0 >= 0x80 } ? characterStarts(text) : nil
    func position(_ offset: Int32) -> Int {
      let character = max(0, Int(offset))
      guard let starts else { return text.lowerBound + min(character, text.count) }
      return starts[min(character, starts.count - 1)]
    }
    return zip(offsets, offsets.dropFirst()).map { first, end in
      let start = position(first)
      return start..<max(start, position(end))
    }
  }

  /// Returns the start of each character of a text, and its end; a text is counted in UTF-16 units, as its writers do.
  private func characterStarts(_ text: Range<Int>) -> [Int] {
    var starts: [Int] = []
    starts.reserveCapacity(text.count + 1)
    for offset in text where file[offset] & 0xC0 != 0x80 {
      starts.append(offset)
      if file[offset] >= 0xF0 { starts.append(offset) }
    }
    starts.append(text.upperBound)
    return starts
  }
}

/// The values of a column.
enum BinaryCIFValues {
  case integers([Int32])
  case numbers([Double])
  case texts(BinaryCIFTexts)

  var count: Int {
    switch self {
    case .integers(let values): values.count
    case .numbers(let values): values.count
    case .texts(let texts): texts.indices.count
    }
  }
}

/// Repeated texts: the range of each in the file, and the index of each row's text.
struct BinaryCIFTexts {
  var ranges: [Range<Int>]
  /// Indices into `ranges`; negative if a row has none.
  var indices: [Int32]

  /// Returns the index in `ranges` of a row's text; nil if it has none.
  @inline(__always)
  func index(_ row: Int) -> Int? {
    let index = Int(indices[row])
    return index >= 0 && index < ranges.count ? index : nil
  }
}

/// An error that prevents decoding a column.
enum BinaryCIFError: Error, Equatable, CustomStringConvertible {
  case misplaced, notIntegers, oddLength, tooMany
  case unknownType(Int)
  case structure(MessagePackError)
  case rows(found: Int, expected: Int)

  var description: String {
    switch self {
    case .misplaced: "its encodings do not fit together"
    case .notIntegers: "it has values that are not whole numbers"
    case .oddLength: "its bytes are not a whole number of values"
    case .tooMany: "it declares more values than the category has rows"
    case .unknownType(let type): "'\(type)' is not a type of numbers (1 to 6, 32, 33)"
    case .structure(let error): error.description
    case .rows(let found, let expected): "it has \(found) values for \(expected) rows"
    }
  }
}

/// One step of the encoding of a BinaryCIF column, as described in the file.
///
/// - Source: BinaryCIF specification 0.3, https://github.com/molstar/BinaryCIF/blob/master/encoding.md
private enum BinaryCIFEncoding {
  /// Little-endian numbers; type 1-6 are int8, int16, int32, uint8, uint16, uint32, 32 and 33 float32 and float64.
  case byteArray(type: Int)
  /// Integers divided by a factor.
  case fixedPoint(factor: Double)
  /// Steps between two numbers, both included.
  case intervalQuantization(minimum: Double, maximum: Double, steps: Int)
  /// Pairs of value and count.
  case runLength
  /// Differences from the previous value; the first is from the origin.
  case delta(origin: Int)
  /// Small numbers; the largest and smallest are added to the following ones.
  case integerPacking(byteCount: Int, isUnsigned: Bool)
  /// Texts cut from one long text, by offsets; all ranges are ranges of the file.
  case stringArray(text: Range<Int>, offsets: Range<Int>, offsetSteps: [BinaryCIFEncoding], steps: [BinaryCIFEncoding])

  /// The largest number of steps.
  private static let mostSteps = 16

  /// Reads the list of steps at the current offset.
  ///
  /// - Parameter allowsTexts: True if a step may be `StringArray`, whose own lists may not contain another.
  static func steps(
    _ reader: inout MessagePackReader, allowsTexts: Bool = true
  ) throws(MessagePackError) -> [BinaryCIFEncoding] {
    let start = reader.offset
    let count = try reader.arrayCount()
    guard count > 0, count <= mostSteps else {
      throw .unexpected(offset: start, expected: "a list of 1 to \(mostSteps) encodings")
    }
    var steps: [BinaryCIFEncoding] = []
    for _ in 0..<count { steps.append(try step(&reader, allowsTexts)) }
    return steps
  }

  private static func step(
    _ reader: inout MessagePackReader, _ allowsTexts: Bool
  ) throws(MessagePackError) -> BinaryCIFEncoding {
    let start = reader.offset
    var fields = Fields()
    for _ in 0..<(try reader.mapCount()) { try fields.read(&reader, allowsTexts) }
    switch fields.kind {
    case "bytearray": return .byteArray(type: fields.integer("type"))
    case "fixedpoint": return .fixedPoint(factor: fields.numbers["factor"] ?? 1)
    case "intervalquantization":
      return .intervalQuantization(
        minimum: fields.numbers["min"] ?? 0, maximum: fields.numbers["max"] ?? 0, steps: fields.integer("numsteps"))
    case "runlength": return .runLength
    case "delta": return .delta(origin: fields.integer("origin"))
    case "integerpacking":
      return .integerPacking(
        byteCount: fields.integer("bytecount"), isUnsigned: fields.integer("isunsigned") != 0)
    case "stringarray" where allowsTexts:
      return .stringArray(
        text: fields.text, offsets: fields.offsets, offsetSteps: fields.offsetSteps, steps: fields.steps)
    default:
      throw .unexpected(
        offset: start,
        expected: "ByteArray, FixedPoint, IntervalQuantization, RunLength, Delta, IntegerPacking or StringArray")
    }
  }

  /// The fields of a step's map.
  private struct Fields {
    var kind = ""
    var numbers: [String: Double] = [:]
    var text = 0..<0
    var offsets = 0..<0
    var offsetSteps: [BinaryCIFEncoding] = []
    var steps: [BinaryCIFEncoding] = []

    func integer(_ name: String) -> Int { Int(numbers[name] ?? 0) }

    mutating func read(_ reader: inout MessagePackReader, _ allowsTexts: Bool) throws(MessagePackError) {
      let name = try reader.word()
      switch name {
      case "kind": kind = try reader.word()
      case "stringdata": text = try reader.text()
      case "offsets": offsets = try reader.data()
      case "offsetencoding" where allowsTexts:
        offsetSteps = try BinaryCIFEncoding.steps(&reader, allowsTexts: false)
      case "dataencoding" where allowsTexts: steps = try BinaryCIFEncoding.steps(&reader, allowsTexts: false)
      case "factor", "min", "max": numbers[name] = try reader.number()
      case "type", "numsteps", "srcsize", "origin", "bytecount", "isunsigned":
        numbers[name] = Double(try reader.integer())
      default: try reader.skip()
      }
    }
  }
}

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
  ///   - position: The offsets of its data and mask.
  ///   - rows: The required number of rows; nil if the file ended before stating it.
  ///   - limit: The largest number of rows.
  init(
    _ file: UnsafeBufferPointer<UInt8>, _ position: Place, rows: Int?, limit: Int
  ) throws(BinaryCIFError) {
    self.file = file
    guard let data = position.data else { throw .rows(found: 0, expected: rows ?? 0) }
    guard rows ?? 0 <= limit else { throw .tooMany }
    values = try Self.decoded(file, at: data, limit: rows ?? limit)
    let expected = rows ?? values.count
    guard values.count == expected else { throw .rows(found: values.count, expected: expected) }
    guard let maskPlace = position.mask,
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
