import PluginAPI
import Testing

@testable import WSABI

@Suite struct SensorEventTests {
  private let address = StoreSamples.address

  @Test func `an event has all fields in order, and null for those that it lacks`() {
    let value = LinkNote.waiting(item: 4, address, because: .sensorBusy, milliseconds: 5).value
    let expected: Value = [
      "event": "waiting", "item": 4, "address": .text(address.text), "operation": nil, "status": "sensorBusy",
      "outcome": nil, "reason": nil, "message": nil, "milliseconds": 5, "count": nil, "capture": nil, "isReady": nil,
      "isGivenBack": nil,
    ]
    #expect(value == expected)
    #expect(value.record?.fields.map(\.name) == expected.record?.fields.map(\.name))
  }

  @Test func `kinds have the names that other programs read`() {
    let names = [
      "connected", "step", "capturing", "waiting", "held", "captured", "stored", "lost", "prepared", "ended",
      "finished", "trouble", "stolen", "left-lock", "lock-kept",
    ]
    #expect(SensorEvent.Kind.allCases.map(\.rawValue) == names)
  }

  @Test func `events that screens do not show, or that lack their item, are not news`() {
    #expect(SensorNews(LinkNote.held(address, message: "busy").value) == nil)
    #expect(SensorNews(LinkNote.leftLock(address, isGivenBack: true).value) == nil)
    #expect(SensorNews(["event": "finished", "outcome": "stored"]) == nil)
    #expect(SensorNews(["event": "explosion", "item": 3]) == nil)
    #expect(SensorNews(["event": "stolen"]) == .stolen(address: ""))
  }
}
