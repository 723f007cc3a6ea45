import Foundation
import PluginAPI
import TestSupport
import Testing

@testable import Host

/// A file that is found as a library of a plugin.
struct HostileLibrary: Sendable {
  static let fileName = "libHostile.so"

  /// Writes the file into a folder; the bytes are those of a good plugin.
  let write: @Sendable (TemporaryFolder, [UInt8]) throws -> Void

  /// A file with the bytes of a good plugin, changed.
  static func bytes(_ change: @escaping @Sendable ([UInt8]) -> [UInt8]) -> HostileLibrary {
    HostileLibrary { folder, plugin in try folder.write(change(plugin), fileName) }
  }

  /// A library with other bytes from an offset on.
  static func patched(_ offset: Int, _ bytes: [UInt8]) -> HostileLibrary {
    .bytes { $0.patched(at: offset, bytes) }
  }

  /// A library whose stamp has another id and contract revision, in as many letters.
  static func stamped(_ id: String, _ revision: String) -> HostileLibrary {
    let current = PluginEntry.contractRevision
    return .bytes {
      $0.replacing("misbehaving\u{0}1.0.0\u{0}\(current)\u{0}", with: "\(id)\u{0}1.0.0\u{0}\(revision)\u{0}")
    }
  }

  /// A library built from C.
  static func c(_ source: String, stampID: String = "broken", flags: [String] = ["-shared", "-fPIC"]) -> HostileLibrary
  {
    HostileLibrary { folder, _ in
      try folder.write(try PluginFixture.c(source, stampID: stampID, flags: flags), fileName)
    }
  }

  /// A library that runs statements while it is opened.
  static func constructor(_ headers: [String], _ statements: String) -> HostileLibrary {
    let includes = headers.map { "#include <\($0).h>\n" }.joined()
    return .c(includes + "__attribute__((constructor)) static void go(void) { \(statements) }\n" + emptyEntry)
  }

  /// An entry that returns no plugin.
  static let emptyEntry = "void *workbench_plugin_entry(void) { return 0; }"

  /// Another stamp beside that of the library.
  static func section(_ declaration: String) -> HostileLibrary {
    .c("__attribute__((used, retain, section(\".workbench.plugin\"))) static const char \(declaration);\n" + emptyEntry)
  }
}

/// Files that are not libraries of plugins, or not for this host, and libraries that misbehave when they are opened.
enum HostileLibraries {
  static let all: [HostileCase<HostileLibrary>] = files + headers + stamps + code

  /// Returns a case whose file is made by a function of Foundation or the system.
  private static func file(
    _ label: String, _ make: @escaping @Sendable (_ path: String, TemporaryFolder, _ plugin: [UInt8]) throws -> Void
  ) -> HostileCase<HostileLibrary> {
    HostileCase(
      label, "host.plugin-not-a-file",
      HostileLibrary { folder, plugin in try make(folder.url(HostileLibrary.fileName).path, folder, plugin) })
  }

