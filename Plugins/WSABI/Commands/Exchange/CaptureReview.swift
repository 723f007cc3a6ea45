import PluginAPI

/// A capture with what was found out about its data.
struct ReviewedCapture: Sendable, Hashable {
  /// With its quality, if anybody could score it.
  var record: CaptureRecord
  /// Why its picture is none or not whole, in words behind "the picture"; nil if nothing is wrong with it.
  var flaw: String?
}

/// What is made of a capture once it is kept: a thumbnail and a quality.
struct CaptureReview: Sendable {
  /// The most bytes of a capture that are looked at; what is larger has neither.
  static let mostBytes = 64 << 20

  let records: RecordStore
  /// A program that scores in place of our own scorers; nil for none.
  var program: ScorerProgram?

  /// Makes and keeps both; what cannot be shown has no thumbnail, and what nobody can judge, or is not whole, no quality.
  ///
  /// - Throws: What the store throws, and `ScorerError` of a program that gives no score; the capture itself is safe.
  func review(_ capture: CaptureRecord, of submodality: Submodality) async throws -> ReviewedCapture {
    guard capture.sizeInBytes <= Self.mostBytes else { return ReviewedCapture(record: capture) }
    let data = try await records.data(of: capture)
    let found = try await OnThread.value { Self.look(at: data, submodality) }
    if let thumbnail = found.thumbnail { try await records.setThumbnail(of: capture.id, thumbnail) }
    // Half a picture is no better for the part of it that is there.
    if let flaw = found.flaw { return ReviewedCapture(record: capture, flaw: flaw) }
    guard let quality = try await program?.quality(of: data, submodality) ?? found.quality else {
      return ReviewedCapture(record: capture)
    }
    return ReviewedCapture(record: try await records.setQuality(of: capture.id, quality))
  }

  /// What data is found to be.
  private struct Finding: Sendable {
    var thumbnail: [UInt8]?
    var quality: CaptureRecord.Quality?
    var flaw: String?
  }

  private static func look(at data: [UInt8], _ submodality: Submodality) -> Finding {
    var finding = Finding(flaw: PictureFlaw.of(data))
    do {
      let picture = try CapturePicture.picture(data)
      finding.thumbnail = CapturePicture.thumbnail(of: picture)
      finding.quality = CaptureQuality.quality(of: CapturePicture.grey(of: picture, data), submodality)
    } catch {
      finding.flaw = finding.flaw ?? error.flaw
    }
    return finding
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
