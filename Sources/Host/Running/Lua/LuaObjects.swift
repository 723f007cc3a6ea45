import Glibc
import PluginAPI
import Synchronization

/// A file that a script opened: the content of one to read, or the handle of one to write.
enum LuaOpenedFile {
  case contents([UInt8])
  case handle(UInt64)
}

/// The objects that a script holds by handles: pictures, files to write, and running commands.
final class LuaObjects: Sendable {
  private enum Object: Sendable {
    case picture(Picture)
    case file(Int32, path: String)
    case stream(LuaStream)
  }

  private struct State {
    var objects: [UInt64: Object] = [:]
    var last: UInt64 = 0
    var fileCount = 0
    var streamCount = 0
    /// The change of the bytes of pictures that is not charged yet, and the last handle that is.
    var charge = 0
    var lastCharged: UInt64 = 0
  }

  private let state = Mutex(State())
  private static let mostFiles = 64
  private static let mostStreams = 64

  /// Keeps a picture and returns its handle; its bytes are charged by ``takeCharge()``.
  func keep(_ picture: Picture) -> UInt64 {
    state.withLock { $0.charge += picture.pixels.count }
    return keep(.picture(picture))
  }

  /// Keeps a running command and returns its handle.
  func keep(_ stream: LuaStream) -> UInt64 {
    state.withLock { $0.streamCount += 1 }
    return keep(.stream(stream))
  }

  /// Checks that another command with streamed results may be started.
  ///
  /// - Throws: ``LuaError/tooManyStreams(limit:)``.
  func checkStreamCount() throws(ErrorReport) {
    if state.withLock({ $0.streamCount >= Self.mostStreams }) { throw LuaError.tooManyStreams(limit: Self.mostStreams) }
  }

  /// Returns the change since the last call of the bytes that are held for the script, which counts as charged then.
  ///
  /// - Returns: The change, and the last handle before it.
  func takeCharge() -> (bytes: Int, last: UInt64) {
    state.withLock { state in
      defer { (state.charge, state.lastCharged) = (0, state.last) }
      return (state.charge, state.lastCharged)
    }
  }

  /// Releases the content of a handle that the script has no memory for; these bytes are not charged.
  func release(after last: UInt64) {
    for handle in state.withLock({ state in state.objects.keys.filter { $0 > last } }) { release(handle) }
    _ = takeCharge()
  }

  /// Keeps an open file and returns its handle.
  ///
  /// - Throws: ``LuaError/tooManyFiles(limit:)``; the file is closed then.
  func keep(file descriptor: Int32, path: String) throws(ErrorReport) -> UInt64 {
    let isFull = state.withLock { state in
      state.fileCount += 1
      return state.fileCount > Self.mostFiles
    }
    if isFull {
      state.withLock { $0.fileCount -= 1 }
      Glibc.close(descriptor)
      throw LuaError.tooManyFiles(limit: Self.mostFiles)
    }
    return keep(.file(descriptor, path: path))
  }

  private func keep(_ object: Object) -> UInt64 {
    state.withLock { state in
      state.last += 1
      state.objects[state.last] = object
      return state.last
    }
  }

  /// Returns a picture; nil if the handle is not one of a picture.
  func picture(_ handle: UInt64) -> Picture? {
    if case .picture(let picture) = state.withLock({ $0.objects[handle] }) { picture } else { nil }
  }

  /// Returns a running command; nil if the handle is not one of a command.
  func stream(_ handle: UInt64) -> LuaStream? {
    if case .stream(let stream) = state.withLock({ $0.objects[handle] }) { stream } else { nil }
  }

  /// Returns an open file; nil if the handle is not one of a file.
  func file(_ handle: UInt64) -> (descriptor: Int32, path: String)? {
    if case .file(let descriptor, let path) = state.withLock({ $0.objects[handle] }) { (descriptor, path) } else { nil }
  }

  /// Closes a file, ends a command, forgets a picture; does not wait.
  func release(_ handle: UInt64) {
    let object = state.withLock { state in
      let object = state.objects.removeValue(forKey: handle)
      switch object {
      case .file: state.fileCount -= 1
      case .stream: state.streamCount -= 1
      case .picture(let picture): state.charge -= picture.pixels.count
      case nil: break
      }
      return object
    }
    switch object {
    case .file(let descriptor, _): Glibc.close(descriptor)
    case .stream(let stream): stream.close()
    case .picture, nil: break
    }
  }

  /// Releases all objects.
  func releaseAll() {
    for handle in state.withLock({ Array($0.objects.keys) }) { release(handle) }
  }
}
