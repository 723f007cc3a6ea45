import PluginStore
import Synchronization

/// The pictures of a camera, shared by all viewers; it takes pictures only while there are viewers.
final class CameraReel: Sendable {
  /// The duration of one wait for a picture, in milliseconds.
  static let waitInMilliseconds = 200
  /// The number of consecutive waits without a picture before the camera counts as silent.
  static let mostVainWaits = 25
  /// The number of consecutive damaged pictures that are tolerated.
  static let mostSpoilt = 60

  private struct State {
    var users = 0
    var isRunning = false
    var wanted: CameraSize?
    var newest: CameraFrame?
    var count = 0
    var waiters: [Waiter] = []
  }

  private struct Waiter {
    var after: Int
    /// Nil for any.
    var size: CameraSize?
    var continuation: CheckedContinuation<CameraFrame, any Error>
  }

  let path: String
  private let system: CameraSystem
  private let state = Mutex(State())

  init(_ path: String, _ system: CameraSystem) { (self.path, self.system) = (path, system) }

  /// Adds a viewer; each call needs one of ``end()``.
  func begin() { state.withLock { $0.users += 1 } }

  /// Removes a viewer; the last one closes the camera.
  func end() { state.withLock { $0.users -= 1 } }

  /// The number of the newest picture; pictures taken later have higher ones.
  var newestNumber: Int { state.withLock { $0.count } }

  /// True if the camera takes pictures, or is about to.
  var isRunning: Bool { state.withLock { $0.isRunning } }

  /// Waits for the first picture after a number; for viewers only.
  ///
  /// - Parameters:
  ///   - size: The size that is wanted.
  ///   - takesAny: True to accept another size while another viewer requests it.
  /// - Throws: ``CameraError``; the next call starts again.
  func frame(after number: Int, _ size: CameraSize, takesAny: Bool = false) async throws -> CameraFrame {
    try await withCheckedThrowingContinuation { continuation in
      let outcome: (frame: CameraFrame?, isToStart: Bool) = state.withLock { state in
        let isFit = state.isRunning && (takesAny || state.wanted == size)
        if isFit, let newest = state.newest, newest.number > number { return (newest, false) }
        state.waiters.append(Waiter(after: number, size: takesAny ? nil : size, continuation: continuation))
        if !isFit { (state.wanted, state.newest) = (size, nil) }
        defer { state.isRunning = true }
        return (nil, !state.isRunning)
      }
      if let frame = outcome.frame { continuation.resume(returning: frame) }
      if outcome.isToStart { OwnThread.run { [self] in run() } }
    }
  }

  // MARK: The thread

  private func run() {
    do throws(CameraError) {
      // A viewer who came while the camera was being closed has it opened again, so that users never find their own
      // camera busy.
      repeat { try takePictures() } while !isOver()
    } catch {
      let waiters = state.withLock { state in
        (state.isRunning, state.newest) = (false, nil)
        defer { state.waiters = [] }
        return state.waiters
      }
      for waiter in waiters { waiter.continuation.resume(throwing: error) }
    }
  }

  /// Returns the requested size; nil if there are no viewers.
  private func wanted() -> CameraSize? {
    state.withLock { $0.users > 0 || !$0.waiters.isEmpty ? $0.wanted : nil }
  }

  /// Returns true if there are no viewers, which ends the thread; the camera is closed by now.
  private func isOver() -> Bool {
    state.withLock { state in
      state.newest = nil
      state.isRunning = state.users > 0 || !state.waiters.isEmpty
      return !state.isRunning
    }
  }

  private func takePictures() throws(CameraError) {
    try CameraDevice.open(path, system) { device throws(CameraError) in try takePictures(device) }
  }

  private func takePictures(_ device: CameraDevice) throws(CameraError) {
    var (running, actual, stride): (CameraSize?, CameraSize?, Int) = (nil, nil, 0)
    var (age, vain, spoilt) = (0, 0, 0)
    while let wanted = wanted() {
      if running != wanted {
        let started = try device.start(wanted)
        (running, actual, stride, age) = (wanted, started.size, started.stride, 0)
      }
      guard let actual else { return }
      switch try device.next(withinMilliseconds: Self.waitInMilliseconds) {
      case .frame(let bytes):
        (age, vain, spoilt) = (age + 1, 0, 0)
        publish(CameraFrame(number: 0, age: age, bytes: bytes, size: actual, stride: stride), wanted)
      case .nothing:
        vain += 1
        if vain > Self.mostVainWaits {
          throw .silent(path, seconds: Self.mostVainWaits * Self.waitInMilliseconds / 1000)
        }
      case .spoilt:
        spoilt += 1
        if spoilt > Self.mostSpoilt { throw .spoilt(path) }
      }
    }
  }

  private func publish(_ frame: CameraFrame, _ size: CameraSize) {
    let ready = state.withLock { state -> [(CheckedContinuation<CameraFrame, any Error>, CameraFrame)] in
      guard state.wanted == size else { return [] }
      state.count += 1
      var numbered = frame
      numbered.number = state.count
      state.newest = numbered
      let isFor: (Waiter) -> Bool = { ($0.size == nil || $0.size == size) && $0.after < numbered.number }
      defer { state.waiters.removeAll(where: isFor) }
      return state.waiters.filter(isFor).map { ($0.continuation, numbered) }
    }
    for (continuation, frame) in ready { continuation.resume(returning: frame) }
  }
}
