import PluginAPI
import PluginText
import WSABISimulator

/// The errors of users of the commands; the code, kind and catalog entry of each stand before its wording.
enum StationError {
  private static let keyNeededCode = DeclaredError(
    "wsabi.key-needed", .refused, "the key of the store is needed and nobody can be asked for it")
  /// No key was named, and it cannot be requested.
  static let keyNeeded = keyNeededCode(
    "the key of the store is needed, and nobody can be asked for it",
    advice: "name a key file with '--key-file' or WORKBENCH_WSABI_KEY_FILE, or unlock the store before")

  private static let newKeyNeededCode = DeclaredError(
    "wsabi.new-key-needed", .refused, "nobody can be asked for the passphrase that is to be new")
  /// A new passphrase cannot be requested, and no line of standard input has it.
  static let newKeyNeeded = newKeyNeededCode(
    "there is no new passphrase, and nobody can be asked for it",
    advice: "give it with '--passphrase-stdin', in the line behind your own, or use '--new-key-file'")

  private static let otherKeyCode = DeclaredError(
    "wsabi.other-key", .refused, "the key given once more is not that of the user")
  /// The repeated key differs from the first one.
  static let otherKey = otherKeyCode(
    "the key is not that of the user who opened the store", advice: "give your own key once more")

  private static let passphrasesDifferCode = DeclaredError(
    "wsabi.passphrases-differ", .usage, "the two passphrases are not the same")
  static let passphrasesDiffer = passphrasesDifferCode("the two passphrases are not the same", advice: "try again")

  private static let shortPassphrase = DeclaredError(
    "wsabi.short-passphrase", .refused, "a new passphrase has few characters, and nobody confirmed it")
  /// A new passphrase that is easily guessed was not confirmed.
  static func shortPassphrase(characters: Int) -> ErrorReport {
    shortPassphrase(
      "a passphrase of \(characters) characters is easily guessed and was not confirmed",
      advice: "take a sentence of several words, or confirm it with '--short-passphrase'")
  }

  private static let notConfirmed = DeclaredError(
    "wsabi.not-confirmed", .refused, "something that cannot be undone was not confirmed")
  static func notConfirmed(what: String) -> ErrorReport {
    notConfirmed("\(what) cannot be undone and was not confirmed", advice: "confirm it with '--yes'")
  }

  private static let noUserNamed = DeclaredError("wsabi.no-user-named", .notFound, "there is no user of that name")
  static func noUserNamed(_ name: String) -> ErrorReport {
    noUserNamed("there is no user '\(name)'", advice: "'workbench wsabi role' lists them")
  }

  // MARK: - People and items

  private static let badFormLine = DeclaredError(
    "wsabi.bad-form-line", .unusableInput, "a line of a form names an unknown field")
  /// A line of a form with the name of an unknown field.
  static func badFormLine(_ number: Int, _ text: String, nearest: String?) -> ErrorReport {
    badFormLine(
      "line \(number): '\(SanitizedText.line(text, limit: 40))' is not NAME: VALUE with the name of an option of the form",
      advice: nearest.map { "the nearest name is '\($0)'" } ?? "write a line as 'first-name: Ada'")
  }
  /// A line of a form that is not NAME: VALUE; its text may be personal.
  static func formLineWithoutName(_ number: Int) -> ErrorReport {
    badFormLine("line \(number) is not NAME: VALUE", advice: "write it as 'first-name: Ada'")
  }

  private static let notAllowed = DeclaredError("wsabi.not-allowed", .usage, "a field of a person has no such value")
  /// A field of a person does not accept the value, which is left out, as it concerns a person.
  static func notAllowed(field: String, expected: String) -> ErrorReport {
    notAllowed(
      "what is said by '--\(field)' cannot stand there", advice: "give \(expected), or an empty text for nothing")
  }

  private static let unknownModality = DeclaredError("wsabi.unknown-modality", .usage, "a modality nobody knows")
  static func unknownModality(_ word: String, nearest: String?) -> ErrorReport {
    unknown(unknownModality, "modality", word, nearest, "'workbench wsabi item types' lists them")
  }

  private static let unknownSubmodality = DeclaredError(
    "wsabi.unknown-submodality", .usage, "a submodality nobody knows")
  static func unknownSubmodality(_ word: String, nearest: String?) -> ErrorReport {
    unknown(
      unknownSubmodality, "submodality", word, nearest,
      "'workbench wsabi item types' lists them; a sensor's own word needs '--modality' beside it")
  }

