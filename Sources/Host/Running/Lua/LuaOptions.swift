import PluginAPI

/// The options of `script` and `exec` for Lua.
struct LuaOptions {
  /// The arguments of the script.
  let arguments: [String]
  let permissions: LuaPermissions
  let limits: LuaLimits

  /// The declarations.
  static let all: [Parameter] = [
    Parameter("lua", .flag, "Run Lua, whatever the name of the file"),
    Parameter("allow-read", .flag, "Let a script in Lua read all files"),
    Parameter("allow-read-in", .folder, "Folder whose files a script in Lua may read", isRepeatable: true),
    Parameter("allow-write", .flag, "Let a script in Lua write all files and change stores"),
    Parameter("allow-write-in", .folder, "Folder whose files a script in Lua may write", isRepeatable: true),
    Parameter("allow-net", .flag, "Let a script in Lua use the network and devices"),
    Parameter(
      "memory-limit", .integer(minimum: 4, maximum: 1 << 20), "Memory for the values of a script in Lua",
      unit: "megabyte", defaultValue: 512),
    Parameter(
      "instruction-limit", .integer(minimum: 1, maximum: 1 << 40),
      "Millions of instructions that a script in Lua may run"),
  ]

  /// Reads the options of a call.
  ///
  /// - Throws: ``LuaError/option(_:)`` for an option that is not accepted for scripts in Lua.
  init(_ call: CommandCall, arguments: [String]) throws(ErrorReport) {
    if call.flag("keep-going") { throw LuaError.option("--keep-going") }
    self.arguments = arguments
    permissions = LuaPermissions(
      reading: .named(call.texts("allow-read-in"), everything: call.flag("allow-read")),
      writing: .named(call.texts("allow-write-in"), everything: call.flag("allow-write")),
      usesNetwork: call.flag("allow-net"), arguments: arguments)
    limits = LuaLimits(
      memoryInMegabytes: call["memory-limit"].integer ?? LuaLimits().memoryInMegabytes,
      instructionsInMillions: call["instruction-limit"].integer)
  }

  /// Returns true if the name of a script is that of one in Lua.
  static func isLua(_ file: String) -> Bool { file.lowercased().hasSuffix(".lua") }
}
