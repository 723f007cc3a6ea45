internal import CHost
import PluginAPI
import Synchronization

/// The limits of a Lua script.
struct LuaLimits: Sendable, Equatable {
  /// The memory of the script's values, in megabytes.
  var memoryInMegabytes = 512
  /// The number of instructions, in millions; nil for no limit.
  var instructionsInMillions: Int?

  /// The memory in bytes.
  var memoryInBytes: Int { memoryInMegabytes << 20 }
}

/// The outcome of a script.
enum LuaOutcome: Sendable {
  case finished
  /// An error, with the file and line; nil where Lua does not know them.
  case failed(ErrorReport, location: String?)
  /// The script was ended; the line that ran.
  case stopped(LuaStop, location: String?)
}

/// A reason to end a script, which it cannot catch.
enum LuaStop: Int32, Sendable {
  case canceled = 1
  case instructions = 2
  case exit = 3
  case output = 4
}

/// An interpreter of Lua, for one script.
// Other threads only call `stop(_:)`, which the C code allows while the interpreter is open.
final class LuaInterpreter: @unchecked Sendable {
  private let handle: OpaquePointer
  private let bridge: LuaBridge
  private let limits: LuaLimits
  private let isOpen = Mutex(true)

  /// Checks that Lua is installed.
  ///
  /// - Throws: ``LuaError/library(problem:)``.
  static func checkLibrary() throws(ErrorReport) {
    if let problem = chost_lua_library() { throw LuaError.library(problem: String(cString: problem)) }
  }

  /// Creates an interpreter.
  ///
  /// - Parameters:
  ///   - bridge: Handles the requests of the script.
  ///   - limits: The limits of the script.
  /// - Throws: ``LuaError/library(problem:)`` or ``LuaError/noInterpreter``.
  init(_ bridge: LuaBridge, limits: LuaLimits) throws(ErrorReport) {
    try Self.checkLibrary()
    let bounds = chost_lua_limits(
      memory: limits.memoryInBytes, instructions: UInt64(limits.instructionsInMillions ?? 0) * 1_000_000)
    let context = Unmanaged.passUnretained(bridge).toOpaque()
    guard let handle = chost_lua_open(context, Self.handler, Self.release, bounds) else { throw LuaError.noInterpreter }
    self.handle = handle
    self.bridge = bridge
    self.limits = limits
  }

  private static let handler: chost_lua_handler = { context, lua, operation, bytes, count in
    guard let context, let lua else { return Int32(chost_lua_no_memory) }
    let bridge = Unmanaged<LuaBridge>.fromOpaque(context).takeUnretainedValue()
    let request = UnsafeRawBufferPointer(start: bytes, count: count)
    let location = String(cString: chost_lua_place(lua))
    let (response, isError) = bridge.handle(operation, request, location: location) { chost_lua_stop(lua, $0.rawValue) }
    let charge = bridge.objects.takeCharge()
    if charge.bytes != 0, !chost_lua_charge(lua, Int64(charge.bytes)) {
      bridge.objects.release(after: charge.last)
      return Int32(chost_lua_no_memory)
    }
    guard chost_lua_respond(lua, response, response.count) else { return Int32(chost_lua_no_memory) }
    return Int32(isError ? chost_lua_error : chost_lua_results)
  }

  private static let release: chost_lua_release = { context, object in
    guard let context else { return 0 }
    let objects = Unmanaged<LuaBridge>.fromOpaque(context).takeUnretainedValue().objects
    objects.release(object)
    return Int64(objects.takeCharge().bytes)
  }

  /// Runs a script on this thread, then frees the interpreter.
  ///
  /// - Parameters:
  ///   - source: The script; a first line that begins with `#` is skipped.
  ///   - name: The name of its file.
  ///   - isCheck: True to check the syntax without running the script.
  func run(_ source: [UInt8], name: String, isCheck: Bool) -> LuaOutcome {
    let prelude = Array(LuaPrelude.source.utf8)
    let source = Self.code(source)
    let outcome = prelude.withUnsafeBytes { prelude in
      source.withUnsafeBytes { source in
        chost_lua_run(
          handle, prelude.baseAddress?.assumingMemoryBound(to: CChar.self), prelude.count,
          source.baseAddress?.assumingMemoryBound(to: CChar.self), source.count, "@" + name, isCheck)
      }
    }
    defer { close() }
    return result(outcome, name: name)
  }

