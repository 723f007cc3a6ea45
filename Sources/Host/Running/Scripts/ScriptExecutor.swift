import PluginAPI

/// Runs checked statements in order, in this process.
@MainActor final class ScriptExecutor {
  /// The continuation after a statement.
  private enum Flow {
    case next
    /// Ends the innermost loop.
    case leave
    /// Starts the next iteration of the innermost loop.
    case skip
  }

  let interpreter: CommandInterpreter
  /// The default global options of commands.
  let options: GlobalOptions
  /// The variables.
  var scope: ScriptScope
  /// Receives the result of each command that prints it.
  var onResult: (@MainActor (Value) -> Void)?
  private var policy: ScriptStatement.Policy
  private var firstFailure: Int32?
  /// The part of a parallel block that this runs; nil outside one.
  private let task: ParallelTask?

  /// Creates an executor.
  ///
  /// - Parameter keepsGoing: True to run the remaining statements after a failure.
  convenience init(_ interpreter: CommandInterpreter, options: GlobalOptions, keepsGoing: Bool) {
    self.init(interpreter, options, ScriptScope(), keepsGoing ? .proceed : .stop, nil)
  }

  private init(
    _ interpreter: CommandInterpreter, _ options: GlobalOptions, _ scope: ScriptScope,
    _ policy: ScriptStatement.Policy, _ task: ParallelTask?
  ) {
    self.interpreter = interpreter
    self.options = options
    self.scope = scope
    self.policy = policy
    self.task = task
  }

  /// Runs statements at the top of a script.
  ///
  /// - Throws: ``ReportedFailure`` after a failure that ends the script.
  func run(_ statements: [ScriptStatement]) async throws { _ = try await runAll(statements) }

  /// Returns the status of the first failure after which the script continued; nil if there was none since the last
  /// call.
  func takeFailure() -> Int32? {
    defer { firstFailure = nil }
    return firstFailure
  }

  private func runAll(_ statements: [ScriptStatement]) async throws -> Flow {
    for statement in statements {
      let flow = try await run(statement)
      switch flow {
      case .next: continue
      case .leave, .skip: return flow
      }
    }
    return .next
  }

  /// Runs the statements of a block; 'on-error' in it holds to its end.
  private func runBlock(_ statements: [ScriptStatement]) async throws -> Flow {
    let outer = policy
    defer { policy = outer }
    return try await runAll(statements)
  }

  private func run(_ statement: ScriptStatement) async throws -> Flow {
    switch statement.kind {
    case .command(let call): try await attempt(call) { try await self.print(call) }
    case .assign(let name, let source): try await assign(name, source, at: statement.position)
    case .loop(let name, let source, let body): return try await loop(name, source, body, at: statement.position)
    case .loopWhile(let condition, let body): return try await loop(while: condition, body, at: statement.position)
    case .choose(let branches): return try await choose(branches)
    case .parallel(let count, let body): try await runParallel(body, count: count, at: statement.position)
    case .include(let include):
      // A path cannot make a loop: the checker has followed it.
      if let problem = include.problem {
        try await attempt(at: statement.position) { throw problem }
      } else {
        return try await runAll(include.statements)
      }
    case .expect(let condition):
      try await attempt(at: statement.position) { try self.expect(condition, statement) }
    case .expectFailure(let code, let call):
      try await attempt(call) { try await self.expectFailure(call, code: code) }
    case .onError(let policy): self.policy = policy
    case .print(let expressions):
      try await attempt(at: statement.position) { try await self.print(expressions) }
    case .leave: return .leave
    case .skip: return .skip
    case .declare: break
    }
    return .next
  }
}

extension ScriptExecutor {
  private func assign(_ name: String, _ source: ScriptSource, at position: ScriptPosition) async throws {
    var value = Value.null
    switch source {
    case .value(let expression): try await attempt(at: position) { value = try self.scope.value(of: expression) }
    case .range(let word): try await attempt(at: position) { _ = try self.scope.rows(ofRange: word) }
    case .command(let call): try await attempt(call) { value = try await self.result(of: call) }
    }
    // After a failure that does not end the script, the variable has no value rather than an old one.
    try await attempt(at: position) { try self.scope.set(name, value) }
  }

  private func loop(
    _ name: String, _ source: ScriptSource, _ body: [ScriptStatement], at position: ScriptPosition
  ) async throws -> Flow {
    guard let rows = try await rows(of: source, at: position) else { return .next }
    for index in 0..<rows.count {
      try await beginTurn(index, at: position)
      guard try await attempt(at: position, { try self.scope.set(name, rows[index]) }) else { return .next }
      if try await runBlock(body) == .leave { break }
    }
    return .next
  }

