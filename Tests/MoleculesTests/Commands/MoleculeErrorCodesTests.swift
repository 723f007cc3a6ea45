import Foundation
import PluginAPI
import TestSupport
import Testing

@testable import Molecules

struct MoleculeErrorCodesTests {
  private static let sources = Checkout.root.appendingPathComponent("Plugins/Molecules")

  /// Every code in the sources: of reports and diagnostics in full, of the readers' notes without the plugin's name.
  private func codesInSources() throws -> Set<String> {
    var codes: Set<String> = []
    let files = try #require(FileManager.default.enumerator(at: Self.sources, includingPropertiesForKeys: nil))
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: /code:\s*"(molecules\.[a-z0-9-]+)"/) { codes.insert(String(match.1)) }
      for match in text.matches(of: /"([a-z0-9]+(?:-[a-z0-9]+)+)",\s*line:/) { codes.insert("molecules." + match.1) }
    }
    return codes
  }

  @Test func `every code in the sources is declared, and none else`() throws {
    let found = try codesInSources()
    #expect(found.count > 40)
    let declared = MoleculesPlugin().contributions.errorCodes.map(\.code)
    #expect(found.subtracting(declared).sorted() == [])
    #expect(Set(declared.filter { $0.hasPrefix("molecules.") }).subtracting(found).sorted() == [])
    #expect(declared.contains("store.damaged"))
    #expect(Set(declared).count == declared.count)
  }

  @Test func `no note of a reader has a code that is made up as it runs`() throws {
    let files = try #require(
      FileManager.default.enumerator(
        at: Self.sources.appendingPathComponent("Service"), includingPropertiesForKeys: nil))
    var (calls, literals) = (0, 0)
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      calls += text.matches(of: /log\.add\(/).count
      literals += text.matches(of: /log\.add\(\s*"[a-z0-9-]+",\s*line:/).count
    }
    #expect(calls == literals && calls > 30)
  }
}
