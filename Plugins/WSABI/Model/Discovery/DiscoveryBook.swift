/// The records received so far, and the questions still open.
///
/// Pure: accepts any number of records in any order, and keeps a bounded part of them. Each link has its own book, so
/// that a response on one link does not affect another.
struct DiscoveryBook: Sendable {
  /// A service as far as it is known.
  private struct Instance: Sendable {
    var target: DomainName?
    var port = 0
    var texts: [String: [UInt8]]?
  }

  /// The largest number of services kept per link; a thousand stations in one room would be many.
  static let mostInstances = 256
  private static let mostAddresses = 8

  let type: DiscoveryType
  let link: DiscoveryLink
  private var order: [DomainName] = []
  private var instances: [DomainName: Instance] = [:]
  /// The addresses of the machines that services named.
  private var addresses: [DomainName: [[UInt8]]] = [:]
  /// True if there were more services than are kept.
  private(set) var isCut = false

  init(_ type: DiscoveryType, on link: DiscoveryLink) { (self.type, self.link) = (type, link) }

  /// Adds the records of a response.
  mutating func take(_ records: [DiscoveryRecord]) {
    // Records that others refer to come first, whatever their position in the message.
    for record in records { takePointer(record) }
    for record in records { takeService(record) }
    for record in records { takeAddress(record) }
  }

  private mutating func takePointer(_ record: DiscoveryRecord) {
    guard case .pointer(let name) = record.content, record.name == type.name, name.isJustBelow(type.name) else {
      return
    }
    if record.isGone {
      instances[name] = nil
      order.removeAll { $0 == name }
    } else if instances[name] == nil {
      guard order.count < Self.mostInstances else {
        isCut = true
        return
      }
      instances[name] = Instance()
      order.append(name)
    }
  }

  private mutating func takeService(_ record: DiscoveryRecord) {
    guard var instance = instances[record.name], !record.isGone else { return }
    switch record.content {
    case .service(let target, let port):
      // The first announcement is trusted: another service would have had to choose another name.
      guard instance.target == nil, target.isLocal, (1...65_535).contains(port) else { return }
      (instance.target, instance.port) = (target, port)
    case .text(let parts): instance.texts = instance.texts ?? Self.texts(parts)
    case .pointer, .address: return
    }
    instances[record.name] = instance
  }

  private mutating func takeAddress(_ record: DiscoveryRecord) {
    guard case .address(let address) = record.content, !record.isGone, link.reaches(address) else { return }
    let isNamed = addresses[record.name] != nil || instances.contains { $0.value.target == record.name }
    guard isNamed else { return }
    var known = addresses[record.name] ?? []
    if known.count < Self.mostAddresses, !known.contains(address) { known.append(address) }
    addresses[record.name] = known
  }

  /// Returns the attributes of a service, by their keys in lower case; the first of a key counts.
  ///
  /// - Source: RFC 6763, section 6.4.
  private static func texts(_ parts: [[UInt8]]) -> [String: [UInt8]] {
    var texts: [String: [UInt8]] = [:]
    for part in parts.prefix(32) {
      let key = part.prefix { $0 != UInt8(ascii: "=") }
      guard (1...16).contains(key.count), key.allSatisfy({ (0x21...0x7E).contains($0) }) else { continue }
      let name = String(decoding: key, as: UTF8.self).lowercased()
      if texts[name] == nil { texts[name] = Array(part.dropFirst(key.count + 1)) }
    }
    return texts
  }

  // MARK: Missing records

  /// The questions for records that responses left out.
  var missing: [DiscoveryQuestion] {
    var questions: [DiscoveryQuestion] = []
    for name in order {
      guard let instance = instances[name] else { continue }
      if instance.texts == nil { questions.append(DiscoveryQuestion(name: name, kind: .text)) }
      guard let target = instance.target else {
        questions.append(DiscoveryQuestion(name: name, kind: .service))
        continue
      }
      guard addresses[target] == nil else { continue }
      let question = DiscoveryQuestion(name: target, kind: link.address.count == 4 ? .address4 : .address6)
      if !questions.contains(question) { questions.append(question) }
    }
    return questions
  }

  // MARK: Known services

