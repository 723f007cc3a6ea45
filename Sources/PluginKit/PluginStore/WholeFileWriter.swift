internal import Glibc
internal import Synchronization

/// The reason why a file was not written.
public struct WholeFileFailure: Error, Equatable, Sendable {
  /// The system's error number.
  public let number: Int32

  /// Creates a failure.
  public init(number: Int32) {
    self.number = number
  }
}

/// A file that is written in pieces and gets its name when it is complete.
///
/// A link is followed, so that its target is replaced and the link stays; that file keeps its permissions. Anything but
/// a plain file, such as a pipe or a device, is written into. Without ``close()``, a plain file leaves nothing behind.
public final class WholeFileWriter {
  private let target: String
  /// The path of the incomplete file; nil if the target is not a plain file.
  private let draft: String?
  private let isDurable: Bool
  private var descriptor: Int32

  /// A counter that distinguishes the drafts that this process writes at the same time.
  private static let written = Atomic(0)

  /// Starts a file.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - mode: The permissions of a new file, less the process's mask.
  ///   - isDurable: True if the content must be on the device when ``close()`` returns.
  ///   - followsLinks: True to follow a link; otherwise it is replaced, and the file gets the given permissions.
  /// - Throws: The system's error; EISDIR for a folder.
  public init(
    _ path: String, mode: UInt32 = 0o600, isDurable: Bool = true, followsLinks: Bool = true
  ) throws(WholeFileFailure) {
    self.isDurable = isDurable
    let place = followsLinks ? try WholeFile.place(of: path) : .file(path: path, mode: nil)
    switch place {
    case .folder: throw WholeFileFailure(number: EISDIR)
    case .special:
      (target, draft) = (path, nil)
      descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
      if descriptor < 0 { throw WholeFileFailure(number: errno) }
    case .file(let path, let kept):
      let draft = "\(path).\(getpid())-\(Self.written.add(1, ordering: .relaxed).newValue)\(WholeFile.draftEnding)"
      (target, self.draft) = (path, draft)
      // The remains of a killed process with the same number.
      unlink(draft)
      descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
      if descriptor < 0 { throw WholeFileFailure(number: errno) }
      if let kept, fchmod(descriptor, kept) != 0 { throw WholeFileFailure(number: errno) }
    }
  }

  deinit {
    guard descriptor >= 0 else { return }
    Glibc.close(descriptor)
    if let draft { unlink(draft) }
  }

  /// Appends bytes.
  ///
  /// - Throws: The system's error.
  public func write(_ bytes: [UInt8]) throws(WholeFileFailure) {
    let failure = WholeFile.write(bytes, to: descriptor)
    if failure != 0 { throw WholeFileFailure(number: failure) }
  }

  /// Moves the file into place.
  ///
  /// - Throws: The system's error; the old file is then unchanged.
  public func close() throws(WholeFileFailure) {
    var failure: Int32 = 0
    if draft != nil, isDurable, fsync(descriptor) != 0, errno != EINVAL { failure = errno }
    if Glibc.close(descriptor) != 0, failure == 0 { failure = errno }
    descriptor = -1
    if let draft {
      if failure == 0, rename(draft, target) != 0 { failure = errno }
      if failure != 0 { unlink(draft) }
    }
    if failure != 0 { throw WholeFileFailure(number: failure) }
  }
}
