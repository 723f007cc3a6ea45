import PluginAPI

/// The sign of an item in its cell of the grid.
enum ItemSign: Sendable, Hashable {
  /// There is no capture.
  case empty
  /// The sensor is at work, or waited for.
  case waiting
  case captured
  /// A picture of the capture was not received.
  case incomplete
  /// There are conditions of parts, or notes.
  case annotated
  /// A problem affects the work.
  case warning

  /// One column wide.
  var glyph: String {
    switch self {
    case .empty: "○"
    case .waiting: "◌"
    case .captured: "●"
    case .incomplete: "◐"
    case .annotated: "✎"
    case .warning: "▲"
    }
  }

  var word: String {
    switch self {
    case .empty: "nothing captured"
    case .waiting: "waiting for the sensor"
    case .captured: "captured"
    case .incomplete: "captured in part: a picture is lost"
    case .annotated: "annotated"
    case .warning: "sensor problem"
    }
  }

  var style: Style {
    switch self {
    case .empty: .secondary
    case .waiting: .accent
    case .captured: .success
    case .incomplete: .warning
    case .annotated: .plain
    case .warning: .warning
    }
  }

  /// Returns the signs of an item, most important first; never empty.
  ///
  /// - Parameter activity: The activity at its sensor.
  static func all(_ item: BiometricItem, _ activity: ItemActivity?) -> [ItemSign] {
    var signs: [ItemSign] = []
    switch activity {
    case .problem, .undecided: signs.append(.warning)
    case .busy, .preparing: signs.append(.waiting)
    case nil: break
    }
    if let capture = item.capture {
      let isOther = SensorClaim.otherPart(capture.metadata, wanted: item.made(capture), item.modality) != nil
      if isOther, signs.isEmpty { signs.append(.warning) }
      signs.append(item.losses.isEmpty ? .captured : .incomplete)
    }
    if !item.annotation.isEmpty { signs.append(.annotated) }
    return signs.isEmpty ? [.empty] : signs
  }
}

/// The activity at the sensor of an item.
enum ItemActivity: Sendable, Hashable {
  /// It is being captured, or its data is being downloaded.
  case busy
  /// The sensor is made ready, and waited for.
  case preparing
  /// A problem; the payload describes it.
  case problem(String)
  /// A decision is required before it is captured again; the payload describes it.
  case undecided(String)

  /// True if no decision is required.
  var isDecided: Bool {
    if case .undecided = self { return false }
    return true
  }

  /// A description of the problem; nil if there is none.
  var trouble: String? {
    switch self {
    case .busy, .preparing: nil
    case .problem(let words), .undecided(let words): words
    }
  }

  /// Returns the activity after an event; nil for none.
  static func after(_ news: SensorNews, before: ItemActivity?) -> ItemActivity? {
    // Preparing its sensor changes nothing: a capture in progress continues, and an open decision stays open.
    let isFixed = before == .busy || before?.isDecided == false
    return switch news {
    case .waiting where isFixed, .prepared where isFixed: before
    case .waiting: .preparing
    case .capturing, .captured: .busy
    case .stored: nil
    case .lost(_, let reason): .undecided(CaptureQuestion.lost(reason: reason).words)
    case .trouble(_, let reason): .problem(ProblemText.short(reason))
    case .ended(_, "unknown", let reason, _):
      .undecided(CaptureQuestion.unknown(reason: ProblemText.short(reason)).words)
    case .prepared(_, let ending, let reason, let status), .ended(_, let ending, let reason, let status):
      ending == "given-up" || status == OperationStatus.canceled.word || reason.isEmpty
        ? nil : .problem(ProblemText.short(reason))
    case .finished(_, "waiting", let reason):
      .undecided(CaptureQuestion.waiting(reason: ProblemText.short(reason)).words)
    case .finished: before == .busy ? nil : before
    case .connected, .step, .stolen: before
    }
  }
}
