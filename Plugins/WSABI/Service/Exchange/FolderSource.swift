import Glibc

/// An export in a folder; links are not followed.
struct FolderSource: ExchangeSource {
  let files: [String: Int]
  private let path: String

  /// - Throws: ``ExchangeError`` if the folder cannot be read or has unexpected content.
  init(_ path: String) throws(ExchangeError) {
    self.path = path
    var files: [String: Int] = [:]
    for name in try Self.names(path) {
      var status = stat()
      guard lstat(path + "/" + name, &status) == 0 else { throw PrivateFile.problem(path + "/" + name) }
      switch status.st_mode & S_IFMT {
      case S_IFREG: files[name] = Int(status.st_size)
      case S_IFDIR:
        for inner in try Self.names(path + "/" + name) {
          let inside = name + "/" + inner
          guard lstat(path + "/" + inside, &status) == 0 else { throw PrivateFile.problem(path + "/" + inside) }
          guard status.st_mode & S_IFMT == S_IFREG else { throw .strangeFile(inside) }
          files[inside] = Int(status.st_size)
        }
      default: throw .strangeFile(name)
      }
    }
    self.files = files
  }

  func read(_ name: String, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    guard files[name] != nil else { throw ExchangeError.missingFile(name) }
    let descriptor = open(path + "/" + name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { throw PrivateFile.problem(path + "/" + name) }
    defer { close(descriptor) }
    var room = [UInt8](repeating: 0, count: 256 << 10)
    while true {
      let count = Glibc.read(descriptor, &room, room.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw PrivateFile.problem(path + "/" + name) }
      if count == 0 { return }
      try room.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
  }

  /// Returns the names in a folder; empty if it cannot be read.
  static func names(ifThere path: String) -> [String] { (try? names(path)) ?? [] }

  private static func names(_ path: String) throws(ExchangeError) -> [String] {
    guard let folder = opendir(path) else { throw PrivateFile.problem(path) }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
      if names.count > 1_000_000 { throw .strangeFile(name) }
    }
    return names.sorted()
  }
}
