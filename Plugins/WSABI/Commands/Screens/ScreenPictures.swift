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
  /// Returns the picture of a capture with all its pixels.
  ///
  /// - Throws: ``PictureError``, for too many bytes before anything is read; ``VaultError`` if it is not as it was stored.
  func pictureAndWait(of capture: CaptureRecord) throws -> Picture {
    guard capture.sizeInBytes <= ScreenPictures.mostBytes else {
      throw PictureError.tooManyBytes(capture.sizeInBytes, mostBytes: ScreenPictures.mostBytes)
    }
    let records = records()
    let bytes = try Waiting.value { try await records.data(of: capture) }
    return try CapturePicture.picture(bytes, mostPixels: ScreenPictures.maximumPixels)
  }

  /// Returns the picture of a capture, scaled down to fit a size in pixels.
  func pictureAndWait(of capture: CaptureRecord, fitting size: Size) throws -> Picture {
    try pictureAndWait(of: capture).scaled(toFit: size)
  }

  /// Returns true while a capture is being scored.
  ///
  /// The process that captured it makes its thumbnail, and the store then reports the change.
  func isUnderReview(_ capture: CaptureRecord) -> Bool { CaptureReview(records: records()).isAwaited(capture) }

  /// Returns the thumbnails of captures; stored ones first, others are made and stored a few at a time.
  ///
  /// - Parameter checkCancellation: Throws `CancellationError` once the caller no longer waits.
  func thumbnailsAndWait(
    of captures: [CaptureRecord], fitting size: Size, _ checkCancellation: () throws -> Void
  ) throws -> ScreenThumbnails {
    let (records, ids) = (records(), captures.map(\.id))
    var found = ScreenThumbnails(size: size)
    let (kept, absent) = try Waiting.value { try await records.thumbnails(of: ids) }
    for (capture, png) in kept { found.pictures[capture] = try? ScreenPictures.decoded(png, fitting: size) }
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
      try checkCancellation()
      do {
        let png = try Waiting.value { try await review.thumbnail(capture) }
        if let png {
          found.pictures[capture.id] = try ScreenPictures.decoded(png, fitting: size)
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
