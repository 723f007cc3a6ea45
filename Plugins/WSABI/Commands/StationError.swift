import PluginAPI
import PluginText
import WSABISimulator

/// The errors of users of the commands; the code, kind and catalog entry of each stand before its wording.
enum StationError {
  private static let keyNeededCode = DeclaredError(
    "wsabi.key-needed", .refused, "the key of the store is needed, but there is no terminal to ask for it")
  /// No key opens the store, and it cannot be requested.
  static let keyNeeded = keyNeededCode(
    "the key of the store is needed, but there is no terminal to ask for it",
    advice: "name a key file with '--key-file' or WORKBENCH_WSABI_KEY_FILE, or run 'store unlock' first "
      + "(in scripts with '--passphrase-stdin'); the store locks again when unused for the time in the setting "
      + "'idle-lock'")
  /// The user's own key is needed, even while the store is open, and it cannot be requested.
  static func ownKeyNeeded(to purpose: String) -> ErrorReport {
    keyNeededCode(
      "the key of the store is needed to \(purpose), but there is no terminal to ask for it",
      advice: "name a key file with '--key-file' or WORKBENCH_WSABI_KEY_FILE, or give the passphrase with "
        + "'--passphrase-stdin'")
  }

  private static let newKeyNeededCode = DeclaredError(
    "wsabi.new-key-needed", .refused, "a new passphrase is needed, but there is no terminal to ask for it")
  /// A new passphrase cannot be requested, and no line of standard input has it.
  static let newKeyNeeded = newKeyNeededCode(
    "a new passphrase is needed, but there is no terminal to ask for it",
    advice: "give it with '--passphrase-stdin', in the line after your own passphrase if that is read too, or use "
      + "'--new-key-file'")
  /// The passphrase of a new store cannot be requested.
  static let firstKeyNeeded = newKeyNeededCode(
    "a passphrase is needed for the new store, but there is no terminal to ask for it",
    advice: "give it with '--passphrase-stdin', or use '--new-key-file'")

  private static let otherKeyCode = DeclaredError(
    "wsabi.other-key", .refused, "the repeated key is not the key of the user")
  /// The repeated key differs from the first one.
  static let otherKey = otherKey(advice: "enter your own passphrase, or the path of your key file")
  static func otherKey(advice: String) -> ErrorReport {
    otherKeyCode("the passphrase or key file is not that of the user who opened the store", advice: advice)
  }

  /// The given key opens nothing.
  static func wrongKey(advice: String) -> ErrorReport {
    VaultError.wrongKeyCode(VaultError.wrongKey.message, advice: advice)
  }

  private static let passphrasesDifferCode = DeclaredError(
    "wsabi.passphrases-differ", .usage, "the two passphrases differ")
  static let passphrasesDiffer = passphrasesDifferCode("the two passphrases differ", advice: "try again")

  static let shortPassphrase = DeclaredError(
    "wsabi.short-passphrase", .refused, "a short new passphrase was not confirmed")

  private static let notConfirmed = DeclaredError(
    "wsabi.not-confirmed", .refused, "an action that cannot be undone was not confirmed")
  static func notConfirmed(what: String) -> ErrorReport {
    notConfirmed("confirmation needed to \(what)", advice: "confirm with '--yes'; this cannot be undone")
  }

  private static let noUserNamed = DeclaredError("wsabi.no-user-named", .notFound, "unknown user")
  static func noUserNamed(_ name: String) -> ErrorReport {
    noUserNamed("unknown user '\(name)'", advice: "list the users with 'workbench wsabi role'")
  }

  // MARK: - People and items

  private static let badFormLine = DeclaredError(
    "wsabi.bad-form-line", .unusableInput, "a line of a form names an unknown field")
  /// A line of a form with the name of an unknown field.
  static func badFormLine(_ number: Int, _ text: String, known: [String]) -> ErrorReport {
    badFormLine(
      "line \(number): '\(SanitizedText.line(text, limit: 40))' is not 'NAME: VALUE' with the name of a field",
      advice: Suggestion.advice(for: text, in: known) ?? "write a line as 'first-name: Ada'")
  }
  /// A line of a form that is not NAME: VALUE; its text may be personal.
  static func formLineWithoutName(_ number: Int) -> ErrorReport {
    badFormLine("line \(number) is not 'NAME: VALUE'", advice: "write it as 'first-name: Ada'")
  }

