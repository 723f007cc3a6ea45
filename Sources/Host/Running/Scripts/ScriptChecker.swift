import PluginAPI

/// Checks the statements of a script before any of them runs: commands, options, literal arguments, variables, and the
/// parts of results by their declared shapes.
///
/// It also parses the commands whose words are all known, and reads the files that the script includes. Other work of the
/// loop's thread runs now and then while it checks.
@MainActor final class ScriptChecker {
  /// An error found in a script.
  struct Problem {
    var location: ScriptPlace.Entry
    var error: any Error
  }

  /// The shape of a variable before a branch; nil for one that did not exist.
  private struct Replaced {
    var shape: ValueSchema?
  }

  /// The number of statements between two pauses.
  static let pace = 1024
  private let interpreter: CommandInterpreter
  private let options: GlobalOptions
  private let arguments: [String]
  /// The shapes of the variables that may exist.
  var shapes: [String: ValueSchema] = [:]
  /// The errors found since ``takeProblems()``.
  private var problems: [Problem] = []
  /// The statements of the files that were read.
  private var files: [String: [ScriptStatement]] = [:]
  /// The shapes that each open branch has replaced, innermost last.
  private var branches: [[String: Replaced]] = []
  private var mayGainPlugins = false
  private var isInParallel: Bool
  private var statementCount = 0
  private var depth = 0

  /// Creates a checker.
  ///
  /// - Parameters:
  ///   - options: The default global options of commands.
  ///   - arguments: The arguments of the script, which included files have too.
  init(_ interpreter: CommandInterpreter, options: GlobalOptions, arguments: [String]) {
    self.interpreter = interpreter
    self.options = options
    self.arguments = arguments
    isInParallel = interpreter.isInParallel
  }

  /// Returns the errors found so far, and forgets them.
  func takeProblems() -> [Problem] {
    defer { problems = [] }
    return problems
  }

  /// Checks the statements of a text.
  ///
  /// - Throws: ``ScriptFault`` if the script is too large to be checked, `CancellationError`.
  func checkText(_ statements: [ScriptStatement]) async throws {
    (statementCount, branches) = (0, [])
    try await check(statements)
  }

  /// Checks statements in order.
  private func check(_ statements: [ScriptStatement]) async throws {
    for statement in statements {
      try count(statement)
      if statementCount.isMultiple(of: Self.pace) {
        await Task.yield()
        try Task.checkCancellation()
      }
      // Statements without a block need no pause.
      switch statement.kind {
      case .loop(let name, let source, let body): try await checkLoop(name, source, body, at: statement.position)
      case .loopWhile(let condition, let body):
        loosen(body)
        check(condition)
        try await checkBranch(body)
      case .choose(let branches): try await check(branches)
      case .parallel(_, let body): try await checkParallel(body)
      case .include(let include): try await check(include, at: statement)
      case .command, .assign, .expect, .expectFailure, .onError, .print, .leave, .skip, .declare: check(statement)
      }
    }
  }

  private func count(_ statement: ScriptStatement) throws(ScriptFault) {
    statementCount += 1
    if statementCount > ScriptLimits.statements {
      throw ScriptFault(
        ScriptError.tooLarge("the script", limit: "\(ScriptLimits.statements) statements"), at: statement.position)
    }
  }

  /// Checks a statement without a block.
  private func check(_ statement: ScriptStatement) {
    switch statement.kind {
    case .command(let call):
      if let line = check(call) { mayGainPlugins = mayGainPlugins || line.mayGainPlugins }
    case .assign(let name, let source): set(name, shape(of: source, statement: "let"))
    case .expect(let condition): check(condition)
    case .expectFailure(_, let call):
      // Its command may be wrong on purpose; its name is known all the same if it is not.
      let count = problems.count
      _ = check(call)
      problems.removeSubrange(count...)
    case .onError(let policy):
      switch policy {
      case .stop, .proceed: break
      case .call(let call): _ = check(call)
      case .print(let expressions, _): for expression in expressions { _ = shape(of: expression) }
      }
    case .print(let expressions): for expression in expressions { _ = shape(of: expression) }
    case .leave, .skip, .declare, .loop, .loopWhile, .choose, .parallel, .include: break
    }
  }

  /// Sets the shape of a variable, and keeps the one before for the innermost branch.
  private func set(_ name: String, _ shape: ValueSchema) {
    if let last = branches.indices.last, branches[last][name] == nil {
      branches[last][name] = Replaced(shape: shapes[name])
    }
    shapes[name] = shape
  }

