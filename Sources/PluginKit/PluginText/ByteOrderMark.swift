extension Collection<UInt8> {
  /// The bytes without the byte order mark of UTF-8 at their start, if they have one.
  @inlinable public var withoutByteOrderMark: SubSequence {
    starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self[...]
  }
}
