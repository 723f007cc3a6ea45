import Glibc
import PluginAPI
import PluginVault

/// Errors of the store of people and captures, beyond those of the database itself.
enum VaultError: Error, Equatable {
  /// libsodium cannot be used; the payload is the reason.
  case noLibrary(String)
  /// There is no store in the folder.
  case noStore(path: String)
  /// There is a store in the folder already.
  case storeExists(path: String)
  /// The key opens nothing.
  case wrongKey
  /// An empty passphrase, or one that is implausibly long.
  case unusablePassphrase
  /// A key file that is missing, malformed, or readable by others; with the reason.
  case keyFile(path: String, reason: String, advice: String = VaultFailure.adviceOnKeyFiles)
  /// A key file that does not exist.
  case noKeyFile(path: String)
  /// The store is locked.
  case locked
  /// A record that was altered; the payload names it.
  case damaged(String)
  /// A user may not do it.
  case notPermitted(Role, Permission)
  case noPerson(Int)
  case noItem(Int)
  case noCapture(Int)
  case noUser(Int)
  /// An entry of the journal that is not there, or has ended; or an id it does not wait for.
  case noJournalEntry(Int)
  /// The id belongs to another item.
  case captureIDTaken(item: Int)
  /// Stored data that is not the data the service sent.
  case otherData(expected: Int, found: Int)
  /// An item that was edited after its capture was ordered.
  case itemEdited(Int)
  /// An item with a capture in progress.
  case captureUnderWay(item: Int)
  /// Renaming an item with captures under its present name.
  case capturedAs(item: Int, Submodality)
  /// An item that would be of another modality, and has captures of the one it has.
  case capturedModality(item: Int, Modality)
  /// A sink that was already finished or stored, or was abandoned.
  case sinkClosed
  /// A user who cannot receive a new master key before opening the store once more.
  case keyOfOlderStore(user: Int)
  /// A user with that name, or with that key, already exists.
  case userExists
  /// No user could manage the store any more.
  case lastAdmin
  /// A file of a capture cannot be written or read; the number is that of the system's error.
  case file(path: String, number: Int32)
  /// A backup would replace a store without proof of its administrator.
  case restoreNeedsKey(path: String)
  /// The key opens the store, and not the backup that would replace it.
  case backupOfOtherKey(path: String)
  /// Other processes changed the store during each attempt to replace it.
  case storeInUse
  /// The memory is exhausted.
  case noMemory

  /// True if more room on the disk would help.
  var isFullDisk: Bool {
    if case .file(_, let number) = self { number == ENOSPC || number == EDQUOT } else { false }
  }
}

