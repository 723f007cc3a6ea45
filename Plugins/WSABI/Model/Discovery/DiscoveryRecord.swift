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
