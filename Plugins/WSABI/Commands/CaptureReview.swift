import PluginAPI
import PluginText

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
      let image = CapturePicture.gray(picture, of: data, statedPixelsPerInch: capture.statedPixelsPerInch)
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
          guard let image = try? CapturePicture.gray(data, statedPixelsPerInch: capture.statedPixelsPerInch) else {
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

extension CaptureReport {
  /// Reviews all captures of an item; they stay stored whatever the review finds.
  ///
  /// - Returns: The errors of reviews that failed.
  mutating func review(
    as item: BiometricItem, _ review: (CaptureRecord, Submodality) async throws -> ReviewedCapture
  ) async -> [any Error] {
    var failures: [any Error] = []
    for (index, record) in records.enumerated() {
      do {
        let reviewed = try await review(record, item.shown(record))
        records[index] = reviewed.record
        flaws[record.id] = reviewed.flaw
      } catch {
        failures.append(error)
      }
    }
    return failures
  }
}

extension Station {
  /// Returns the review of captures, with the scorer that the user has set.
  func review(_ context: any PluginContext, _ records: RecordStore) -> CaptureReview {
    let path = context[WSABISettings.scorer]
    return CaptureReview(records: records, program: path.isEmpty ? nil : ScorerProgram(path: path))
  }
}

/// Checks of stored captures, reported while the person is still present.
struct CaptureCheck: Sendable {
  let review: CaptureReview
  let records: RecordStore

  /// Returns the warnings about the data that a sensor sent for an item: incomplete pictures, another part of the body,
  /// and anything unusual.
  static func warnings(_ report: CaptureReport, _ item: BiometricItem) -> [CaptureWarning] {
    func warning(_ code: String, _ message: String) -> CaptureWarning {
      CaptureWarning(item: item.id, code: code, message: message)
    }
    var warnings: [CaptureWarning] = []
    var notes = report.oddities
    for record in report.records {
      if let flaw = report.flaws[record.id] {
        warnings.append(
          warning("cut-picture", "the picture \(flaw); it is stored as received: clear the item and capture again"))
      }
      if let message = SensorClaim.otherPart(record.metadata, wanted: item.made(record), item.modality) {
        warnings.append(warning("other-part", "\(message); if this is true, clear the item and capture again"))
      }
      notes += SensorClaim.notes(record.metadata, wanted: item.made(record), received: record.received)
    }
    let wanted = report.records.first.map(item.made) ?? item.submodality
    let (count, parts) = (report.idCount, wanted.parts.count)
    // A slap may come as a whole and by its fingers.
    if count > (parts == 1 ? 1 : parts + 1) {
      notes.append("the sensor sent \(count) captures for one '\(wanted.title)'")
    }
    var seen: Set<String> = []
    return warnings
      + notes.filter { seen.insert($0).inserted }.map {
        CaptureWarning(item: item.id, code: "strange-answer", message: $0, isNote: true)
      }
  }

  /// Returns true if a stored capture should be repeated: it is not whole, of another part of the body, or not good enough.
  static func isPoor(_ result: CaptureRun.Result, minimumQuality: Int?) -> Bool {
    let (report, item) = (result.report, result.item)
    let least = minimumQuality ?? CaptureQuality.usualMinimum(item.submodality)
    if !report.flaws.isEmpty || report.worstScore.map({ $0 < least }) ?? false { return true }
    return report.records.contains {
      SensorClaim.otherPart($0.metadata, wanted: item.made($0), item.modality) != nil
    }
  }

  /// Returns the warnings about a single capture.
  ///
  /// - Parameter minimumQuality: The requested quality; nil for none.
  static func warnings(_ result: CaptureRun.Result, minimumQuality: Int?) -> [CaptureWarning] {
    let item = result.item.id
    // The problem itself describes the fault. Each trouble is reported once, however many attempts met it.
    let problem = result.problem?.report.message ?? ""
    var warnings: [CaptureWarning] = []
    for message in result.report.outcome.warnings + result.report.troubles
    where !problem.hasSuffix(SanitizedText.line(message, limit: 300))
      && !warnings.contains(where: { $0.message == message })
    {
      warnings.append(CaptureWarning(item: item, code: "capture-warning", message: message))
    }
    warnings += Self.warnings(result.report, result.item)
    let records = result.report.records
    guard !records.isEmpty, result.report.flaws.isEmpty else { return warnings }
    let least = minimumQuality ?? CaptureQuality.usualMinimum(result.item.submodality)
    if let score = result.report.worstScore {
      let what = records.count == 1 ? "the quality" : "the quality of the worst picture"
      let message = "\(what) is \(score) of 100, below \(least); capture again"
      if score < least { warnings.append(CaptureWarning(item: item, code: "capture-warning", message: message)) }
    } else if minimumQuality != nil {
      warnings.append(CaptureWarning(item: item, code: "no-quality", message: "the capture has no quality score"))
    }
    return warnings
  }

  /// Returns warnings about fingers captured twice or mixed up, and about indistinct pictures, among the new captures
  /// and the earlier ones of the same people.
  func warnings(_ results: [CaptureRun.Result]) async -> [CaptureWarning] {
    let captured = results.filter { !$0.report.records.isEmpty && $0.item.modality == .finger }.map(\.item)
    var warnings: [CaptureWarning] = []
    for person in Set(captured.map(\.person)).sorted() {
      // A failed review does not cast doubt on the capture, which is stored.
      guard let items = try? await records.items(of: person), let order = try? await review.order(items) else {
        continue
      }
      let new = Set(captured.map(\.id))
      for finding in order.findings {
        guard let item = finding.items.last(where: new.contains) else { continue }
        warnings.append(CaptureWarning(item: item, code: finding.kind.code, message: finding.message))
      }
      for item in captured where order.unseen.contains(item.id) && item.submodality.parts.count > 1 {
        warnings.append(
          CaptureWarning(
            item: item.id, code: "fingers-not-seen", message: "the picture does not show all fingers of the slap")
        )
      }
    }
    return warnings
  }
}

extension OrderCheck.Finding {
  /// A description of the problem.
  var message: String {
    let titles = positions.map(MissingFingers.title)
    let (first, second) = ("\(titles[0]) of item \(items[0])", "\(titles[1]) of item \(items[1])")
    switch kind {
    case .sameFingerTwice: return "\(first) and \(second) show the same finger"
    case .differentFingers: return "\(first) and \(second) show different fingers"
    }
  }
}

extension OrderCheck.Finding.Kind {
  /// The end of the code of a warning.
  var code: String {
    switch self {
    case .sameFingerTwice: "same-finger-twice"
    case .differentFingers: "different-fingers"
    }
  }
}

/// Commands that review captures.
enum ReviewCommands {
  static let all = [check]

  private static let score = Option(flag: "score", "Score all newest captures again and renew their thumbnails")

  static let check = WSABICommand(
    CommandDescription(
      "person check", "Check for fingers that are missing, captured twice or mixed up",
      output: .model(PersonCheck.self), effects: [.reads, .writes]
    ).taking(PersonCommands.person, score, StationKey.option, StationKey.standardInput).explained(
      """
      Compares the ridges of fingers in slaps with those of single captures. This is a warning for the operator, not \
      an identification. Documentation/WSABI/Quality.md gives its error rates.
      """, examples: [.init("person check 1", "Before the person leaves the station")])
  ) { call, station in
    let records = try await StationKey(call: call).openedRecords(station)
    let person = call[PersonCommands.person]
    let review = station.review(call.context, records)
    if call[score] {
      for item in try await records.items(of: person) {
        guard let capture = item.capture else { continue }
        do {
          _ = try await review.review(capture, of: item.shown(capture))
        } catch let error as ScorerError {
          // The other captures may succeed, and earlier scores remain.
          call.warn(
            Diagnostic(
              .warning, code: "wsabi.scorer", "cannot score item \(item.id): \(error.report.message)",
              advice: error.report.advice))
        }
      }
    }
    let items = try await records.items(of: person)
    let order = try await review.order(items)
    for finding in order.findings {
      call.warn(Diagnostic(.warning, code: "wsabi.\(finding.kind.code)", finding.message))
    }
    try await call.emit(PersonCheck(person, items, order))
  }
}
