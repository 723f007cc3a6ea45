import Glibc
import PluginAPI
import PluginVault

/// Errors of the store of people and captures, beyond those of the database itself.
enum VaultError {
  private static let noLibsodium = DeclaredError(
    "wsabi.no-libsodium", .failure, "libsodium is not installed; install it with 'sudo apt install libsodium23'")
  /// libsodium cannot be used; the payload is the reason.
  static func noLibrary(_ problem: String) -> ErrorReport {
    noLibsodium("cannot load libsodium: \(problem)", advice: "install it with 'sudo apt install libsodium23'")
  }
  static let noStore = DeclaredError("wsabi.no-store", .notFound, "no store of people and captures")
  static func noStore(path: String) -> ErrorReport {
    noStore("no store in '\(path)'", advice: "create one with 'workbench wsabi store init'")
  }
  private static let storeExists = DeclaredError("wsabi.store-exists", .refused, "a store already exists")
  static func storeExists(path: String) -> ErrorReport {
    storeExists("a store already exists in '\(path)'", advice: "open it, or choose another folder with '--home'")
  }
  static let wrongKeyCode = DeclaredError(
    "wsabi.wrong-key", .refused, "the passphrase or key file does not open the store")
  static let wrongKey = wrongKeyCode(
    "the passphrase or key file does not open the store",
    advice: "try again, or ask an administrator of the store for a new key")
  private static let unusablePassphraseCode = DeclaredError(
    "wsabi.unusable-passphrase", .usage, "a passphrase is empty or longer than 1024 bytes")
  static let unusablePassphrase = unusablePassphraseCode(
    "the passphrase is empty or longer than 1024 bytes", advice: "use a sentence of several words")
  private static let keyFileCode = DeclaredError(
    "wsabi.key-file", .refused, "a key file is missing, malformed or readable by others")
  /// A key file that is missing, malformed, or readable by others; with the reason.
  static func keyFile(path: String, reason: String, advice: String = VaultFailure.adviceOnKeyFiles) -> ErrorReport {
    keyFileCode("cannot use the key file '\(path)': \(reason)", advice: advice, details: ["path": .text(path)])
  }
  /// A key file that does not exist.
  static func noKeyFile(path: String) -> ErrorReport {
    ErrorReport(
      code: keyFileCode.code, kind: .notFound, "key file '\(path)' not found", advice: "check the path",
      details: ["path": .text(path)])
  }
  static let storeLocked = DeclaredError("wsabi.store-locked", .refused, "the store is locked")
  static let locked = storeLocked(
    "the store is locked",
    advice: "unlock it with 'workbench wsabi store unlock'; it locks when unused for the time in the setting "
      + "'idle-lock'")
  static let storeDamaged = DeclaredError(
    "wsabi.store-damaged", .unusableInput, "a record is damaged; restore a backup")
  /// A record that was altered; the payload names it.
  static func damaged(_ record: String) -> ErrorReport {
    storeDamaged(
      "\(record) of the store is damaged",
      advice: "restore a backup; check the audit log with 'workbench wsabi log --verify'")
  }
  private static let noPerson = DeclaredError("wsabi.no-person", .notFound, "person not found")
  static func noPerson(_ id: Int) -> ErrorReport {
    noPerson("person \(id) not found", advice: "list people with 'workbench wsabi person list'")
  }
  private static let noItem = DeclaredError("wsabi.no-item", .notFound, "item not found")
  static func noItem(_ id: Int) -> ErrorReport {
    noItem("item \(id) not found", advice: "list items with 'workbench wsabi item list'")
  }
  private static let noCapture = DeclaredError("wsabi.no-capture", .notFound, "capture not found")
  static func noCapture(_ id: Int) -> ErrorReport {
    noCapture("capture \(id) not found", advice: "list captures with 'workbench wsabi item captures'")
  }
  static let noUser = DeclaredError("wsabi.no-user", .notFound, "user not found")
  static func noUser(_ id: Int) -> ErrorReport {
    noUser("user \(id) not found", advice: "list the users with 'workbench wsabi role'")
  }
  private static let noJournalEntry = DeclaredError(
    "wsabi.no-journal-entry", .notFound, "no pending operation with this number")
  /// An entry of the journal that is not there, or has ended; or an id it does not wait for.
  static func noJournalEntry(_ number: Int) -> ErrorReport {
    noJournalEntry("no pending operation \(number)", advice: "list operations with 'workbench wsabi operations'")
  }
  private static let otherData = DeclaredError(
    "wsabi.other-data", .failure, "stored data differs from the data of the sensor; nothing was stored")
  static func otherData(expected: Int, found: Int) -> ErrorReport {
    otherData(
      "the stored data (\(found) bytes) differs from the data of the sensor (\(expected) bytes)",
      advice: "nothing was stored; download again", isRetryable: true)
  }
  private static let itemEdited = DeclaredError(
    "wsabi.item-edited", .refused, "an item was edited after its capture was requested; nothing was captured")
  static func itemEdited(_ item: Int) -> ErrorReport {
    itemEdited(
      "item \(item) was edited after its capture was requested",
      advice: "nothing was captured; check 'item show \(item)', and capture again")
  }
  private static let captureUnderWay = DeclaredError(
    "wsabi.capture-under-way", .refused, "an item has an unfinished capture")
  static func captureUnderWay(item: Int) -> ErrorReport {
    captureUnderWay(
      "item \(item) has an unfinished capture",
      advice: "wait for it, or cancel it with 'workbench wsabi operations cancel'; for a capture of an earlier run, "
        + "use 'operations resume' or 'operations discard'")
  }
  private static let capturedModality = DeclaredError(
    "wsabi.captured-modality", .refused, "the modality of an item with captures cannot change")
  static func capturedModality(item: Int, _ modality: Modality) -> ErrorReport {
    capturedModality(
      "item \(item) has captures of the modality '\(modality.title)', which cannot change",
      advice: "add another item with 'workbench wsabi item add'")
  }
  private static let sinkClosedCode = DeclaredError(
    "wsabi.sink-closed", .failure, "data received for a download that has ended")
  static let sinkClosed = sinkClosedCode("data received for a download that has ended")
  private static let keyOfOlderStore = DeclaredError(
    "wsabi.key-of-older-store", .refused, "a user must open the store once before its master key can be changed")
  static func keyOfOlderStore(user: Int) -> ErrorReport {
    keyOfOlderStore(
      "the key of user \(user) was created by an older version",
      advice: "have the user open the store once, or remove the user")
  }
  private static let userExistsCode = DeclaredError(
    "wsabi.user-exists", .refused, "a user with this name or key already exists")
  static let userExists = userExistsCode(
    "a user with this name or key already exists", advice: "choose another name and key")
  private static let lastAdminCode = DeclaredError(
    "wsabi.last-admin", .refused, "the last administrator cannot be removed")
  static let lastAdmin = lastAdminCode(
    "the last administrator cannot be removed", advice: "make another user an administrator first")
  private static let captureFile = DeclaredError(
    "wsabi.capture-file", .failure, "cannot read or write the file of a capture")
  static let diskFull = DeclaredError(
    "wsabi.disk-full", .failure, "no space left for the data of a capture; free some space")
  /// A file of a capture cannot be written or read; the number is that of the system's error.
  static func file(path: String, number: Int32) -> ErrorReport {
    let isFull = number == ENOSPC || number == EDQUOT
    return (isFull ? diskFull : captureFile)(
      "cannot store the data of a capture in '\(path)': \(String(cString: strerror(number)))",
      advice: isFull ? "free some space and try again" : "check the folder and its permissions",
      details: ["path": .text(path)], isRetryable: isFull)
  }
  private static let restoreNeedsKey = DeclaredError(
    "wsabi.restore-needs-key", .refused, "replacing a store needs the key of one of its administrators")
  static func restoreNeedsKey(path: String) -> ErrorReport {
    restoreNeedsKey(
      "'\(path)' would replace a store; only an administrator of the store may do this",
      advice: "run 'workbench wsabi store restore FILE' with the administrator's key")
  }
  private static let backupOfOtherKey = DeclaredError(
    "wsabi.backup-of-other-key", .refused, "a key opens the store, but not the backup that would replace it")
  static func backupOfOtherKey(path: String) -> ErrorReport {
    backupOfOtherKey(
      "your key does not open the backup '\(path)'",
      advice: "use a key from the time of the backup, or restore it where there is no store")
  }
  private static let storeInUseCode = DeclaredError(
    "wsabi.store-in-use", .refused, "other programs changed the store during the restore")
  static let storeInUse = storeInUseCode(
    "the store is in use by other programs", advice: "quit them and try again", isRetryable: true)
  private static let noMemoryCode = DeclaredError("wsabi.no-memory", .failure, "not enough locked memory for keys")
  static let noMemory = noMemoryCode(
    "not enough locked memory for keys", advice: "quit other programs and try again", isRetryable: true)

