import PluginAPI
import PluginTesting
import Testing

@testable import WSABI
@testable import WSABISimulator

/// Commands about people, items and the store.
@Suite(.timeLimit(.minutes(5)))
struct RecordCommandTests {
  @Test func `items are listed, edited and deleted, and the others move up`() async throws {
    let user = try await StationUser.enrolling()
    try await user.addPerson()
    let edited = try await user.value("item edit 1 --sensor localhost:9 --set width=640 --set gray=true")
    #expect(edited["address"] == "http://localhost:9" && edited["sensor"] == "left-desk")
    #expect(edited["configuration"] == ["submodality": "RightIndexFlat", "width": "640", "gray": "true"])
    // The item's part of the body is also a setting of its sensor, by either of its names.
    let other = try await user.value("item edit 1 --set submodality=rightthumbflat --set width=")
    #expect(other["submodality"] == "RightThumbFlat")
    #expect(other["configuration"] == ["submodality": "RightThumbFlat", "gray": "true"])
    #expect(await user.report("item delete 1")?.code == "wsabi.not-confirmed")
    #expect(await user.report("item delete 1 --yes")?.code == "wsabi.key-needed")
    try await user.run("item delete 1 --yes --key-file \(user.keyFile)")
    #expect(try await user.value("item list").list?.map { [$0["id"], $0["index"]] } == [[2, 0]])
    #expect(await user.report("item show 1")?.code == "wsabi.no-item")
    await user.stop()
  }

