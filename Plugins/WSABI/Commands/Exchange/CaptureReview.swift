import PluginAPI

/// A capture with what was found out about its data.
struct ReviewedCapture: Sendable, Hashable {
  /// With its quality, if anybody could score it.
  var record: CaptureRecord
  /// The flaw of its picture, in words behind "the picture"; nil if it has none.
  var flaw: String?
}

/// Makes the thumbnail and the quality of a stored capture.
struct CaptureReview: Sendable {
  /// The most bytes of a capture that are looked at; what is larger has neither.
  static let mostBytes = 64 << 20

  let records: RecordStore
  /// A program that scores in place of our own scorers; nil for none.
  var program: ScorerProgram?
  /// Lets few captures be looked at at once: those that are under way go first.
  var gate = ReviewGate.shared
  /// The same for the program.
  var programs = ReviewGate.programs

  /// Makes and keeps both; what cannot be shown has no thumbnail, and what nobody can judge, or is not whole, no quality.
  ///
  /// - Throws: What the store throws, and `ScorerError` of a program that gives no score; the capture itself is safe.
  func review(_ capture: CaptureRecord, of submodality: Submodality) async throws -> ReviewedCapture {
    guard capture.sizeInBytes <= Self.mostBytes else {
      return ReviewedCapture(record: try await records.keepReview(of: capture, thumbnail: nil, quality: nil))
    }
    let (subject, scores) = (subject(capture), program == nil)
    let reviewed = try await gate.pass(subject) {
      let data = try await records.dataToCompute(of: capture)
      let found = try await QuietThread.value { Self.look(at: data, of: capture, submodality, scores: scores) }
      // Until the program's score is stored the capture counts as unreviewed, so that a later run scores it.
      let record = try await records.keepReview(
        of: capture, thumbnail: found.thumbnail, quality: found.quality,
        isComplete: scores || found.flaw != nil)
      return ReviewedCapture(record: record, flaw: found.flaw)
    }
    guard let program, reviewed.flaw == nil else { return reviewed }
    return try await programs.pass(subject) {
      // Read once more: of all that wait for the program nothing is held.
      let quality = try await program.quality(of: try await records.data(of: capture), submodality)
      return ReviewedCapture(record: try await records.setQuality(of: capture.id, quality))
    }
  }

  /// The results of reading data.
  private struct Finding: Sendable {
    var thumbnail: [UInt8]?
    var quality: CaptureRecord.Quality?
    var flaw: String?
  }

  private static func look(
    at data: [UInt8], of capture: CaptureRecord, _ submodality: Submodality, scores: Bool
  ) -> Finding {
    var finding = Finding(flaw: PictureFlaw.of(data))
    do {
      let picture = try CapturePicture.picture(data)
      finding.thumbnail = CapturePicture.thumbnail(of: picture)
      // Half a picture is no better for the part of it that is there.
      guard scores, finding.flaw == nil else { return finding }
      let image = CapturePicture.grey(picture, of: data, statedPixelsPerInch: capture.statedPixelsPerInch)
      finding.quality = CaptureQuality.quality(of: image, submodality)
    } catch {
      finding.flaw = finding.flaw ?? error.flaw
    }
    return finding
  }

  /// Looks at captures that a process stored before it was killed, and at which nobody has looked since.
  ///
  /// - Parameter limit: The most captures.
  /// - Returns: The number of captures that have a quality now.
  func reviewLeft(limit: Int) async throws -> Int {
    var count = 0
    for (record, item) in try await records.unreviewedCaptures(limit: limit) where !isAwaited(record) {
      try Task.checkCancellation()
      // A capture that cannot be scored does not keep the others from being scored.
      guard let reviewed = try? await review(record, of: item.shown(record)) else { continue }
      if reviewed.record.quality != nil { count += 1 }
    }
    return count
  }

  /// The thumbnail of a capture, as a PNG; made and kept if there is none, once for all who ask at the same time.
  ///
  /// - Returns: Nil for what cannot be shown.
  func thumbnail(_ capture: CaptureRecord) async throws -> [UInt8]? {
    guard capture.sizeInBytes <= Self.mostBytes else { return nil }
    return try await gate.pass(subject(capture)) {
      // Whoever was first has made it meanwhile.
      if let kept = try await records.thumbnail(of: capture.id) { return kept }
      let data = try await records.data(of: capture)
      guard let made = try await QuietThread.value({ CapturePicture.thumbnail(data) }) else { return nil }
      try await records.setThumbnail(of: capture.id, made)
      return made
    }
  }

  /// Returns true if a capture is being reviewed, or will be: its thumbnail follows.
  func isAwaited(_ capture: CaptureRecord) -> Bool { gate.isAwaited(subject(capture)) }

  private func subject(_ capture: CaptureRecord) -> ReviewGate.Subject {
    ReviewGate.Subject(folder: records.folder, capture: capture.id)
  }

  /// The fingers of a person's newest captures, compared with each other.
  ///
  /// - Returns: The faults that were found, and the items that could not be compared.
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
      let found = try await gate.pass(subject(capture)) {
        let data = try await records.dataToCompute(of: capture)
        return try await QuietThread.value { () -> [OrderCheck.Print] in
          guard let image = try? CapturePicture.grey(data, statedPixelsPerInch: capture.statedPixelsPerInch) else {
            return []
          }
          return check.prints(item: item.id, item.shown(capture), image)
        }
      }
      if found.isEmpty { unseen.append(item.id) }
      prints += found
    }
    let all = prints
    return (try await QuietThread.value { check.findings(all) }, unseen)
  }
}
