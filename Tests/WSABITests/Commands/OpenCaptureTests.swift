import PluginAPI
import PluginTesting
import Testing

@testable import WSABI
@testable import WSABISimulator

/// Captures with an unknown outcome: named in every result, and never repeated without a request.
@Suite(.timeLimit(.minutes(5)))
struct OpenCaptureTests {
  /// Captures the first item repeatedly, as no quality is good enough.
  ///
  /// - Parameter score: Of a capture by its number.
  private func attempts(
    _ user: StationUser, _ script: String, retries: Int = 2, score: @escaping @Sendable (Int) -> Int = { _ in 4 }
  ) async throws -> CaptureRun.Result {
    try user.simulator.script(script)
    let store = try user.store()
    let sensors = SensorAccess(isOffline: false)
    let links = LinkManager({ sensors.connection($0) }, store, FaultRun.clock, onNote: { _ in })
    let run = CaptureRun(
      links: links, records: store, retries: retries, minimumQuality: 90,
      review: { record, _ in
        let quality = CaptureRecord.Quality(score: score(record.id), scorer: "test")
        return ReviewedCapture(record: try await store.setQuality(of: record.id, quality))
      })
    let results = try await run.capture([try await store.item(1)])
    await links.close()
    return try #require(results.first)
  }

  @Test func `an unknown attempt is in the result, whatever an earlier one stored`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    let result = try await attempts(user, "drop-after@capture#2")
    #expect(result.attempts == 2 && result.report.records.count == 1)
    let problem = try #require(result.problem)
    #expect(problem.outcome.rawValue == "unknown" && problem.report.code == "wsabi.capture-unknown")
    #expect(problem.report.message.contains("another capture is stored"))
    // The item has data, and is nevertheless shown as open.
    let item = try await user.value("item show 1")
    #expect(item["capture"]["captureId"].text != nil && item["undecided"]["outcome"] == "unknown")
    await user.stop()
  }

  @Test func `lost or waiting data of an attempt is in the result, whatever was stored`() async throws {
    for (status, word) in [("invalidId", "partly-lost"), ("failure", "waiting")] {
      let user = try await StationUser.enrolling(sensors: 1)
      try await user.addPerson()
      let result = try await attempts(user, "status@download#2-=\(status)")
      #expect(result.attempts == 2 && result.report.records.count == 1, "\(word)")
      #expect(result.problem?.outcome.rawValue == word)
      #expect(result.report.lost.count == (word == "partly-lost" ? 1 : 0))
      #expect(result.report.waiting.count == (word == "waiting" ? 1 : 0))
      await user.stop()
    }
  }

  @Test func `a complete response is not deleted for a better one that misses a picture`() async throws {
    for (status, kept) in [("invalidId", 2), ("failure", 3)] {
      let user = try await StationUser.enrolling(sensors: 1) { $0.capturesPerCall = 2 }
      try await user.addPerson()
      let result = try await attempts(user, "status@download#4-=\(status)", retries: 1) { $0 * 20 }
      #expect(result.attempts == 2 && result.report.records.map(\.id).sorted() == [1, 2])
      #expect(result.report.idCount == 2 && result.report.missingCount == 0)
      #expect(result.report.lost.count + result.report.waiting.count == 1)
      // Half of a response is deleted only if the other half can no longer arrive.
      let ids = try await user.store().captures(of: 1).map(\.id).sorted()
      #expect(ids == Array(1...kept), "\(status)")
      if status == "invalidId" {
        #expect(result.problem?.outcome.rawValue == "partly-lost")
        #expect(result.problem?.report.message.contains("captured and stored; 1 of another attempt") == true)
      }
      await user.stop()
    }
  }

  @Test func `an unknown capture ends the command with its code, also after a stored one`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    try user.simulator.script("drop-after@capture#2")
    let report = await user.report("capture 1 --retries 3 --minimum-quality 100")
    #expect(report?.code == "wsabi.capture-unknown" && report?.kind == .network)
    #expect(user.simulator.ledger.count == 2)
    await user.stop()
  }

  @Test func `7: an unknown capture is in every list, and is repeated only on request`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    try user.simulator.script("drop-after@capture#1")
    #expect(await user.report("capture 1")?.code == "wsabi.capture-unknown")
    let rows = try await user.value("operations").list
    #expect(rows?.map { $0["item"] } == [1] && rows?.first?["stage"].text?.contains("unknown outcome") == true)
    let listed = try await user.value("item list 1").list?.map { $0["undecided"]["outcome"].text }
    #expect(listed == ["unknown", nil])
    #expect(try await user.value("person show 1")["items"].list?.first?["undecided"]["outcome"] == "unknown")
    for option in ["--missing", "--all"] {
      let report = await user.report("capture --person 1 \(option)")
      #expect(report?.code == "wsabi.decision-needed" && report?.kind == .refused, "\(option)")
      // Only the other one was captured.
      #expect(user.simulator.calls.count { $0.operation == .capture } == (option == "--missing" ? 2 : 3))
      #expect(try await user.value("item list 1").list?.map { $0["capture"].isNull } == [true, false])
      if option == "--missing" {
        #expect(await user.report("capture --person 1 --missing")?.code == "wsabi.decision-needed")
      }
    }
    user.plugin.answers.say("no")
    #expect(await user.report("capture --person 1 --missing")?.code == "wsabi.decision-needed")
    user.plugin.answers.say("yes")
    #expect(try await user.value("capture --person 1 --missing")["captured"] == 1)
    #expect(try await user.value("operations").list == [])
    #expect(try await user.value("item show 1")["undecided"].isNull)
    await user.stop()
  }

  @Test(arguments: ["capture 1", "capture --person 1 --missing --again"])
  func `naming only the item, or '--again', repeats an unknown capture`(_ line: String) async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    try user.simulator.script("drop-after@capture#1")
    #expect(await user.report("capture 1")?.code == "wsabi.capture-unknown")
    try await user.run(line)
    #expect(try await user.value("item show 1")["capture"]["captureId"].text != nil)
    await user.stop()
  }

  @Test func `the next capture names the item that an earlier run left unknown`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    let store = try user.store()
    // Requested by a process that ended before any response.
    let address = try SensorAddress(parsing: user.address(1))
    let session = try #require(SensorUUID("01234567-89ab-cdef-0123-456789abcdef"))
    _ = try await store.begin(
      CaptureIntent(item: 1, address: address, session: session, configuration: WireDictionary()))
    let again = try await user.restarted()
    let told = try await again.run(line: "capture 2 --key-file \(user.keyFile)")
    let warning = told.diagnostics.first { $0.code == "wsabi.capture-unknown" }
    #expect(warning?.message.contains("item 1") == true && warning?.advice?.isEmpty == false)
    #expect(try await again.run(line: "item show 1").value["undecided"]["outcome"] == "unknown")
    await user.stop()
  }

  @Test func `a command that finds a capture unknown does not capture its item`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    let store = try user.store()
    let address = try SensorAddress(parsing: user.address(1))
    let session = try #require(SensorUUID("01234567-89ab-cdef-0123-456789abcdef"))
    _ = try await store.begin(
      CaptureIntent(item: 1, address: address, session: session, configuration: WireDictionary()))
    let again = try await user.restarted()
    let line = "capture 1 --key-file \(user.keyFile)"
    await #expect(throws: CaptureProblem.undecided(items: [1])) { try await again.run(line: line) }
    #expect(user.simulator.ledger.isEmpty)
    // Now it is known.
    _ = try await again.run(line: line)
    #expect(user.simulator.ledger.count == 1)
    await user.stop()
  }

  @Test func `a sensor that another client holds is reported with advice on stealing`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    try user.simulator.script("status@tryLock=lockHeldByAnother")
    let store = try user.store()
    let sensors = SensorAccess(isOffline: false)
    // All responses arrive: however busy the machine is, none counts as missing.
    var times = FaultRun.times
    times.shortInMilliseconds = 30_000
    let links = LinkManager({ sensors.connection($0) }, store, FaultRun.clock, times, onNote: { _ in })
    let result = try #require(
      try await CaptureRun(links: links, records: store).capture([try await store.item(1)]).first)
    let report = try #require(result.problem?.report)
    #expect(report.code == "wsabi.sensor-held" && report.isRetryable)
    #expect(report.advice?.contains("sensor steal") == true && report.advice?.contains("62 s") == true)
    await links.close()
    await user.stop()
  }
}
