import PluginAPI

/// Decides which lines go into the file of the history.
///
/// A line stays out if it gives a personal argument, if it might (a command that has some and cannot be parsed), and if
/// it begins with a space.
@MainActor struct HistoryPrivacy {
  let table: CommandTable

  /// Returns true if a line may be stored.
  func mayStore(_ line: String) -> Bool {
    if line.first == " " || line.first == "\t" || line.utf8.count > ShellHistory.longestEntry { return false }
    return LineWords(line).commands.allSatisfy { command in
      let words = command.map(\.text).filter { !$0.isEmpty }
      // A command may follow other words of its line, such as those of an assignment.
      return words.indices.allSatisfy { isHarmless(words[$0...]) }
    }
  }

  /// Returns true if words are not a command with personal arguments.
  private func isHarmless(_ words: ArraySlice<String>) -> Bool {
    guard let first = words.first, table.isBeginning([first]) else { return true }
    let hasPersonal = table.entries(beginningWith: first).contains { entry in
      (entry.declaration.arguments + entry.declaration.options).contains(where: \.isPersonal)
    }
    if !hasPersonal { return true }
    guard let line = try? LineParser(table: table).parse(Array(words)) else { return false }
    guard case .run(let entry, let arguments) = line.request else { return true }
    return PersonalArguments.hidden(arguments, of: entry.declaration) == arguments
  }
}
