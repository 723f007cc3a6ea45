import Glibc
import PluginStore
import Synchronization

/// An export as a folder that only its owner can read, written beside its destination and renamed once complete.
final class FolderTarget: ExchangeTarget {
  private struct State {
    var file: PrivateFile?
    var hash = SHA256()
    var folders: Set<String> = []
    var names: [String] = []
    var isOpen = true
  }

  private let path: String
  private let draft: String
  /// Held while the folder is written, so that remains of a killed process can be distinguished from it; nil if the
  /// file system has no locks.
  private let lock: LockedFile?
  private let state = Mutex(State())

  /// - Parameter path: Where it will be; its parent must be there.
  /// - Throws: ``ExchangeError``.
  init(_ path: String) throws(ExchangeError) {
    self.path = path
    if PrivateFile.exists(path) { throw .targetExists(path: path) }
    Self.sweep(path)
    draft = PrivateFile.draftName(path)
    guard mkdir(draft, 0o700) == 0 else { throw PrivateFile.problem(path) }
    lock = try? LockedFile(existing: draft)
  }

  // Only a backstop, for a target that was neither finished nor abandoned.
  deinit { abandon() }

  /// Removes remains of processes that were killed while they wrote to the same place, as they contain readable data.
  private static func sweep(_ path: String) {
    let parts = PrivateFile.draftParts(path)
    for name in FolderSource.names(ifThere: parts.folder) where name.hasPrefix(parts.start) && name.hasSuffix(".part") {
      let left = parts.folder + "/" + name
      guard let held = try? LockedFile(existing: left) else { continue }
      defer { held.close() }
      for inner in FolderSource.names(ifThere: left) where unlink(left + "/" + inner) != 0 {
        for file in FolderSource.names(ifThere: left + "/" + inner) { unlink(left + "/" + inner + "/" + file) }
        rmdir(left + "/" + inner)
      }
      rmdir(left)
    }
  }

  func begin(_ name: String, sizeInBytes: Int) throws {
    try state.withLock { state in
      let parts = name.split(separator: "/")
      precondition(!parts.contains("..") && parts.count <= 2, "names of exports lead nowhere else")
      if parts.count == 2, state.folders.insert(String(parts[0])).inserted {
        guard mkdir(draft + "/" + parts[0], 0o700) == 0 else { throw PrivateFile.problem(path) }
      }
      state.file = try PrivateFile(draft + "/" + name)
      state.names.append(name)
      state.hash = SHA256()
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    try state.withLock { state in
      try state.file?.write(bytes)
      state.hash.update(bytes)
    }
  }

  func end() throws -> [UInt8] {
    try state.withLock { state in
      try state.file?.finish()
      state.file = nil
      return state.hash.finish()
    }
  }

  func finish() throws {
    try state.withLock { state in
      // `rename` would replace an existing empty folder.
      if PrivateFile.exists(path) { throw ExchangeError.targetExists(path: path) }
      for folder in state.folders.sorted() { try PrivateFile.flush(folder: draft + "/" + folder) }
      try PrivateFile.flush(folder: draft)
      guard rename(draft, path) == 0 else {
        if errno == EEXIST || errno == ENOTEMPTY { throw ExchangeError.targetExists(path: path) }
        throw PrivateFile.problem(path)
      }
      state.isOpen = false
      lock?.close()
      try PrivateFile.flushName(of: path)
    }
  }

  func abandon() {
    state.withLock { state in
      guard state.isOpen else { return }
      state.isOpen = false
      state.file?.close()
      state.file = nil
      for name in state.names { unlink(draft + "/" + name) }
      for folder in state.folders.sorted() { rmdir(draft + "/" + folder) }
      rmdir(draft)
      lock?.close()
    }
  }
}
