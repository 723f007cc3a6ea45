import PluginAPI
import PluginTesting
import Testing

@testable import WSABI

@Suite struct CardStateTests {
  private func state(captured: Bool = false) -> CardState {
    var state = CardState()
    var item = BiometricItem(StoreSamples.draft(1), id: 7, index: 0, at: StoreFolder.time)
    if captured {
      item.capture = CaptureRecord(
        id: 1, item: 7, captureID: StoreSamples.uuid(1), address: "http://a", sizeInBytes: 2_400_000,
        sha256: [], claimedType: "image/bmp", sniffedType: "image/png", metadata: WireDictionary(),
        received: StoreFolder.time, quality: .init(score: 61, scorer: "ridges"))
    }
    state.take(item)
    return state
  }

  private func text(_ view: any View, _ width: Int, _ height: Int) -> String {
    var frame = TextFrame(size: Size(width: width, height: height))
    view.draw(into: &frame)
    return frame.plainText
  }

  @Test func `the capture button is inactive if the item has a capture`() {
    #expect(state().button == .capture)
    #expect(state(captured: true).button == .inactive)
  }

  @Test func `each button restarts the delay of its text`() {
    var state = state()
    state.prepare(isAnew: false)
    let (first, second) = (state.startDelay(), state.startDelay())
    #expect(first == 4000 && second == nil && state.buttonText.isEmpty)
    state.prepare(isAnew: true)
    // The timer of the button before.
    state.endDelay()
    let third = state.startDelay()
    #expect(third == 2000 && state.buttonText.isEmpty)
    state.endDelay()
    let last = state.startDelay()
    #expect(last == nil && state.buttonText == "Reconnecting to the sensor")
  }

  @Test func `a link that is not ready leaves the button as it is`() {
    var state = state()
    state.prepare(isAnew: false)
    _ = state.take(.connected(address: "http://a", isReady: false), address: "http://a", now: StoreFolder.time)
    #expect(state.button == .waiting)
    _ = state.take(.connected(address: "http://b", isReady: true), address: "http://a", now: StoreFolder.time)
    #expect(state.button == .waiting)
    _ = state.take(.connected(address: "http://a", isReady: true), address: "http://a", now: StoreFolder.time)
    #expect(state.button == .capture)
  }

  @Test func `only a stored capture of the item is read again`() {
    var state = state()
    let news: [SensorNews] = [.capturing(item: 7), .captured(item: 7), .stored(item: 8), .stored(item: 7)]
    let isRead = news.map { state.take($0, address: nil, now: StoreFolder.time) }
    #expect(isRead == [false, false, false, true])
  }

  @Test func `a lost capture and data that could not be written are reported`() {
    var state = state()
    _ = state.take(.lost(item: 7, reason: "the service dropped it"), address: nil, now: StoreFolder.time)
    #expect(state.buttonText == "Sensor problem: the capture is lost (the service dropped it)")
    _ = state.take(.trouble(item: 7, reason: "the disk is full"), address: nil, now: StoreFolder.time)
    #expect(text(CardView(state: state), 80, 20).contains("the disk is full"))
  }

  private func heard(_ state: inout CardState, _ news: SensorNews...) {
    for one in news { _ = state.take(one, address: "http://a", now: StoreFolder.time) }
  }

  @Test func `a lock that the sensor keeps is reported with the command that releases it`() {
    var state = state()
    heard(&state, .lockKept(address: "http://b"))
    #expect(state.notices.isEmpty)
    heard(&state, .lockKept(address: "http://a"))
    #expect(state.notices.map { $0.contains("'workbench wsabi sensor unlock http://a'") } == [true])
    let note = LinkNote.lockKept(StoreSamples.address)
    #expect(SensorNews(note.value) == .lockKept(address: StoreSamples.address.text))
  }

  @Test func `a download in progress is shown, and data left at the sensor raises a question`() {
    var state = state()
    heard(&state, .capturing(item: 7), .captured(item: 7))
    #expect(state.buttonText == "Downloading the capture" && state.button.isEnabled)
    heard(&state, .finished(item: 7, outcome: "waiting", reason: "the service is still preparing the data"))
    #expect(state.question == .waiting(reason: "the service is still preparing the data"))
    #expect(state.question?.answers.first?.answer == .fetch)
  }

