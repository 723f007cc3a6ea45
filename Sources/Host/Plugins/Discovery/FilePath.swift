import Glibc

/// Functions on the text of a path, and on its links in the file system.
enum FilePath {
  /// Returns the path without its last component; `/` has itself.
  static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Returns the last component.
  static func name(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(path[path.utf8.index(after: slash)...])
  }

  /// Returns the target of a symbolic link; nil if the path is not a link.
  static func linkTarget(_ path: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = buffer.withUnsafeMutableBytes { raw in
      raw.withMemoryRebound(to: CChar.self) { text in text.baseAddress.map { readlink(path, $0, text.count) } ?? -1 }
    }
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }

  /// Returns the absolute path without links, `.` and `..`; nil if nothing exists there.
  static func real(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Returns the absolute path without `.` and `..`; links are not resolved.
  static func absolute(_ path: String) -> String {
    var parts: [Substring] = []
    for part in HostFile.absolute(path).split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }

  /// Returns the path as a word of a shell command.
  static func quoted(_ path: String) -> String {
    let isPlain = path.utf8.allSatisfy {
      (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0) || (0x2B...0x3A).contains($0) || $0 == 0x5F
    }
    return isPlain
      ? path : "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }

  /// The system's message for the last error.
  static var lastError: String { String(cString: strerror(errno)) }
}
