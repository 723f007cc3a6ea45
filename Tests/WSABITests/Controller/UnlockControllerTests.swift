import PluginAPI
import PluginTesting
import PluginVault
import Testing

@testable import WSABI

@MainActor @Suite struct UnlockControllerTests {
  let plugin: ScreensPlugin
  let test: TestPlugin

  init() async throws {
    plugin = try ScreensPlugin()
    test = try await TestPlugin(plugin)
  }

  @Test func `the first run reports that there is no store, and creates one from a passphrase typed twice`()
    async throws
  {
    let screen = try await test.screen("unlock", size: Size(width: 80, height: 20))
    #expect(screen.text.contains("No store of people and captures yet."))
    #expect(screen.text.contains("Create a store with a passphrase"))
    await screen.press("enter")
    await screen.answer("Anna  Bell ")
    guard let question = screen.prompt else {
      Issue.record("nothing is asked")
      return
    }
    #expect(question.isSecret && question.title == "New passphrase of the store")
    await screen.answer("four good plain words")
    await screen.answer("four good plain words")
    #expect(screen.pushed.last?.screen == "people")
    #expect(plugin.records.exists && !plugin.records.isLocked)
    #expect(plugin.records.user == StoreUser(id: 1, name: "Anna Bell", role: .admin))
    #expect(plugin.sensors.newCalls() == ["resume"])
  }

  @Test func `keys wait while a store is being opened`() async throws {
    let fresh = try plugin.makeController(ScreenRequest("unlock"), test.context)
    let geometry = ScreenGeometry(size: Size(width: 80, height: 20), pixelsPerCell: Size(width: 1, height: 2))
    _ = fresh.handle(.resize(geometry))
    #expect(fresh.start().isEmpty && !fresh.isLoading)
    try await plugin.records.create(StoreFolder.passphrase, user: "anna")
    await plugin.records.lock()
    let screen = try plugin.makeController(ScreenRequest("unlock"), test.context)
    _ = screen.handle(.resize(geometry))
    let trying = try #require(Load("trying", among: screen.start()))
    #expect(screen.isLoading)
    #expect(try await trying.run(on: screen).isEmpty)
    #expect(!screen.isLoading)
    for character in "guess" { _ = screen.handle(.key(Key(.character(character)))) }
    let opening = try #require(Load("opening", among: screen.handle(.key(Key(.enter))) ?? []))
    #expect(screen.isLoading)
    if let canceled = opening.failed?(.canceled) { _ = screen.complete(canceled) }
    #expect(!screen.isLoading)
  }

  @Test func `creating a store requires a name, and suggests the login name`() async throws {
    let screen = try await test.screen("unlock")
    for key in ["enter", "ctrl-o"] {
      await screen.press(key)
      guard let question = screen.prompt else {
        Issue.record("nobody is asked for a name")
        return
      }
      #expect(question.text == "anna" && !question.isSecret)
      await screen.answer(" ")
      #expect(screen.text.contains("Enter a name"))
      await screen.press(key)
      await screen.answer(nil)
    }
    #expect(!plugin.records.exists)
    #expect(!LoginName.current().isEmpty)
  }

  @Test func `the path of a key file may begin with the home folder`() async throws {
    #expect(TypedPath.expanded(" ~/station.key ", home: "/home/anna") == "/home/anna/station.key")
    #expect(TypedPath.expanded("~", home: "/home/anna") == "/home/anna")
    #expect(TypedPath.expanded("~bob/key", home: "/home/anna") == "~bob/key")
    #expect(TypedPath.expanded("/a/~/b", home: "/home/anna") == "/a/~/b")
    #expect(TypedPath.expanded("~/key", home: "") == "~/key")
    #expect(TypedPath.whole("key").hasSuffix("/key") && TypedPath.whole("key").hasPrefix("/"))
    let screen = try await test.screen("unlock")
    await screen.press("ctrl-o")
    await screen.answer("anna")
    let name = "no-such-folder-of-a-test/\(plugin.folder.path.split(separator: "/").joined(separator: "-"))"
    await screen.answer("~/\(name)/key")
    #expect(!screen.text.contains("~") && !plugin.records.exists)
  }

