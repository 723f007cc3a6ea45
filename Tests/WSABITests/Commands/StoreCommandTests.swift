import Glibc
import PluginAPI
import PluginStore
import PluginTesting
import Testing

@testable import WSABI
@testable import WSABISimulator

/// Commands about the store itself.
@Suite(.timeLimit(.minutes(5)))
struct StoreCommandTests {
  @Test func `the master key can be changed by an administrator, and every user's key still opens the store`()
    async throws
  {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    let theirs = user.keyFile + ".ben"
    try await user.run("store add-user ben operator --new-key-file \(theirs) --key-file \(user.keyFile)")
    #expect(await user.report("store change-master-key")?.code == "wsabi.key-needed")
    #expect(await user.report("store change-master-key --key-file \(theirs)")?.code == "wsabi.other-key")
    try await user.run("store change-master-key --key-file \(user.keyFile)")
    #expect(try await user.value("store check --data")["isWhole"] == true)
    let other = try await user.restarted()
    #expect(try await other.run(line: "person list --key-file \(theirs)").value.list?.count == 1)
    let refused = await #expect(throws: VaultRefusal.self) {
      _ = try await other.run(line: "store change-master-key --key-file \(theirs)")
    }
    #expect(refused?.report.code == "wsabi.not-permitted")
    await user.stop()
  }

  @Test func `the master key cannot be changed during a capture`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    let claim = try CaptureClaim(folder: try user.store().folder)
    #expect(try claim.share())
    #expect(
      await user.report("store change-master-key --key-file \(user.keyFile)")?.code == "wsabi.captures-under-way")
    #expect(try await user.value("log")["entries"].list?.contains { $0["action"] == "masterKeyChanged" } == false)
    claim.release()
    await user.stop()
  }

  @Test func `a missing backup is reported as not found, and the store remains`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    let report = await user.report("store restore \(user.home)/none --yes --key-file \(user.keyFile)")
    #expect(report?.kind == .notFound && report?.message == "backup '\(user.home)/none' not found")
    #expect(try await user.value("person list").list?.count == 1)
    await user.stop()
  }

  @Test func `a backup cannot replace a store during a capture`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    let store = try user.store()
    let backup = user.keyFile + ".backup"
    try await store.backup(to: backup)
    try await user.addPerson("Bob")
    let claim = try CaptureClaim(folder: store.folder)
    #expect(try claim.share())
    let line = "store restore \(backup) --yes --key-file \(user.keyFile)"
    #expect(await user.report(line)?.code == "wsabi.captures-under-way")
    #expect(try await user.value("person list").list?.count == 2)
    claim.release()
    #expect(try await user.value(line)["continuesLog"] == true)
    #expect(try await user.value("person list --key-file \(user.keyFile)").list?.count == 1)
    // Into a home without a store too.
    let empty = try await TestPlugin(WSABIPlugin(), home: user.keyFile + ".home")
    let other = try #require(try empty.plugin.makeStore("people", empty.context) as? RecordStore)
    try await other.restore(from: backup)
    #expect(try await empty.run(line: "person list --key-file \(user.keyFile)").value.list?.count == 1)
    await user.stop()
  }

  @Test func `an empty environment variable names no key file`() async throws {
    let before = getenv("WORKBENCH_WSABI_KEY_FILE").map { String(cString: $0) }
    // Concurrent tests are not affected.
    try #require(before == nil || before == "")
    setenv("WORKBENCH_WSABI_KEY_FILE", "", 1)
    defer { unsetenv("WORKBENCH_WSABI_KEY_FILE") }
    let user = try await StationUser(sensors: 1)
    user.plugin.answers.say("open sesame, please", "open sesame, please")
    try await user.run("store init")
    #expect(user.plugin.answers.questions.count == 2 && user.plugin.answers.questions.allSatisfy(\.isSecret))
    await user.stop()
  }

  @Test func `a store is locked without a key, whichever is named`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    for options in ["", " --key-file \(user.keyFile)", " --key-file \(user.keyFile).none"] {
      try await user.run("store unlock --key-file \(user.keyFile)")
      #expect(try await user.value("store lock\(options)")["isLocked"] == true, "\(options)")
    }
    await user.stop()
  }

  @Test func `a passphrase on standard input opens the store and proves the user's identity`() async throws {
    let user = try await StationUser(sensors: 1)
    user.plugin.answers.say("open sesame, please", "open sesame, please")
    try await user.run("store init")
    let other = try await user.restarted()
    other.answers.inputLine = "open sesame, please"
    _ = try await other.run(line: "store purge --passphrase-stdin")
    other.answers.inputLine = "open"
    let refused = await #expect(throws: ErrorReport.self) {
      _ = try await other.run(line: "store purge --passphrase-stdin")
    }
    #expect(refused?.code == "wsabi.other-key" && refused?.advice == "check the first line of standard input")
    await user.stop()
  }

  @Test func `advice on a key fits where the key came from`() async throws {
    let user = try await StationUser(sensors: 1)
    let first = await user.report("store init")
    #expect(first?.code == "wsabi.new-key-needed" && first?.advice?.contains("line after") == false)
    user.plugin.answers.say("open sesame, please", "open sesame, please")
    try await user.run("store init")
    let other = try await user.restarted()
    func refusal(_ line: String) async -> ErrorReport? {
      await #expect(throws: ErrorReport.self) { _ = try await other.run(line: line) }
    }
    // Without a terminal.
    let unlock = await refusal("store unlock")
    #expect(unlock?.code == "wsabi.key-needed" && unlock?.advice?.contains("'--passphrase-stdin'") == true)
    #expect(unlock?.advice?.contains("store unlock") == false)
    let list = await refusal("person list")
    #expect(list?.code == "wsabi.key-needed" && list?.advice?.contains("'store unlock'") == true)
    // The store is locked, and opening it would not be enough.
    let purge = await refusal("store purge")
    #expect(purge?.code == "wsabi.key-needed" && purge?.advice?.contains("store unlock") == false)
    // The wrong passphrase, typed and on standard input.
    other.answers.say("open")
    let typed = await refusal("person list")
    #expect(typed?.code == "wsabi.wrong-key" && typed?.advice?.contains("again") == true)
    other.answers.inputLine = "open"
    let line = await refusal("store unlock --passphrase-stdin")
    #expect(line?.code == "wsabi.wrong-key" && line?.advice == "check the first line of standard input")
    let file = user.keyFile
    try Vault.makeKeyFile(at: file)
    let named = await refusal("person list --key-file \(file)")
    #expect(named?.code == "wsabi.wrong-key" && named?.advice == "name another key file with '--key-file'")
    await user.stop()
  }

  @Test func `a short new passphrase is accepted only with a confirmation`() async throws {
    let user = try await StationUser(sensors: 1)
    user.plugin.answers.say("eleven char", "no")
    #expect(await user.report("store init")?.code == "wsabi.short-passphrase")
    user.plugin.answers.inputLine = "password"
    #expect(await user.report("store init --passphrase-stdin")?.code == "wsabi.short-passphrase")
    #expect(try await user.value("store status")["exists"] == false)
    user.plugin.answers.say("eleven char", "yes", "eleven char")
    try await user.run("store init")
    let count = user.plugin.answers.questions.count
    user.plugin.answers.say("eleven char", "ben's", "ben's")
    try await user.run("store add-user ben operator --short-passphrase")
    #expect(user.plugin.answers.questions.dropFirst(count).map(\.isSecret) == [true, true, true])
    await user.stop()
  }

  @Test func `the next line of standard input is the new passphrase, after the user's own`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    // One's own key is a file: the first line is that of the new user.
    user.plugin.answers.inputLine = "ben's own words"
    try await user.run("store add-user ben admin --key-file \(user.keyFile) --passphrase-stdin")
    let other = try await user.restarted()
    other.answers.inputLine = "ben's own words"
    _ = try await other.run(line: "person list --key-file \(user.keyFile)")
    _ = try await other.run(line: "store purge --key-file \(user.keyFile)")
    let his = try await user.restarted()
    his.answers.inputLine = "ben's own words"
    // Every line is the same here: the second is taken too, and the key is in use.
    await #expect(throws: VaultError.userExists) {
      _ = try await his.run(line: "store add-user eve operator --passphrase-stdin")
    }
    #expect(try await his.run(line: "role").value.list?.map { $0["isSelf"] } == [false, true])
    // There is no terminal, and no line is read.
    await #expect(throws: StationError.newKeyNeeded) {
      _ = try await other.run(line: "store add-user eve operator --key-file \(user.keyFile)")
    }
    user.plugin.answers.inputLine = "some new words"
    try await user.run("store change-key --key-file \(user.keyFile) --passphrase-stdin")
    try await user.run("store lock")
    #expect(await user.report("person list --key-file \(user.keyFile)")?.code == "wsabi.wrong-key")
    await user.stop()
  }

  @Test func `a check of a damaged store names the damaged record`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    #expect(try await user.value("store check")["problems"] == [])
    let store = try user.store()
    try await store.sqlite.write { try $0.execute("UPDATE item SET key = zeroblob(72) WHERE id = 2") }
    let report = await user.report("store check")
    #expect(report?.code == "wsabi.store-damaged" && report?.message.contains("item 2") == true)
    #expect(report?.message.ranges(of: "is damaged").count == 1)
    await user.stop()
  }

  @Test func `the log can be listed from any entry, and is empty beyond its end`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    func numbers(_ options: String) async throws -> [Int] {
      try await user.value("log \(options)")["entries"].list?.compactMap { $0["number"].integer } ?? []
    }
    try await user.addPerson()
    #expect(try await numbers("--from 2 --limit 2") == [2, 3])
    #expect(try await numbers("--from \(Int.max)") == [])
    #expect(try await numbers("--from \(Int.max) --limit 0") == [])
    #expect(try await numbers("--limit 1").count == 1)
    #expect(try await numbers("--from 3").first == 3)
    await user.stop()
  }

  @Test func `a user who may not export or import is refused before a key is requested`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    for (name, role) in [("otto", "operator"), ("rita", "reviewer")] {
      try await user.run(
        "store add-user \(name) \(role) --new-key-file \(user.keyFile).\(name) --key-file \(user.keyFile)")
    }
    let otto = try await user.restarted()
    _ = try await otto.run(line: "person list --key-file \(user.keyFile).otto")
    let export = await #expect(throws: VaultRefusal.self) { _ = try await otto.run(line: "export 1") }
    #expect(export == .permission(.operator, .exportRecords))
    let rita = try await user.restarted()
    _ = try await rita.run(line: "person list --key-file \(user.keyFile).rita")
    let load = await #expect(throws: VaultRefusal.self) { _ = try await rita.run(line: "import /none") }
    #expect(load == .permission(.reviewer, .importRecords))
    await user.stop()
  }

  @Test func `the importable file types are known to the host`() throws {
    let types = WSABIPlugin().contributions.fileTypes
    #expect(Set(types.flatMap(\.extensions)) == ["an2", "an2k", "eft", "nist", "zip"])
    #expect(types.allSatisfy { type in WSABICommands.all.contains { $0.declaration.name == type.command } })
  }
}
