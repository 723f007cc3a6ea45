import Glibc

/// A damaged file, kept under another name for inspection.
enum DamagedFile {
  /// Renames a file and its logs to the first free name of the form `<path>.damaged-<n>`.
  ///
  /// - Returns: The new name; nil if that failed.
  static func moveAside(_ path: String) -> String? {
    var number = 1
    while access(path + ".damaged-\(number)", F_OK) == 0 { number += 1 }
    let damaged = path + ".damaged-\(number)"
    guard rename(path, damaged) == 0 else { return nil }
    for end in ["-wal", "-shm"] { rename(path + end, damaged + end) }
    return damaged
  }

  /// Returns true if the file exists.
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Removes a file and its logs.
  static func removeAll(_ path: String) {
    for end in ["", "-wal", "-shm", "-journal"] { unlink(path + end) }
    var number = 1
    while access(path + ".damaged-\(number)", F_OK) == 0 {
      for end in ["", "-wal", "-shm"] { unlink(path + ".damaged-\(number)" + end) }
      number += 1
    }
  }
}
