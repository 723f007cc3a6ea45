import PluginAPI

/// The options of `script` and `exec` for Lua.
struct LuaOptions {
  /// The arguments of the script.
  let arguments: [String]
  let permissions: LuaPermissions
  let limits: LuaLimits

  /// The declarations.
  static let all: [Parameter] = [
    Parameter("lua", .flag, "Run the script as Lua, whatever its file name"),
    Parameter("allow-read", .flag, "Allow a Lua script to read all files"),
    Parameter("allow-read-in", .folder, "Folder whose files a Lua script may read", isRepeatable: true),
    Parameter("allow-write", .flag, "Allow a Lua script to write all files and change stores"),
    Parameter("allow-write-in", .folder, "Folder whose files a Lua script may write", isRepeatable: true),
    Parameter("allow-net", .flag, "Allow a Lua script to use the network and devices"),
    Parameter(
      "memory-limit", .integer(minimum: 4, maximum: 1 << 20), "Memory for the values of a Lua script",
      unit: "megabyte", defaultValue: 512),
    Parameter(
      "instruction-limit", .integer(minimum: 1, maximum: 1 << 40),
      "Millions of instructions that a Lua script may run"),
  ]

  /// Reads the options of a call.
  ///
  /// - Throws: ``LuaError/option(_:)`` for an option that is not accepted for Lua scripts.
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
