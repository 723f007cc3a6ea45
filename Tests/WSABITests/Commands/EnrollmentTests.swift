import PluginAPI
import PluginTesting
import Testing

@testable import WSABI
@testable import WSABISimulator

/// A person is set up by a template, and captured one item after the other.
@Suite(.timeLimit(.minutes(5)))
struct EnrollmentTests {
  @Test func `templates have the listed submodalities, each once, in the order of the hand`() {
    let full = EnrollmentTemplate.full.submodalities.map(\.wireName)
    #expect(full.count == 13 && Set(full).count == 13)
    #expect(full.prefix(2) == ["RightThumbFlat", "RightIndexFlat"] && full[5] == "LeftThumbFlat")
    #expect(full.suffix(3) == ["Face2d", "RightIris", "LeftIris"])
    #expect(EnrollmentTemplate.rolled.submodalities.allSatisfy { $0.wireName.hasSuffix("Rolled") })
    #expect(EnrollmentTemplate.rolled.submodalities.count == 10)
    #expect(EnrollmentTemplate.slaps.submodalities.map(\.parts.count) == [4, 4, 2])
  }

  @Test func `enrolling adds the missing items with the named or most recent sensors`() async throws {
    let user = try await StationUser.enrolling()
    try await user.addPerson()
    try await user.run("person add --first-name Ben")
    let result = try await user.run("person enroll 2 --sensor face=\(user.address(2))")
    #expect(result.value["added"].list?.count == 11)
    #expect(result.value["leftOut"].list == ["Right Iris", "Left Iris"])
    #expect(result.diagnostics.map(\.code) == ["wsabi.no-sensor-known"])
    let items = try await user.value("item list 2").list ?? []
    #expect(items.map { $0["submodality"].text }.prefix(3) == ["RightThumbFlat", "RightIndexFlat", "RightMiddleFlat"])
    #expect(items.last?["address"].text == user.address(2) && items.last?["submodality"].text == "Face2d")
    // Existing items stay as they are.
    let again = try await user.run("person enroll 2 --template fingers")
    #expect(again.value["added"].list == [] && again.diagnostics.isEmpty)
    // Ada has two of the fingers.
    #expect(try await user.value("person enroll 1 --template fingers")["added"].list?.count == 8)
    #expect(await user.report("person enroll 2 --sensor hand=\(user.address(1))")?.code == "wsabi.unknown-modality")
    #expect(await user.report("person enroll 9")?.kind == .notFound)
    await user.stop()
  }

  @Test func `items are captured in turn, and each waits for Enter`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    try await user.run("person enroll 1 --template slaps")
    // Noise is not a finger, so each capture is followed by a question whether to repeat it.
    user.plugin.answers.say("", "", "s", "", "", "q")
    let result = try await user.run("capture --person 1 --missing --in-turn")
    let asked = user.plugin.answers.questions.map(\.title)
    #expect(asked.count == 6 && asked[0] == "1 of 5: Right Index at left-desk; Enter captures, s skips, q quits")
    let items = try await user.value("item list 1").list ?? []
    #expect(items.map { $0["capture"].isNull } == [false, true, false, true, true])
    #expect(result.value["items"].list?.count == 2 && user.simulator.ledger.count == 2)
    await user.stop()
  }

  @Test func `a poor capture is reported and offered again while the person is at the sensor`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    user.plugin.answers.say("", "r", "", "q")
    let result = try await user.run("capture --person 1 --missing --in-turn")
    let asked = user.plugin.answers.questions.map(\.title)
    let again = "Right Index; Enter continues, r captures again, q quits"
    #expect(asked.count == 4 && asked[1] == again && asked[2] == again && asked[3].hasPrefix("2 of 2: Left Index"))
    // Each is reported once, and the result has the last.
    let told = result.diagnostics.filter { $0.code == "wsabi.capture-warning" }
    #expect(told.count == 2 && told.allSatisfy { $0.message.contains("below 40; capture again") })
    #expect(result.diagnostics.count { $0.code == "wsabi.in-turn" } == 2)
    #expect(result.value["items"].list?.count == 1 && user.simulator.ledger.count == 2)
    #expect(try await user.store().captures(of: 1).count == 2)
    await user.stop()
  }

  @Test func `a capture that is good enough leads to the next item`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    user.plugin.answers.say("", "q")
    let result = try await user.run("capture --person 1 --missing --in-turn --minimum-quality 0")
    #expect(user.plugin.answers.questions.map(\.title).last?.hasPrefix("2 of 2: Left Index") == true)
    let note = try #require(result.diagnostics.first { $0.code == "wsabi.in-turn" })
    #expect(note.message.hasPrefix("item 1: stored Right Index, quality "))
    await user.stop()
  }

  @Test func `at the end of input, no further items are captured in turn`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    try await user.run("person enroll 1 --template slaps")
    #expect(await user.report("capture --person 1 --missing --in-turn")?.code == "wsabi.no-terminal")
    #expect(user.simulator.ledger.count == 0)
    user.plugin.answers.say("")
    let result = try await user.run("capture --person 1 --missing --in-turn")
    #expect(result.value["items"].list?.count == 1 && user.simulator.ledger.count == 1)
    await user.stop()
  }
}
