import PluginAPI
import PluginText

/// Mistakes of users of the commands.
enum StationError: Error, Equatable, ReportableError {
  /// No key was named, and it cannot be requested.
  case keyNeeded
  /// A new passphrase cannot be requested, and no line of standard input has it.
  case newKeyNeeded
  /// The repeated key differs from the first one.
  case otherKey
  /// A text is not an id of the protocol; the payload names the kind of id.
  case badID(String, of: String)
  /// A modality or submodality is unknown.
  case unknownWord(String, what: String, nearest: String?)
  /// A submodality of another modality.
  case otherModality(Submodality, Modality)
  /// An irreversible action was not confirmed.
  case notConfirmed(what: String)
  /// The two passphrases differ.
  case passphrasesDiffer
  /// A new passphrase that is easily guessed was not confirmed.
  case shortPassphrase(characters: Int)
  /// A line of a form with the name of an unknown field; the number of the line.
  case badFormLine(Int, String, nearest: String?)
  /// A line of a form that is not NAME: VALUE; the number of the line alone, as its text may be personal.
  case formLineWithoutName(Int)
  /// A part that the submodality does not have.
  case unknownPart(String, parts: [String])
  /// A condition of a part is unknown.
  case unknownCondition(String)
  /// A setting that is not written as KEY=VALUE.
  case badSetting(String)
  /// A setting that determines the item's part of the body was removed, or given with two values.
  case settingOfItem(String)
  /// A setting only describes the service and is never sent.
  case notSettable(String)
  /// A required value is missing, and it cannot be requested.
  case missing(String)
  /// A person to capture is named, but no items.
  case whichItems(person: Int)
  /// An item is named together with options that select others.
  case itemAndPerson(item: Int)
  /// The operation makes sense only with an existing session.
  case sessionNeeded(SensorOperation)
  /// A field of a person does not accept the value; the payload names the expected values.
  case notAllowed(field: String, expected: String)
  /// Neither an item nor a person to capture is named.
  case nothingToCapture
  /// Items are to be captured after Enter, but there is no terminal.
  case inTurnWithoutTerminal
  /// The sensor cannot capture what is requested; the payload is the reason.
  case unsuitable(String)
  /// A service refused; the operation and its response.
  case saidNo(SensorOperation, OperationStatus, message: String, badFields: [String])
  /// A recent sensor that is not there.
  case noSensor(String)
  /// A user that is not there.
  case noUserNamed(String)
  /// The audit log was altered; the faulty entry and its fault.
  case logDamaged(entry: Int, fault: String)
  /// The audit log is intact, but does not contain the noted entry; the number of that entry.
  case logReplaced(entry: Int)
  /// A text that is not the head of a log.
  case badHead(String)
  /// The store is damaged; the first fault, and the number of others.
  case storeDamaged(first: String, others: Int)
  /// An operation that excludes captures was requested while there are captures.
  case capturesUnderWay
  /// The sensor has no live preview.
  case noPreview(address: String)

