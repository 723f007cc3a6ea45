import Glibc
import PluginStore

/// Reads pipes that are named instead of files: `/dev/stdin`, `/dev/fd/3`, named pipes made by `mkfifo`.
enum PipeFile {
  /// The time between two checks for cancellation, in milliseconds.
  private static let waitInMilliseconds: Int32 = 100

  /// Returns all bytes of a pipe, up to its end; nil if the file is not a pipe.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of bytes.
  ///   - shouldStop: Called while waiting for data.
  /// - Throws: ``NetworkFileError/unreadable(_:reason:)``, `CancellationError`.
  static func bytes(_ path: String, limitInBytes limit: Int, _ shouldStop: () -> Bool) throws -> [UInt8]? {
    // Opening does not wait for a writer, because there may be none.
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
      // A pipe without a writer has not ended: there is nothing to read yet, so the reader waits.
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
