/// The type of data by its first bytes, whatever the service claims.
enum SniffedType {
  private static let marks: [(type: String, bytes: [UInt8])] = [
    ("image/png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
    ("image/jpeg", [0xFF, 0xD8, 0xFF]),
    ("image/jp2", [0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20]),
    ("image/jp2", [0xFF, 0x4F, 0xFF, 0x51]),
    ("image/tiff", [0x49, 0x49, 0x2A, 0]),
    ("image/tiff", [0x4D, 0x4D, 0, 0x2A]),
    ("image/x-wsq", [0xFF, 0xA0, 0xFF]),
    ("image/gif", [0x47, 0x49, 0x46, 0x38]),
    ("audio/wav", [0x52, 0x49, 0x46, 0x46]),
    ("text/xml", Array("<?xml".utf8)),
    ("image/bmp", [0x42, 0x4D]),
  ]

  /// Returns the media type; nil if the bytes are unknown.
  static func of(_ start: [UInt8]) -> String? { marks.first { start.starts(with: $0.bytes) }?.type }
}