  private func loop(
    while condition: ScriptCondition, _ body: [ScriptStatement], at position: ScriptPosition
  ) async throws -> Flow {
    var turn = 0
    while true {
      try await beginTurn(turn, at: position)
      turn &+= 1
      var holds = false
      try await attempt(at: position) { holds = try self.scope.holds(condition) }
      if !holds { return .next }
      if try await runBlock(body) == .leave { return .next }
    }
  }

  /// Lets other work of the loop's thread run now and then, and ends a loop that was interrupted.
  private func beginTurn(_ turn: Int, at position: ScriptPosition) async throws {
    if turn & 63 == 63 { await Task.yield() }
    if Task.isCancelled {
      interpreter.streams.scriptPlace.set(.init(position: position, command: nil))
      throw CancellationError()
    }
  }

  private func choose(_ branches: [ScriptStatement.Branch]) async throws -> Flow {
    for branch in branches {
      var holds = true
      if let condition = branch.condition {
        let succeeds = try await attempt(at: branch.words[0].position) { holds = try self.scope.holds(condition) }
        if !succeeds { return .next }
      }
      if holds { return try await runBlock(branch.body) }
    }
    return .next
  }

  /// Returns the elements of a loop; nil after a failure that does not end the script.
  private func rows(of source: ScriptSource, at position: ScriptPosition) async throws -> ScriptRows? {
    var rows: ScriptRows?
    switch source {
    case .value(let expression):
      try await attempt(at: position) { rows = try self.scope.rows(of: expression, at: position) }
    case .range(let word): try await attempt(at: position) { rows = try self.scope.rows(ofRange: word) }
    case .command(let call):
      try await attempt(call) {
        let result = try await self.result(of: call)
        // Nothing emitted means no rows.
        rows = try ScriptRows(result.isNull ? .list([]) : result, named: call.command ?? "the result")
      }
    }
    return rows
  }

  private func expect(_ condition: ScriptCondition, _ statement: ScriptStatement) throws {
    if try scope.holds(condition) { return }
    var message = "'\(ScriptStatement.text(of: Array(statement.words.dropFirst())))' is false"
    if case .comparison(let left, _, _, _) = condition {
      message += "; the left side is \(ScriptValue.summary(of: try scope.value(of: left)))"
    }
    throw ScriptError.expectation(message)
  }

  private func expectFailure(_ call: ScriptCall, code: String?) async throws {
    do {
      let line = try parsed(call)
      if case .run(let entry, _) = line.request, !entry.printsItself {
        _ = try await result(of: call)
      } else {
        try await interpreter.run(line)
      }
    } catch let error as CancellationError {
      throw error
    } catch let error as OutputError {
      throw error
    } catch {
      let report = ErrorReport(error)
      guard let code, report.code != code else { return }
      throw ScriptError.expectation("expected the error '\(code)', but it is '\(report.code)': \(report.message)")
    }
    throw ScriptError.expectation("expected the command to fail, but it succeeded")
  }

  private func print(_ expressions: [ScriptExpression]) async throws {
    interpreter.replay?.releaseTerminal()
    var values: [Value] = []
    for expression in expressions { values.append(try scope.value(of: expression)) }
    let printer = interpreter.printer(for: CommandDescription.Output(.any), options: options)
    let isText = options.format == .text && values.count > 1 && values.allSatisfy(\.isOneLine)
    try await printer.emit(
      values.count == 1
        ? values[0] : isText ? .text(values.map(GenericText.inline).joined(separator: " ")) : .list(values)
    )
    try await printer.finish(failed: false)
    try flush()
  }
}

extension ScriptExecutor {
  /// Runs a command and prints its result.
  private func print(_ call: ScriptCall) async throws {
    var receiver: ResultReceiver?
    let record = RecordedResult()
    if onResult != nil { receiver = ResultReceiver(printsResult: true) { TeeOutput(printer: $0, record: record) } }
    let line = try await run(call, to: receiver)
    try flush()
    if let onResult, case .run(let entry, _) = line.request, !entry.printsItself, !record.isTooLarge {
      onResult(await record.result(of: entry.declaration.output))
    }
  }

  /// Runs a command and returns its result.
  private func result(of call: ScriptCall) async throws -> Value {
    let record = RecordedResult()
    let line = try parsed(call)
    guard case .run(let entry, _) = line.request, !entry.printsItself else {
      throw ScriptError.notAValue(command: call.command ?? "help")
    }
    try await run(call, to: ResultReceiver(printsResult: false) { CollectingOutput(printer: $0, record: record) })
    return await record.result(of: entry.declaration.output)
  }

  @discardableResult
  private func run(_ call: ScriptCall, to receiver: ResultReceiver?) async throws -> ParsedLine {
    let line = try parsed(call)
    try await interpreter.run(line, to: receiver)
    return line
  }

