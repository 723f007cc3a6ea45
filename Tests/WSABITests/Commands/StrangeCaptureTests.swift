import PluginAPI
import PluginTesting
import PluginText
import Testing

@testable import WSABI
@testable import WSABISimulator

/// Sensor data is checked while the person is still present.
@Suite(.timeLimit(.minutes(5)))
struct StrangeCaptureTests {
  private func enrolling(_ type: String = "image/bmp") async throws -> StationUser {
    let user = try await StationUser.enrolling(sensors: 1) { configuration in
      (configuration.captureSizeInBytes, configuration.contentType) = (nil, type)
    }
    try await user.addPerson()
    try user.simulator.script(user.sameClock)
    return user
  }

  private func codes(_ item: Value) -> [String] { item["warnings"].list?.compactMap { $0["code"].text } ?? [] }

  @Test(arguments: [
    ("cut-picture", "image/bmp"), ("cut-picture", "image/png"), ("empty-picture", "image/bmp"),
    ("bomb-picture", "image/png"),
  ])
  func `an incomplete picture is reported at once, and stored as received`(_ fault: String, _ type: String) async throws
  {
    let user = try await enrolling(type)
    try user.simulator.script("\(fault)@download")
    let result = try await user.run("capture 1")
    #expect(result.diagnostics.contains { $0.code == "wsabi.cut-picture" && $0.severity == .warning })
    let item = try #require(result.value["items"].list?.first)
    #expect(item["outcome"] == "stored" && item["attempts"] == 1)
    #expect(codes(item).first == "wsabi.cut-picture")
    // The received data is stored, and no other score is reported for half a picture.
    let record = try #require(try await user.store().item(1).capture)
    let sensed = try #require(user.simulator.ledger.first)
    #expect(record.captureID.key == sensed.id.lowercased() && record.quality == nil)
    #expect(try await user.store().data(of: record).count == record.sizeInBytes)
    if fault == "cut-picture" { #expect(record.sizeInBytes == sensed.sizeInBytes / 2) }
    await user.stop()
  }

  @Test func `a truncated picture counts as a failed attempt, and the complete one is kept`() async throws {
    let user = try await enrolling()
    try user.simulator.script("cut-picture@download#1-2")
    let result = try await user.run("capture 1 --retries 4")
    #expect(result.value["items"].list?.first?["attempts"] == 3)
    #expect(!result.diagnostics.contains { $0.code == "wsabi.cut-picture" })
    let kept = try await user.store().captures(of: 1)
    #expect(kept.map { Hexadecimal.text($0.sha256) } == user.simulator.ledger.suffix(1).map(\.sha256))
    #expect(user.simulator.ledger.count == 3)
    await user.stop()
  }

  @Test func `a complete picture of low quality is preferred to half of another`() async throws {
    let user = try await enrolling()
    try user.simulator.script("cut-picture@download#2-")
    let result = try await user.run("capture 1 --retries 2 --minimum-quality 100")
    #expect(result.value["items"].list?.first?["attempts"] == 3)
    #expect(result.diagnostics.map(\.code) == ["wsabi.capture-warning"])
    let kept = try await user.store().captures(of: 1)
    #expect(kept.map { Hexadecimal.text($0.sha256) } == user.simulator.ledger.prefix(1).map(\.sha256))
    await user.stop()
  }

  @Test func `if every picture is truncated, one is kept and reported`() async throws {
    let user = try await enrolling()
    try user.simulator.script("cut-picture@download")
    let result = try await user.run("capture 1 --retries 1")
    #expect(result.value["items"].list?.first?["attempts"] == 2)
    #expect(result.diagnostics.map(\.code) == ["wsabi.cut-picture"])
    #expect(try await user.store().captures(of: 1).count == 1)
    await user.stop()
  }

  @Test func `data fetched later is also reviewed`() async throws {
    let user = try await enrolling()
    try user.simulator.script("preparing@download; cut-picture@download")
    var times = LinkTimes()
    (times.firstPollInMilliseconds, times.pollingInMilliseconds) = (1, 10)
    let first = try await user.restarted(times)
    await #expect(throws: ErrorReport.self) { try await first.run(line: "capture 1 --key-file \(user.keyFile)") }
    user.simulator.heal()
    try user.simulator.script("\(user.sameClock); cut-picture@download")
    let resumed = try await first.run(line: "operations resume")
    #expect(resumed.diagnostics.map(\.code) == ["wsabi.cut-picture"])
    #expect(resumed.value.list.map { $0.map(codes) } == [["wsabi.cut-picture"]])
    await user.stop()
  }

  @Test func `data is reviewed even if the command was canceled meanwhile`() async throws {
    let user = try await enrolling()
    try user.simulator.script("cut-picture@download")
    try await user.run("capture 1")
    let record = try #require(try await user.store().item(1).capture)
    var report = CaptureReport(outcome: SequenceOutcome(ending: .done))
    report.records = [record]
    let plugin = try #require(user.plugin.plugin as? WSABIPlugin)
    let (station, context, fetched) = (plugin.station, user.plugin.context, report)
    let reviewed = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await station.reviewed(fetched, of: 1, context)
    }.value
    #expect(reviewed.flaws[record.id] != nil)
    await user.stop()
  }

