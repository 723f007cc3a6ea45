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
        "the store needs libsodium, which cannot be used: \(problem)", advice: "run: sudo apt install libsodium23")
    case .noStore(let path):
      Code.noStore("there is no store in '\(path)'", advice: "make one with 'workbench wsabi store init'")
    case .storeExists(let path):
      Code.storeExists("there is a store in '\(path)' already", advice: "open it, or name another folder with '--home'")
    case .wrongKey:
      Code.wrongKey(
        "the passphrase or key file opens no store here",
        advice: "try again, or ask an administrator of the store for a new key")
    case .unusablePassphrase:
      Code.unusablePassphrase("a passphrase has 1 to 1024 bytes", advice: "take a sentence of several words")
    case .keyFile(let path, let reason, let advice):
      Code.keyFile("key file '\(path)' cannot be used: \(reason)", advice: advice, details: ["path": .text(path)])
    case .noKeyFile(let path):
      ErrorReport(
        code: Code.keyFile.code, kind: .notFound, "there is no key file '\(path)'",
        advice: "look whether the path is right", details: ["path": .text(path)])
    case .locked:
      Code.storeLocked("the store is locked", advice: "unlock it with 'workbench wsabi store unlock'")
    case .restoreNeedsKey(let path):
      Code.restoreNeedsKey(
        "'\(path)' would replace a store, which only an administrator of it may do",
        advice: "run 'workbench wsabi store restore FILE', which asks for the administrator's key")
    case .backupOfOtherKey(let path):
      Code.backupOfOtherKey(
        "your key does not open the backup '\(path)'",
        advice: "use a key that opened the store when the backup was made; or restore it where there is no store")
    case .storeInUse:
      Code.storeInUse(
        "the store is in use: other programs change it",
        advice: "end what they do there and try again", isRetryable: true)
    case .noMemory:
      Code.noMemory(
        "there is no memory left to work with keys", advice: "end other programs and try again", isRetryable: true)
    case .damaged(let record):
      Code.storeDamaged(
        "\(record) of the store is not as it was written",
        advice: "restore a backup; 'workbench wsabi log --verify' tells what else was changed")
    case .notPermitted(let role, let permission):
      Code.notPermitted(
        "the role '\(role.rawValue)' may not \(permission.words)",
        advice: "ask somebody with the role "
          + permission.roles.map { "'\($0.rawValue)'" }.sorted().joined(separator: " or "))
    case .noUser(let id):
      Code.noUser("there is no user \(id)", advice: "'workbench wsabi role' lists them")
    case .keyOfOlderStore(let user):
      Code.keyOfOlderStore(
        "the key of user \(user) was made by an older version",
        advice: "have the user open the store once, or remove the user")
    case .userExists:
      Code.userExists(
        "there is a user of that name, or with that key, already", advice: "take another name and another key")
    case .lastAdmin:
      Code.lastAdmin("nobody else could manage the store", advice: "make another user an administrator first")
    case .noPerson(let id): Self.missing(Code.noPerson, "person", id, "'workbench wsabi person list' lists them")
    case .noItem(let id): Self.missing(Code.noItem, "item", id, "'workbench wsabi item list' lists them")
    case .noCapture(let id): Self.missing(Code.noCapture, "capture", id, "look at the item it was for")
    case .noJournalEntry(let number):
      Code.noJournalEntry(
        "there is no operation \(number) that waits for anything",
        advice: "'workbench wsabi operations' shows what is open")
    case .captureIDTaken(let item):
      Code.captureIDTaken(
        "the sensor answered with the id of data that belongs to item \(item)",
        advice: "nothing was filed; look whether two services share their data, and capture again")
    case .otherData(let expected, let found):
      Code.otherData(
        "what was written (\(found) bytes) is not what the sensor sent (\(expected) bytes)",
        advice: "nothing was kept; the download can be repeated", isRetryable: true)
    case .captureUnderWay(let item):
      Code.captureUnderWay(
        "item \(item) has a capture that is not finished",
        advice: "wait for it, or cancel it with 'workbench wsabi operations cancel'; what an earlier run left, "
          + "'operations resume' finishes and 'operations discard' gives up")
    case .itemEdited(let item):
      Code.itemEdited(
        "item \(item) was edited after its capture was ordered",
        advice: "nothing was captured; look at it with 'item show \(item)', and capture again")
    case .capturedAs(let item, let submodality):
      Code.capturedAs(
        "item \(item) has captures that were made as '\(submodality.title)'",
        advice: "add another item; or confirm 'item edit' with '--yes', and they keep the name they were made under")
    case .capturedModality(let item, let modality):
      Code.capturedModality(
        "item \(item) has captures of the modality '\(modality.title)', and can be of no other",
        advice: "add another item with 'workbench wsabi item add'")
    case .sinkClosed:
      Code.sinkClosed("data came for a download that has ended")
    case .file(let path, let number): Self.file(path, number)
    }
  }

  private static func missing(_ error: DeclaredError, _ what: String, _ id: Int, _ advice: String) -> ErrorReport {
    error("there is no \(what) \(id)", advice: advice)
  }

  private static func file(_ path: String, _ number: Int32) -> ErrorReport {
    let reason = String(cString: strerror(number))
    let isFull = VaultError.file(path: path, number: number).isFullDisk
    return (isFull ? Code.diskFull : Code.captureFile)(
      "the data of a capture cannot be kept in '\(path)': \(reason)",
      advice: isFull
        ? "free some space and try again; the sensor has the data still" : "look at the folder and its mode",
      details: ["path": .text(path)], isRetryable: isFull)
  }

  /// The errors, each declared once.
  enum Code {
    static let noLibsodium = DeclaredError(
      "wsabi.no-libsodium", .failure, "libsodium is not installed: sudo apt install libsodium23")
    static let noStore = DeclaredError("wsabi.no-store", .notFound, "there is no store of people and captures yet")
    static let storeExists = DeclaredError("wsabi.store-exists", .refused, "a store was to be made where there is one")
    static let wrongKey = DeclaredError(
      "wsabi.wrong-key", .refused, "the passphrase or key file does not open the store")
    static let unusablePassphrase = DeclaredError(
      "wsabi.unusable-passphrase", .usage, "a passphrase is empty or longer than 1024 bytes")
    static let keyFile = DeclaredError(
      "wsabi.key-file", .refused, "a key file is missing, is none, or can be read by others")
    static let storeLocked = DeclaredError("wsabi.store-locked", .refused, "the store is locked")
    static let restoreNeedsKey = DeclaredError(
      "wsabi.restore-needs-key", .refused, "replacing a store needs the key of one of its administrators")
    static let backupOfOtherKey = DeclaredError(
      "wsabi.backup-of-other-key", .refused, "a key opens the store, and not the backup that would replace it")
    static let storeInUse = DeclaredError(
      "wsabi.store-in-use", .refused, "other programs changed the store while it was to be replaced")
    static let noMemory = DeclaredError("wsabi.no-memory", .failure, "there is no memory left to work with keys")
    static let storeDamaged = DeclaredError(
      "wsabi.store-damaged", .unusableInput, "a record is not as it was written; restore a backup")
    static let notPermitted = DeclaredError("wsabi.not-permitted", .refused, "the role of the user does not allow it")
    static let noUser = DeclaredError("wsabi.no-user", .notFound, "there is no user of that number")
    static let userExists = DeclaredError(
      "wsabi.user-exists", .refused, "there is a user of that name, or with that key, already")
    static let keyOfOlderStore = DeclaredError(
      "wsabi.key-of-older-store", .refused, "a user must open the store once before its master key can be changed")
    static let lastAdmin = DeclaredError("wsabi.last-admin", .refused, "the last administrator cannot be removed")
    static let noPerson = DeclaredError("wsabi.no-person", .notFound, "there is no person of that number")
    static let noItem = DeclaredError("wsabi.no-item", .notFound, "there is no item of that number")
    static let noCapture = DeclaredError("wsabi.no-capture", .notFound, "there is no capture of that number")
    static let noJournalEntry = DeclaredError(
      "wsabi.no-journal-entry", .notFound, "an operation does not wait for what came")
    static let captureIDTaken = DeclaredError(
      "wsabi.capture-id-taken", .network, "a sensor answered with the id of data of another item; nothing was filed")
    static let otherData = DeclaredError(
      "wsabi.other-data", .failure, "what was written is not what the sensor sent; nothing was kept")
    static let captureUnderWay = DeclaredError(
      "wsabi.capture-under-way", .refused, "an item has a capture that is not finished")
    static let itemEdited = DeclaredError(
      "wsabi.item-edited", .refused, "an item was edited after its capture was ordered; nothing was captured")
    static let capturedAs = DeclaredError(
      "wsabi.captured-as", .refused, "an item with captures would be called something else, and nobody confirmed it")
    static let capturedModality = DeclaredError(
      "wsabi.captured-modality", .refused, "an item with captures would be of another modality")
    static let sinkClosed = DeclaredError("wsabi.sink-closed", .failure, "data came for a download that has ended")
    static let captureFile = DeclaredError(
      "wsabi.capture-file", .failure, "the file of a capture cannot be written or read")
    static let diskFull = DeclaredError(
      "wsabi.disk-full", .failure, "there is no room left for the data of a capture; free some space")

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
