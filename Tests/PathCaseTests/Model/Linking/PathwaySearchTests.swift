import PluginAPI
import Testing

@testable import PathCase

struct PathwaySearchTests {
  @Test func `pathways are found by their names and the names of their contents`() throws {
    let search = PathwaySearch(try DatabaseLinker.link(MawSamples.small))
    #expect(
      search.hits("fir") == [PathwaySearch.Hit(pathway: 0, kind: .pathway, reason: "First", subject: nil)])
    #expect(search.hits("krebs").map(\.kind) == [.pathwaySynonym])
    let acid = search.hits("ACI")
    #expect(acid.map(\.pathway) == [0, 1] && acid.allSatisfy { $0.kind == .synonym && $0.subject == "m-a" })
    #expect(search.hits("1.1.1").map(\.kind) == [.enzyme])
    #expect(
      search.hits("abc") == [PathwaySearch.Hit(pathway: 0, kind: .gene, reason: "ABC1: A to B", subject: "r")])
    #expect(search.hits(" ").isEmpty && search.hits(" \"*( ").isEmpty)
  }
}