  /// Returns the line of a call with the values that its variables have now.
  private func parsed(_ call: ScriptCall) throws -> ParsedLine {
    // A command of the host belongs to the interpreter that has parsed it, which a task cannot use.
    if let line = call.line, task == nil || !line.isOfHost { return line }
    let (arguments, values) = try scope.arguments(of: call)
    do {
      let line = try interpreter.parse(arguments, values, options: options)
      if interpreter.isInParallel, let command = line.notParallel { throw ScriptError.notParallel(command: command) }
      return line
    } catch {
      throw values.restored(error)
    }
  }

  /// Writes printed text before the next command can end the process.
  private func flush() throws {
    try interpreter.streams.output.flush()
    try task?.deliver()
  }

  @discardableResult
  private func attempt(_ call: ScriptCall, _ body: () async throws -> Void) async throws -> Bool {
    try await attempt(ScriptPlace.Entry(position: call.position, command: call.command), body)
  }

  @discardableResult
  private func attempt(at position: ScriptPosition, _ body: () async throws -> Void) async throws -> Bool {
    try await attempt(ScriptPlace.Entry(position: position, command: nil), body)
  }

  /// Runs a part of a statement, and reports its failure with its place.
  ///
  /// - Returns: False after a failure that does not end the script.
  /// - Throws: ``ReportedFailure`` after one that does, `CancellationError`, ``OutputError``.
  private func attempt(_ location: ScriptPlace.Entry, _ body: () async throws -> Void) async throws -> Bool {
    let running = interpreter.streams.scriptPlace
    let outer = running.entry
    running.set(location)
    do {
      try Task.checkCancellation()
      try await body()
      running.set(outer)
      return true
    } catch let error as CancellationError {
      // The place is kept for the error that ends the run.
      throw error
    } catch {
      running.set(outer)
      if error is OutputError { throw error }
      try await react(to: error, location)
      return false
    }
  }

  /// Reports a failure, and ends the script or continues, depending on 'on-error'.
  private func react(to error: any Error, _ location: ScriptPlace.Entry) async throws {
    let failure = report(error, location)
    if error is ReportedFailure {
      // Its own script has reported it.
      guard case .proceed = policy else { throw failure }
      firstFailure = firstFailure ?? failure.status
      return
    }
    let report = ErrorReport(error)
    try? scope.set(
      ScriptScope.error,
      [
        "code": .text(report.code), "message": .text(report.message), "script": .text(location.position.description),
        "command": .optional(location.command),
      ])
    switch policy {
    case .stop: throw failure
    case .proceed: firstFailure = firstFailure ?? failure.status
    case .call(let call):
      policy = .stop
      // Its own failure is reported too; the status is that of the first.
      do { try await attempt(call) { try await self.print(call) } } catch is ReportedFailure {}
      throw failure
    case .print(let expressions, let position):
      policy = .stop
      do { try await attempt(at: position) { try await self.print(expressions) } } catch is ReportedFailure {}
      throw failure
    }
  }

  /// Reports a failure with its place, unless that was done.
  func report(_ error: any Error, _ location: ScriptPlace.Entry) -> ReportedFailure {
    if let failure = error as? ReportedFailure { return failure }
    var location = location
    if let fault = error as? ScriptFault {
      location = ScriptPlace.Entry(position: fault.position, command: location.command)
    }
    let report = ErrorReport(error)
    interpreter.replay?.releaseTerminal()
    try? flush()
    MessagePrinter(streams: interpreter.streams, options: options).write(report, location: location)
    return ReportedFailure(status: report.exitStatus)
  }
}

extension ScriptExecutor {
  /// Runs the statements of a block, and the iterations of its loops, up to a number at a time.
  ///
  /// Output appears in the order of the statements. Each task has its own variables; those that statements of the block
  /// set are there after it. The first failure cancels the other tasks.
  private func runParallel(_ body: [ScriptStatement], count: Int, at position: ScriptPosition) async throws {
    var jobs: [ParallelJob] = []
    for statement in body {
      if case .loop(_, let source, _) = statement.kind {
        guard let rows = try await rows(of: source, at: statement.position) else { continue }
        jobs.append(ParallelJob(statement: statement, rows: rows))
      } else {
        jobs.append(ParallelJob(statement: statement))
      }
    }
    let running = interpreter.streams.scriptPlace
    let outer = running.entry
    running.set(ScriptPlace.Entry(position: position, command: nil))
    // Tasks have interpreters of their own, which do not know the screens.
    interpreter.replay?.releaseTerminal()
    let order = ParallelOrder(output: interpreter.streams.output)
    let results: [ParallelResult]
    do {
      results = try await runJobs(jobs, count: count, order)
    } catch {
      try order.deliverRest()
      // After an interrupt, the place is kept for the error that ends the run.
      if !(error is CancellationError) { running.set(outer) }
      throw error
    }
    running.set(outer)
    firstFailure = firstFailure ?? results.lazy.compactMap(\.failure).first
    for case let (name, value)? in results.map(\.assigned) {
      try await attempt(at: position) { try self.scope.set(name, value) }
    }
  }

