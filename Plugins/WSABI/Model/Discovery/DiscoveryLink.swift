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
    let rest = (prefix..<32).map { Self.bit($0, of: other) }
    return !rest.contains(true) || !rest.contains(false)
  }
}
