import PluginAPI
import PluginText
import Synchronization

/// A live preview that runs until it is stopped or released; only its newest picture is kept.
///
/// A stream that ends or breaks without showing anything is reconnected a few times, at growing intervals.
final class ScreenPreview: Sendable {
  /// An update of the preview.
  enum News: Sendable {
    case picture(Picture)
    /// The reason there is no picture.
    case trouble(String)
    /// The sensor has no live preview.
    case missing
  }

  private struct State {
    var newest: [UInt8]?
    var task: Task<Void, Never>?
    /// A problem not yet reported.
    var trouble: String?
    var isMissing = false
    var hasEnded = false
    var count = 0
  }

  private let state = Mutex(State())
  /// The number of failed attempts before the preview gives up.
  private static let attempts = 6

  /// Starts following a stream.
  ///
  /// - Parameters:
  ///   - pause: Waits before another attempt, counted from 1.
  ///   - follow: Calls back with the bytes of each picture until the stream ends or the task is canceled.
  init(
    pause: @escaping @Sendable (_ attempt: Int) async throws -> Void = ScreenPreview.wait,
    _ follow: @escaping @Sendable (_ onFrame: @escaping @Sendable ([UInt8]) -> Void) async throws -> LivePreview.Ending
  ) {
    let task = Task { [weak self] in
      var failures = 0
      while !Task.isCancelled {
        let before = self?.count ?? 0
        let words = await Self.trouble(of: follow) { [weak self] in self?.take($0) }
        if Task.isCancelled { return }
        failures = (self?.count ?? 0) > before ? 1 : failures + 1
        self?.told(words, isLast: failures >= Self.attempts)
        guard words != nil, failures < Self.attempts, (try? await pause(failures)) != nil else { return }
      }
    }
    state.withLock { $0.task = task }
  }

  deinit { stop() }

  /// Waits a quarter of a second, then longer each time, up to eight seconds.
  static func wait(_ attempt: Int) async throws {
    try await Task.sleep(for: .milliseconds(min(8000, 250 << min(attempt - 1, 5))))
  }

  /// Returns the problem of a stream that ended; nil if there is no stream to follow.
  private static func trouble(
    of follow: @Sendable (_ onFrame: @escaping @Sendable ([UInt8]) -> Void) async throws -> LivePreview.Ending,
    _ onFrame: @escaping @Sendable ([UInt8]) -> Void
  ) async -> String? {
    do {
      switch try await follow(onFrame) {
      case .missing: return nil
      case .refused(.lockHeldByAnother): return "somebody else has the sensor"
      case .refused(let status): return "the sensor says '\(SanitizedText.line(status.word, limit: 100))'"
      case .ended(pictures: 0): return "the sensor shows nothing"
      case .ended: return "the sensor has ended it"
      }
    } catch {
      return (error as? any ReportableError)?.report.message ?? "it cannot be followed"
    }
  }

  private var count: Int { state.withLock(\.count) }

  private func take(_ bytes: [UInt8]) {
    state.withLock { state in
      (state.newest, state.trouble) = (bytes, nil)
      state.count += 1
    }
  }

  private func told(_ words: String?, isLast: Bool) {
    state.withLock { state in
      state.trouble = words
      state.isMissing = words == nil
      state.hasEnded = words == nil || isLast
    }
  }

  /// True if there is an update that was not read yet.
  var hasNews: Bool { state.withLock { $0.newest != nil || $0.trouble != nil || $0.isMissing } }

  /// True if all updates were read and no more will arrive.
  var hasEnded: Bool { state.withLock { $0.hasEnded } && !hasNews }

  func stop() { state.withLock { $0.task }?.cancel() }

  /// Returns the latest update: the newest picture, scaled down to fit a size, or a problem; nil if there is none.
  func news(fitting size: Size) -> News? {
    let (bytes, trouble, isMissing) = state.withLock { state in
      defer { (state.newest, state.trouble, state.isMissing) = (nil, nil, false) }
      return (state.newest, state.trouble, state.isMissing)
    }
    if let trouble { return .trouble(trouble) }
    if isMissing { return .missing }
    guard let bytes else { return nil }
    do {
      return .picture(try ScreenPictures.decoded(bytes, fitting: size))
    } catch {
      return .trouble("its pictures cannot be shown")
    }
  }
}
