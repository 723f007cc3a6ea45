import FoundationEssentials
import Glibc
import PluginAPI
import PluginTesting
import Testing

@testable import WSABI
@testable import WSABISimulator

/// Every operation of the protocol by its own command, and the captured data on that way.
@Suite(.timeLimit(.minutes(5)))
struct SensorOperationTests {
  private func path(_ user: StationUser, _ name: String) -> String { user.home + "/" + name }

  /// Returns a session that holds the lock of the first sensor, which is ready.
  private func ready(_ user: StationUser) async throws -> String {
    let session = try #require(try await user.value("sensor lock \(user.address(1))")["session"].text)
    try await user.run("sensor initialize \(user.address(1)) --session \(session)")
    return session
  }

  @Test func `all twenty operations of the protocol are available as commands`() async throws {
    let user = try await StationUser.enrolling(sensors: 1) {
      ($0.stealPreventionInMilliseconds, $0.captureSizeInBytes) = (0, nil)
    }
    let key = "--key-file \(user.keyFile)"
    let sensor = user.address(1)
    let registered = try #require(try await user.value("sensor register \(sensor)")["session"].text)
    let mine = "\(sensor) --session \(registered)"
    for line in ["lock \(mine)", "initialize \(mine)", "configure \(mine) --set gain=5", "configuration \(mine)"] {
      #expect(try await user.value("sensor \(line)")["status"] == "success", "\(line)")
    }
    let id = try #require(try await user.value("sensor capture \(mine)")["captureIds"].list?.first?.text)
    #expect(try await user.value("sensor begin-capture \(mine)")["session"].text == registered)
    #expect(try await user.value("sensor end-capture \(mine)")["captureIds"].list?.count == 1)
    let told = try await user.value("sensor download-info \(sensor) \(id)")
    #expect(told["metadata"]["gain"] == "5")
    for (operation, options) in [("download", ""), ("thrifty-download", "--max-size 40"), ("raw-download", "")] {
      let line = "sensor \(operation) \(sensor) \(id) --output \(path(user, operation)) \(options) \(key)"
      #expect(try await user.value(line)["status"] == "success", "\(operation)")
    }
    #expect(try await user.value("sensor stream \(sensor) live --frames 2")["pictures"] == 2)
    #expect(
      try await user.value("sensor stream \(sensor) locked --frames 2 --session \(registered)")["isOver"] == false)
    #expect(try await user.value("sensor information \(sensor)")["metadata"]["modality"] == "Finger")
    for line in ["status \(sensor)", "cancel \(mine)", "uninitialize \(mine)", "unlock \(mine)", "steal \(mine) --yes"]
    {
      #expect(try await user.value("sensor \(line)")["status"] == "success", "\(line)")
    }
    #expect(try await user.value("sensor unregister \(mine)")["status"] == "success")
    #expect(Set(user.simulator.calls.map(\.operation.rawValue)) == Set(SensorOperation.allCases.map(\.rawValue)))
    #expect(user.simulator.sensor(1).snapshot.sessions.isEmpty)
    await user.stop()
  }

  @Test func `a single capture warns that its data is only at the sensor, and is logged with session and id`()
    async throws
  {
    let user = try await StationUser.enrolling(sensors: 1)
    let session = try await ready(user)
    let result = try await user.run("sensor capture \(user.address(1)) --session \(session)")
    let entry = try #require(user.simulator.ledger.first)
    #expect(result.value["captureIds"].list?.compactMap { $0.text?.lowercased() } == [entry.id])
    #expect(result.diagnostics.contains { $0.code == "wsabi.not-filed" && $0.severity == .warning })
    #expect(entry.downloads == 0, "nothing is fetched")
    let log = try await user.value("log --verify")["entries"].list ?? []
    let asked = log.filter { $0["action"] == "captureAsked" }
    let answered = log.filter { $0["action"] == "captureAnswered" }
    #expect(asked.map { $0["session"].text } == [session])
    #expect(
      answered.map { $0["captureId"].text?.lowercased() } == [entry.id] && answered.first?["session"].text == session)
    #expect(answered.first?["outcome"] == "not filed")
    await user.stop()
  }

  @Test func `a download is written to a private file with its hash, and logged`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    let session = try await ready(user)
    try await user.run("sensor capture \(user.address(1)) --session \(session)")
    let entry = try #require(user.simulator.ledger.first)
    let file = path(user, "finger.bmp")
    let line = "sensor download \(user.address(1)) \(entry.id) --output \(file) --key-file \(user.keyFile)"
    let result = try await user.run(line)
    #expect(result.value["sha256"].text == entry.sha256 && result.value["sizeInBytes"].integer == entry.sizeInBytes)
    #expect(result.value["claimedType"] == "image/bmp" && result.value["sniffedType"] == "image/bmp")
    #expect(result.diagnostics.map(\.code) == ["wsabi.not-filed"])
    var status = stat()
    #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600 && Int(status.st_size) == entry.sizeInBytes)
    let told = try await user.value("log")["entries"].list?.last { $0["action"] == "exported" }
    #expect(told?["sha256"].text == entry.sha256 && told?["captureId"].text?.lowercased() == entry.id)
    // An existing file is never replaced, and nothing is downloaded for it.
    #expect(await user.report(line)?.code == "wsabi.export-exists")
    #expect(user.simulator.ledger.first?.downloads == 1)
    await user.stop()
  }

  @Test(arguments: [
    ("junk-data", "wsabi.sensor-broken-data"), ("preparing", "wsabi.sensor-said-no"),
    ("cut-tag", "wsabi.sensor-malformed"),
  ])
  func `a failed download leaves no file, and can be requested again`(_ fault: String, _ code: String) async throws {
    let user = try await StationUser(sensors: 1)
    let session = try await ready(user)
    try await user.run("sensor capture \(user.address(1)) --session \(session)")
    let entry = try #require(user.simulator.ledger.first)
    try user.simulator.script("\(fault)@download")
    let line = "sensor download \(user.address(1)) \(entry.id) --output \(path(user, "finger.bmp"))"
    let before = try FileManager.default.contentsOfDirectory(atPath: user.home)
    #expect(await user.report(line)?.code == code)
    #expect(try FileManager.default.contentsOfDirectory(atPath: user.home).sorted() == before.sorted())
    user.simulator.heal()
    #expect(try await user.value(line)["sha256"].text == entry.sha256)
    await user.stop()
  }

  @Test(arguments: [
    ("lock", "lockHeldByAnother"), ("initialize", "sensorBusy"), ("configure --set gain=5", "badValue"),
    ("capture", "failure"), ("status", "failure"),
  ])
  func `a refusal names the sensor`(_ operation: String, _ status: String) async throws {
    let user = try await StationUser(sensors: 1)
    let words = operation.split(separator: " ", maxSplits: 1).map(String.init)
    let wire = ["lock": "tryLock", "configure": "setConfiguration", "status": "getSensorStatus"]
    try user.simulator.script("status@\(wire[words[0]] ?? words[0])=\(status)")
    let address = user.address(1)
    let report = await user.report("sensor \(words[0]) \(address) \(words.dropFirst().joined())")
    #expect(report?.code == "wsabi.sensor-said-no" && report?.details["status"]?.text == status)
    #expect(report?.message.contains("'\(address)'") == true && report?.details["address"]?.text == address)
    await user.stop()
  }

  @Test func `without a store, a warning says that nothing is logged`() async throws {
    let user = try await StationUser(sensors: 1)
    let session = try await ready(user)
    let result = try await user.run("sensor capture \(user.address(1)) --session \(session)")
    #expect(result.diagnostics.map(\.code) == ["wsabi.not-audited", "wsabi.not-filed"])
    await user.stop()
  }

  @Test func `without permission, nothing is exported or captured`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    for role in ["operator", "reviewer"] {
      let options = "--new-key-file \(user.keyFile).\(role) --key-file \(user.keyFile)"
      try await user.run("store add-user \(role) \(role) \(options)")
    }
    let session = try await ready(user)
    let other = try await user.restarted()
    let capture = "sensor capture \(user.address(1)) --session \(session) --key-file \(user.keyFile).reviewer"
    await #expect(throws: VaultRefusal.self) { try await other.run(line: capture) }
    #expect(user.simulator.ledger.isEmpty)
    try await user.run("sensor capture \(user.address(1)) --session \(session)")
    let id = try #require(user.simulator.ledger.first?.id)
    let file = path(user, "copy")
    let download = "sensor download \(user.address(1)) \(id) --output \(file) --key-file \(user.keyFile).operator"
    let third = try await user.restarted()
    await #expect(throws: VaultRefusal.self) { try await third.run(line: download) }
    #expect(access(file, F_OK) != 0 && user.simulator.ledger.first?.downloads == 0)
    await user.stop()
  }

  @Test func `a canceled capture is canceled at the sensor, and its ids are still logged`()
    async throws
  {
    let user = try await StationUser.enrolling(sensors: 1)
    let session = try await ready(user)
    try user.simulator.script("freeze")
    let capture = Task { try await user.run("sensor capture \(user.address(1)) --session \(session)") }
    await user.simulator.sensor(1).reaches { !$0.frozen.isEmpty }
    capture.cancel()
    _ = await capture.result
    let entry = try #require(user.simulator.ledger.first)
    let answered = try await user.value("log")["entries"].list?.filter { $0["action"] == "captureAnswered" }
    #expect(answered?.map { $0["captureId"].text?.lowercased() } == [entry.id])
    #expect(user.simulator.calls.count { $0.operation == .capture } == 1)
    await user.stop()
  }

  @Test func `canceling a command cancels the sensor's work while its response is awaited`() async throws {
    let user = try await StationUser.enrolling(sensors: 1) { $0.workDelayInMilliseconds = 60_000 }
    let work = Task { try await user.run("sensor initialize \(user.address(1))") }
    await user.simulator.waitUntilBusy(1, with: .initialize)
    work.cancel()
    _ = await work.result
    let asked = user.simulator.calls.map(\.operation)
    #expect(asked.count { $0 == .initialize } == 1)
    // The response arrived before the lock was released: the sensor was no longer busy.
    #expect(asked.suffix(3) == [.cancel, .unlock, .unregister])
    #expect(user.simulator.calls.suffix(3).map(\.outcome) == ["success", "success", "success"])
    await user.stop()
  }

  @Test func `a capture whose response is lost is unknown, and is requested once`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    let session = try await ready(user)
    try user.simulator.script("drop-after@capture")
    #expect(await user.report("sensor capture \(user.address(1)) --session \(session)")?.code == "wsabi.sensor-cut")
    let log = try await user.value("log")["entries"].list ?? []
    #expect(log.last { $0["action"] == "captureEnded" }?["outcome"] == "unknown")
    #expect(user.simulator.calls.count { $0.operation == .capture } == 1)
    await user.stop()
  }

  @Test func `a wrong id, a missing file and a missing session are refused before any request`()
    async throws
  {
    let user = try await StationUser(sensors: 1)
    let file = "--output \(path(user, "x"))"
    #expect(await user.report("sensor download \(user.address(1)) ../../x \(file)")?.code == "wsabi.bad-id")
    #expect(await user.report("sensor download \(user.address(1)) \(TestID.capture)")?.code == "wsabi.missing")
    #expect(await user.report("sensor end-capture \(user.address(1))")?.code == "wsabi.missing")
    #expect(await user.report("sensor stream \(user.address(1)) live --session x")?.code == "wsabi.bad-id")
    #expect(user.simulator.calls.isEmpty)
    #expect(await user.report("sensor unlock \(user.address(1)) --session x")?.code == "wsabi.bad-id")
    await user.stop()
  }
}
