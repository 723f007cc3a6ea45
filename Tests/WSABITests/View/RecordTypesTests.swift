import PluginAPI
import Testing

@testable import WSABI

/// The renderers on the records of their models, and on records that no command of this version made.
@Suite struct RecordTypesTests {
  private static let renderers: [any TextRenderer] = [
    PersonRenderer(typeName: WSABIValueType.person), PeopleRenderer(typeName: WSABIValueType.people),
    ItemRenderer(typeName: WSABIValueType.item), ItemsRenderer(typeName: WSABIValueType.items),
    EnrolledRenderer(typeName: WSABIValueType.enrolled), CapturesRenderer(typeName: WSABIValueType.captures),
    CaptureRunRenderer(typeName: WSABIValueType.captureRun),
    CaptureRunRenderer(typeName: WSABIValueType.capturedItems),
    SensorCheckRenderer(typeName: WSABIValueType.sensorCheck),
    DiscoveredRenderer(typeName: WSABIValueType.discovered),
    SensorAnswerRenderer(typeName: WSABIValueType.sensorAnswer),
    OperationsRenderer(typeName: WSABIValueType.operations), UsersRenderer(typeName: WSABIValueType.users),
    LogRenderer(typeName: WSABIValueType.log), PersonCheckRenderer(typeName: WSABIValueType.personCheck),
    ExportedRenderer(typeName: WSABIValueType.exported), ImportedRenderer(typeName: WSABIValueType.imported),
  ]

  private static let time = Instant(seconds: 1_790_000_000)

  private static let capture = CaptureRecord(
    id: 5, item: 7, captureID: StoreSamples.uuid(1), address: "http://a", sizeInBytes: 300,
    sha256: [UInt8](repeating: 0xAB, count: 32), claimedType: "image/jpeg", sniffedType: "image/png",
    metadata: WireDictionary(), received: time, quality: .init(score: 61, scorer: "ridges"),
    subject: CaptureSubject(modality: .finger, submodality: Submodality(wire: "RightIndexFlat")), act: 1)

  private static let item = BiometricItem(
    id: 7, person: 3, index: 0, submodality: Submodality(wire: "RightThumbFlat"), modality: .finger,
    device: StoreSamples.device(), annotation: Annotation(conditions: [.bandaged], notes: "wet"), capture: capture,
    created: time, modified: time,
    losses: [LostPicture(act: 1, place: 1, captureID: StoreSamples.uuid(2), reason: "gone")])