  /// A service that is known as far as it needs to be.
  struct Found: Sendable, Hashable {
    /// The instance that the service belongs to.
    ///
    /// The same instance on another link is the same sensor.
    var instance: DomainName
    var target: DomainName
    var port: Int
    /// 4 bytes, or 16.
    var address: [UInt8]
    /// By keys in lower case; empty until announced.
    var texts: [String: [UInt8]]
    /// True if the service announced its attributes, or that it has none.
    var hasAttributes: Bool
  }

  /// The services whose location is known, in the order of their announcement.
  var found: [Found] {
    order.compactMap { name in
      guard let instance = instances[name], let target = instance.target, let address = addresses[target]?.first else {
        return nil
      }
      return Found(
        instance: name, target: target, port: instance.port, address: address, texts: instance.texts ?? [:],
        hasAttributes: instance.texts != nil)
    }
  }
}

/// A record of a response.
struct DiscoveryRecord: Sendable, Hashable {
  /// The type of a record, by its number in messages.
  ///
  /// - Source: RFC 1035, section 3.2.2; RFC 3596; RFC 2782.
  enum Kind: Int, Sendable {
    case address4 = 1
    case pointer = 12
    case text = 16
    case address6 = 28
    case service = 33
  }

  enum Content: Sendable, Hashable {
    /// A pointer to an instance of a type.
    case pointer(DomainName)
    /// The location of a service.
    case service(DomainName, port: Int)
    /// The attributes of a service: `key=value` in bytes.
    case text([[UInt8]])
    /// 4 bytes, or 16.
    case address([UInt8])
  }

  var name: DomainName
  var content: Content
  /// True if the record announces its own end.
  var isGone = false
}

/// A question sent on a link.
struct DiscoveryQuestion: Sendable, Hashable {
  var name: DomainName
  var kind: DiscoveryRecord.Kind
}

/// A name of the domain name system; letters of ASCII are the same in either case.
///
/// - Source: RFC 1035, section 3.1; RFC 6762, section 16.
struct DomainName: Sendable {
  /// Labels, each preceded by its length, the empty one last; at most 255 bytes.
  let wire: [UInt8]

  /// Creates a name from its wire form with pointers resolved; nil if it is malformed.
  init?(wire: [UInt8]) {
    var offset = 0
    while offset < wire.count, wire[offset] != 0 {
      if wire[offset] > 63 { return nil }
      offset += 1 + Int(wire[offset])
    }
    guard offset + 1 == wire.count, wire.count <= 255 else { return nil }
    self.wire = wire
  }

  /// Creates a name from labels of 1 to 63 bytes; nil for others, and for more than 255 bytes in total.
  init?(labels: [String]) {
    guard labels.allSatisfy({ (1...63).contains($0.utf8.count) }) else { return nil }
    var wire: [UInt8] = []
    for label in labels {
      wire.append(UInt8(label.utf8.count))
      wire += Array(label.utf8)
    }
    self.init(wire: wire + [0])
  }

  /// The bytes of the first label; empty for the root.
  var firstLabel: ArraySlice<UInt8> { wire[1...].prefix(Int(wire[0])) }

  /// Returns true if this name is one label followed by another name.
  func isJustBelow(_ other: DomainName) -> Bool {
    let remaining = wire[(1 + (wire.count > 1 ? Int(wire[0]) : 0))...]
    return wire[0] > 0 && Self.areEqual(remaining, other.wire[...])
  }

  /// True if the name is valid on this link only: it ends with `local`.
  var isLocal: Bool {
    let end: [UInt8] = [5] + Array("local".utf8) + [0]
    return wire.count > end.count && Self.areEqual(wire.suffix(end.count), end[...])
  }

