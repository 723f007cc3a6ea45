import Glibc
import PluginNet
import PluginStore
import PluginText
import Synchronization

/// A file on its way: what has come so far, and by what the rest is known to belong to it.
///
/// Beside the part lies a note with two lines, the address and the validator. Nobody else loads the part until
/// ``close()``.
final class PartialFile: Sendable {
  /// The path of the part.
  let path: String
  private let address: String
  private let file: LockedFile
  private let loaded: Mutex<Int>

  /// Opens the part of a file, or begins one.
  ///
  /// - Parameters:
  ///   - address: Where the file comes from.
  ///   - name: What it is called.
  ///   - folder: Where parts lie; made if it is not there.
  /// - Throws: ``ServiceError/alreadyDownloading(_:)``, ``ServiceError/notKept(path:reason:)``.
  init(of address: String, name: String, in folder: String) throws(ServiceError) {
    self.address = address
    path = "\(folder)/\(Self.cleaned(name)).\(Self.digest(address)).part"
    if mkdir(folder, 0o700) != 0, errno != EEXIST { throw .notKept(path: folder, reason: Self.reason()) }
    do throws(LockedFile.Failure) {
      file = try LockedFile(path)
    } catch {
      switch error {
      case .held: throw .alreadyDownloading(name)
      case .system(let number): throw .notKept(path: path, reason: Self.reason(number))
      }
    }
    let size = file.withDescriptor { descriptor in
      var status = stat()
      return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }
    loaded = Mutex(size)
  }

  /// Lets others load it; the part stays for them.
  func close() { file.close() }

  /// How many bytes there are.
  var size: Int { loaded.withLock { $0 } }

  /// By what the server knows that the rest belongs to the part; nil if the part cannot be continued.
  var validator: String? {
    guard size > 0, let note = Self.text(ofFile: path + ".note") else { return nil }
    let lines = note.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return lines.count >= 2 && lines[0] == address && !lines[1].isEmpty ? lines[1] : nil
  }

  /// Begins anew.
  ///
  /// - Parameter validator: By what the rest can be asked for later; nil if it cannot.
  func begin(validator: String?) throws(ServiceError) {
    loaded.withLock { $0 = 0 }
    try file.withDescriptor { descriptor throws(ServiceError) in
      if ftruncate(descriptor, 0) != 0 { throw .notKept(path: path, reason: Self.reason()) }
    }
    unlink(path + ".note")
    if let validator { write("\(address)\n\(validator)\n") }
  }

  /// Takes the next bytes.
  func append(_ bytes: UnsafeRawBufferPointer) throws(ServiceError) {
    try file.withDescriptor { descriptor throws(ServiceError) in
      var done = 0
      while done < bytes.count {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
        let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(size))
        if count < 0, errno == EINTR { continue }
        if count <= 0 { throw .notKept(path: path, reason: Self.reason()) }
        done += count
        loaded.withLock { $0 += count }
      }
    }
  }

  /// Removes the part: it is taken over, or of no use.
  func remove() {
    unlink(path + ".note")
    unlink(path)
  }

  /// Writes the note.
  ///
  /// Without it the part is only loaded anew, so a failure does not matter.
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

  /// Letters, digits and points of a name.
  private static func cleaned(_ name: String) -> String {
    let bytes = name.utf8.map { byte -> UInt8 in
      let isPlain = byte >= 0x80 || byte == UInt8(ascii: ".") || Character(Unicode.Scalar(byte)).isLetter
      return isPlain || Character(Unicode.Scalar(byte)).isNumber ? byte : UInt8(ascii: "_")
    }
    return String(decoding: bytes.prefix(80), as: UTF8.self)
  }

  private static func reason(_ number: Int32 = errno) -> String { String(cString: strerror(number)) }

  /// Sixteen digits that tell addresses apart.
  ///
  /// - Source: Fowler, Noll, Vo: FNV-1a, 64 bits.
  private static func digest(_ text: String) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return Hexadecimal.text(hash, digits: 16)
  }
}