  private func lines(
    _ renderer: any TextRenderer, _ value: Value, _ detail: TextRequest.Detail = .normal
  ) throws -> [String] {
    try renderer.render(value, for: TextRequest(detail: detail, isPlain: true)).plainText
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test func `the plugin announces these renderers`() {
    #expect(WSABIPlugin().contributions.textRenderers.sorted() == Self.renderers.map(\.typeName).sorted())
  }

  @Test func `records without fields are rendered`() throws {
    let values: [Value] = [
      .null, [:], 3, [nil, 4],
      [
        "items": [nil], "entries": [nil], "fingers": [nil], "findings": [nil], "qualities": [nil], "added": [nil],
        "leftOut": [nil], "parameters": [nil], "pictures": [nil], "parts": [nil], "lost": [nil], "captures": [nil],
        "steps": [nil, ["isAnswer": true]], "metadata": 3, "configuration": [nil], "captureIds": 1, "isWhole": false,
      ],
    ]
    for renderer in Self.renderers {
      for value in values {
        for detail in [TextRequest.Detail.summary, .normal, .full] {
          _ = try renderer.render(value, for: TextRequest(detail: detail))
        }
      }
    }
  }

  @Test func `an item is rendered with its sensor, annotation, captures and losses`() throws {
    let record = ItemRecord(Self.item, newest: nil)
    let page = try lines(ItemRenderer(typeName: "x"), record.value)
    for line in [
      "Person: 3", "Modality: \(Modality.finger.title)", "Sensor: desk at http://127.0.0.1:8000",
      "  submodality: RightThumbFlat", "Right Thumb: bandaged", "Notes: wet",
      "Lost: 1 of 2 pictures not received: gone", "Capture: 5",
      "Captured as: \(Submodality(wire: "RightIndexFlat").title)", "Received: \(Self.time)", "Size: 300 bytes",
      "Type: image/png, declared as image/jpeg", "SHA-256: \(String(repeating: "ab", count: 32))",
      "Quality: 61 (ridges)",
    ] { #expect(page.contains(line), "'\(line)' in \(page)") }
    #expect(!page.contains("No capture yet."))
    let row = try lines(ItemsRenderer(typeName: "x"), .list([record.fieldValue]))
    #expect(row.count == 1 && row[0].hasPrefix("7     partly captured, annotated:"))
    #expect(row[0].hasSuffix("  1 of 2 pictures not received  desk  http://127.0.0.1:8000"))
    let captures = try lines(
      CapturesRenderer(typeName: "x"), .list([CapturedRecord(Self.capture, of: Self.item).fieldValue]))
    let made = "captured as \(Submodality(wire: "RightIndexFlat").title)"
    #expect(captures == ["  5: 300 bytes, image/png, quality 61, \(made)  \(Self.time)"])
  }

  @Test func `a person is rendered with all details, and with items only if the output has them`() throws {
    let person = Person(id: 1, biography: StoreSamples.full("x"), created: Self.time, modified: Self.time)
    let page = try lines(PersonRenderer(typeName: "x"), person.value)
    for line in [
      "First name: xfirst", "Other name: xother", "Alias: xalias1, xalias2", "Date of birth: 1970-01-02, xdate",
      "Place of birth: xplace", "Hair color: xhair", "Added: \(Self.time)",
    ] { #expect(page.contains(line), "'\(line)' in \(page)") }
    #expect(!page.contains { $0.hasPrefix("Created") || $0.hasPrefix("Modified") || $0.hasPrefix("Items") })
    let alone = try lines(PersonRenderer(typeName: "x"), Person.WithItems(person: person, items: []).value)
    #expect(alone == page + [""])
    let record = ItemRecord(Self.item, newest: nil)
    let withItem = try lines(PersonRenderer(typeName: "x"), Person.WithItems(person: person, items: [record]).value)
    #expect(try withItem == page + [""] + lines(ItemsRenderer(typeName: "x"), .list([record.fieldValue])))
    let row = try lines(PeopleRenderer(typeName: "x"), .list([person.fieldValue]))
    #expect(row == ["1     xfirst xmiddle xlast  1970-01-02"])
  }

  @Test func `a capture run is rendered from its models`() throws {
    let item = CapturedItem(
      report: CaptureReport(outcome: SequenceOutcome(ending: .givenUp), records: [Self.capture]), item: Self.item,
      warnings: [], outcome: .partlyLost, message: "half", address: "http://a", attempts: 1, milliseconds: 12.4)
    let steps = [
      CaptureStep(milliseconds: 3, address: StoreSamples.address, operation: .register, status: nil),
      CaptureStep(milliseconds: 4, address: StoreSamples.address, operation: .register, status: .success),
    ]
    let run = CapturedRun(items: [item], steps: steps, milliseconds: 20).value
    let text = try lines(CaptureRunRenderer(typeName: "x"), run, .full)
    #expect(text.count == 4 && text[0].hasPrefix("7     ") && text[0].hasSuffix("partly-lost  12 ms"))
    #expect(text[1] == "  5: 300 bytes, image/png, quality 61  \(Self.time)")
    #expect(text[2] == "  half" && text[3] == "  4 ms  \(StoreSamples.address.text)  register: success")
    // The items of a resumption come without a run.
    let items = try lines(CaptureRunRenderer(typeName: "x"), .list([item.fieldValue]), .full)
    #expect(items == Array(text.prefix(3)))
    #expect(run["captured"].integer == 0 && run["failed"].integer == 1)
  }

  @Test func `a sensor's information and responses are rendered from their models`() throws {
    let gain = SensorParameter(
      name: "gain", type: "int", defaultValue: .string("4"), allowedValues: [.string("4"), .string("8")])
    let check = CheckedSensor(
      address: "http://a", isReachable: true, modality: "Finger", submodality: nil, isSupported: nil, message: "ok",
      namespace: "urn:n",
      parameters: [SensorKey(key: "gain", content: .parameter(gain)), SensorKey(key: "model", content: .string("X"))],
      latency: 12.4, problem: nil)
    let page = try lines(SensorCheckRenderer(typeName: "x"), check.value)
    #expect(
      page.prefix(5) == ["ok", "Address: http://a", "Modality: Finger", "Namespace: urn:n", "Response time: 12 ms"])
    #expect(page.contains { $0.hasPrefix("* gain ") && $0.hasSuffix(" 4  (4, 8)") })
    #expect(page.contains { $0.hasPrefix("  model ") && $0.hasSuffix(" X") })
    #expect(page.last == "* writable")
    let answer = SensorAnswer(
      status: .success, captureIDs: [StoreSamples.uuid(3)], metadata: WireDictionary([.init("gain", .string("4"))]),
      message: "fine", namespace: .bioserv)
    let response = SensorResponse(
      address: StoreSamples.address, operation: .capture, answer: answer, session: StoreSamples.uuid(9),
      milliseconds: 1)
    let (session, id) = (StoreSamples.uuid(9).text, StoreSamples.uuid(3).text)
    #expect(
      try lines(SensorAnswerRenderer(typeName: "x"), SensorResponse.WithCaptures(response: response).value)
        == ["capture: success", "Session: \(session)", "Captured: \(id)", "Message: fine", "gain: 4"])
    #expect(
      try lines(SensorAnswerRenderer(typeName: "x"), response.value)
        == ["capture: success", "Session: \(session)", "Message: fine", "gain: 4"])
    let found = DiscoveredSensor(name: "cam", address: "http://a", modality: nil, interface: "eth0")
    #expect(
      try lines(DiscoveredRenderer(typeName: "x"), .list([found.fieldValue]))
        == ["cam" + String(repeating: " ", count: 35) + "  http://a  (eth0)"])
    let operation = ListedOperation(
      number: JournalNumber(4), item: 2, address: StoreSamples.address, stage: "ended")
    #expect(
      try lines(OperationsRenderer(typeName: "x"), .list([operation.fieldValue]))
        == ["4     item 2      ended  \(StoreSamples.address.text)"])
  }

  @Test func `the audit log, a person check and the users are rendered from their models`() throws {
    let event = AuditEvent(.personRead, person: 1, item: 20, address: "http://a", outcome: "refused")
    let page = AuditPage(
      count: 9, verdict: AuditVerdict(count: 9, firstBad: .init(number: 4, fault: .missing)),
      entries: [AuditEntry(number: 3, at: Self.time, user: "ann", role: nil, event: event)],
      head: AuditHead(number: 9, code: [0xAB]))
    let log = try lines(LogRenderer(typeName: "x"), page.value)
    #expect(log.count == 3 && log[0].hasPrefix("3     \(Self.time) ") && log[0].contains(" ann "))
    #expect(log[0].contains(" personRead ") && log[0].hasSuffix("person 1, item 20, http://a, refused"))
    #expect(log[1] == "Entry 4 of 9 is missing." && log[2] == "The head of the log is 9:ab")
    let finding = OrderCheck.Finding(kind: .differentFingers, items: [3, 4], positions: [2, 3], likeness: 0.5)
    let check = try lines(
      PersonCheckRenderer(typeName: "x"), PersonCheck(3, [Self.item], (findings: [finding], unseen: [9])).value)
    #expect(check.first == "Person 3" && check.contains("Not compared: item 9"))
    #expect(check.contains("Check: Right Index and Right Middle of items 3 and 4 show different fingers"))
    #expect(check.contains { $0.hasPrefix("Item 7: quality 61 by ridges") })
    #expect(check.contains("Left Little: missing"))
    let user = UserRecord(user: StoreUser(id: 2, name: "ann", role: .operator), isSelf: true)
    let users = try lines(UsersRenderer(typeName: "x"), .list([user.fieldValue]))
    #expect(users == ["2     ann" + String(repeating: " ", count: 21) + "\(Role.operator.rawValue)  (you)"])
  }
}