  private static let files: [HostileCase<HostileLibrary>] = [
    file("folder") { path, _, _ in
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    },
    file("pipe") { path, _, _ in #expect(mkfifo(path, 0o600) == 0) },
    file("link to a plugin") { path, folder, plugin in
      let real = try folder.write(plugin, "elsewhere/real").path
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: real)
    },
    file("link to a device") { path, _, _ in
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero")
    },
    file("link to itself") { path, _, _ in
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: HostileLibrary.fileName)
    },
    file("link to nothing") { path, _, _ in
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/nonexistent")
    },
  ]

  private static let headers: [HostileCase<HostileLibrary>] = [
    HostileCase("empty file", "host.plugin-not-a-library", .bytes { _ in [] }),
    HostileCase("text", "host.plugin-not-a-library", .bytes { _ in Array("hello\n".utf8) }),
    HostileCase("archive", "host.plugin-not-a-library", .bytes { _ in ZIPFixture.package() }),
    HostileCase("32 bits", "host.plugin-wrong-class", .patched(4, [1])),
    HostileCase("the other byte order", "host.plugin-wrong-class", .patched(5, [2])),
    HostileCase("for ARM", "host.plugin-wrong-machine", .patched(18, [40, 0])),
    HostileCase("object file", "host.plugin-not-a-library", .patched(16, [1, 0])),
    HostileCase("executable", "host.plugin-not-a-library", .patched(16, [2, 0])),
    HostileCase("core file", "host.plugin-not-a-library", .patched(16, [4, 0])),
    HostileCase(
      "program that is loaded anywhere", "host.plugin-not-a-library",
      .c("int main(void) { return 0; }", flags: ["-fPIE", "-pie"])),
    HostileCase("65535 segments", "host.plugin-damaged", .patched(56, [0xFF, 0xFF])),
    HostileCase("65535 sections", "host.plugin-truncated", .patched(60, [0xFF, 0xFF])),
    HostileCase(
      "sections far behind the end", "host.plugin-truncated",
      .patched(40, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F])),
    HostileCase(
      "segments at a negative offset", "host.plugin-truncated",
      .patched(32, [0xF0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])),
    HostileCase("names in a missing section", "host.plugin-damaged", .patched(62, [0xF0, 0xFF])),
    HostileCase("first half", "host.plugin-truncated", .bytes { Array($0[..<($0.count / 2)]) }),
    HostileCase("without its last byte", "host.plugin-truncated", .bytes { Array($0.dropLast()) }),
  ]

  private static let compiler = ContractStamp.current.compiler

  private static let stamps: [HostileCase<HostileLibrary>] = [
    HostileCase("revision 0", "host.plugin-bad-stamp", .stamped("misbehaving", "0")),
    HostileCase("revision in letters", "host.plugin-bad-stamp", .stamped("misbehaving", "x")),
    HostileCase("a later revision", "host.plugin-too-new", .stamped("too-new-one", "9")),
    HostileCase(
      "another compiler", "host.plugin-other-compiler",
      .bytes { $0.replacing(compiler, with: "Z" + compiler.dropFirst()) }),
    HostileCase(
      "id with a capital letter", "host.plugin-bad-stamp", .stamped("Misbehaving", "\(PluginEntry.contractRevision)")),
    HostileCase(
      "id that is a path", "host.plugin-bad-stamp", .stamped("../../../xx", "\(PluginEntry.contractRevision)")),
    HostileCase(
      "another first word", "host.plugin-bad-stamp",
      .bytes { $0.replacing("workbench-plugin\u{0}", with: "workbench-plugon\u{0}") }),
    HostileCase("id of a command", "host.plugin-bad-stamp", .c(HostileLibrary.emptyEntry, stampID: "plugin")),
    HostileCase(
      "id of 41 letters", "host.plugin-bad-stamp",
      .c(HostileLibrary.emptyEntry, stampID: String(repeating: "x", count: 41))),
    HostileCase("empty id", "host.plugin-bad-stamp", .c(HostileLibrary.emptyEntry, stampID: "")),
    HostileCase(
      "two stamps", "host.plugin-bad-stamp",
      .section("second[] = \"workbench-plugin\\0\" \"other\\0\" \"1.0.0\\0\" \"5\\0\" \"c\"")),
    HostileCase("stamp of 8 kB", "host.plugin-bad-stamp", .section("large[8192] = {'x'}")),
  ]

  private static let code: [HostileCase<HostileLibrary>] = [
    HostileCase("entry that returns no plugin", "host.plugin-foreign-contract", .c(HostileLibrary.emptyEntry)),
    HostileCase("no entry", "host.plugin-no-entry", .c("int nothing;")),
    HostileCase("entry that is not code", "host.plugin-probe-crashed", .c("int workbench_plugin_entry = 7;")),
    HostileCase(
      "entry that returns a wild pointer", "host.plugin-probe-crashed",
      .c("void *workbench_plugin_entry(void) { return (void *)16; }")),
    HostileCase(
      "symbol that nothing defines", "host.plugin-missing-symbol",
      .c("void no_such_thing(void); void *workbench_plugin_entry(void) { no_such_thing(); return 0; }")),
    HostileCase("abort while it is opened", "host.plugin-probe-crashed", .constructor(["stdlib"], "abort();")),
    HostileCase(
      "wild write while it is opened", "host.plugin-probe-crashed", .constructor([], "*(volatile int *)0 = 1;")),
    HostileCase("exit while it is opened", "host.plugin-probe-failed", .constructor(["stdlib"], "exit(0);")),
    HostileCase(
      "kills its process while it is opened", "host.plugin-probe-crashed",
      .constructor(["signal"], "raise(SIGKILL);")),
    HostileCase(
      "overflows its stack while it is opened", "host.plugin-probe-crashed",
      .c(
        "static int deep(int n) { volatile char room[4096]; room[0] = n; return deep(n + 1) + room[0]; }\n"
          + "__attribute__((constructor)) static void go(void) { deep(0); }\n" + HostileLibrary.emptyEntry)),
    HostileCase(
      "never comes back", "host.plugin-probe-hung", .constructor(["unistd"], "for (;;) sleep(9);")),
    HostileCase(
      "never comes back and ignores signals", "host.plugin-probe-hung",
      .constructor(["signal", "unistd"], "for (int n = 1; n < 32; n++) signal(n, SIG_IGN); for (;;) sleep(9);")),
    HostileCase(
      "closes all files", "host.plugin-probe-failed",
      .constructor(["unistd"], "for (int n = 0; n < 1024; n++) close(n);")),
    HostileCase(
      "writes into all files", "host.plugin-probe-failed",
      .constructor(["unistd"], "for (int n = 3; n < 64; n++) if (write(n, \"lies\", 4) < 0) continue;")),
    HostileCase(
      "child that stays", "host.plugin-probe-failed",
      .c(
        "#include <unistd.h>\nvoid *workbench_plugin_entry(void) { if (fork() == 0) sleep(300); _exit(3); }")),
  ]
}

