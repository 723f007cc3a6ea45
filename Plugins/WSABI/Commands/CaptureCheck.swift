import PluginAPI
import PluginText

/// Checks of stored captures, reported while the person is still present.
struct CaptureCheck: Sendable {
  let review: CaptureReview
  let records: RecordStore

  /// A warning about an item.
  struct Warning: Sendable, Hashable {
    var item: Int
    /// The end of its code: `wsabi.` in front makes it whole.
    var code: String
    var words: String
    /// True if the warning requires no action.
    var isNote = false

    /// The warning as a diagnostic beside a result.
    var diagnostic: Diagnostic {
      let words = "item \(item): \(SanitizedText.line(words, limit: 300))"
      return Diagnostic(isNote ? .note : .warning, code: "wsabi.\(code)", words)
    }
  }

  /// Returns the warnings about the data that a sensor sent for an item: incomplete pictures, another part of the body,
  /// and anything unusual.
  static func warnings(_ report: CaptureReport, _ item: BiometricItem) -> [Warning] {
    func warning(_ code: String, _ words: String) -> Warning { Warning(item: item.id, code: code, words: words) }
    var warnings: [Warning] = []
    var notes = report.oddities
    for record in report.records {
      if let flaw = report.flaws[record.id] {
        warnings.append(
          warning("cut-picture", "the picture \(flaw); it is kept as it came: clear it and capture again"))
      }
      if let words = SensorClaim.otherPart(record.metadata, wanted: item.made(record), item.modality) {
        warnings.append(warning("other-part", "\(words): if it is so, clear it and capture again"))
      }
      notes += SensorClaim.notes(record.metadata, wanted: item.made(record), received: record.received)
    }
    let wanted = report.records.first.map(item.made) ?? item.submodality
    let (count, parts) = (report.idCount, wanted.parts.count)
    // A slap may come as a whole and by its fingers.
    if count > (parts == 1 ? 1 : parts + 1) {
      notes.append("the sensor named \(count) captures where '\(wanted.title)' was asked for once")
    }
    var told: Set<String> = []
    return warnings
      + notes.filter { told.insert($0).inserted }.map {
        Warning(item: item.id, code: "strange-answer", words: $0, isNote: true)
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
  static func warnings(_ result: CaptureRun.Result, minimumQuality: Int?) -> [Warning] {
    let item = result.item.id
    // The problem itself describes the fault. Each trouble is reported once, however many attempts met it.
    let told = result.problem?.report.message ?? ""
    var warnings: [Warning] = []
    for words in result.report.outcome.warnings + result.report.troubles
    where !told.hasSuffix(SanitizedText.line(words, limit: 300)) && !warnings.contains(where: { $0.words == words }) {
      warnings.append(Warning(item: item, code: "capture-warning", words: words))
    }
    warnings += Self.warnings(result.report, result.item)
    let records = result.report.records
    guard !records.isEmpty, result.report.flaws.isEmpty else { return warnings }
    let least = minimumQuality ?? CaptureQuality.usualMinimum(result.item.submodality)
    if let score = result.report.worstScore {
      let what = records.count == 1 ? "its quality" : "the quality of its worst picture"
      let words = "\(what) is \(score) of 100, and should be \(least): capture it again"
      if score < least { warnings.append(Warning(item: item, code: "capture-warning", words: words)) }
    } else if minimumQuality != nil {
      warnings.append(Warning(item: item, code: "no-quality", words: "nobody could score it"))
    }
    return warnings
  }

  /// Returns warnings about fingers captured twice or mixed up, and about indistinct pictures, among the new captures
  /// and the earlier ones of the same people.
  func warnings(_ results: [CaptureRun.Result]) async -> [Warning] {
    let captured = results.filter { !$0.report.records.isEmpty && $0.item.modality == .finger }.map(\.item)
    var warnings: [Warning] = []
    for person in Set(captured.map(\.person)).sorted() {
      // A failed review does not cast doubt on the capture, which is stored.
      guard let items = try? await records.items(of: person), let order = try? await review.order(items) else {
        continue
      }
      let new = Set(captured.map(\.id))
      for finding in order.findings {
        guard let item = finding.items.last(where: new.contains) else { continue }
        warnings.append(Warning(item: item, code: finding.kind.code, words: finding.words))
      }
      for item in captured where order.unseen.contains(item.id) && item.submodality.parts.count > 1 {
        warnings.append(
          Warning(item: item.id, code: "fingers-not-seen", words: "not all of its fingers are to be seen in it"))
      }
    }
    return warnings
  }
}

extension OrderCheck.Finding {
  /// A description of the problem.
  var words: String {
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
