import Testing

@testable import WSABI

/// The same finger is known again, and others are not taken for it.
///
/// Fingers grow for a second each in an optimised build; in others fewer of them do.
@Suite struct SameFingerTests {
  #if DEBUG
    private static let positions = [2, 3]
  #else
    private static let positions = Array(1...10)
  #endif

  private static func word(_ position: Int, _ manner: String) -> String {
    (position <= 5 ? "Right" : "Left") + ["Thumb", "Index", "Middle", "Ring", "Little"][(position - 1) % 5] + manner
  }

  private let same = SameFinger()

  private func prepared(_ position: Int, _ manner: String, _ impression: Int) -> SameFinger.Prepared {
    same.prepared(
      RidgeField(SyntheticPrints.image(Self.word(position, manner), person: 0, impression: impression + position * 10)))
  }

  @Test func `two impressions of a finger are alike, flat or rolled, and other fingers are not`() {
    let flat = Self.positions.map { prepared($0, "Flat", 0) }
    let again = Self.positions.map { prepared($0, "Flat", 1) }
    let rolled = Self.positions.map { prepared($0, "Rolled", 2) }
    for (first, place) in zip(flat, flat.indices) {
      for (second, other) in zip(flat, flat.indices) {
        let isSame = place == other
        #expect((same.likeness(first, again[other]) >= SameFinger.threshold) == isSame, "\(place) \(other)")
        #expect((same.likeness(first, rolled[other]) >= SameFinger.threshold) == isSame, "\(place) \(other)")
        if isSame { #expect(same.likeness(first, second) > 0.8) }
      }
    }
  }

  @Test func `without a finger nothing is alike`() {
    let glass = same.prepared(RidgeField(GreyImage(width: 400, height: 500)))
    #expect(same.likeness(glass, glass) == 0)
  }

  @Test func `a slap is taken apart into its fingers`() throws {
    let positions = Self.positions
    // On a picture of four, only some lie on the glass in a quick build.
    let image = SyntheticPrints.image("ThumbsSlap", person: 0, impression: 3, fingers: [positions[0], positions[1]])
    let fingers = try #require(SlapSegments.fingers(image, count: 2))
    #expect(fingers.count == 2 && fingers.allSatisfy { $0.width > 250 && $0.height > 350 })
    #expect(SlapSegments.fingers(image, count: 3) == nil)
    #expect(SlapSegments.fingers(GreyImage(width: 5, height: 5), count: 1) == nil)
    for (finger, position) in zip(fingers, positions) {
      let likeness = same.likeness(same.prepared(RidgeField(finger)), prepared(position, "Rolled", 2))
      #expect(likeness >= SameFinger.threshold)
    }
  }

  @Test func `a finger taken twice under two names is found, and one under a wrong name`() {
    let check = OrderCheck()
    let (first, second) = (Self.positions[0], Self.positions[1])
    func prints(_ item: Int, _ position: Int, as name: Int, _ manner: String) -> [OrderCheck.Print] {
      let image = SyntheticPrints.image(Self.word(position, manner), person: 0, impression: item)
      return check.prints(item: item, Submodality(wire: Self.word(name, manner)), image)
    }
    let right = prints(1, first, as: first, "Flat") + prints(2, second, as: second, "Flat")
    #expect(check.findings(right).isEmpty)
    let twice = right + prints(3, first, as: second, "Rolled")
    let findings = check.findings(twice)
    #expect(findings.map(\.kind) == [.sameFingerTwice, .differentFingers])
    #expect(findings.map(\.items) == [[1, 3], [2, 3]])
    #expect(findings.map(\.positions) == [[first, second], [second, second]])
    #expect(check.prints(item: 1, Submodality(wire: "Face2d"), GreyImage(width: 400, height: 500)).isEmpty)
  }
}
