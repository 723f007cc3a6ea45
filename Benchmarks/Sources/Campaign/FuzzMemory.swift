import CAllocations

/// The memory that reading an input took, beside the input.
struct FuzzMemory {
  /// The most bytes alive at once, above those alive before.
  var growth: Int
  /// The bytes of the input, uncompressed.
  var content: Int

  /// The most that may be taken for a byte of the input.
  static let most = 10
  /// What may be taken for an input however small: tables that readers begin with, the window of the decompressor.
  static let floor = 256 << 10

  /// Bytes taken for each byte of the input, once the floor is taken off.
  var ratio: Double { Double(max(0, growth - Self.floor)) / Double(max(1, content)) }
  var isTooMuch: Bool { ratio > Double(Self.most) }

  /// Does something and gives the most bytes that it had alive at once.
  static func growth<Result>(_ work: () -> Result) -> (Result, Int) {
    callocations_begin()
    let result = work()
    return (result, callocations_growth())
  }
}
