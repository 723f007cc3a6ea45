import PluginText

@testable import WSABI
@testable import WSABISimulator

/// A check for every fault of the simulator.
enum SimulatorFaultChecks {
  static let all = transport + documents + contents + sensor

  private static let transport: [SimulatorFaultCheck] = [
    .init("delay=300", .info, without: nil) { answer, _ in
      answer.status == "success" && answer.time >= .milliseconds(300)
    },
    .init("hang", .info) { answer, _ in answer.http == 0 },
    .init("freeze", .capture) { answer, simulator in answer.http == 0 && simulator.ledger.count == 2 },
    .init("silence", .info) { answer, _ in answer.http == 0 },
    .init("stall", .info) { answer, _ in answer.http == 0 },
    .init("drop-before", .capture) { answer, simulator in answer.http == 0 && simulator.ledger.count == 1 },
    .init("drop-after", .capture) { answer, simulator in answer.http == 0 && simulator.ledger.count == 2 },
    .init("reset-before", .capture) { answer, simulator in answer.http == 0 && simulator.ledger.count == 1 },
    .init("reset-after", .capture) { answer, simulator in answer.http == 0 && simulator.ledger.count == 2 },
    .init("truncate", .info) { answer, _ in answer.http == 0 },
    .init("overstate", .info) { answer, _ in answer.http == 0 },
    .init("understate", .lock, lacks: "</result>"),
    .init("glued", .bareLock) { answer, _ in
      answer.whole.components("HTTP/1.1 200 OK\r\n") == 2 && answer.whole.components("</result>") == 2
    },
    .init("garbage", .lock) { answer, _ in answer.http == 0 },
    // Fifty bytes at a time, twenty times a second.
    .init("throttle=1000", .lock, without: nil) { answer, _ in
      answer.status == "success" && answer.body.count > 100
        && answer.time >= .milliseconds(50) * ((answer.body.count - 1) / 50)
    },
    .init("dribble", .bareLock) { answer, _ in
      answer.http == 200 && answer.chunkSizes.count > 100
        && answer.chunkSizes.dropLast().allSatisfy { $0 == 1 } && answer.chunkSizes.last == 0
    },
    .init("no-length", .lock) { answer, _ in answer.status == "success" && answer.statedLength == nil },
    .init("gzip", .info) { answer, _ in answer.keys.contains("modality") && answer.encoding == "gzip" },
    .init("gzip-bomb=1", .lock) { answer, _ in answer.body.count == 1 << 20 && answer.encoding == "gzip" },
    .init("huge-message=1", .info) { answer, _ in answer.body.count > 1 << 20 && answer.status == "success" },
    .init("huge-data=1", .download) { answer, _ in answer.body.count > 1 << 20 && answer.status == "success" },
    .init("http=503", .capture) { answer, simulator in answer.http == 503 && simulator.ledger.count == 1 },
    .init("http-late=500", .capture) { answer, simulator in answer.http == 500 && simulator.ledger.count == 2 },
    .init("redirect=http://127.0.0.1:1/", .info) { answer, _ in answer.http == 0 },
    .init("login-page", .info) { answer, _ in answer.http == 200 && answer.type.hasPrefix("text/html") },
    .init("wrong-type=text/plain", .info) { answer, _ in answer.type == "text/plain" && answer.status == "success" },
    .init("empty-body", .info) { answer, _ in answer.http == 200 && answer.body.isEmpty },
  ]

