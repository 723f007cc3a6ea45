import Testing

@testable import WSABI
@testable import WSABISimulator

/// Synthetic pictures resemble their subjects, as far as numbers show.
struct SyntheticPictureTests {
  /// Ridges of a small plain pattern: few steps suffice.
  private func growth(_ seed: UInt64) -> RidgeGrowth {
    var chance = SeededChance(3)
    var growth = RidgeGrowth(FingerPattern(.arch, &chance), seed: seed, width: 50, height: 64)
    for _ in 0..<8 { growth.step() }
    return growth
  }

  @Test func `ridges are half a millimeter apart`() {
    let growth = growth(8)
    // In the middle of an arch ridges are level: a column crosses one after the other.
    var crossings = 0
    for column in 20..<30 {
      for row in 11..<54 {
        let (above, here) = (growth.cells[(row - 1) * 50 + column], growth.cells[row * 50 + column])
        if above < 0, here >= 0 { crossings += 1 }
      }
    }
    let cells = Double(43 * 10) / Double(crossings)
    // 250 cells an inch: adults have 0.4 to 0.56 mm from ridge to ridge.
    #expect((0.38...0.56).contains(cells * 25.4 / 250))
  }

  @Test func `ridges depend only on the seed`() {
    let first = growth(8)
    #expect(first.cells == growth(8).cells && first.cells != growth(9).cells)
    #expect(first.cells.allSatisfy { (-1...1).contains($0) })
  }

  @Test(arguments: [
    ("RightThumbFlat", [1], 400, 500), ("leftlittlerolled", [10], 640, 720), ("LeftSlap", [10, 9, 8, 7], 1600, 1500),
    ("RightSlap", [2, 3, 4, 5], 1600, 1500), ("ThumbsSlap", [6, 1], 1600, 1500), ("UnknownFlat", [2], 400, 500),
  ])
  func `a submodality shows its fingers from left to right`(
    _ word: String, _ positions: [Int], _ width: Int, _ height: Int
  ) throws {
    let fingers = try #require(SyntheticFingers(word, seed: 1, impression: 1, pixelsPerInch: 500))
    #expect(fingers.positions == positions)
    #expect(fingers.image.width == width && fingers.image.height == height)
    #expect(fingers.image.pixelsPerInch == 500)
  }

  @Test func `a submodality without fingers is not drawn as fingers`() {
    #expect(SyntheticFingers("LeftIris", seed: 1, impression: 1, pixelsPerInch: 500) == nil)
  }

  @Test func `two impressions of a finger differ`() throws {
    // An artificial master stands for the ridges: the test concerns their placement.
    func picture(_ growth: RidgeGrowth, _ impression: Int) throws -> SimulatedImage {
      let master = FingerMaster(growth, seed: 1, person: 1, position: 2)
      var fingers = try #require(
        SyntheticFingers("RightIndexFlat", seed: 1, impression: impression, pixelsPerInch: 125))
      while !fingers.isDone { fingers.draw([master]) }
      return fingers.image
    }
    let growth = FingerMaster.growth(seed: 1, person: 1, position: 2)
    let (first, second) = (try picture(growth, 1), try picture(growth, 2))
    #expect(first != second)
    #expect(try first == picture(growth, 1))
    // The middle is finger, the corner is glass.
    #expect(first.pixels[(first.height / 2) * first.width..<(first.height / 2 + 1) * first.width].contains { $0 < 150 })
    #expect(first.pixels[0] > 220)
  }

  @Test func `faces and eyes are the same per person and impression, and otherwise differ`() {
    func face(_ person: Int, _ impression: Int) -> SimulatedImage {
      drawn(SyntheticFace(seed: 1, person: person, impression: impression, width: 80, height: 60), 80, 60)
    }
    func eye(_ isLeft: Bool, _ impression: Int) -> SimulatedImage {
      drawn(
        SyntheticIris(seed: 1, person: 1, isLeft: isLeft, impression: impression, width: 80, height: 60), 80, 60)
    }
    #expect(face(1, 1) == face(1, 1) && face(1, 1) != face(1, 2) && face(1, 1) != face(2, 1))
    #expect(eye(true, 1) == eye(true, 1) && eye(true, 1) != eye(true, 2) && eye(true, 1) != eye(false, 1))
    // The pupil is the darkest there is, near the middle.
    let picture = eye(true, 1)
    #expect(picture.pixels[(picture.height / 2) * 80 + 36] < 60)
  }

  @Test func `a reduced picture averages the pixels of the larger`() {
    var image = GrayImage(width: 4, height: 2, pixels: [0, 100, 200, 200, 50, 50, 0, 0], pixelsPerInch: 500)
    #expect(image.reduced(toLongestEdge: 2) == GrayImage(width: 2, height: 1, pixels: [50, 100], pixelsPerInch: 250))
    #expect(image.reduced(toLongestEdge: 4) == image)
    image.pixels[0] = 1
    #expect(image.reduced(toLongestEdge: 1).pixels == [75])
  }

  private func drawn(_ scene: some GradualPicture, _ width: Int, _ height: Int) -> SimulatedImage {
    var image = SimulatedImage(width: width, height: height)
    scene.draw(into: &image, rows: 0..<height)
    return image
  }
}
