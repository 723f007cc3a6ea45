import PluginAPI
import Synchronization

/// A live preview that runs until it is stopped or nobody holds it any more; of its pictures only the newest is kept.
final class ScreenPreview: Sendable {
  private struct State {
    var newest: [UInt8]?
    var task: Task<Void, Never>?
    var hasEnded = false
  }

  private let state = Mutex(State())

  /// Begins to follow a stream.
  ///
  /// - Parameter follow: Gives the bytes of each picture until the stream ends or the task is cancelled.
  init(_ follow: @escaping @Sendable (_ onFrame: @escaping @Sendable ([UInt8]) -> Void) async throws -> Void) {
    let task = Task.detached { [weak self] in
      try? await follow { [weak self] bytes in self?.state.withLock { $0.newest = bytes } }
      self?.state.withLock { $0.hasEnded = true }
    }
    state.withLock { $0.task = task }
  }

  deinit { stop() }

  /// Whether the service shows nothing more.
  var hasEnded: Bool { state.withLock { $0.hasEnded && $0.newest == nil } }

  func stop() { state.withLock { $0.task }?.cancel() }

  /// The newest picture that was not taken yet, no larger than a size; nil if there is none, or it is none.
  func pictureAndWait(fitting size: Size) -> Picture? {
    let bytes = state.withLock { state in
      defer { state.newest = nil }
      return state.newest
    }
    return bytes.flatMap { try? ScreenPictures.decoded($0, fitting: size) }
  }
}
