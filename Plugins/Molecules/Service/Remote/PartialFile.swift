import Glibc
import PluginNet
import Synchronization

/// A file on its way: what has come so far, and by what the rest is known to belong to it.
///
/// Beside the part lies a note with two lines, the address and the validator. The part is locked while a process
/// writes it.
final class PartialFile: Sendable {
  private struct State {
    var descriptor: Int32 = -1
    var size = 0
  }

  /// The path of the part.
  let path: String
  private let address: String
  private let state = Mutex(State())

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
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .notKept(path: path, reason: Self.reason()) }
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      close(descriptor)
      throw .alreadyDownloading(name)
    }
    var status = stat()
    fstat(descriptor, &status)
    state.withLock { $0 = State(descriptor: descriptor, size: Int(status.st_size)) }
  }

  deinit {
    let descriptor = state.withLock { $0.descriptor }
    if descriptor >= 0 { close(descriptor) }
  }

  /// How many bytes there are.
  var size: Int { state.withLock { $0.size } }

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
    let isEmpty = state.withLock { state in
      state.size = 0
      return ftruncate(state.descriptor, 0) == 0 && lseek(state.descriptor, 0, SEEK_SET) == 0
    }
    guard isEmpty else { throw .notKept(path: path, reason: Self.reason()) }
    unlink(path + ".note")
    if let validator { write("\(address)\n\(validator)\n") }
  }

  /// Takes the next bytes.
  func append(_ bytes: UnsafeRawBufferPointer) throws(ServiceError) {
    let isWritten = state.withLock { state in
      var done = 0
      while done < bytes.count {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
        let count = pwrite(state.descriptor, rest.baseAddress, rest.count, state.size)
        if count < 0, errno == EINTR { continue }
        if count <= 0 { return false }
        done += count
        state.size += count
      }
      return true
    }
    if !isWritten { throw .notKept(path: path, reason: Self.reason()) }
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
    close(descriptor)
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

  private static func reason() -> String { String(cString: strerror(errno)) }

  /// Sixteen digits that tell addresses apart.
  ///
  /// - Source: Fowler, Noll, Vo: FNV-1a, 64 bits.
  private static func digest(_ text: String) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
