import Glibc
import PluginStore
import PluginText
import Synchronization

/// The folder with the data of large captures: one file each, whose name reveals nothing.
///
/// A file is written in `incoming`, locked by its writer. It moves to its final place when its row is committed, or at
/// the next start: only the row decides whether a file counts.
struct CaptureFolder: Sendable {
  let path: String
  private let sync = FolderSync()

  init(path: String) { self.path = path }

  private var incoming: String { path + "/incoming" }

  /// Returns the path of a file while it is written.
  func draft(_ name: String) -> String { "\(incoming)/\(name)" }

  /// Returns the final path of a file; the files are spread over several folders.
  func path(of name: String) -> String { "\(shelf(name))/\(name)" }

  private func shelf(_ name: String) -> String { "\(path)/\(name.prefix(2))" }

  /// Makes the folders, for the user alone.
  func make() throws {
    try Self.makeAll(path)
    if mkdir(incoming, 0o700) != 0, errno != EEXIST { throw VaultError.file(path: incoming, number: errno) }
  }

  private static func makeAll(_ path: String) throws {
    var made = ""
    for part in path.split(separator: "/") {
      made += "/" + part
      if mkdir(made, 0o700) != 0, errno != EEXIST { throw VaultError.file(path: made, number: errno) }
    }
  }

  /// Returns a name for a new file.
  static func newName() -> String { Hexadecimal.text(Vault.random(16)) }

  /// Returns true if a text can be the name of one of these files.
  static func isName(_ name: String) -> Bool {
    name.utf8.count == 32 && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// Moves a file whose row is committed to its final place; if that fails, the next start does it.
  func settle(_ name: String) {
    mkdir(shelf(name), 0o700)
    rename(draft(name), path(of: name))
  }

  /// Removes a file, wherever it is.
  func remove(_ name: String) {
    guard Self.isName(name) else { return }
    unlink(path(of: name))
    unlink(draft(name))
  }

  /// Waits until the names of new files are on the device.
  func synchronize() throws { try sync.synchronize(incoming) }

  /// Opens a file for reading; -1 if it is not there.
  func open(reading name: String) -> Int32 {
    guard Self.isName(name) else { return -1 }
    // It may move from one to the other between two attempts.
    for path in [path(of: name), draft(name), path(of: name)] {
      let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
      if descriptor >= 0 { return descriptor }
    }
    return -1
  }

  /// Returns the names of the files being written, or left by a process that ended.
  func leftovers() -> [String] { Self.names(in: incoming).filter(Self.isName) }

  /// Returns the names of all files in their final places.
  func all() -> [String] {
    let shelves = Self.names(in: path).filter { $0.utf8.count == 2 && !$0.hasPrefix(".") }
    return shelves.flatMap { Self.names(in: "\(path)/\($0)").filter(Self.isName) }
  }

  private static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      names.append(name)
    }
    return names.sorted()
  }

  /// The space reserved for data that cannot be obtained twice, in bytes.
  static let reserveInBytes = 1 << 20

  private var reserve: String { path + "/reserve" }

  /// Reserves space, if it is not reserved already.
  ///
  /// - Returns: 0, or the system's error number if there is no space.
  func holdReserve() -> Int32 {
    if access(reserve, F_OK) == 0 { return 0 }
    let descriptor = Glibc.open(reserve, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    // Another process may just have made it.
    guard descriptor >= 0 else { return errno == EEXIST ? 0 : errno }
    let failure = posix_fallocate(descriptor, 0, Self.reserveInBytes)
    Glibc.close(descriptor)
    if failure != 0 { unlink(reserve) }
    return failure
  }

  /// Gives up the reserved space, if any is left.
  func giveUpReserve() { unlink(reserve) }

  /// Locks a file that has no writer any more; nil if it has one.
  ///
  /// - Returns: The file, to be closed.
  func taken(_ name: String) -> LockedFile? { try? LockedFile(existing: draft(name)) }
}

/// A synchronizer that writes the names in a folder to the device, once for all concurrent callers.
final class FolderSync: Sendable {
  private let asked = Atomic(0)
  /// The number of the last request whose names are on the device.
  private let done = Mutex(0)

  /// Waits until the current names in a folder are on the device.
  ///
  /// Callers that wait while a synchronization runs are served together by the next one.
  /// - Throws: ``VaultError/file(path:number:)``.
  func synchronize(_ path: String) throws {
    let own = asked.add(1, ordering: .sequentiallyConsistent).newValue
    try done.withLock { done in
      guard done < own else { return }
      // All requests up to here made their files before.
      let covered = asked.load(ordering: .sequentiallyConsistent)
      let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
      guard descriptor >= 0 else { throw VaultError.file(path: path, number: errno) }
      defer { Glibc.close(descriptor) }
      if fsync(descriptor) != 0, errno != EINVAL { throw VaultError.file(path: path, number: errno) }
      done = covered
    }
  }
}
