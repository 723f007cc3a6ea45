import Glibc
import PluginAPI
import PluginNet
import PluginStore
import PluginText

/// A partially downloaded file, with the validator that identifies its remaining bytes.
///
/// A note beside the part has two lines, the address and the validator. The part is locked until ``close()``.
final class DownloadPart: Sendable {
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
          "'\(name)' is being downloaded by another process", advice: "wait for it to end", isRetryable: true)
      case .system(let number): throw ServiceError.notKept(path: path, reason: Self.reason(number))
      }
    }
  }

  /// The path of the part.
  var path: String { file.path }

  /// Unlocks the part, which stays for later downloads.
  func close() { file.close() }

  /// The number of received bytes.
  var size: Int { file.count }

  /// The validator by which the server recognizes the part; nil if the download cannot be resumed.
  var validator: String? {
    guard size > 0, let note = Self.text(ofFile: path + ".note") else { return nil }
    let lines = note.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return lines.count >= 2 && lines[0] == address && !lines[1].isEmpty ? lines[1] : nil
  }

  /// Starts from the beginning.
  ///
  /// - Parameter validator: The validator for resuming the download later; nil if it cannot be resumed.
  func begin(validator: String?) throws(ErrorReport) {
    try keeping { () throws(WholeFileFailure) in try file.keepFirst(0) }
    unlink(path + ".note")
    if let validator { write("\(address)\n\(validator)\n") }
  }

  /// Appends the next bytes.
  func append(_ bytes: UnsafeRawBufferPointer) throws(ErrorReport) {
    try keeping { () throws(WholeFileFailure) in try file.append(bytes) }
  }

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