  var report: ErrorReport {
    switch self {
    case .keyNeeded:
      ErrorReport(
        code: "wsabi.key-needed", kind: .refused, "the key of the store is needed, and nobody can be asked for it",
        advice: "name a key file with '--key-file' or WORKBENCH_WSABI_KEY_FILE, or unlock the store before")
    case .newKeyNeeded:
      ErrorReport(
        code: "wsabi.new-key-needed", kind: .refused, "there is no new passphrase, and nobody can be asked for it",
        advice: "give it with '--passphrase-stdin', in the line behind your own, or use '--new-key-file'")
    case .otherKey:
      ErrorReport(
        code: "wsabi.other-key", kind: .refused, "the key is not that of the user who opened the store",
        advice: "give your own key once more")
    case .badID(let text, let what):
      ErrorReport(
        code: "wsabi.bad-id", kind: .usage, "'\(SanitizedText.line(text, limit: 60))' is no id of \(what)",
        advice: "give it as 'sensor register', 'sensor lock' or a capture told it: 8-4-4-4-12 hexadecimal digits")
    case .unknownWord(let word, let what, let nearest):
      ErrorReport(
        code: "wsabi.unknown-\(what)", kind: .usage, "'\(word)' is no \(what) that is known",
        advice: nearest.map { "the nearest is '\($0)'" }
          ?? "'workbench wsabi item types' lists them"
          + (what == "submodality" ? "; a sensor's own word needs '--modality' beside it" : ""))
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
    case .shortPassphrase(let characters):
      ErrorReport(
        code: "wsabi.short-passphrase", kind: .refused,
        "a passphrase of \(characters) characters is easily guessed and was not confirmed",
        advice: "take a sentence of several words, or confirm it with '--short-passphrase'")
    case .badFormLine(let number, let text, let nearest):
      ErrorReport(
        code: "wsabi.bad-form-line", kind: .unusableInput,
        "line \(number): '\(SanitizedText.line(text, limit: 40))' is not NAME: VALUE with the name of an option of the form",
        advice: nearest.map { "the nearest name is '\($0)'" } ?? "write a line as 'first-name: Ada'")
    case .formLineWithoutName(let number):
      ErrorReport(
        code: "wsabi.bad-form-line", kind: .unusableInput, "line \(number) is not NAME: VALUE",
        advice: "write it as 'first-name: Ada'")
    case .unknownPart(let part, let parts):
      ErrorReport(
        code: "wsabi.unknown-part", kind: .usage,
        part.isEmpty ? "the item has several parts, and none of them is named" : "the item has no part '\(part)'",
        advice: "write PART=CONDITION; its parts are \(parts.map { "'\($0)'" }.joined(separator: ", "))")
    case .unknownCondition(let text):
      ErrorReport(
        code: "wsabi.unknown-condition", kind: .usage, "'\(text)' names no condition of a part",
        advice: "write PART=CONDITION, with one of "
          + PartCondition.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", "))
    case .capturesUnderWay:
      ErrorReport(
        code: "wsabi.captures-under-way", kind: .refused, "captures are under way, here or in another program",
        advice: "wait for their end, or end them with 'operations cancel'", isRetryable: true)
    case .missing, .whichItems, .itemAndPerson, .sessionNeeded, .nothingToCapture, .inTurnWithoutTerminal, .unsuitable,
      .saidNo,
      .noSensor, .noPreview:
      reportOfSensor
    case .notAllowed(let field, let expected):
      // The text itself is left out, as it concerns a person.
      ErrorReport(
        code: "wsabi.not-allowed", kind: .usage, "what is said by '--\(field)' cannot stand there",
        advice: "give \(expected), or an empty text for nothing")
    case .noUserNamed(let name):
      ErrorReport(
        code: "wsabi.no-user-named", kind: .notFound, "there is no user '\(name)'",
        advice: "'workbench wsabi role' lists them")
    case .logDamaged(let entry, let fault):
      ErrorReport(
        code: "wsabi.log-damaged", kind: .unusableInput, "entry \(entry) of the audit log is \(fault)",
        advice: "keep a copy of the store as it is, and ask who could write to it")
    case .logReplaced(let entry):
      ErrorReport(
        code: "wsabi.log-replaced", kind: .unusableInput,
        "the audit log does not have the entry \(entry) that was noted",
        advice:
          "an older copy of the store was put back, or 'store change-master-key' was run since; ask who could do so")
    case .badHead(let text):
      ErrorReport(
        code: "wsabi.bad-head", kind: .usage, "'\(SanitizedText.line(text, limit: 80))' is not the head of a log",
        advice: "give it as 'log --head' printed it: a number, a colon and hexadecimal digits")
    case .storeDamaged(let first, let others):
      ErrorReport(
        code: "wsabi.store-damaged", kind: .unusableInput, others > 0 ? "\(first), and \(others) more" : first,
        advice: "keep a copy of the store as it is, and restore a backup; 'workbench wsabi log --verify' tells whether "
          + "the audit log is whole")
    case .badSetting(let text):
      ErrorReport(
        code: "wsabi.bad-setting", kind: .usage, "'\(text)' is no setting of a sensor", advice: "write it as KEY=VALUE")
    case .settingOfItem(let key):
      ErrorReport(
        code: "wsabi.setting-of-item", kind: .usage, "'\(key)' says what the item is of, in one way and not in two",
        advice: "give '--\(key)' alone")
    case .notSettable(let key):
      ErrorReport(
        code: "wsabi.not-settable", kind: .usage, "'\(key)' is told by sensors of themselves, and is never sent to one",
        advice: "leave it out; 'sensor check' shows what can be set")
    }
  }

  private var reportOfSensor: ErrorReport {
    switch self {
    case .missing(let what):
      ErrorReport(
        code: "wsabi.missing", kind: .usage, "the \(what) was not said, and nobody can be asked",
        advice: "give '--\(what)'")
    case .whichItems(let person):
      ErrorReport(
        code: "wsabi.missing", kind: .usage, "person \(person) is named, but not which items shall be captured",
        advice: "give '--all' for all of them, or '--missing' for those without a capture")
    case .itemAndPerson(let item):
      ErrorReport(
        code: "wsabi.item-and-person", kind: .usage,
        "item \(item) is named beside '--person', '--all' or '--missing', which name others",
        advice: "'capture \(item)' captures it alone, 'capture --person P --all' all items of a person")
    case .sessionNeeded(let operation):
      ErrorReport(
        code: "wsabi.session-needed", kind: .usage,
        "'\(operation.words)' needs the session that is meant: one begun for it would have nothing to give back",
        advice: "give '--session' as 'sensor register' or 'sensor lock' told it; 'sensor steal' takes a lock whose "
          + "session nobody knows")
    case .nothingToCapture:
      ErrorReport(
        code: "wsabi.missing", kind: .usage, "nothing is named that shall be captured",
        advice: "name an item, as in 'capture 1', or all items of a person: 'capture --person 1 --all'")
    case .inTurnWithoutTerminal:
      ErrorReport(
        code: "wsabi.no-terminal", kind: .usage,
        "'--in-turn' waits for Enter before each capture, and nobody pressed it",
        advice: "run it in a terminal, or leave out '--in-turn'")
    case .unsuitable(let words):
      ErrorReport(
        code: "wsabi.unsuitable-sensor", kind: .refused, words,
        advice: "choose another sensor or another submodality, or take it all the same with '--anyway'")
    case .saidNo(let operation, let status, let message, let badFields):
      ErrorReport(
        code: "wsabi.sensor-said-no", kind: .network,
        "'\(operation.words)' is answered with '\(SanitizedText.line(status.word, limit: 100))'"
          + (message.isEmpty ? "" : ": \(SanitizedText.line(message, limit: 300))"),
        advice: Self.advice(status),
        details: ["status": .text(status.word), "badFields": .list(badFields.map(Value.text))],
        isRetryable: [.preparingDownload, .sensorBusy, .sensorTimeout].contains(status))
    case .noPreview(let address):
      ErrorReport(
        code: "wsabi.no-preview", kind: .notFound,
        "the sensor at '\(SanitizedText.line(address, limit: 2000))' has no live preview",
        advice: "'sensor check' shows what it tells of itself")
    case .noSensor(let name):
      ErrorReport(
        code: "wsabi.no-sensor", kind: .notFound, "there is no recent sensor '\(name)'",
        advice: "'workbench wsabi sensor list' shows them")
    case .keyNeeded, .newKeyNeeded, .otherKey, .badID, .unknownWord, .otherModality, .notConfirmed, .passphrasesDiffer,
      .shortPassphrase, .badFormLine, .formLineWithoutName, .unknownPart, .unknownCondition, .badSetting,
      .settingOfItem,
      .notSettable, .notAllowed, .noUserNamed, .logDamaged, .logReplaced, .badHead, .storeDamaged, .capturesUnderWay:
      ErrorReport(code: "wsabi.missing", kind: .usage, "something is missing")
    }
  }

  /// Returns advice on a status; nil for a status that needs none.
  private static func advice(_ status: OperationStatus) -> String? {
    switch status {
    case .lockHeldByAnother: "somebody else has the sensor; 'sensor steal' takes it from them"
    case .preparingDownload: "the sensor prepares the data still: ask again in a while"
    case .initializationNeeded: "get it ready with 'sensor initialize', with the same session"
    case .configurationNeeded: "set it with 'sensor configure', with the same session"
    case .success, .failure, .invalidID, .canceled, .canceledWithSensorFailure, .sensorFailure, .lockNotHeld,
      .sensorBusy, .sensorTimeout, .unsupported, .badValue, .noSuchParameter, .unknown:
      nil
    }
  }

  /// The stable codes.
  static let errorCodes: [ErrorCodeDescription] = [
    .init("wsabi.key-needed", "the key of the store is needed and nobody can be asked for it"),
    .init("wsabi.short-passphrase", "a new passphrase has few characters, and nobody confirmed it"),
    .init("wsabi.bad-form-line", "a line of a form names an unknown field"),
    .init("wsabi.log-replaced", "the audit log does not have an entry that was noted: an older store was put back"),
    .init("wsabi.bad-head", "a text is not the head of a log"),
    .init("wsabi.other-key", "the key given once more is not that of the user"),
    .init("wsabi.bad-id", "a text is no id of a session or of captured data"),
    .init("wsabi.not-filed", "captured data is at the sensor or in a file, and filed under nobody"),
    .init("wsabi.not-audited", "the audit log does not tell of something that was done with a sensor"),
    .init("wsabi.capture-open", "a capture was begun, and its session and lock stay open"),
    .init("wsabi.unknown-modality", "a modality nobody knows"),
    .init("wsabi.unknown-submodality", "a submodality nobody knows"),
    .init("wsabi.other-modality", "a submodality is not of the modality"),
    .init("wsabi.not-confirmed", "something that cannot be undone was not confirmed"),
    .init("wsabi.passphrases-differ", "the two passphrases are not the same"),
    .init("wsabi.unknown-part", "a part of the body that an item does not show"),
    .init("wsabi.unknown-condition", "a condition of a part that nobody knows"),
    .init("wsabi.missing", "something was not said, and nobody can be asked"),
    .init("wsabi.no-terminal", "items are to be captured each after Enter, and there is no terminal"),
    .init("wsabi.item-and-person", "an item is named beside options that name others"),
    .init("wsabi.session-needed", "an operation needs the session that is meant"),
    .init("wsabi.not-allowed", "a field of a person has no such value"),
    .init("wsabi.unsuitable-sensor", "the sensor cannot capture what is wanted"),
    .init("wsabi.sensor-said-no", "a service answered an operation with a status that is no success"),
    .init("wsabi.no-sensor", "there is no recent sensor of that name or address"),
    .init("wsabi.captures-under-way", "what was asked for must wait until nothing is captured"),
    .init("wsabi.no-preview", "a sensor has no live preview"),
    .init("wsabi.no-user-named", "there is no user of that name"),
    .init("wsabi.log-damaged", "the audit log was changed, or entries are missing"),
    .init("wsabi.bad-setting", "a setting of a sensor is not written as KEY=VALUE"),
    .init("wsabi.setting-of-item", "a setting that says what an item is of is taken away, or said in two ways"),
    .init("wsabi.not-settable", "a setting that sensors tell of themselves is never sent to one"),
    .init("wsabi.new-key-needed", "nobody can be asked for the passphrase that is to be new"),
  ]
}
