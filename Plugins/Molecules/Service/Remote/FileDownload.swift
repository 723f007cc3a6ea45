import Glibc
import PluginAPI
import PluginCompression
import PluginNet
import PluginStore
import PluginText

/// Downloads a file from a server, resuming an interrupted download.
struct FileDownload: Sendable {
  /// The progress of a download.
  struct State: Sendable {
    var received: Int
    /// The total number of bytes; nil if the server does not state it.
    var total: Int?
  }

  let client: HTTPClient
  let file: RemoteFile
  /// The folder of partial files.
  let folder: String
  /// The largest number of bytes to receive.
  let limitInBytes: Int
  /// The maximum number of requests for a file whose connection is lost.
  static let attempts = 4

  /// Downloads the file.
  ///
  /// - Parameter report: Receives the progress; called on any thread.
  /// - Returns: The decoded file: a content encoding, which belongs to the transfer and not to the file, is removed.
  /// - Throws: ``ServiceError``, ``HTTPError``; the received part is kept for the next attempt if the server can
  ///   resume.
  func run(_ report: @escaping @Sendable (State) -> Void) async throws -> [UInt8] {
    let part = try DownloadPart(of: file.address, name: file.name, in: folder)
    // A retry right after the return finds the part unlocked, even if others still refer to it.
    defer { part.close() }
    var isWhole = false
    // Parts that cannot be resumed, or were only examined, are not kept.
    defer { if isWhole || part.validator == nil { part.remove() } }
    var download = ResumableDownload(client, into: part)
    download.limitInBytes = limitInBytes
    download.attempts = Self.attempts
    download.checkHead = check
    let head: HTTPHead?
    do {
      head = try await download.run(HTTPRequest(file.address)) {
        report(State(received: $0.received, total: $0.total))
      }
    } catch is ResumableDownload.Failure {
      throw missing
    }
    isWhole = true
    return try content(part, isEncoded: head?.headers["Content-Encoding"]?.lowercased() == "gzip")
  }

  /// Throws for every status except those of a file.
  @Sendable private func check(_ head: HTTPHead) throws {
    switch head.status {
    case 200, 206: return
    case 400, 404, 410, 416: throw missing
    default: try head.checked()
    }
    throw missing
  }

  private var missing: ErrorReport {
    if let code = file.code {
      return ServiceError.unknownCode(code, service: file.service ?? HTTPAddress.host(of: file.address))
    }
    return ServiceError.noFile(address: HTTPAddress.shown(file.address))
  }

  /// Returns the finished file.
  private func content(_ part: DownloadPart, isEncoded: Bool) throws -> [UInt8] {
    var bytes: [UInt8]
    do {
      bytes = try StructureSource.bytes(ofFile: part.path)
    } catch {
      throw ServiceError.notKept(path: part.path, reason: "it cannot be read back")
    }
    if isEncoded, Gzip.isGzip(bytes) {
      do {
        bytes = try Gzip.uncompress(bytes, limit: limitInBytes)
      } catch {
        throw HTTPError.damaged(host: HTTPAddress.host(of: file.address), reason: error.description)
      }
    }
    if bytes.isEmpty || Self.isPage(bytes) { throw missing }
    return bytes
  }

  /// Returns true if bytes are a web page: servers send one with status 200 for missing files.
  static func isPage(_ bytes: [UInt8]) -> Bool {
    let start = bytes.prefix(1024).withoutByteOrderMark
    let text = String(decoding: start.drop { $0 <= 32 }, as: UTF8.self).lowercased()
    return ["<!doctype html", "<html", "<head", "<body"].contains { text.hasPrefix($0) }
      || ((text.hasPrefix("<?xml") || text.hasPrefix("<!--")) && strstr(text, "<html") != nil)
  }
}

/// A partially downloaded file, with the validator that identifies its remaining bytes.
///
/// A note beside the part has two lines, the address and the validator. The part is locked until ``close()``.
final class DownloadPart: ResumablePart {
  private let address: String
  private let file: PartialFile