  private static let notAllowed = DeclaredError(
    "wsabi.not-allowed", .usage, "a field of a person does not allow the value")
  /// A field of a person does not accept the value, which is left out, as it concerns a person.
  static func notAllowed(field: String, expected: String) -> ErrorReport {
    notAllowed(
      "'--\(field)' does not allow this value", advice: "give \(expected), or an empty text to clear the field")
  }

  private static let unknownModality = DeclaredError("wsabi.unknown-modality", .usage, "unknown modality")
  static func unknownModality(_ word: String) -> ErrorReport {
    unknown(unknownModality, "modality", word, ItemSetting.modalityWords, "list them with 'workbench wsabi item types'")
  }

  private static let unknownSubmodality = DeclaredError(
    "wsabi.unknown-submodality", .usage, "unknown submodality")
  static func unknownSubmodality(_ word: String) -> ErrorReport {
    unknown(
      unknownSubmodality, "submodality", word, Submodality.known.map(\.wireName),
      "list them with 'workbench wsabi item types', or give '--modality' with a vendor-specific value")
  }

  private static func unknown(
    _ error: DeclaredError, _ what: String, _ word: String, _ known: [String], _ advice: String
  ) -> ErrorReport {
    let word = String(word.prefix(100))
    return error("unknown \(what) '\(word)'", advice: Suggestion.advice(for: word, in: known) ?? advice)
  }

  private static let otherModality = DeclaredError(
    "wsabi.other-modality", .usage, "a submodality does not belong to the modality")
  static func otherModality(_ submodality: Submodality, _ modality: Modality) -> ErrorReport {
    otherModality(
      "'\(submodality.title)' does not belong to the modality '\(modality.title)'",
      advice: "omit '--modality'; it follows from the submodality")
  }

  private static let unknownPart = DeclaredError(
    "wsabi.unknown-part", .usage, "an item does not have the part of the body")
  static func unknownPart(_ part: String, parts: [String]) -> ErrorReport {
    unknownPart(
      part.isEmpty ? "the item has several parts; no part was given" : "the item has no part '\(part)'",
      advice: "write PART=CONDITION; its parts are \(parts.map { "'\($0)'" }.joined(separator: ", "))")
  }

  private static let unknownCondition = DeclaredError(
    "wsabi.unknown-condition", .usage, "unknown condition of a part")
  static func unknownCondition(_ text: String) -> ErrorReport {
    let conditions = PartCondition.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    return unknownCondition(
      "unknown condition '\(text)'", advice: "write PART=CONDITION, with one of \(conditions)")
  }

  private static let badSetting = DeclaredError(
    "wsabi.bad-setting", .usage, "a setting of a sensor is not KEY=VALUE")
  static func badSetting(_ text: String) -> ErrorReport {
    badSetting("'\(text)' is not a setting of a sensor", advice: "write it as KEY=VALUE")
  }

  private static let settingOfItem = DeclaredError(
    "wsabi.setting-of-item", .usage, "a setting conflicts with the modality or submodality of an item")
  static func settingOfItem(_ key: String) -> ErrorReport {
    settingOfItem(
      "the setting '\(key)' conflicts with the item", advice: "give only '--\(key)'")
  }

  private static let notSettable = DeclaredError(
    "wsabi.not-settable", .usage, "a read-only parameter of sensors cannot be set")
  static func notSettable(_ key: String) -> ErrorReport {
    notSettable(
      "'\(key)' is a read-only parameter of sensors",
      advice: "omit it; list the settings with 'sensor check'")
  }

  private static let missing = DeclaredError(
    "wsabi.missing", .usage, "a value is missing, and there is no terminal to ask for it")
  /// A required value is missing, and it cannot be requested.
  static func missing(_ what: String) -> ErrorReport {
    missing("the \(what) is missing, and there is no terminal to ask for it", advice: "give '--\(what)'")
  }
  /// A person to capture is named, but no items.
  static func whichItems(person: Int) -> ErrorReport {
    missing(
      "no items given for person \(person)",
      advice: "give '--all' for all items, or '--missing' for items without a capture")
  }
  /// Neither an item nor a person to capture is named.
  static let nothingToCapture = missing(
    "no item given to capture",
    advice: "give an item, as in 'capture 1', or all items of a person: 'capture --person 1 --all'")

