import Glibc

/// Whole files as bytes.
enum FileBytes {
  /// Reads a file with one read of its size.
  static func read(_ path: String) throws -> [UInt8] {
    let file = open(path, O_RDONLY)
    guard file >= 0 else { throw ParseBenchmarkError.unreadable(path) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw ParseBenchmarkError.unreadable(path) }
    let size = Int(status.st_size)
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { room, count in
      while count < size {
        let got = Glibc.read(file, room.baseAddress.map { $0 + count }, size - count)
        if got <= 0 { break }
        count += got
      }
    }
    guard bytes.count == size else { throw ParseBenchmarkError.unreadable(path) }
    return bytes
  }
}

/// A temporary folder for uncompressed copies.
final class ScratchFolder {
  private let path: String
  private var files: [String] = []

  init() {
    var template = Array("/tmp/workbench-parse-XXXXXX".utf8CString)
    path = mkdtemp(&template).map { String(cString: $0) } ?? "/tmp"
  }

  /// Writes a file and gives its path.
  func write(_ bytes: [UInt8], name: String) throws -> String {
    let file = path + "/" + (name.split(separator: "/").last.map(String.init) ?? name)
    guard let stream = fopen(file, "w") else { throw ParseBenchmarkError.unreadable(file) }
    let written = fwrite(bytes, 1, bytes.count, stream)
    guard fclose(stream) == 0, written == bytes.count else { throw ParseBenchmarkError.unreadable(file) }
    files.append(file)
    return file
  }

  /// Removes the folder and what was written into it.
  func remove() {
    for file in files { unlink(file) }
    rmdir(path)
  }
}
