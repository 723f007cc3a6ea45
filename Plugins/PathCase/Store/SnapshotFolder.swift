import Glibc
import PluginAPI
import PluginStore

/// The folder of the snapshots, with the pointer to the active and the previous file, and the lock for changes.
///
/// The file `current` names both, one per line, and is only ever replaced as a whole.
struct SnapshotFolder: Sendable, Hashable {
  /// The absolute path of the folder.
  let path: String

  /// The names of the snapshots in use.
  struct Pointer: Sendable, Hashable {
    /// The word for the bundled database, which is not a file of the folder.
    static let bundled = "bundled"

    /// The active file, without its folder, or the word for the bundled database.
    var current: String
    /// The previous file; nil if there is none.
    var previous: String?
  }

  /// The lock for changes to the folder, held until it is released or the process ends.
  struct Lock: Sendable {
    fileprivate let file: LockedFile

    /// Releases the lock; later calls do nothing.
    func release() { file.close() }
  }

  func path(of file: String) -> String { "\(path)/\(file)" }

  /// Returns the snapshots in use; nil if there are none.
  func pointer() throws(ErrorReport) -> Pointer? {
    let name = path(of: "current")
    let descriptor = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if descriptor < 0 {
      if errno == ENOENT { return nil }
      throw SnapshotStoreError.unusable(path: name, reason: Self.reason())
    }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = read(descriptor, &bytes, bytes.count)
    if count < 0 { throw SnapshotStoreError.unusable(path: name, reason: Self.reason()) }
    let lines = bytes.prefix(count).split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    guard let first = lines.first, lines.allSatisfy({ $0 == Pointer.bundled || Self.isSnapshot($0) }) else {
      throw SnapshotStoreError.damaged(path: name, reason: "it does not name a snapshot")
    }
    return Pointer(current: first, previous: lines.count > 1 ? lines[1] : nil)
  }

  /// Changes the snapshots in use, atomically.
  func point(to pointer: Pointer) throws(ErrorReport) {
    let text = pointer.current + "\n" + (pointer.previous.map { $0 + "\n" } ?? "")
    let name = path(of: "current")
    let failure = WholeFile.replace(name, with: Array(text.utf8))
    if failure != 0 { throw SnapshotStoreError.unusable(path: name, reason: Self.reason(failure)) }
    try synchronize(path)
  }

  /// Returns whether a name has the form of a snapshot's name.
  private static func isSnapshot(_ name: String) -> Bool {
    name.hasPrefix("snap-") && name.hasSuffix(".sqlite")
      && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }
  }

  /// Returns an unused name for a new snapshot.
  func freeName(_ sha256: String) -> String {
    let word = sha256.utf8.filter { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }.prefix(64)
    let stem = "snap-" + String(decoding: word, as: UTF8.self)
    var number = 1
    while true {
      let name = number == 1 ? "\(stem).sqlite" : "\(stem)-\(number).sqlite"
      if access(path(of: name), F_OK) != 0 { return name }
      number += 1
    }
  }

  /// Acquires the lock for changes; does not wait.
  func lock() throws(ErrorReport) -> Lock {
    try make()
    let name = path(of: "lock")
    do throws(LockedFile.Failure) {
      return Lock(file: try LockedFile(name))
    } catch {
      switch error {
      case .held: throw SnapshotStoreError.busy(folder: path)
      case .system(let number): throw SnapshotStoreError.unusable(path: name, reason: Self.reason(number))
      }
    }
  }

  private func make() throws(ErrorReport) {
    var made = ""
    for step in path.split(separator: "/", omittingEmptySubsequences: false) {
      made += made.isEmpty && step.isEmpty ? "" : "/\(step)"
      if made.isEmpty || mkdir(made, 0o700) == 0 || errno == EEXIST { continue }
      throw SnapshotStoreError.unusable(path: made, reason: Self.reason())
    }
  }

  /// Removes files left by interrupted work, and snapshots no longer in use; requires the lock.
  func clear(_ pointer: Pointer?) {
    for name in leftovers(pointer) { unlink(path(of: name)) }
  }

  /// Returns the files of interrupted or present work, and snapshots no longer in use.
  func leftovers(_ pointer: Pointer?) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    let kept = [pointer?.current, pointer?.previous].compactMap { $0 }
    return names.filter { name in
      // The files that SQLite keeps beside a database are removed with it.
      Self.isOurs(name) && !kept.contains { name == $0 || name == $0 + "-wal" || name == $0 + "-shm" }
    }
  }

  /// Returns whether a file is a snapshot, a draft or a partly written pointer.
  private static func isOurs(_ name: String) -> Bool {
    name.hasPrefix("snap-") || name.hasPrefix("draft-") || (name.hasPrefix("current.") && name.hasSuffix(".part"))
  }

  /// Removes a file and the files that SQLite keeps beside it.
  static func removeFile(_ path: String) {
    for end in ["", "-wal", "-shm", "-journal"] { unlink(path + end) }
  }

  /// Waits until a file or folder has been written to the device.
  func synchronize(_ name: String) throws(ErrorReport) {
    let descriptor = open(name, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { throw SnapshotStoreError.unusable(path: name, reason: Self.reason()) }
    defer { close(descriptor) }
    if fsync(descriptor) != 0, errno != EINVAL { throw SnapshotStoreError.unusable(path: name, reason: Self.reason()) }
  }

  /// Returns the system's message for an error number.
  static func reason(_ number: Int32 = errno) -> SystemReason {
    SystemReason(number: number, String(cString: strerror(number)))
  }
}
