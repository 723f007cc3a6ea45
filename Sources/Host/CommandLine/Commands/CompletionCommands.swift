import PluginAPI

/// `completion`, `man` and the hidden `__complete`.
@MainActor enum CompletionCommands {
  static func commands(_ interpreter: CommandInterpreter) -> [HostCommand] {
    [completion, manual(interpreter), complete(interpreter)]
  }

  private static let shells = CompletionScript.allCases.map(\.rawValue)

  private static let completion = HostCommand(
    CommandDescription("completion", "print a script that teaches a shell to complete", output: .init(.text), effects: [])
      .taking([Parameter("shell", .choice(shells), "the shell", isRequired: true)])
      .explained(examples: [.init("completion bash", "use it with: source <(workbench completion bash)")])
  ) { call in
    try await call.emit(.text(CompletionScript(rawValue: call.text("shell"))?.text ?? ""))
  }

  private static func manual(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "man", "print a manual page, in roff", output: .init(.text), effects: []
    ).taking([Parameter("command", .text, "the words of a command; the whole program if none", isRepeatable: true)])
      .explained(examples: [
        .init("man molecules render", "one command; read it with: workbench man molecules render | man -l -")
      ])
    return HostCommand(declaration) { [unowned interpreter] call in
      let words = call.texts("command")
      let table = await interpreter.table
      if words.isEmpty { return try await call.emit(.text(await ManualPage.program(table))) }
      guard let entry = await table.entry(words) else {
        _ = try await HelpTopic.value(of: words, in: table)
        throw CommandLineError.unfinishedCommand(
          words.joined(separator: " "), known: await table.continuations(of: words), isPlugin: false)
      }
      try await call.emit(.text(ManualPage.command(entry)))
    }
  }

  private static func complete(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "__complete", "list what can follow; used by the scripts of 'completion'", output: .init(.text), effects: []
    ).taking(
      [Parameter("words", .text, "the words, the one being typed last", isRepeatable: true)],
      options: [Parameter("shell", .choice(shells), "the shell that asks", defaultValue: "bash")])
    return HostCommand(declaration, isHidden: true) { [unowned interpreter] call in
      let isBash = call.text("shell") == "bash"
      let words = isBash ? joiningEquals(call.texts("words")) : call.texts("words")
      let found = await Completer(table: interpreter.table, settings: interpreter.session.settings)
        .candidates(words)
      let lines = found.map { line($0, startsValue: isBash && words.last?.contains("=") == true) }
      if !lines.isEmpty { try await call.emit(.text(lines.joined(separator: "\n"))) }
    }
  }

  /// bash hands `--option=value` over as three words.
  private nonisolated static func joiningEquals(_ words: [String]) -> [String] {
    var joined: [String] = []
    for word in words {
      if let last = joined.last, last.hasPrefix("--"), word == "=" || last.hasSuffix("=") {
        joined[joined.count - 1] += word
      } else {
        joined.append(word)
      }
    }
    return joined
  }

  private nonisolated static func line(_ candidate: Completer.Candidate, startsValue: Bool) -> String {
    switch candidate {
    case .word(let word, let meaning):
      let shown = startsValue ? word.split(separator: "=", maxSplits: 1).last.map(String.init) ?? word : word
      return shown + "\t" + meaning
    case .files(let extensions): return ":files\t" + extensions.joined(separator: " ")
    case .folders: return ":folders\t"
    }
  }
}