  @Test func `a question stays until it is answered, whatever the link reports`() {
    var state = state()
    heard(
      &state, .capturing(item: 7), .ended(item: 7, ending: "unknown", reason: "the connection was cut"),
      .connected(address: "http://a", isReady: true))
    #expect(state.question == .unknown(reason: "the connection was cut"))
    #expect(state.button != .capture)
  }

  @Test func `a capture canceled by another client leaves the item empty and is reported`() {
    var state = state()
    let canceled = SensorNews.ended(item: 7, ending: "refused", reason: "x", status: "canceled")
    heard(&state, .capturing(item: 7), canceled)
    #expect(state.button == .capture && state.notices == ["canceled at the sensor"])
    heard(&state, .capturing(item: 7))
    state.stopping()
    #expect(state.buttonText == "Stopping")
    heard(&state, canceled)
    #expect(state.button == .capture && state.notices.isEmpty)
  }

  @Test func `an item can be captured again at once after a timeout`() {
    var state = state()
    heard(
      &state, .capturing(item: 7),
      .ended(item: 7, ending: "refused", reason: "no one used the sensor in time", status: "sensorTimeout"),
      .finished(item: 7, outcome: "not-captured", reason: "no one used the sensor in time"))
    #expect(state.button == .capture && state.notices == ["no one used the sensor in time"])
  }

