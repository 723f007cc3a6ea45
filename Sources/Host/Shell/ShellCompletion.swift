import PluginAPI
import Synchronization

/// Completes lines of the shell: commands, options and values by ``Completer``, and the variables of the session.
///
/// The editor asks on its own thread, which waits for the loop.
struct ShellCompletion: Sendable {
  /// The time that an editor waits for the values that a plugin lists.
  private static let patienceInSeconds = 2.0
  /// The words that begin a line besides commands: those of the shell, and of the script language.
  private static let ownWords =
    Shell.leavingWords.map { ($0, "Leave the shell") }
    + ScriptKeyword.allCases.compactMap { keyword in keyword.meaning.map { (keyword.rawValue, $0) } }

  private let candidates: @MainActor @Sendable ([String]) async -> [Completer.Candidate]
  private let variables: @MainActor @Sendable (String) -> [String]

  /// Creates the completion of a shell.
  @MainActor init(_ interpreter: CommandInterpreter, _ session: ScriptSession) {
    candidates = { [weak interpreter] arguments in
      guard let interpreter else { return [] }
      let found = await Completer(interpreter).candidates(arguments)
      guard arguments.count == 1, let word = arguments.first else { return found }
      return found + Self.ownWords.filter { $0.0.hasPrefix(word) }.map { .word($0.0, $0.1) }
    }
    variables = { [weak session] word in session.map { Self.references($0, word) } ?? [] }
  }

  /// Returns the effect of completing a line that was typed so far; nil if there is nothing to complete.
  func outcome(_ before: String) -> LineCompletion.Outcome? {
    let line = LineWords(before)
    let word = line.current
    if word.hasVariable {
      let found = Self.wait { [variables] in variables(word.text) } ?? []
      let items = found.map { LineCompletion.Item(text: $0, isOpen: true) }
      return LineCompletion.outcome(of: word, items, isQuoted: false)
    }
    let arguments = Self.commandWords(line.before) + [word.text]
    let found = Self.wait { [candidates] in await candidates(arguments) } ?? []
    return LineCompletion.outcome(of: word, LineCompletion.items(found, for: word.text))
  }

  /// Returns the words of the command in a statement, without those that give its result a name.
  static func commandWords(_ arguments: [String]) -> [String] {
    guard arguments.count >= 3, [["let", "="], ["for", "in"]].contains([arguments[0], arguments[2]]) else {
      return arguments
    }
    return Array(arguments.dropFirst(3))
  }

  /// Returns the variables, and the fields of values, that a word can refer to.
  @MainActor private static func references(_ session: ScriptSession, _ word: String) -> [String] {
    guard word.hasPrefix("$") else { return [] }
    guard let dot = word.utf8.lastIndex(of: UInt8(ascii: ".")) else {
      return session.names.map { "$" + $0 }.filter { $0.hasPrefix(word) }
    }
    let base = String(word[..<dot])
    guard let value = try? session.value(of: base) else { return [] }
    let fields = value.record?.names ?? value.table?.columns.map(\.name) ?? []
    return fields.map { base + "." + $0 }.filter { $0.hasPrefix(word) }
  }

  /// Waits on this thread for work of the loop.
  ///
  /// - Returns: nil if it takes too long.
  private static func wait<Outcome: Sendable>(
    _ work: @escaping @MainActor @Sendable () async -> Outcome
  ) -> Outcome? {
    let found = Found<Outcome>()
    let task = Task { @MainActor in found.set(await work()) }
    return found.wait(seconds: patienceInSeconds) { task.cancel() }
  }
}

/// An outcome that another thread waits for.
private final class Found<Outcome: Sendable>: Sendable {
  private let outcome = Mutex<Outcome?>(nil)
  private let semaphore = WorkSemaphore()

  func set(_ value: Outcome) {
    outcome.withLock { $0 = value }
    semaphore.signal()
  }

  /// Returns the outcome; nil after a time, and then something is called.
  func wait(seconds: Double, orElse giveUp: () -> Void) -> Outcome? {
    if !semaphore.wait(seconds: seconds) { giveUp() }
    return outcome.withLock { $0 }
  }
}
