import Glibc
import PluginAPI

extension VaultError: ReportableError {
  var report: ErrorReport {
    switch self {
    case .noLibrary, .noStore, .storeExists, .wrongKey, .unusablePassphrase, .keyFile, .noKeyFile, .locked, .damaged,
      .restoreNeedsKey, .backupOfOtherKey, .storeInUse, .noMemory:
      reportOfStore
    case .notPermitted, .noUser, .userExists, .lastAdmin, .keyOfOlderStore: reportOfUser
    case .noPerson, .noItem, .noCapture, .noJournalEntry, .captureIDTaken, .otherData, .captureUnderWay, .itemEdited,
      .capturedAs, .capturedModality, .sinkClosed, .file:
      reportOfRecord
    }
  }

  private var reportOfStore: ErrorReport {
    switch self {
    case .noLibrary(let problem):
      ErrorReport(
        code: "wsabi.no-libsodium", kind: .failure, "the store needs libsodium, which cannot be used: \(problem)",
        advice: "run: sudo apt install libsodium23")
    case .noStore(let path):
      ErrorReport(
        code: "wsabi.no-store", kind: .notFound, "there is no store in '\(path)'",
        advice: "make one with 'workbench wsabi store init'")
    case .storeExists(let path):
      ErrorReport(
        code: "wsabi.store-exists", kind: .refused, "there is a store in '\(path)' already",
        advice: "open it, or name another folder with '--home'")
    case .wrongKey:
      ErrorReport(
        code: "wsabi.wrong-key", kind: .refused, "the passphrase or key file opens no store here",
        advice: "try again, or ask an administrator of the store for a new key")
    case .unusablePassphrase:
      ErrorReport(
        code: "wsabi.unusable-passphrase", kind: .usage, "a passphrase has 1 to 1024 bytes",
        advice: "take a sentence of several words")
    case .keyFile(let path, let reason, let advice):
      ErrorReport(
        code: "wsabi.key-file", kind: .refused, "key file '\(path)' cannot be used: \(reason)",
        advice: advice, details: ["path": .text(path)])
    case .noKeyFile(let path):
      ErrorReport(
        code: "wsabi.key-file", kind: .notFound, "there is no key file '\(path)'",
        advice: "look whether the path is right", details: ["path": .text(path)])
    case .locked:
      ErrorReport(
        code: "wsabi.store-locked", kind: .refused, "the store is locked",
        advice: "unlock it with 'workbench wsabi store unlock'")
    case .restoreNeedsKey(let path):
      ErrorReport(
        code: "wsabi.restore-needs-key", kind: .refused,
        "'\(path)' would replace a store, which only an administrator of it may do",
        advice: "run 'workbench wsabi store restore FILE', which asks for the administrator's key")
    case .backupOfOtherKey(let path):
      ErrorReport(
        code: "wsabi.backup-of-other-key", kind: .refused, "your key does not open the backup '\(path)'",
        advice: "use a key that opened the store when the backup was made; or restore it where there is no store")
    case .storeInUse:
      ErrorReport(
        code: "wsabi.store-in-use", kind: .refused, "the store is in use: other programs change it",
        advice: "end what they do there and try again", isRetryable: true)
    case .noMemory:
      ErrorReport(
        code: "wsabi.no-memory", kind: .failure, "there is no memory left to work with keys",
        advice: "end other programs and try again", isRetryable: true)
    case .damaged(let record):
      ErrorReport(
        code: "wsabi.store-damaged", kind: .unusableInput, "\(record) of the store is not as it was written",
        advice: "restore a backup; 'workbench wsabi log --verify' tells what else was changed")
    case .notPermitted, .noUser, .userExists, .lastAdmin, .keyOfOlderStore,
      .noPerson, .noItem, .noCapture, .noJournalEntry, .captureIDTaken, .otherData, .captureUnderWay, .itemEdited,
      .capturedAs, .capturedModality, .sinkClosed, .file:
      ErrorReport(code: "wsabi.store-damaged", kind: .failure, "the store failed")
    }
  }

