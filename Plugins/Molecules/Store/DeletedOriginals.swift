import Glibc

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
