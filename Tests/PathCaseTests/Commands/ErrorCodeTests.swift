import PluginAPI
import Testing

@testable import PathCase

@Suite struct ErrorCodeTests {
  @Test func `each code has one description`() {
    let groups = Dictionary(grouping: PathCaseErrorCodes.lists.joined(), by: \.code)
    let several = groups.filter { Set($0.value.map(\.summary)).count > 1 }
    #expect(several.isEmpty, "\(several.keys.sorted())")
  }

  @Test func `every issue of a record is described`() {
    let known = Set(PathCaseErrorCodes.all.map(\.code))
    let missing = RecordIssue.Code.allCases.map(\.errorCode).filter { !known.contains($0) }
    #expect(missing.isEmpty, "\(missing)")
  }
}