  /// Opens the part of a file, or creates it.
  ///
  /// - Parameters:
  ///   - address: The address of the file.
  ///   - name: The name of the file.
  ///   - folder: The folder of parts; created if it does not exist.
  /// - Throws: ``ServiceError/alreadyDownloading``, ``ServiceError/notKept(path:reason:)``.
  init(of address: String, name: String, in folder: String) throws(ErrorReport) {
    self.address = address
    let path = "\(folder)/\(Self.cleaned(name)).\(Self.digest(address)).part"
    if mkdir(folder, 0o700) != 0, errno != EEXIST { throw ServiceError.notKept(path: folder, reason: Self.reason()) }
    do throws(LockedFile.Failure) {
      file = try PartialFile(path)
    } catch {
      switch error {
      case .held:
        throw ServiceError.alreadyDownloading(
          "another process is downloading '\(name)'", advice: "wait until it is done", isRetryable: true)
      case .system(let number): throw ServiceError.notKept(path: path, reason: Self.reason(number))
      }
    }
  }

  /// The path of the part.
  var path: String { file.path }

  /// Unlocks the part, which stays for later downloads.
  func close() { file.close() }

  /// The number of received bytes.
  var count: Int { file.count }

  var identity: PartIdentity { validator.map(PartIdentity.validator) ?? .none }

  /// The validator by which the server recognizes the part; nil if the download cannot be resumed.
  var validator: String? {
    guard count > 0, let note = Self.text(ofFile: path + ".note") else { return nil }
    let lines = note.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return lines.count >= 2 && lines[0] == address && !lines[1].isEmpty ? lines[1] : nil
  }

  /// Starts from the beginning.
  ///
  /// - Parameter validator: The validator for resuming the download later; nil if it cannot be resumed.
  func restart(validator: String?) throws(ErrorReport) {
    try keeping { () throws(WholeFileFailure) in try file.keepFirst(0) }
    unlink(path + ".note")
    if let validator { write("\(address)\n\(validator)\n") }
  }

  /// Appends the next bytes.
  func append(_ bytes: UnsafeRawBufferPointer) throws(ErrorReport) {
    try keeping { () throws(WholeFileFailure) in try file.append(bytes) }
  }

  func keepFirst(_ count: Int) { try? file.keepFirst(count) }

  private func keeping(_ change: () throws(WholeFileFailure) -> Void) throws(ErrorReport) {
    do throws(WholeFileFailure) { try change() } catch {
      throw ServiceError.notKept(path: path, reason: Self.reason(error.number))
    }
  }

  /// Removes the part, which is complete or useless.
  func remove() {
    unlink(path + ".note")
    file.remove()
  }

  /// Writes the note.
  ///
  /// Without it the part is only downloaded again, so failures are ignored.
  private func write(_ note: String) {
    let descriptor = open(path + ".note", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    let bytes = Array(note.utf8)
    let written = Glibc.write(descriptor, bytes, bytes.count)
    Glibc.close(descriptor)
    if written != bytes.count { unlink(path + ".note") }
  }

  private static func text(ofFile path: String) -> String? {
    guard let bytes = try? StructureSource.bytes(ofFile: path), bytes.count < 8192 else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns a name reduced to its letters, digits and dots.
  private static func cleaned(_ name: String) -> String {
    let bytes = name.utf8.map { byte -> UInt8 in
      let isPlain = byte >= 0x80 || byte == UInt8(ascii: ".") || Character(Unicode.Scalar(byte)).isLetter
      return isPlain || Character(Unicode.Scalar(byte)).isNumber ? byte : UInt8(ascii: "_")
    }
    return String(decoding: bytes.prefix(80), as: UTF8.self)
  }

  private static func reason(_ number: Int32 = errno) -> String { String(cString: strerror(number)) }

  /// Returns sixteen digits that distinguish addresses.
  ///
  /// - Source: Fowler, Noll, Vo: FNV-1a, 64 bits.
  private static func digest(_ text: String) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return Hexadecimal.text(hash, digits: 16)
  }
}
