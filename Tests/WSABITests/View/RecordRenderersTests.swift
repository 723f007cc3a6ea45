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

  @Test func `items are marked as captured, empty or annotated`() {
    let items: Value = .list([
      item(1, hasCapture: false), item(2, hasCapture: true), item(3, hasCapture: true, condition: "bandaged"),
      item(4, hasCapture: false, notes: "later"),
    ])
    let lines = ItemsRenderer(typeName: "x").render(items, for: TextRequest()).plainText.split(separator: "\n")
    let marks = lines.map { $0.dropFirst(6).prefix(2) }
    #expect(marks == ["○ ", "● ", "●!", "○!"])
    let plain = ItemsRenderer(typeName: "x").render(items, for: TextRequest(isPlain: true)).plainText
    let words = plain.split(separator: "\n").map { $0.dropFirst(6).prefix { $0 != ":" } }
    #expect(words == ["empty", "captured", "captured, annotated", "empty, annotated"])
  }

  @Test func `an enrollment lists its items and the command that captures them`() {
    func text(_ added: [Value], _ leftOut: [Value]) -> String {
      let value: Value = ["person": 4, "added": .list(added), "leftOut": .list(leftOut)]
      return EnrolledRenderer(typeName: "x").render(value, for: TextRequest()).plainText
    }
    let lines = text([item(1, hasCapture: false)], ["Face", "Left Iris"]).split(separator: "\n")
    #expect(lines.count == 3 && lines[0].contains("Right Index") && lines[1] == "without a sensor: Face, Left Iris")
    #expect(lines[2].contains("'capture --person 4 --missing --in-turn'"))
    #expect(text([], ["Face"]) == "nothing was added\nwithout a sensor: Face")
    #expect(text([], []) == "nothing to add: the person has all items of the template")
  }

  @Test func `a capture run lists each item with its problem, and its steps in full detail`() {
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
    // The items of resumed captures are rendered the same without a run.
    #expect(renderer.render(run["items"], for: TextRequest()).plainText == text)
  }

  @Test func `a damaged log names its first bad entry`() {
    let log: Value = ["count": 9, "isWhole": false, "firstBad": 4, "fault": "missing", "entries": []]
    let text = LogRenderer(typeName: "x").render(log, for: TextRequest()).plainText
    #expect(text.contains("Entry 4 of 9 is missing."))
  }

  @Test func `a log entry fits the terminal width, and is one line in linear mode`() {
    let entry: Value = [
      "number": 12, "at": .date(Instant(seconds: 1_790_000_000, nanoseconds: 123_000_000)),
      "user": "a user of a long name",
      "action": "permissionRefused", "person": 1, "item": 20, "capture": 300,
      "address": "http://station-of-the-first-floor.example.org:8000/Service", "outcome": "belongs to item 7",
    ]
    let log: Value = ["count": 12, "isWhole": true, "entries": .list([entry, ["number": 13, "action": "locked"]])]
    for width in [62, 80, 120, 300] {
      let lines = LogRenderer(typeName: "x").render(log, for: TextRequest(width: width)).lines
      // The time is shown in full.
      #expect(lines[0].map(\.text).joined().contains(" 2026-09-21T14:13:20.123Z "))
      let widths = lines.map { TextWidth.columns($0.map(\.text).joined()) }
      #expect(widths.allSatisfy { $0 <= width }, "\(width): \(widths)")
      #expect(lines.count == (width == 300 ? 3 : width == 120 ? 4 : 6), "\(width)")
    }
    #expect(LogRenderer(typeName: "x").render(log, for: TextRequest(isPlain: true)).lines.count == 3)
  }

  @Test func `a person check lists open fingers, bandaged captures and findings`() {
    let check: Value = [
      "person": 7, "open": ["Left Ring", "Left Little"],
      "fingers": [
        ["finger": "Right Thumb", "state": "captured", "condition": "bandaged"],
        ["finger": "Right Index", "state": "amputated", "condition": "amputated"],
        ["finger": "Left Little", "state": "missing", "condition": "present"],
      ],
      "findings": [
        ["kind": "sameFingerTwice", "items": [3, 4], "fingers": ["Right Middle", "Right Ring"], "likeness": 0.5]
      ],
      "unseen": [9], "qualities": [["item": 3, "score": 20, "scorer": "ridges", "minimum": 45]],
    ]
    let text = PersonCheckRenderer(typeName: "x").render(check, for: TextRequest()).plainText
    for words in [
      "Person 7", "Left to capture: Left Ring, Left Little", "Right Thumb         captured, bandaged",
      "Right Index         amputated\n", "Left Little         missing\n",
      "Right Middle and Right Ring of items 3 and 4 show the same\n", "Not compared        item 9",
      "Item 3              quality 20 by ridges, below 45",
    ] { #expect(text.contains(words), "'\(words)' in\n\(text)") }
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test func `reports of exports and imports state the size and what was left out`() {
    let leftOut: Value = [["what": "Voice", "reason": "no record type takes it"]]
    let export: Value = [
      "person": 1, "format": "an2k", "path": "/tmp/a.an2", "files": 1, "captures": 2, "sizeInBytes": 300,
      "leftOut": leftOut,
    ]
    let written = ExportedRenderer(typeName: "x").render(export, for: TextRequest()).plainText
    #expect(
      written.hasPrefix("Exported person 1 to '/tmp/a.an2'\n") && written.contains("Size                300 bytes"))
    #expect(written.contains("Left out            Voice: no record type takes it"))
    let load: Value = ["person": 4, "items": 3, "captures": 2, "sizeInBytes": 300, "leftOut": leftOut]
    let read = ImportedRenderer(typeName: "x").render(load, for: TextRequest()).plainText
    #expect(read.hasPrefix("Imported person 4\n") && read.contains("Items               3"))
  }
}
