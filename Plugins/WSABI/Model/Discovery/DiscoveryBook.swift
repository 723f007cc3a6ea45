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
    case .service(let target, let port) where target.isLocal && (1...65_535).contains(port):
      // The first announcement is trusted: another service would have had to choose another name.
      if instance.target == nil { (instance.target, instance.port) = (target, port) }
    case .text(let parts): instance.texts = instance.texts ?? Self.texts(parts)
    default: break
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
    var isTold: Bool
  }

  /// The services whose location is known, in the order of their announcement.
  var found: [Found] {
    order.compactMap { name in
      guard let instance = instances[name], let target = instance.target, let address = addresses[target]?.first else {
        return nil
      }
      return Found(
        instance: name, target: target, port: instance.port, address: address, texts: instance.texts ?? [:],
        isTold: instance.texts != nil)
    }
  }
}
