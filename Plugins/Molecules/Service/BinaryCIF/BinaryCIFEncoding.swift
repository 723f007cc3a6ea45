/// One step of the encoding of a BinaryCIF column, as described in the file.
///
/// - Source: BinaryCIF specification 0.3, https://github.com/molstar/BinaryCIF/blob/master/encoding.md
enum BinaryCIFEncoding {
  /// Little-endian numbers; type 1-6 are int8, int16, int32, uint8, uint16, uint32, 32 and 33 float32 and float64.
  case byteArray(type: Int)
  /// Integers divided by a factor.
  case fixedPoint(factor: Double)
  /// Steps between two numbers, both included.
  case intervalQuantization(minimum: Double, maximum: Double, steps: Int)
  /// Pairs of value and count.
  case runLength(size: Int)
  /// Differences from the previous value; the first is from the origin.
  case delta(origin: Int)
  /// Small numbers; the largest and smallest are added to the following ones.
  case integerPacking(byteCount: Int, isUnsigned: Bool, size: Int)
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
    case "runlength": return .runLength(size: fields.integer("srcsize"))
    case "delta": return .delta(origin: fields.integer("origin"))
    case "integerpacking":
      return .integerPacking(
        byteCount: fields.integer("bytecount"), isUnsigned: fields.integer("isunsigned") != 0,
        size: fields.integer("srcsize"))
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
