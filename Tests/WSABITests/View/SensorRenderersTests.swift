import PluginAPI
import Testing

@testable import WSABI

@Suite struct SensorRenderersTests {
  private let key = "lockStealingPreventionPeriod"

  @Test func `sensor keys are not truncated, and a gap follows each`() {
    let answer: Value = [
      "operation": "getServiceInfo", "status": "success",
      "metadata": ["lockStealingPreventionPeriod": "2000", "gain": "4"],
    ]
    let lines = SensorAnswerRenderer(typeName: "x").render(answer, for: TextRequest(width: 80)).plainText
      .split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("\(key)  2000") })
    #expect(lines.contains { $0.hasPrefix("gain ") && $0.hasSuffix(" 4") })
    let check: Value = [
      "message": "ok", "address": "http://a",
      "parameters": [["name": .text(key + "InMilliseconds"), "value": "2000", "isReadOnly": true, "allowed": []]],
    ]
    let text = SensorCheckRenderer(typeName: "x").render(check, for: TextRequest(width: 80)).plainText
    #expect(text.contains("\(key)InMilliseconds  2000"))
  }
}
