import PluginAPI

/// `completion`, `man` and the hidden `__complete`.
@MainActor enum CompletionCommands {
  static func commands(_ interpreter: CommandInterpreter) -> [HostCommand] {
    [completion, manual(interpreter), complete(interpreter)]
  }

  private static let shells = CompletionScript.allCases.map(\.rawValue)

  private static let completion = HostCommand(
    CommandDescription(
      "completion", "Print the completion script of a shell", output: .init(.text), effects: []
    )
    .taking([Parameter("shell", .choice(shells), "Shell", isRequired: true)])
    .explained(examples: [
      .init("completion bash", "Script for bash; load it with: source <(workbench completion bash)"),
      .init("completion nu", "Script for Nushell; save it and source it in config.nu"),
    ])
  ) { call in
    try await call.emit(.text(CompletionScript(rawValue: call.text("shell"))?.text ?? ""))
  }

  private static func manual(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "man", "Print a manual page in roff format", output: .init(.text), effects: [.writes]
    ).taking(
      [Parameter("command", .text, "Command; the whole program if omitted", isRepeatable: true)],
      options: [Parameter("all", .folder, "Folder to write the pages of the program and of all commands to")]
    )
    .explained(
      "'make install' writes the pages of all commands, so that 'man workbench-molecules-render' shows one.",
      examples: [
        .init("man molecules render", "One command; read it with: workbench man molecules render | man -l -"),
        .init("man --all share/man/man1", "All pages, such as workbench-molecules-render.1"),
      ])
    return HostCommand(declaration) { [unowned interpreter] call in
      let arguments = call.texts("command")
      let table = await interpreter.table
      if let folder = call["all"].text {
        if let word = arguments.first { throw unexpected(word) }
        let pages = await ManualPage.all(table)
        try await call.compute("Writing manual pages") { progress in
          for page in pages {
            if progress.isCancelled { throw CancellationError() }
            let text = Array((page.text + "\n").utf8)
            try HostFile.write(text, to: folder + "/" + page.file, mode: HostFile.resultMode, isDurable: false)
          }
        }
        return try await call.emit(.text("\(pages.count) manual pages in '\(folder)'"))
      }
      if arguments.isEmpty { return try await call.emit(.text(await ManualPage.program(table))) }
      guard let entry = await table.entry(arguments) else {
        _ = try await HelpTopic.value(of: arguments, in: table)
        throw CommandLineError.unfinishedCommand(
          arguments.joined(separator: " "), known: await table.continuations(of: arguments), hasScreen: false)
      }
      try await call.emit(.text(ManualPage.command(entry)))
    }
  }

  private nonisolated static func unexpected(_ word: String) -> ErrorReport {
    CommandLineError.extraArgument(
      "'--all' writes the pages of all commands, so '\(word)' is unexpected", advice: "omit one of them")
  }

  private static func complete(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "__complete", "List completions for the scripts of 'completion'", output: .init(.text), effects: []
    ).taking(
      [Parameter("words", .text, "Arguments, the incomplete one last", isRepeatable: true)],
      options: [Parameter("shell", .choice(shells), "Shell that requests completions", defaultValue: "bash")])
    return HostCommand(declaration, isHidden: true) { [unowned interpreter] call in
      let shell = CompletionScript(rawValue: call.text("shell"))
      let given = call.texts("words").map { word in
        switch shell {
        case .bash: unquoted(word)
        case .nu: unquotedByNu(word)
        case .zsh, .fish, nil: word
        }
      }
      let arguments = shell == .bash ? joiningBreaks(given) : given
      let found = await Completer(interpreter).candidates(arguments)
      let typed = given.last.map { ["=", ":"].contains($0) ? "" : $0 } ?? ""
      let known = (arguments.last ?? "").dropLast(typed.count)
      let lines = found.map { candidate in
        line(
          shell == .nu ? quotedForNu(candidate) : candidate, after: arguments.last == given.last ? "" : String(known))
      }
      if !lines.isEmpty { try await call.emit(.text(lines.joined(separator: "\n"))) }
    }
  }

  /// Returns a word of bash as the program receives it: without quotes and backslashes; an open quote ends with the
  /// word.
  nonisolated static func unquoted(_ word: String) -> String {
    var plain = ""
    var quote: Character?
    var isEscaped = false
    for character in word {
      if isEscaped {
        isEscaped = false
        // Within double quotes bash removes a backslash only before these.
        if quote == "\"", !"$`\"\\".contains(character) { plain.append("\\") }
        plain.append(character)
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
      } else {
        plain.append(character)
      }
    }
    return plain
  }

  /// Returns a word of Nushell as the program receives it: without quotes; an open quote ends with the word.
  nonisolated static func unquotedByNu(_ word: String) -> String {
    guard let quote = word.first, "'\"`".contains(quote) else { return word }
    var plain = ""
    var isEscaped = false
    for character in word.dropFirst() {
      // Only double quotes have escapes.
      if character == "\\", quote == "\"", !isEscaped {
        isEscaped = true
        continue
      }
      if character == quote, !isEscaped { break }
      plain.append(character)
      isEscaped = false
    }
    return plain
  }

  /// Returns a candidate with a word that Nushell reads as one text: in double quotes unless it is plain.
  private nonisolated static func quotedForNu(_ candidate: Completer.Candidate) -> Completer.Candidate {
    guard case .word(let word, let meaning) = candidate else { return candidate }
    let isPlain = word.unicodeScalars.allSatisfy { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789_@%+=:,./-".unicodeScalars.contains(scalar))
    }
    if isPlain { return candidate }
    let escaped = word.reduce(into: "") { text, character in
      if "\"\\".contains(character) { text.append("\\") }
      text.append(character)
    }
    return .word("\"" + escaped + "\"", meaning)
  }

  /// Returns the arguments as typed: bash splits `--option=value` and `plugin:store` into three words each.
  nonisolated static func joiningBreaks(_ arguments: [String]) -> [String] {
    var joined: [String] = []
    var joinsNext = false
    for word in arguments {
      let isBreak = word == "=" || word == ":"
      if isBreak || joinsNext, !joined.isEmpty {
        joined[joined.count - 1] += word
      } else {
        joined.append(word)
      }
      joinsNext = isBreak
    }
    return joined
  }

  /// Returns the line of a candidate, without the part of the word that the shell keeps.
  private nonisolated static func line(_ candidate: Completer.Candidate, after known: String) -> String {
    switch candidate {
    case .word(let word, let meaning):
      return (word.hasPrefix(known) ? String(word.dropFirst(known.count)) : word) + "\t" + meaning
    case .files(let extensions): return ":files\t" + extensions.joined(separator: " ")
    case .folders: return ":folders\t"
    }
  }
}

extension Completer {
  /// Creates a completer that runs the commands which list values.
  init(_ interpreter: CommandInterpreter) {
    self.init(table: interpreter.table, settings: interpreter.session.settings) { entry in
      let output = CollectedOutput()
      // Errors are not shown while completing.
      try? await interpreter.call(entry, Record(), options: interpreter.session.options, output: output)
      return output.value(of: entry.declaration.output)
    }
  }
}