  private static func unknown(
    _ error: DeclaredError, _ what: String, _ word: String, _ nearest: String?, _ advice: String
  ) -> ErrorReport {
    error("'\(word)' is not a known \(what)", advice: nearest.map { "the nearest is '\($0)'" } ?? advice)
  }

  private static let otherModality = DeclaredError(
    "wsabi.other-modality", .usage, "a submodality is not of the modality")
  static func otherModality(_ submodality: Submodality, _ modality: Modality) -> ErrorReport {
    otherModality(
      "'\(submodality.title)' is not of the modality '\(modality.title)'",
      advice: "leave out '--modality', which follows from the submodality")
  }

  private static let unknownPart = DeclaredError(
    "wsabi.unknown-part", .usage, "a part of the body that an item does not show")
  static func unknownPart(_ part: String, parts: [String]) -> ErrorReport {
    unknownPart(
      part.isEmpty ? "the item has several parts, and none of them is named" : "the item has no part '\(part)'",
      advice: "write PART=CONDITION; its parts are \(parts.map { "'\($0)'" }.joined(separator: ", "))")
  }

  private static let unknownCondition = DeclaredError(
    "wsabi.unknown-condition", .usage, "a condition of a part that nobody knows")
  static func unknownCondition(_ text: String) -> ErrorReport {
    let conditions = PartCondition.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    return unknownCondition(
      "'\(text)' names no condition of a part", advice: "write PART=CONDITION, with one of \(conditions)")
  }

  private static let badSetting = DeclaredError(
    "wsabi.bad-setting", .usage, "a setting of a sensor is not written as KEY=VALUE")
  static func badSetting(_ text: String) -> ErrorReport {
    badSetting("'\(text)' is not a setting of a sensor", advice: "write it as KEY=VALUE")
  }

  private static let settingOfItem = DeclaredError(
    "wsabi.setting-of-item", .usage, "a setting that says what an item is of is taken away, or said in two ways")
  static func settingOfItem(_ key: String) -> ErrorReport {
    settingOfItem(
      "'\(key)' says what the item is of, in one way and not in two", advice: "give '--\(key)' alone")
  }

  private static let notSettable = DeclaredError(
    "wsabi.not-settable", .usage, "a setting that sensors tell of themselves is never sent to one")
  static func notSettable(_ key: String) -> ErrorReport {
    notSettable(
      "'\(key)' is told by sensors of themselves, and is never sent to one",
      advice: "leave it out; 'sensor check' shows what can be set")
  }

  private static let missing = DeclaredError(
    "wsabi.missing", .usage, "something was not said, and nobody can be asked")
  /// A required value is missing, and it cannot be requested.
  static func missing(_ what: String) -> ErrorReport {
    missing("the \(what) was not said, and nobody can be asked", advice: "give '--\(what)'")
  }
  /// A person to capture is named, but no items.
  static func whichItems(person: Int) -> ErrorReport {
    missing(
      "person \(person) is named, but not which items shall be captured",
      advice: "give '--all' for all of them, or '--missing' for those without a capture")
  }
  /// Neither an item nor a person to capture is named.
  static let nothingToCapture = missing(
    "nothing is named that shall be captured",
    advice: "name an item, as in 'capture 1', or all items of a person: 'capture --person 1 --all'")

  private static let itemAndPerson = DeclaredError(
    "wsabi.item-and-person", .usage, "an item is named beside options that name others")
  static func itemAndPerson(item: Int) -> ErrorReport {
    itemAndPerson(
      "item \(item) is named beside '--person', '--all' or '--missing', which name others",
      advice: "'capture \(item)' captures it alone, 'capture --person P --all' all items of a person")
  }

  private static let noTerminal = DeclaredError(
    "wsabi.no-terminal", .usage, "items are to be captured each after Enter, and there is no terminal")
  static let inTurnWithoutTerminal = noTerminal(
    "'--in-turn' waits for Enter before each capture, and nobody pressed it",
    advice: "run it in a terminal, or leave out '--in-turn'")

