import Glibc
import PluginAPI
import PluginStore
import PluginText
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
  init(_ path: String) throws(ErrorReport) {
    self.path = path
    if PrivateFile.exists(path) { throw ExchangeError.targetExists(path: path) }
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

/// An export in a folder; links are not followed.
struct FolderSource: ExchangeSource {
  let files: [String: Int]
  private let path: String

  /// - Throws: ``ExchangeError`` if the folder cannot be read or has unexpected content.
  init(_ path: String) throws(ErrorReport) {
    self.path = path
    var files: [String: Int] = [:]
    for name in try Self.names(path) {
      var status = stat()
      guard lstat(path + "/" + name, &status) == 0 else { throw PrivateFile.problem(path + "/" + name) }
      switch status.st_mode & S_IFMT {
      case S_IFREG: files[name] = Int(status.st_size)
      case S_IFDIR:
        for inner in try Self.names(path + "/" + name) {
          let inside = name + "/" + inner
          guard lstat(path + "/" + inside, &status) == 0 else { throw PrivateFile.problem(path + "/" + inside) }
          guard status.st_mode & S_IFMT == S_IFREG else { throw ExchangeError.strangeFile(inside) }
          files[inside] = Int(status.st_size)
        }
      default: throw ExchangeError.strangeFile(name)
      }
    }
    self.files = files
  }

  func read(_ name: String, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    guard files[name] != nil else { throw ExchangeError.missingFile(name) }
    let descriptor = open(path + "/" + name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { throw PrivateFile.problem(path + "/" + name) }
    defer { close(descriptor) }
    var room = [UInt8](repeating: 0, count: 256 << 10)
    while true {
      let count = Glibc.read(descriptor, &room, room.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw PrivateFile.problem(path + "/" + name) }
      if count == 0 { return }
      try room.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
  }

  /// Returns the names in a folder; empty if it cannot be read.
  static func names(ifThere path: String) -> [String] { (try? names(path)) ?? [] }

  private static func names(_ path: String) throws(ErrorReport) -> [String] {
    guard let folder = opendir(path) else { throw PrivateFile.problem(path) }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
      if names.count > 1_000_000 { throw ExchangeError.strangeFile(name) }
    }
    return names.sorted()
  }
}
