import Glibc
import PluginAPI
internal import PluginCompression
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
enum DocumentResponse: Sendable, Hashable {
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
  let ask: @Sendable (DocumentRequest) async throws -> DocumentResponse

  init(name: String, ask: @escaping @Sendable (DocumentRequest) async throws -> DocumentResponse) {
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
    return DocumentSource(name: HTTPAddress.shown(address)) { document in
      let whole =
        document.path.split(separator: "/").reduce(folder) { HTTPAddress.appending(String($1), to: $0) } + query
      var request = HTTPRequest(whole, limitInBytes: document.limitInBytes)
      request.stallInSeconds = access.stallInSeconds
      request.deadlineInSeconds = access.deadlineInSeconds
      if let tag = document.tag { request.headers["If-None-Match"] = tag }
      let response = try await client.send(request)
      if response.head.status == 304, document.tag != nil { return .unchanged }
      try response.head.checked()
      return .bytes(response.body, tag: response.head.headers["ETag"])
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
    let remaining = address.dropFirst(scheme.count + 2)
    let authority = remaining.prefix { $0 != "/" }
    let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    return String("\(scheme)//\(host)\(remaining.dropFirst(authority.count))".prefix(200))
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

/// The documents of a snapshot in a `.tar.gz` file.
///
/// - Source: POSIX.1-2017, pax, sections "ustar Interchange Format" and "pax Header Block"; GNU tar manual, section
///   "Basic Tar Format" (long names).
struct SnapshotArchive: Sendable {
  /// The documents, keyed by their paths in the snapshot.
  private(set) var documents: [Identifier: [UInt8]] = [:]

  /// The maximum content size in bytes.
  static let limitInBytes = 256 << 20
  private static let block = 512

  /// Reads an archive; paths are relative to the folder that contains its manifest.
  ///
  /// - Parameter path: The path for messages.
  init(_ bytes: [UInt8], path: String) throws(ErrorReport) {
    let content: [UInt8]
    do {
      content = try Gzip.isGzip(bytes) ? Gzip.uncompress(bytes, limit: Self.limitInBytes) : bytes
    } catch {
      throw UpdateError.file(path: path, reason: "\(error)")
    }
    let files = try Self.files(of: content, path: path)
    let manifest = "manifest.xml"
    let found = files.keys.map(\.text).filter { $0 == manifest || $0.hasSuffix("/\(manifest)") }
      .min { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
    guard let found else { throw UpdateError.file(path: path, reason: "it does not contain '\(manifest)'") }
    let folder = found.utf8.dropLast(manifest.utf8.count)
    for (name, bytes) in files where name.text.utf8.starts(with: folder) {
      documents[Identifier(String(decoding: name.text.utf8.dropFirst(folder.count), as: UTF8.self))] = bytes
    }
  }

  /// Returns the regular files of an archive, keyed by the bytes of their names, as systems compare them.
  ///
  /// Folders, links and file metadata other than names are skipped.
  private static func files(of content: [UInt8], path: String) throws(ErrorReport) -> [Identifier: [UInt8]] {
    var files: [Identifier: [UInt8]] = [:]
    // The name of the next file, if it is too long for a header.
    var longName: String?
    var offset = 0
    while offset + block <= content.count, content[offset] != 0 {
      let header = content[offset..<offset + block]
      let start = offset + block
      guard let size = octal(header.dropFirst(124).prefix(12)), size <= content.count - start else {
        throw UpdateError.file(path: path, reason: "it is not a complete tar archive")
      }
      let bytes = content[start..<start + size]
      switch header[offset + 156] {
      case UInt8(ascii: "0"), 0:
        files[Identifier(withoutDot(longName ?? name(header)))] = Array(bytes)
        longName = nil
      case UInt8(ascii: "L"): longName = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      case UInt8(ascii: "x"): longName = extendedName(bytes) ?? longName
      case UInt8(ascii: "g"): break
      default: longName = nil
      }
      offset = start + (size + block - 1) / block * block
    }
    return files
  }

  /// Returns the file name in a header.
  private static func name(_ header: ArraySlice<UInt8>) -> String {
    func text(_ start: Int, _ count: Int) -> String {
      String(decoding: header.dropFirst(start).prefix(count).prefix { $0 != 0 }, as: UTF8.self)
    }
    // GNU tar writes a space after the magic, and times into the field where others write the start of the name.
    let isPOSIX = header.dropFirst(257).starts(with: Array("ustar\0".utf8))
    let prefix = isPOSIX ? text(345, 155) : ""
    return prefix.isEmpty ? text(0, 100) : prefix + "/" + text(0, 100)
  }

  /// Returns the name in an extended header, whose records are `LENGTH path=NAME` and a line feed; nil if there is
  /// none.
  private static func extendedName(_ bytes: ArraySlice<UInt8>) -> String? {
    var remaining = bytes
    var name: String?
    while let blank = remaining.firstIndex(of: 0x20),
      let length = Int(String(decoding: remaining[..<blank], as: UTF8.self)),
      length > blank - remaining.startIndex + 1, length <= remaining.count
    {
      let record = remaining.prefix(length).dropFirst(blank - remaining.startIndex + 1).dropLast()
      let key = Array("path=".utf8)
      if record.starts(with: key) { name = String(decoding: record.dropFirst(key.count), as: UTF8.self) }
      remaining = remaining.dropFirst(length)
    }
    return name
  }

  private static func withoutDot(_ name: String) -> String { name.hasPrefix("./") ? String(name.dropFirst(2)) : name }

  /// Returns the octal number between spaces and zero bytes; nil if there is anything else.
  private static func octal(_ bytes: ArraySlice<UInt8>) -> Int? {
    let digits = bytes.drop { $0 == 0x20 }.prefix { $0 != 0x20 && $0 != 0 }
    guard !digits.isEmpty, digits.count < 12, digits.allSatisfy({ (0x30...0x37).contains($0) }) else { return nil }
    return digits.reduce(0) { $0 << 3 | Int($1 & 7) }
  }
}
