internal import Glibc

/// The open descriptors of this process.
public enum OpenDescriptors {
  /// Copies every descriptor of a file, as in a child process between fork and exec.
  ///
  /// - Parameter path: The beginning of the file's path.
  /// - Returns: The copies, to be closed by the caller.
  public static func copies(of path: String) -> [Int32] {
    guard let folder = opendir("/proc/self/fd") else { return [] }
    defer { closedir(folder) }
    var numbers: [Int32] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
      let count = target.withUnsafeMutableBytes { room in
        room.baseAddress.map { readlink("/proc/self/fd/\(name)", $0, room.count) } ?? -1
      }
      if count > 0, String(decoding: target[..<count], as: UTF8.self).hasPrefix(path), let number = Int32(name) {
        numbers.append(number)
      }
    }
    // Afterwards: else the listing would show the copies too.
    return numbers.map { fcntl($0, F_DUPFD_CLOEXEC, 0) }.filter { $0 >= 0 }
  }
}
