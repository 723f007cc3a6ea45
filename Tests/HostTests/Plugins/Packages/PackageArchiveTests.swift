import Foundation
import PluginAPI
import TestSupport
import Testing

@testable import Host

struct PackageArchiveTests {
  /// Returns the code of the error of reading all files of an archive; "accepted" for none.
  private static func code(_ bytes: [UInt8]) -> String {
    do {
      let archive = try PackageArchive(bytes)
      for entry in archive.entries { _ = try archive.content(of: entry) }
      return "accepted"
    } catch {
      return error.report.code
    }
  }

  @Test func `a valid archive is read, stored or compressed, with folders and modes`() throws {
    let bytes = ZIPFixture.package { fixture in
      fixture.files[0].deflate()
      fixture.files[0].flags = 0x0806
      fixture.files[0].attributes = 0o100755 << 16
      fixture.files[1].attributes = 0
      fixture.files.insert(.folder("data/"), at: 1)
      fixture.files.append(.init("data/empty.txt"))
    }
    let archive = try PackageArchive(bytes)
    #expect(archive.entries.map(\.name) == ["main.py", "plugin.json", "data/empty.txt"])
    #expect(archive.entries.map(\.isExecutable) == [true, false, false])
    let contents = try archive.entries.map { String(decoding: try archive.content(of: $0), as: UTF8.self) }
    #expect(contents == ["print(1)", "{}", ""])
  }

  @Test func `every truncation is refused, and no changed byte changes a name or content`() throws {
    let good = ZIPFixture.compressedPackage()
    let whole = try PackageArchive(good)
    let contents = try whole.entries.map { [$0.name: try whole.content(of: $0)] }
    let cuts = (0..<good.count).filter { Self.code(Array(good[..<$0])) == "accepted" }
    #expect(cuts.isEmpty)
    var changed: [Int] = []
    for offset in good.indices {
      for bit in 0..<8 {
        var bytes = good
        bytes[offset] ^= 1 << UInt8(bit)
        guard let archive = try? PackageArchive(bytes),
          let found = try? archive.entries.map({ [$0.name: try archive.content(of: $0)] }), found != contents
        else { continue }
        changed.append(offset)
      }
    }
    #expect(changed.isEmpty)
  }

  @Test func `the same files give the same bytes in any order`() throws {
    let text = Array(String(repeating: "tide tables ", count: 1000).utf8)
    let files: [(name: String, isExecutable: Bool, content: [UInt8])] = [
      ("plugin.json", false, Array("{}".utf8)), ("bin/run", true, text), ("empty", false, []),
    ]
    let bytes = try PackageArchive.bytes(of: files)
    #expect(try PackageArchive.bytes(of: files.reversed()) == bytes)
    #expect(bytes.count < text.count / 4)
    let archive = try PackageArchive(bytes)
    #expect(archive.entries.map(\.name) == ["bin/run", "empty", "plugin.json"])
    #expect(archive.entries.map(\.isExecutable) == [true, false, false])
    #expect(try archive.entries.map { try archive.content(of: $0) } == [text, [], Array("{}".utf8)])
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/python3"), "there is no python3"))
  func `other programs read our archives, and we read theirs`() throws {
    let folder = try TemporaryFolder()
    let text = Array(String(repeating: "tide tables ", count: 1000).utf8)
    try folder.write(
      try PackageArchive.bytes(of: [
        (name: "a/b.txt", isExecutable: false, content: text), (name: "run", isExecutable: true, content: [1]),
      ]), "ours.zip")
    let script = """
      import sys, zipfile
      ours = zipfile.ZipFile(sys.argv[1])
      assert ours.testzip() is None
      print([(i.filename, i.file_size, oct(i.external_attr >> 16)) for i in ours.infolist()])
      theirs = zipfile.ZipFile(sys.argv[2], "w", zipfile.ZIP_DEFLATED)
      theirs.writestr("a/b.txt", "tide tables " * 1000)
      theirs.close()
      """
    let outcome = try BuiltProgram.run(
      URL(fileURLWithPath: "/usr/bin/python3"),
      ["-c", script, folder.url("ours.zip").path, folder.url("theirs.zip").path])
    #expect(outcome.output == "[('a/b.txt', 12000, '0o100644'), ('run', 1, '0o100755')]\n", "\(outcome.errors)")
    let theirs = try PackageArchive(Array(try Data(contentsOf: folder.url("theirs.zip"))))
    #expect(try theirs.entries.map { try theirs.content(of: $0) } == [text])
  }
}
