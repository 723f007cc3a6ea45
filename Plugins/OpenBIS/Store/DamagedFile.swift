import Glibc

/// A damaged file that is kept under another name for whoever wants to look.
enum DamagedFile {
  /// Gives a file and its logs the first free name of the form `<path>.damaged-<n>`.
  ///
  /// - Returns: The new name; nil if it could not be given.
  static func moveAside(_ path: String) -> String? {
    var number = 1
    while access(path + ".damaged-\(number)", F_OK) == 0 { number += 1 }
    let damaged = path + ".damaged-\(number)"
    guard rename(path, damaged) == 0 else { return nil }
    for end in ["-wal", "-shm"] { rename(path + end, damaged + end) }
    return damaged
  }

  /// Whether there is a file.
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Removes a file and all that stands beside it under names of its own.
  static func removeAll(_ path: String) {
    for end in ["", "-wal", "-shm", "-journal"] { unlink(path + end) }
    var number = 1
    while access(path + ".damaged-\(number)", F_OK) == 0 {
      for end in ["", "-wal", "-shm"] { unlink(path + ".damaged-\(number)" + end) }
      number += 1
    }
  }
}
