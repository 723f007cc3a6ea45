import PluginAPI
import PluginTesting
import Testing

@testable import WSABI
@testable import WSABISimulator

/// Captures that exceed the allowed size, or the size that can be shown.
@Suite(.timeLimit(.minutes(5)))
struct LargeCaptureTests {
  @Test func `the largest size of a capture is a setting`() async throws {
    let test = try await TestPlugin(WSABIPlugin(), isOffline: false)
    let address = try SensorAddress(parsing: "http://127.0.0.1:8000")
    func limit() -> Int { SensorAccess(test.context).connection(address).limits.dataInBytes }
    #expect(limit() == 512 << 20)
    try test.context.set("largest-capture", to: 2048)
    #expect(limit() == 2 << 30)
    #expect(throws: ErrorReport.self) { try test.context.set("largest-capture", to: 0) }
  }

  @Test func `a larger capture is requested once, stays at its sensor, and is reported with advice`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    try user.plugin.context.set("largest-capture", to: 16)
    try user.simulator.script("huge-data=40@download")
    let report = await user.report("capture 1")
    #expect(report?.code == "wsabi.capture-waiting")
    #expect(report?.message.contains("more than the allowed 16777216 bytes") == true)
    #expect(report?.message.contains("'largest-capture'") == true)
    #expect(user.simulator.calls.count { $0.operation == .download } == 1)
    user.simulator.heal()
    #expect(try await user.value("operations resume").list?.count == 1)
    #expect(try await user.value("item show 1")["capture"]["captureId"].text != nil)
    await user.stop()
  }

  @Test func `a capture too large to show is not read, and the card says so`() async throws {
    let plugin = try await ScreensPlugin.opened()
    let items = try await plugin.add("Ada", ["RightThumbFlat"], capture: [1, 2, 3])
    var capture = try #require(try await plugin.records.item(items[0].id).capture)
    let records = plugin.records
    let station = ScreenStation(records: { records }, sensors: plugin.sensors.screen, now: { StoreFolder.time })
    capture.sizeInBytes = ScreenPictures.mostBytes + 1
    let error = await #expect(throws: PictureError.self) {
      _ = try await station.picture(of: capture) { $0.size }
    }
    #expect(error == .tooManyBytes(ScreenPictures.mostBytes + 1, mostBytes: ScreenPictures.mostBytes))
    #expect(error?.report.message == "the picture of 209715201 bytes is larger than the 209715200 allowed")
    await records.close()
  }
}
