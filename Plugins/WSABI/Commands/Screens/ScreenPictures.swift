import PluginAPI
import PluginImages

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
  /// Returns the picture scaled down to fit a size.
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
  static let mostMade = 8

  /// The size that the thumbnails had to fit into, in pixels.
  var size: Size
  /// The pictures, by the numbers of their captures.
  var pictures: [Int: Picture] = [:]
  /// Captures that are not pictures.
  var without: Set<Int> = []
  /// Captures whose pictures are made later, or cannot be read now.
  var later: Set<Int> = []
}