/// Finds the plugins in a folder as the host does.
enum FoundPlugins {
  /// Returns the catalog of all files in the folder, by their names.
  static func files(in folder: TemporaryFolder) throws -> [String: CatalogedPlugin] {
    let home = try TemporaryFolder()
    let folders = try HostFolders(home: home.path.path, environment: [:])
    var rules = PluginCatalog.Rules(
      lock: PluginLock(data: folders.data), quarantine: PluginQuarantine(state: folders.state))
    var examiner = PluginExaminer(
      registry: PluginRegistry(folder: folders.cache, installation: .current),
      probe: PluginProbe(installation: .current))
    let path = PluginSearchPath(folders: [PluginSearchFolder(path: folder.path.path, source: .option)])
    let catalog = PluginCatalog(path: path, rules: &rules, examiner: &examiner)
    return Dictionary(catalog.plugins.map { (FilePath.name(of: $0.path), $0) }) { first, _ in first }
  }
}

@Suite(.serialized) struct HostileLibraryTests {
  @Test(arguments: HostileLibraries.all)
  func `a hostile library is refused with a code, and this process lives`(hostile: HostileCase<HostileLibrary>) throws {
    let folder = try TemporaryFolder()
    try hostile.subject.write(folder, try PluginFixture.misbehaving.get())
    let start = ContinuousClock.now
    let found = try #require(try FoundPlugins.files(in: folder)[HostileLibrary.fileName])
    #expect(found.state == .refused && found.error?.code == hostile.code)
    // No child is waited for that the library left behind.
    #expect(start.duration(to: .now) < .seconds(240))
  }

  @Test func `an examined library has no open file of the program`() throws {
    // Without close-on-exec, as a shell hands files to a program.
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
    defer { for end in ends { close(end) } }
    let code = "for (int n = 3; n < 4096; n++) if (write(n, \"lies\", 4) < 0) continue;"
    let folder = try TemporaryFolder()
    try HostileLibrary.constructor(["unistd"], code).write(folder, try PluginFixture.misbehaving.get())
    #expect(try FoundPlugins.files(in: folder)[HostileLibrary.fileName]?.state == .refused)
    var byte: UInt8 = 0
    #expect(read(ends[0], &byte, 1) == -1 && errno == EAGAIN)
  }
}