  /// Returns the store's error for one of the kit.
  static func of(_ failure: VaultFailure) -> ErrorReport {
    switch failure {
    case .noLibrary(let problem): noLibrary(problem)
    case .noMemory: noMemory
    case .unusablePassphrase: unusablePassphrase
    case .unusableKey: wrongKey
    case .unusablePublicKey: damaged("the public key of a user")
    case .noKeyFile(let path): noKeyFile(path: path)
    case .keyFile(let path, let reason, let advice): keyFile(path: path, reason: reason, advice: advice)
    }
  }

  /// The stable codes.
  static let errorCodes = (opening + users + records).map(\.catalogueEntry)

  private static let opening = [
    noLibsodium, noStore, storeExists, wrongKeyCode, unusablePassphraseCode, keyFileCode, storeLocked, restoreNeedsKey,
    backupOfOtherKey, storeInUseCode, noMemoryCode, storeDamaged,
  ]
  private static let users = [
    VaultRefusal.notPermitted, noUser, userExistsCode, keyOfOlderStore, lastAdminCode,
  ]
  private static let records = [
    noPerson, noItem, noCapture, noJournalEntry, VaultRefusal.captureIDTaken, otherData, captureUnderWay, itemEdited,
    VaultRefusal.capturedAs, capturedModality, sinkClosedCode, captureFile, diskFull,
  ]
}

