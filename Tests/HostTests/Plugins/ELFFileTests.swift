import Foundation
import PluginAPI
import PluginText
import TestSupport
import Testing

@testable import Host

struct ELFFileTests {
  let library: [UInt8]

  init() throws {
    library = try PluginFixture.c("int workbench_plugin_entry(void) { return 0; }")
  }

  @Test func `a library has a stamp and needed libraries`() throws {
    let file = try ELFFile(library)
    #expect(file.needed.contains("libc.so.6"))
    let stamp = try PluginStamp(file, path: "x")
    #expect(stamp?.id == "broken")
    #expect(stamp?.version == "1.0.0")
    #expect(stamp.map { $0.revision == ContractStamp.current.revision } == true)
    #expect(stamp?.compiler == ContractStamp.current.compiler)
  }

  @Test func `the contract's library has its name and modules`() throws {
    let bytes = Array(try Data(contentsOf: BuiltProgram.folder.appendingPathComponent("libPluginAPI.so")))
    let file = try ELFFile(bytes)
    #expect(file.soname == "libPluginAPI.so")
    #expect(SwiftModules.names(in: file) == ["PluginAPI"])
    #expect(try PluginStamp(file, path: "x") == nil)
  }

  @Test func `a truncated file is refused at any length`() {
    let accepted = (0..<library.count).filter { (try? ELFFile(Array(library[..<$0]))) != nil }
    #expect(accepted.isEmpty)
  }

  @Test func `any single damaged byte of the headers is read or refused safely`() throws {
    let file = try ELFFile(library)
    let sections = Int(library[40]) | Int(library[41]) << 8 | Int(library[42]) << 16
    var refused = 0
    for offset in Array(0..<64 + 56 * file.segments.count) + Array(sections..<library.count) {
      for value in [UInt8(0), 0x7F, 0xFF] where library[offset] != value {
        var copy = library
        copy[offset] = value
        guard let damaged = try? ELFFile(copy) else {
          refused += 1
          continue
        }
        _ = try? PluginStamp(damaged, path: "x")
        _ = SwiftModules.names(in: damaged)
      }
    }
    #expect(refused > 100)
  }

  @Test func `random bytes after a valid header are refused`() {
    var random = SplitMix64(seed: 7)
    let accepted = (0..<500).filter { _ in
      var bytes = Array(library[..<64])
      for _ in 0..<2000 { bytes.append(UInt8.random(in: 0...255, using: &random)) }
      return (try? ELFFile(bytes)) != nil
    }
    #expect(accepted.isEmpty)
  }

  @Test(arguments: [
    ("", "host.plugin-not-a-library"), ("text", "host.plugin-not-a-library"),
    ("\u{7F}ELF\u{1}\u{1}", "host.plugin-wrong-class"), ("\u{7F}ELF\u{2}\u{2}", "host.plugin-wrong-class"),
    ("\u{7F}ELF\u{2}\u{1}", "host.plugin-truncated"),
  ])
  func `the first bytes determine the error`(text: String, code: String) {
    #expect { try ELFFile(Array(text.utf8)) } throws: { ($0 as? ELFError)?.declared.code == code }
  }
}
