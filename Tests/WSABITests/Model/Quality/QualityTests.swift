import PluginAPI
import PluginText
import Testing

@testable import WSABI
@testable import WSABISimulator

/// Scores fall when a picture gets worse, and rules apply as stated.
@Suite struct QualityTests {
  /// Ridges that run in rings: about nine pixels from one to the next, as at 500 per inch.
  private func rings(noise: Float = 0, strength: Float = 90, width: Int = 300, height: Int = 380) -> GrayImage {
    var image = GrayImage(width: width, height: height, gray: 245)
    var chance = SeededChance(9)
    for row in 0..<height {
      for column in 0..<width {
        let (x, y) = (Float(column - width / 2), Float(row - height / 2))
        let isFinger = (x / 140) * (x / 140) + (y / 180) * (y / 180) < 1
        let ridge = PolynomialMath.sin((x * x + y * y + 900).squareRoot() / 9 * 2 * PolynomialMath.pi)
        let gray = (isFinger ? 140 + strength * ridge : 245) + noise * chance.between(-1, 1)
        image.pixels[row * width + column] = UInt8(max(0, min(255, gray)))
      }
    }
    return image
  }

  private func blurred(_ image: GrayImage, _ times: Int) -> GrayImage {
    var image = image
    for _ in 0..<times {
      let old = image.pixels
      for place in (image.width + 1)..<(old.count - image.width - 1) {
        let sum = [0, 1, -1, image.width, -image.width].reduce(0) { $0 + Int(old[place + $1]) }
        image.pixels[place] = UInt8(sum / 5)
      }
    }
    return image
  }

  @Test func `clear ridges score high, and noise and low pressure reduce the score`() throws {
    let scorer = RidgeScorer(fingers: 1)
    let clear = try #require(scorer.score(rings()))
    let noisy = try #require(scorer.score(rings(noise: 120)))
    let lost = try #require(scorer.score(rings(noise: 120, strength: 20)))
    let faint = try #require(scorer.score(rings(strength: 24)))
    #expect(clear >= 90)
    #expect(noisy < clear - 10 && lost < noisy - 10 && faint < clear - 30)
    #expect(scorer.score(GrayImage(width: 400, height: 500)) == 0)
    #expect(scorer.score(GrayImage(width: 10, height: 10)) == nil)
  }

