internal import Glibc

/// Folders for a single test.
enum TemporaryFolder {
  static func make() -> String {
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array((base + "/workbench-test-XXXXXX").utf8CString)
    let isMade = template.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.flatMap { mkdtemp($0) } != nil
    }
    precondition(isMade, "no folder can be made in '\(base)'")
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  static func make(_ name: String, in folder: String) -> String {
    mkdir(folder + "/" + name, 0o700)
    return folder + "/" + name
  }

  /// Removes a folder and its contents; links are removed, not followed.
  static func remove(_ path: String) {
    for name in names(in: path) {
      var status = stat()
      let item = path + "/" + name
      if lstat(item, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
        remove(item)
      } else {
        unlink(item)
      }
    }
    rmdir(path)
  }

  private static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { raw in
        String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
