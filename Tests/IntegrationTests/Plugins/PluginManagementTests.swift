import Foundation
import TestSupport
import Testing

/// The commands `plugin …`, and where plugins are found.
struct PluginManagementTests {
  @Test func `a library is installed, used, verified and removed`() throws {
    let home = try PluginHome()
    let library = home.plugins.appendingPathComponent("libMisbehaving.so").path
    try home.folder.write(Array("tide tables".utf8), "plugins/resources/tables/tides.txt")
    let installed = try home.runPlain("plugin", "install", library, "--allow-unsigned", "--json")
    #expect(installed.status == 0)
    #expect(installed.record["id"] as? String == "misbehaving")
    #expect(installed.record["replaced"] is NSNull)
    #expect(home.names("data/plugins") == ["misbehaving", "plugins.lock"])
    #expect(home.names("data/plugins/misbehaving/1.0.0/resources/tables") == ["tides.txt"])
    #expect(try home.runPlain("misbehaving", "greet").output == "hello from misbehaving\n")
    let again = try home.runPlain("plugin", "install", library, "--allow-unsigned", "--json").record
    #expect(again["replaced"] as? String == "1.0.0")
    #expect(home.names("data/plugins") == ["misbehaving", "plugins.lock"])
    #expect(try home.runPlain("plugin", "verify").status == 0)
    let file = URL(fileURLWithPath: try #require(again["path"] as? String))
    try Data(try PluginFixture.misbehaving.get() + [0]).write(to: file)
    let changed = try home.runPlain("plugin", "verify", "--json")
    #expect(changed.status == 1)
    #expect(changed.errorCode == "host.plugin-verify-failed")
    #expect(try home.runPlain("plugin", "remove", "misbehaving").status == 0)
    #expect(home.names("data/plugins") == ["plugins.lock"])
    #expect(try home.runPlain("misbehaving", "greet").status != 0)
  }

  @Test func `a library placed in the folder is used once it is enabled`() throws {
    let home = try PluginHome()
    try home.folder.write(try PluginFixture.misbehaving.get(), "home/data/plugins/libMisbehaving.so")
    for folder in ["home", "home/data", "home/data/plugins"] {
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o700], ofItemAtPath: home.folder.url(folder).path)
    }
    let before = try home.runPlain("plugin", "list", "--json", "--quiet").rows.first {
      $0["source"] as? String == "user"
    }
    #expect(before?["state"] as? String == "disabled")
    #expect(before?["code"] as? String == "host.plugin-not-enabled")
    #expect(try home.runPlain("plugin", "enable", "misbehaving").status == 0)
    #expect(try home.runPlain("misbehaving", "greet").status == 0)
    #expect(try home.runPlain("plugin", "disable", "misbehaving").status == 0)
    #expect(
      try home.runPlain("plugin", "info", "misbehaving", "--json").record["code"] as? String == "host.plugin-disabled")
    #expect(try home.runPlain("plugin", "enable", "misbehaving").status == 0)
    #expect(try home.runPlain("plugin", "remove", "misbehaving").status == 0)
    #expect(home.names("data/plugins") == ["plugins.lock"])
  }

  @Test func `a bundled plugin can be disabled but not removed`() throws {
    let home = try PluginHome(withPlugin: false)
    #expect(try home.runPlain("plugin", "remove", "molecules", "--json").errorCode == "host.plugin-not-removable")
    #expect(try home.runPlain("plugin", "disable", "molecules").status == 0)
    #expect(try home.runPlain("plugin", "info", "molecules", "--json").record["state"] as? String == "disabled")
    #expect(try home.runPlain("plugin", "enable", "molecules").status == 0)
    #expect(try home.runPlain("plugin", "info", "molecules", "--json").record["state"] as? String == "ready")
  }

  @Test func `failed installations leave nothing behind`() throws {
    let home = try PluginHome()
    try home.folder.write(try PluginFixture.c("int x;"), "bad/libNoEntry.so")
    try home.folder.write(try PluginFixture.misbehaving.get(), "named/lib..evil.so")
    try home.folder.write(try PluginFixture.misbehaving.get(), "linked/libMisbehaving.so")
    try FileManager.default.createDirectory(at: home.folder.url("linked/resources"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: home.folder.url("linked/resources/passwd").path, withDestinationPath: "/etc/passwd")
    mkfifo(home.folder.url("libPipe.so").path, 0o600)
    let cases = [
      ("bad", "host.plugin-no-entry"), ("named/lib..evil.so", "host.install-bad-file-name"),
      ("linked", "host.install-bad-resource"), ("libPipe.so", "host.plugin-not-a-file"),
      ("nowhere.so", "host.install-nothing-there"), ("home", "host.install-no-plugin"),
    ]
    for (path, code) in cases {
      try FileManager.default.createDirectory(at: home.home, withIntermediateDirectories: true)
      let outcome = try home.runPlain("plugin", "install", home.folder.url(path).path, "--allow-unsigned", "--json")
      #expect(outcome.errorCode == code, "\(path)")
    }
    #expect(home.names("data/plugins").isEmpty)
  }

  @Test func `a folder that others can write is skipped and reported`() throws {
    let home = try PluginHome()
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: home.plugins.path)
    let rows = try home.run("plugin", "list", "--json").rows
    #expect(!rows.contains { $0["id"] as? String == "misbehaving" })
    let row = try #require(rows.first { $0["path"] as? String == home.plugins.path })
    #expect(row["code"] as? String == "host.plugin-unsafe" && row["source"] as? String == "option")
    #expect((row["reason"] as? String)?.contains("chmod go-w") == true)
    let users = home.home.appendingPathComponent("data/plugins")
    try FileManager.default.createDirectory(at: users, withIntermediateDirectories: true)
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: users.path)
    let sources = try home.runPlain("plugin", "list", "--json").rows.filter { $0["path"] as? String == users.path }
    #expect(sources.map { $0["source"] as? String } == ["user"])
  }

  @Test func `options precede the environment, and safe mode and relative paths list bundled plugins only`() throws {
    let home = try PluginHome()
    let here = try BuiltProgram.run(
      URL(fileURLWithPath: "/bin/sh"),
      ["-c", "cd \"$1\" && \"$0\" plugin list --json", BuiltProgram.workbench.path, home.plugins.path],
      environment: ["WORKBENCH_HOME": home.home.path, "WORKBENCH_PLUGIN_PATH": ".:plugins", "WORKBENCH_FIXTURE": nil])
    #expect(here.rows.allSatisfy { $0["source"] as? String == "bundled" } && !here.rows.isEmpty)
    #expect(try home.run("plugin", "list", "--json", "--safe-mode").rows.count == here.rows.count)
    let named = try BuiltProgram.run(
      BuiltProgram.workbench, ["plugin", "list", "--json", "--plugin-dir", home.plugins.path],
      environment: [
        "WORKBENCH_HOME": home.home.path, "WORKBENCH_PLUGIN_PATH": home.plugins.path, "WORKBENCH_FIXTURE": nil,
      ])
    let mine = named.rows.filter { $0["id"] as? String == "misbehaving" }.map { $0["source"] as? String }
    #expect(mine == ["option", "environment"])
  }

  @Test func `a damaged or missing registry is rebuilt`() throws {
    let home = try PluginHome()
    let registry = home.home.appendingPathComponent("cache/plugins.registry")
    let first = try home.run("plugin", "list", "--json").output
    var bytes = Array(try Data(contentsOf: registry))
    for offset in [0, 25, 40, bytes.count / 2, bytes.count - 1] {
      let kept = bytes[offset]
      bytes[offset] ^= 0x55
      try Data(bytes).write(to: registry)
      #expect(try home.run("plugin", "list", "--json").output == first)
      bytes[offset] = kept
    }
    try Data(bytes.prefix(30)).write(to: registry)
    #expect(try home.run("plugin", "list", "--json").output == first)
    try FileManager.default.removeItem(at: registry)
    #expect(try home.run("plugin", "list", "--json").output == first)
    #expect(Array(try Data(contentsOf: registry)).count > 100)
  }

  @Test func `why names a command's plugin, and unknown names suggest the nearest`() throws {
    let home = try PluginHome()
    #expect(
      try home.run("plugin", "why", "misbehaving", "greet", "--json").record["plugin"] as? String == "misbehaving")
    let wrong = try home.run("plugin", "info", "misbehavin", "--json")
    #expect(wrong.status == 3)
    #expect(wrong.errors.contains("did you mean 'misbehaving'?"))
  }

  /// Returns the bytes of a plugin with the id of one that ships with the program, in as many letters.
  private func impostor() throws -> [UInt8] {
    try PluginFixture.c(
      "void *workbench_plugin_entry(void) { return 0; }", stampID: "molecules")
  }

  @Test func `a plugin with a bundled plugin's id is installed only with '--replace'`() throws {
    let home = try PluginHome(withPlugin: false)
    let library = try home.folder.write(try impostor(), "libImpostor.so").path
    let refused = try home.runPlain("plugin", "install", library, "--allow-unsigned", "--json")
    #expect(refused.errorCode == "host.install-replaces-bundled")
    #expect(refused.status == 7)
    #expect(home.names("data/plugins").isEmpty)
    #expect(
      try home.runPlain("plugin", "install", library, "--replace", "pathcase", "--json").errorCode
        == "host.install-not-replaced")
    // Agreed to, it goes as far as any other plugin that cannot describe itself.
    #expect(
      try home.runPlain("plugin", "install", library, "--replace", "molecules", "--allow-unsigned", "--json").errorCode
        == "host.plugin-foreign-contract")
  }

  @Test func `a library with a bundled plugin's id is enabled only if the user names it`() throws {
    let home = try PluginHome(withPlugin: false)
    try home.folder.write(try impostor(), "home/data/plugins/libImpostor.so")
    #expect(
      try home.runPlain("plugin", "enable", "molecules", "--json").errorCode == "host.install-replaces-bundled")
    #expect(try home.runPlain("plugin", "disable", "molecules").status == 0)
    #expect(try home.runPlain("plugin", "enable", "molecules").status == 0)
    let sources = try home.runPlain("plugin", "list", "--json").rows.filter { $0["id"] as? String == "molecules" }
    #expect(sources.first { $0["state"] as? String == "ready" }?["source"] as? String == "bundled")
  }

  @Test func `an altered installed library is refused until it is installed again`() throws {
    let home = try PluginHome()
    let library = home.plugins.appendingPathComponent("libMisbehaving.so").path
    #expect(try home.runPlain("plugin", "install", library, "--allow-unsigned").status == 0)
    let file = home.home.appendingPathComponent("data/plugins/misbehaving/1.0.0/libMisbehaving.so")
    try Data(try PluginFixture.misbehaving.get() + [0]).write(to: file)
    let changed = try home.runPlain("misbehaving", "greet", "--json")
    #expect(changed.status == 7)
    #expect(changed.errorCode == "host.plugin-altered")
    #expect(changed.errors.contains("plugin install") && changed.errors.contains("plugin verify"))
    #expect(try home.runPlain("plugin", "enable", "misbehaving", "--json").errorCode == "host.plugin-altered")
    #expect(try home.runPlain("plugin", "install", library, "--allow-unsigned").status == 0)
    #expect(try home.runPlain("misbehaving", "greet").status == 0)
  }

  @Test func `an altered library is refused until it is enabled again`() throws {
    let home = try PluginHome()
    let file = try home.folder.write(try PluginFixture.misbehaving.get(), "home/data/plugins/libMisbehaving.so")
    #expect(try home.runPlain("plugin", "enable", "misbehaving").status == 0)
    try Data(try PluginFixture.misbehaving.get() + [0]).write(to: file)
    #expect(try home.runPlain("misbehaving", "greet", "--json").errorCode == "host.plugin-altered")
    #expect(try home.runPlain("plugin", "enable", "misbehaving").status == 0)
    #expect(try home.runPlain("misbehaving", "greet").status == 0)
  }

  @Test func `a library is probed even if a copy of it is known`() throws {
    let home = try PluginHome()
    let copy = try home.folder.write(try PluginFixture.misbehaving.get(), "copy/libMisbehaving.so").path
    let library = home.plugins.appendingPathComponent("libMisbehaving.so").path
    for path in [library, copy, library, copy] {
      let probed = try home.runPlain("plugin", "probe", path, "--json")
      #expect(probed.status == 0 && probed.record["path"] as? String == path, "\(probed.errors)")
    }
  }

  @Test(arguments: ["plugins/libMisbehaving.so", "plugins"])
  func `an unsafe plugin's command is refused with the plugin's name and a remedy`(unsafe: String) throws {
    let home = try PluginHome()
    let path = home.folder.url(unsafe).path
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: path)
    for words in [["misbehaving", "greet"], ["plugin", "info", "misbehaving"]] {
      let outcome = try home.run(words, "--json")
      #expect(outcome.errorCode == "host.plugin-unsafe")
      #expect(outcome.errorMessage.contains("'misbehaving'"))
      #expect(outcome.errors.contains("chmod go-w " + path))
    }
  }

  @Test(arguments: ["", "/misbehaving", "/misbehaving/1.0.0"])
  func `an installed plugin in an unsafe folder is refused with its name and a remedy`(unsafe: String) throws {
    let home = try PluginHome()
    let library = home.plugins.appendingPathComponent("libMisbehaving.so").path
    #expect(try home.runPlain("plugin", "install", library, "--allow-unsigned").status == 0)
    let path = home.home.path + "/data/plugins" + unsafe
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: path)
    let outcome = try home.runPlain("misbehaving", "greet", "--json")
    #expect(outcome.errorCode == "host.plugin-unsafe")
    #expect(outcome.errorMessage.contains("'misbehaving'"))
    #expect(outcome.errors.contains("chmod go-w " + path))
  }
}