  @Test func `another submodality reported by the sensor causes a warning, and the item stays the same`() async throws {
    let user = try await enrolling()
    try user.simulator.script("ignore-configuration@setConfiguration")
    let result = try await user.run("capture 1")
    let told = try #require(result.diagnostics.first { $0.code == "wsabi.other-part" })
    #expect(told.severity == .warning)
    let words = "item 1: the sensor reports 'Right Thumb (Flat)' instead of 'Right Index (Flat)'"
    #expect(told.message.hasPrefix(words))
    #expect(codes(try #require(result.value["items"].list?.first)).contains("wsabi.other-part"))
    let items = try await user.store().items(of: 1)
    #expect(items.map { $0.capture != nil } == [true, false])
    #expect(items.first?.capture?.metadata["submodality"]?.plainText == "RightThumbFlat")
    await user.stop()
  }

  @Test(arguments: [
    "date@download=1970-01-01T00:00:00", "date@download=2100-01-01T00:00:00", "bad-dates@download",
    "double-captures@capture",
  ])
  func `a strange response is reported as a note, and stored as received`(_ rule: String) async throws {
    let user = try await enrolling()
    try user.simulator.script(rule)
    let result = try await user.run("capture 1")
    let told = try #require(result.diagnostics.first { $0.code == "wsabi.strange-answer" }, "\(result.diagnostics)")
    #expect(told.severity == .note)
    let record = try #require(try await user.store().item(1).capture)
    if let date = rule.split(separator: "=").dropFirst().first {
      #expect(record.metadata["captureDate"]?.plainText == String(date))
    }
    await user.stop()
  }

  @Test func `an ordinary capture has no notes`() async throws {
    let user = try await enrolling()
    let result = try await user.run("capture 1")
    #expect(result.diagnostics.allSatisfy { $0.code == "wsabi.capture-warning" }, "\(result.diagnostics)")
    await user.stop()
  }

  @Test func `more captures than requested are reported, except a slap's fingers`() {
    func notes(_ wanted: String, _ count: Int) -> [String] {
      let item = BiometricItem(StoreSamples.draft(1, wanted), id: 1, index: 0, at: StoreFolder.time)
      var report = CaptureReport(outcome: SequenceOutcome(ending: .done))
      for number in 0..<count { report.waiting[StoreSamples.uuid(number)] = "not yet" }
      return CaptureCheck.warnings(report, item).map(\.code)
    }
    #expect(notes("RightIndexFlat", 1) == [] && notes("RightIndexFlat", 2) == ["strange-answer"])
    #expect(notes("RightSlap", 5) == [] && notes("RightSlap", 6) == ["strange-answer"])
    #expect(notes("BothIrises", 2) == [])
  }
}
