/// The destination of an export: named files, one after the other, which count only once all of them are there.
///
/// Nothing is visible at the destination before ``finish()``. A caller that gives up calls ``abandon()``.
protocol ExchangeTarget: Sendable {
  /// Starts a file.
  ///
  /// - Parameters:
  ///   - name: A path with `/` between its parts; each name once.
  ///   - sizeInBytes: The number of bytes that will be written.
  func begin(_ name: String, sizeInBytes: Int) throws
  /// Writes the next bytes of the file.
  func write(_ bytes: UnsafeRawBufferPointer) throws
  /// Ends the file.
  ///
  /// - Returns: Its SHA-256, 32 bytes.
  func end() throws -> [UInt8]
  /// Moves the complete export to its destination.
  ///
  /// - Throws: ``ExchangeError/targetExists(path:)`` if the destination exists by now.
  func finish() throws
  /// Removes the written files.
  func abandon()
}

extension ExchangeTarget {
  /// Writes a whole file.
  @discardableResult
  func write(_ name: String, _ bytes: [UInt8]) throws -> [UInt8] {
    try begin(name, sizeInBytes: bytes.count)
    try bytes.withUnsafeBytes { try write($0) }
    return try end()
  }
}
