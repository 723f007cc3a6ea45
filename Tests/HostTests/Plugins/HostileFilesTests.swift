import Foundation
import PluginAPI
import TestSupport
import Testing

@testable import Host

/// Files that would crash or hang a naive host: each is refused with a code, and the others still work.
@Suite(.serialized) struct HostileFilesTests {
  let folder: TemporaryFolder
  let plugin: [UInt8]

  init() throws {
    folder = try TemporaryFolder()
    plugin = try PluginFixture.misbehaving.get()
  }

  /// Returns the host's catalog of all files in the folder.
  private func catalog() throws -> [String: CatalogedPlugin] { try FoundPlugins.files(in: folder) }

  private func codes() throws -> [String: String] {
    try catalog().mapValues { $0.error?.code ?? $0.state.rawValue }
  }

  @Test func `every truncation of a real plugin is refused`() throws {
    let file = try ELFFile(plugin)
    var ends: Set<Int> = [0, 1, 3, 4, 5, 6, 16, 63, 64, 65]
    for segment in file.segments { ends.formUnion([segment.offset, segment.offset + segment.fileSize - 1]) }
    for section in file.sections { ends.formUnion([section.offset, section.offset + section.size / 2]) }
    ends.formUnion([plugin.count - 64, plugin.count - 1])
    let cuts = ends.filter { $0 >= 0 && $0 < plugin.count }
    #expect(cuts.count >= 60)
    for end in cuts { try folder.write(Array(plugin[..<end]), "libCut\(end).so") }
    let good: Set = ["host.plugin-truncated", "host.plugin-not-a-library", "host.plugin-damaged"]
    let others = try codes().filter { !good.contains($0.value) }
    #expect(others.isEmpty)
    #expect(try codes().count == cuts.count)
  }