  private var reportOfUser: ErrorReport {
    switch self {
    case .notPermitted(let role, let permission):
      ErrorReport(
        code: "wsabi.not-permitted", kind: .refused, "the role '\(role.rawValue)' may not \(permission.words)",
        advice: "ask somebody with the role "
          + permission.roles.map { "'\($0.rawValue)'" }.sorted().joined(separator: " or "))
    case .noUser(let id):
      ErrorReport(
        code: "wsabi.no-user", kind: .notFound, "there is no user \(id)", advice: "'workbench wsabi role' lists them")
    case .keyOfOlderStore(let user):
      ErrorReport(
        code: "wsabi.key-of-older-store", kind: .refused, "the key of user \(user) was made by an older version",
        advice: "have the user open the store once, or remove the user")
    case .userExists:
      ErrorReport(
        code: "wsabi.user-exists", kind: .refused, "there is a user of that name, or with that key, already",
        advice: "take another name and another key")
    case .lastAdmin:
      ErrorReport(
        code: "wsabi.last-admin", kind: .refused, "nobody else could manage the store",
        advice: "make another user an administrator first")
    case .noLibrary, .noStore, .storeExists, .wrongKey, .unusablePassphrase, .keyFile, .noKeyFile, .locked, .damaged,
      .restoreNeedsKey, .backupOfOtherKey, .storeInUse, .noMemory,
      .noPerson, .noItem, .noCapture, .noJournalEntry, .captureIDTaken, .otherData, .captureUnderWay, .itemEdited,
      .capturedAs, .capturedModality, .sinkClosed, .file:
      ErrorReport(code: "wsabi.store-damaged", kind: .failure, "the store failed")
    }
  }

  private var reportOfRecord: ErrorReport {
    switch self {
    case .noPerson(let id): Self.missing("wsabi.no-person", "person", id, "'workbench wsabi person list' lists them")
    case .noItem(let id): Self.missing("wsabi.no-item", "item", id, "'workbench wsabi item list' lists them")
    case .noCapture(let id): Self.missing("wsabi.no-capture", "capture", id, "look at the item it was for")
    case .noJournalEntry(let number):
      ErrorReport(
        code: "wsabi.no-journal-entry", kind: .notFound, "there is no operation \(number) that waits for anything",
        advice: "'workbench wsabi operations' shows what is open")
    case .captureIDTaken(let item):
      ErrorReport(
        code: "wsabi.capture-id-taken", kind: .network,
        "the sensor answered with the id of data that belongs to item \(item)",
        advice: "nothing was filed; look whether two services share their data, and capture again")
    case .otherData(let expected, let found):
      ErrorReport(
        code: "wsabi.other-data", kind: .failure,
        "what was written (\(found) bytes) is not what the sensor sent (\(expected) bytes)",
        advice: "nothing was kept; the download can be repeated", isRetryable: true)
    case .captureUnderWay(let item):
      ErrorReport(
        code: "wsabi.capture-under-way", kind: .refused, "item \(item) has a capture that is not finished",
        advice: "wait for it, or cancel it with 'workbench wsabi operations cancel'; what an earlier run left, "
          + "'operations resume' finishes and 'operations discard' gives up")
    case .itemEdited(let item):
      ErrorReport(
        code: "wsabi.item-edited", kind: .refused, "item \(item) was edited after its capture was ordered",
        advice: "nothing was captured; look at it with 'item show \(item)', and capture again")
    case .capturedAs(let item, let submodality):
      ErrorReport(
        code: "wsabi.captured-as", kind: .refused,
        "item \(item) has captures that were made as '\(submodality.title)'",
        advice: "add another item; or confirm 'item edit' with '--yes', and they keep the name they were made under")
    case .capturedModality(let item, let modality):
      ErrorReport(
        code: "wsabi.captured-modality", kind: .refused,
        "item \(item) has captures of the modality '\(modality.title)', and can be of no other",
        advice: "add another item with 'workbench wsabi item add'")
    case .sinkClosed:
      ErrorReport(code: "wsabi.sink-closed", kind: .failure, "data came for a download that has ended", advice: nil)
    case .file(let path, let number): Self.file(path, number)
    case .noLibrary, .noStore, .storeExists, .wrongKey, .unusablePassphrase, .keyFile, .noKeyFile, .locked, .damaged,
      .restoreNeedsKey, .backupOfOtherKey, .storeInUse, .noMemory,
      .notPermitted, .noUser, .userExists, .lastAdmin, .keyOfOlderStore:
      ErrorReport(code: "wsabi.store-damaged", kind: .failure, "the store failed")
    }
  }

