import CWriting
import Glibc
import PluginAPI
import PluginText
import PluginVault
import Synchronization

/// A sink for the data of one capture, which seals it piece by piece as it arrives.
///
/// Small data stays in memory and goes into the database; larger data goes to a file. Nothing counts before it is
/// committed. Data that could not be stored because the disk was full remains, and can be stored later.
final class CaptureSink: DataSink {
  private let writer: Mutex<CaptureWriter>

  init(_ folder: CaptureFolder) {
    writer = Mutex(CaptureWriter(folder))
  }

  /// Creates a sink whose file is written by a replacement of write(2).
  init(_ folder: CaptureFolder, writing: @escaping CaptureWriter.Write) {
    writer = Mutex(CaptureWriter(folder, writing: writing))
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    try writer.withLock { try $0.write(bytes) }
  }

  func abandon() {
    writer.withLock { $0.abandon() }
  }

  /// Ends the data and waits until it is on the device.
  ///
  /// A second call returns the same result, for a caller that could not store the row. If the disk was full at the end
  /// of a file, the call can be retried. A file that failed otherwise has failed permanently.
  func finish() throws -> WrittenCapture {
    try writer.withLock { try $0.finish() }
  }

  /// Notes that the row of the capture is committed.
  func settle() {
    writer.withLock { $0.settle() }
  }
}

/// The data written to a sink.
struct WrittenCapture: Sendable {
  var sizeInBytes: Int
  var sha256: [UInt8]
  /// The first bytes, 64 at most.
  var start: [UInt8]
  var content: StoredContent
}

/// The data of a capture as it is about to be filed.
struct StoredContent: Sendable {
  /// The key of the capture.
  var key: DataKey
  /// The name of the sealed file that holds the data; nil for small data.
  var file: String?
  /// Small data, as received; empty if it is in a file.
  var data: [UInt8]
}

/// The state of a sink.
///
/// A file has 8 bytes that identify its format, the header of the stream, and pieces of ``pieceSize`` bytes, each
/// longer by its seal; the last one is shorter, or empty.
// Around handles of C; its sink uses it under a lock.
final class CaptureWriter: @unchecked Sendable {
  static let magic = Array("wbwsabi1".utf8)
  /// Bytes in a piece; less than that in all stays in memory.
  static let pieceSize = 256 << 10
  /// The number of bytes after which the device starts writing, so that the final wait is short.
  private static let pace = 8 << 20

  private enum Phase {
    case open
    case failed(ErrorReport)
    case finished(WrittenCapture)
    case closed
  }

  /// A replacement of write(2), with which tests fill the disk.
  typealias Write = @Sendable (_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int

  private let folder: CaptureFolder
  private let writing: Write
  private let key = DataKey()
  private var phase = Phase.open
  private var buffer: [UInt8] = []
  private var sealed: [UInt8] = []
  private var start: [UInt8] = []
  private var size = 0
  private var digest = SHA256()
  private var stream: StreamSealer?
  private var name: String?
  private var descriptor: Int32 = -1
  private var written = 0
  private var paced = 0
  /// The part of ``sealed`` that is not in the file yet.
  private var rest = 0..<0
  private var hasLast = false

  init(_ folder: CaptureFolder, writing: @escaping Write = { Glibc.write($0, $1, $2) }) {
    (self.folder, self.writing) = (folder, writing)
  }

  deinit { abandon() }

  /// Writes the next bytes.
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
    } catch let error as ErrorReport {
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
    // Sealed data is held until it is written. The plain text is no longer needed, whatever the outcome.
    defer {
      SecretMemory.wipe(&buffer)
      buffer.removeAll(keepingCapacity: true)
    }
    try buffer.withUnsafeBytes { try push($0, isLast: isLast) }
  }

  /// Seals a piece and writes it to the file, which is made with the first one.
  private func push(_ piece: UnsafeRawBufferPointer, isLast: Bool) throws {
    if descriptor < 0 { try begin() }
    let count = piece.count + StreamSealer.sealSize
    if sealed.count < count { sealed = [UInt8](repeating: 0, count: Self.pieceSize + StreamSealer.sealSize) }
    stream?.seal(piece, isLast: isLast, into: &sealed)
    rest = 0..<count
    try putRest()
  }

