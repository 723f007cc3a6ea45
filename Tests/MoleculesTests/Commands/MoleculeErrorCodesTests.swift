import Foundation
import PluginAPI
import TestSupport
import Testing

@testable import Molecules

struct MoleculeErrorCodesTests {
  private static let sources = Checkout.root.appendingPathComponent("Plugins/Molecules")
  /// A regular expression for a reader's note: its code, then its position in the file.
  private static var note: Regex<(Substring, Substring)> {
    /\b(?:note|log\.add|faults\.add)\(\s*"([a-z0-9-]+)",\s*(?:at:|line\b|text\b|head\b)/
  }

  /// Returns every code in the sources: those of reports and diagnostics in full, those of readers' notes without the
  /// plugin's name.
  private func codesInSources() throws -> Set<String> {
    var codes: Set<String> = []
    let files = try #require(FileManager.default.enumerator(at: Self.sources, includingPropertiesForKeys: nil))
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: /(?:code:|DeclaredError\()\s*"(molecules\.[a-z0-9-]+)"/) {
        codes.insert(String(match.1))
      }
      for match in text.matches(of: Self.note) { codes.insert("molecules." + match.1) }
    }
    return codes
  }

  @Test func `the codes in the sources are the declared ones`() throws {
    let found = try codesInSources()
    #expect(found.count > 40)
    let declared = MoleculesPlugin().contributions.errorCodes.map(\.code)
    #expect(found.subtracting(declared).sorted() == [])
    // The kit makes the codes of sharing.
    let known = found.union(LibraryStore.sharingErrorCodes.map(\.code))
    #expect(Set(declared.filter { $0.hasPrefix("molecules.") }).subtracting(known).sorted() == [])
    #expect(declared.contains("store.damaged"))
    #expect(Set(declared).count == declared.count)
  }

  @Test func `every note of a reader has a literal code`() throws {
    let files = try #require(
      FileManager.default.enumerator(
        at: Self.sources.appendingPathComponent("Service"), includingPropertiesForKeys: nil))
    var (calls, literals) = (0, 0)
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      // A call that passes a code on to the log is not a note.
      calls += text.matches(of: /\b(?:note|log\.add|faults\.add)\((?!\s*code,)(?!\s*_ code:)/).count
      literals += text.matches(of: Self.note).count
    }
    #expect(calls == literals && calls > 50)
  }
}
