/// The identification of a sensor over HTTPS, and of this side towards it.
///
/// It is part of the sensor's address, so that no request is sent with less.
struct SensorTrust: Sendable, Hashable {
  /// Base64 of the SHA-256 of public keys (SubjectPublicKeyInfo), any of which the sensor may have.
  ///
  /// Without ``authorities`` the pins alone decide which sensors are trusted: sensors sign their certificates
  /// themselves.
  var pins: [String] = []
  /// The path of a PEM file with the authorities that may sign the sensor's certificate; empty for the system's.
  var authorities = ""
  /// The path of a PEM file with this side's client certificate; empty for none.
  var clientCertificate = ""
  /// The path of a PEM file with its private key, without password; empty if it is in the same file.
  var clientKey = ""

  /// True if there is no trust beyond the system's.
  var isEmpty: Bool { self == SensorTrust() }

  /// Parses a pin, with or without the prefix `sha256//`; nil if it is malformed.
  static func pin(_ text: String) -> String? {
    let bare = text.hasPrefix("sha256//") ? String(text.dropFirst(8)) : text
    let bytes = Array(bare.utf8)
    // 32 bytes are 43 letters and a mark of padding.
    guard bytes.count == 44, bytes[43] == UInt8(ascii: "="), bytes[..<43].allSatisfy(isLetter) else { return nil }
    return bare
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
      true
    default: false
    }
  }
}
