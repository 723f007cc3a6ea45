import Foundation
import PluginAPI
import PluginVault
import Testing

@testable import OpenBIS

/// Encrypted secrets in files.
struct SealedSecretsTests {
  /// A folder that is removed after the test.
  private final class Folder: Sendable {
    let path = NSTemporaryDirectory() + "openbis-sealed-" + UUID().uuidString

    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  private let folder = Folder()
  private let source = VaultKeySource.key([UInt8](repeating: 7, count: 32))

  private var files: CredentialFiles { CredentialFiles(folder: folder.path) }

  @Test func `a secret opens only for its account and kind`() throws {
    let open = files.with(try files.encrypt(by: source))
    try open.keep(Secret("token-a"), as: .token, of: "a")
    try open.keep(Secret("swordfish"), as: .password, of: "a")
    #expect(try open.secret(.token, of: "a")?.text == "token-a")
    let manager = FileManager.default
    try manager.copyItem(atPath: folder.path + "/a.token", toPath: folder.path + "/b.token")
    #expect(throws: ErrorReport.self) { try open.secret(.token, of: "b") }
    try manager.removeItem(atPath: folder.path + "/a.token")
    try manager.copyItem(atPath: folder.path + "/a.password", toPath: folder.path + "/a.token")
    #expect(throws: ErrorReport.self) { try open.secret(.token, of: "a") }
    #expect(throws: CredentialError.locked) { try files.secret(.password, of: "a") }
    #expect(throws: CredentialError.locked) { try files.keep(Secret("x"), as: .token, of: "a") }
    #expect(files.has(.password, of: "a") && files.hasAny(of: "b") && !files.has(.password, of: "b"))
  }

  @Test func `an interrupted encryption is completed at the next use of the key`() throws {
    let key = try files.encrypt(by: source)
    // Simulates a process that ended before this file was encrypted.
    try "token-a".write(toFile: folder.path + "/a.token", atomically: false, encoding: .utf8)
    #expect(try files.secret(.token, of: "a")?.text == "token-a")
    #expect(try files.sealingState() == .init(kind: 2, sealed: 0, plain: 1))
    #expect(try files.openKey(by: source).key.id == key.id)
    #expect(try files.sealingState() == .init(kind: 2, sealed: 1, plain: 0))
    #expect(try files.with(key).secret(.token, of: "a")?.text == "token-a")
  }

  @Test func `an old key is refused after encryption was turned off and on`() throws {
    try files.keep(Secret("token-a"), as: .token, of: "a")
    let old = try files.encrypt(by: source)
    try files.decrypt(old)
    #expect(try files.secret(.token, of: "a")?.text == "token-a")
    let new = try files.encrypt(by: source)
    #expect(throws: CredentialError.locked) { try files.with(old).secret(.token, of: "a") }
    #expect(throws: CredentialError.locked) { try files.with(old).keep(Secret("b"), as: .token, of: "a") }
    #expect(throws: CredentialError.locked) { try files.decrypt(old) }
    #expect(try files.with(new).secret(.token, of: "a")?.text == "token-a")
  }

  @Test func `a damaged secret stops the decryption before anything is changed`() throws {
    for account in ["a", "b"] { try files.keep(Secret("token-\(account)"), as: .token, of: account) }
    let key = try files.encrypt(by: source)
    try Data([0xFF, 1, 2]).write(to: URL(fileURLWithPath: folder.path + "/b.token"))
    #expect(throws: ErrorReport.self) { try files.decrypt(key) }
    #expect(try files.sealingState().kind == 2)
    #expect(try files.with(key).secret(.token, of: "a")?.text == "token-a")
    #expect(try !Data(contentsOf: URL(fileURLWithPath: folder.path + "/a.token")).contains(Data("token-a".utf8)))
  }

  @Test func `the previous content of a file is overwritten`() throws {
    try files.keep(Secret("token-a"), as: .token, of: "a")
    let former = folder.path + "/former"
    try FileManager.default.linkItem(atPath: folder.path + "/a.token", toPath: former)
    let key = try files.encrypt(by: source)
    #expect(try Data(contentsOf: URL(fileURLWithPath: former)) == Data(repeating: 0, count: 7))
    let record = folder.path + "/former-record"
    try FileManager.default.linkItem(atPath: folder.path + "/sealing", toPath: record)
    try files.changeKey(key, to: .passphrase(Array("a sentence".utf8)))
    #expect(try Data(contentsOf: URL(fileURLWithPath: record)).allSatisfy { $0 == 0 })
    #expect(throws: ErrorReport.self) { try files.openKey(by: source) }
    #expect(try files.openKey(by: .passphrase(Array("a sentence".utf8))).key.id == key.id)
  }

  @Test func `writers during the encryption leave nothing unencrypted`() async throws {
    let path = folder.path
    try files.keep(Secret("token-0"), as: .token, of: "a")
    await withTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          for number in 0..<50 {
            // Refused as soon as the record of the key exists.
            try? CredentialFiles(folder: path).keep(Secret("token-\(writer)-\(number)"), as: .token, of: "a\(writer)")
          }
        }
      }
      group.addTask { _ = try? CredentialFiles(folder: path).encrypt(by: .key([UInt8](repeating: 7, count: 32))) }
    }
    let state = try files.sealingState()
    #expect(state.kind == 2 && state.plain == 0 && state.sealed >= 1)
  }
}

extension Data {
  fileprivate func contains(_ other: Data) -> Bool { range(of: other) != nil }
}
