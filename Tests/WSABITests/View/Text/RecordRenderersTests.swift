import PluginAPI
import Testing

@testable import WSABI

@Suite struct RecordRenderersTests {
  private func item(_ id: Int, hasCapture: Bool, condition: String = "present", notes: String = "") -> Value {
    [
      "id": .integer(id), "title": "Right Index", "sensor": "desk", "address": "http://a", "notes": .text(notes),
      "parts": [["part": "Right Index", "condition": .text(condition)]],
      "capture": hasCapture ? ["id": 7] : .null,
    ]
  }

  @Test func `an item is marked by what is captured and what is wrong`() {
    let items: Value = .list([
      item(1, hasCapture: false), item(2, hasCapture: true), item(3, hasCapture: true, condition: "bandaged"),
      item(4, hasCapture: false, notes: "later"),
    ])
    let lines = ItemsRenderer(typeName: "x").render(items, for: TextRequest()).plainText.split(separator: "\n")
    let marks = lines.map { $0.dropFirst(6).prefix(2) }
    #expect(marks == ["○ ", "● ", "●!", "○!"])
  }

  @Test func `a run of captures tells each item with what is wrong, and its steps in full`() {
    let run: Value = [
      "items": [
        [
          "item": 1, "title": "Right Index", "outcome": "stored", "milliseconds": 12.4, "message": "",
          "captures": [["id": 3, "sizeInBytes": 10, "sniffedType": "image/bmp"]],
        ],
        ["item": 2, "title": "Left Index", "outcome": "unknown", "milliseconds": 30, "message": "no answer came"],
      ],
      "steps": [
        ["milliseconds": 1, "address": "http://a", "operation": "register", "status": "success", "isAnswer": true]
      ],
    ]
    let renderer = CaptureRunRenderer(typeName: "x")
    let text = renderer.render(run, for: TextRequest()).plainText
    #expect(text.contains("stored  12 ms") && text.contains("3: 10 bytes, image/bmp"))
    #expect(text.contains("unknown") && text.contains("no answer came") && !text.contains("register"))
    #expect(renderer.render(run, for: TextRequest(detail: .full)).plainText.contains("register: success"))
  }

  @Test func `a damaged log names its first bad entry`() {
    let log: Value = ["count": 9, "isWhole": false, "firstBad": 4, "fault": "missing", "entries": []]
    let text = LogRenderer(typeName: "x").render(log, for: TextRequest()).plainText
    #expect(text.contains("Entry 4 of 9 is missing."))
  }
}