  private static let capturesUnderWayCode = DeclaredError(
    "wsabi.captures-under-way", .refused, "what was asked for must wait until nothing is captured")
  /// An operation that excludes captures was requested while there are captures.
  static let capturesUnderWay = capturesUnderWayCode(
    "captures are under way, here or in another program",
    advice: "wait for their end, or end them with 'operations cancel'", isRetryable: true)

  // MARK: - Sensors

  private static let badID = DeclaredError(
    "wsabi.bad-id", .usage, "a text is not the id of a session or of captured data")
  static func badID(_ text: String, of what: String) -> ErrorReport {
    badID(
      "'\(SanitizedText.line(text, limit: 60))' is not the id of \(what)",
      advice: "give it as 'sensor register', 'sensor lock' or a capture told it: 8-4-4-4-12 hexadecimal digits")
  }

  private static let sessionNeeded = DeclaredError(
    "wsabi.session-needed", .usage, "an operation needs the session that is meant")
  /// The operation makes sense only with an existing session.
  static func sessionNeeded(_ operation: SensorOperation) -> ErrorReport {
    sessionNeeded(
      "'\(operation.words)' needs the session that is meant: one begun for it would have nothing to give back",
      advice: "give '--session' as 'sensor register' or 'sensor lock' told it; 'sensor steal' takes a lock whose "
        + "session nobody knows")
  }

  private static let unsuitable = DeclaredError(
    "wsabi.unsuitable-sensor", .refused, "the sensor cannot capture what is wanted")
  static func unsuitable(_ words: String) -> ErrorReport {
    unsuitable(
      words, advice: "choose another sensor or another submodality, or take it all the same with '--anyway'")
  }

  /// The code of ``SensorRefusal``.
  fileprivate static let saidNo = DeclaredError(
    "wsabi.sensor-said-no", .network, "a service answered an operation with a status other than success")

  private static let noPreview = DeclaredError("wsabi.no-preview", .notFound, "a sensor has no live preview")
  static func noPreview(address: String) -> ErrorReport {
    noPreview(
      "the sensor at '\(SanitizedText.line(address, limit: 2000))' has no live preview",
      advice: "'sensor check' shows what it tells of itself")
  }

  private static let noSensor = DeclaredError(
    "wsabi.no-sensor", .notFound, "there is no recent sensor of that name or address")
  static func noSensor(_ name: String) -> ErrorReport {
    noSensor("there is no recent sensor '\(name)'", advice: "'workbench wsabi sensor list' shows them")
  }

  // MARK: - The store

  private static let logDamaged = DeclaredError(
    "wsabi.log-damaged", .unusableInput, "the audit log was changed, or entries are missing")
  static func logDamaged(entry: Int, fault: String) -> ErrorReport {
    logDamaged(
      "entry \(entry) of the audit log is \(fault)",
      advice: "keep a copy of the store as it is, and ask who could write to it")
  }

  private static let logReplaced = DeclaredError(
    "wsabi.log-replaced", .unusableInput,
    "the audit log does not have an entry that was noted: an older store was put back")
  /// The audit log is intact, but does not contain the noted entry.
  static func logReplaced(entry: Int) -> ErrorReport {
    logReplaced(
      "the audit log does not have the entry \(entry) that was noted",
      advice: "an older copy of the store was put back, or 'store change-master-key' was run since; ask who could do so"
    )
  }

  private static let badHead = DeclaredError("wsabi.bad-head", .usage, "a text is not the head of a log")
  static func badHead(_ text: String) -> ErrorReport {
    badHead(
      "'\(SanitizedText.line(text, limit: 80))' is not the head of a log",
      advice: "give it as 'log --head' printed it: a number, a colon and hexadecimal digits")
  }

  /// The store is damaged; the first fault, and the number of others.
  static func storeDamaged(first: String, others: Int) -> ErrorReport {
    VaultError.Code.storeDamaged(
      others > 0 ? "\(first), and \(others) more" : first,
      advice: "keep a copy of the store as it is, and restore a backup; 'workbench wsabi log --verify' tells whether "
        + "the audit log is whole")
  }

  /// The stable codes, in the order of the catalog.
  static let errorCodes: [ErrorCodeDescription] =
    mistakes.map(\.catalogueEntry) + notes + otherMistakes.map(\.catalogueEntry)

  private static let mistakes: [DeclaredError] = [
    keyNeededCode, shortPassphrase, badFormLine, logReplaced, badHead, otherKeyCode, badID,
  ]

