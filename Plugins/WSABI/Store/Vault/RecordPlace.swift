/// The identity of a record, to which its sealed text is bound: no row can take the place of another, or of its own
/// earlier version.
struct RecordPlace: Sendable, Hashable {
  enum Kind: UInt8, Sendable {
    case person = 1
    case item
    case capture
    case journal
    case captured
    case sensor
    case user
    case heldLock
  }

  /// A part of the record.
  enum Part: UInt8, Sendable {
    case key = 1
    case body
    case words
    case thumbnail
    case data
    case outcome
  }

  var kind: Kind
  var id: Int
  /// The person of an item, the item of a capture, the entry of an id, the holder of a lock; 0 if there is none.
  var owner: Int
  /// The number of times it was written, from 1.
  var version: Int
  /// The position among others, if there is one.
  var order = 0

  /// Returns the associated data of a part: 34 bytes.
  func part(_ part: Part) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 34) { room, count in
      let bytes = UnsafeMutableRawBufferPointer(room)
      (bytes[0], bytes[1]) = (kind.rawValue, part.rawValue)
      bytes.storeBytes(of: Int64(id).littleEndian, toByteOffset: 2, as: Int64.self)
      bytes.storeBytes(of: Int64(owner).littleEndian, toByteOffset: 10, as: Int64.self)
      bytes.storeBytes(of: Int64(version).littleEndian, toByteOffset: 18, as: Int64.self)
      bytes.storeBytes(of: Int64(order).littleEndian, toByteOffset: 26, as: Int64.self)
      count = 34
    }
  }

  /// Returns the associated data of a part that stays while the rest of the record is edited, whatever its version.
  func lasting(_ part: Part) -> [UInt8] {
    var place = self
    (place.version, place.order) = (0, 0)
    return place.part(part)
  }

  /// The name of the record in messages.
  var words: String {
    switch kind {
    case .person: "person \(id)"
    case .item: "item \(id)"
    case .capture: "capture \(id)"
    case .journal: "entry \(id) of the journal"
    case .captured: "a captured id of entry \(owner) of the journal"
    case .sensor: "a recent sensor"
    case .user: "user \(id)"
    case .heldLock: "the lock of a sensor"
    }
  }
}
