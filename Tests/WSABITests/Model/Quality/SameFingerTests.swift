import Testing

@testable import WSABI
@testable import WSABISimulator

/// The same finger is recognized, and others are not mistaken for it.
///
/// A finger grows for a second in an optimized build, and for a minute in others, which leave it out. The work runs on
/// its own threads, as other tests wait for theirs.
@Suite(.enabled(if: SyntheticPrints.isOptimised)) struct SameFingerTests {
  private static let positions = [2, 3, 6]

  private static func word(_ position: Int, _ manner: String) -> String {
    (position <= 5 ? "Right" : "Left") + ["Thumb", "Index", "Middle", "Ring", "Little"][(position - 1) % 5] + manner
  }

  private let same = SameFinger()

  private func prepared(_ position: Int, _ manner: String, _ impression: Int) -> SameFinger.Prepared {
    same.prepared(
      RidgeField(SyntheticPrints.image(Self.word(position, manner), person: 0, impression: impression + position * 10)))
  }

  @Test func `two impressions of a finger match, flat or rolled, and other fingers do not`() async throws {
    let likeness = try await OnThread.value { () -> [[Float]] in
      let flat = Self.positions.map { prepared($0, "Flat", 0) }
      let again = Self.positions.map { prepared($0, "Flat", 1) }
      let rolled = Self.positions.map { prepared($0, "Rolled", 2) }
      return flat.map { first in (flat + again + rolled).map { same.likeness(first, $0) } }
    }
    let count = Self.positions.count
    for (first, row) in likeness.enumerated() {
      for (second, value) in row.enumerated() {
        #expect((value >= SameFinger.threshold) == (second % count == first), "\(first) \(second): \(value)")
        if second == first { #expect(value > 0.8) }
      }
    }
  }

  private func prepared(_ file: [UInt8]) throws -> SameFinger.Prepared {
    same.prepared(RidgeField(try CapturePicture.gray(file, statedPixelsPerInch: 500)))
  }

  private func preparedWSQ(_ position: Int, _ impression: Int) throws -> SameFinger.Prepared {
    let image = SyntheticPrints.image(
      Self.word(position, "Flat"), person: 0, impression: impression + position * 10)
    return try prepared(WSQWriter().file(image.pixels, width: image.width))
  }

  @Test func `captures in WSQ and JPEG 2000 are compared like bitmaps`() async throws {
    let likeness = try await OnThread.value { () -> [String: Float] in
      let (finger, again, other) = (try preparedWSQ(2, 0), try preparedWSQ(2, 1), try preparedWSQ(3, 0))
      let pair = (try prepared(JPEG2000Prints.first), try prepared(JPEG2000Prints.again))
      return [
        "WSQ": same.likeness(finger, again), "JPEG 2000": same.likeness(pair.0, pair.1),
        "other WSQ": same.likeness(finger, other), "other, both kinds": same.likeness(other, pair.0),
      ]
    }
    for (pair, value) in likeness {
      #expect(pair.hasPrefix("other") ? value < SameFinger.threshold : value >= SameFinger.threshold, "\(likeness)")
    }
  }

  @Test func `an empty image matches nothing`() {
    let glass = same.prepared(RidgeField(GrayImage(width: 400, height: 500)))
    #expect(same.likeness(glass, glass) == 0)
  }

  @Test func `a slap is segmented into its fingers`() async throws {
    let (fingers, likeness) = try await OnThread.value { () -> ([GrayImage], [Float]) in
      let image = SyntheticPrints.image("ThumbsSlap", person: 0, impression: 3, fingers: [2, 3])
      let fingers = SlapSegments.fingers(image, count: 2) ?? []
      let likeness = zip(fingers, [2, 3]).map { finger, position in
        same.likeness(same.prepared(RidgeField(finger)), prepared(position, "Rolled", 2))
      }
      return (fingers, likeness)
    }
    #expect(fingers.count == 2 && fingers.allSatisfy { $0.width > 250 && $0.height > 350 })
    #expect(likeness.allSatisfy { $0 >= SameFinger.threshold })
  }

  @Test func `a finger captured under two names is found, and so is a misnamed finger`() async throws {
    let (right, twice, face) = try await OnThread.value {
      () -> ([OrderCheck.Finding], [OrderCheck.Finding], [OrderCheck.Print]) in
      let check = OrderCheck()
      func prints(_ item: Int, _ position: Int, as name: Int, _ manner: String) -> [OrderCheck.Print] {
        let image = SyntheticPrints.image(Self.word(position, manner), person: 0, impression: item + 3)
        return check.prints(item: item, Submodality(wire: Self.word(name, manner)), image)
      }
      let right = prints(1, 2, as: 2, "Flat") + prints(2, 3, as: 3, "Flat")
      let face = check.prints(item: 1, Submodality(wire: "Face2d"), GrayImage(width: 400, height: 500))
      return (check.findings(right), check.findings(right + prints(3, 2, as: 3, "Rolled")), face)
    }
    #expect(right.isEmpty && face.isEmpty)
    #expect(twice.map(\.kind) == [.sameFingerTwice, .differentFingers])
    #expect(twice.map(\.items) == [[1, 3], [2, 3]])
    #expect(twice.map(\.positions) == [[2, 3], [3, 3]])
  }
}
