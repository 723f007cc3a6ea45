import CAllocations

/// The memory that reading an input took, beside the input.
struct FuzzMemory {
  /// The most bytes alive at once, above those alive before.
  var growth: Int
  /// The bytes of the input, uncompressed.
  var content: Int

  /// The maximum number of bytes allocated per byte of the input.
  static let most = 10
  /// The memory allowed for any input, however small: tables that readers begin with.
  static let floor = 64 << 10
  /// The additional memory allowed for decompression: a window and a chunk of content.
  static let decompressor = 192 << 10

  /// A Boolean value indicating whether the input is compressed.
  var isCompressed = false

  /// The number of bytes allocated per byte of the input, after subtracting the floor.
  var ratio: Double {
    let floor = Self.floor + (isCompressed ? Self.decompressor : 0)
    return Double(max(0, growth - floor)) / Double(max(1, content))
  }
  var isTooMuch: Bool { ratio > Double(Self.most) }

  /// Runs work and returns its peak of allocated bytes.
  static func growth<Result>(_ work: () -> Result) -> (Result, Int) {
    callocations_begin()
    let result = work()
    return (result, callocations_growth())
  }
}