/// A refusal of the store whose subject callers need.
enum VaultRefusal: Error, Equatable, ReportableError {
  /// A user may not do it.
  case permission(Role, Permission)
  /// The id belongs to another item.
  case knownCaptureID(item: Int)
  /// Renaming an item with captures under its present name.
  case renaming(item: Int, Submodality)

  fileprivate static let notPermitted = DeclaredError(
    "wsabi.not-permitted", .refused, "the role of the user does not allow it")
  fileprivate static let captureIDTaken = DeclaredError(
    "wsabi.capture-id-taken", .network, "a sensor returned the capture id of another item; nothing was stored")
  fileprivate static let capturedAs = DeclaredError(
    "wsabi.captured-as", .refused, "a new submodality of an item with captures was not confirmed")

  var report: ErrorReport {
    switch self {
    case .permission(let role, let permission):
      Self.notPermitted(
        "the role '\(role.rawValue)' may not \(permission.action)",
        advice: "ask a user with the role "
          + permission.roles.map { "'\($0.rawValue)'" }.sorted().joined(separator: " or "))
    case .knownCaptureID(let item):
      Self.captureIDTaken(
        "the sensor returned the capture id of data that belongs to item \(item)",
        advice: "nothing was stored; check whether two services share their data, and capture again")
    case .renaming(let item, let submodality):
      Self.capturedAs(
        "item \(item) has captures of '\(submodality.title)'",
        advice: "add another item, or confirm 'item edit' with '--yes'; the captures keep their submodality")
    }
  }
}
