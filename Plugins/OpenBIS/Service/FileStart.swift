import Glibc
import PluginStore

/// A reader of the beginnings of files.
enum FileStart {
  /// Returns at most a number of bytes from the beginning of a file; nil if it cannot be read.
  static func read(_ path: String, limit: Int) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    let wanted = min(limit, max(0, Int(status.st_size)))
    var failed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
      while count < wanted, let base = buffer.baseAddress {
        let more = Glibc.read(descriptor, base + count, wanted - count)
        if more < 0, errno == EINTR { continue }
        failed = more < 0
        if more <= 0 { return }
        count += more
      }
    }
    return failed ? nil : bytes
  }

  /// Returns the name of a file for previews: different for every file, and without any byte from the server.
  static func name(_ words: String...) -> String {
    "preview-" + SHA256.hexadecimal(of: Array(words.joined(separator: "\u{0}").utf8))
  }

  /// Removes a file that was fetched for a preview only, or a part of it.
  static func remove(_ path: String) {
    unlink(path)
    unlink(path + PartFile.ending)
  }
}