  private static func missing(_ code: String, _ kind: String, _ id: Int, _ advice: String) -> ErrorReport {
    ErrorReport(code: code, kind: .notFound, "there is no \(kind) \(id)", advice: advice)
  }

  private static func file(_ path: String, _ number: Int32) -> ErrorReport {
    let reason = String(cString: strerror(number))
    let isFull = VaultError.file(path: path, number: number).isFullDisk
    return ErrorReport(
      code: isFull ? "wsabi.disk-full" : "wsabi.capture-file", kind: .failure,
      "the data of a capture cannot be kept in '\(path)': \(reason)",
      advice: isFull
        ? "free some space and try again; the sensor has the data still" : "look at the folder and its mode",
      details: ["path": .text(path)], isRetryable: isFull)
  }

  /// The stable codes.
  static let errorCodes: [ErrorCodeDescription] = [
    .init("wsabi.no-libsodium", "libsodium is not installed: sudo apt install libsodium23"),
    .init("wsabi.no-store", "there is no store of people and captures yet"),
    .init("wsabi.store-exists", "a store was to be made where there is one"),
    .init("wsabi.wrong-key", "the passphrase or key file does not open the store"),
    .init("wsabi.unusable-passphrase", "a passphrase is empty or longer than 1024 bytes"),
    .init("wsabi.key-file", "a key file is missing, is none, or can be read by others"),
    .init("wsabi.store-locked", "the store is locked"),
    .init("wsabi.restore-needs-key", "replacing a store needs the key of one of its administrators"),
    .init("wsabi.backup-of-other-key", "a key opens the store, and not the backup that would replace it"),
    .init("wsabi.store-in-use", "other programs changed the store while it was to be replaced"),
    .init("wsabi.no-memory", "there is no memory left to work with keys"),
    .init("wsabi.store-damaged", "a record is not as it was written; restore a backup"),
    .init("wsabi.not-permitted", "the role of the user does not allow it"),
    .init("wsabi.no-user", "there is no user of that number"),
    .init("wsabi.user-exists", "there is a user of that name, or with that key, already"),
    .init("wsabi.key-of-older-store", "a user must open the store once before its master key can be changed"),
    .init("wsabi.last-admin", "the last administrator cannot be removed"),
    .init("wsabi.no-person", "there is no person of that number"),
    .init("wsabi.no-item", "there is no item of that number"),
    .init("wsabi.no-capture", "there is no capture of that number"),
    .init("wsabi.no-journal-entry", "an operation does not wait for what came"),
    .init("wsabi.capture-id-taken", "a sensor answered with the id of data of another item; nothing was filed"),
    .init("wsabi.other-data", "what was written is not what the sensor sent; nothing was kept"),
    .init("wsabi.capture-under-way", "an item has a capture that is not finished"),
    .init("wsabi.item-edited", "an item was edited after its capture was ordered; nothing was captured"),
    .init("wsabi.captured-as", "an item with captures would be called something else, and nobody confirmed it"),
    .init("wsabi.captured-modality", "an item with captures would be of another modality"),
    .init("wsabi.sink-closed", "data came for a download that has ended"),
    .init("wsabi.capture-file", "the file of a capture cannot be written or read"),
    .init("wsabi.disk-full", "there is no room left for the data of a capture; free some space"),
  ]
}
