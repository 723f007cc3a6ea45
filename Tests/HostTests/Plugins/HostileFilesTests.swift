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
  private func catalog() throws -> [String: CatalogedPlugin] {
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

  @Test func `a file that is not a library is refused with a specific code`() throws {
    try folder.write([], "libEmpty.so")
    try folder.write(Array("hello\n".utf8), "libText.so")
    try folder.write(plugin.patched(at: 4, [1]), "libClass.so")
    try folder.write(plugin.patched(at: 5, [2]), "libOrder.so")
    try folder.write(plugin.patched(at: 18, [40, 0]), "libArm.so")
    try folder.write(plugin.patched(at: 16, [1, 0]), "libObject.so")
    try folder.write(plugin.patched(at: 16, [2, 0]), "libExecutable.so")
    try folder.write(plugin.patched(at: 16, [4, 0]), "libCore.so")
    try folder.write(plugin.patched(at: 56, [0xFF, 0xFF]), "libManySegments.so")
    try folder.write(plugin.patched(at: 60, [0xFF, 0xFF]), "libManySections.so")
    try folder.write(plugin.patched(at: 40, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F]), "libFarSections.so")
    try folder.write(plugin.patched(at: 32, [0xF0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]), "libFarSegments.so")
    try folder.write(plugin.patched(at: 62, [0xF0, 0xFF]), "libNoNames.so")
    try FileManager.default.createDirectory(at: folder.url("libFolder.so"), withIntermediateDirectories: true)
    mkfifo(folder.url("libPipe.so").path, 0o600)
    try FileManager.default.createSymbolicLink(
      at: folder.url("libLink.so"), withDestinationURL: try folder.write(plugin, "elsewhere/real"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.url("libDevice.so").path, withDestinationPath: "/dev/zero")
    try FileManager.default.createSymbolicLink(atPath: folder.url("libLoop.so").path, withDestinationPath: "libLoop.so")
    let executable = try PluginFixture.c("int main(void) { return 0; }", flags: ["-fPIE", "-pie"])
    try folder.write(executable, "libProgram.so")
    #expect(
      try codes() == [
        "libEmpty.so": "host.plugin-not-a-library", "libText.so": "host.plugin-not-a-library",
        "libClass.so": "host.plugin-wrong-class", "libOrder.so": "host.plugin-wrong-class",
        "libArm.so": "host.plugin-wrong-machine", "libObject.so": "host.plugin-not-a-library",
        "libExecutable.so": "host.plugin-not-a-library", "libCore.so": "host.plugin-not-a-library",
        "libManySegments.so": "host.plugin-damaged", "libManySections.so": "host.plugin-truncated",
        "libFarSections.so": "host.plugin-truncated", "libFarSegments.so": "host.plugin-truncated",
        "libNoNames.so": "host.plugin-damaged", "libFolder.so": "host.plugin-not-a-file",
        "libPipe.so": "host.plugin-not-a-file", "libLink.so": "host.plugin-not-a-file",
        "libDevice.so": "host.plugin-not-a-file", "libLoop.so": "host.plugin-not-a-file",
        "libProgram.so": "host.plugin-not-a-library",
      ])
  }

  @Test func `an incompatible stamp is refused before the library is opened`() throws {
    let (compiler, current) = (ContractStamp.current.compiler, PluginEntry.contractRevision)
    func stamped(_ id: String, _ revision: String) -> [UInt8] {
      plugin.replacing("misbehaving\u{0}1.0.0\u{0}\(current)\u{0}", with: "\(id)\u{0}1.0.0\u{0}\(revision)\u{0}")
    }
    try folder.write(stamped("misbehaving", "0"), "libZero.so")
    try folder.write(stamped("misbehaving", "x"), "libLetter.so")
    try folder.write(stamped("too-new-one", "9"), "libNew.so")
    try folder.write(
      stamped("other-tools", "\(current)").replacing(compiler, with: "Z" + compiler.dropFirst()), "libCompiler.so")
    try folder.write(stamped("Misbehaving", "\(current)"), "libUpper.so")
    try folder.write(stamped("../../../xx", "\(current)"), "libPath.so")
    try folder.write(plugin.replacing("workbench-plugin\u{0}", with: "workbench-plugon\u{0}"), "libMagic.so")
    try folder.write(plugin.replacing(".workbench.plugin", with: ".workbench.plugon"), "libNoStamp.so")
    #expect(
      try codes() == [
        "libZero.so": "host.plugin-bad-stamp", "libLetter.so": "host.plugin-bad-stamp",
        "libNew.so": "host.plugin-too-new", "libCompiler.so": "host.plugin-other-compiler",
        "libUpper.so": "host.plugin-bad-stamp", "libPath.so": "host.plugin-bad-stamp",
        "libMagic.so": "host.plugin-bad-stamp",
      ])
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

  @Test(arguments: [
    ("void *workbench_plugin_entry(void) { return 0; }", "host.plugin-foreign-contract"),
    ("int nothing;", "host.plugin-no-entry"),
    (
      "#include <stdlib.h>\n__attribute__((constructor)) static void go(void) { abort(); }", "host.plugin-probe-crashed"
    ),
    ("__attribute__((constructor)) static void go(void) { *(volatile int *)0 = 1; }", "host.plugin-probe-crashed"),
    ("#include <stdlib.h>\n__attribute__((constructor)) static void go(void) { exit(0); }", "host.plugin-probe-failed"),
    (
      "void no_such_thing(void); void *workbench_plugin_entry(void) { no_such_thing(); return 0; }",
      "host.plugin-missing-symbol"
    ),
    ("void *workbench_plugin_entry(void) { return (void *)16; }", "host.plugin-probe-crashed"),
    (
      "#include <unistd.h>\nvoid *workbench_plugin_entry(void) { if (fork() == 0) sleep(300); _exit(3); }",
      "host.plugin-probe-failed"
    ),
  ])
  func `the probe refuses a library that cannot be opened`(source: String, code: String) throws {
    try folder.write(try PluginFixture.c(source), "libBroken.so")
    let start = ContinuousClock.now
    let plugin = try #require(try catalog()["libBroken.so"])
    #expect(plugin.error?.code == code)
    #expect(plugin.error?.message.contains("'broken'") == true)
    // No child is waited for that the library left behind.
    #expect(start.duration(to: .now) < .seconds(240))
  }

  @Test func `a library that hangs is given up after two seconds`() throws {
    try folder.write(
      try PluginFixture.c(
        "#include <unistd.h>\n__attribute__((constructor)) static void go(void) { for (;;) sleep(9); }"),
      "libHang.so")
    #expect(try codes() == ["libHang.so": "host.plugin-probe-hung"])
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
      (error as? PluginRefusal)?.report.advice == "run: chmod go-w " + folder.path.path
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
