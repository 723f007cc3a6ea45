internal import Glibc
internal import Synchronization

/// An open file that this process holds locked until ``close()``.
///
/// No one else can open it as a locked file meanwhile, in this process or another. The lock is one of flock(2): it also
/// ends with the process, whatever the reason.
///
/// ```swift
/// let file = try LockedFile(path)
/// defer { file.close() }
/// ```
public final class LockedFile: Sendable {
  /// The reason why a file could not be locked.
  @frozen public enum Failure: Error, Equatable, Sendable {
    /// The lock is held by someone else.
    case held
    /// The system's error number.
    case system(number: Int32)
  }

  private let descriptor: Mutex<Int32>

  /// Opens a file for reading and writing and locks it; makes an empty one if there is none.
  ///
  /// Does not wait for a held lock. A file that its last holder renamed or removed is not used: the path leads to the
  /// file when this returns.
  ///
  /// - Parameters:
  ///   - path: The file; not a link.
  ///   - mode: The permissions of a new file, less the process's mask.
  /// - Throws: ``Failure``.
  public init(_ path: String, mode: UInt32 = 0o600) throws(Failure) {
    descriptor = Mutex(try Self.locked(path, O_RDWR | O_CREAT, mode))
  }

  /// Opens a file or folder for reading and locks it, as ``init(_:mode:)`` does, if it exists.
  ///
  /// - Throws: ``Failure``.
  public init(existing path: String) throws(Failure) {
    descriptor = Mutex(try Self.locked(path, O_RDONLY, 0))
  }

  // Only a safeguard: the moment at which it runs is not predictable.
  deinit { close() }

  private static func locked(_ path: String, _ flags: Int32, _ mode: UInt32) throws(Failure) -> Int32 {
    while true {
      // A pipe in place of the file does not block the caller.
      let descriptor = open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, mode)
      if descriptor < 0 { throw .system(number: errno) }
      if let failure = failureToLock(descriptor) {
        Glibc.close(descriptor)
        throw failure
      }
      if leads(path, to: descriptor) { return descriptor }
      release(descriptor)
    }
  }

  private static func failureToLock(_ descriptor: Int32) -> Failure? {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return .held }
      if errno != EINTR { return .system(number: errno) }
    }
    return nil
  }

  private static func leads(_ path: String, to descriptor: Int32) -> Bool {
    var (named, opened) = (stat(), stat())
    return lstat(path, &named) == 0 && fstat(descriptor, &opened) == 0
      && (named.st_dev, named.st_ino) == (opened.st_dev, opened.st_ino)
  }

  private static func release(_ descriptor: Int32) {
    // Closing alone does not unlock while a starting child process has a copy of the descriptor.
    flock(descriptor, LOCK_UN)
    Glibc.close(descriptor)
  }

  /// Releases the lock and closes the file.
  ///
  /// The file can be locked again as soon as this returns. Later calls do nothing.
  public func close() {
    descriptor.withLock { descriptor in
      if descriptor >= 0 { Self.release(descriptor) }
      descriptor = -1
    }
  }

  /// Calls a closure with the open descriptor; after ``close()`` with −1, which no system call accepts.
  ///
  /// ``close()`` waits until the closure has returned.
  public func withDescriptor<Result: Sendable, Problem: Error>(
    _ body: (Int32) throws(Problem) -> Result
  ) throws(Problem) -> Result {
    try descriptor.withLock { descriptor throws(Problem) in try body(descriptor) }
  }
}
