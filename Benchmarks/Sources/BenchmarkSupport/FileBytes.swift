import Glibc

/// Whole files as bytes.
public enum FileBytes {
  /// Reads a file with one read of its size.
  public static func read(_ path: String) throws -> [UInt8] {
    let file = open(path, O_RDONLY)
    guard file >= 0 else { throw FileBytesError.unreadable(path) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw FileBytesError.unreadable(path) }
    let size = Int(status.st_size)
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { room, count in
      while count < size {
        let got = Glibc.read(file, room.baseAddress.map { $0 + count }, size - count)
        if got <= 0 { break }
        count += got
      }
    }
    guard bytes.count == size else { throw FileBytesError.unreadable(path) }
    return bytes
  }

  /// Returns the text of a file; empty if it cannot be read.
  public static func text(_ path: String) -> String {
    String(decoding: (try? read(path)) ?? [], as: UTF8.self)
  }

  /// Overwrites a file.
  public static func write(_ bytes: [UInt8], _ path: String) throws {
    guard let stream = fopen(path, "w") else { throw FileBytesError.unreadable(path) }
    let written = fwrite(bytes, 1, bytes.count, stream)
    guard fclose(stream) == 0, written == bytes.count else { throw FileBytesError.unreadable(path) }
  }
}

/// An error in reading or writing a file.
public enum FileBytesError: Error {
  case unreadable(String)
}
