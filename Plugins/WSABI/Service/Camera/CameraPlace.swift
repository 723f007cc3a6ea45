import Glibc
import PluginStore
import PluginText

/// The place where this machine's cameras are served to its user: a port of the loopback interface, and a secret word.
///
/// All users of a machine reach its loopback interface. The word has 128 random bits. It is part of the addresses and
/// stored in a file of the user alone, so that no other user sees the camera's pictures. The addresses stay the same
/// over all runs.
struct CameraPlace: Sendable, Hashable {
  /// The port unless a setting names another.
  static let usualPort = 8817

  var port: Int
  /// 32 hexadecimal digits.
  var word: String

  /// Returns the address of a camera.
  func address(of camera: LocalCamera) -> String { "\(base)/\(camera.word)" }

  /// The beginning of all its addresses.
  var base: String { "http://127.0.0.1:\(port)/\(word)" }

  /// Reads the stored place, or creates it at the first use.
  ///
  /// - Parameter folder: The user's own, where its file is.
  /// - Throws: ``CameraError/notServed(reason:)``.
  init(folder: String, port: Int) throws(CameraError) {
    self.port = port
    let path = folder + "/\(Self.file)"
    if let known = Self.read(path) {
      word = known
      return
    }
    let made = try Self.word()
    mkdir(folder, 0o700)
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if file >= 0 {
      let count = write(file, made, made.utf8.count)
      close(file)
      if count != made.utf8.count { unlink(path) }
    }
    // Another process may have been first.
    guard let known = Self.read(path) else { throw .notServed(reason: String(cString: strerror(errno))) }
    word = known
  }

  /// Reads the stored place; nil if cameras were never used.
  init?(knownIn folder: String, port: Int) {
    guard let known = Self.read(folder + "/\(Self.file)") else { return nil }
    (self.port, word) = (port, known)
  }

  private static let file = "camera-place"

  private static func read(_ path: String) -> String? {
    guard let bytes = try? WholeFile.read(path, limitInBytes: 64), bytes.count == 32,
      bytes.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func word() throws(CameraError) -> String {
    guard let bytes = RandomBytes.bytes(16) else { throw .notServed(reason: "the system gives no random numbers") }
    return Hexadecimal.text(bytes)
  }
}
