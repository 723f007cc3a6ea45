import Testing

@testable import WSABI

@Suite struct SubmodalityTests {
  @Test func `every named submodality is offered once and has a modality`() {
    #expect(Submodality.standard.count == 50)
    #expect(Set(Submodality.known).count == Submodality.known.count)
    #expect(Submodality.known.allSatisfy { $0.modality != nil && !$0.parts.isEmpty })
    let offered = Modality.allCases.flatMap(\.submodalities)
    #expect(offered.count == Submodality.known.count && Set(offered) == Set(Submodality.known))
    #expect(Set(offered.map(\.title)).count == offered.count)
    #expect(Modality.face.submodalities.map(\.wireName) == ["Face2d", "Face3d", "frontalFace"])
    #expect(
      Modality.finger.submodalities.suffix(5).map(\.wireName) == [
        "ThumbsSlap", "TwoFingerSlap", "UnknownSlap", "UnknownFlat", "UnknownRolled",
      ])
  }

  @Test func `no name of a submodality is ambiguous`() {
    let ambiguous = Submodality.known.flatMap { [$0.wireName, $0.title] }.filter { word in
      Submodality.known.count { $0.isNamed(word) } != 1
    }
    #expect(ambiguous == [])
    #expect(Submodality(word: "SignatureSign").wireName == "Signature")
  }

  @Test func `unknown submodalities are compared exactly except for letter case`() {
    let word = Submodality(word: "R-1")
    #expect(word.isNamed("r-1") && word == Submodality(word: "r-1"))
    #expect(!word.isNamed("R1") && word != Submodality(word: "R1"))
    #expect(Submodality(word: "R+") != Submodality(word: "R-"))
    for bad in ["", "  ", "a\u{1B}[2J", "a\nb", String(repeating: "a", count: 1001)] {
      #expect(!Submodality.isPlausible(bad))
    }
  }

  @Test(arguments: ["leftEar", "Left Ear", "LEFTEAR"]) func `wire names and titles mean the same submodality`(
    _ word: String
  ) {
    #expect(Submodality(word: word).wireName == "LeftEar")
  }

  @Test func `an unknown wire name is preserved`() {
    #expect(Submodality(wire: "leftMiddle").wireName == "leftMiddle")
    #expect(Submodality(wire: "leftMiddle").modality == nil)
    #expect(Submodality(word: "left middle").wireName == "LeftMiddleFlat")
  }

  @Test func `slaps have the finger positions of the standard`() {
    #expect(Submodality(word: "LeftSlap").parts.map(\.fingerPosition) == [7, 8, 9, 10])
    #expect(Submodality(word: "RightSlap").parts.map(\.fingerPosition) == [2, 3, 4, 5])
    #expect(Submodality(word: "ThumbsSlap").parts.map(\.fingerPosition) == [6, 1])
    #expect(Submodality(word: "LeftThumbFlat").parts.map(\.fingerPosition) == [6])
  }
}
