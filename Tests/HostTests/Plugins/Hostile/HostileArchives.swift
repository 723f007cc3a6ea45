import PluginAPI
import Testing

@testable import Host

/// Archives that are not packages, or not safe ones.
enum HostileArchives {
  static let all: [HostileCase<[UInt8]>] =
    damaged().all + unsafe().all + tooLarge().all + [
      HostileCase(
        "no plugin in it", "host.install-no-plugin",
        ZIPFixture(files: [.init("readme.txt", [1]), .init("libA.so", [0x7F, 0x45, 0x4C, 0x46])]).bytes),
      HostileCase(
        "a manifest in a folder only", "host.install-no-plugin",
        ZIPFixture(files: [.init("tides/plugin.json", Array("{}".utf8))]).bytes),
    ]

  /// Cases with the same code.
  private struct Cases {
    private let code: String
    private(set) var all: [HostileCase<[UInt8]>] = []

    init(_ code: String) { self.code = code }

    mutating func add(_ label: String, _ bytes: [UInt8]) { all.append(HostileCase(label, code, bytes)) }
  }

  /// Returns an archive whose files have other names.
  private static func named(_ name: String, _ second: String = "plugin.json") -> [UInt8] {
    ZIPFixture.package { fixture in
      fixture.files[0].name = Array(name.utf8)
      fixture.files[1].name = Array(second.utf8)
    }
  }

  /// Returns an archive whose first file has other attributes of Unix.
  private static func mode(_ mode: UInt32) -> [UInt8] { ZIPFixture.package { $0.files[0].attributes = mode << 16 } }

  /// Returns an archive with a link, and a file that would be written through it.
  private static func linked() -> [UInt8] {
    ZIPFixture.package { fixture in
      fixture.files[0] = .init("data", Array("/etc".utf8))
      fixture.files[0].attributes = 0o120777 << 16
      fixture.files.append(.init("data/passwd", [1]))
    }
  }

  private static func damaged() -> Cases {
    let zeros = [UInt8](repeating: 0, count: 100)
    var cases = Cases("host.package-damaged")
    cases.add("empty file", [])
    cases.add("text", Array("hello, world".utf8))
    cases.add("library", [0x7F, 0x45, 0x4C, 0x46] + zeros)
    cases.add("gzip", [0x1F, 0x8B] + zeros)
    cases.add("only a directory's end", ZIPFixture(files: []).bytes)
    cases.add("only the start of a header", Array(ZIPFixture.package()[..<20]))
    cases.add("without its last byte", Array(ZIPFixture.package().dropLast()))
    cases.add("comment", ZIPFixture.package { $0.comment = [0x20] })
    cases.add("bytes after the end", ZIPFixture.package { $0.trailing = [0] })
    cases.add("another archive after the end", ZIPFixture.package { $0.trailing = ZIPFixture.package() })
    cases.add("script before the first file", Array("#!/bin/sh ".utf8) + ZIPFixture.package())
    cases.add("bytes before the first file", ZIPFixture.package { $0.files[0].gap = [0x50, 0x4B, 0x03, 0x04] })
    cases.add("bytes between files", ZIPFixture.package { $0.files[1].gap = [0] })
    cases.add("several parts", ZIPFixture.package { $0.disks = 1 })
    cases.add("more files than stated", ZIPFixture.package { $0.count = 1 })
    cases.add("fewer files than stated", ZIPFixture.package { $0.count = 3 })
    cases.add("65535 files stated", ZIPFixture.package { $0.count = 65_535 })
    cases.add("directory before its place", ZIPFixture.package { $0.offsetShift = -1 })
    cases.add("directory behind its place", ZIPFixture.package { $0.offsetShift = 1 })
    cases.add("directory larger than the file", ZIPFixture.package { $0.sizeShift = 1 << 20 })
    cases.add("offset of another file", ZIPFixture.package { $0.files[1].shift = -45 })
    cases.add("offset behind the end", ZIPFixture.package { $0.files[0].shift = 1 << 30 })
    cases.add("overlapping files", ZIPFixture.package { $0.files[1].shift = -8 })
    cases.add("two names of a file", ZIPFixture.package { $0.files[0].otherName = Array("evil.py".utf8) })
    cases.add("two sizes of a file", ZIPFixture.package { $0.files[0].otherSize = 7 })
    cases.add("wrong checksum", ZIPFixture.package { $0.files[0].checksum ^= 1 })
    cases.add("stored with another size", ZIPFixture.package { $0.files[0].size = 9 })
    cases.add("encrypted", ZIPFixture.package { $0.files[0].flags = 0x0801 })
    cases.add("sizes behind the data", ZIPFixture.package { $0.files[0].flags = 0x0808 })
    cases.add("compressed with bzip2", ZIPFixture.package { $0.files[0].method = 12 })
    cases.add("compressed with LZMA", ZIPFixture.package { $0.files[0].method = 14 })
    cases.add("not deflate", ZIPFixture.package { $0.files[0].method = 8 })
    cases.add("content longer than stated", ZIPFixture.compressedPackage { $0.size = 7 })
    cases.add("content shorter than stated", ZIPFixture.compressedPackage { $0.size = 9 })
    cases.add("bytes after the compressed ones", ZIPFixture.compressedPackage { $0.data.append(0) })
    cases.add("cut compressed bytes", ZIPFixture.compressedPackage { $0.data.removeLast() })
    cases.add("folder with content", ZIPFixture.package { $0.files[0] = .folder("main/", content: [1]) })
    return cases
  }

