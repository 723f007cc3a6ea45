import Glibc
import PluginAPI
import PluginCompression
import PluginJSON
import PluginStore
import PluginText

/// A checker of local files, which also creates folders for them.
enum LocalFile {
  /// Returns true if there is a plain file of that name.
  static func exists(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Returns the CRC-32 of a plain file; nil if its size differs, or it cannot be read.
  ///
  /// - Throws: `CancellationError` soon after the task was canceled.
  static func checksum(of path: String, size: Int) async throws -> UInt32? {
    try await OwnThread.value { try checksum(of: path, size: size, $0) }
  }

  private static func checksum(of path: String, size: Int, _ checkCancellation: () throws -> Void) throws -> UInt32? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, Int(status.st_size) == size else {
      return nil
    }
    var checksum = CRC32()
    var room = [UInt8](repeating: 0, count: 1 << 20)
    var remaining = size
    while remaining > 0 {
      try checkCancellation()
      let count = room.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return nil }
      room.withUnsafeBytes { checksum.add(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      remaining -= count
    }
    return checksum.value
  }

  /// Creates the folders that contain a file.
  ///
  /// - Throws: ``DownloadError/notWritten(path:_:)``.
  static func makeFolder(of path: String) throws(DownloadError) {
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    var folder = ""
    for (index, segment) in segments.enumerated() {
      folder += (index > 0 ? "/" : "") + segment
      if folder.isEmpty || folder == "." { continue }
      if mkdir(folder, 0o777) != 0, errno != EEXIST {
        throw .notWritten(path: folder, WholeFileFailure(number: errno))
      }
    }
  }
}

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
  static func name(_ parts: String...) -> String {
    "preview-" + SHA256.hexadecimal(of: Array(parts.joined(separator: "\u{0}").utf8))
  }

  /// Removes a file that was fetched for a preview only, or a part of it.
  static func remove(_ path: String) {
    unlink(path)
    unlink(path + PartFile.ending)
  }
}

/// The list of files beside the files of a downloaded data set.
enum DataSetManifest {
  /// Returns true if a file is the list of a data set, written by an earlier download.
  ///
  /// - Parameters:
  ///   - dataSet: The code of the data set.
  ///   - server: The address of its server.
  static func isAt(_ path: String, of dataSet: String, on server: String) -> Bool {
    guard let bytes = try? WholeFile.read(path, limitInBytes: 64 << 20), let manifest = try? Value(json: bytes) else {
      return false
    }
    return manifest["dataSet"].text == dataSet && manifest["server"].text == server && manifest["files"].list != nil
  }
}
