import PluginAPI

/// A user's action: the command or event, the view, the record and the outcome; never a value.
struct Interaction: Sendable, Hashable {
  /// A kind of interaction, each with its own switch.
  enum Kind: String, CaseIterable, Sendable {
    /// A command, by line, key, script or screen.
    case command
    case scrolling
    /// Text was entered; not which.
    case textEntry = "text-entry"
    /// A view was shown.
    case presenting
    /// A view was left.
    case dismissing

    /// The switch among the settings.
    var setting: Setting<Bool> { Setting(flag: "log-\(rawValue)", summary, default: true) }

    /// The name beside the switch in the settings screen.
    var title: String {
      switch self {
      case .command: "Commands"
      case .scrolling: "Scrolling"
      case .textEntry: "Text entry"
      case .presenting: "Screens shown"
      case .dismissing: "Screens left"
      }
    }

    /// The description of the setting.
    var summary: String {
      switch self {
      case .command: "Log commands in the interaction log"
      case .scrolling: "Log scrolling in the interaction log"
      case .textEntry: "Log text entry in the interaction log, without the text"
      case .presenting: "Log screens shown in the interaction log"
      case .dismissing: "Log screens left in the interaction log"
      }
    }
  }

  var at: Instant
  var kind: Kind
  /// The view of the interaction, such as `command-line` or `capture-card`.
  var view: String
  /// The event, such as `capture` or `begin`.
  var event: String
  /// The record concerned, such as `item 7`; empty for none.
  var target = ""
  /// `ok`, or an error code; empty for an event that cannot fail.
  var outcome = ""

  /// The entry as a line: five columns separated by tabs, without characters that would break a line.
  var line: String {
    [at.description, kind.rawValue, view, event, target, outcome].map(Self.cleaned).joined(separator: "\t")
  }

  /// The columns of a line.
  static let columns = ["time", "kind", "view", "event", "target", "outcome"]

  init(at: Instant, kind: Kind, view: String, event: String, target: String = "", outcome: String = "") {
    self.at = at
    self.kind = kind
    self.view = view
    self.event = event
    self.target = target
    self.outcome = outcome
  }

  private static func cleaned(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
  }
}
