/// The base address of a service, in the one spelling by which links are shared.
///
/// `localhost:8000/Service/` becomes `http://localhost:8000/Service`: a missing scheme is http, scheme and host are in
/// lower case, the usual port and slashes at the end go. Names and passwords in it, fragments, queries and other schemes
/// are refused.
struct SensorAddress: Sendable, Hashable {
  /// The address without a slash at its end.
  let text: String
  /// The host without brackets, in lower case.
  let host: String
  let port: Int
  let isSecure: Bool
  /// The trust of the sensor; only the system's unless configured otherwise.
  var trust = SensorTrust()

  /// True if the host is this machine, so that no other machine can intervene.
  ///
  /// A name may begin with digits.
  private var isOnLoopback: Bool {
    let isNumber = host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }
    return host == "localhost" || host == "::1" || isNumber && host.hasPrefix("127.")
  }

  /// True if third parties on the network can read and change the messages: plain HTTP to another machine.
  var isUnprotected: Bool { !isSecure && !isOnLoopback }

  /// Returns the address of a percent-encoded path below the service.
  func appending(_ path: String) -> String { "\(text)/\(path)" }
}

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

/// A sensor's certificate over HTTPS, before it is trusted.
struct SensorCertificate: Sendable, Hashable {
  /// The hash of its key, in the form of ``SensorTrust/pins``.
  var pin: String
  /// The subject of the certificate, and its issuer.
  var subject: String
  var issuer: String
  /// The period of validity, as the library formats it.
  var validFrom: String
  var validUntil: String
  /// The reason the certificate is not trusted without a pin; nil if it is.
  var problem: String?
}

/// The hosts on which sensors are allowed, as a deployer lists them.
///
/// An entry is a host (`sensor.example`, `10.0.0.7`, `::1`), all hosts below a name (`*.lab.example`), or an IPv4
/// network (`192.168.20.0/24`). Names are compared literally, never resolved.
struct AllowedHosts: Sendable, Hashable {
  private enum Entry: Hashable {
    case host(String)
    case below(String)
    case network(UInt32, bits: Int)
  }

  private let entries: [Entry]
  /// True if there is no list, so that every host is allowed.
  private let allowsAll: Bool

  /// Parses entries separated by commas or blanks; an empty text allows every host.
  ///
  /// An unreadable entry matches nothing, so that a typing error does not allow every host.
  init(_ text: String) {
    let tokens = text.split { $0 == "," || $0 == " " || $0 == "\n" || $0 == "\t" }.map { $0.lowercased() }
    allowsAll = tokens.isEmpty
    entries = tokens.compactMap(Self.entry)
  }

  private static func entry(_ word: String) -> Entry? {
    if word.hasPrefix("*.") { return .below(String(word.dropFirst())) }
    guard let slash = word.firstIndex(of: "/") else {
      return .host(word.hasPrefix("[") ? String(word.dropFirst().prefix { $0 != "]" }) : word)
    }
    guard let address = number(word[..<slash]), let bits = Int(word[word.index(after: slash)...]),
      (0...32).contains(bits)
    else { return nil }
    return .network(address, bits: bits)
  }

  /// Returns true if sensors on a host are allowed.
  ///
  /// - Parameter host: A host in the form of ``SensorAddress/host``.
  func allows(_ host: String) -> Bool {
    if allowsAll { return true }
    return entries.contains { entry in
      switch entry {
      case .host(let name): name == host
      case .below(let end): host.hasSuffix(end) && host.utf8.count > end.utf8.count
      case .network(let network, let bits):
        Self.number(host).map { bits == 0 || ($0 ^ network) >> UInt32(32 - bits) == 0 } ?? false
      }
    }
  }

  /// Returns the number of an IPv4 address; nil for any other text.
  private static func number(_ text: some StringProtocol) -> UInt32? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var number: UInt32 = 0
    for part in parts {
      guard (1...3).contains(part.utf8.count), let byte = UInt8(part) else { return nil }
      number = number << 8 | UInt32(byte)
    }
    return number
  }
}