  @Test func `a stamp that does not fit is refused by both numbers or compilers, and a library without one is none`()
    throws
  {
    let (compiler, current) = (ContractStamp.current.compiler, PluginEntry.contractRevision)
    func stamped(_ id: String, _ revision: String) -> [UInt8] {
      plugin.replacing("misbehaving\u{0}1.0.0\u{0}\(current)\u{0}", with: "\(id)\u{0}1.0.0\u{0}\(revision)\u{0}")
    }
    try folder.write(stamped("too-new-one", "9"), "libNew.so")
    try folder.write(
      stamped("other-tools", "\(current)").replacing(compiler, with: "Z" + compiler.dropFirst()), "libCompiler.so")
    try folder.write(plugin.replacing(".workbench.plugin", with: ".workbench.plugon"), "libNoStamp.so")
    #expect(
      try codes() == ["libNew.so": "host.plugin-too-new", "libCompiler.so": "host.plugin-other-compiler"])
    let message = try #require(try catalog()["libNew.so"]?.error?.message)
    #expect(
      message.contains("'too-new-one'") && message.contains("revision 9") && message.hasSuffix("supports \(current)"))
    let advice = try #require(try catalog()["libCompiler.so"]?.error)
    #expect(advice.message.contains(compiler) && advice.advice?.contains("rebuild") == true)
  }

  @Test func `a contract older than the oldest supported one is refused with both numbers`() {
    let stamp = PluginStamp(id: "tides", version: "1.0.0", revision: 2, compiler: "c")
    let contract = ContractStamp(revision: 5, oldest: 3, compiler: "c")
    #expect(throws: PluginRefusal.revisionTooOld(id: "tides", has: 2, oldest: 3, current: 5)) {
      try stamp.checkContract(contract)
    }
  }

  @Test func `a missing library is named in the error`() throws {
    let other = try folder.write(
      try PluginFixture.c(
        "int gone(void) { return 1; }", isStamped: false, flags: ["-shared", "-fPIC", "-Wl,-soname,libgone.so.4"]),
      "needed/libgone.so")
    try folder.write(
      try PluginFixture.c(
        "int gone(void); void *workbench_plugin_entry(void) { gone(); return 0; }",
        flags: ["-shared", "-fPIC", other.path]), "libNeedy.so")
    let error = try #require(try catalog()["libNeedy.so"]?.error)
    #expect(error.code == "host.plugin-missing-library")
    #expect(error.message.contains("libgone.so.4"))
  }

  @Test func `the first of two plugins with one id wins, and duplicate modules are refused`() throws {
    try folder.write(plugin, "libA.so")
    try folder.write(plugin, "libB.so")
    try folder.write(plugin.replacing("misbehaving\u{0}1.0.0", with: "other-named\u{0}1.0.0"), "libC.so")
    let found = try catalog()
    #expect(found["libA.so"]?.state == .ready)
    #expect(found["libB.so"]?.state == .shadowed)
    #expect(found["libC.so"]?.state == .refused)
  }

  @Test func `files and folders writable by others are refused with a command to fix them`() throws {
    try folder.write(plugin, "libGroup.so")
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: folder.url("libGroup.so").path)
    let error = try #require(try catalog()["libGroup.so"]?.error)
    #expect(error.code == "host.plugin-unsafe")
    #expect(error.kind == .refused)
    #expect(error.advice == "run: chmod go-w " + folder.url("libGroup.so").path)
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path.path)
    #expect(try catalog().isEmpty)
    #expect { try FileTrust.checkFolder(folder.path.path + "/x/..") } throws: { error in
      (error as? ErrorReport)?.report.advice == "run: chmod go-w " + folder.path.path
    }
  }

  /// Writes a plugin that needs a library `libhelp.so` in a folder of its own, and names that folder for the search.
  ///
  /// - Returns: The folder, and the file that the library makes when it is loaded.
  private func writeNeedyPlugin(soname: String = "libhelp.so") throws -> (folder: URL, mark: URL) {
    let mark = folder.url("mark")
    let help = try folder.write(
      try PluginFixture.c(
        "#include <fcntl.h>\n__attribute__((constructor)) static void go(void) { open(\"\(mark.path)\", O_CREAT, 0600); }"
          + "\nint help(void) { return 1; }",
        isStamped: false, flags: ["-shared", "-fPIC"] + (soname.isEmpty ? [] : ["-Wl,-soname," + soname])),
      "needed/libhelp.so")
    let needed = help.deletingLastPathComponent()
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: needed.path)
    try folder.write(
      try PluginFixture.c(
        "int help(void); void *workbench_plugin_entry(void) { help(); return 0; }",
        flags: ["-shared", "-fPIC", "-L" + needed.path, "-lhelp", "-Wl,-rpath,$ORIGIN/needed"]), "libNeedy.so")
    return (needed, mark)
  }

  @Test func `a needed library loads from a folder that only the user can change`() throws {
    let (_, mark) = try writeNeedyPlugin()
    // It was loaded: only then the plugin is asked for itself.
    #expect(try codes()["libNeedy.so"] == "host.plugin-foreign-contract")
    #expect(FileManager.default.fileExists(atPath: mark.path))
  }

  @Test func `a needed library that others can change is not loaded`() throws {
    let (needed, mark) = try writeNeedyPlugin()
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: needed.path)
    let error = try #require(try catalog()["libNeedy.so"]?.error)
    #expect(error.code == "host.plugin-unsafe-library" && error.kind == .refused)
    #expect(error.advice == "run: chmod go-w " + needed.path)
    #expect(!FileManager.default.fileExists(atPath: mark.path))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: needed.path)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o666], ofItemAtPath: needed.appendingPathComponent("libhelp.so").path)
    #expect(try codes()["libNeedy.so"] == "host.plugin-unsafe-library")
    #expect(!FileManager.default.fileExists(atPath: mark.path))
  }

  @Test func `a needed library that the system would search for again is refused`() throws {
    _ = try writeNeedyPlugin(soname: "")
    // The linker then writes the path or the name it was given into the plugin.
    let error = try #require(try catalog()["libNeedy.so"]?.error)
    #expect(error.code == "host.plugin-unsafe-library")
    #expect(error.advice?.contains("-soname,libhelp.so") == true)
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a file to another group"))
  func `files writable by the user's private group are accepted, by other groups refused`() throws {
    let file = try folder.write(plugin, "libGroup.so")
    try FileManager.default.setAttributes([.posixPermissions: 0o664], ofItemAtPath: file.path)
    #expect(try codes() == ["libGroup.so": "ready"])
    #expect(chown(file.path, 0, 1) == 0)
    #expect(try codes() == ["libGroup.so": "host.plugin-unsafe"])
  }
}
