internal import CHost
import Glibc
import PluginAPI

/// Reads files of a source, from a folder or over https.
///
/// The host has no HTTP client of its own: libcurl is opened at the first download (Decisions/0076).
struct PackageTransfer: Sendable {
  /// A Boolean value indicating whether the user turned off the network.
  let isOffline: Bool

  /// Returns a Boolean value indicating whether a location is an https address.
  static func isRemote(_ location: String) -> Bool { location.hasPrefix("https://") }

  /// Returns a Boolean value indicating whether a location is an address, of whatever scheme, rather than a path.
  static func isAddress(_ location: String) -> Bool {
    guard let colon = location.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
    return location.utf8[colon...].starts(with: "://".utf8)
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - location: A path, or an https address.
  ///   - limit: The maximum number of bytes to accept.
  func bytes(of location: String, limit: Int, _ progress: any WorkProgress) throws -> [UInt8] {
    guard Self.isRemote(location) else {
      guard !Self.isAddress(location) else {
        throw SourceError.unreachable(location, reason: "sources are folders or https addresses")
      }
      let bytes: [UInt8]
      do throws(ErrorReport) {
        bytes = try FileTrust.read(location, isTrusted: true, limit: limit + 1).bytes
      } catch {
        throw SourceError.unreachable(location, reason: error.report.message)
      }
      guard bytes.count <= limit else { throw HostFileError.tooLarge(location, limit: limit) }
      return bytes
    }
    if isOffline { throw SourceError.unreachable(location, reason: "the network is turned off") }
    return try download(location, limit: limit, progress)
  }

  private func download(_ address: String, limit: Int, _ progress: any WorkProgress) throws -> [UInt8] {
    let canceling = Canceling(progress)
    let result = withExtendedLifetime(canceling) {
      chost_fetch(
        address, "workbench/" + HostVersion.number, limit,
        { context in context.map { Unmanaged<Canceling>.fromOpaque($0).takeUnretainedValue().isCanceled } ?? false },
        Unmanaged.passUnretained(canceling).toOpaque())
    }
    defer { free(result.bytes) }
    switch result.end {
    case chost_fetch_done: return Array(UnsafeBufferPointer(start: result.bytes, count: result.count))
    case chost_fetch_no_library: throw SourceError.noTransfers
    case chost_fetch_too_large: throw HostFileError.tooLarge(address, limit: limit)
    case chost_fetch_canceled: throw CancellationError()
    default:
      let message = withUnsafeBytes(of: result.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      throw SourceError.unreachable(address, reason: message)
    }
  }

  /// The cancellation of a download, as the C function sees it.
  private final class Canceling {
    private let progress: any WorkProgress
    init(_ progress: any WorkProgress) { self.progress = progress }
    var isCanceled: Bool { progress.isCancelled }
  }
}
