import PluginAPI
import PluginXML
import Testing

@testable import PathCase

@Suite struct ErrorCodeTests {
  @Test func `each code has one description`() {
    let groups = Dictionary(grouping: PathCaseErrorCodes.lists.joined(), by: \.code)
    let several = groups.filter { Set($0.value.map(\.summary)).count > 1 }
    #expect(several.isEmpty, "\(several.keys.sorted())")
  }

  @Test func `a missing XML library has the same error in all formats`() {
    let error = XMLError.libraryMissing(reason: "libxml2 is missing")
    let reports = [
      MapError.of(reading: error), SBMLError.xml(error).report,
      ContractError.libraryMissing(reason: "libxml2 is missing").report,
    ]
    #expect(Set(reports.map(\.code)) == ["pathcase.xml-library"])
    #expect(Set(reports.map(\.message)) == ["XML cannot be read: libxml2 is missing"])
  }

  @Test func `advice quotes file names with blanks and shortens long ones`() {
    let advice = PathwayError.unknownNode("x", known: [], in: "my map.sbgn").advice
    #expect(advice == "list them with 'workbench pathcase layout \"my map.sbgn\"'")
    let long = PathwayError.unknownNode("x", known: [], in: String(repeating: "a", count: 5000)).advice
    #expect(long.map { $0.utf8.count < 800 && $0.hasSuffix("a'") } == true)
  }

  @Test func `every issue of a record is described`() {
    let known = Set(PathCaseErrorCodes.all.map(\.code))
    let missing = RecordIssue.Code.allCases.map(\.errorCode).filter { !known.contains($0) }
    #expect(missing.isEmpty, "\(missing)")
  }
}
