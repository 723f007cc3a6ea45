import PluginStore
import PluginText
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
    let budget = options.imageBudget
    let used = usedImages.withLock { used in
      defer { used = [] }
      return used
    }
    return try await write { connection in
      let writer = ImageWriter(connection, budget: budget)
      try writer.use(used)
      return try writer.keep(bytes, for: address, isMarquee: role == .marquee)
    }
  }

  /// Returns the bytes of an image; nil if it is not stored, or no longer.
  func image(_ hash: String) async throws -> [UInt8]? {
    noteUse(hash)
    return try await read { try EntityReader($0).image(hash) }
  }

  /// Returns the bytes of an entity's image, for code with a thread of its own; nil if they are not stored.
  func imageBytes(of source: EntityImage.Source) throws -> [UInt8]? {
    let hash: String
    switch source {
    case .bytes(let bytes): return bytes
    case .unusable: return nil
    case .stored(let stored): hash = stored
    case .address(let address):
      guard let stored = try blockingRead({ try $0.imageHash(for: address) }) else { return nil }
      hash = stored
    }
    noteUse(hash)
    return try blockingRead { try $0.image(hash) }
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
    try await read { try EntityReader($0).imageHash(for: address) }
  }
}

/// A writer of images inside a transaction: each once, and no more bytes in total than a budget allows.
struct ImageWriter {
  private let connection: Connection
  private let budget: Int

  /// Creates a writer.
  ///
  /// - Parameter budget: The largest number of bytes of all images together.
  init(_ connection: Connection, budget: Int) {
    self.connection = connection
    self.budget = budget
  }

  /// Stores an image; if space runs out, removes those unused for longest, prominent ones last.
  ///
  /// - Parameters:
  ///   - address: The address from which it was fetched; nil if it came with a row.
  ///   - isMarquee: True if it is shown in a prominent position.
  /// - Returns: The SHA-256 of the bytes in hexadecimal digits, even if the image alone exceeds the budget and is not
  ///   stored.
  func keep(_ bytes: [UInt8], for address: String?, isMarquee: Bool) throws -> String {
    let hash = SHA256.hexadecimal(of: bytes)
    if bytes.count > budget { return hash }
    let use = try lastUse() + 1
    try connection.execute(
      """
      INSERT INTO image (hash, size, is_marquee, used, bytes) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (hash) DO UPDATE SET used = excluded.used, is_marquee = max(is_marquee, excluded.is_marquee)
      """, [hash, bytes.count, isMarquee ? 1 : 0, use, bytes])
    if let address {
      try connection.execute(
        "INSERT OR REPLACE INTO image_address (address, image) SELECT ?, id FROM image WHERE hash = ?",
        [address, hash])
    }
    try evict()
    return hash
  }

  /// Records that images were shown, in this order.
  func use(_ hashes: [String]) throws {
    var use = try lastUse()
    for hash in hashes {
      use += 1
      try connection.execute("UPDATE image SET used = ? WHERE hash = ?", [use, hash])
    }
  }

  /// Removes the images that no entity shows.
  ///
  /// - Complexity: Linear in the entities and images.
  func removeUnused() throws {
    let images = "SELECT hash FROM image UNION ALL SELECT address FROM image_address"
    var unused = Set(try connection.list(images) { $0.text(0) })
    if unused.isEmpty { return }
    try connection.forEach("SELECT images FROM entity WHERE images IS NOT NULL") { row in
      for image in EntityCoding.images(row.bytes(0)) {
        switch image.source {
        case .address(let source), .stored(let source): unused.remove(source)
        case .bytes, .unusable: break
        }
      }
    }
    for address in unused { try connection.execute("DELETE FROM image_address WHERE address = ?", [address]) }
    for hash in unused {
      try connection.execute(
        "DELETE FROM image WHERE hash = ? AND NOT EXISTS (SELECT 1 FROM image_address WHERE image = image.id)", [hash])
    }
  }

  private func lastUse() throws -> Int {
    try connection.value(
      """
      SELECT max(coalesce((SELECT max(used) FROM image WHERE is_marquee = 0), 0),
        coalesce((SELECT max(used) FROM image WHERE is_marquee = 1), 0))
      """
    ).integer ?? 0
  }

  /// Removes images until all fit the budget.
  private func evict() throws {
    var total = try connection.value("SELECT coalesce(sum(size), 0) FROM image").integer ?? 0
    while total > budget {
      let oldest = try connection.first("SELECT id, size FROM image ORDER BY is_marquee, used LIMIT 1") {
        ($0.integer(0), $0.integer(1))
      }
      guard let (id, size) = oldest else { return }
      try connection.execute("DELETE FROM image_address WHERE image = ?", [id])
      try connection.execute("DELETE FROM image WHERE id = ?", [id])
      total -= size
    }
  }
}
