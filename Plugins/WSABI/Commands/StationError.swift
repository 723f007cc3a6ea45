import PluginAPI

/// What a user of the commands can get wrong.
enum StationError: Error, Equatable, ReportableError {
  /// Nobody can be asked for the key, and none was named.
  case keyNeeded
  /// The key was to be given once more, and another was given.
  case otherKey
  /// A name that is neither a person's number nor a name.
  case badNumber(String, of: String)
  /// A modality or submodality nobody knows.
  case unknownWord(String, what: String, nearest: String?)
  /// A submodality of another modality.
  case otherModality(Submodality, Modality)
  /// Something that cannot be undone was not confirmed.
  case notConfirmed(what: String)
  /// The two passphrases differ.
  case passphrasesDiffer
  /// A part that the submodality does not have.
  case unknownPart(String, parts: [String])
  /// A setting that is not written as KEY=VALUE.
  case badSetting(String)

  var report: ErrorReport {
    switch self {
    case .keyNeeded:
      ErrorReport(
        code: "wsabi.key-needed", kind: .refused, "the store is locked, and nobody can be asked for its key",
        advice: "name a key file with '--key-file' or WORKBENCH_WSABI_KEY_FILE, or unlock the store before")
    case .otherKey:
      ErrorReport(
        code: "wsabi.other-key", kind: .refused, "the key is not that of the user who opened the store",
        advice: "give your own key once more")
    case .badNumber(let text, let what):
      ErrorReport(
        code: "wsabi.bad-number", kind: .usage, "'\(text)' is no number of \(what)",
        advice: "'workbench wsabi \(what) list' shows them")
    case .unknownWord(let word, let what, let nearest):
      ErrorReport(
        code: "wsabi.unknown-\(what)", kind: .usage, "'\(word)' is no \(what) that is known",
        advice: nearest.map { "the nearest is '\($0)'" } ?? "'workbench wsabi item types' lists them")
    case .otherModality(let submodality, let modality):
      ErrorReport(
        code: "wsabi.other-modality", kind: .usage,
        "'\(submodality.title)' is not of the modality '\(modality.title)'",
        advice: "leave out '--modality', which follows from the submodality")
    case .notConfirmed(let what):
      ErrorReport(
        code: "wsabi.not-confirmed", kind: .refused, "\(what) cannot be undone and was not confirmed",
        advice: "confirm it with '--yes'")
    case .passphrasesDiffer:
      ErrorReport(
        code: "wsabi.passphrases-differ", kind: .usage, "the two passphrases are not the same", advice: "try again")
    case .unknownPart(let part, let parts):
      ErrorReport(
        code: "wsabi.unknown-part", kind: .usage, "the item has no part '\(part)'",
        advice: "its parts are \(parts.map { "'\($0)'" }.joined(separator: ", "))")
    case .badSetting(let text):
      ErrorReport(
        code: "wsabi.bad-setting", kind: .usage, "'\(text)' is no setting of a sensor", advice: "write it as KEY=VALUE")
    }
  }

  /// The stable codes.
  static let errorCodes: [ErrorCodeDescription] = [
    .init("wsabi.key-needed", "the store is locked and nobody can be asked for its key"),
    .init("wsabi.other-key", "the key given once more is not that of the user"),
    .init("wsabi.bad-number", "a text is no number of a person, an item or an operation"),
    .init("wsabi.unknown-modality", "a modality nobody knows"),
    .init("wsabi.unknown-submodality", "a submodality nobody knows"),
    .init("wsabi.other-modality", "a submodality is not of the modality"),
    .init("wsabi.not-confirmed", "something that cannot be undone was not confirmed"),
    .init("wsabi.passphrases-differ", "the two passphrases are not the same"),
    .init("wsabi.unknown-part", "a part of the body that an item does not show"),
    .init("wsabi.bad-setting", "a setting of a sensor is not written as KEY=VALUE"),
  ]
}
