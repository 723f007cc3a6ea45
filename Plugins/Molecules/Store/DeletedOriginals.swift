import Glibc

/// Originals of molecules that were deleted in this run of the program, kept so that deleting can be undone.
///
/// Each process has a folder of its own, named by its number; what processes that are no more left there is removed.
struct DeletedOriginals: Sendable {
  private let root: String

  /// - Parameter cache: The plugin's folder for what may be lost, as an absolute path.
  init(cache: String) {
    root = cache + "/deleted"
  }

  /// Keeps the bytes of an original.
  ///
  /// - Returns: The path they are at.
  /// - Throws: ``LibraryError/originalNotKept``.
  func keep(_ bytes: [UInt8], as file: String) throws(LibraryError) -> String {
    let folder = Originals(folder: root + "/\(getpid())")
    return folder.path(of: try folder.keep(bytes, as: file) { _ in false })
  }

  /// Removes what was kept.
  func remove(_ path: String) {
    if path.hasPrefix(root + "/") { unlink(path) }
  }

  /// Removes what processes that are no more had kept.
  func removeAbandoned() {
    for process in Self.names(in: root).compactMap({ pid_t($0) }) where process > 0 && process != getpid() {
      guard kill(process, 0) != 0, errno == ESRCH else { continue }
      let folder = root + "/\(process)"
      for name in Self.names(in: folder) { unlink(folder + "/" + name) }
      rmdir(folder)
    }
  }

  private static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
