import Testing

@testable import WSABI

@Suite struct SubmodalityTests {
  @Test func `all that have a name are offered, each once, and all have a modality`() {
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

  @Test func `no word means two of them`() {
    let ambiguous = Submodality.known.flatMap { [$0.wireName, $0.title] }.filter { word in
      Submodality.known.count { $0.isNamed(word) } != 1
    }
    #expect(ambiguous == [])
    #expect(Submodality(word: "SignatureSign").wireName == "Signature")
  }

  @Test func `of a word nobody knows only the case is left out of account`() {
    let word = Submodality(word: "R-1")
    #expect(word.isNamed("r-1") && word == Submodality(word: "r-1"))
    #expect(!word.isNamed("R1") && word != Submodality(word: "R1"))
    #expect(Submodality(word: "R+") != Submodality(word: "R-"))
    for bad in ["", "  ", "a\u{1B}[2J", "a\nb", String(repeating: "a", count: 1001)] {
      #expect(!Submodality.isPlausible(bad))
    }
  }

  @Test(arguments: ["leftEar", "Left Ear", "LEFTEAR"]) func `the words of the wire and of people mean the same`(
    _ word: String
  ) {
    #expect(Submodality(word: word).wireName == "LeftEar")
  }

  @Test func `a word of the wire that nobody knows survives unchanged`() {
    #expect(Submodality(wire: "leftMiddle").wireName == "leftMiddle")
    #expect(Submodality(wire: "leftMiddle").modality == nil)
    #expect(Submodality(word: "left middle").wireName == "LeftMiddleFlat")
  }

  @Test func `slaps have four fingers with the positions of the standard`() {
    #expect(Submodality(word: "LeftSlap").parts.map(\.fingerPosition) == [7, 8, 9, 10])
    #expect(Submodality(word: "RightSlap").parts.map(\.fingerPosition) == [2, 3, 4, 5])
    #expect(Submodality(word: "ThumbsSlap").parts.map(\.fingerPosition) == [6, 1])
    #expect(Submodality(word: "LeftThumbFlat").parts.map(\.fingerPosition) == [6])
  }
}
