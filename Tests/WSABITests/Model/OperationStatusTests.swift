import Testing

@testable import WSABI

@Suite struct OperationStatusTests {
  @Test func `sixteen words are read as they are written, in any case`() {
    #expect(OperationStatus.standard.count == 16)
    for status in OperationStatus.standard {
      #expect(OperationStatus(word: status.word) == status)
      #expect(OperationStatus(word: status.word.uppercased()) == status)
    }
  }

  @Test func `the misspelling of the schemas is understood, and an unknown word kept`() {
    #expect(OperationStatus(word: "noSuchParamter") == .noSuchParameter)
    #expect(OperationStatus(word: "Melted") == .unknown("Melted"))
  }
}