  /// Adds an error.
  private func add(_ error: any Error, at position: ScriptPosition) {
    problems.append(Problem(location: .init(position: position, command: nil), error: error))
  }
}

extension ScriptChecker {
  /// Checks a call, and parses it if all its words are known.
  ///
  /// - Returns: The line; nil if it is wrong.
  private func check(_ call: ScriptCall) -> ParsedLine? {
    if let line = call.line { return line }
    var values = SplicedValues.none
    do {
      let arguments = try self.arguments(of: call, &values)
      let line = try interpreter.parse(arguments, values, options: options)
      if case .run(let entry, _) = line.request {
        call.entry = entry
        if isInParallel, let command = line.notParallel {
          throw ScriptFault(ScriptError.notParallel(command: command), at: call.position)
        }
      }
      if !call.hasVariables { call.line = line }
      return line
    } catch let fault as ScriptFault {
      add(fault, at: fault.position)
    } catch {
      let isNewPlugins = mayGainPlugins && error is CommandLineError && CommonHostError.unknownCommand ~= error
      if !isNewPlugins { add(values.restored(error), at: call.position(of: error)) }
    }
    return nil
  }

  /// Returns the words of a call, with unknown values for its variables.
  private func arguments(of call: ScriptCall, _ values: inout SplicedValues) throws(ScriptFault) -> [String] {
    var arguments: [String] = []
    for word in call.words {
      if let literal = word.literal {
        arguments.append(literal)
        continue
      }
      let (option, parts) = try word.splitOption()
      for reference in word.references {
        let shape = try shape(of: reference, at: word.position)
        if word.isQuoted || parts.count > 1, !ScriptShape.isScalar(shape) {
          throw ScriptFault(
            ScriptError.unfitting(
              "'\(reference.text)' is not a single value, so it cannot be part of a word",
              advice: "use one of its parts, or the whole reference as a word of its own"), at: word.position)
        }
      }
      arguments.append(option + values.add(.unknown, as: word.source(of: parts)))
    }
    return arguments
  }

  private func shape(of reference: ScriptReference, at position: ScriptPosition) throws(ScriptFault) -> ValueSchema {
    do throws(ErrorReport) {
      guard let shape = shapes[reference.name] else {
        throw ScriptError.unknownVariable(reference.name, known: shapes.keys.sorted())
      }
      return try ScriptShape.part(of: shape, reference)
    } catch {
      throw ScriptFault(error, at: position)
    }
  }

  /// Checks an expression.
  ///
  /// - Returns: The shape of its value; any if it is wrong.
  private func shape(of expression: ScriptExpression) -> ValueSchema {
    switch expression {
    case .constant(let value): return ScriptShape.shape(of: value)
    case .list(let elements):
      var shapes: [ValueSchema] = []
      for element in elements { shapes.append(shape(of: element)) }
      guard let first = shapes.first, shapes.allSatisfy({ $0 == first }) else { return .list(.any) }
      return .list(first)
    case .word(let word):
      do throws(ScriptFault) {
        if let reference = word.reference { return try shape(of: reference, at: word.position) }
        for reference in word.references {
          if !ScriptShape.isScalar(try shape(of: reference, at: word.position)) {
            throw ScriptFault(
              ScriptError.unfitting("'\(reference.text)' is not a single value, so it cannot be part of text"),
              at: word.position)
          }
        }
        return .text
      } catch {
        add(error, at: error.position)
        return .any
      }
    }
  }

  /// Checks the source of a variable or loop.
  private func shape(of source: ScriptSource, statement: String) -> ValueSchema {
    switch source {
    case .value(let expression): return shape(of: expression)
    case .range(let word):
      _ = shape(of: .word(word))
      return .list(.integer)
    case .command(let call):
      guard let line = check(call) else { return .any }
      guard case .run(let entry, _) = line.request, !entry.printsItself else {
        add(ScriptError.notAValue(command: call.command ?? "help"), at: call.position)
        return .any
      }
      if line.options.given.contains("output") {
        add(ScriptError.optionNotAllowed("--output", statement: statement), at: call.position)
      }
      return ScriptShape.result(of: entry.declaration.output)
    }
  }

