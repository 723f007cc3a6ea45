import CVault
import Glibc
import PluginStore

/// The state of a sink.
///
/// A file has 8 bytes that say what it is, the header of the stream, and pieces of ``pieceSize`` bytes, each longer by its
/// seal; the last one is shorter, or empty.
// Around handles of C; its sink uses it under a lock.
final class CaptureWriter: @unchecked Sendable {
  static let magic = Array("wbwsabi1".utf8)
  /// Bytes in a piece; less than that in all stays in memory.
  static let pieceSize = 256 << 10
  /// After how many bytes the device is told to begin, so that the end has little to wait for.
  private static let pace = 8 << 20

  private enum Phase {
    case open
    case failed(VaultError)
    case finished(WrittenCapture)
    case closed
  }

  private let folder: CaptureFolder
  private var key = Vault.random(Vault.keySize)
  private var phase = Phase.open
  private var buffer: [UInt8] = []
  private var sealed: [UInt8] = []
  private var start: [UInt8] = []
  private var size = 0
  private var digest = SHA256()
  private var stream: OpaquePointer?
  private var name: String?
  private var descriptor: Int32 = -1
  private var written = 0
  private var paced = 0

  init(_ folder: CaptureFolder) { self.folder = folder }

  deinit { abandon() }

  /// Takes the next bytes.
  func write(_ bytes: UnsafeRawBufferPointer) throws {
    switch phase {
    case .open: break
    case .failed(let error): throw error
    case .finished, .closed: throw VaultError.sinkClosed
    }
    guard !bytes.isEmpty else { return }
    digest.update(bytes.bindMemory(to: UInt8.self))
    size += bytes.count
    if start.count < 64 { start.append(contentsOf: bytes.prefix(64 - start.count)) }
    do {
      try take(bytes)
    } catch let error as VaultError {
      phase = .failed(error)
      throw error
    }
  }

  private func take(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = bytes[...]
    while buffer.count + rest.count >= Self.pieceSize {
      if buffer.isEmpty {
        try push(UnsafeRawBufferPointer(rebasing: rest.prefix(Self.pieceSize)), isLast: false)
        rest = rest.dropFirst(Self.pieceSize)
      } else {
        let count = Self.pieceSize - buffer.count
        buffer.append(contentsOf: rest.prefix(count))
        rest = rest.dropFirst(count)
        try pushBuffer(isLast: false)
      }
    }
    if !rest.isEmpty, buffer.isEmpty, written > 0 { buffer.reserveCapacity(Self.pieceSize) }
    buffer.append(contentsOf: rest)
  }

  private func pushBuffer(isLast: Bool) throws {
    try buffer.withUnsafeBytes { try push($0, isLast: isLast) }
    vault_wipe(&buffer, buffer.count)
    buffer.removeAll(keepingCapacity: true)
  }

  /// Seals a piece and writes it to the file, which is made with the first one.
  private func push(_ piece: UnsafeRawBufferPointer, isLast: Bool) throws {
    if descriptor < 0 { try begin() }
    let count = piece.count + VAULT_STREAM_SEAL
    if sealed.count < count { sealed = [UInt8](repeating: 0, count: Self.pieceSize + VAULT_STREAM_SEAL) }
    vault_stream_push(
      stream, &sealed, piece.assumingMemoryBound(to: UInt8.self).baseAddress, piece.count, isLast ? 1 : 0)
    try sealed.withUnsafeBytes { try put(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
  }

  private func begin() throws {
    let name = CaptureFolder.newName()
    descriptor = open(folder.draft(name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if descriptor < 0, errno == ENOENT {
      try folder.make()
      descriptor = open(folder.draft(name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    }
    guard descriptor >= 0 else { throw VaultError.file(path: folder.path, number: errno) }
    self.name = name
    flock(descriptor, LOCK_EX | LOCK_NB)
    var header = [UInt8](repeating: 0, count: VAULT_STREAM_HEADER)
    stream = vault_stream_seal(&header, key)
    guard stream != nil else { throw VaultError.noMemory }
    try (Self.magic + header).withUnsafeBytes { try put($0) }
  }

  private func put(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = bytes
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw VaultError.file(path: folder.path, number: count == 0 ? EIO : errno) }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      written += count
    }
    if written - paced >= Self.pace {
      vault_begin_writing(descriptor, Int64(paced), Int64(written - paced))
      paced = written
    }
  }

  /// Ends the data; what is in a file is on the device then.
  func finish() throws -> WrittenCapture {
    switch phase {
    case .open: break
    case .failed(let error): throw error
    case .finished(let done): return done
    case .closed: throw VaultError.sinkClosed
    }
    var content = StoredContent(key: key, file: nil, data: [])
    if let name {
      do {
        try pushBuffer(isLast: true)
        guard fsync(descriptor) == 0 else { throw VaultError.file(path: folder.path, number: errno) }
        try folder.synchronize()
      } catch let error as VaultError {
        phase = .failed(error)
        throw error
      }
      content.file = name
    } else {
      content.data = buffer
    }
    let done = WrittenCapture(sizeInBytes: size, sha256: digest.finish(), start: start, content: content)
    phase = .finished(done)
    return done
  }

  /// Puts the file into its place, and forgets the data.
  func settle() {
    if let name { folder.settle(name) }
    forget()
  }

  /// Removes the file, and forgets the data.
  func abandon() {
    if let name, descriptor >= 0 { unlink(folder.draft(name)) }
    forget()
  }

  private func forget() {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
    vault_stream_free(stream)
    stream = nil
    vault_wipe(&buffer, buffer.count)
    vault_wipe(&key, key.count)
    vault_wipe(&start, start.count)
    (buffer, sealed, start, phase) = ([], [], [], .closed)
  }
}
