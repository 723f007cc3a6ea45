import Glibc
import PluginAPI
internal import PluginNet
import PluginStore

/// A request for a document.
struct DocumentRequest: Sendable, Hashable {
  /// The path in the snapshot.
  var path: String
  /// The maximum number of bytes.
  var limitInBytes: Int
  /// The entity tag of the cached state, if any: the same state need not be sent.
  var tag: String?
}

/// The response to a request for a document.
enum DocumentAnswer: Sendable, Hashable {
  /// The bytes, and the tag of this state if the source has one.
  case bytes([UInt8], tag: String?)
  /// The state is still that of the request's tag.
  case unchanged
}

/// A source of a snapshot's documents.
struct DocumentSource: Sendable {
  /// The name in messages: an address or a folder.
  let name: String
  /// Requests a document once.
  let ask: @Sendable (DocumentRequest) async throws -> DocumentAnswer

  init(name: String, ask: @escaping @Sendable (DocumentRequest) async throws -> DocumentAnswer) {
    self.name = name
    self.ask = ask
  }

  /// Creates a source without tags.
  ///
  /// - Parameter fetch: Returns the bytes of a document by its path in the snapshot, up to a limit.
  init(name: String, fetch: @escaping @Sendable (_ path: String, _ limitInBytes: Int) async throws -> [UInt8]) {
    self.init(name: name) { .bytes(try await fetch($0.path, $0.limitInBytes), tag: nil) }
  }

  /// The options for access to a service.
  struct Access: Sendable, Hashable {
    var isOffline = false
    /// A PEM file with the trusted certificates; nil for those of the system.
    var certificates: String?
    /// The time without a byte after which a document is abandoned.
    var stallInSeconds = 15
    /// The maximum time for a document; nil for the time of the whole update.
    var deadlineInSeconds: Double?
  }

  /// Returns a service whose documents are below its address.
  ///
  /// - Parameter address: `http://` or `https://`, with or without a trailing `/`; a query is sent with each document.
  static func service(_ address: String, _ access: Access = Access()) -> DocumentSource {
    var configuration = HTTPClient.Configuration(isOffline: access.isOffline)
    configuration.certificates = access.certificates
    // The update alone decides which failures are retried.
    configuration.repeatLimit = 0
    let client = HTTPClient(configuration)
    let bare = address.prefix { $0 != "#" }
    let (folder, query) = (String(bare.prefix { $0 != "?" }), bare.drop { $0 != "?" })
    return DocumentSource(name: HTTPAddress.shown(address)) { asked in
      let whole = asked.path.split(separator: "/").reduce(folder) { HTTPAddress.appending(String($1), to: $0) } + query
      var request = HTTPRequest(whole, limitInBytes: asked.limitInBytes)
      request.stallInSeconds = access.stallInSeconds
      request.deadlineInSeconds = access.deadlineInSeconds
      if let tag = asked.tag { request.headers["If-None-Match"] = tag }
      let answer = try await client.send(request)
      if answer.head.status == 304, asked.tag != nil { return .unchanged }
      try answer.head.checked()
      return .bytes(answer.body, tag: answer.head.headers["ETag"])
    }
  }

  /// Returns a folder on this machine.
  static func folder(_ folder: String) -> DocumentSource {
    DocumentSource(name: folder) { (path: String, limit: Int) in
      try FolderFile.read("\(folder)/\(path)", limitInBytes: limit)
    }
  }
}

extension DocumentSource {
  /// Returns a `.tar.gz` file on this machine, which is read immediately.
  ///
  /// - Throws: ``UpdateError/file(path:reason:)``.
  static func archive(_ path: String) throws(ErrorReport) -> DocumentSource {
    let bytes = try FolderFile.read(path, limitInBytes: SnapshotArchive.limitInBytes)
    let archive = try SnapshotArchive(bytes, path: path)
    return DocumentSource(name: path) { (name: String, limit: Int) throws(ErrorReport) -> [UInt8] in
      guard let bytes = archive.documents[Identifier(name)] else {
        throw UpdateError.file(path: name, reason: "it is not in '\(path)'")
      }
      guard bytes.count <= limit else { throw UpdateError.file(path: name, reason: "it is larger than \(limit) bytes") }
      return bytes
    }
  }

  /// Returns the source that a command-line argument refers to: an address, a folder or an archive.
  ///
  /// - Throws: ``UpdateError/file(path:reason:)``, ``UpdateError/otherAddress(_:)``.
  static func named(_ word: String, _ access: Access = Access()) throws(ErrorReport) -> DocumentSource {
    if HTTPAddress.isUsable(word) { return .service(word, access) }
    var status = stat()
    if stat(word, &status) != 0 {
      let number = errno
      if word.drop(while: { $0 != ":" }).hasPrefix("://") { throw UpdateError.otherAddress(withoutUser(word)) }
      throw UpdateError.file(path: word, reason: SystemReason(number: number))
    }
    return status.st_mode & S_IFMT == S_IFDIR ? .folder(word) : try .archive(word)
  }
}

extension DocumentSource {
  /// Returns an address of any kind without user and password, truncated to a maximum length.
  private static func withoutUser(_ address: String) -> String {
    let scheme = address.prefix { $0 != "/" }
    let rest = address.dropFirst(scheme.count + 2)
    let authority = rest.prefix { $0 != "/" }
    let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    return String("\(scheme)//\(host)\(rest.dropFirst(authority.count))".prefix(200))
  }
}

/// Reads complete files of a folder.
enum FolderFile {
  /// - Throws: ``UpdateError/file(path:reason:)``.
  static func read(_ path: String, limitInBytes limit: Int) throws(ErrorReport) -> [UInt8] {
    do throws(WholeFile.ReadFailure) {
      return try WholeFile.read(path, limitInBytes: limit)
    } catch {
      throw UpdateError.file(path: path, reason: SystemReason(error))
    }
  }
}