  private func check(_ condition: ScriptCondition) {
    switch condition {
    case .value(let expression, let position):
      let shape = shape(of: expression)
      if ![.any, .bool, .optional(.any), .optional(.bool)].contains(shape) {
        add(
          ScriptError.unfitting(
            "the value is neither true nor false", advice: "compare it, for example with '!= null'"),
          at: position)
      }
    case .comparison(let left, _, let right, _):
      _ = shape(of: left)
      _ = shape(of: right)
    case .not(let condition): check(condition)
    case .all(let conditions), .any(let conditions): for condition in conditions { check(condition) }
    }
  }
}

extension ScriptChecker {
  private func checkLoop(
    _ name: String, _ source: ScriptSource, _ body: [ScriptStatement], at position: ScriptPosition
  ) async throws {
    let whole = shape(of: source, statement: "for")
    loosen(body)
    if let element = ScriptShape.element(of: whole) {
      set(name, element)
    } else {
      set(name, .any)
      add(
        ScriptError.unfitting("the value after 'in' has no rows", advice: "loop over a list or a table"), at: position)
    }
    try await checkBranch(body)
  }

  /// Forgets the shapes of variables that a loop sets: they may have values of an earlier iteration.
  private func loosen(_ body: [ScriptStatement]) {
    var names: Set<String> = []
    var includesFiles = false
    Self.collectNames(body, &names, &includesFiles)
    for name in includesFiles ? Set(shapes.keys) : names where shapes[name] != nil { set(name, .any) }
  }

  private static func collectNames(_ statements: [ScriptStatement], _ names: inout Set<String>, _ includes: inout Bool)
  {
    for statement in statements {
      switch statement.kind {
      case .assign(let name, _): names.insert(name)
      case .loop(let name, _, let body):
        names.insert(name)
        collectNames(body, &names, &includes)
      case .loopWhile(_, let body), .parallel(_, let body): collectNames(body, &names, &includes)
      case .choose(let branches): for branch in branches { collectNames(branch.body, &names, &includes) }
      case .include: includes = true
      case .command, .expect, .expectFailure, .onError, .print, .leave, .skip, .declare: break
      }
    }
  }

  /// Checks a body that may not run.
  private func checkBranch(_ body: [ScriptStatement]) async throws {
    merge([try await checkAside { try await self.check(body) }], isComplete: false)
  }

  private func check(_ branches: [ScriptStatement.Branch]) async throws {
    var ends: [[String: ValueSchema]] = []
    for branch in branches {
      ends.append(
        try await checkAside {
          if let condition = branch.condition { self.check(condition) }
          try await self.check(branch.body)
        })
    }
    merge(ends, isComplete: branches.last?.condition == nil)
  }

  /// Checks statements whose variables are then as before.
  ///
  /// - Returns: The shapes of the variables that the statements set.
  private func checkAside(_ check: () async throws -> Void) async throws -> [String: ValueSchema] {
    branches.append([:])
    try await check()
    var end: [String: ValueSchema] = [:]
    for (name, replaced) in branches.popLast() ?? [:] {
      end[name] = shapes[name]
      shapes[name] = replaced.shape
    }
    return end
  }

  /// Sets the variables after one of several branches: any shape for those that differ.
  ///
  /// - Parameters:
  ///   - ends: The shapes of the variables that each branch sets.
  ///   - isComplete: False if it may be that none of the branches runs.
  private func merge(_ ends: [[String: ValueSchema]], isComplete: Bool) {
    var found: [String: [ValueSchema?]] = [:]
    for end in ends { for (name, shape) in end { found[name, default: []].append(shape) } }
    for (name, branchShapes) in found {
      let after = isComplete && branchShapes.count == ends.count ? branchShapes : branchShapes + [shapes[name]]
      set(name, after.allSatisfy { $0 == after[0] } ? after[0] ?? .any : .any)
    }
  }

  /// Checks statements that do not see each other's variables.
  private func checkParallel(_ body: [ScriptStatement]) async throws {
    let wasInParallel = isInParallel
    isInParallel = true
    defer { isInParallel = wasInParallel }
    var after: [(name: String, shape: ValueSchema)] = []
    for statement in body {
      let end = try await checkAside { try await self.check([statement]) }
      if case .assign(let name, _) = statement.kind, let shape = end[name] { after.append((name, shape)) }
    }
    for (name, shape) in after { set(name, shape) }
  }
}

