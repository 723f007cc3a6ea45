import PluginAPI

/// What is made of a capture once it is kept: a thumbnail and a quality.
struct CaptureReview: Sendable {
  /// The most bytes of a capture that are looked at; what is larger has neither.
  static let mostBytes = 64 << 20

  let records: RecordStore
  /// A program that scores in place of our own scorers; nil for none.
  var program: ScorerProgram?

  /// Makes and keeps both; what cannot be shown has no thumbnail, and what nobody can judge no quality.
  ///
  /// - Returns: The record with its quality.
  /// - Throws: What the store throws, and `ScorerError` of a program that gives no score; the capture itself is safe.
  func review(_ capture: CaptureRecord, of submodality: Submodality) async throws -> CaptureRecord {
    guard capture.sizeInBytes <= Self.mostBytes else { return capture }
    let data = try await records.data(of: capture)
    let program = program
    let (thumbnail, own) = try await OnThread.value {
      (CapturePicture.thumbnail(data), Self.quality(data, submodality))
    }
    if let thumbnail { try await records.setThumbnail(of: capture.id, thumbnail) }
    let quality = try await program?.quality(of: data, submodality) ?? own
    return quality == nil ? capture : try await records.setQuality(of: capture.id, quality)
  }

  private static func quality(_ data: [UInt8], _ submodality: Submodality) -> CaptureRecord.Quality? {
    guard let image = try? CapturePicture.grey(data) else { return nil }
    return CaptureQuality.quality(of: image, submodality)
  }

  /// The fingers of a person's newest captures, compared with each other.
  ///
  /// - Returns: What is wrong, and which items could not be looked at.
  func order(_ items: [BiometricItem]) async throws -> (findings: [OrderCheck.Finding], unseen: [Int]) {
    let check = OrderCheck()
    var prints: [OrderCheck.Print] = []
    var unseen: [Int] = []
    for item in items where item.modality == .finger {
      guard let capture = item.capture else { continue }
      try Task.checkCancellation()
      guard capture.sizeInBytes <= Self.mostBytes else {
        unseen.append(item.id)
        continue
      }
      let data = try await records.data(of: capture)
      let found = try await OnThread.value { () -> [OrderCheck.Print] in
        guard let image = try? CapturePicture.grey(data) else { return [] }
        return check.prints(item: item.id, item.submodality, image)
      }
      if found.isEmpty { unseen.append(item.id) }
      prints += found
    }
    let all = prints
    return (try await OnThread.value { check.findings(all) }, unseen)
  }
}