  /// Runs the tasks of jobs.
  ///
  /// - Returns: Their outcomes in the order of the jobs, without those that have neither a failure nor a variable.
  private func runJobs(
    _ jobs: [ParallelJob], count: Int, _ order: ParallelOrder
  ) async throws -> [ParallelResult] {
    let gate = ParallelTurn.visitor?.gate ?? ParallelGate()
    let total = jobs.reduce(0) { $0 + $1.count }
    var next = (job: 0, row: 0)
    var (started, unfinished) = (0, 0)
    var (idle, busy): ([CommandInterpreter], [Int: CommandInterpreter]) = ([], [:])
    var results: [ParallelResult] = []
    try await withThrowingTaskGroup(of: ParallelResult.self) { group in
      while started < total || unfinished > 0 {
        // Output that waits for an earlier task is held in memory, so tasks do not run far ahead of it.
        while started < total, unfinished < count, started < order.head + 4 * count {
          let job = jobs[next.job]
          if next.row == job.count {
            next = (next.job + 1, 0)
            continue
          }
          let interpreter = idle.popLast() ?? makeInterpreter()
          busy[started] = interpreter
          let child = fork(interpreter, ParallelTask(index: started, order: order))
          let row = job.rows?[next.row]
          let visitor = ParallelGate.Visitor(gate)
          group.addTask {
            try await ParallelTurn.$visitor.withValue(visitor) { try await child.runTask(job.statement, row: row) }
          }
          (started, unfinished, next.row) = (started + 1, unfinished + 1, next.row + 1)
        }
        guard let result = try await group.next() else { break }
        unfinished -= 1
        if let interpreter = busy.removeValue(forKey: result.index) { idle.append(interpreter) }
        if result.failure != nil || result.assigned != nil { results.append(result) }
      }
    }
    return results.sorted { $0.index < $1.index }
  }

  /// Returns an interpreter whose output is held.
  private func makeInterpreter() -> CommandInterpreter {
    CommandInterpreter(
      session: interpreter.session, streams: interpreter.streams.holdingOutput(), pictures: interpreter.pictures,
      screens: interpreter.screens
    ) { HostCommands.all($0) }
  }

  /// Returns an executor for a task, with the variables of this one.
  private func fork(_ child: CommandInterpreter, _ task: ParallelTask) -> ScriptExecutor {
    child.options = interpreter.options
    child.interruption = interpreter.interruption
    child.scriptDepth = interpreter.scriptDepth
    task.order.add(child.streams.output, index: task.index)
    return ScriptExecutor(child, options, scope, policy, task)
  }

  /// Runs a statement, or one iteration of a loop, as a task.
  fileprivate func runTask(_ statement: ScriptStatement, row: Value?) async throws -> ParallelResult {
    var result = ParallelResult(index: task?.index ?? 0)
    if case .loop(let name, _, let body) = statement.kind, let row {
      if try await attempt(at: statement.position, { try self.scope.set(name, row) }) {
        _ = try await runBlock(body)
      }
    } else {
      _ = try await run(statement)
      if case .assign(let name, _) = statement.kind { result.assigned = (name, scope[name] ?? .null) }
    }
    try interpreter.streams.output.flush()
    try task?.end()
    result.failure = takeFailure()
    return result
  }
}

extension ParsedLine {
  /// A Boolean value indicating whether the line runs a command of the host.
  fileprivate var isOfHost: Bool {
    guard case .run(let entry, _) = request, case .host = entry.owner else { return false }
    return true
  }

  /// The name of a command that needs the terminal or standard streams for itself, so that it cannot run beside others;
  /// nil for other commands.
  var notParallel: String? {
    guard case .run(let entry, let arguments) = request else { return nil }
    if entry.showsScreens || entry.writesOutput { return entry.words }
    guard case .host = entry.owner else { return nil }
    let readsInput = entry.words == "script" && arguments["file"]?.text.map(InputSpool.isStandardInput) == true
    return entry.words == "shell" || readsInput ? entry.words : nil
  }
}

extension Value {
  /// A Boolean value indicating whether the value has a text on one line.
  fileprivate var isOneLine: Bool {
    switch content {
    case .null, .bool, .integer, .number, .decimal, .text, .date, .quantity: true
    case .bytes, .list, .record, .table, .picture, .array: false
    @unknown default: false
    }
  }
}
