import Glibc
import PluginCompression
import PluginStore
import Synchronization

/// An export as a ZIP archive that its owner alone can read.
///
/// Content small enough to be buffered is deflated if that makes it smaller; all other content is stored as it arrives.
final class ArchiveTarget: ExchangeTarget {
  /// The largest content buffered for deflation, in bytes.
  private static let mostHeld = 16 << 20

  private struct State {
    var file: PrivateFile
    var entries: [ArchiveEntry] = []
    var hash = SHA256()
    var checksum = CRC32()
    var held: [UInt8] = []
    var isHolding = false
    var isOpen = true
  }

  private let path: String
  private let state: Mutex<State>

  /// - Parameter path: Where it will be; its folder must be there.
  /// - Throws: ``ExchangeError``.
  init(_ path: String) throws(ExchangeError) {
    self.path = path
    if PrivateFile.exists(path) { throw .targetExists(path: path) }
    state = Mutex(State(file: try PrivateFile(for: path)))
  }

  deinit { abandon() }

  func begin(_ name: String, sizeInBytes: Int) throws {
    try state.withLock { state in
      let entry = ArchiveEntry(name: name, offset: state.file.size)
      guard state.entries.count < ArchiveEntry.mostFiles, state.file.size + sizeInBytes <= ArchiveEntry.mostBytes else {
        throw ExchangeError.tooLarge("the archive", limitInBytes: ArchiveEntry.mostBytes)
      }
      state.isHolding = sizeInBytes <= Self.mostHeld
      if !state.isHolding { try state.file.write(entry.localHeader) }
      state.entries.append(entry)
      (state.hash, state.checksum) = (SHA256(), CRC32())
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    try state.withLock { state in
      state.hash.update(bytes)
      state.checksum.add(bytes)
      state.entries[state.entries.count - 1].size += bytes.count
      if state.isHolding { state.held.append(contentsOf: bytes) } else { try state.file.write(bytes) }
    }
  }

  func end() throws -> [UInt8] {
    try state.withLock { state in
      var entry = state.entries[state.entries.count - 1]
      (entry.checksum, entry.packedSize) = (state.checksum.value, entry.size)
      if state.isHolding {
        let packed = Self.deflated(state.held)
        if let packed { (entry.method, entry.packedSize) = (.deflated, packed.count) }
        try state.file.write(entry.localHeader)
        try state.file.write(packed ?? state.held)
        state.held = []
      } else {
        try entry.localHeader.withUnsafeBytes { try state.file.write($0, at: entry.offset) }
      }
      state.entries[state.entries.count - 1] = entry
      guard state.file.size <= ArchiveEntry.mostBytes else {
        throw ExchangeError.tooLarge("the archive", limitInBytes: ArchiveEntry.mostBytes)
      }
      return state.hash.finish()
    }
  }

  func finish() throws {
    try state.withLock { state in
      let start = state.file.size
      for entry in state.entries { try state.file.write(entry.centralHeader) }
      let size = state.file.size - start
      try state.file.write(
        ArchiveEntry.end(count: state.entries.count, directorySize: size, directoryOffset: start))
      try state.file.settle(at: path)
      state.isOpen = false
    }
  }

  func abandon() {
    state.withLock { state in
      guard state.isOpen else { return }
      state.isOpen = false
      state.held = []
      state.file.discard()
    }
  }

  /// Bytes deflated; nil if that does not make them smaller.
  ///
  /// - Source: RFC 1952, section 2.3: without a name a member has ten bytes before what is deflated, eight behind it.
  private static func deflated(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count > 64, let member = try? Gzip.compress(bytes), member.count > 18, member[3] == 0 else {
      return nil
    }
    let packed = Array(member[10..<(member.count - 8)])
    return packed.count < bytes.count ? packed : nil
  }
}