  fileprivate static func areEqual(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Bool {
    left.count == right.count && zip(left, right).allSatisfy { folded($0) == folded($1) }
  }

  // Lengths of labels are below the letters.
  private static func folded(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}

extension DomainName: Hashable {
  static func == (left: DomainName, right: DomainName) -> Bool {
    areEqual(left.wire[...], right.wire[...])
  }

  func hash(into hasher: inout Hasher) { for byte in wire { hasher.combine(Self.folded(byte)) } }
}

/// The type under which sensors announce themselves.
///
/// No standard names one for WS-Biometric Devices: see Documentation/Decisions/0013-discovery.md.
struct DiscoveryType: Sendable, Hashable {
  /// The type that simulated sensors announce.
  static let usual = "_ws-bd._tcp"

  /// Such as `_ws-bd._tcp`.
  let text: String
  /// The name to query: the type, and `local`.
  let name: DomainName

  /// Parses a type: an underscore, 1 to 15 letters, digits and hyphens, and `._tcp`; nil for any other text.
  ///
  /// - Source: RFC 6335, section 5.1; RFC 6763, section 7.
  init?(_ text: String) {
    let lowered = text.lowercased()
    let labels = lowered.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard labels.count == 2, labels[1] == "_tcp", labels[0].utf8.first == UInt8(ascii: "_") else { return nil }
    let word = Array(labels[0].utf8.dropFirst())
    guard (1...15).contains(word.count), word.contains(where: { (0x61...0x7A).contains($0) }),
      word.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }),
      word.first != 0x2D, word.last != 0x2D, let name = DomainName(labels: labels + ["local"])
    else { return nil }
    (self.text, self.name) = (lowered, name)
  }
}

/// An interface of this machine with one of its addresses: a link to query.
struct DiscoveryLink: Sendable, Hashable {
  /// Such as `eth0`.
  var name: String
  /// 4 bytes, or 16.
  var address: [UInt8]
  /// The number of leading address bits that all machines of the link share.
  var prefix: Int
  var isLoopback = false

  /// Returns true if a machine with this address is on the link and can be reached through it.
  ///
  /// An address announced on a link but outside it is not trusted: it could lead anywhere.
  /// - Parameter other: 4 bytes, or 16.
  /// - Source: RFC 6762, section 11.
  func reaches(_ other: [UInt8]) -> Bool {
    guard other.count == address.count, Self.isOfOneMachine(other) else { return false }
    if prefix == 0 { return false }
    let shared = 0..<min(prefix, 8 * address.count)
    let isNear = shared.allSatisfy { Self.bit($0, of: address) == Self.bit($0, of: other) }
    return isNear && !isBroadcast(other)
  }

  private static func bit(_ number: Int, of address: [UInt8]) -> Bool {
    address[number / 8] & (UInt8(0x80) >> UInt8(number % 8)) != 0
  }

  /// Returns true if an address is of a single machine: not unspecified, broadcast or multicast, and in IPv6 not
  /// link-local.
  private static func isOfOneMachine(_ address: [UInt8]) -> Bool {
    if address.count == 4 { return address[0] != 0 && address[0] < 224 }
    guard address.count == 16, address[0] != 0xFF, address.contains(where: { $0 != 0 }) else { return false }
    return !(address[0] == 0xFE && address[1] & 0xC0 == 0x80)
  }

  /// Returns true if the host bits of an IPv4 address are all ones or all zeros, which addresses all machines.
  private func isBroadcast(_ other: [UInt8]) -> Bool {
    guard other.count == 4, prefix < 31, !isLoopback else { return false }
    let hostBits = (prefix..<32).map { Self.bit($0, of: other) }
    return !hostBits.contains(true) || !hostBits.contains(false)
  }
}

/// A sensor that was found without its address being typed.
struct DiscoveredSensor: Sendable, Hashable {
  /// The source of a sensor's address.
  enum Source: String, Sendable {
    /// Announced on a link.
    case network
    /// A camera of this machine.
    case camera
  }

  /// The sensor's own name, sanitized.
  var name: String
  /// The address, as people would type it.
  var address: String
  /// The modality that the sensor announces, as a vendor-specific value; nil if it announces none.
  var modality: String?
  var source = Source.network
  /// The link it was found on, such as `eth0`, or the device of a camera.
  var interface: String

  /// Returns true if the sensor may capture a modality.
  ///
  /// A sensor that announces none may capture anything.
  func mayCapture(_ wanted: Modality) -> Bool { modality.map { Modality(word: $0) == wanted } ?? true }

  /// Returns true if this sensor is one of the given ones, so that a known sensor is not listed twice.
  func isAmong(_ devices: [DeviceDefinition]) -> Bool { devices.contains { $0.address == address } }
}
