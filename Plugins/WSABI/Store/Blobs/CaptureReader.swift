import Glibc
import PluginStore
import PluginVault

/// A reader of a capture's data: each piece is verified before it is passed on, and their completeness at the end.
struct CaptureReader {
  let record: CaptureRecord

  private var damage: VaultError { .damaged("the data of capture \(record.id)") }

  /// Passes on data in memory.
  func read(_ data: [UInt8], _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    var digest = SHA256()
    digest.update(data)
    guard data.count == record.sizeInBytes, digest.finish() == record.sha256 else { throw damage }
    try data.withUnsafeBytes { if !$0.isEmpty { try body($0) } }
  }

  /// Passes on the data of a file in pieces.
  func read(_ descriptor: Int32, key: DataKey, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    let headerSize = CaptureWriter.magic.count + StreamSealer.headerSize
    let header = try bytes(headerSize, descriptor)
    guard header.count == headerSize, header.starts(with: CaptureWriter.magic) else { throw damage }
    let stream = StreamOpener(header: Array(header[CaptureWriter.magic.count...]), key: key)
    guard let stream else { throw damage }
    var digest = SHA256()
    var size = 0
    var piece = [UInt8](repeating: 0, count: CaptureWriter.pieceSize)
    defer { SecretMemory.wipe(&piece) }
    var isLast = false
    while !isLast {
      let sealed = try bytes(CaptureWriter.pieceSize + StreamSealer.sealSize, descriptor)
      guard let opened = stream.open(sealed, into: &piece) else { throw damage }
      isLast = opened == .last
      try piece.withUnsafeBytes { room in
        let content = UnsafeRawBufferPointer(rebasing: room[..<(sealed.count - StreamSealer.sealSize)])
        digest.update(content.bindMemory(to: UInt8.self))
        size += content.count
        if size > record.sizeInBytes { throw damage }
        if !content.isEmpty { try body(content) }
      }
    }
    guard try bytes(1, descriptor).isEmpty, size == record.sizeInBytes, digest.finish() == record.sha256 else {
      throw damage
    }
  }

  /// Returns the available bytes, up to a maximum.
  private func bytes(_ most: Int, _ descriptor: Int32) throws -> [UInt8] {
    var number: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: most) { room, count in
      while count < most {
        let read = Glibc.read(descriptor, room.baseAddress.map { $0 + count }, most - count)
        if read < 0, errno == EINTR { continue }
        if read < 0 { number = errno }
        if read <= 0 { return }
        count += read
      }
    }
    if number != 0 { throw VaultError.file(path: "capture \(record.id)", number: number) }
    return bytes
  }
}
