import Glibc
import PluginStore

/// Pipes that are named in the place of files: `/dev/stdin`, `/dev/fd/3`, what `mkfifo` makes.
enum PipeFile {
  /// How long is waited before it is asked again whether to go on, in milliseconds.
  private static let waitInMilliseconds: Int32 = 100

  /// All bytes of a pipe, up to its end; nil if it is none.
  ///
  /// - Parameters:
  ///   - limit: The most bytes there may be.
  ///   - shouldStop: Asked while nothing comes.
  /// - Throws: ``NetworkFileError/unreadable(_:reason:)``, `CancellationError`.
  static func bytes(_ path: String, limitInBytes limit: Int, _ shouldStop: () -> Bool) throws -> [UInt8]? {
    // Without waiting for who writes, which may be nobody.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw NetworkFileError.unreadable(path, reason: SystemReason(number: errno)) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return nil }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      if shouldStop() { throw CancellationError() }
      var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      // A pipe that nobody has opened yet has no end: there is nothing to read, and it is waited for.
      let ready = poll(&state, 1, waitInMilliseconds)
      if ready == 0 || ready < 0 && errno == EINTR { continue }
      let count = ready < 0 ? -1 : read(descriptor, &piece, piece.count)
      if count < 0, errno == EAGAIN || errno == EINTR { continue }
      if count < 0 { throw NetworkFileError.unreadable(path, reason: SystemReason(number: errno)) }
      if count == 0 { return bytes }
      if bytes.count + count > limit {
        throw NetworkFileError.unreadable(path, reason: SystemReason(.tooLarge(limitInBytes: limit)))
      }
      bytes += piece[..<count]
    }
  }
}