extension VaultError: ReportableError {
  var report: ErrorReport {
    switch self {
    case .noLibrary(let problem):
      Code.noLibsodium(
        "cannot load libsodium: \(problem)", advice: "install it with 'sudo apt install libsodium23'")
    case .noStore(let path):
      Code.noStore("no store in '\(path)'", advice: "create one with 'workbench wsabi store init'")
    case .storeExists(let path):
      Code.storeExists("a store already exists in '\(path)'", advice: "open it, or choose another folder with '--home'")
    case .wrongKey:
      Code.wrongKey(
        "the passphrase or key file does not open the store",
        advice: "try again, or ask an administrator of the store for a new key")
    case .unusablePassphrase:
      Code.unusablePassphrase(
        "the passphrase is empty or longer than 1024 bytes", advice: "use a sentence of several words")
    case .keyFile(let path, let reason, let advice):
      Code.keyFile("cannot use the key file '\(path)': \(reason)", advice: advice, details: ["path": .text(path)])
    case .noKeyFile(let path):
      ErrorReport(
        code: Code.keyFile.code, kind: .notFound, "key file '\(path)' not found",
        advice: "check the path", details: ["path": .text(path)])
    case .locked:
      Code.storeLocked(
        "the store is locked",
        advice: "unlock it with 'workbench wsabi store unlock'; it locks when unused for the time in the setting "
          + "'idle-lock'")
    case .restoreNeedsKey(let path):
      Code.restoreNeedsKey(
        "'\(path)' would replace a store; only an administrator of the store may do this",
        advice: "run 'workbench wsabi store restore FILE' with the administrator's key")
    case .backupOfOtherKey(let path):
      Code.backupOfOtherKey(
        "your key does not open the backup '\(path)'",
        advice: "use a key from the time of the backup, or restore it where there is no store")
    case .storeInUse:
      Code.storeInUse(
        "the store is in use by other programs",
        advice: "quit them and try again", isRetryable: true)
    case .noMemory:
      Code.noMemory(
        "not enough locked memory for keys", advice: "quit other programs and try again", isRetryable: true)
    case .damaged(let record):
      Code.storeDamaged(
        "\(record) of the store is damaged",
        advice: "restore a backup; check the audit log with 'workbench wsabi log --verify'")
    case .notPermitted(let role, let permission):
      Code.notPermitted(
        "the role '\(role.rawValue)' may not \(permission.words)",
        advice: "ask a user with the role "
          + permission.roles.map { "'\($0.rawValue)'" }.sorted().joined(separator: " or "))
    case .noUser(let id):
      Code.noUser("user \(id) not found", advice: "list the users with 'workbench wsabi role'")
    case .keyOfOlderStore(let user):
      Code.keyOfOlderStore(
        "the key of user \(user) was created by an older version",
        advice: "have the user open the store once, or remove the user")
    case .userExists:
      Code.userExists(
        "a user with this name or key already exists", advice: "choose another name and key")
    case .lastAdmin:
      Code.lastAdmin("the last administrator cannot be removed", advice: "make another user an administrator first")
    case .noPerson(let id): Self.missing(Code.noPerson, "person", id, "list people with 'workbench wsabi person list'")
    case .noItem(let id): Self.missing(Code.noItem, "item", id, "list items with 'workbench wsabi item list'")
    case .noCapture(let id):
      Self.missing(Code.noCapture, "capture", id, "list captures with 'workbench wsabi item captures'")
    case .noJournalEntry(let number):
      Code.noJournalEntry(
        "no pending operation \(number)",
        advice: "list operations with 'workbench wsabi operations'")
    case .captureIDTaken(let item):
      Code.captureIDTaken(
        "the sensor returned the capture id of data that belongs to item \(item)",
        advice: "nothing was stored; check whether two services share their data, and capture again")
    case .otherData(let expected, let found):
      Code.otherData(
        "the stored data (\(found) bytes) differs from the data of the sensor (\(expected) bytes)",
        advice: "nothing was stored; download again", isRetryable: true)
    case .captureUnderWay(let item):
      Code.captureUnderWay(
        "item \(item) has an unfinished capture",
        advice: "wait for it, or cancel it with 'workbench wsabi operations cancel'; for a capture of an earlier run, "
          + "use 'operations resume' or 'operations discard'")
    case .itemEdited(let item):
      Code.itemEdited(
        "item \(item) was edited after its capture was requested",
        advice: "nothing was captured; check 'item show \(item)', and capture again")
    case .capturedAs(let item, let submodality):
      Code.capturedAs(
        "item \(item) has captures of '\(submodality.title)'",
        advice: "add another item, or confirm 'item edit' with '--yes'; the captures keep their submodality")
    case .capturedModality(let item, let modality):
      Code.capturedModality(
        "item \(item) has captures of the modality '\(modality.title)', which cannot change",
        advice: "add another item with 'workbench wsabi item add'")
    case .sinkClosed:
      Code.sinkClosed("data received for a download that has ended")
    case .file(let path, let number): Self.file(path, number)
    }
  }

  private static func missing(_ error: DeclaredError, _ what: String, _ id: Int, _ advice: String) -> ErrorReport {
    error("\(what) \(id) not found", advice: advice)
  }

  private static func file(_ path: String, _ number: Int32) -> ErrorReport {
    let reason = String(cString: strerror(number))
    let isFull = VaultError.file(path: path, number: number).isFullDisk
    return (isFull ? Code.diskFull : Code.captureFile)(
      "cannot store the data of a capture in '\(path)': \(reason)",
      advice: isFull ? "free some space and try again" : "check the folder and its permissions",
      details: ["path": .text(path)], isRetryable: isFull)
  }