  private static func unsafe() -> Cases {
    var cases = Cases("host.package-unsafe")
    let names = [
      "/etc/passwd", "../x", "a/../../x", "a/..", "./x", "a/./x", "a//b", "", "/", "..\\x", "C:\\x", "a\u{0}.py",
      "a\nb",
      "a\tb", "\u{1B}]0;x\u{7}", "\u{202E}yp.exe", ".bashrc", ".contents", "a/.git/config",
      String(repeating: "x", count: 256), String(repeating: "abcdefg/", count: 70) + "x",
      String(repeating: "a/", count: 20) + "x", "plugin.json", "Plugin.JSON", "plugin.json/x",
    ]
    for name in names { cases.add("name \(name.debugDescription)", named(name)) }
    cases.add("name that is not UTF-8", ZIPFixture.package { $0.files[0].name = [0xFF, 0xFE] })
    cases.add("two forms of a letter", named("\u{E9}", "e\u{301}"))
    cases.add("folders that differ in case", named("a/x", "A/y"))
    let modes: [UInt32] = [
      0o120777, 0o020666, 0o060666, 0o010666, 0o140777, 0o040755, 0o104755, 0o102755, 0o101644,
    ]
    for mode in modes { cases.add("mode \(String(mode, radix: 8))", Self.mode(mode)) }
    cases.add("folder of MS-DOS", ZIPFixture.package { $0.files[0].attributes = 0x10 })
    cases.add("link to a folder, and a file in it", linked())
    cases.add("file with a slash", ZIPFixture.package { $0.files[0].name = Array("main/".utf8) })
    return cases
  }

  private static func tooLarge() -> Cases {
    var cases = Cases("host.package-too-large")
    cases.add("4 GB of content stated", ZIPFixture.compressedPackage { $0.size = .max })
    cases.add("compressed too well", ZIPFixture.compressedPackage { $0.size = 2 << 20 })
    let files = (0...PackageNames.most).map { ZIPFixture.File("file\($0)") }
    cases.add("too many files", ZIPFixture(files: files).bytes)
    return cases
  }
}

struct HostileArchiveTests {
  @Test(arguments: HostileArchives.all) func `a hostile archive is refused with a code`(hostile: HostileCase<[UInt8]>) {
    var code = "accepted"
    do {
      let files = try PluginFiles(package: hostile.subject, source: "/p/hostile.wbplugin")
      for file in files.all { _ = try file.read() }
    } catch {
      code = ErrorReport(error).code
    }
    #expect(code == hostile.code)
  }
}
