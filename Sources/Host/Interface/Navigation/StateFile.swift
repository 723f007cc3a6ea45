import Glibc

/// A small file of things to remember that may be lost.
struct StateFile: Sendable {
  let path: String

  /// More is not read: a state is small, and a large file is not one of ours.
  static let largest = 1 << 20

  /// The bytes; nil if there is no such file, or it cannot be read or is too large.
  func read() -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.largest else {
      return nil
    }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes {
        Glibc.read(file, $0.baseAddress.map { $0 + filled }, $0.count - filled)
      }
      if count <= 0 { return nil }
      filled += count
    }
    return bytes
  }

  /// Replaces the file as a whole, readable by the user alone; what cannot be written is lost.
  @discardableResult
  func write(_ bytes: [UInt8]) -> Bool {
    makeFolders()
    let temporary = path + ".\(getpid())"
    let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { return false }
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress.map { $0 + written }, $0.count - written) }
      if count <= 0 { break }
      written += count
    }
    let isWhole = close(file) == 0 && written == bytes.count
    if isWhole, rename(temporary, path) == 0 { return true }
    unlink(temporary)
    return false
  }

  private func makeFolders() {
    var position = path.startIndex
    while let slash = path[position...].dropFirst().firstIndex(of: "/") {
      mkdir(String(path[..<slash]), 0o700)
      position = slash
    }
  }
}