  private static let documents: [SimulatorFaultCheck] = [
    .init("cut-tag", .info) { answer, _ in answer.http == 200 && !answer.whole.hasSuffix("</result>") },
    .init("junk-behind", .info) { answer, _ in answer.whole.hasSuffix("</result><more/>junk") },
    .init("mismatched-tags", .info, has: "success</state>"),
    .init("doctype", .info, has: "<!DOCTYPE result>"),
    .init("external-entity", .info, has: "SYSTEM \"file:///etc/hostname\""),
    .init("entity-bomb", .info, has: "<!ENTITY e9 "),
    .init("deep", .info) { answer, _ in answer.body.count > 700_000 },
    .init("many-items", .details) { answer, _ in
      answer.body.count > 11_000_000 && ByteSearch.contains("<key>k000000</key>".utf8, in: answer.body)
        && ByteSearch.contains("<key>k299999</key>".utf8, in: answer.body.suffix(1000))
    },
    .init("big-key", .details) { answer, _ in answer.body.count > 10 << 20 },
    .init("unknown-namespace", .lock, has: "urn:example:not-a-sensor"),
    .init("no-namespace", .lock, lacks: "bioserv"),
    .init("other-namespace", .lock, has: "urn:oid:2.16.840.1.101.3.9.3.1"),
    .init("bad-utf8", .lock) { answer, _ in answer.body.contains(0xFF) },
    .init("escape-characters", .lock) { answer, _ in answer.body.contains(0x1B) },
    .init("nul", .lock) { answer, _ in answer.body.contains(0) },
    .init("prefixed", .info, has: "<w:status>success</w:status>"),
    .init("other-style", .info) { answer, simulator in
      answer.whole.contains("q:type") != (simulator.configuration.style == .wcf)
    },
    .init("utf-16", .lock) { answer, _ in answer.body.starts(with: [0xFF, 0xFE]) && answer.body.count % 2 == 0 },
    .init("bom", .lock) { answer, _ in answer.body.starts(with: [0xEF, 0xBB, 0xBF]) },
    .init("cdata", .lock, has: "<status><![CDATA[success]]></status>"),
    .init("comments", .lock, has: "<status>suc<!-- a > b -->cess</status>"),
    .init("references", .lock, has: "<status>&#x73;&#x75;"),
    .init("padded", .lock, has: "<status>\n    success\t"),
    .init("reordered", .register) { answer, _ in
      answer.status == "success" && answer.whole.hasSuffix("<status>success</status></result>")
    },
    .init("hostile-texts", .info, has: "\u{202E}"),
  ]

  private static let contents: [SimulatorFaultCheck] = [
    .init("no-status", .lock, lacks: "<status>"),
    .init("two-statuses", .lock, has: "<status>success</status><status>failure</status>"),
    .init("unknown-status", .lock) { answer, _ in answer.status == "sensorOnFire" },
    .init("upper-case-status", .lock) { answer, _ in answer.status == "SUCCESS" },
    .init("no-session", .register) { answer, _ in answer.status == "success" && answer.text("sessionId").isEmpty },
    .init("no-captures", .capture) { answer, simulator in answer.captureIDs.isEmpty && simulator.ledger.count == 2 },
    .init("no-data", .download) { answer, _ in answer.data.isEmpty && !answer.keys.isEmpty },
    .init("no-metadata", .download) { answer, _ in !answer.data.isEmpty && answer.keys.isEmpty },
    .init("bad-session", .register) { answer, _ in answer.text("sessionId") == "session-42" },
    .init("path-session", .register) { answer, _ in answer.text("sessionId") == "../../admin" },
    .init("blank-session", .register) { answer, _ in answer.text("sessionId").contains(" ") },
    .init("empty-captures", .capture, has: "<captureIds></captureIds>"),
    .init("double-captures", .capture) { answer, _ in
      answer.captureIDs.count == 2 && Set(answer.captureIDs.map { $0.lowercased() }).count == 1
    },
    .init("many-captures", .capture) { answer, _ in Set(answer.captureIDs).count == 10_001 },
    .init("foreign-capture", .capture) { answer, simulator in answer.captureIDs == simulator.ledger.prefix(1).map(\.id)
    },
    .init("wrapped-data", .download) { answer, _ in answer.text("sensorData").contains("\r\n") },
    .init("cdata-data", .download, has: "<sensorData><![CDATA["),
    .init("junk-data", .download, has: "*!~ junk ~!*"),
    .init("cut-data", .download) { answer, _ in answer.text("sensorData").utf8.count % 4 != 0 },
    .init("padded-data", .download) { answer, _ in answer.text("sensorData").dropLast(8).contains("=") },
    .init("empty-data", .download, has: "<sensorData></sensorData>"),
    .init("lying-type", .details) { answer, _ in answer.value("contentType") == "image/x-wsq" },
    .init("no-type", .details) { answer, _ in answer.status == "success" && !answer.keys.contains("contentType") },
    .init("unknown-type", .details) { answer, _ in answer.value("contentType") == "x-biometric/unheard-of" },
    .init("cut-picture", .download) { answer, simulator in
      simulator.ledger.first.map { $0.sizeInBytes / 2 } == answer.data.count
    },
    .init("empty-picture", .download) { answer, _ in answer.data.count == 1078 && answer.data[18] == 0 },
    .init("bomb-picture", .download) { answer, _ in
      answer.data.count < 20_000 && Array(answer.data[16..<20]) == [0, 0, 0xC3, 0x50]
    },
    .init("double-keys", .details) { answer, _ in Set(answer.keys).count == answer.keys.count - 1 },
    .init("wrong-types", .details) { answer, _ in answer.value("count") == "many" },
    .init("huge-numbers", .details) { answer, _ in answer.value("huge").count == 400 },
    .init("not-a-number", .details) { answer, _ in answer.value("nan") == "NaN" && answer.value("hex") == "0x10" },
    .init("bad-dates", .details) { answer, _ in answer.value("captureDate").hasPrefix("2026-02-31") },
    .init("date=2100-01-01T00:00:00.1234567+14:00", .details) { answer, _ in
      answer.value("captureDate") == "2100-01-01T00:00:00.1234567+14:00"
    },
    .init("nameless-parameter", .info) { answer, _ in
      answer.whole.components("<name>") == answer.keys.count - 1
    },
    .init("unknown-modality", .info, has: "Aura"),
    .init("no-modality", .info) { answer, _ in !answer.keys.contains("modality") && answer.keys.contains("submodality")
    },
    .init("no-submodality", .info) { answer, _ in
      answer.keys.contains("modality") && !answer.keys.contains("submodality")
    },
  ]