  /// Ends the script soon; the first reason counts.
  func stop(_ reason: LuaStop) {
    isOpen.withLock { if $0 { chost_lua_stop(handle, reason.rawValue) } }
  }

  /// Frees the interpreter and the values of its script.
  func close() {
    let wasOpen = isOpen.withLock { isOpen in
      defer { isOpen = false }
      return isOpen
    }
    if wasOpen { chost_lua_close(handle) }
  }

  /// Returns the code of a script: without the mark of UTF-8 text, and with a first line for the system left empty.
  static func code(_ source: [UInt8]) -> [UInt8] {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let code = source.starts(with: mark) ? source.dropFirst(mark.count) : source[...]
    guard code.first == UInt8(ascii: "#") else { return Array(code) }
    return Array(code.drop { $0 != UInt8(ascii: "\n") })
  }

  private func result(_ outcome: Int32, name: String) -> LuaOutcome {
    let line = String(cString: chost_lua_place(handle))
    let location = line.isEmpty ? nil : line
    switch Int(outcome) {
    case chost_lua_finished: return .finished
    case chost_lua_stopped:
      return .stopped(LuaStop(rawValue: chost_lua_stop_reason(handle)) ?? .canceled, location: location)
    case chost_lua_memory: return .failed(memoryReport, location: nil)
    case chost_lua_nested:
      return .failed(LuaError.uncaught("the script failed, and so did the text of its error"), location: location)
    case chost_lua_syntax:
      let (message, line) = LuaMessage.parts(failure.text, name: name)
      return .failed(LuaError.syntax(message), location: line.map { "\(name):\($0)" })
    default: return failed(name: name, location: location)
    }
  }

  private var memoryReport: ErrorReport { LuaError.memory(limitInMegabytes: limits.memoryInMegabytes) }

  /// Returns the error that the script did not catch, at the line that its message names or where it was raised.
  private func failed(name: String, location: String?) -> LuaOutcome {
    let (text, fields) = failure
    if let fields {
      return .failed(ErrorReport(thrown: fields, text: text), location: fields["place"]?.text ?? location)
    }
    if let location, text.hasPrefix(location + ": ") {
      return .failed(LuaError.uncaught(String(text.dropFirst(location.count + 2))), location: location)
    }
    let file =
      location.flatMap { location in location.utf8.lastIndex(of: UInt8(ascii: ":")).map { String(location[..<$0]) } }
      ?? name
    let (message, line) = LuaMessage.parts(text, name: file)
    let report = message == "not enough memory" ? memoryReport : LuaError.uncaught(message)
    return .failed(report, location: line.map { "\(file):\($0)" } ?? location)
  }

  /// The text of the failure, and the fields of a table that was thrown.
  private var failure: (text: String, fields: Record?) {
    var count = 0
    guard let bytes = chost_lua_failure(handle, &count) else { return ("", nil) }
    let arguments = try? LuaReader.arguments(UnsafeRawBufferPointer(start: bytes, count: count)) { _ in .null }
    guard let arguments, arguments.count == 2 else { return ("the script failed", nil) }
    let text = String(decoding: arguments[0].bytes ?? [], as: UTF8.self)
    if case .table(_, let fields) = arguments[1] { return (text, fields) }
    return (text, nil)
  }
}

/// Messages of Lua.
enum LuaMessage {
  /// Splits a message of Lua, `FILE:LINE: TEXT`, in which Lua shortens long names of files.
  ///
  /// - Parameter name: The name of the script's file.
  /// - Returns: The text and the line; the whole message and nil if it has another form.
  static func parts(_ message: String, name: String) -> (message: String, line: Int?) {
    let bytes = Array(message.utf8)
    var start = 0
    if message.hasPrefix(name + ":") {
      start = name.utf8.count
    } else if !message.hasPrefix("...") {
      return (message, nil)
    }
    while let colon = bytes[start...].firstIndex(of: UInt8(ascii: ":")) {
      let end = bytes[(colon + 1)...].firstIndex { !(0x30...0x39).contains($0) } ?? bytes.endIndex
      let line = Int(String(decoding: bytes[(colon + 1)..<end], as: UTF8.self))
      if let line, bytes[end...].starts(with: ": ".utf8) {
        return (String(decoding: bytes[(end + 2)...], as: UTF8.self), line)
      }
      start = colon + 1
    }
    return (message, nil)
  }
}
