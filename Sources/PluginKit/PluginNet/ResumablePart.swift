/// The received part of a file, to which a ``ResumableDownload`` appends until the file is complete.
///
/// `PartialFile` of `PluginStore` keeps one on the disk. The caller that makes a part unlocks it when the download
/// ends.
public protocol ResumablePart: Sendable {
  /// The number of bytes received.
  var count: Int { get }
  /// The identity of these bytes.
  var identity: PartIdentity { get }
  /// Appends bytes.
  ///
  /// Called on the thread of all transfers, so it must not wait for the network.
  func append(_ bytes: UnsafeRawBufferPointer) throws
  /// Discards all bytes, before the file is received from its beginning.
  ///
  /// - Parameter validator: The ETag or date by which the server recognizes the following bytes; nil if there is none.
  func restart(validator: String?) throws
  /// Discards all but the first bytes, if possible.
  func keepFirst(_ count: Int)
}

/// The means by which the bytes of a part are known to be the beginning of a file.
public enum PartIdentity: Sendable {
  /// There is none: the file is received from its beginning.
  case none
  /// The server's ETag or date: it sends the remaining bytes only if the file is still the same, and all bytes otherwise.
  case validator(String)
  /// A digest, for files whose size and digest are verified in the end.
  ///
  /// The remaining bytes are requested without a condition. If the server sends the whole file, its beginning is compared
  /// with the part, which is kept unless they differ.
  /// - Parameters:
  ///   - value: The digest of the part.
  ///   - empty: A digest of no bytes.
  case digest(UInt64, empty: any PartDigest)
}

/// A digest of bytes, such as a CRC-32.
public protocol PartDigest: Sendable {
  /// The digest of all bytes so far.
  var value: UInt64 { get }
  /// Adds the next bytes.
  mutating func add(_ bytes: UnsafeRawBufferPointer)
}