  /// The errors, each declared once.
  enum Code {
    static let noLibsodium = DeclaredError(
      "wsabi.no-libsodium", .failure, "libsodium is not installed; install it with 'sudo apt install libsodium23'")
    static let noStore = DeclaredError("wsabi.no-store", .notFound, "no store of people and captures")
    static let storeExists = DeclaredError("wsabi.store-exists", .refused, "a store already exists")
    static let wrongKey = DeclaredError(
      "wsabi.wrong-key", .refused, "the passphrase or key file does not open the store")
    static let unusablePassphrase = DeclaredError(
      "wsabi.unusable-passphrase", .usage, "a passphrase is empty or longer than 1024 bytes")
    static let keyFile = DeclaredError(
      "wsabi.key-file", .refused, "a key file is missing, malformed or readable by others")
    static let storeLocked = DeclaredError("wsabi.store-locked", .refused, "the store is locked")
    static let restoreNeedsKey = DeclaredError(
      "wsabi.restore-needs-key", .refused, "replacing a store needs the key of one of its administrators")
    static let backupOfOtherKey = DeclaredError(
      "wsabi.backup-of-other-key", .refused, "a key opens the store, but not the backup that would replace it")
    static let storeInUse = DeclaredError(
      "wsabi.store-in-use", .refused, "other programs changed the store during the restore")
    static let noMemory = DeclaredError("wsabi.no-memory", .failure, "not enough locked memory for keys")
    static let storeDamaged = DeclaredError(
      "wsabi.store-damaged", .unusableInput, "a record is damaged; restore a backup")
    static let notPermitted = DeclaredError("wsabi.not-permitted", .refused, "the role of the user does not allow it")
    static let noUser = DeclaredError("wsabi.no-user", .notFound, "user not found")
    static let userExists = DeclaredError(
      "wsabi.user-exists", .refused, "a user with this name or key already exists")
    static let keyOfOlderStore = DeclaredError(
      "wsabi.key-of-older-store", .refused, "a user must open the store once before its master key can be changed")
    static let lastAdmin = DeclaredError("wsabi.last-admin", .refused, "the last administrator cannot be removed")
    static let noPerson = DeclaredError("wsabi.no-person", .notFound, "person not found")
    static let noItem = DeclaredError("wsabi.no-item", .notFound, "item not found")
    static let noCapture = DeclaredError("wsabi.no-capture", .notFound, "capture not found")
    static let noJournalEntry = DeclaredError(
      "wsabi.no-journal-entry", .notFound, "no pending operation with this number")
    static let captureIDTaken = DeclaredError(
      "wsabi.capture-id-taken", .network, "a sensor returned the capture id of another item; nothing was stored")
    static let otherData = DeclaredError(
      "wsabi.other-data", .failure, "stored data differs from the data of the sensor; nothing was stored")
    static let captureUnderWay = DeclaredError(
      "wsabi.capture-under-way", .refused, "an item has an unfinished capture")
    static let itemEdited = DeclaredError(
      "wsabi.item-edited", .refused, "an item was edited after its capture was requested; nothing was captured")
    static let capturedAs = DeclaredError(
      "wsabi.captured-as", .refused, "a new submodality of an item with captures was not confirmed")
    static let capturedModality = DeclaredError(
      "wsabi.captured-modality", .refused, "the modality of an item with captures cannot change")
    static let sinkClosed = DeclaredError("wsabi.sink-closed", .failure, "data received for a download that has ended")
    static let captureFile = DeclaredError(
      "wsabi.capture-file", .failure, "cannot read or write the file of a capture")
    static let diskFull = DeclaredError(
      "wsabi.disk-full", .failure, "no space left for the data of a capture; free some space")

    static let all = [
      noLibsodium, noStore, storeExists, wrongKey, unusablePassphrase, keyFile, storeLocked, restoreNeedsKey,
      backupOfOtherKey, storeInUse, noMemory, storeDamaged, notPermitted, noUser, userExists, keyOfOlderStore,
      lastAdmin, noPerson, noItem, noCapture, noJournalEntry, captureIDTaken, otherData, captureUnderWay, itemEdited,
      capturedAs, capturedModality, sinkClosed, captureFile, diskFull,
    ]
  }

  /// The stable codes.
  static let errorCodes = Code.all.map(\.catalogueEntry)
}
