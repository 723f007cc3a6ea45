/// Numbers of one type in any number of dimensions, such as a spectrum, a volume, or an image of more than 8 bits.
public struct NumericArray: Sendable, Hashable {
  /// The type of the numbers.
  public enum ElementType: String, Sendable, Hashable, CaseIterable {
    /// Whole numbers with a sign.
    case int8, int16, int32, int64
    /// Whole numbers without a sign.
    case uint8, uint16, uint32, uint64
    /// Binary floating-point numbers of IEEE 754.
    case float32, float64

    /// The size of a number, in bytes.
    public var byteCount: Int {
      switch self {
      case .int8, .uint8: 1
      case .int16, .uint16: 2
      case .int32, .uint32, .float32: 4
      case .int64, .uint64, .float64: 8
      }
    }
  }

  /// The type of the numbers.
  public let elementType: ElementType
  /// The length of each dimension; numbers that differ in the last index lie next to each other.
  public let shape: [Int]
  /// The numbers, little-endian.
  public let bytes: [UInt8]

  /// Creates an array from its bytes.
  ///
  /// - Returns: nil if a length is negative, or if the number of bytes does not fit the shape.
  public init?(_ elementType: ElementType, shape: [Int], bytes: [UInt8]) {
    var count = elementType.byteCount
    for length in shape {
      let (product, isTooLarge) = count.multipliedReportingOverflow(by: length)
      if length < 0 || isTooLarge { return nil }
      count = product
    }
    if count != bytes.count { return nil }
    (self.elementType, self.shape, self.bytes) = (elementType, shape, bytes)
  }

  /// Creates an array of numbers.
  ///
  /// - Parameters:
  ///   - numbers: The numbers, the last index running fastest.
  ///   - shape: The length of each dimension; nil for one dimension. Lengths that do not fit the number of numbers are a
  ///     programming mistake.
  public init<Number: NumericArrayElement>(_ numbers: [Number], shape: [Int]? = nil) {
    let shape = shape ?? [numbers.count]
    precondition(shape.reduce(1, *) == numbers.count, "the shape of an array fits the number of its numbers")
    elementType = Number.elementType
    self.shape = shape
    var bytes: [UInt8] = []
    bytes.reserveCapacity(numbers.count * Number.elementType.byteCount)
    for number in numbers {
      withUnsafeBytes(of: number.littleEndianForm) { bytes.append(contentsOf: $0) }
    }
    self.bytes = bytes
  }

  /// The number of numbers.
  public var count: Int { bytes.count / elementType.byteCount }

  /// Returns the numbers, the last index running fastest; nil if they are of another type.
  public func numbers<Number: NumericArrayElement>(as type: Number.Type) -> [Number]? {
    guard Number.elementType == elementType else { return nil }
    return bytes.withUnsafeBytes { buffer in
      (0..<count).map { index in
        let offset = index * MemoryLayout<Number.LittleEndianForm>.size
        return Number(
          littleEndianForm: buffer.loadUnaligned(fromByteOffset: offset, as: Number.LittleEndianForm.self))
      }
    }
  }

  /// The type and shape in words, such as `float32 64 × 64`.
  public var description: String {
    elementType.rawValue + (shape.isEmpty ? "" : " " + shape.map(String.init).joined(separator: " × "))
  }
}

/// A type of number that a ``NumericArray`` can hold.
public protocol NumericArrayElement: Sendable {
  /// The integer that holds the number's bytes.
  associatedtype LittleEndianForm: FixedWidthInteger & BitwiseCopyable

  /// The name of the type in an array.
  static var elementType: NumericArray.ElementType { get }

  /// Creates a number from its bytes, least significant first.
  init(littleEndianForm: LittleEndianForm)

  /// The number's bytes, least significant first.
  var littleEndianForm: LittleEndianForm { get }
}

extension NumericArrayElement where Self: FixedWidthInteger & BitwiseCopyable {
  /// Creates a number from its bytes, least significant first.
  public init(littleEndianForm form: Self) { self = Self(littleEndian: form) }
  /// The number's bytes, least significant first.
  public var littleEndianForm: Self { littleEndian }
}

extension Int8: NumericArrayElement {
  /// `int8`.
  public static var elementType: NumericArray.ElementType { .int8 }
}
extension Int16: NumericArrayElement {
  /// `int16`.
  public static var elementType: NumericArray.ElementType { .int16 }
}
extension Int32: NumericArrayElement {
  /// `int32`.
  public static var elementType: NumericArray.ElementType { .int32 }
}
extension Int64: NumericArrayElement {
  /// `int64`.
  public static var elementType: NumericArray.ElementType { .int64 }
}
extension UInt8: NumericArrayElement {
  /// `uint8`.
  public static var elementType: NumericArray.ElementType { .uint8 }
}
extension UInt16: NumericArrayElement {
  /// `uint16`.
  public static var elementType: NumericArray.ElementType { .uint16 }
}
extension UInt32: NumericArrayElement {
  /// `uint32`.
  public static var elementType: NumericArray.ElementType { .uint32 }
}
extension UInt64: NumericArrayElement {
  /// `uint64`.
  public static var elementType: NumericArray.ElementType { .uint64 }
}
extension Float: NumericArrayElement {
  /// `float32`.
  public static var elementType: NumericArray.ElementType { .float32 }
  /// Creates a number from its bytes, least significant first.
  public init(littleEndianForm form: UInt32) { self.init(bitPattern: UInt32(littleEndian: form)) }
  /// The number's bytes, least significant first.
  public var littleEndianForm: UInt32 { bitPattern.littleEndian }
}
extension Double: NumericArrayElement {
  /// `float64`.
  public static var elementType: NumericArray.ElementType { .float64 }
  /// Creates a number from its bytes, least significant first.
  public init(littleEndianForm form: UInt64) { self.init(bitPattern: UInt64(littleEndian: form)) }
  /// The number's bytes, least significant first.
  public var littleEndianForm: UInt64 { bitPattern.littleEndian }
}

extension NumericArray: FieldValue {
  /// An array of numbers.
  public static var schema: ValueSchema { .array }
  /// The array.
  public var fieldValue: Value { .array(self) }
}
