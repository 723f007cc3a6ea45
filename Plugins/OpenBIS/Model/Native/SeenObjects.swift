/// The objects that paging met lately, each with the time of its change.
///
/// Of each only a fingerprint is kept, and of the oldest nothing, as a million objects may have changed at once.
struct SeenObjects: Sendable {
  private var older: [UInt64: Int] = [:]
  private var recent: [UInt64: Int] = [:]
  private let room: Int
  /// All that changed after this time was met and is kept; nil before the first object.
  private var completeAfter: Int?

  /// Begins with nothing met.
  ///
  /// - Parameters:
  ///   - room: At least so many are kept, and at most twice as many.
  ///   - knowsAll: Whether all there is will be met; else only what comes behind the first.
  init(room: Int, knowsAll: Bool) {
    self.room = room
    completeAfter = knowsAll ? Int.min : nil
  }

  /// How many are kept.
  var count: Int { older.count + recent.count }

  /// Takes an object; says whether it is new, or changed.
  mutating func insert(_ object: NativeObject) -> Bool {
    if completeAfter == nil { completeAfter = object.modifiedAt }
    let key = Self.fingerprint(object)
    if older[key] != nil || recent[key] != nil { return false }
    if recent.count >= room {
      completeAfter = older.values.reduce(completeAfter ?? Int.min, max)
      (older, recent) = (recent, [:])
    }
    recent[key] = object.modifiedAt
    return true
  }

  /// Forgets what changed before a time.
  mutating func forget(before time: Int) {
    older = older.filter { $0.value >= time }
    recent = recent.filter { $0.value >= time }
  }

  /// Whether all that changed since a time is kept, as far as it was there when it was paged through.
  func knowsAll(since time: Int) -> Bool { completeAfter.map { time > $0 } ?? false }

  /// A number that tells objects, and their changes, from each other.
  ///
  /// - Source: FNV-1a of 64 bits, Fowler, Noll, Vo.
  private static func fingerprint(_ object: NativeObject) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in object.permID.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    for shift in stride(from: 0, to: 64, by: 8) {
      hash = (hash ^ UInt64(truncatingIfNeeded: (object.modifiedAt >> shift) & 255)) &* 0x100_0000_01B3
    }
    return hash
  }
}
