/// The destination of an export: named files, one after the other, which count only once all of them are there.
///
/// Nothing is visible at the destination before ``finish()``. A caller that gives up calls ``abandon()``.
protocol ExchangeTarget: Sendable {
  /// Begins a file.
  ///
  /// - Parameters:
  ///   - name: A path with `/` between its parts; each name once.
  ///   - sizeInBytes: How many bytes will come.
  func begin(_ name: String, sizeInBytes: Int) throws
  /// Takes the next bytes of the file.
  func write(_ bytes: UnsafeRawBufferPointer) throws
  /// Ends the file.
  ///
  /// - Returns: Its SHA-256, 32 bytes.
  func end() throws -> [UInt8]
  /// Puts the export into its place, whole.
  ///
  /// - Throws: ``ExchangeError/targetExists(path:)`` if something came to be there meanwhile.
  func finish() throws
  /// Removes the written files.
  func abandon()
}

extension ExchangeTarget {
  /// Writes a file at once.
  @discardableResult
  func write(_ name: String, _ bytes: [UInt8]) throws -> [UInt8] {
    try begin(name, sizeInBytes: bytes.count)
    try bytes.withUnsafeBytes { try write($0) }
    return try end()
  }
}