  @Test func `advice on a key file error fits its reason`() throws {
    for (path, advice) in [
      ("/no/such/folder/key", "create the folder first, or name another one"),
      ("/", "choose a name that does not exist; key files are not overwritten"),
    ] {
      let error = #expect(throws: ErrorReport.self) { try Vault.makeKeyFile(at: path) }
      #expect(error?.report.advice == advice)
    }
    let error = #expect(throws: ErrorReport.self) {
      try Vault.reporting { () throws(VaultFailure) in
        try KeyFile.read("/no/such/key")
      }
    }
    #expect(error?.report.advice == "check the path")
  }

  @Test func `two passphrases that differ create no store`() async throws {
    let screen = try await test.screen("unlock")
    await screen.press("enter")
    await screen.answer("anna")
    await screen.answer("one passphrase")
    await screen.answer("another passphrase")
    #expect(screen.text.contains("The two passphrases differ; try again."))
    #expect(screen.pushed.isEmpty && !plugin.records.exists)
  }

  @Test func `a short passphrase of a new store must be confirmed or replaced`() async throws {
    let screen = try await test.screen("unlock")
    await screen.press("enter")
    await screen.answer("anna")
    await screen.answer("short")
    guard let choice = screen.choice else {
      Issue.record("nothing is said of its length")
      return
    }
    #expect(choice.title.contains("5 characters") && choice.selected == "other")
    await screen.answer("other")
    await screen.answer("short")
    await screen.answer("use")
    await screen.answer("short")
    #expect(plugin.records.exists && screen.pushed.last?.screen == "people")
  }

  @Test func `a locked store opens only with its passphrase`() async throws {
    try await plugin.records.create(StoreFolder.passphrase, user: "anna")
    await plugin.records.lock()
    let screen = try await test.screen("unlock")
    #expect(screen.text.contains("The store of people and captures is locked."))
    await screen.press("enter")
    await screen.answer("not this one")
    #expect(screen.pushed.isEmpty && plugin.records.isLocked)
    #expect(screen.outline.text.count == 2)
    await screen.press("enter")
    await screen.answer("correct horse battery staple")
    #expect(screen.pushed.last?.screen == "people" && !plugin.records.isLocked)
  }

  @Test func `typing on the locked screen enters the passphrase, shown as dots, whatever the keys`() async throws {
    try await plugin.records.create(.passphrase(Array("fq? :word".utf8)), user: "anna")
    await plugin.records.lock()
    let screen = try await test.screen("unlock", size: Size(width: 80, height: 20))
    #expect(screen.controller.wantsText)
    for key in ["f", "q", "?", "space", ":"] { await screen.press(key) }
    await screen.send(.paste("word"))
    #expect(screen.requests.isEmpty && screen.pushed.isEmpty)
    #expect(screen.text.contains("Passphrase › •••••••••") && !screen.text.contains("word"))
    await screen.press("enter")
    #expect(screen.pushed.last?.screen == "people" && !plugin.records.isLocked)
  }

  @Test func `a wrong passphrase is cleared from the field, and escape clears it too`() async throws {
    try await plugin.records.create(StoreFolder.passphrase, user: "anna")
    await plugin.records.lock()
    let screen = try await test.screen("unlock", size: Size(width: 80, height: 20))
    await screen.press("x")
    await screen.press("escape")
    #expect(!screen.text.contains("•"))
    await screen.press("x")
    await screen.press("enter")
    #expect(plugin.records.isLocked && !screen.text.contains("•") && screen.outline.text.count == 2)
    #expect(screen.controller.wantsText)
  }

  @Test func `the key file named in the environment is suggested when opening a store`() async throws {
    func offered() async throws -> String? {
      let screen = try await test.screen("unlock")
      await screen.press("ctrl-o")
      if !plugin.records.exists { await screen.answer("Anna") }
      return screen.prompt?.text
    }
    // That of a new store must not be there yet.
    #expect(try await offered() == "")
    try await plugin.records.create(StoreFolder.passphrase, user: "anna")
    await plugin.records.lock()
    #expect(try await offered() == "/keys/station.key")
  }

  @Test func `a key file created at the first run opens the store`() async throws {
    let path = plugin.folder.path + ".key"
    let screen = try await test.screen("unlock")
    await screen.press("ctrl-o")
    await screen.answer("anna")
    await screen.answer(path)
    #expect(screen.pushed.last?.screen == "people")
    guard case .status(let note)? = screen.requests.dropLast().last else {
      Issue.record("nobody is told where the key file is")
      return
    }
    #expect(note.code == "wsabi.key-file-made" && note.message.contains("'\(path)'"))
    await plugin.records.lock()
    let again = try await test.screen("unlock")
    await again.press("ctrl-o")
    await again.answer(path)
    #expect(again.pushed.last?.screen == "people" && !plugin.records.isLocked)
  }

  @Test func `every screen with records closes when the store is locked`() async throws {
    try await plugin.records.create(StoreFolder.passphrase, user: "anna")
    let item = try await plugin.add("Ada", ["RightThumbFlat"])[0]
    let all: [(String, Record)] = [
      ("people", [:]), ("card", ["item": .integer(item.id)]), ("lightbox", ["item": .integer(item.id)]),
      ("walkthrough", ["item": .integer(item.id)]), ("biography", ["person": .integer(item.person)]), ("settings", [:]),
      ("date", ["person": .integer(item.person)]), ("log", [:]), ("notes", ["item": .integer(item.id)]),
    ]
    var screens: [ScreenDriver] = []
    for (name, arguments) in all { screens.append(try await test.screen(name, arguments)) }
    await plugin.records.lock()
    await test.settle()
    for screen in screens {
      #expect(screen.pushed.last?.screen == "unlock", "\(screen.controller.title)")
    }
    for (name, arguments) in all {
      #expect(try await test.screen(name, arguments).pushed.last?.screen == "unlock", "\(name)")
    }
  }

  @Test func `the choices are visible and clickable in every size`() async throws {
    for (width, height) in [(60, 16), (80, 20), (40, 9), (30, 7)] {
      let screen = try await test.screen("unlock", size: Size(width: width, height: height))
      let rows = screen.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      let y = try #require(rows.firstIndex { $0.contains("ctrl-o Create a store") }, "\(width)×\(height)")
      await screen.click(x: width / 2, y: y)
      guard screen.prompt != nil else {
        Issue.record("nothing is asked at \(width)×\(height)")
        continue
      }
    }
  }
}
