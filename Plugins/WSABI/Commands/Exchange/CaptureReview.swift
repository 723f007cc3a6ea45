import PluginAPI

/// A capture with the results of its review.
struct ReviewedCapture: Sendable, Hashable {
  /// The capture, with its quality if it could be scored.
  var record: CaptureRecord
  /// The flaw of its picture, worded to follow "the picture"; nil if it has none.
  var flaw: String?
}

/// A reviewer that makes the thumbnail and the quality of a stored capture.
struct CaptureReview: Sendable {
  /// The largest capture reviewed, in bytes; a larger one gets neither thumbnail nor quality.
  static let mostBytes = 64 << 20

  let records: RecordStore
  /// A program that replaces the built-in scorers; nil for none.
  var program: ScorerProgram?
  /// Limits the number of concurrent reviews; those in progress go first.
  var gate = ReviewGate.shared
  /// The same for the program.
  var programs = ReviewGate.programs

  /// Makes and stores both.
  ///
  /// Data that is not a picture gets no thumbnail; a picture that cannot be scored, or is not whole, gets no quality.
  ///
  /// - Throws: Errors of the store, and `ScorerError` for a program that gives no score. The capture itself is safe.
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
      // Read again, so that captures waiting for the program do not hold their data in memory.
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
      // An incomplete picture is not scored by the part that is present.
      guard scores, finding.flaw == nil else { return finding }
      let image = CapturePicture.grey(picture, of: data, statedPixelsPerInch: capture.statedPixelsPerInch)
      finding.quality = CaptureQuality.quality(of: image, submodality)
    } catch {
      finding.flaw = finding.flaw ?? error.flaw
    }
    return finding
  }

  /// Reviews captures that a process stored before it was killed and that were not reviewed since.
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

  /// Returns the thumbnail of a capture, as a PNG; made and stored if there is none, once for all concurrent callers.
  ///
  /// - Returns: Nil for data that cannot be shown.
  func thumbnail(_ capture: CaptureRecord) async throws -> [UInt8]? {
    guard capture.sizeInBytes <= Self.mostBytes else { return nil }
    return try await gate.pass(subject(capture)) {
      // The first caller has made it meanwhile.
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

  /// Returns the fingers of a person's newest captures, compared with each other.
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

extension Station {
  /// Returns the review of captures, with the scorer that the user has set.
  func review(_ context: any PluginContext, _ records: RecordStore) -> CaptureReview {
    let path = context.setting(WSABISettings.scorer).text ?? ""
    return CaptureReview(records: records, program: path.isEmpty ? nil : ScorerProgram(path: path))
  }
}
