import Foundation
import Glibc
import PluginAPI
import PluginTesting
import PluginVault
import TestSupport
import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

/// Tokens and passwords that are encrypted at rest, from the command line to the bytes of files.
@Suite(.timeLimit(.minutes(10)))
struct SecretsTests {
  /// A folder with a user's home, with room for key files and links beside it.
  private final class Folder: Sendable {
    let path = NSTemporaryDirectory() + "openbis-secrets-" + UUID().uuidString

    init() throws { try FileManager.default.createDirectory(atPath: path + "/home", withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var home: String { path + "/home" }
    var key: String { path + "/lab.key" }

    /// Returns the files whose bytes contain a text.
    func files(with text: String) throws -> [String] {
      let names = FileManager.default.enumerator(atPath: path)?.allObjects as? [String] ?? []
      return try names.filter { name in
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path + "/" + name, isDirectory: &isFolder), !isFolder.boolValue
        else { return false }
        return try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)).range(of: Data(text.utf8)) != nil
      }
    }
  }

  private let folder: Folder

  init() throws { folder = try Folder() }

  private func sessions(_ user: LabUser) -> String { LabAccess.credentials(user.plugin.context).folder }

  private func token(_ user: LabUser, _ key: SecretsKey? = nil) async throws -> String {
    var files = LabAccess.credentials(user.plugin.context)
    if let key { files = files.with(key) }
    return try #require(try files.secret(.token, of: try await user.accounts()[0].id)).text
  }

  /// Returns the plugin of another process with the same home.
  private func restarted(_ user: LabUser) async throws -> LabUser {
    try await LabUser(server: user.server, home: folder.home)
  }

  private func setKeyFile(_ user: LabUser, _ path: String) throws {
    try user.plugin.context.set("key-file", to: .text(path))
  }

  @Test func `encrypting leaves no plain copy in any file, and encrypted secrets renew sessions`() async throws {
    let user = try await LabUser.loggedIn(home: folder.home)
    let plain = try await token(user)
    #expect(try folder.files(with: plain).count == 1 && folder.files(with: "wonderland").count == 1)
    // The former content of the files, which undeleting would find.
    let account = try await user.accounts()[0].id
    for kind in ["token", "password"] {
      link("\(sessions(user))/\(account).\(kind)", "\(folder.path)/former.\(kind)")
    }
    // Left by a crash during writing.
    try plain.write(toFile: "\(sessions(user))/\(account).token.1-2.part", atomically: false, encoding: .utf8)
    let status = try await user.run("secrets encrypt --new-key-file \(folder.key)")
    #expect(status.value["isEncrypted"] == true && status.value["key"] == "key-file")
    #expect(status.value["encrypted"] == 2 && status.value["plain"] == 0)
    #expect(status.diagnostics.map(\.code) == ["openbis.name-key-file"])
    #expect(try folder.files(with: plain) == [] && folder.files(with: "wonderland") == [])

    let next = try await restarted(user)
    try setKeyFile(next, folder.key)
    try await next.run("sync")
    next.server.expireSessions()
    next.server.forgetCalls()
    try await next.run("sync --full")
    #expect(next.server.log.contains("login"))
    let key = try LabAccess.credentials(next.plugin.context).openKey(by: .keyFile(path: folder.key)).key
    let renewed = try await token(next, key)
    #expect(renewed != plain)
    #expect(try folder.files(with: renewed) == [] && folder.files(with: "wonderland") == [])
    // The next process begins with the renewed token.
    let third = try await restarted(next)
    try setKeyFile(third, folder.key)
    third.server.forgetCalls()
    try await third.run("sync --full")
    #expect(!third.server.log.contains("login"))
    var mode = stat()
    #expect(lstat("\(sessions(user))/sealing", &mode) == 0 && mode.st_mode & 0o777 == 0o600)
  }

  @Test func `a later login is encrypted too, and so is a token created by the server`() async throws {
    let user = try await LabUser(.plain, home: folder.home)
    try await user.run("secrets encrypt --new-key-file \(folder.key)")
    try setKeyFile(user, folder.key)
    try await user.logIn("--native --new-token laptop")
    let key = try LabAccess.credentials(user.plugin.context).openKey(by: .keyFile(path: folder.key)).key
    let personal = try await token(user, key)
    #expect(personal.hasPrefix("$pat-"))
    #expect(try folder.files(with: personal) == [] && folder.files(with: "wonderland") == [])
    try await user.run("sync")
  }

  @Test func `without the key nothing is requested from the server, and the cache can be read`() async throws {
    let user = try await LabUser.synced(home: folder.home)
    try await user.run("secrets encrypt --new-key-file \(folder.key)")
    let other = try await restarted(user)
    other.server.forgetCalls()
    let missing = try #require(await other.report("sync"))
    #expect(missing.code == "openbis.secrets-locked" && missing.kind == .refused)
    #expect(missing.advice?.contains("secrets unlock") == true && missing.advice?.contains("--forget") == true)
    #expect(try await other.canBrowse())
    let id = try #require(try await other.run("roots --limit 1").value.list?.first?["permId"].text)
    #expect(try await other.codes("drill \(id)") == ["openbis.secrets-locked"])

    try setKeyFile(other, folder.path + "/no.key")
    let lost = try #require(await other.report("sync"))
    #expect(lost.code == "openbis.key-file" && lost.kind == .notFound && lost.message.contains("no.key"))

    try KeyFile.make(at: folder.path + "/other.key")
    try setKeyFile(other, folder.path + "/other.key")
    let wrong = try #require(await other.report("sync"))
    #expect(wrong.code == "openbis.wrong-key" && wrong.kind == .refused && wrong.message.contains(sessions(other)))
    #expect(await other.report("login \(other.server.url) --user alice --password-stdin")?.code == "openbis.wrong-key")
    #expect(other.server.log.isEmpty)

    // Nothing was lost in the process.
    try setKeyFile(other, folder.key)
    try await other.run("sync")
  }

  @Test(arguments: ["token", "password"])
  func `a damaged secret is reported with its file, and a login replaces it`(kind: String) async throws {
    let user = try await LabUser.loggedIn(home: folder.home)
    try await user.run("secrets encrypt --new-key-file \(folder.key)")
    let path = "\(sessions(user))/\(try await user.accounts()[0].id).\(kind)"
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    for index in [whole.count - 1, 0, 13, 20, 40, 5] {
      var changed = whole
      changed[index] ^= 0x80
      try changed.write(to: URL(fileURLWithPath: path))
      let other = try await restarted(user)
      try setKeyFile(other, folder.key)
      let report = try #require(await other.report("sync"), "byte \(index)")
      #expect(report.code == "openbis.secrets-damaged" && report.message.contains(path), "byte \(index)")
      #expect(report.advice?.contains("log in again") == true)
    }
    let other = try await restarted(user)
    try setKeyFile(other, folder.key)
    try await other.logIn()
    try await other.run("sync")
    #expect(try folder.files(with: "wonderland") == [])
  }

  @Test func `a damaged key record is reported, and restoring it opens all secrets`() async throws {
    let user = try await LabUser.loggedIn(home: folder.home)
    try await user.run("secrets encrypt --new-key-file \(folder.key)")
    let path = "\(sessions(user))/sealing"
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    for index in [0, 13, 14, 31, 46, 60, whole.count - 1] {
      var changed = whole
      changed[index] ^= 1
      try changed.write(to: URL(fileURLWithPath: path))
      let other = try await restarted(user)
      try setKeyFile(other, folder.key)
      let report = try #require(await other.report("sync"), "byte \(index)")
      #expect(report.code == "openbis.secrets-damaged" && report.message.contains(path), "byte \(index)")
    }
    try whole.write(to: URL(fileURLWithPath: path))
    let other = try await restarted(user)
    try setKeyFile(other, folder.key)
    try await other.run("sync")
  }

  @Test func `a user without the key deletes the encrypted secrets and logs in again`() async throws {
    let user = try await LabUser.synced(home: folder.home)
    try await user.run("secrets encrypt --new-key-file \(folder.key)")
    unlink(folder.key)
    let other = try await restarted(user)
    let forgotten = try await other.run("secrets decrypt --forget")
    #expect(forgotten.value["isEncrypted"] == false && forgotten.value["encrypted"] == 0)
    #expect(forgotten.diagnostics.map(\.code) == ["openbis.logged-out"])
    #expect(try await other.canBrowse())
    try await other.logIn()
    try await other.run("sync")
    #expect(try folder.files(with: "wonderland").count == 1)
    #expect(await other.report("secrets decrypt --forget")?.code == "openbis.not-encrypted")
  }

  @Test func `the key can be changed, and encryption turned off`() async throws {
    let user = try await LabUser.loggedIn(home: folder.home)
    let plain = try await token(user)
    user.plugin.answers.inputLine = "first sentence"
    try await user.run("secrets encrypt --passphrase-stdin")
    #expect(await user.report("secrets encrypt --passphrase-stdin")?.code == "openbis.encrypted")
    user.plugin.answers.inputLine = "other sentence"
    #expect(await user.report("secrets unlock --passphrase-stdin")?.code == "openbis.wrong-key")

    let asked = try await restarted(user)
    asked.plugin.answers.say("first sentence")
    try await asked.run("sync")
    try await asked.run("sync")
    #expect(asked.plugin.answers.questions.count == 1 && asked.plugin.answers.questions[0].isSecret)

    user.plugin.answers.inputLine = "first sentence"
    let changed = try await user.run("secrets change-key --passphrase-stdin --new-key-file \(folder.key)")
    #expect(changed.value["key"] == "key-file")
    user.plugin.answers.inputLine = "first sentence"
    let other = try await restarted(user)
    #expect(await other.report("secrets decrypt")?.code == "openbis.secrets-locked")
    try setKeyFile(other, folder.key)
    try await other.run("sync")
    #expect(try folder.files(with: plain) == [])

    let off = try await other.run("secrets decrypt")
    #expect(off.value["isEncrypted"] == false && off.value["plain"] == 2)
    #expect(try await token(other) == plain)
    let last = try await restarted(user)
    try await last.run("sync")
    #expect(await last.report("secrets change-key")?.code == "openbis.not-encrypted")
    #expect(await last.report("secrets unlock")?.code == "openbis.not-encrypted")
  }

  @Test func `a new passphrase is typed twice`() async throws {
    let user = try await LabUser.loggedIn(home: folder.home)
    #expect(await user.report("secrets encrypt")?.code == "openbis.new-key-needed")
    user.plugin.answers.say("one sentence", "another sentence")
    #expect(await user.report("secrets encrypt")?.code == "openbis.unusable-passphrase")
    user.plugin.answers.say("", "")
    #expect(await user.report("secrets encrypt")?.code == "openbis.unusable-passphrase")
    #expect(try await user.run("secrets status").value["isEncrypted"] == false)
    user.plugin.answers.say("one sentence", "one sentence")
    #expect(try await user.run("secrets encrypt").value["key"] == "passphrase")
  }

  @Test func `a short new passphrase is used only if the user confirms it`() async throws {
    let user = try await LabUser.loggedIn(home: folder.home)
    user.plugin.answers.say("eleven char", "no")
    let refused = try #require(await user.report("secrets encrypt"))
    #expect(refused.code == "openbis.short-passphrase" && refused.kind == .refused)
    #expect(refused.message == "a passphrase of 11 characters is easily guessed")
    #expect(refused.advice?.contains("'--short-passphrase'") == true)
    user.plugin.answers.inputLine = "password"
    #expect(await user.report("secrets encrypt --passphrase-stdin")?.code == "openbis.short-passphrase")
    #expect(try await user.run("secrets status").value["isEncrypted"] == false)
    user.plugin.answers.say("eleven char", "yes", "eleven char")
    #expect(try await user.run("secrets encrypt").value["key"] == "passphrase")
    user.plugin.answers.say("eleven char", "ten chars.", "no")
    #expect(await user.report("secrets change-key")?.code == "openbis.short-passphrase")
    user.plugin.answers.say("eleven char", "ten chars.", "ten chars.")
    try await user.run("secrets change-key --short-passphrase")
    let other = try await restarted(user)
    other.plugin.answers.say("ten chars.")
    try await other.run("sync")
  }

  @Test func `logging out needs no key`() async throws {
    let user = try await LabUser.synced(home: folder.home)
    try await user.run("secrets encrypt --new-key-file \(folder.key)")
    let other = try await restarted(user)
    try await other.run("logout")
    #expect(try await other.run("secrets status").value["encrypted"] == 0)
  }

  @Test func `'secrets unlock' opens the secrets for other processes until 'secrets lock'`() async throws {
    let user = try await LabUser.synced(home: folder.home)
    let keyring = LabKey.keyring(LabAccess.credentials(user.plugin.context))
    defer { keyring.drop() }
    user.plugin.answers.inputLine = "first sentence"
    try await user.run("secrets encrypt --passphrase-stdin")
    user.plugin.answers.inputLine = "first sentence"
    let unlocked = try await user.run("secrets unlock --passphrase-stdin")
    // Some containers have no keyring.
    if unlocked.diagnostics.map(\.code) == ["openbis.not-kept-unlocked"] { return }
    #expect(unlocked.value["isLocked"] == false)
    let other = try await restarted(user)
    try await other.run("sync")
    #expect(other.plugin.answers.questions.isEmpty)
    #expect(try await other.run("secrets lock").value["isLocked"] == true)
    let third = try await restarted(user)
    #expect(await third.report("sync")?.code == "openbis.secrets-locked")
  }

  @Test func `two concurrent processes renew an encrypted session`() async throws {
    let user = try await LabUser.synced(home: folder.home)
    try await user.run("secrets encrypt --new-key-file \(folder.key)")
    user.server.expireSessions()
    let processes = try (0..<2).map { _ in
      let process = Process()
      process.executableURL = BuiltProgram.folder.appendingPathComponent("LabSyncer")
      process.arguments = [folder.home, Checkout.root.path + "/Plugins/OpenBIS/Resources", "search mito --remote"]
      process.environment = ProcessInfo.processInfo.environment.merging(["WORKBENCH_OPENBIS_KEY_FILE": folder.key]) {
        $1
      }
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      return process
    }
    for process in processes {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          process.waitUntilExit()
          continuation.resume()
        }
      }
      #expect(process.terminationStatus == 0)
    }
    let state = try LabAccess.credentials(user.plugin.context).sealingState()
    #expect(state.plain == 0 && state.sealed == 2)
    #expect(try folder.files(with: "wonderland") == [])
    let next = try await restarted(user)
    try setKeyFile(next, folder.key)
    next.server.forgetCalls()
    try await next.run("sync --full")
    #expect(!next.server.log.contains("login"))
  }
}
