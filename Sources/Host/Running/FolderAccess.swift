import Glibc

/// Resolves paths for a decision on which folders a program may use.
enum FolderAccess {
  /// Returns the absolute path without links of a file, which may not exist yet.
  ///
  /// - Returns: Nil if its folder does not exist, and for a link to nothing: a file would be made where the link leads.
  static func real(_ path: String) -> String? {
    if path.utf8.contains(0) { return nil }
    if let real = FilePath.real(path) { return real }
    // Without the removal of '..', which leads elsewhere after a link.
    let absolute = HostFile.absolute(path)
    var status = stat()
    guard lstat(absolute, &status) != 0, let folder = FilePath.real(FilePath.folder(of: absolute)) else { return nil }
    let name = FilePath.name(of: absolute)
    if ["", ".", ".."].contains(name) { return nil }
    return (folder == "/" ? "" : folder) + "/" + name
  }

  /// Returns true if a path without links is that of a folder, or of something in it.
  static func isInside(_ path: String, _ folder: String) -> Bool {
    path == folder || path.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
  }
}