  private static let itemAndPerson = DeclaredError(
    "wsabi.item-and-person", .usage, "an item is given together with options for several items")
  static func itemAndPerson(item: Int) -> ErrorReport {
    itemAndPerson(
      "item \(item) cannot be combined with '--person', '--all' or '--missing'",
      advice: "use 'capture \(item)' for this item, or 'capture --person P --all' for all items of a person")
  }

  private static let noTerminal = DeclaredError(
    "wsabi.no-terminal", .usage, "'--in-turn' needs a terminal")
  static let inTurnWithoutTerminal = noTerminal(
    "'--in-turn' waits for Enter before each capture, but there is no terminal",
    advice: "run it in a terminal, or omit '--in-turn'")

  private static let capturesUnderWayCode = DeclaredError(
    "wsabi.captures-under-way", .refused, "the command cannot run while captures are under way")
  /// An operation that excludes captures was requested while there are captures.
  static let capturesUnderWay = capturesUnderWayCode(
    "captures are under way, here or in another process",
    advice: "wait until they end, or cancel them with 'operations cancel'", isRetryable: true)

  // MARK: - Sensors

  private static let badID = DeclaredError(
    "wsabi.bad-id", .usage, "a text is not the id of a session or of captured data")
  static func badID(_ text: String, of what: String) -> ErrorReport {
    badID(
      "'\(SanitizedText.line(text, limit: 60))' is not the id of \(what)",
      advice: "give the id of 'sensor register', 'sensor lock' or a capture: 8-4-4-4-12 hexadecimal digits")
  }

  private static let sessionNeeded = DeclaredError(
    "wsabi.session-needed", .usage, "an operation needs a session")
  /// The operation makes sense only with an existing session.
  static func sessionNeeded(_ operation: SensorOperation) -> ErrorReport {
    sessionNeeded(
      "'\(operation.words)' needs a session",
      advice: "give the session of 'sensor register' or 'sensor lock' with '--session'; if it is unknown, take the "
        + "lock with 'sensor steal'")
  }

  private static let unsuitable = DeclaredError(
    "wsabi.unsuitable-sensor", .refused, "the sensor cannot capture the submodality")
  static func unsuitable(_ message: String) -> ErrorReport {
    unsuitable(
      message, advice: "choose another sensor or submodality, or accept it with '--anyway'")
  }

  /// The code of ``SensorRefusal``.
  fileprivate static let saidNo = DeclaredError(
    "wsabi.sensor-said-no", .network, "a service responded to an operation with a status other than success")

  private static let noPreview = DeclaredError("wsabi.no-preview", .notFound, "a sensor does not have a live preview")
  static func noPreview(address: String) -> ErrorReport {
    noPreview(
      "the sensor at '\(SanitizedText.line(address, limit: 2000))' does not have a live preview",
      advice: "see what it supports with 'sensor check'")
  }

  private static let noSensor = DeclaredError(
    "wsabi.no-sensor", .notFound, "unknown recent sensor")
  static func noSensor(_ name: String) -> ErrorReport {
    noSensor("unknown recent sensor '\(name)'", advice: "list them with 'workbench wsabi sensor list'")
  }

  // MARK: - The store

  private static let logDamaged = DeclaredError(
    "wsabi.log-damaged", .unusableInput, "the audit log was changed, or entries are missing")
  static func logDamaged(entry: Int, fault: String) -> ErrorReport {
    logDamaged(
      "entry \(entry) of the audit log is \(fault)",
      advice: "keep a copy of the store, and find out who could write to it")
  }

  private static let logReplaced = DeclaredError(
    "wsabi.log-replaced", .unusableInput,
    "the audit log lacks a noted entry: an older store was restored")
  /// The audit log is intact, but does not contain the noted entry.
  static func logReplaced(entry: Int) -> ErrorReport {
    logReplaced(
      "the audit log lacks the noted entry \(entry)",
      advice: "find out who restored an older copy of the store, or ran 'store change-master-key' since"
    )
  }

  private static let badHead = DeclaredError("wsabi.bad-head", .usage, "a text is not the head of a log")
  static func badHead(_ text: String) -> ErrorReport {
    badHead(
      "'\(SanitizedText.line(text, limit: 80))' is not the head of a log",
      advice: "give the head that 'log --head' printed: a number, a colon and hexadecimal digits")
  }