  private static let sensor: [SimulatorFaultCheck] = [
    .init("status=sensorTimeout", .capture) { answer, simulator in
      answer.status == "sensorTimeout" && simulator.ledger.count == 1
    },
    .init("status-late=failure", .capture) { answer, simulator in
      answer.status == "failure" && simulator.ledger.count == 2
    },
    .init("restart", .lock) { answer, _ in answer.status == "invalidId" },
    .init("restart-after", .lock) { answer, simulator in
      answer.status == "success" && simulator.sensor(1).snapshot.sessions.isEmpty
    },
    .init("die", .capture) { answer, simulator in
      answer.status == "success" && simulator.sensor(1).snapshot.isBroken
    },
    .init("hold", .capture) { answer, simulator in answer.http == 0 && simulator.sensor(1).snapshot.job != nil },
    .init("busy", .capture) { answer, _ in answer.status == "sensorBusy" },
    .init("stolen", .capture) { answer, _ in answer.status == "lockHeldByAnother" },
    .init("thief; hold", .capture) { answer, _ in answer.status == "canceled" },
    .init("steal-refused", .steal) { answer, _ in answer.status == "failure" },
    .init("steal-false", .steal) { answer, simulator in
      let thief = simulator.calls.last { $0.operation == .stealLock }?.session?.lowercased()
      return answer.status == "success" && thief != nil && simulator.sensor(1).snapshot.lockHolder != thief
    },
    .init("preparing", .download) { answer, _ in answer.status == "preparingDownload" },
    .init("forget", .download) { answer, _ in answer.status == "invalidId" },
    .init("cancel-failure; hold", .cancelledCapture, without: "hold") { answer, simulator in
      answer.status == "canceledWithSensorFailure" && simulator.sensor(1).snapshot.isBroken
    },
    .init("late-cancel; hold", .cancelledCapture, without: "hold") { answer, simulator in
      answer.status == "success" && answer.captureIDs.count == 1 && simulator.ledger.count == 2
    },
    .init("ignore-configuration", .configure) { answer, simulator in
      answer.status == "success" && simulator.sensor(1).snapshot.configuration.isEmpty
    },
    .init("clock-jump=7200", .lock) { answer, _ in answer.status == "invalidId" },
    .init("preview-ends=2; preview-header", .stream, without: "preview-ends=3", has: "Content-Length: many"),
    .init("preview-huge=1; preview-ends=1", .stream, without: "preview-ends=3") { answer, _ in
      answer.body.count > 1 << 20
    },
    .init("preview-endless", .stream, without: "preview-ends=3") { answer, _ in answer.http == 0 },
    .init("preview-boundary; preview-ends=2", .stream, without: "preview-ends=3") { answer, _ in
      answer.whole.components("--simulated-frame") == 4
    },
    .init("preview-silent", .stream, without: "preview-ends=3") { answer, _ in answer.http == 0 },
    .init("preview-ends=3", .stream, without: "preview-ends=2") { answer, _ in
      answer.whole.components("--simulated-frame") == 3
    },
  ]
}

extension String {
  /// Returns the number of occurrences of a text.
  func components(_ text: String) -> Int {
    let (bytes, mark) = (Array(utf8), Array(text.utf8))
    guard bytes.count >= mark.count else { return 0 }
    return (0...(bytes.count - mark.count)).count {
      bytes[$0] == mark[0] && bytes[$0..<($0 + mark.count)].elementsEqual(mark)
    }
  }
}