extension ScriptChecker {
  /// Reads an included file and checks its statements in place.
  private func check(_ include: ScriptInclude, at statement: ScriptStatement) async throws {
    include.problem = nil
    do {
      if depth >= ScriptLimits.depth {
        throw ScriptFault(ScriptError.tooDeep(limit: ScriptLimits.depth), at: statement.position)
      }
      include.statements = try await statements(of: include.path, from: statement.position)
    } catch let error as CancellationError {
      throw error
    } catch {
      include.problem = error
      return add(error, at: (error as? ScriptFault)?.position ?? statement.position)
    }
    depth += 1
    defer { depth -= 1 }
    try await check(include.statements)
  }

  private func statements(of path: String, from position: ScriptPosition) async throws -> [ScriptStatement] {
    let file =
      path.hasPrefix("/") || !position.file.contains("/") ? path : FilePath.folder(of: position.file) + "/" + path
    if let known = files[file] { return known }
    let statements = try await interpreter.session.loop.compute("reading the script") { [arguments] _ in
      // Not a pipe, which may never end.
      _ = try HostFile.start(of: file, count: 0)
      return try ScriptFile.statements(of: ScriptFile.text(of: file), file: file, arguments: arguments)
    }
    if let head = statements.first(where: { if case .declare = $0.kind { true } else { false } }) {
      throw ScriptFault(
        ScriptError.declaration(
          "an included file has no arguments and options of its own", advice: "declare them in the script"),
        at: head.position)
    }
    files[file] = statements
    return statements
  }
}

/// Reads the files of scripts.
enum ScriptFile {
  /// Returns the text of a file without blocking the loop's thread, as a pipe may be slow.
  ///
  /// - Throws: ``HostFileError``, ``ScriptError/notText(_:)``, `CancellationError`.
  @MainActor static func text(of path: String, on loop: HostEventLoop) async throws -> Substring {
    Substring(try await loop.compute("reading the script") { _ in try text(of: path) })
  }

  /// Returns the text of a file.
  ///
  /// - Throws: ``HostFileError``, ``ScriptError/notText(_:)``.
  static func text(of path: String) throws -> String {
    let bytes = try HostFile.read(path, limit: ScriptLimits.file)
    guard let text = String(validating: bytes, as: UTF8.self) else { throw ScriptError.notText("'\(path)'") }
    return text
  }

  /// Returns the statements of a text.
  static func statements(of text: String, file: String, arguments: [String]) throws(ScriptFault) -> [ScriptStatement] {
    var reader = ScriptReader(file: file, arguments: arguments)
    var parser = ScriptParser()
    var statements: [ScriptStatement] = []
    for line in ScriptReader.lines(of: Substring(text)) {
      for line in try reader.read(line) {
        if let statement = try parser.add(line) { statements.append(statement) }
      }
    }
    for line in try reader.end() {
      if let statement = try parser.add(line) { statements.append(statement) }
    }
    try parser.end()
    return statements
  }
}

extension CommandInterpreter {
  /// Parses the words of a script's command.
  ///
  /// - Parameters:
  ///   - values: The values that words stand for.
  ///   - options: The default global options.
  func parse(_ commandLine: [String], _ values: SplicedValues, options: GlobalOptions) throws -> ParsedLine {
    var parser = LineParser(table: table)
    parser.spliced = values
    let line = try parser.parse(commandLine, defaults: options)
    if let option = GlobalOption.all.first(where: { $0.scope == .run && line.options.given.contains($0.name) }) {
      throw CommandLineError.notInScripts(option: "--" + option.name)
    }
    if case .run(let entry, let arguments) = line.request, !values.hasUnknown {
      _ = try ArgumentCheck.complete(arguments, for: entry.declaration)
    }
    return line
  }
}

extension ParsedLine {
  /// A Boolean value indicating whether commands of new plugins may exist after this line.
  fileprivate var mayGainPlugins: Bool {
    guard case .run(let entry, _) = request, case .host(let command) = entry.owner else { return false }
    let changesPlugins = command.declaration.name.hasPrefix("plugin ") && command.declaration.effects.contains(.writes)
    return changesPlugins || entry.runsOthers
  }
}

extension ScriptCall {
  /// Returns the position of the word that an error is about; that of the command if it is about no word.
  func position(of error: any Error) -> ScriptPosition {
    guard let offender = (error as? CommandLineError)?.offender, !offender.isEmpty else { return position }
    let word = words.first { word in
      let text = word.literal ?? word.source
      return text == offender || text.hasPrefix(offender + "=") || text.hasSuffix("=" + offender)
    }
    return word?.position ?? position
  }
}
