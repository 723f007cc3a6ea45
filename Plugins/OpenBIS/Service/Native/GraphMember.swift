import PluginJSON

/// The members of V3 objects that are used; all others are only scanned for objects.
enum GraphMember: UInt8, Sendable, CaseIterable {
  case none
  case id, fetchOptions, objects, totalCount
  // Texts, or the objects that hold them.
  case permId, identifier, code, description, userId, label, dataType, name, match, path, downloadUrl, remoteUrl
  case objectKind, operationKind, objectPermId, objectIdentifier, dataSetPermId, dataStoreId
  case sessionName
  // Relations.
  case type, space, project, experiment, sample, container, containers, parents, children, components, registrator
  case dataStore, propertyAssignments, vocabulary, terms, propertyType
  // Numbers and truth values.
  case registrationDate, modificationDate, lastModificationTimeStamp, ordinal, directory, fileLength, checksumCRC32
  case validFromDate, validToDate, accessDate
  // Maps of texts.
  case properties, propertyKey, propertyValue

  /// A Boolean value indicating whether a bare whole number as its value is a reference.
  var isRelation: Bool {
    switch self {
    case .permId, .identifier, .code, .objectPermId, .objectIdentifier, .dataSetPermId, .dataStoreId: true
    default: rawValue >= Self.type.rawValue && rawValue <= Self.propertyType.rawValue
    }
  }

  /// The name in the response; nil for the case that is not a member.
  var name: String? {
    switch self {
    case .none, .propertyKey, .propertyValue: nil
    case .id: "@id"
    default: "\(self)"
    }
  }

  /// Finds the member of a name; `none` if it is not used.
  @inline(__always)
  init(_ name: JSONText) {
    self = GraphMemberTable.shared.member(name.bytes)
  }
}

/// A table of members for fast lookups: the first eight bytes and the length choose a slot, then all bytes are
/// compared.
private struct GraphMemberTable: Sendable {
  static let shared = GraphMemberTable()

  private struct Slot: Sendable {
    var member = GraphMember.none
    var count: UInt8 = 0
    /// The offset of the name in ``names``.
    var start: UInt16 = 0
  }

  private static let size = 256
  private var slots = Array(repeating: Slot(), count: size)
  private var names: [UInt8] = []

  init() {
    for member in GraphMember.allCases {
      guard let name = member.name.map({ Array($0.utf8) }) else { continue }
      var slot = name.withUnsafeBufferPointer(Self.slot)
      while slots[slot].member != .none { slot = (slot + 1) % Self.size }
      slots[slot] = Slot(member: member, count: UInt8(name.count), start: UInt16(names.count))
      names += name
    }
  }

  @inline(__always)
  func member(_ name: UnsafeBufferPointer<UInt8>) -> GraphMember {
    slots.withUnsafeBufferPointer { slots in
      names.withUnsafeBufferPointer { names in
        var place = Self.slot(name)
        while true {
          let slot = slots[place]
          if slot.member == .none { return .none }
          if Int(slot.count) == name.count, Self.isEqual(name, names, Int(slot.start)) { return slot.member }
          place = (place + 1) % Self.size
        }
      }
    }
  }

  @inline(__always)
  private static func isEqual(
    _ name: UnsafeBufferPointer<UInt8>, _ names: UnsafeBufferPointer<UInt8>, _ start: Int
  ) -> Bool {
    for index in name.indices where name[index] != names[start + index] { return false }
    return true
  }

  @inline(__always)
  private static func slot(_ name: UnsafeBufferPointer<UInt8>) -> Int {
    var word = UInt64(truncatingIfNeeded: name.count)
    if name.count >= 8, let start = name.baseAddress {
      word = word &* 31 ^ UnsafeRawPointer(start).loadUnaligned(as: UInt64.self)
    } else {
      for byte in name { word = (word << 8) &+ UInt64(byte) }
    }
    return Int(truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15) >> 56)
  }
}
