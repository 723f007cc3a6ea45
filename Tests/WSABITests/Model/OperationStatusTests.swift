import Testing

@testable import WSABI

@Suite struct OperationStatusTests {
  @Test func `all sixteen status names are parsed in any letter case`() {
    #expect(OperationStatus.standard.count == 16)
    for status in OperationStatus.standard {
      #expect(OperationStatus(word: status.word) == status)
      #expect(OperationStatus(word: status.word.uppercased()) == status)
    }
  }

  @Test func `the schemas' misspelling is accepted, and unknown status names are preserved`() {
    #expect(OperationStatus(word: "noSuchParamter") == .noSuchParameter)
    #expect(OperationStatus(word: "Melted") == .unknown("Melted"))
  }
}
