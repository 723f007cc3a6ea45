import Glibc
import PluginAPI
import PluginVault
import Testing

@testable import WSABI

struct VaultErrorTests {
  private static let all: [VaultError] = [
    .noLibrary("libsodium.so.23: cannot open shared object file"), .noStore(path: "/p"), .storeExists(path: "/p"),
    .wrongKey, .unusablePassphrase, .keyFile(path: "/k", reason: "others can read it"), .locked,
    .damaged("person 3"), .notPermitted(.operator, .deletePeople), .noPerson(1), .noItem(2), .noCapture(3), .noUser(4),
    .noJournalEntry(5), .captureIDTaken(item: 6), .otherData(expected: 1, found: 2), .captureUnderWay(item: 7),
    .itemEdited(8), .capturedAs(item: 9, Submodality(wire: "RightThumbFlat")), .capturedModality(item: 9, .finger),
    .sinkClosed, .userExists, .lastAdmin, .keyOfOlderStore(user: 2), .file(path: "/f", number: EACCES),
    .file(path: "/f", number: ENOSPC),
    .noMemory, .restoreNeedsKey(path: "/b"), .backupOfOtherKey(path: "/b"), .storeInUse,
  ]

  @Test func `every error has a listed code, and every listed code has an error`() {
    let codes = Set(Self.all.map(\.report.code))
    #expect(codes == Set(VaultError.errorCodes.map(\.code)))
    #expect(VaultError.errorCodes.count == codes.count)
  }

  @Test func `messages begin in lower case and end without a full stop`() {
    for error in Self.all {
      let report = error.report
      #expect(report.message.first?.isUppercase == false, "\(report.message)")
      #expect(!report.message.hasSuffix("."))
      #expect(report.advice?.hasSuffix(".") != true)
    }
    #expect(VaultError.noLibrary("x").report.advice == "install it with 'sudo apt install libsodium23'")
    #expect(VaultError.damaged("person 3").report.message == "person 3 of the store is damaged")
    #expect(
      VaultError.notPermitted(.operator, .deletePeople).report.message == "the role 'operator' may not delete people")
    #expect(VaultError.file(path: "/f", number: ENOSPC).report.isRetryable)
  }
}
