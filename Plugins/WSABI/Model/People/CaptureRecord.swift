import PluginAPI

/// The stored data of a sensor for an item: complete, unchanged, with all metadata.
struct CaptureRecord: Sendable, Hashable {
  /// The store's number; never reused.
  var id: Int
  var item: Int
  /// The service's id of the data.
  var captureID: SensorUUID
  /// Base address of the service that delivered it.
  var address: String
  var sizeInBytes: Int
  /// 32 bytes, taken while the data arrived, checked at every read.
  var sha256: [UInt8]
  /// The type that the service claims; empty if it claims none.
  var claimedType: String
  /// The type by the first bytes; nil if they are unknown.
  var sniffedType: String?
  /// The metadata that the service sent, as received.
  var metadata: WireDictionary
  /// The time when the last byte was received, by this machine's clock.
  var received: Instant
  /// The quality from 0 (worst) to 100, with its scorer; nil if it could not be scored.
  var quality: Quality?
  /// The subject of the capture, even if its item was renamed since; nil if an older version stored the capture without
  /// it.
  var subject: CaptureSubject? = nil
  /// The number of the act of capture, shared by all pictures of one response.
  var act = 0
  /// The index of the id within the response, from 0.
  var place = 0

  /// The pixels per inch that the service states; nil if it states none, or an implausible value.
  ///
  /// - Source: OASIS BIOSERV 1.0, the item `imageDensity` of the finger profile.
  var statedPixelsPerInch: Int? {
    guard let number = metadata["imageDensity"]?.plainText.flatMap({ Double($0) }) else { return nil }
    return (1...100_000).contains(number) ? Int(number.rounded()) : nil
  }

  /// A score with its origin.
  struct Quality: Sendable, Hashable {
    var score: Int
    var scorer: String
  }
}
