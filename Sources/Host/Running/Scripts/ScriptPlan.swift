import PluginAPI

/// The plan of a script, as `--dry-run` prints it: each command with its effects, blocks with their statements.
@MainActor struct ScriptPlan {
  /// The type of the value, which has a text renderer.
  nonisolated static let typeName = "host.script-plan"

  private var effects: Set<CommandDescription.Effect> = []
  private var count = 0

  /// Returns the plan of statements: `{script, effects, steps}`.
  static func value(of statements: [ScriptStatement], script: String) -> Value {
    var plan = ScriptPlan()
    let steps = plan.steps(statements)
    return Value(
      ["script": .text(script), "effects": effects(plan.effects), "steps": .list(steps)] as Record
    ).typed(typeName)
  }

  private static func effects(_ effects: Set<CommandDescription.Effect>) -> Value {
    .list(CommandDescription.Effect.allCases.filter(effects.contains).map { .text($0.rawValue) })
  }

  private mutating func steps(_ statements: [ScriptStatement]) -> [Value] {
    statements.flatMap { statement -> [Value] in
      switch statement.kind {
      case .command(let call): [step(statement.words, call)]
      case .assign(_, .command(let call)): [step(statement.words, call)]
      case .loop(_, .command(let call), let body): [step(statement.words, call, body)]
      case .loop(_, .value, let body), .loop(_, .range, let body), .loopWhile(_, let body), .parallel(_, let body):
        [step(statement.words, nil, body)]
      case .choose(let branches): branches.map { step($0.words, nil, $0.body) }
      case .include(let include): [step(statement.words, nil, include.statements)]
      case .expectFailure(_, let call), .onError(.call(let call)): [step(statement.words, call)]
      case .assign(_, .value), .assign(_, .range), .expect, .onError(.stop), .onError(.proceed), .onError(.print),
        .print, .leave, .skip:
        [step(statement.words, nil)]
      case .declare: []
      }
    }
  }

  private mutating func step(_ words: [ScriptWord], _ call: ScriptCall?, _ body: [ScriptStatement]? = nil) -> Value {
    var record: Record = [
      "line": .integer(words[0].position.line), "statement": .text(ScriptStatement.text(of: words)),
    ]
    if let call { describe(call, in: &record) }
    if let body { record["steps"] = .list(steps(body)) }
    return .record(record)
  }

  private mutating func describe(_ call: ScriptCall, in record: inout Record) {
    record["command"] = .optional(call.command)
    guard let entry = call.entry else { return }
    if let line = call.line, case .run(_, let arguments) = line.request,
      let complete = try? ArgumentCheck.complete(arguments, for: entry.declaration)
    {
      record["arguments"] = .record(complete)
    }
    record["effects"] = Self.effects(entry.declaration.effects)
    effects.formUnion(entry.declaration.effects)
  }
}

extension ScriptPlan {
  /// Renders a plan as text: line numbers, indented statements, effects.
  nonisolated static func text(of value: Value) -> StyledText {
    var text = StyledText()
    let script = value["script"].text ?? ""
    text.add(.init(script, .heading), .init(effects(value), .secondary))
    add(value["steps"], depth: 0, to: &text)
    return text
  }

  private nonisolated static func add(_ steps: Value, depth: Int, to text: inout StyledText) {
    for step in steps.list ?? [] {
      let line = TextWidth.padded(String(step["line"].integer ?? 0), to: 5)
      let statement = String(repeating: "  ", count: depth) + (step["statement"].text ?? "")
      text.add(.init(line, .secondary), .init(" " + statement), .init(effects(step), .secondary))
      add(step["steps"], depth: depth + 1, to: &text)
    }
  }

  private nonisolated static func effects(_ step: Value) -> String {
    let effects = (step["effects"].list ?? []).compactMap(\.text)
    return effects.isEmpty ? "" : "  (" + effects.joined(separator: ", ") + ")"
  }
}