  @Test func `numbers and addresses are completed by the commands that list them`() {
    let sources = ["person": "person list id", "item": "item list id", "uri": "sensor list address"]
    var found: Set<String> = []
    // Simulated sensors have people of their own.
    for command in WSABICommands.all.map(\.declaration) where !command.name.contains("simulate") {
      for parameter in command.arguments + command.options {
        guard let source = sources[parameter.name] else { continue }
        found.insert(command.name)
        #expect(parameter.completion.map { "\($0.command) \($0.column)" } == source, "\(command.name)")
      }
    }
    #expect(
      found.isSuperset(of: ["person show", "item show", "item list", "capture", "sensor check", "export", "log"]))
  }

  @Test(arguments: [
    ("item add 1 --submodality RigthIndexFlat --sensor a", "wsabi.unknown-submodality"),
    ("item add 1 --modality face --submodality LeftIris --sensor a", "wsabi.other-modality"),
    ("item add 1 --submodality LeftIris", "wsabi.missing"), ("item add 1 --sensor a", "wsabi.missing"),
    ("item add 1 --submodality LeftIris --sensor ftp://a", "wsabi.bad-address"),
    ("item add 1 --submodality LeftIris --sensor a --set width", "wsabi.bad-setting"),
    ("item add 1 --submodality LeftIris --set submodality=RightIris --sensor a", "wsabi.setting-of-item"),
    ("item edit 1 --set submodality=", "wsabi.setting-of-item"),
    ("item edit 1 --set submodality=Toe", "wsabi.unknown-submodality"),
    ("item edit 1 --set livePreview=x", "wsabi.not-settable"), ("item edit 1 --set stream", "wsabi.not-settable"),
    ("item add 9 --submodality LeftIris --sensor a", "wsabi.no-person"),
    ("item annotate 1 --part Thumb=bandaged", "wsabi.unknown-part"),
    ("item annotate 1 --part broken", "wsabi.unknown-condition"), ("capture 9", "wsabi.no-item"),
    ("capture", "wsabi.missing"), ("operations cancel 7", "wsabi.no-journal-entry"),
    ("capture 1 --person 1 --all", "wsabi.item-and-person"), ("capture 1 --missing", "wsabi.item-and-person"),
    ("capture --person 1", "wsabi.missing"), ("person add --date-of-birth 31.12.1990", "wsabi.not-allowed"),
    ("person add --date-of-birth 1990-02-30", "wsabi.not-allowed"), ("person add --gender Alien", "wsabi.not-allowed"),
    ("person edit 1 --race Alien", "wsabi.not-allowed"), ("person edit 1 --hair-color Alien", "wsabi.not-allowed"),
    ("person edit 1 --eye-color Alien", "wsabi.not-allowed"),
    ("role ben reviewer", "wsabi.no-user-named"), ("sensor forget nobody", "wsabi.no-sensor"),
  ])
  func `wrong arguments are reported by their codes`(_ line: String, _ code: String) async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    #expect(await user.report(line)?.code == code)
    await user.stop()
  }

  @Test func `fields of a person accept the form's values, or the stored value`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    let added = try await user.value("person add --gender female --date-of-birth 1815-12-10 --eye-color BLUE")
    #expect(added["gender"] == "Female" && added["eyeColor"] == "Blue" && added["dateOfBirth"] == ["1815-12-10"])
    #expect(try await user.value("person edit 1 --gender '' --date-of-birth ''")["gender"] == "")
    // Values of other programs arrive by imports, and stay.
    let store = try user.store()
    var biography = try await store.person(1).biography
    (biography.race, biography.datesOfBirth) = ("Martian", ["about 1990"])
    _ = try await store.edit(person: 1, biography, at: StoreFolder.time)
    let edited = try await user.value("person edit 1 --race Martian --date-of-birth 'about 1990' --notes tall")
    #expect(edited["race"] == "Martian" && edited["dateOfBirth"] == ["about 1990"] && edited["notes"] == "tall")
    let report = await user.report("person edit 1 --gender secretword")
    #expect(report?.kind == .usage && report?.description.contains("secretword") == false)
    #expect(report?.advice?.contains("'Male', 'Female', 'Unknown'") == true)
    await user.stop()
  }

  @Test func `missing records end with the status for not found`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    #expect(await user.report("operations cancel 7")?.kind == .notFound)
    #expect(await user.report("operations discard 7 --yes")?.kind == .notFound)
    try await user.run("store lock")
    let missing = await user.report("person list --key-file \(user.keyFile).none")
    #expect(missing?.code == "wsabi.key-file" && missing?.kind == .notFound)
    await user.stop()
  }

  @Test func `a condition of a slap requires the name of the part, and the advice lists the parts`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    try await user.run("item add 1 --submodality LeftSlap --sensor \(user.address(1))")
    let report = await user.report("item annotate 3 --part amputated")
    #expect(report?.code == "wsabi.unknown-part" && report?.message.contains("''") == false)
    #expect(report?.advice?.contains("'Index'") == true)
    let items = await user.report("capture --person 1")
    #expect(items?.advice?.contains("--missing") == true && items?.message.contains("the all") == false)
    await user.stop()
  }

  @Test func `an unknown submodality suggests the nearest`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    let report = await user.report("item add 1 --submodality RigthIndexFlat --sensor a")
    #expect(report?.advice == "did you mean 'RightIndexFlat'?")
    await user.stop()
  }

  @Test func `clearing removes captures and keeps the item`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    try await user.run("capture 1")
    #expect(try await user.value("item captures 1").list?.count == 1)
    let item = try await user.value("item clear 1 --yes --key-file \(user.keyFile)")
    #expect(item["capture"].isNull && item["address"].text == user.address(1))
    #expect(try await user.value("item captures 1").list == [])
    await user.stop()
  }

  @Test func `renaming an item with a capture needs a confirmation, and its modality cannot change`()
    async throws
  {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    try await user.run("capture 1")
    #expect(await user.report("item edit 1 --submodality RightThumbFlat")?.code == "wsabi.captured-as")
    #expect(await user.report("item edit 1 --submodality LeftIris --yes")?.code == "wsabi.captured-modality")
    user.plugin.answers.say("no")
    #expect(await user.report("item edit 1 --submodality RightThumbFlat")?.code == "wsabi.captured-as")
    #expect(try await user.value("item show 1")["submodality"] == "RightIndexFlat")
    user.plugin.answers.say("yes")
    let edited = try await user.value("item edit 1 --submodality RightThumbFlat")
    #expect(edited["submodality"] == "RightThumbFlat" && edited["capture"]["submodality"] == "RightIndexFlat")
    #expect(edited["capture"]["isRenamed"] == true && edited["capture"]["title"] == "Right Index")
    let shown = try user.plugin.text(try await user.value("item show 1"))
    #expect(shown.contains("Captured as"))
    let listed = try user.plugin.text(try await user.value("item captures 1"))
    #expect(listed.contains("captured as Right Index"))
    let back = try await user.value("item edit 1 --submodality RightIndexFlat --yes")
    #expect(back["capture"]["isRenamed"] == false)
    let text = try user.plugin.text(back)
    #expect(!text.contains("Captured as"))
    await user.stop()
  }

  @Test func `a missing picture is reported wherever its item is shown, until the item is cleared`() async throws {
    let user = try await StationUser.enrolling(sensors: 1) { $0.capturesPerCall = 2 }
    try await user.addPerson()
    try user.simulator.script("status@download#1=invalidId")
    #expect(await user.report("capture 1")?.code == "wsabi.capture-partly-lost")
    let item = try await user.value("item show 1")
    #expect(item["lost"].list?.count == 1 && item["pictures"].list?.count == 1 && item["undecided"].isNull)
    for line in ["item show 1", "person show 1", "item list 1"] {
      let text = try user.plugin.text(try await user.value(line))
      #expect(text.contains("1 of 2 pictures not received"), "\(line)")
    }
    let cleared = try await user.value("item clear 1 --yes --key-file \(user.keyFile)")
    #expect(cleared["lost"] == [] && cleared["undecided"].isNull)
    let text = try user.plugin.text(try await user.value("person show 1"))
    #expect(!text.contains("not received"))
    await user.stop()
  }

  @Test func `users have keys and roles of their own, and each role has its limits`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    let reviewerKey = user.keyFile + ".ben"
    let users = try await user.value(
      "store add-user ben reviewer --new-key-file \(reviewerKey) --key-file \(user.keyFile)")
    #expect(users.list?.map { $0["role"] } == ["admin", "reviewer"])
    try await user.run("store lock")
    #expect(await user.report("person list")?.code == "wsabi.key-needed")
    #expect(try await user.value("person list --key-file \(reviewerKey)").list?.count == 1)
    for line in ["person add --first-name Bob", "capture 1", "role anna operator", "item clear 1 --yes"] {
      #expect(await user.report(line + " --key-file \(reviewerKey)")?.code == "wsabi.not-permitted", "\(line)")
    }
    #expect(user.simulator.calls.isEmpty)
    try await user.run("store lock")
    try await user.run("role ben operator --key-file \(user.keyFile)")
    try await user.run("store remove-user ben --yes --key-file \(user.keyFile)")
    try await user.run("store lock")
    #expect(await user.report("person list --key-file \(reviewerKey)")?.code == "wsabi.wrong-key")
    await user.stop()
  }

  @Test func `a changed key opens the store, and the old one does not`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    user.plugin.answers.say("a new sentence", "a new sentence")
    try await user.run("store change-key --key-file \(user.keyFile)")
    try await user.run("store lock")
    #expect(await user.report("person list --key-file \(user.keyFile)")?.code == "wsabi.wrong-key")
    user.plugin.answers.say("a new sentence")
    #expect(try await user.value("person list").list == [])
    #expect(!user.plugin.answers.questions.map(\.isSecret).contains(false))
    await user.stop()
  }

  @Test func `an idle store is locked`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    user.plugin.context.setNow(Instant(seconds: 1_800_000_000 + 14 * 60))
    #expect(await user.report("person list") == nil)
    user.plugin.context.setNow(Instant(seconds: 1_800_000_000 + 29 * 60))
    #expect(await user.report("person list")?.code == "wsabi.key-needed")
    await user.stop()
  }

  @Test func `an unlocked store stays unlocked for other processes if the kernel keeps keys`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    let result = try await user.run("store unlock --key-file \(user.keyFile)")
    let other = try await user.restarted()
    let report = await other.report("person list")
    if result.diagnostics.isEmpty {
      #expect(report == nil)
    } else {
      #expect(result.diagnostics.map(\.code) == ["wsabi.not-kept-unlocked"])
      #expect(report?.code == "wsabi.key-needed")
    }
    try await user.run("store lock")
    let third = try await user.restarted()
    #expect(await third.report("person list")?.code == "wsabi.key-needed")
    await user.stop()
  }

  @Test func `the interaction log has commands and outcomes, but no personal data`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson("Canary")
    _ = await user.report("item show 99")
    let lines = try await user.value("interactions").list ?? []
    #expect(lines.last?["event"] == "item show" && lines.last?["outcome"] == "wsabi.no-item")
    #expect(lines.last?["target"] == "item 99")
    #expect(!lines.contains { "\($0)".contains("Canary") })
    try user.plugin.context.set("log-command", to: false)
    _ = await user.report("item show 98")
    #expect(try await user.value("interactions").list?.count == lines.count + 1)
    await user.stop()
  }

  @Test func `results of commands are shown as text`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    for line in [
      "person list", "person show 1", "item list 1", "item show 1", "capture 1", "item captures 1", "operations",
      "role", "log --verify", "person check 1", "sensor check \(user.address(1))", "sensor status \(user.address(1))",
    ] {
      let value = try await user.value(line)
      let text = try user.plugin.text(value)
      #expect(!text.isEmpty, "\(line)")
    }
    await user.stop()
  }
}