  private static let notes: [ErrorCodeDescription] = [
    .init("wsabi.not-filed", "captured data is at the sensor or in a file, and filed under nobody"),
    .init("wsabi.not-audited", "the audit log does not tell of something that was done with a sensor"),
    .init("wsabi.capture-open", "a capture was begun, and its session and lock stay open"),
  ]

  private static let otherMistakes: [DeclaredError] = [
    unknownModality, unknownSubmodality, otherModality, notConfirmed, passphrasesDifferCode, unknownPart,
    unknownCondition, missing, noTerminal, itemAndPerson, sessionNeeded, notAllowed, unsuitable, saidNo, noSensor,
    capturesUnderWayCode, noPreview, noUserNamed, logDamaged, badSetting, settingOfItem, notSettable,
    newKeyNeededCode,
  ]
}

/// A service's response to an operation with a status other than success.
struct SensorRefusal: Error, Equatable, ReportableError {
  let operation: SensorOperation
  let status: OperationStatus
  var message = ""
  var badFields: [String] = []

  var report: ErrorReport {
    StationError.saidNo(
      "'\(operation.words)' is answered with '\(SanitizedText.line(status.word, limit: 100))'"
        + (message.isEmpty ? "" : ": \(SanitizedText.line(message, limit: 300))"), advice: advice,
      details: ["status": .text(status.word), "badFields": .list(badFields.map(Value.text))],
      isRetryable: [.preparingDownload, .sensorBusy, .sensorTimeout].contains(status))
  }

  /// Advice on the status; nil for a status that needs none.
  private var advice: String? {
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
}

/// All stable codes of errors and notes of this plugin.
enum WSABIErrorCodes {
  static let all: [ErrorCodeDescription] =
    StationError.errorCodes + CaptureProblem.errorCodes + notes + LeftLocks.codes + Enrollment.codes
    + VaultError.errorCodes
    + SensorFault.errorCodes
    + AddressError.errorCodes + DiscoveryError.errorCodes + CameraError.errorCodes
    + SimulatorError.errorCodes + ITLError.errorCodes
    + ExchangeError.errorCodes + PictureError.errorCodes + ScorerError.errorCodes

  private static let notes: [ErrorCodeDescription] = [
    .init("wsabi.more", "a list has more rows than were asked for"),
    .init("wsabi.not-kept-unlocked", "the kernel keeps no keys here, so the store is unlocked for one command only"),
    .init("wsabi.more-sensors", "more sensors answered than are shown"),
    .init("wsabi.sensor-unchecked", "a sensor was not reached when an item was set up, which is stored all the same"),
    .init("wsabi.sensor-unsuited", "an item was set up with a sensor that says that it cannot capture it"),
    .init("wsabi.own-word", "a submodality nobody knows, which is kept and sent as it is"),
    .init("wsabi.sensor-unprotected", "the connection to a sensor is not encrypted, and leads over a network"),
    .init("wsabi.key-needed-again", "a store was made, and commands ask for its key until 'store unlock'"),
    .init("wsabi.users-returned", "a restored backup lets users open the store as they could when it was made"),
    .init("wsabi.lock-stolen", "the lock of a sensor was stolen, and stays with this station"),
    .init("wsabi.not-resumed", "captures of an earlier run are left open, as another process captures"),
    .init("wsabi.in-turn", "a capture of '--in-turn' is stored; the next item is asked for"),
    .init("wsabi.scored-later", "captures that a killed run had stored were scored"),
    .init("wsabi.resumed", "a capture that an earlier run did not finish was finished, or named as unknown"),
    .init("wsabi.no-quality", "nobody scored a capture, so nothing can be said of its quality"),
    .init("wsabi.left-out", "something could not be taken along in an export or an import"),
    .init("wsabi.same-finger-twice", "two captures under two names show the same finger"),
    .init("wsabi.different-fingers", "two captures under one name show different fingers"),
    .init("wsabi.cut-picture", "the picture a sensor sent is not whole; it is kept as it came"),
    .init("wsabi.other-part", "a sensor says that it took another part of the body than was wanted"),
    .init("wsabi.strange-answer", "a sensor says something of a capture that cannot be so; it is kept as it came"),
    .init("wsabi.capture-warning", "a capture went well, but not as told"),
  ]
}
