/// A small file of things to remember that may be lost.
struct StateFile: Sendable {
  let path: String

  /// More is not read: a state is small, and a large file is not one of ours.
  static let largest = 1 << 20

  /// Returns the bytes; nil if the file does not exist, cannot be read, or is too large.
  func read() -> [UInt8]? { try? HostFile.read(path, limit: Self.largest) }

  /// Replaces the file as a whole, readable only by the user; ignores errors.
  func write(_ bytes: [UInt8]) {
    try? HostFile.write(bytes, to: path, isDurable: false, makesFolder: true)
  }
}
