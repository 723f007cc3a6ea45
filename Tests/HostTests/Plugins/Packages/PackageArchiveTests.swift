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

  /// Returns an archive with a manifest and a program, changed.
  private static func fixture(_ change: (inout ZIPFixture) -> Void = { _ in }) -> [UInt8] {
    var fixture = ZIPFixture(files: [
      .init("main.py", Array("print(1)".utf8)), .init("plugin.json", Array("{}".utf8)),
    ])
    change(&fixture)
    return fixture.bytes
  }

  /// Returns an archive whose files have other names.
  private static func named(_ name: String, _ second: String = "plugin.json") -> [UInt8] {
    fixture { fixture in
      fixture.files[0].name = Array(name.utf8)
      fixture.files[1].name = Array(second.utf8)
    }
  }

  /// Returns an archive whose first file has other attributes of Unix.
  private static func mode(_ mode: UInt32) -> [UInt8] { fixture { $0.files[0].attributes = mode << 16 } }

  /// Returns an archive whose first file is compressed, and changed then.
  private static func deflated(_ change: (inout ZIPFixture.File) -> Void) -> [UInt8] {
    fixture { fixture in
      fixture.files[0].deflate()
      change(&fixture.files[0])
    }
  }

  /// Hostile archives, each with the code that must refuse it.
  private struct Corpus {
    private let code: String
    private(set) var all: [(label: String, code: String, bytes: [UInt8])] = []

    init(_ code: String) { self.code = code }

    mutating func add(_ label: String, _ bytes: [UInt8]) { all.append((label, code, bytes)) }
  }

  private static func damaged() -> Corpus {
    let zeros = [UInt8](repeating: 0, count: 100)
    var corpus = Corpus("host.package-damaged")
    corpus.add("empty file", [])
    corpus.add("text", Array("hello, world".utf8))
    corpus.add("library", [0x7F, 0x45, 0x4C, 0x46] + zeros)
    corpus.add("gzip", [0x1F, 0x8B] + zeros)
    corpus.add("only a directory's end", ZIPFixture(files: []).bytes)
    corpus.add("only the start of a header", Array(fixture()[..<20]))
    corpus.add("without its last byte", Array(fixture().dropLast()))
    corpus.add("comment", fixture { $0.comment = [0x20] })
    corpus.add("bytes after the end", fixture { $0.trailing = [0] })
    corpus.add("another archive after the end", fixture { $0.trailing = fixture() })
    corpus.add("script before the first file", Array("#!/bin/sh ".utf8) + fixture())
    corpus.add("bytes before the first file", fixture { $0.files[0].gap = [0x50, 0x4B, 0x03, 0x04] })
    corpus.add("bytes between files", fixture { $0.files[1].gap = [0] })
    corpus.add("several parts", fixture { $0.disks = 1 })
    corpus.add("more files than stated", fixture { $0.count = 1 })
    corpus.add("fewer files than stated", fixture { $0.count = 3 })
    corpus.add("65535 files stated", fixture { $0.count = 65_535 })
    corpus.add("directory before its place", fixture { $0.offsetShift = -1 })
    corpus.add("directory behind its place", fixture { $0.offsetShift = 1 })
    corpus.add("directory larger than the file", fixture { $0.sizeShift = 1 << 20 })
    corpus.add("offset of another file", fixture { $0.files[1].shift = -45 })
    corpus.add("offset behind the end", fixture { $0.files[0].shift = 1 << 30 })
    corpus.add("overlapping files", fixture { $0.files[1].shift = -8 })
    corpus.add("two names of a file", fixture { $0.files[0].otherName = Array("evil.py".utf8) })
    corpus.add("two sizes of a file", fixture { $0.files[0].otherSize = 7 })
    corpus.add("wrong checksum", fixture { $0.files[0].checksum ^= 1 })
    corpus.add("stored with another size", fixture { $0.files[0].size = 9 })
    corpus.add("encrypted", fixture { $0.files[0].flags = 0x0801 })
    corpus.add("sizes behind the data", fixture { $0.files[0].flags = 0x0808 })
    corpus.add("compressed with bzip2", fixture { $0.files[0].method = 12 })
    corpus.add("compressed with LZMA", fixture { $0.files[0].method = 14 })
    corpus.add("not deflate", fixture { $0.files[0].method = 8 })
    corpus.add("content longer than stated", deflated { $0.size = 7 })
    corpus.add("content shorter than stated", deflated { $0.size = 9 })
    corpus.add("bytes after the compressed ones", deflated { $0.data.append(0) })
    corpus.add("cut compressed bytes", deflated { $0.data.removeLast() })
    corpus.add("folder with content", fixture { $0.files[0] = .folder("main/", content: [1]) })
    return corpus
  }

  private static func refused() -> Corpus {
    var corpus = Corpus("host.package-unsafe")
    let names = [
      "/etc/passwd", "../x", "a/../../x", "a/..", "./x", "a/./x", "a//b", "", "/", "..\\x", "C:\\x", "a\u{0}.py",
      "a\nb",
      "a\tb", "\u{1B}]0;x\u{7}", "\u{202E}yp.exe", ".bashrc", ".contents", "a/.git/config",
      String(repeating: "x", count: 256), String(repeating: "abcdefg/", count: 70) + "x",
      String(repeating: "a/", count: 20) + "x", "plugin.json", "Plugin.JSON", "plugin.json/x",
    ]
    for name in names { corpus.add("name '\(name)'", named(name)) }
    corpus.add("name that is not UTF-8", fixture { $0.files[0].name = [0xFF, 0xFE] })
    corpus.add("two forms of a letter", named("\u{E9}", "e\u{301}"))
    corpus.add("folders that differ in case", named("a/x", "A/y"))
    let modes: [UInt32] = [
      0o120777, 0o020666, 0o060666, 0o010666, 0o140777, 0o040755, 0o104755, 0o102755, 0o101644,
    ]
    for mode in modes { corpus.add("mode \(String(mode, radix: 8))", Self.mode(mode)) }
    corpus.add("folder of MS-DOS", fixture { $0.files[0].attributes = 0x10 })
    corpus.add("file with a slash", fixture { $0.files[0].name = Array("main/".utf8) })
    return corpus
  }

  private static func tooLarge() -> Corpus {
    var corpus = Corpus("host.package-too-large")
    corpus.add("4 GB of content stated", deflated { $0.size = .max })
    corpus.add("compressed too well", deflated { $0.size = 2 << 20 })
    let files = (0...PackageNames.most).map { ZIPFixture.File("file\($0)") }
    corpus.add("too many files", ZIPFixture(files: files).bytes)
    return corpus
  }

  @Test func `hostile archives are refused with an error code`() {
    let hostile = Self.damaged().all + Self.refused().all + Self.tooLarge().all
    let others = hostile.filter { Self.code($0.bytes) != $0.code }.map { "\($0.label): \(Self.code($0.bytes))" }
    #expect(others == [])
    #expect(hostile.count >= 70)
  }

  @Test func `a valid archive is read, stored or compressed, with folders and modes`() throws {
    let bytes = Self.fixture { fixture in
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
    let good = Self.deflated { _ in }
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
