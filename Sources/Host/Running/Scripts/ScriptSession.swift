import PluginAPI

/// Runs text in the language of line scripts and keeps its variables: a file, lines of standard input, or a prompt.
///
/// A prompt makes one session, reads until ``isIncomplete(_:)`` is false, then calls ``run(_:isLast:)`` with the text.
@MainActor final class ScriptSession {
  private let interpreter: CommandInterpreter
  private let name: String
  private let keepsGoing: Bool
  private let executor: ScriptExecutor
  private var reader: ScriptReader
  private var parser = ScriptParser()
  private let checker: ScriptChecker
  private let declaresParameters: Bool
  private var planned: [ScriptStatement] = []
  /// The number of errors that are reported one by one before anything runs.
  private static let reportedCount = 10

  /// Creates a session.
  ///
  /// - Parameters:
  ///   - interpreter: Runs the commands.
  ///   - name: The file's name, for messages and for files that it includes.
  ///   - arguments: The values of `$1` and so on.
  ///   - parameters: The values of the arguments and options that the head of the script declares; nil if it may not
  ///     declare any.
  ///   - keepsGoing: True to run the remaining statements after a failure.
  init(
    _ interpreter: CommandInterpreter, name: String, arguments: [String] = [], parameters: Record? = nil,
    keepsGoing: Bool = false
  ) {
    self.interpreter = interpreter
    self.name = name
    self.keepsGoing = keepsGoing
    var options = interpreter.options
    options.given = []
    // The output of the whole script goes there already.
    options.outputFile = nil
    executor = ScriptExecutor(interpreter, options: options, keepsGoing: keepsGoing)
    checker = ScriptChecker(interpreter, options: options, arguments: arguments)
    reader = ScriptReader(file: name, arguments: arguments)
    declaresParameters = parameters != nil
    for field in parameters?.fields ?? [] { self[ScriptHead.variable(field.name)] = field.value }
  }

  /// Receives the result of each command that prints it, after the command has succeeded.
  var onResult: (@MainActor (Value) -> Void)? {
    get { executor.onResult }
    set { executor.onResult = newValue }
  }

  /// Returns true if a text ends within a block, or with a line that is to be continued.
  nonisolated static func isIncomplete(_ text: String) -> Bool {
    var reader = ScriptReader(file: "", arguments: [])
    reader.ignoresArguments = true
    var parser = ScriptParser()
    do {
      for line in ScriptReader.lines(of: Substring(text)) {
        for line in try reader.read(line) { _ = try parser.add(line) }
      }
      return reader.isContinued || parser.isInBlock
    } catch {
      // Nothing can complete it.
      return false
    }
  }

  /// Runs the statements that end in a text, once all of them are checked.
  ///
  /// - Parameter isLast: True if nothing follows, so that an open block is an error.
  /// - Throws: ``ReportedFailure`` after a failure, which was reported with its place. The session can be used again.
  func run(_ text: Substring, isLast: Bool) async throws {
    let statements = try await read(text, isLast: isLast)
    try await check(statements)
    guard !executor.options.isDryRun else {
      planned += statements
      if isLast { try await printPlan() }
      return
    }
    do {
      try await executor.run(statements)
    } catch {
      // It is not the failure of the next text.
      _ = executor.takeFailure()
      throw error
    }
    if isLast, let status = executor.takeFailure() { throw ReportedFailure(status: status) }
  }

  /// The value of the variable with a name, without `$`; nil if there is none.
  ///
  /// A value above the limit for variables is not kept.
  ///
  /// Names consist of letters, digits and `_`, and begin with a letter or `_`: `_`, `_1`, `row`.
  subscript(name: String) -> Value? {
    get { executor.scope[name] }
    set {
      executor.scope.remove(name)
      if let newValue { try? executor.scope.set(name, newValue) }
      checker.shapes[name] = newValue.map(ScriptShape.shape)
    }
  }

  /// The names of all variables, sorted, for completion.
  var names: [String] { executor.scope.names }

  /// Returns the value of a reference such as `$x.chains[0].id`.
  ///
  /// - Throws: ``ScriptError``.
  func value(of reference: String) throws -> Value {
    guard let parsed = ScriptReader.reference(reference) else { throw ScriptError.badReference(reference) }
    return try executor.scope.value(of: parsed)
  }

  /// Reads the statements that end in a text; other work of the loop's thread runs now and then.
  private func read(_ text: Substring, isLast: Bool) async throws -> [ScriptStatement] {
    var statements: [ScriptStatement] = []
    parser.beginText()
    do {
      for (index, line) in ScriptReader.lines(of: text).enumerated() {
        if index % ScriptChecker.pace == ScriptChecker.pace - 1 {
          await Task.yield()
          try Task.checkCancellation()
        }
        for line in try reader.read(line) { if let statement = try parser.add(line) { statements.append(statement) } }
      }
      if isLast {
        for line in try reader.end() { if let statement = try parser.add(line) { statements.append(statement) } }
        try parser.end()
      }
      if !declaresParameters, let head = statements.first(where: \.isDeclaration) {
        throw ScriptFault(
          ScriptError.declaration(
            "'\(head.words[0].source)' needs a script in a file",
            advice: "run it with 'workbench script FILE', and put declarations first"), at: head.position)
      }
    } catch {
      // Statements after an unreadable line cannot be run: they may mean something else.
      reader.discard()
      parser.discard()
      throw failure(error)
    }
    return statements
  }

  /// Reports statements that cannot run, unless the script keeps going after failures.
  private func check(_ statements: [ScriptStatement]) async throws {
    // A variable that an earlier text did not get to set does not exist.
    checker.shapes = checker.shapes.filter { executor.scope[$0.key] != nil }
    for name in executor.scope.names where checker.shapes[name] == nil { checker.shapes[name] = .any }
    let before = checker.shapes
    do {
      try await checker.checkText(statements)
    } catch {
      _ = checker.takeProblems()
      checker.shapes = before
      throw failure(error)
    }
    let problems = checker.takeProblems()
    if keepsGoing || problems.isEmpty { return }
    // Nothing of the text runs, so no variable changes.
    checker.shapes = before
    let failures = problems.prefix(Self.reportedCount).map { executor.report($0.error, $0.location) }
    guard let first = failures.first else { return }
    if problems.count > failures.count {
      let count = problems.count - failures.count
      MessagePrinter(streams: interpreter.streams, options: executor.options).write(
        Diagnostic(.note, code: "host.script-errors", "\(count) more command\(count == 1 ? " has" : "s have") errors"))
    }
    throw first
  }

  /// Reports an error in the text; others, such as a cancellation, are returned as they are.
  private func failure(_ error: any Error) -> any Error {
    guard let fault = error as? ScriptFault else { return error }
    return executor.report(fault, .init(position: fault.position, command: nil))
  }

  private func printPlan() async throws {
    let printer = interpreter.printer(for: .init(.any, typeName: ScriptPlan.typeName), options: executor.options)
    try await printer.emit(ScriptPlan.value(of: planned, script: name))
    try await printer.finish(failed: false)
    planned = []
  }
}

extension ScriptStatement {
  /// A Boolean value indicating whether the statement declares an argument or option of the script.
  fileprivate var isDeclaration: Bool { if case .declare = kind { true } else { false } }
}
