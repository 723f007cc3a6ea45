import PluginAPI
import Testing

@testable import WSABI

/// The subject of a picture in a response with several.
@Suite struct PicturePartTests {
  @Test(arguments: [
    ("RightSlap", "RightIndexFlat", "RightIndexFlat"), ("RightSlap", "right little", "RightLittleFlat"),
    ("RightSlap", "RightSlap", "RightSlap"), ("RightSlap", "LeftIndexFlat", ""), ("RightSlap", "RightThumbFlat", ""),
    ("ThumbsSlap", "LeftThumbFlat", "LeftThumbFlat"), ("BothIrises", "LeftIris", "LeftIris"),
    ("BothIrises", "RightIris", "RightIris"), ("BothIrises", "Right Iris", "RightIris"),
    ("BothIrises", "LeftRetina", ""), ("BothIrises", "Unknown", ""), ("RightIndexFlat", "RightSlap", ""),
    ("Face2d", "Face3d", ""), ("RightIndexFlat", "RightIndexRolled", ""), ("LeftSlap", "", ""),
  ])
  func `a sensor may name a part of the requested submodality, but nothing else`(
    _ made: String, _ said: String, _ part: String
  ) {
    #expect(Submodality(wire: made).part(saidToBe: said)?.wireName ?? "" == part)
  }

  private func item(_ word: String, _ conditions: [PartCondition], pictures: [String]) -> BiometricItem {
    var item = BiometricItem(StoreSamples.draft(1, word), id: 7, index: 0, at: StoreFolder.time)
    item.annotation.conditions = conditions
    let records = pictures.enumerated().map { place, said in
      CaptureRecord(
        id: place + 1, item: 7, captureID: StoreSamples.uuid(place + 1), address: "", sizeInBytes: 1, sha256: [],
        claimedType: "", sniffedType: nil, metadata: WireDictionary([.init("submodality", .string(said))]),
        received: StoreFolder.time, quality: nil, subject: item.subject, act: 1, place: place)
    }
    (item.capture, item.otherPictures) = (records.first, Array(records.dropFirst()))
    return item
  }

  @Test func `the only picture of a response has the requested submodality, whatever the sensor reports`() {
    let alone = item("RightSlap", [.present, .present, .present, .present], pictures: ["RightIndexFlat"])
    #expect(alone.pictures.map { alone.shown($0).wireName } == ["RightSlap"])
  }

  @Test func `a new picture is a part of its response even if the others are lost or waiting`() throws {
    let slap = item("RightSlap", [.present, .present, .present, .present], pictures: ["RightIndexFlat"])
    var bare = slap
    bare.forgetCaptures()
    let record = try #require(slap.capture)
    var report = CaptureReport(outcome: SequenceOutcome(ending: .done))
    report.records = [record]
    #expect(bare.answered(report).shown(record).wireName == "RightSlap")
    report.lost = [StoreSamples.uuid(2): "gone"]
    #expect(bare.answered(report).shown(record).wireName == "RightIndexFlat")
    (report.lost, report.waiting) = ([:], [StoreSamples.uuid(2): "not yet"])
    #expect(bare.answered(report).shown(record).wireName == "RightIndexFlat")
  }

  @Test func `parts have the conditions that the item states`() {
    let slap = item(
      "RightSlap", [.bandaged, .present, .amputated, .present],
      pictures: ["RightSlap", "RightIndexFlat", "RightMiddleFlat", "LeftIndexFlat"])
    #expect(
      slap.pictures.map { slap.shown($0).wireName } == ["RightSlap", "RightIndexFlat", "RightMiddleFlat", "RightSlap"])
    #expect(
      slap.pictures.map { slap.conditions(of: slap.shown($0)) } == [
        slap.annotation.conditions, [.bandaged], [.present], slap.annotation.conditions,
      ])
    let eyes = item("BothIrises", [.present, .unprintable], pictures: ["RightIris", "LeftIris"])
    #expect(eyes.pictures.map { eyes.conditions(of: eyes.shown($0)) } == [[.unprintable], [.present]])
  }

  @Test func `a capture made before a renaming counts for its original finger`() {
    var renamed = item("RightIndexFlat", [.present], pictures: ["RightIndexFlat"])
    renamed.submodality = Submodality(wire: "LeftIndexFlat")
    let fingers = MissingFingers([renamed])
    #expect(fingers.states[1] == .captured && fingers.states[6] == .waiting)
    let names = CaptureText.names(renamed.pictures[0], of: renamed)
    #expect(names == [Outline.Field("Captured as", "Right Index")])
  }

  @Test func `a missing picture is shown on the card, in its cell and in text`() {
    var item = item("BothIrises", [.present, .present], pictures: ["LeftIris"])
    item.losses = [LostPicture(act: 1, place: 1, captureID: StoreSamples.uuid(2), reason: "gone")]
    var state = CardState()
    state.take(item)
    for width in [60, 110] {
      var frame = TextFrame(size: Size(width: width, height: 30))
      CardView(state: state).draw(into: &frame)
      #expect(frame.plainText.contains("1 of 2 pictures of the capture"), "\(width)")
    }
    var cell = TextFrame(size: Size(width: 23, height: 6))
    ItemCellView(item: item, activity: nil, thumbnail: nil, isSelected: false).draw(into: &cell)
    #expect(cell.plainText.contains("◐") && cell.plainText.contains("1 of 2"))
    #expect(CaptureText.answer(item) == [Outline.Field("Lost", item.lossWords ?? "")])
  }

  @Test func `a selected cell is marked without colors`() {
    let item = item("BothIrises", [.present, .present], pictures: ["LeftIris"])
    func text(isSelected: Bool) -> String {
      var cell = TextFrame(size: Size(width: 23, height: 6))
      ItemCellView(item: item, activity: nil, thumbnail: nil, isSelected: isSelected).draw(into: &cell)
      return cell.plainText
    }
    #expect(text(isSelected: true).contains("▌") && !text(isSelected: false).contains("▌"))
  }
}
