import Testing

@testable import WSABI

@Suite struct SubmodalityTests {
  @Test func `fifty are offered, each once, and all have a modality`() {
    #expect(Submodality.standard.count == 50)
    #expect(Set(Submodality.known).count == Submodality.known.count)
    #expect(Submodality.standard.allSatisfy { $0.modality != nil && !$0.parts.isEmpty })
    #expect(Modality.allCases.flatMap(\.submodalities) != [])
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
