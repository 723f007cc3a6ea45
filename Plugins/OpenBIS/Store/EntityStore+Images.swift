import PluginStore
import Synchronization

// Images.
extension EntityStore {
  /// Keeps an image.
  ///
  /// - Parameters:
  ///   - address: Where its bytes came from; nil if from elsewhere.
  ///   - role: Where it is shown: a marquee is kept longest when there is no room for all.
  /// - Returns: Its SHA-256 in hexadecimal digits, by which ``image(_:)`` gives it.
  @discardableResult
  func keepImage(_ bytes: [UInt8], for address: String?, role: EntityImage.Role = .tiled) async throws -> String {
    try await write(keeping(bytes, address, role))
  }

  /// As ``keepImage(_:for:role:)``, for code with a thread of its own.
  @discardableResult
  func keepImageAndWait(_ bytes: [UInt8], for address: String?, role: EntityImage.Role = .tiled) throws -> String {
    try writeAndWait(keeping(bytes, address, role))
  }

  private func keeping(
    _ bytes: [UInt8], _ address: String?, _ role: EntityImage.Role
  ) -> @Sendable (Connection) throws -> String {
    let budget = options.imageBudget
    let used = usedImages.withLock { used in
      defer { used = [] }
      return used
    }
    return { connection in
      let writer = ImageWriter(connection, budget: budget)
      try writer.use(used)
      return try writer.keep(bytes, for: address, isMarquee: role == .marquee)
    }
  }

  /// The bytes of an image; nil if it is not kept, or no more.
  func image(_ hash: String) async throws -> [UInt8]? {
    noteUse(hash)
    return try await read { try Self.image(hash, $0) }
  }

  /// As ``image(_:)``, for code with a thread of its own.
  func imageAndWait(_ hash: String) throws -> [UInt8]? {
    noteUse(hash)
    return try readAndWait { try Self.image(hash, $0) }
  }

  private static func image(_ hash: String, _ connection: Connection) throws -> [UInt8]? {
    try connection.first("SELECT bytes FROM image WHERE hash = ?", [hash]) { $0.bytes(0) }
  }

  /// Reading must not wait for writing: what was used is written with the next image.
  private func noteUse(_ hash: String) {
    usedImages.withLock { used in
      if used.last != hash { used.append(hash) }
      if used.count > 4096 { used.removeFirst(2048) }
    }
  }

  /// The SHA-256 of the image that came from an address; nil if it is not kept.
  func imageHash(for address: String) async throws -> String? {
    try await read { try Self.imageHash(address, $0) }
  }

  /// As ``imageHash(for:)``, for code with a thread of its own.
  func imageHashAndWait(for address: String) throws -> String? {
    try readAndWait { try Self.imageHash(address, $0) }
  }

  private static func imageHash(_ address: String, _ connection: Connection) throws -> String? {
    try connection.first(
      "SELECT hash FROM image_address JOIN image ON image.id = image WHERE address = ?", [address]
    ) { $0.text(0) }
  }
}