  /// The store is damaged; the first fault, and the number of others.
  static func storeDamaged(first: String, others: Int) -> ErrorReport {
    VaultError.storeDamaged(
      others > 0 ? "\(first), and \(others) more" : first,
      advice: "keep a copy of the store, and restore a backup; check the audit log with 'workbench wsabi log "
        + "--verify'")
  }

  /// The stable codes, in the order of the catalog.
  static let errorCodes: [ErrorCodeDescription] =
    mistakes.map(\.catalogueEntry) + notes + otherMistakes.map(\.catalogueEntry)

  private static let mistakes: [DeclaredError] = [
    keyNeededCode, shortPassphrase, badFormLine, logReplaced, badHead, otherKeyCode, badID,
  ]

  private static let notes: [ErrorCodeDescription] = [
    .init("wsabi.not-filed", "captured data is at the sensor or in a file, and belongs to no person"),
    .init("wsabi.not-audited", "the audit log does not record a use of a sensor"),
    .init("wsabi.capture-open", "a sensor is capturing; its session and lock stay open"),
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
  let address: SensorAddress
  let status: OperationStatus
  var message = ""
  var badFields: [String] = []
  /// True if the operation verified a theft of the lock that the sensor had reported.
  var verifiesTheft = false

  var report: ErrorReport {
    StationError.saidNo(
      "the sensor at '\(address.text)' responded to '\(operation.words)' with "
        + "'\(SanitizedText.line(status.word, limit: 100))'"
        + (message.isEmpty ? "" : ": \(SanitizedText.line(message, limit: 300))"), advice: advice,
      details: [
        "address": .text(address.text), "status": .text(status.word), "badFields": .list(badFields.map(Value.text)),
      ],
      isRetryable: [.preparingDownload, .sensorBusy, .sensorTimeout].contains(status))
  }

  /// Advice on the status; nil for a status that needs none.
  private var advice: String? {
    switch status {
    case .lockHeldByAnother where verifiesTheft:
      "the sensor reported the theft, but another client still holds the lock; wait until it is released"
    case .lockHeldByAnother: "another client holds the lock; wait, or take it with 'sensor steal \(address.text)'"
    case .preparingDownload: "the sensor is still preparing the data; try again later"
    case .initializationNeeded: "run 'sensor initialize' with the same session first"
    case .configurationNeeded: "run 'sensor configure' with the same session first"
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
    .init("wsabi.more", "a list has more rows than '--limit'"),
    .init("wsabi.not-kept-unlocked", "the kernel cannot store the key, so that each command needs it"),
    .init("wsabi.more-sensors", "more sensors responded than are shown"),
    .init("wsabi.sensor-unchecked", "a sensor was not reached when its item was set up; the item is stored"),
    .init("wsabi.sensor-unsuited", "an item was set up with a sensor that cannot capture it"),
    .init("wsabi.own-word", "an unknown submodality is stored and sent as given"),
    .init("wsabi.sensor-unprotected", "the connection to a sensor over a network is not encrypted"),
    .init("wsabi.key-needed-again", "a store was created, and commands ask for its key until 'store unlock'"),
    .init("wsabi.users-returned", "users have the keys and roles of a restored backup again"),
    .init("wsabi.lock-stolen", "the lock of a sensor was stolen and is held by this station"),
    .init("wsabi.not-resumed", "captures of an earlier run were not resumed, as another process captures"),
    .init("wsabi.in-turn", "a capture of '--in-turn' is stored; the next item follows"),
    .init("wsabi.scored-later", "captures that a killed run stored were scored"),
    .init("wsabi.resumed", "a capture of an earlier run was finished, or reported as unknown"),
    .init("wsabi.no-quality", "a capture has no quality score"),
    .init("wsabi.left-out", "an export or import left something out"),
    .init("wsabi.same-finger-twice", "captures of two different fingers show the same finger"),
    .init("wsabi.different-fingers", "two captures of one finger show different fingers"),
    .init("wsabi.cut-picture", "the picture of a sensor is incomplete; it is stored as received"),
    .init("wsabi.other-part", "a sensor reports another part of the body than requested"),
    .init("wsabi.strange-answer", "a sensor sent contradictory data; it is stored as received"),
    .init("wsabi.capture-warning", "a capture succeeded with deviations"),
  ]
}
