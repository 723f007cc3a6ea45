import Glibc
internal import PluginNet
import PluginStore

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

extension DocumentSource {
  /// A `.tar.gz` file on this machine, which is read at once.
  ///
  /// - Throws: ``UpdateError/file(path:reason:)``.
  static func archive(_ path: String) throws(UpdateError) -> DocumentSource {
    let bytes = try FolderFile.read(path, limitInBytes: SnapshotArchive.limitInBytes)
    let archive = try SnapshotArchive(bytes, path: path)
    return DocumentSource(name: path) { name, limit throws(UpdateError) in
      guard let bytes = archive.documents[name] else { throw .file(path: name, reason: "it is not in '\(path)'") }
      guard bytes.count <= limit else { throw .file(path: name, reason: "it is larger than \(limit) bytes") }
      return bytes
    }
  }

  /// What a word of the command line means: an address, a folder or an archive.
  ///
  /// - Throws: ``UpdateError/file(path:reason:)``.
  static func named(_ word: String, isOffline: Bool = false) throws(UpdateError) -> DocumentSource {
    if word.hasPrefix("http://") || word.hasPrefix("https://") { return .service(word, isOffline: isOffline) }
    var status = stat()
    if stat(word, &status) != 0 { throw .file(path: word, reason: String(cString: strerror(errno))) }
    return status.st_mode & S_IFMT == S_IFDIR ? .folder(word) : try .archive(word)
  }
}

/// Reads files of a folder whole.
enum FolderFile {
  /// - Throws: ``UpdateError/file(path:reason:)``.
  static func read(_ path: String, limitInBytes limit: Int) throws(UpdateError) -> [UInt8] {
    do throws(WholeFile.ReadFailure) {
      return try WholeFile.read(path, limitInBytes: limit)
    } catch {
      throw .file(path: path, reason: error.reason)
    }
  }
}
