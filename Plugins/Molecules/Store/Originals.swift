import Glibc
import PluginStore

/// The folder with the original files of molecules.
///
/// A file under its final name is complete: it is written under another name, synced to the device, and only then
/// renamed. Names that begin with a dot are unfinished files that belong to no molecule.
struct Originals: Sendable {
  /// The folder, as an absolute path.
  let folder: String

  func path(of file: String) -> String { folder + "/" + file }

  /// Returns the existing files, in no order; none if there is no folder yet.
  func files() -> [String] {
    Self.names(in: folder, filesOnly: true).filter { $0.utf8.first != UInt8(ascii: ".") }
  }

  /// Returns the names in a folder, of regular files only or of everything but the folder and its parent.
  fileprivate static func names(in folder: String, filesOnly: Bool) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let isFile = entry.pointee.d_type == UInt8(DT_REG) || entry.pointee.d_type == UInt8(DT_UNKNOWN)
      if filesOnly, !isFile { continue }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Returns the size of a file in bytes; nil if it does not exist.
  func size(of file: String) -> Int? {
    var status = stat()
    return stat(path(of: file), &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
  }

  /// Reads a file.
  ///
  /// - Throws: ``LibraryError/originalUnreadable``.
  func read(_ file: String) throws(LibraryError) -> [UInt8] {
    do throws(WholeFile.ReadFailure) {
      return try WholeFile.read(path(of: file), limitInBytes: .max)
    } catch {
      throw .originalUnreadable(file: file, reason: error.reason)
    }
  }

  /// Stores bytes under an unused name, the wanted one or one with a number.
  ///
  /// - Parameters:
  ///   - bytes: The content.
  ///   - wanted: The name to take if it is free; only its last part counts.
  ///   - isTaken: Returns true for names that are reserved although there is no such file.
  /// - Returns: The chosen name.
  /// - Throws: ``LibraryError/originalNotKept``; no part of the file remains then.
  func keep(_ bytes: [UInt8], as wanted: String, isTaken: (String) -> Bool) throws(LibraryError) -> String {
    try makeFolder()
    removeAbandonedParts()
    let name = Self.cleaned(wanted)
    let part = path(of: ".\(name).\(getpid()).part")
    // A leftover of a killed process with the same number.
    unlink(part)
    let failure = WholeFile.write(bytes, to: part)
    if failure != 0 { throw .originalNotKept(file: name, reason: String(cString: strerror(failure))) }
    for attempt in 1...10_000 {
      let candidate = attempt == 1 ? name : Self.numbered(name, attempt)
      if isTaken(candidate) { continue }
      let number = Self.move(part, to: path(of: candidate))
      if number == 0 {
        try synchronizeFolder(for: candidate)
        return candidate
      }
      if number != EEXIST {
        unlink(part)
        throw .originalNotKept(file: name, reason: String(cString: strerror(number)))
      }
    }
    unlink(part)
    throw .originalNotKept(file: name, reason: "10000 files with this name exist already")
  }

  /// Gives a finished file its name unless a file of that name exists.
  ///
  /// - Returns: 0, or the error number; EEXIST if the name is taken.
  private static func move(_ part: String, to path: String) -> Int32 {
    // link(2) refuses to replace a file; rename(2) would not.
    if link(part, path) == 0 {
      unlink(part)
      return 0
    }
    guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno) else { return errno }
    // The file system does not support links: the name is checked just before instead.
    if access(path, F_OK) == 0 { return EEXIST }
    return rename(part, path) == 0 ? 0 : errno
  }

  /// Removes unfinished files of ended processes.
  private func removeAbandonedParts() {
    for name in Self.names(in: folder, filesOnly: true) where name.hasPrefix(".") && name.hasSuffix(".part") {
      guard let writer = name.dropLast(5).split(separator: ".").last.flatMap({ pid_t($0) }), writer > 0 else {
        continue
      }
      if kill(writer, 0) != 0, errno == ESRCH { unlink(path(of: name)) }
    }
  }

  /// Removes a file; a missing file counts as removed.
  func remove(_ file: String) throws(LibraryError) {
    if unlink(path(of: file)) != 0, errno != ENOENT {
      throw .originalNotRemoved(file: file, reason: Self.reason())
    }
  }

  private func makeFolder() throws(LibraryError) {
    var built = ""
    for part in folder.split(separator: "/") {
      built += "/" + part
      if mkdir(built, 0o700) != 0, errno != EEXIST, access(built, F_OK) != 0 {
        throw .originalNotKept(file: built, reason: Self.reason())
      }
    }
  }

  private func synchronizeFolder(for file: String) throws(LibraryError) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .originalNotKept(file: file, reason: Self.reason()) }
    defer { close(descriptor) }
    if fsync(descriptor) != 0 { throw .originalNotKept(file: file, reason: Self.reason()) }
  }

  /// Returns the last part of a path as a name that is not hidden and has no separators or control characters.
  static func cleaned(_ name: String) -> String {
    let last = name.split(separator: "/").last.map(String.init) ?? ""
    let visible = String(last.unicodeScalars.filter { $0.value >= 32 && $0.value != 127 })
    let shown = visible.hasPrefix(".") ? "_" + visible.dropFirst() : visible
    return shown.isEmpty ? "molecule" : String(decoding: shown.utf8.prefix(200), as: UTF8.self)
  }

  /// Returns the name with a number before its extensions: `1crn-2.pdb.gz`.
  static func numbered(_ name: String, _ number: Int) -> String {
    let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.count == 2 ? "\(parts[0])-\(number).\(parts[1])" : "\(name)-\(number)"
  }

  private static func reason() -> String { String(cString: strerror(errno)) }
}

/// Originals of molecules deleted in this run of the program, stored so that deletions can be undone.
///
/// Each process has its own folder, named by its process number; the folders of ended processes are removed.
struct DeletedOriginals: Sendable {
  private let root: String

  /// Creates the store of originals in a cache folder.
  ///
  /// - Parameter cache: The plugin's cache folder, as an absolute path.
  init(cache: String) {
    root = cache + "/deleted"
  }

  /// Stores the bytes of an original.
  ///
  /// - Returns: The path of the stored file.
  /// - Throws: ``LibraryError/originalNotKept``.
  func keep(_ bytes: [UInt8], as file: String) throws(LibraryError) -> String {
    let folder = Originals(folder: root + "/\(getpid())")
    return folder.path(of: try folder.keep(bytes, as: file) { _ in false })
  }

  /// Removes a stored original.
  func remove(_ path: String) {
    if path.hasPrefix(root + "/") { unlink(path) }
  }

  /// Removes the originals stored by ended processes.
  func removeAbandoned() {
    for process in Originals.names(in: root, filesOnly: false).compactMap({ pid_t($0) })
    where process > 0 && process != getpid() {
      guard kill(process, 0) != 0, errno == ESRCH else { continue }
      let folder = root + "/\(process)"
      for name in Originals.names(in: folder, filesOnly: false) { unlink(folder + "/" + name) }
      rmdir(folder)
    }
  }
}