  /// Writes sealed bytes that are not in the file yet.
  private func putRest() throws {
    try sealed.withUnsafeBytes { room in
      while !rest.isEmpty {
        rest.removeFirst(try put(UnsafeRawBufferPointer(rebasing: room[rest])))
      }
    }
  }

  private func begin() throws {
    // A name that another process took for a leftover before it was locked is left to that process.
    while descriptor < 0 { try beginFile() }
    let stream = try Vault.reporting { () throws(VaultFailure) in try StreamSealer(key) }
    self.stream = stream
    try (Self.magic + stream.header).withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count { done += try put(UnsafeRawBufferPointer(rebasing: bytes[done...])) }
    }
  }

  private func beginFile() throws {
    let name = CaptureFolder.newName()
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    var file = open(folder.draft(name), flags, 0o600)
    if file < 0, errno == ENOENT {
      try folder.make()
      file = open(folder.draft(name), flags, 0o600)
    }
    guard file >= 0 else { throw VaultError.file(path: folder.path, number: errno) }
    // On a file system without locks there is no search for leftovers either.
    guard flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK, Self.hasName(file) else {
      Glibc.close(file)
      return
    }
    (self.name, descriptor) = (name, file)
  }

  /// Returns true if a file still has a name; without one it disappears with its descriptor.
  private static func hasName(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_nlink > 0
  }

  /// Writes some bytes, as many as there is room for.
  private func put(_ bytes: UnsafeRawBufferPointer) throws -> Int {
    var count = writing(descriptor, bytes.baseAddress, bytes.count)
    while count < 0, errno == EINTR { count = writing(descriptor, bytes.baseAddress, bytes.count) }
    guard count > 0 else { throw VaultError.file(path: folder.path, number: count == 0 ? EIO : errno) }
    written += count
    if written - paced >= Self.pace {
      begin_writing(descriptor, Int64(paced), Int64(written - paced))
      paced = written
    }
    return count
  }

  /// Ends the data; afterwards a file is on the device.
  func finish() throws -> WrittenCapture {
    switch phase {
    case .open: break
    case .failed(let error): throw error
    case .finished(let done): return done
    case .closed: throw VaultError.sinkClosed
    }
    var content = StoredContent(key: key, file: nil, data: [])
    if let name {
      try writeLast()
      do { try synchronize() } catch let error as ErrorReport {
        // A device may have dropped the data it refused once, and report success the next time.
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

  /// Writes the end of a file.
  ///
  /// Data that did not fit on a full disk is kept until there is room.
  private func writeLast() throws {
    do {
      if !hasLast {
        hasLast = true
        try pushBuffer(isLast: true)
      }
      try putRest()
    } catch let error as ErrorReport {
      if !(VaultError.diskFull ~= error) { phase = .failed(error) }
      throw error
    }
  }

  private func synchronize() throws {
    guard fsync(descriptor) == 0 else { throw VaultError.file(path: folder.path, number: errno) }
    try folder.synchronize()
    // A locked file is never removed by others; a file without a name would be lost although its row refers to it.
    guard Self.hasName(descriptor) else { throw VaultError.file(path: folder.path, number: ENOENT) }
  }

  /// Moves the file to its final place, and drops the data.
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
    stream = nil
    // A slice that was handed on shares this storage. It is wiped only if this is its sole owner; otherwise a copy
    // would be wiped.
    phase = .closed
    SecretMemory.wipe(&buffer)
    SecretMemory.wipe(&start)
    (buffer, sealed, start) = ([], [], [])
  }
}

/// A reader of a capture's data: each piece is verified before it is passed on, and their completeness at the end.
struct CaptureReader {
  let record: CaptureRecord

  private var damage: ErrorReport { VaultError.damaged("the data of capture \(record.id)") }

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
