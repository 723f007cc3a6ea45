import PluginAPI

/// An error of a Lua script.
enum LuaError {
  static func library(problem: String) -> ErrorReport {
    CommonHostError.libraryMissing(
      "Lua scripts need 'liblua5.4.so.0': \(problem)", advice: "install it with 'sudo apt install liblua5.4-0'")
  }
  private static let memoryLimit = DeclaredError(
    "host.lua-memory", .failure, "a Lua script needs more memory than --memory-limit")
  static let noInterpreter = memoryLimit("there is not enough memory for Lua")
  static let syntax = DeclaredError("host.lua-syntax", .usage, "the script is not valid Lua 5.4")
  static let uncaught = DeclaredError(
    "host.lua-error", .failure, "a Lua script raised an error that it did not catch")
  /// The script used up its memory.
  static func memory(limitInMegabytes limit: Int) -> ErrorReport {
    memoryLimit("the script needs more than \(limit) megabytes", advice: "allow more with '--memory-limit'")
  }
  private static let instructions = DeclaredError(
    "host.lua-instructions", .timedOut, "a Lua script ran more instructions than --instruction-limit")
  static func instructions(limitInMillions limit: Int) -> ErrorReport {
    instructions(
      "the script ran more than \(limit) million instructions", advice: "allow more with '--instruction-limit'")
  }
  private static let refused = DeclaredError(
    "host.lua-refused", .refused, "a Lua script may not do this; see 'workbench help lua'")
  /// The script may not do this; the option that allows it.
  static func notAllowed(_ what: String, option: String) -> ErrorReport {
    refused("the script may not \(what)", advice: "allow it with '\(option)'")
  }
  /// Lua has this, scripts do not.
  static func notAvailable(_ name: String) -> ErrorReport {
    refused("'\(name)' is not available to scripts", advice: "see 'workbench help lua'")
  }
  /// A command that writes to the terminal, or runs other commands, itself.
  static func notForPrograms(command: String) -> ErrorReport {
    refused("Lua scripts cannot call '\(command)'", advice: "call its commands as functions of 'wb'")
  }
  private static let unusableModule = DeclaredError(
    "host.lua-module", .notFound, "a module that a Lua script requires is not beside the script")
  static func unknownModule(_ name: String, path: String) -> ErrorReport {
    unusableModule("there is no module '\(name)' beside the script", advice: "create '\(path)'")
  }
  /// The name is not one of a module.
  static func moduleName(_ name: String) -> ErrorReport {
    ErrorReport(
      code: unusableModule.code, kind: .usage, "'\(name)' is not the name of a module",
      advice: "use letters, digits, '-' and '_', with '.' for a folder beside the script")
  }
  /// A script without a file has no folder for modules.
  static func noFolder(module: String) -> ErrorReport {
    ErrorReport(
      code: unusableModule.code, kind: .usage, "'\(module)' cannot be found, as the script is not a file",
      advice: "put both into files of one folder")
  }
  private static let value = DeclaredError(
    "host.lua-value", .usage, "a value that a Lua script passes cannot be used")
  /// The mode of a file to open is not known.
  static func fileMode(_ mode: String) -> ErrorReport {
    value("'\(mode)' is not a mode of files; modes are r, w, a, rb, wb, ab")
  }
  /// Too many files are open.
  static func tooManyFiles(limit: Int) -> ErrorReport {
    value("more than \(limit) files are open", advice: "close files with 'file:close()'")
  }
  /// Too many commands with streamed results are running.
  static func tooManyStreams(limit: Int) -> ErrorReport {
    value("more than \(limit) loops over 'wb.each' are open", advice: "end loops before others begin")
  }
  /// A table has both elements and names.
  static let mixedTable = value("a table has both elements and names", advice: "use one table for each")
  /// An argument that the function does not accept.
  static func unfitting(_ expectation: String, function: String) -> ErrorReport {
    value("'\(function)' needs \(expectation)")
  }
  /// A file or a stream in the place of a value.
  static let unusableHandle = value("a file or stream cannot be passed as a value")
  static func option(_ option: String) -> ErrorReport {
    value("'\(option)' is not accepted for Lua scripts", advice: "catch errors with 'pcall'")
  }

  /// The codes of the catalog.
  static let codes =
    [uncaught, syntax, memoryLimit, instructions, refused, unusableModule].map(\.catalogueEntry)
    + [.init("host.lua-note", "note or warning: a message of a Lua script"), value.catalogueEntry]
}

extension ErrorReport {
  /// The report of an error that a script threw as a table: of a command, or of its own making.
  ///
  /// - Parameters:
  ///   - fields: The fields of the table.
  ///   - text: The table as text.
  init(thrown fields: Record, text: String) {
    let code = fields["code"]?.text.flatMap { Self.isCode($0) ? $0 : nil } ?? "host.lua-error"
    self.init(
      code: code, kind: fields["kind"]?.text.flatMap(Kind.init(rawValue:)) ?? .failure,
      fields["message"]?.text ?? text, advice: fields["advice"]?.text, details: fields["details"]?.record ?? [:],
      isRetryable: fields["retryable"]?.bool ?? false)
  }

  /// Returns true for `area.what-happened`.
  private static func isCode(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return text.utf8.count <= 100 && parts.count == 2
      && parts.allSatisfy { part in
        !part.isEmpty
          && part.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
      }
  }
}
