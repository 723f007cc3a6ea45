/// Decodes one BinaryCIF column.
struct BinaryCIFDecoder {
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
      let places = try integers(offsets, offsetSteps, limit: text.count + 2)
      return .texts(BinaryCIFTexts(ranges: ranges(text, places), indices: indices))
    }
    var values = BinaryCIFValues.integers([])
    for (index, step) in steps.reversed().enumerated() {
      values = try undo(step, values, isFirst: index == 0, data, limit)
    }
    return values
  }

  /// Decodes a column of integers.
  func integers(
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
    case .integerPacking(let byteCount, let isUnsigned, _):
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
  private func ranges(_ text: Range<Int>, _ places: [Int32]) -> [Range<Int>] {
    guard places.count > 1 else { return [] }
    let starts = file[text].contains { $0 >= 0x80 } ? characterStarts(text) : nil
    func place(_ offset: Int32) -> Int {
      let character = max(0, Int(offset))
      guard let starts else { return text.lowerBound + min(character, text.count) }
      return starts[min(character, starts.count - 1)]
    }
    return zip(places, places.dropFirst()).map { first, end in
      let start = place(first)
      return start..<max(start, place(end))
    }
  }

  /// Returns the start of each character of a text, and its end; a text is counted in UTF-16 units, as its writers do.
  private func characterStarts(_ text: Range<Int>) -> [Int] {
    var starts: [Int] = []
    starts.reserveCapacity(text.count + 1)
    for place in text where file[place] & 0xC0 != 0x80 {
      starts.append(place)
      if file[place] >= 0xF0 { starts.append(place) }
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

/// A reason why a column cannot be decoded.
enum BinaryCIFError: Error, Equatable, CustomStringConvertible {
  case misplaced, notIntegers, oddLength, tooMany
  case unknownType(Int)
  case structure(MessagePackError)
  case rows(found: Int, expected: Int)

  var description: String {
    switch self {
    case .misplaced: "its encodings do not fit together"
    case .notIntegers: "it has other values where whole numbers are expected"
    case .oddLength: "its bytes are no whole number of values"
    case .tooMany: "it claims more values than the category has rows"
    case .unknownType(let type): "'\(type)' is no type of numbers (1 to 6, 32, 33)"
    case .structure(let error): error.description
    case .rows(let found, let expected): "it has \(found) values for \(expected) rows"
    }
  }
}
