import Foundation
import TestSupport
import Testing

/// The program in a folder of its own, on a machine without the toolchain.
@Suite(.enabled(if: PrivateMounts.areAllowed, Comment(rawValue: PrivateMounts.absence)))
struct InstalledTreeTests {
  /// Returns the files of the Swift runtime that the program needs, and those that plugins built by the guide need
  /// besides.
  private func runtime() throws -> (folder: URL, names: [String]) {
    let text = try BuiltProgram.run(
      URL(fileURLWithPath: "/usr/bin/env"), ["ldd", BuiltProgram.workbench.path]
    ).output
    let paths = text.split(separator: "\n").compactMap { line in
      line.split(separator: " ").first { $0.hasPrefix("/") }.map(String.init)
    }
    let core = try #require(paths.first { $0.hasSuffix("/libswiftCore.so") })
    let folder = URL(fileURLWithPath: core).deletingLastPathComponent()
    let own = paths.filter { $0.hasPrefix(folder.path + "/") }.map { URL(fileURLWithPath: $0).lastPathComponent }
    // Scripts/install ships these too: plugins need them that use regular expressions, or were built for debugging.
    let others = ["libswift_StringProcessing.so", "libswift_RegexParser.so", "libswiftSwiftOnoneSupport.so"]
    return (folder, own + others)
  }

  @Test func `a plugin finds its Swift runtime libraries in the program's folder`() throws {
    let home = try PluginHome()
    let (toolchain, names) = try runtime()
    let tree = home.folder.url("tree")
    try FileManager.default.createDirectory(at: tree, withIntermediateDirectories: true)
    for name in Set(names) {
      try FileManager.default.copyItem(
        at: toolchain.appendingPathComponent(name), to: tree.appendingPathComponent(name))
    }
    for name in ["workbench", "libPluginAPI.so", "libPluginImages.so", "libPluginPostgres.so"] {
      try FileManager.default.copyItem(
        at: BuiltProgram.folder.appendingPathComponent(name), to: tree.appendingPathComponent(name))
    }
    let outcome = try PrivateMounts.shell(
      """
      mount -t tmpfs none "$1"
      WORKBENCH_HOME=$2 "$3/workbench" misbehaving greet --plugin-dir "$4"
      """, toolchain.path, home.home.path, tree.path, home.plugins.path)
    #expect(outcome.errors == "")
    #expect(outcome.output == "hello from misbehaving\n")
  }

  @Test func `with a read-only home, commands and completion work and doctor reports it`() throws {
    let home = try PluginHome()
    _ = try home.run("plugin", "list")
    let script = """
      mount --bind "$1" "$1"; mount -o remount,ro,bind "$1"
      export WORKBENCH_HOME=$1
      "$2" misbehaving greet --plugin-dir "$3"
      "$2" __complete --plugin-dir "$3" -- misbehaving gre
      "$2" doctor --json || true
      """
    let outcome = try PrivateMounts.shell(script, home.home.path, BuiltProgram.workbench.path, home.plugins.path)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.first == "hello from misbehaving")
    #expect(lines.dropFirst().first?.hasPrefix("greet\t") == true)
    let report = lines.dropFirst(2).joined().lowercased()
    #expect(report.contains("read-only"))
  }
}
