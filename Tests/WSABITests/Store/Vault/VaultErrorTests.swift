import Glibc
import PluginAPI
import PluginVault
import Testing

@testable import WSABI

struct VaultErrorTests {
  private static let all: [ErrorReport] = [
    VaultError.noLibrary("libsodium.so.23: cannot open shared object file"), VaultError.noStore(path: "/p"),
    VaultError.storeExists(path: "/p"),
    VaultError.wrongKey, VaultError.unusablePassphrase, VaultError.keyFile(path: "/k", reason: "others can read it"),
    VaultError.locked,
    VaultError.damaged("person 3"), VaultRefusal.permission(.operator, .deletePeople).report, VaultError.noPerson(1),
    VaultError.noItem(2), VaultError.noCapture(3), VaultError.noUser(4),
    VaultError.noJournalEntry(5), VaultRefusal.knownCaptureID(item: 6).report,
    VaultError.otherData(expected: 1, found: 2), VaultError.captureUnderWay(item: 7),
    VaultError.itemEdited(8), VaultRefusal.renaming(item: 9, Submodality(wire: "RightThumbFlat")).report,
    VaultError.capturedModality(item: 9, .finger),
    VaultError.sinkClosed, VaultError.userExists, VaultError.lastAdmin, VaultError.keyOfOlderStore(user: 2),
    VaultError.file(path: "/f", number: EACCES),
    VaultError.file(path: "/f", number: ENOSPC),
    VaultError.noMemory, VaultError.restoreNeedsKey(path: "/b"), VaultError.backupOfOtherKey(path: "/b"),
    VaultError.storeInUse,
  ]

  @Test func `every error has a listed code, and every listed code has an error`() {
    let codes = Set(Self.all.map(\.code))
    #expect(codes == Set(VaultError.errorCodes.map(\.code)))
    #expect(VaultError.errorCodes.count == codes.count)
  }

  @Test func `messages begin in lower case and end without a full stop`() {
    for report in Self.all {
      #expect(report.message.first?.isUppercase == false, "\(report.message)")
      #expect(!report.message.hasSuffix("."))
      #expect(report.advice?.hasSuffix(".") != true)
    }
    #expect(VaultError.noLibrary("x").advice == "install it with 'sudo apt install libsodium23'")
    #expect(VaultError.damaged("person 3").message == "person 3 of the store is damaged")
    #expect(
      VaultRefusal.permission(.operator, .deletePeople).report.message == "the role 'operator' may not delete people")
    #expect(VaultError.file(path: "/f", number: ENOSPC).isRetryable)
  }
}