  @Test func `a part of a finger scores low, and so does one finger where four are expected`() throws {
    let whole = rings()
    var part = whole
    for place in part.pixels.indices where place % part.width > 90 || place / part.width > 150 {
      part.pixels[place] = 245
    }
    let scorer = RidgeScorer(fingers: 1)
    let (little, all) = (try #require(scorer.score(part)), try #require(scorer.score(whole)))
    let four = try #require(RidgeScorer(fingers: 4).score(whole))
    #expect(little < all / 2 && four < 75)
  }

  @Test func `a blurred, dark or flat face scores less`() throws {
    var drawn = SimulatedImage(width: 320, height: 240)
    SyntheticFace(seed: 1, person: 1, impression: 1, width: 320, height: 240).draw(into: &drawn, rows: 0..<240)
    let face = GrayImage(drawn)
    let scorer = PortraitScorer(kind: .face)
    let sharp = try #require(scorer.score(face))
    let soft = try #require(scorer.score(blurred(face, 12)))
    var (dark, flat) = (face, face)
    for place in face.pixels.indices {
      dark.pixels[place] = face.pixels[place] / 8
      flat.pixels[place] = 120 + face.pixels[place] / 16
    }
    #expect(sharp >= 40)
    let (night, fog) = (try #require(scorer.score(dark)), try #require(scorer.score(flat)))
    #expect(soft < sharp - 10 && night < sharp - 30 && fog < sharp - 20)
    #expect(scorer.score(GrayImage(width: 64, height: 64, gray: 0)) == 0)
  }

  @Test func `fingers, faces and irises have scorers, and other modalities do not`() {
    #expect(CaptureQuality.scorer(for: Submodality(wire: "LeftSlap"))?.name == "ridges-1")
    #expect(CaptureQuality.scorer(for: Submodality(wire: "Face2d"))?.name == "face-1")
    #expect(CaptureQuality.scorer(for: Submodality(wire: "LeftIris"))?.name == "iris-1")
    #expect(CaptureQuality.quality(of: rings(), Submodality(wire: "Voice")) == nil)
    #expect(CaptureQuality.quality(of: rings(), Submodality(wire: "RightIndexFlat"))?.scorer == "ridges-1")
  }

  @Test func `a capture is repeated until its quality suffices, and the best is chosen`() {
    let rule = KeepBest(minimumQuality: 60, mostTries: 3)
    #expect(rule.advice([70]) == .keep(0))
    #expect(rule.advice([40]) == .again)
    #expect(rule.advice([40, 60]) == .keep(1))
    #expect(rule.advice([50, 40]) == .again)
    #expect(rule.advice([50, 40, 30]) == .settle(0))
    #expect(rule.advice([50, nil, 50]) == .settle(0))
    // A capture that cannot be scored is not repeated in vain.
    #expect(rule.advice([nil]) == .settle(0))
    #expect(rule.advice([]) == .again)
    #expect(KeepBest(minimumQuality: nil, mostTries: 5).advice([1]) == .keep(0))
    #expect(KeepBest(minimumQuality: 60, mostTries: 0).advice([1]) == .settle(0))
    #expect(KeepBest.best([]) == nil && KeepBest.best([nil, 3, 3, 2]) == 1)
  }

  private func item(_ word: String, _ conditions: [PartCondition]? = nil, isCaptured: Bool = false) -> BiometricItem {
    let draft = StoreSamples.draft(1, word)
    var item = BiometricItem(draft, id: 1, index: 0, at: StoreFolder.time)
    if let conditions { item.annotation.conditions = conditions }
    if isCaptured {
      item.capture = CaptureRecord(
        id: 1, item: 1, captureID: StoreSamples.uuid(1), address: "", sizeInBytes: 0, sha256: [], claimedType: "",
        sniffedType: nil, metadata: WireDictionary(), received: StoreFolder.time, quality: nil)
    }
    return item
  }

  @Test func `fingers without a capture or an explanation are missing`() {
    let some = MissingFingers([
      item("RightSlap", [.present, .present, .amputated, .bandaged], isCaptured: true),
      item("LeftThumbRolled"), item("LeftIndexFlat", isCaptured: true), item("LeftMiddleFlat", [.unprintable]),
      item("Face2d", isCaptured: true),
    ])
    let expected: [MissingFingers.State] = [
      .missing, .captured, .captured, .amputated, .bandaged, .waiting, .captured, .unprintable, .missing, .missing,
    ]
    #expect(some.states == expected)
    #expect(some.open == [1, 6, 9, 10])
    #expect(MissingFingers([]).open == Array(1...10))
    #expect(MissingFingers.title(1) == "Right Thumb" && MissingFingers.title(10) == "Left Little")
    // A bandaged finger captured on its own counts as captured; the condition that items state is reported beside it.
    let bandaged = MissingFingers([
      item("LeftThumbFlat", [.bandaged], isCaptured: true), item("LeftIndexFlat", [.bandaged]),
      item("LeftMiddleFlat", [.unprintable], isCaptured: true),
    ])
    #expect(Array(bandaged.states[5...7]) == [.captured, .bandaged, .unprintable])
    #expect(Array(bandaged.conditions[4...8]) == [.present, .bandaged, .bandaged, .unprintable, .present])
    #expect(bandaged.open == [1, 2, 3, 4, 5, 9, 10])
    // A capture shows that a finger is there, whatever another item states.
    let both = MissingFingers([item("RightThumbFlat", [.amputated]), item("RightThumbRolled", isCaptured: true)])
    #expect(both.states[0] == .captured)
  }
}
