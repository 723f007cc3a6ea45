import PluginAPI
import PluginImages
import PluginText
import Synchronization

/// Conversions of sensor data to pictures.
enum ScreenPictures {
  /// More pixels than any sensor's: a header that claims them is not believed.
  static let maximumPixels = 64_000_000

  /// The largest data read for display, in bytes: more than a bitmap of the maximum number of pixels has at three bytes
  /// each.
  ///
  /// Larger data would have to be held in memory.
  static let mostBytes = 200 << 20

  /// Returns a picture scaled down to fit a size.
  ///
  /// - Throws: ``ImageError`` for data that is not a picture, or has too many pixels.
  static func decoded(_ bytes: [UInt8], fitting size: Size) throws -> Picture {
    try ImageReader.picture(from: bytes, maximumPixels: maximumPixels).scaled(toFit: size)
  }
}

extension Picture {
  /// Returns the picture scaled down to fit a size; for controllers, which do not import the image library.
  func shown(in size: Size) -> Picture { scaled(toFit: size) }
}

extension ScreenStation {
  /// Reads the picture of a capture, and returns what a function makes of it on a thread of its own.
  ///
  /// - Throws: ``PictureError``, for too many bytes before anything is read; ``VaultError`` if it is not as it was stored.
  func picture<Shown: Sendable>(
    of capture: CaptureRecord, _ show: @escaping @Sendable (Picture) -> Shown
  ) async throws -> Shown {
    guard capture.sizeInBytes <= ScreenPictures.mostBytes else {
      throw PictureError.tooManyBytes(capture.sizeInBytes, mostBytes: ScreenPictures.mostBytes)
    }
    let bytes = try await records().data(of: capture)
    return try await OnThread.value {
      show(try CapturePicture.picture(bytes, mostPixels: ScreenPictures.maximumPixels))
    }
  }

  /// Returns true while a capture is being scored.
  ///
  /// The process that captured it makes its thumbnail, and the store then reports the change.
  func isUnderReview(_ capture: CaptureRecord) -> Bool { CaptureReview(records: records()).isAwaited(capture) }

  /// Returns the thumbnails of captures; stored ones first, others are made and stored a few at a time.
  func thumbnails(of captures: [CaptureRecord], fitting size: Size) async throws -> ScreenThumbnails {
    let (records, ids) = (records(), captures.map(\.id))
    let (kept, absent) = try await records.thumbnails(of: ids)
    var found = ScreenThumbnails(size: size)
    found.pictures = try await OnThread.value {
      kept.compactMapValues { try? ScreenPictures.decoded($0, fitting: size) }
    }
    // Pictures that are gone or damaged have a message in their cell.
    found.later = Set(ids).subtracting(absent).subtracting(found.pictures.keys)
    let review = CaptureReview(records: records)
    var made = 0
    for capture in captures where absent.contains(capture.id) {
      // It would wait behind all others.
      if review.isAwaited(capture) {
        found.later.insert(capture.id)
        continue
      }
      // Stored thumbnails are shown without waiting for new ones.
      if made == ScreenThumbnails.mostMade || !kept.isEmpty { break }
      made += 1
      try Task.checkCancellation()
      do {
        if let png = try await review.thumbnail(capture) {
          found.pictures[capture.id] = try await OnThread.value { try ScreenPictures.decoded(png, fitting: size) }
        } else {
          found.without.insert(capture.id)
        }
      } catch {
        found.later.insert(capture.id)
      }
    }
    return found
  }
}

/// The result of reading thumbnails.
struct ScreenThumbnails: Sendable {
  /// The largest number of thumbnails made at once.
  fileprivate static let mostMade = 8

  /// The size that the thumbnails had to fit into, in pixels.
  var size: Size
  /// The pictures, by the numbers of their captures.
  var pictures: [Int: Picture] = [:]
  /// Captures that are not pictures.
  var without: Set<Int> = []
  /// Captures whose pictures are made later, or cannot be read now.
  var later: Set<Int> = []
}

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
    var task: Task<Void, Never>?
    /// The newest update that was not read yet.
    var unread: Unread?
    var hasEnded = false
    /// The number of pictures so far.
    var count = 0
  }

  private enum Unread {
    case picture([UInt8])
    case trouble(String)
    case missing
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
        let trouble = await Self.trouble(of: follow) { [weak self] in self?.take($0) }
        if Task.isCancelled { return }
        failures = (self?.count ?? 0) > before ? 1 : failures + 1
        self?.streamEnded(trouble, isLast: failures >= Self.attempts)
        guard trouble != nil, failures < Self.attempts, (try? await pause(failures)) != nil else { return }
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
      case .refused(.lockHeldByAnother): return "another client holds the lock"
      case .refused(let status): return "the sensor responded with '\(SanitizedText.line(status.word, limit: 100))'"
      case .ended(pictures: 0): return "the sensor sent no pictures"
      case .ended: return "the sensor ended the preview"
      }
    } catch {
      return (error as? any ReportableError)?.report.message ?? "cannot show the preview"
    }
  }

  private var count: Int { state.withLock(\.count) }

  private func take(_ bytes: [UInt8]) {
    state.withLock { state in
      state.unread = .picture(bytes)
      state.count += 1
    }
  }

  /// - Parameter trouble: The problem of the stream; nil if there is no stream.
  private func streamEnded(_ trouble: String?, isLast: Bool) {
    state.withLock { state in
      state.unread = trouble.map(Unread.trouble) ?? .missing
      state.hasEnded = trouble == nil || isLast
    }
  }

  /// True if there is an update that was not read yet.
  var hasNews: Bool { state.withLock { $0.unread != nil } }

  /// True if all updates were read and no more will arrive.
  var hasEnded: Bool { state.withLock { $0.hasEnded } && !hasNews }

  func stop() { state.withLock { $0.task }?.cancel() }

  /// Returns the latest update: the newest picture, scaled down to fit a size, or a problem; nil if there is none.
  func news(fitting size: Size) -> News? {
    switch state.withLock({ $0.unread.take() }) {
    case nil: return nil
    case .trouble(let message): return .trouble(message)
    case .missing: return .missing
    case .picture(let bytes):
      do {
        return .picture(try ScreenPictures.decoded(bytes, fitting: size))
      } catch {
        return .trouble("cannot show its pictures")
      }
    }
  }
}
