import PluginJSON

/// The members of V3 objects that somebody wants; all others are only looked through for objects.
enum GraphMember: UInt8, Sendable, CaseIterable {
  case none
  case id, fetchOptions, objects, totalCount
  // Texts, or the objects that hold them.
  case permId, identifier, code, description, userId, label, dataType, name, match, path, downloadUrl, remoteUrl
  case objectKind, operationKind, objectPermId, objectIdentifier, dataSetPermId, dataStoreId
  // Relations.
  case type, space, project, experiment, sample, container, containers, parents, children, components, registrator
  case dataStore, propertyAssignments, propertyType
  // Numbers and truth values.
  case registrationDate, modificationDate, lastModificationTimeStamp, ordinal, directory, fileLength, checksumCRC32
  // Maps of texts.
  case properties, propertyKey, propertyValue

  /// Whether a bare whole number in its place is a reference.
  var isRelation: Bool {
    switch self {
    case .permId, .identifier, .objectPermId, .objectIdentifier, .dataSetPermId, .dataStoreId: true
    default: rawValue >= Self.type.rawValue && rawValue <= Self.propertyType.rawValue
    }
  }

  /// The name in the answer; nil for what is no member.
  var name: String? {
    switch self {
    case .none, .propertyKey, .propertyValue: nil
    case .id: "@id"
    default: "\(self)"
    }
  }

  /// Finds the member of a name; `none` for one that nobody wants.
  @inline(__always)
  init(_ name: JSONText) {
    self = GraphMemberTable.shared.member(name.bytes)
  }
}

/// Finds members by name in few steps: the first eight bytes and the length choose a slot, then all bytes are compared.
private struct GraphMemberTable: Sendable {
  static let shared = GraphMemberTable()

  private static let size = 256
  private var slots: [(name: [UInt8], member: GraphMember)]

  init() {
    slots = Array(repeating: ([], .none), count: Self.size)
    for member in GraphMember.allCases {
      guard let name = member.name.map({ Array($0.utf8) }) else { continue }
      var slot = name.withUnsafeBufferPointer(Self.slot)
      while slots[slot].member != .none { slot = (slot + 1) % Self.size }
      slots[slot] = (name, member)
    }
  }

  @inline(__always)
  func member(_ name: UnsafeBufferPointer<UInt8>) -> GraphMember {
    var slot = Self.slot(name)
    while slots[slot].member != .none {
      if slots[slot].name.count == name.count, slots[slot].name.elementsEqual(name) { return slots[slot].member }
      slot = (slot + 1) % Self.size
    }
    return .none
  }

  @inline(__always)
  private static func slot(_ name: UnsafeBufferPointer<UInt8>) -> Int {
    var word = UInt64(truncatingIfNeeded: name.count)
    for byte in name.prefix(8) { word = (word << 8) &+ UInt64(byte) }
    return Int(truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15) >> 56)
  }
}
