import Glibc

/// The folders that a script or an agent may use, with all that is in them.
enum FolderAccess: Sendable, Equatable {
  case everything
  /// Absolute paths without links.
  case folders([String])

  /// Returns the access to folders as the user names them.
  static func named(_ folders: [String], everything: Bool) -> FolderAccess {
    everything ? .everything : .folders(folders.map { resolved($0) ?? FilePath.absolute($0) })
  }

  /// Returns true if the access includes an absolute path without links.
  func includes(_ path: String) -> Bool {
    switch self {
    case .everything: true
    case .folders(let folders):
      folders.contains { $0 == "/" || path == $0 || path.hasPrefix($0 + "/") }
    }
  }

  /// Returns the absolute path without links of a file, or of the one that would be made.
  ///
  /// - Returns: nil for a link to a file that does not exist, which would be made where the link leads, for `..` below
  ///   a folder that does not exist, and for a path that is too long for the system.
  static func resolved(_ path: String) -> String? {
    if let real = FilePath.real(path) { return real }
    let absolute = HostFile.absolute(path)
    var status = stat()
    guard absolute.hasPrefix("/"), absolute.utf8.count < Int(PATH_MAX), lstat(absolute, &status) != 0 else {
      return nil
    }
    let name = FilePath.name(of: absolute)
    guard name != "..", let folder = resolved(FilePath.folder(of: absolute)) else { return nil }
    if name.isEmpty || name == "." { return folder }
    return (folder == "/" ? "" : folder) + "/" + name
  }
}
