import PluginAPI
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

  @Test func `an item without a capture can be captured, one with a capture cannot`() {
    #expect(state().button == .capture)
    #expect(state(captured: true).button == .inactive)
  }

  @Test func `words wait anew for every button`() {
    var state = state()
    state.prepare(isAnew: false)
    let first = state.buttonGeneration
    #expect(state.delay == 4000 && state.buttonText.isEmpty)
    state.prepare(isAnew: true)
    state.waited(first)
    #expect(state.delay == 2000 && state.buttonText.isEmpty)
    state.waited(state.buttonGeneration)
    #expect(state.delay == nil && state.buttonText == "Reconnecting to the sensor")
  }

  @Test func `a link that is not ready leaves the button as it is`() {
    var state = state()
    state.prepare(isAnew: false)
    _ = state.take(.connected(address: "http://a", isReady: false), address: "http://a")
    #expect(state.button == .waiting)
    _ = state.take(.connected(address: "http://b", isReady: true), address: "http://a")
    #expect(state.button == .waiting)
    _ = state.take(.connected(address: "http://a", isReady: true), address: "http://a")
    #expect(state.button == .capture)
  }

  @Test func `only what is stored is read again`() {
    var state = state()
    let news: [SensorNews] = [.capturing(item: 7), .captured(item: 7), .stored(item: 8), .stored(item: 7)]
    let isRead = news.map { state.take($0, address: nil) }
    #expect(isRead == [false, false, false, true])
  }

  @Test func `a lost capture and what could not be written are told`() {
    var state = state()
    _ = state.take(.lost(item: 7, reason: "the service dropped it"), address: nil)
    #expect(state.buttonText == "Sensor problem: the capture is lost: the service dropped it")
    _ = state.take(.trouble(item: 7, reason: "the disk is full"), address: nil)
    #expect(text(CardView(state: state), 80, 20).contains("the disk is full"))
  }

  @Test func `the facts of a capture stand beside it`() {
    let text = text(CardView(state: state(captured: true)), 100, 26)
    for fact in ["2.4 MB", "image/png", "image/bmp", "61 of 100 (ridges)", "http://127.0.0.1:8000", "desk"] {
      #expect(text.contains(fact), "\(fact)")
    }
  }

  @Test func `news are read from notifications, and what is none is not`() {
    #expect(SensorNews(["event": "lost", "item": 3, "reason": "gone"]) == .lost(item: 3, reason: "gone"))
    #expect(SensorNews(["event": "lost", "reason": "gone"]) == nil)
    #expect(SensorNews(.null) == nil)
    #expect(SensorNews(.text("captured")) == nil)
  }

  @Test func `notes of links are read as they are told`() throws {
    let address = StoreSamples.address
    let step = LinkNote.stepped(address, .capture, nil)
    #expect(SensorNews(step.value) == .step(address: address.text, operation: "capture", status: nil))
    let refused = SequenceOutcome(ending: .refused(.capture, .sensorFailure, message: "no light", badFields: []))
    let ended = LinkNote.ended(item: 4, address, refused)
    let reason = "the service says 'sensorFailure': no light"
    #expect(SensorNews(ended.value) == .ended(item: 4, ending: "refused", reason: reason))
    let waiting = LinkNote.waiting(item: 4, address, because: .lockHeldByAnother, milliseconds: 5)
    #expect(SensorNews(waiting.value) == .waiting(item: 4, status: "lockHeldByAnother"))
    #expect(
      SensorNews(LinkNote.connected(address, isReady: true).value) == .connected(address: address.text, isReady: true))
  }

  @Test func `a picture keeps its proportions in cells`() {
    let cell = Size(width: 1, height: 2)
    #expect(Size(width: 400, height: 100).cells(in: Size(width: 40, height: 20), pixelsPerCell: cell).height == 5)
    #expect(Size(width: 100, height: 400).cells(in: Size(width: 40, height: 20), pixelsPerCell: cell).width == 10)
    #expect(Size(width: 0, height: 9).cells(in: Size(width: 40, height: 20), pixelsPerCell: cell).width == 0)
  }
}
