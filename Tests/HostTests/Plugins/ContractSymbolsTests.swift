import PluginAPI
import TestSupport
import Testing

@testable import Host

struct ContractSymbolsTests {
  private let file: ELFFile

  init() throws {
    file = try ELFFile(
      try PluginFixture.c("void first(void); void *workbench_plugin_entry(void) { first(); return 0; }"))
  }

  @Test func `a library imports the symbols that it does not define`() throws {
    let imported = try file.importedSymbols()
    #expect(imported.contains("first") && !imported.contains("workbench_plugin_entry"))
  }

  private static let cases: [([Int: Set<String>], Int)] = [
    ([6: ["first"], 7: ["second"]], 6), ([6: ["first"], 7: ["first", "second"]], 7), ([6: ["second"], 7: []], 5),
    ([7: ["second"]], 6), ([:], 7),
  ]

  @Test(arguments: cases)
  func `a library needs the latest revision that has one of its symbols`(added: [Int: Set<String>], needed: Int) throws
  {
    #expect(try ContractSymbols.revision(neededBy: file, builtOn: 7, oldest: 5, added: added) == needed)
    #expect(try ContractSymbols.revision(neededBy: file, builtOn: 5, oldest: 5, added: added) == 5)
  }

  @Test func `every revision after the oldest supported one has its symbols`() {
    let contract = ContractStamp.current
    #expect(Set(ContractSymbols.added.keys) == Set((contract.oldest..<contract.revision).map { $0 + 1 }))
  }

  @Test func `a library's stamp names the revision that it needs`() throws {
    let stamp = try #require(try PluginStamp(file, path: "x.so"))
    let bytes = PluginStamp.library(file, revised: 3)
    #expect(bytes.count == file.bytes.count)
    let revised = try #require(try PluginStamp(try ELFFile(bytes), path: "x.so"))
    #expect(revised.revision == 3 && revised.id == stamp.id && revised.compiler == stamp.compiler)
  }
}
