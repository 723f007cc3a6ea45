import PluginStore
import Synchronization

// Images.
extension EntityStore {
  /// Stores an image.
  ///
  /// - Parameters:
  ///   - address: The address from which it was fetched; nil if it has another origin.
  ///   - role: The part of the display that shows it: a marquee is kept longest when space runs out.
  /// - Returns: Its SHA-256 in hexadecimal digits, by which ``image(_:)`` returns it.
  @discardableResult
  func keepImage(_ bytes: [UInt8], for address: String?, role: EntityImage.Role = .tiled) async throws -> String {
    try await write(keeping(bytes, address, role))
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

  /// Returns the bytes of an image; nil if it is not stored, or no longer.
  func image(_ hash: String) async throws -> [UInt8]? {
    noteUse(hash)
    return try await read { try Self.image(hash, $0) }
  }

  /// Performs ``image(_:)`` synchronously, for code with a thread of its own.
  func imageAndWait(_ hash: String) throws -> [UInt8]? {
    noteUse(hash)
    return try readAndWait { try Self.image(hash, $0) }
  }

  private static func image(_ hash: String, _ connection: Connection) throws -> [UInt8]? {
    try connection.first("SELECT bytes FROM image WHERE hash = ?", [hash]) { $0.bytes(0) }
  }

  /// Records the use of an image; reading must not wait for writing, so uses are written with the next image.
  private func noteUse(_ hash: String) {
    usedImages.withLock { used in
      if used.last != hash { used.append(hash) }
      if used.count > 4096 { used.removeFirst(2048) }
    }
  }

  /// Returns the SHA-256 of the image from an address; nil if it is not stored.
  func imageHash(for address: String) async throws -> String? {
    try await read { try Self.imageHash(address, $0) }
  }

  /// Performs ``imageHash(for:)`` synchronously, for code with a thread of its own.
  func imageHashAndWait(for address: String) throws -> String? {
    try readAndWait { try Self.imageHash(address, $0) }
  }

  private static func imageHash(_ address: String, _ connection: Connection) throws -> String? {
    try connection.first(
      "SELECT hash FROM image_address JOIN image ON image.id = image WHERE address = ?", [address]
    ) { $0.text(0) }
  }
}
