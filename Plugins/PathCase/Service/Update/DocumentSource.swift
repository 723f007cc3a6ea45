import Glibc
internal import PluginNet

/// Where the documents of a snapshot come from.
struct DocumentSource: Sendable {
  /// What messages call it: an address or a folder.
  let name: String
  /// Gives the bytes of a document by its path in the snapshot, at most so many.
  let fetch: @Sendable (_ path: String, _ limitInBytes: Int) async throws -> [UInt8]

  /// A service: the documents are below its address.
  ///
  /// - Parameters:
  ///   - address: `http://` or `https://`, with or without a `/` at its end.
  ///   - stallInSeconds: After how long without a byte a document is given up.
  ///   - deadlineInSeconds: How long a document may take; nil for as long as the update may.
  static func service(
    _ address: String, isOffline: Bool = false, stallInSeconds: Int = 15, deadlineInSeconds: Double? = nil
  ) -> DocumentSource {
    var configuration = HTTPClient.Configuration(isOffline: isOffline)
    // Which failures are worth another try is decided in one place, by the update.
    configuration.repeatLimit = 0
    let client = HTTPClient(configuration)
    return DocumentSource(name: HTTPAddress.shown(address)) { path, limit in
      let whole = path.split(separator: "/").reduce(address) { HTTPAddress.appending(String($1), to: $0) }
      var request = HTTPRequest(whole, limitInBytes: limit)
      request.stallInSeconds = stallInSeconds
      request.deadlineInSeconds = deadlineInSeconds
      let answer = try await client.send(request)
      try answer.head.checked()
      return answer.body
    }
  }

  /// A folder on this machine.
  static func folder(_ folder: String) -> DocumentSource {
    DocumentSource(name: folder) { path, limit in try FolderFile.read("\(folder)/\(path)", limitInBytes: limit) }
  }
}

/// Reads files of a folder whole.
enum FolderFile {
  /// - Throws: ``UpdateError/file(path:reason:)``.
  static func read(_ path: String, limitInBytes limit: Int) throws(UpdateError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if descriptor < 0 { throw .file(path: path, reason: String(cString: strerror(errno))) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .file(path: path, reason: "it is no plain file")
    }
    guard status.st_size <= limit else { throw .file(path: path, reason: "it is larger than \(limit) bytes") }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var filled = 0
    while filled < bytes.count {
      let size = bytes.count
      let count = bytes.withUnsafeMutableBytes { room in
        Glibc.read(descriptor, room.baseAddress.map { $0 + filled }, size - filled)
      }
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw .file(path: path, reason: String(cString: strerror(errno))) }
      if count == 0 { break }
      filled += count
    }
    return Array(bytes.prefix(filled))
  }
}
