import PluginAPI
import PluginTesting
import Testing

@testable import WSABI
@testable import WSABISimulator

/// The reports of captures and operations that succeeded only in part.
@Suite(.timeLimit(.minutes(5)))
struct CaptureProblemTests {
  @Test func `a capture with one of two pictures lost is reported as partly lost`() async throws {
    let user = try await StationUser.enrolling(sensors: 1) { $0.capturesPerCall = 2 }
    try await user.addPerson()
    try user.simulator.script("status@download#2-=invalidId")
    let report = await user.report("capture 1")
    #expect(report?.code == "wsabi.capture-partly-lost" && report?.kind == .network)
    #expect(report?.message.contains("1 of 2 stored, 1 lost") == true)
    #expect(report?.advice?.contains("item captures 1") == true)
    #expect(try await user.value("item captures 1").list?.count == 1)
    await user.stop()
  }

  @Test func `a capture without any data is lost, not partly lost`() {
    var report = CaptureReport(outcome: SequenceOutcome(ending: .captured([StoreSamples.uuid(1)])))
    report.lost = [StoreSamples.uuid(1): "gone"]
    let address = StoreSamples.address.text
    #expect(CaptureProblem(report, item: 1, at: address) == .lost(item: 1, at: address, reason: "gone"))
    report.refused = [StoreSamples.uuid(2): "not new"]
    #expect(CaptureProblem(report, item: 1, at: address)?.outcome.rawValue == "lost")
  }

  @Test func `missing data of one attempt does not count for another`() {
    let ending = SequenceOutcome(ending: .captured([StoreSamples.uuid(1)]))
    var (best, other) = (CaptureReport(outcome: ending), CaptureReport(outcome: ending))
    best.waiting = [StoreSamples.uuid(1): "not yet"]
    other.lost = [StoreSamples.uuid(2): "gone", StoreSamples.uuid(3): "gone"]
    let told = best.adding([other, best])
    #expect(told.idCount == 1 && told.missingCount == 0)
    #expect(told.lost.count == 2 && told.waiting.count == 1)
    let turned = other.adding([other, best])
    #expect(turned.idCount == 2 && turned.missingCount == 2)
    #expect(best.isOpen && other.isOpen && !CaptureReport(outcome: ending).isOpen)
  }

  @Test func `a setting that the sensor refuses is reported as such`() {
    let refusal = SequenceOutcome.Ending.refused(
      .configure, .badValue, message: "the sensor does not accept a setting: 'submodality'", badFields: ["submodality"]
    )
    let problem = CaptureProblem(CaptureReport(outcome: SequenceOutcome(ending: refusal)), item: 2, at: "http://a/1")
    #expect(problem?.report.code == "wsabi.setting-not-taken" && problem?.outcome.rawValue == "not-captured")
    #expect(
      problem?.report.message
        == "item 2 was not captured at 'http://a/1': the sensor does not accept a setting: 'submodality'")
    // A service that gives no reason is reported with its own status.
    let bare = SequenceOutcome.Ending.refused(.configure, .badValue, message: "", badFields: [])
    let other = CaptureProblem(CaptureReport(outcome: SequenceOutcome(ending: bare)), item: 2, at: "http://a/1")
    #expect(other?.report.message.contains("the sensor responded to 'set configuration' with 'badValue'") == true)
  }

  @Test func `every problem at a sensor names its address once`() {
    let address = "http://a/1"
    let fault = SensorFault(.timedOut(seconds: 10), .unknown, .capture, address: address).report.message
    let id = StoreSamples.uuid(1)
    func report(_ ending: SequenceOutcome.Ending, _ change: (inout CaptureReport) -> Void = { _ in }) -> CaptureReport {
      var report = CaptureReport(outcome: SequenceOutcome(ending: ending))
      change(&report)
      return report
    }
    let reports = [
      report(.refused(.initialize, .failure, message: "", badFields: [])),
      report(.refused(.configure, .badValue, message: "no such finger", badFields: [])),
      report(.refused(.capture, .sensorBusy, message: "", badFields: [])),
      report(.refused(.lock, .lockHeldByAnother, message: "", badFields: [])),
      report(.failed(.initialize, reason: fault)), report(.unknown(reason: fault)), report(.done),
      report(.captured([id])) { $0.waiting = [id: fault] }, report(.captured([id])) { $0.lost = [id: "gone"] },
    ]
    for report in reports {
      let message = CaptureProblem(report, item: 2, at: address)?.report.message ?? ""
      #expect(message.ranges(of: "'\(address)'").count == 1, "\(message)")
    }
  }

  @Test func `each problem of a capture is reported once`() {
    let item = BiometricItem(
      StoreSamples.draft(1), id: 3, index: 0, at: StoreFolder.time)
    var report = CaptureReport(outcome: SequenceOutcome(ending: .done, warnings: ["it is dusty", "it is dusty"]))
    report.troubles = ["cannot write the journal"]
    let result = CaptureRun.Result(item: item, report: report, attempts: 2, milliseconds: 1)
    #expect(result.problem == .notCaptured(item: 3, at: item.device.address, reason: "cannot write the journal"))
    #expect(CaptureCheck.warnings(result, minimumQuality: nil).map(\.message) == ["it is dusty"])
  }

  @Test func `'operations resume' fails while data is at a sensor, and reports the amount`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    try user.simulator.script("status@download#1-=failure")
    #expect(await user.report("capture 1")?.code == "wsabi.capture-waiting")
    let times = FaultRun.times
    let again = try await user.restarted(times)
    var report: ErrorReport?
    do {
      _ = try await again.run(line: "operations resume --key-file \(user.keyFile)")
    } catch {
      report = (error as? any ReportableError)?.report
    }
    #expect(report?.code == "wsabi.capture-waiting" && report?.kind == .network)
    #expect(report?.message == "data is still at the sensors: 1 id of 1 capture")
    user.simulator.heal()
    let rows = try await again.run(line: "operations resume --key-file \(user.keyFile)").value.list
    #expect(rows?.map { $0["outcome"] } == ["stored"])
    #expect(try await again.run(line: "operations resume").value.list == [])
    await user.stop()
  }

  @Test func `an item cannot be edited during its capture, in this process and in others`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    let other = try await user.restarted()
    try user.simulator.script("hold@capture#1")
    let capturing = Task { try await user.value("capture 1") }
    await user.simulator.waitUntilBusy(1, with: .capture)
    for change in ["--submodality RightMiddleFlat", "--sensor http://127.0.0.1:9", "--set impression=rolled"] {
      let report = await user.report("item edit 1 \(change)")
      #expect(report?.code == "wsabi.capture-under-way" && report?.kind == .refused, "\(change)")
      await #expect(throws: VaultError.captureUnderWay(item: 1), "\(change)") {
        try await other.run(line: "item edit 1 \(change) --key-file \(user.keyFile)")
      }
    }
    try await user.run("item annotate 1 --part bandaged")
    user.simulator.sensor(1).release()
    #expect(try await capturing.value["captured"] == 1)
    try await user.run("item edit 1 --submodality RightMiddleFlat --yes")
    await user.stop()
  }
}