  @Test func `a reason omits the operation and the host that the card already shows`() {
    #expect(
      ProblemText.short("'capture' at '127.0.0.1' failed: cannot reach the sensor: refused")
        == "cannot reach the sensor: refused")
    #expect(ProblemText.short("'stream' at 'a' lost the response: cut") == "lost the response: cut")
    for reason in ["the disk is full", "", "'", "'x' at '", "'quoted' words"] {
      #expect(ProblemText.short(reason) == reason)
    }
  }

  @Test func `a long reason takes three lines, and the button stays complete`() {
    var state = state()
    let reason = Array(repeating: "nobody answers at this address", count: 12).joined(separator: " and ")
    heard(&state, .capturing(item: 7), .ended(item: 7, ending: "failed", reason: reason))
    let lines = text(CardView(state: state), 60, 20).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[17].contains("▲ Sensor problem: nobody") && lines[19].contains("…"))
  }

  @Test func `a sensor that another client holds, or that is busy, raises a question`() {
    var state = state()
    heard(
      &state, .capturing(item: 7), .waiting(item: 7, status: "lockHeldByAnother"),
      .ended(item: 7, ending: "refused", reason: "held", status: "lockHeldByAnother"))
    #expect(state.question == .held && state.heldSince == StoreFolder.time)
    #expect(state.question?.answers.map(\.answer) == [.again, .steal, .stealAndCancel, .leave])
    heard(
      &state, .capturing(item: 7), .ended(item: 7, ending: "refused", reason: "busy", status: "sensorBusy"))
    #expect(state.question == .busy && state.heldSince == nil)
  }

  @Test func `an item that is captured again keeps its button until the capture ends`() {
    var state = state(captured: true)
    heard(&state, .capturing(item: 7))
    state.take(state.item ?? BiometricItem(StoreSamples.draft(1), id: 7, index: 0, at: StoreFolder.time))
    #expect(state.button == .stop)
    heard(&state, .ended(item: 7, ending: "refused", reason: "too slow", status: "sensorTimeout"))
    #expect(state.button == .inactive && state.notices == ["too slow"])
  }

  @Test func `the live preview is shown only if nothing is captured and nothing is wrong`() {
    var state = state()
    #expect(state.wantsPreview)
    state.flip()
    #expect(!state.wantsPreview)
    state.flip()
    heard(&state, .capturing(item: 7))
    #expect(state.wantsPreview)
    heard(&state, .captured(item: 7))
    #expect(!state.wantsPreview)
    heard(&state, .ended(item: 7, ending: "failed", reason: "nobody answers"))
    #expect(!state.wantsPreview)
    #expect(!self.state(captured: true).wantsPreview)
  }

  @Test func `a journal raises a question only for its newest capture`() {
    func entry(_ outcome: CaptureOutcome?, _ states: [JournalEntry.State] = []) -> JournalEntry {
      JournalEntry(
        number: JournalNumber(1),
        intent: CaptureIntent(
          item: 7, address: StoreSamples.address, session: StoreSamples.uuid(1), configuration: WireDictionary()),
        outcome: outcome,
        ids: states.enumerated().map { .init(id: StoreSamples.uuid($0 + 2), state: $1) })
    }
    #expect(CaptureQuestion([]) == nil)
    #expect(CaptureQuestion([entry(nil)]) == nil)
    #expect(CaptureQuestion([entry(.unknown(reason: "cut"))]) == .unknown(reason: "cut"))
    #expect(CaptureQuestion([entry(.captured, [.lost("gone")])]) == .lost(reason: "gone"))
    #expect(CaptureQuestion([entry(.captured, [.kept, .waiting])]) == .waiting(reason: "not downloaded yet"))
    #expect(CaptureQuestion([entry(.captured), entry(.unknown(reason: "cut"))]) == nil)
  }

  @Test func `the facts of a capture are shown beside it`() {
    let text = text(CardView(state: state(captured: true)), 100, 26)
    for fact in ["2.4 MB", "image/png", "image/bmp", "61 of 100 (ridges)", "http://127.0.0.1:8000", "desk"] {
      #expect(text.contains(fact), "\(fact)")
    }
  }

  @Test func `news is parsed from notifications, and other values are rejected`() {
    #expect(SensorNews(["event": "lost", "item": 3, "reason": "gone"]) == .lost(item: 3, reason: "gone"))
    #expect(SensorNews(["event": "lost", "reason": "gone"]) == nil)
    #expect(SensorNews(.null) == nil)
    #expect(SensorNews(.text("captured")) == nil)
  }

  @Test func `published notes of links are parsed as news`() throws {
    let address = StoreSamples.address
    let step = LinkNote.stepped(address, .capture, nil)
    #expect(SensorNews(step.value) == .step(address: address.text, operation: "capture", status: nil))
    let refused = SequenceOutcome(ending: .refused(.capture, .sensorFailure, message: "no light", badFields: []))
    let ended = LinkNote.ended(item: 4, address, refused)
    let reason = "the sensor failed: no light"
    #expect(SensorNews(ended.value) == .ended(item: 4, ending: "refused", reason: reason, status: "sensorFailure"))
    let waiting = LinkNote.waiting(item: 4, address, because: .lockHeldByAnother, milliseconds: 5)
    #expect(SensorNews(waiting.value) == .waiting(item: 4, status: "lockHeldByAnother"))
    #expect(
      SensorNews(LinkNote.connected(address, isReady: true).value) == .connected(address: address.text, isReady: true))
  }

  @Test func `published notes of links match the schema that their topic declares`() throws {
    let address = StoreSamples.address
    let outcome = SequenceOutcome(ending: .refused(.capture, .sensorFailure, message: "no light", badFields: []))
    let notes: [LinkNote] = [
      .connected(address, isReady: false), .stepped(address, .capture, nil), .stepped(address, .capture, .success),
      .capturing(item: 1, address), .waiting(item: 1, address, because: .sensorBusy, milliseconds: 5),
      .held(address, message: ""), .captured(item: 1, address, ids: [StoreSamples.uuid(1)]),
      .lost(item: 1, address, StoreSamples.uuid(1), reason: "gone"), .prepared(item: 1, address, outcome),
      .ended(item: 1, address, outcome), .trouble(item: 1, address, reason: "full"), .stolen(address),
      .leftLock(address, isGivenBack: true), .lockKept(address),
    ]
    let topic = try #require(WSABIPlugin().contributions.topics.first { $0.name == Station.sensorNoted })
    for note in notes { #expect(SchemaComparison.mismatch(of: note.value, with: topic.payload) == nil, "\(note)") }
  }

  @Test func `a picture keeps its proportions in cells`() {
    let cell = Size(width: 1, height: 2)
    #expect(Size(width: 400, height: 100).cells(in: Size(width: 40, height: 20), pixelsPerCell: cell).height == 5)
    #expect(Size(width: 100, height: 400).cells(in: Size(width: 40, height: 20), pixelsPerCell: cell).width == 10)
    #expect(Size(width: 0, height: 9).cells(in: Size(width: 40, height: 20), pixelsPerCell: cell).width == 0)
  }
}
