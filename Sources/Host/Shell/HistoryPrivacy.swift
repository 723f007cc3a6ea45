import PluginAPI

/// Decides which lines go into the file of the history.
///
/// A line stays out if it gives a personal argument, if it might (a command that has some and cannot be parsed, one that
/// is unknown, or a text in Lua), and if it begins with a space.
@MainActor struct HistoryPrivacy {
  let table: CommandTable

  /// Returns true if a line may be stored.
  func mayStore(_ line: String) -> Bool {
    if line.first == " " || line.first == "\t" || line.utf8.count > ShellHistory.longestEntry { return false }
    return isHarmless(line)
  }

  /// Returns true if no command of a text has, or may have, personal arguments.
  private func isHarmless(_ text: String) -> Bool {
    LineWords(text).commands.allSatisfy { command in
      let arguments = command.map(\.text).filter { !$0.isEmpty }
      guard isKnown(arguments) else { return false }
      // A command may follow other words of its line, such as those of an assignment.
      return arguments.indices.allSatisfy { isHarmless(arguments[$0...]) }
    }
  }

  /// Returns true if a statement has no command, or begins with one that exists: others may be mistyped.
  private func isKnown(_ arguments: [String]) -> Bool {
    guard let first = arguments.first else { return true }
    var command = arguments[...]
    if let keyword = ScriptKeyword(rawValue: first) {
      switch keyword {
      case .letValue, .forLoop:
        command = arguments.dropFirst(3)
        // One word is a value or a command without arguments.
        if command.count < 2 || ["[", "json"].contains(command.first) { return true }
      case .onError: command = arguments.dropFirst()
      case .expect:
        guard arguments.dropFirst().first == "fail" else { return true }
        command = arguments.dropFirst(2)
        if command.first?.contains(".") == true { command.removeFirst() }
      case .whileLoop, .ifBlock, .elseBranch, .end, .parallel, .print, .source, .breakLoop, .continueLoop, .summary,
        .argument, .option, .flag:
        return true
      }
      if keyword == .onError, ["stop", "continue", "print"].contains(command.first) { return true }
    }
    guard let name = command.first else { return true }
    return table.isBeginning([name]) || Shell.leavingWords.contains(name)
  }

  /// Returns true if words are not a command with personal arguments.
  private func isHarmless(_ commandLine: ArraySlice<String>) -> Bool {
    guard let first = commandLine.first, table.isBeginning([first]) else { return true }
    // As an argument it is only a name.
    let runsText = first == "exec" && commandLine.count > 1
    let hasPersonal = table.entries(beginningWith: first).contains { entry in
      (entry.declaration.arguments + entry.declaration.options).contains(where: \.isPersonal)
    }
    if !hasPersonal && !runsText { return true }
    guard let line = try? LineParser(table: table).parse(Array(commandLine)) else { return false }
    guard case .run(let entry, let arguments) = line.request else { return true }
    if runsText, entry.words == first {
      guard arguments["lua"]?.bool != true, let text = arguments["commands"]?.text else { return false }
      return isHarmless(text)
    }
    return PersonalArguments.hidden(arguments, of: entry.declaration) == arguments
  }
}
