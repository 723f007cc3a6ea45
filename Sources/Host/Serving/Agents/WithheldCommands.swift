/// The commands of plugins that agents never get, even if the user allows everything.
enum WithheldCommands {
  /// A reason to keep a command from agents, as part of a sentence.
  enum Reason: String {
    case credentials = "it takes or manages credentials"
    case endless = "it runs until it is interrupted"
    case ofWorkbench = "it is a command of Workbench itself"
  }

  /// The commands that take or manage credentials, by plugin: their names, or the first words of their names.
  ///
  /// An agent that logs in could send the user's token to a server of its choice.
  private static let credentials: [String: [String]] = [
    "openbis": ["login", "logout", "secrets", "token"],
    "wsabi": [
      "role", "store-add-user", "store-change-key", "store-change-master-key", "store-init", "store-lock",
      "store-remove-user", "store-unlock",
    ],
  ]
  /// The commands that run until they are interrupted, in the same form.
  private static let endless: [String: [String]] = [
    "openbis": ["simulate"], "pathcase": ["simulate"], "wsabi": ["camera", "simulate"],
  ]

  /// Returns the reason for which agents do not get a command; nil if they may.
  static func reason(for entry: CommandEntry) -> Reason? {
    guard case .plugin(let id) = entry.owner else { return nil }
    let name = entry.method.dropFirst(id.count + 1)
    func isAmong(_ names: [String: [String]]) -> Bool {
      (names[id] ?? []).contains { name == $0 || name.hasPrefix($0 + "-") }
    }
    if isAmong(credentials) { return .credentials }
    return isAmong(endless) ? .endless : nil
  }
}
