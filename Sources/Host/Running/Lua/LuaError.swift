import PluginAPI

/// An error of a script in Lua.
enum LuaError: Error, Equatable, ReportableError {
  /// The library cannot be opened.
  case library(problem: String)
  /// There is not enough memory for an interpreter.
  case noInterpreter
  /// The text is not valid Lua.
  case syntax(String)
  /// An error that the script did not catch.
  case uncaught(String)
  /// The script used up its memory.
  case memory(limitInMegabytes: Int)
  /// The script ran more instructions than it may.
  case instructions(limitInMillions: Int)
  /// The script may not do this; the option that allows it.
  case notAllowed(String, option: String)
  /// Lua has this, scripts do not.
  case notAvailable(String)
  /// A command that writes to the terminal, or runs other commands, itself.
  case notForPrograms(command: String)
  /// There is no such module beside the script.
  case unknownModule(String, path: String)
  /// The name is not one of a module.
  case moduleName(String)
  /// A script without a file has no folder for modules.
  case noFolder(module: String)
  /// The mode of a file to open is not known.
  case fileMode(String)
  /// Too many files are open.
  case tooManyFiles(limit: Int)
  /// Too many commands run whose results are taken one by one.
  case tooManyStreams(limit: Int)
  /// A table has both elements and names.
  case mixedTable
  /// An argument that the function does not accept.
  case unfitting(String, function: String)
  /// A file or a stream in the place of a value.
  case unusableHandle
  /// An option that is not accepted for scripts in Lua.
  case option(String)

  var report: ErrorReport {
    switch self {
    case .library(let problem):
      ErrorReport(
        code: "host.library-missing", kind: .failure, "scripts in Lua need 'liblua5.4.so.0': \(problem)",
        advice: "install it with 'sudo apt install liblua5.4-0'")
    case .noInterpreter: ErrorReport(code: "host.lua-memory", kind: .failure, "there is not enough memory for Lua")
    case .syntax(let message): ErrorReport(code: "host.lua-syntax", kind: .usage, message)
    case .uncaught(let message): ErrorReport(code: "host.lua-error", kind: .failure, message)
    case .memory(let limit):
      ErrorReport(
        code: "host.lua-memory", kind: .failure, "the script needs more than \(limit) megabytes",
        advice: "allow more with '--memory-limit'")
    case .instructions(let limit):
      ErrorReport(
        code: "host.lua-instructions", kind: .timedOut, "the script ran more than \(limit) million instructions",
        advice: "allow more with '--instruction-limit'")
    case .notAllowed(let what, let option):
      ErrorReport(
        code: "host.lua-refused", kind: .refused, "the script may not \(what)", advice: "allow it with '\(option)'")
    case .notAvailable(let name):
      ErrorReport(
        code: "host.lua-refused", kind: .refused, "'\(name)' is not available to scripts",
        advice: "see 'workbench help lua'")
    case .notForPrograms(let command):
      ErrorReport(
        code: "host.lua-refused", kind: .refused, "scripts in Lua cannot call '\(command)'",
        advice: "call its commands as functions of 'wb'")
    case .unknownModule(let name, let path):
      ErrorReport(
        code: "host.lua-module", kind: .notFound, "there is no module '\(name)' beside the script",
        advice: "create '\(path)'")
    case .moduleName(let name):
      ErrorReport(
        code: "host.lua-module", kind: .usage, "'\(name)' is not the name of a module",
        advice: "use letters, digits, '-' and '_', with '.' for a folder beside the script")
    case .noFolder(let module):
      ErrorReport(
        code: "host.lua-module", kind: .usage, "'\(module)' cannot be found, as the script is not a file",
        advice: "put both into files of one folder")
    case .fileMode(let mode): value("'\(mode)' is not a mode of files; modes are r, w, a, rb, wb, ab")
    case .tooManyFiles(let limit): value("more than \(limit) files are open", advice: "close files with 'file:close()'")
    case .tooManyStreams(let limit):
      value("more than \(limit) loops over 'wb.each' are open", advice: "end loops before others begin")
    case .mixedTable: value("a table has both elements and names", advice: "use one table for each")
    case .unfitting(let expectation, let function): value("'\(function)' needs \(expectation)")
    case .unusableHandle: value("a file or stream cannot be passed as a value")
    case .option(let option):
      ErrorReport(
        code: "host.lua-value", kind: .usage, "'\(option)' is not accepted for scripts in Lua",
        advice: "catch errors with 'pcall'")
    }
  }

  private func value(_ message: String, advice: String? = nil) -> ErrorReport {
    ErrorReport(code: "host.lua-value", kind: .usage, message, advice: advice)
  }

  /// The codes of the catalog.
  static let codes: [ErrorCodeDescription] = [
    .init("host.lua-error", "a script in Lua raised an error that it did not catch"),
    .init("host.lua-syntax", "the script is not valid Lua 5.4"),
    .init("host.lua-memory", "a script in Lua needs more memory than --memory-limit"),
    .init("host.lua-instructions", "a script in Lua ran more instructions than --instruction-limit"),
    .init("host.lua-refused", "a script in Lua may not do this; see 'workbench help lua'"),
    .init("host.lua-module", "a module that a script in Lua requires is not beside the script"),
    .init("host.lua-note", "note or warning: a message of a script in Lua"),
    .init("host.lua-value", "a value that a script in Lua passes cannot be used"),
  ]
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
