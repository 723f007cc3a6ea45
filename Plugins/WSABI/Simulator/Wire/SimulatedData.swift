import PluginImages
import PluginText
import Synchronization

/// The data of a capture: bytes, or a bitmap of noise that is made while it is sent.
struct SimulatedData: Sendable {
  /// All bytes, or the head of a bitmap.
  private let head: [UInt8]
  /// The number of noise bytes that follow.
  private let noiseCount: Int
  /// The last bytes, which make every capture unique.
  private let tail: [UInt8]

  init(_ bytes: [UInt8]) { (head, noiseCount, tail) = (bytes, 0, []) }

  /// Creates a bitmap of gray noise of about a number of bytes.
  init(noiseOfBytes count: Int, mark: [UInt8]) {
    let side = max(8, Int(Double(max(64, count - 1078)).squareRoot()) / 4 * 4)
    head = BitmapWriter.head(width: side, height: side, pixelsPerInch: 1000)
    noiseCount = side * side - mark.count
    tail = mark
  }

  var count: Int { head.count + noiseCount + tail.count }

  /// All bytes at once; only for data that is small or would be held anyway.
  var bytes: [UInt8] {
    var all: [UInt8] = []
    all.reserveCapacity(count)
    var start = 0
    while let piece = piece(from: start) {
      all += piece
      start += piece.count
    }
    return all
  }

  /// Returns the next bytes from an offset; nil at the end.
  func piece(from start: Int) -> [UInt8]? {
    if start < head.count { return start == 0 ? head : Array(head[start...]) }
    let offset = start - head.count
    if offset < noiseCount {
      let from = offset % Self.noise.count
      return Array(Self.noise[from..<min(Self.noise.count, from + noiseCount - offset)])
    }
    return offset - noiseCount < tail.count ? Array(tail[(offset - noiseCount)...]) : nil
  }

  /// Returns its hash, 64 hexadecimal digits; yields to others now and then.
  func sha256() async -> String {
    var hash = await noiseHash()
    hash.update(tail)
    return Hexadecimal.text(hash.finish())
  }

  /// Returns the hash state shared by all bitmaps with the same amount of noise, computed once.
  private func noiseHash() async -> SHA256 {
    if let known = Self.hashes.withLock({ $0[noiseCount] }), known.head == head { return known.hash }
    var hash = SHA256()
    var (start, since) = (0, 0)
    while start < head.count + noiseCount, let piece = piece(from: start) {
      hash.update(piece)
      start += piece.count
      since += piece.count
      if since > 1 << 20 {
        since = 0
        await Task.yield()
      }
    }
    if noiseCount > 0 {
      let known = (head, hash)
      Self.hashes.withLock { hashes in
        if hashes.count >= 16 { hashes = [:] }
        hashes[noiseCount] = known
      }
    }
    return hash
  }

  /// By the length of the noise: the head before it, and the hash of both.
  private static let hashes = Mutex<[Int: (head: [UInt8], hash: SHA256)]>([:])

  /// Hands it over as base64, piece by piece; noise is encoded once for all that is ever sent of it.
  func writeBase64(_ take: ([UInt8]) async throws -> Void) async throws {
    var writer = Base64Encoder()
    guard noiseCount > Self.noise.count else {
      var start = 0
      while let piece = piece(from: start) {
        start += piece.count
        try await take(writer.encode(piece))
      }
      return try await take(writer.finish())
    }
    // This number of noise bytes completes the last group of the head.
    let lead = (3 - head.count % 3) % 3
    try await take(writer.encode(head + Self.noise[..<lead]))
    var offset = lead
    while offset + Self.noise.count <= noiseCount {
      try await take(Self.noiseTexts[lead])
      offset += Self.noise.count
    }
    let whole = (noiseCount - offset) / 3 * 3
    try await take(Array(Self.noiseTexts[lead].prefix(whole / 3 * 4)))
    var start = head.count + offset + whole
    while let piece = piece(from: start) {
      start += piece.count
      try await take(writer.encode(piece))
    }
    try await take(writer.finish())
  }

  /// The base64 of the noise, begun at its first, second or third byte and gone round to it again.
  private static let noiseTexts: [[UInt8]] = (0..<3).map { lead in
    Base64.encoded(Array(noise[lead...] + noise[..<lead]))
  }

  /// 192 KiB of noise; a multiple of three, so that its base64 has no seams.
  private static let noise: [UInt8] = {
    var chance = SeededChance(7)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(3 << 16)
    while bytes.count < 3 << 16 {
      let word = chance.next()
      for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> (8 * UInt64(shift)))) }
    }
    return bytes
  }()
}
