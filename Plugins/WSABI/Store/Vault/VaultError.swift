import Glibc
import PluginVault

/// Errors of the store of people and captures, beyond those of the database itself.
enum VaultError: Error, Equatable {
  /// libsodium cannot be used; why.
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
  /// A key file that is not there.
  case noKeyFile(path: String)
  /// The store is locked.
  case locked
  /// A record that is not as it was written; which one.
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
