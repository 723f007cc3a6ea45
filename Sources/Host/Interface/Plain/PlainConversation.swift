import PluginAPI

/// Describes the front screen, and performs the requests of input lines.
@MainActor final class PlainConversation {
  private let navigator: Navigator
  private let session: HostSession
  private let prompts: Bool
  private let print: @MainActor (String) -> Void
  private let note: @MainActor (String) -> Void
  private var lastShown: [String] = []
  /// The number of items of the front screen printed so far.
  private var itemsShown = PlainConversation.pageLength
  /// The text that shown items of the front screen have; empty for all items.
  private var filter = ""

  /// Longer lists are printed in parts.
  static let pageLength = 40
  /// The number of items from which on a search is proposed.
  private static let manyItems = 10

  /// A Boolean value indicating whether the next line is a secret, which a terminal must not show.
  var asksForSecret: Bool { (navigator.focused?.controller as? PromptController)?.asksForSecret ?? false }

  /// Creates a conversation.
  ///
  /// - Parameters:
  ///   - prompts: True if the possible answers are printed below a screen.
  ///   - print: Receives the lines of screens.
  ///   - note: Receives the lines about work that starts, runs or ends.
  init(
    navigator: Navigator, session: HostSession, prompts: Bool, print: @escaping @MainActor (String) -> Void,
    note: @escaping @MainActor (String) -> Void
  ) {
    self.navigator = navigator
    self.session = session
    self.prompts = prompts
    self.print = PlainConversation.byLine(print)
    self.note = PlainConversation.byLine(note)
    navigator.setOnAnnouncement { [weak self] in self?.announce($0) }
  }

  /// Returns a function that passes the lines of a text on, in words: texts of screens may have several.
  private static func byLine(_ print: @escaping @MainActor (String) -> Void) -> @MainActor (String) -> Void {
    { text in
      for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
        print(PlainOutline.inWords(line))
      }
    }
  }

  private func announce(_ announcement: Navigator.Announcement) {
    switch announcement {
    case .started(let label): note("\(label) ...")
    case .ended(let label, let outcome): note("\(label): \(outcome)")
    case .notice(let diagnostic):
      note("\(diagnostic.severity.rawValue): \(diagnostic.message)" + (diagnostic.advice.map { "; " + $0 } ?? ""))
    }
  }

  // MARK: Saying

  /// Waits for running work, then prints the front screen, or that it is unchanged.
  func showScreen(again: Bool = false) async {
    let reports = session.loop.schedule(after: 5, every: 5) { [weak self] in self?.reportWork() }
    await navigator.untilIdle()
    reports.cancel()
    guard navigator.exitStatus == nil, let screen = navigator.focused else { return }
    let lines = PlainOutline.lines(screen, path: navigator.breadcrumbs, items: itemsShown, filter: filter)
    if lines == lastShown, !again { print("No change") } else { lines.forEach(print) }
    lastShown = lines
    if prompts { print(question(screen)) }
  }

  private func reportWork() {
    for effect in navigator.stack.flatMap(\.running) {
      let percent = effect.progress?.fraction.map { " \(Int(max(0, min(1, $0)) * 100)) %" } ?? ""
      note("still working: \(effect.progress?.label ?? effect.label)\(percent)")
    }
  }

  private func question(_ screen: Screen) -> String {
    if screen.controller is PromptController { return "Answer, or press Enter to cancel:" }
    let count = PlainOutline.choices(screen).count
    let choose = count == 0 ? [] : [count == 1 ? "1 choose" : "1-\(count) choose"]
    let search = count >= Self.manyItems ? ["/TEXT search"] : []
    let type = screen.controller.wantsText ? ["=TEXT type"] : []
    let back = navigator.stack.count > 1 ? ["b back"] : []
    return (choose + search + type + back + ["? help", ": run a command", "q quit"]).joined(separator: ", ") + ":"
  }

  // MARK: Doing

  /// Performs the request of a line.
  func take(_ line: String) async {
    guard let screen = navigator.focused else { return }
    let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
    if let prompt = screen.controller as? PromptController {
      navigator.perform(line.isEmpty ? [.pop(.null)] : prompt.answer(line), for: screen)
      await screenChanged(from: screen)
    } else if await !takeCommon(words, line: line, screen: screen) {
      print("'\(line)' is not a choice here; type ? for help")
    }
  }

  /// Handles a line that is not an answer to a prompt.
  ///
  /// - Returns: True if the line is one of the answers.
  private func takeCommon(_ words: [String], line: String, screen: Screen) async -> Bool {
    guard let first = words.first else {
      itemsShown += Self.pageLength
      await showScreen(again: true)
      return true
    }
    if first.hasPrefix("/") {
      filter = words.joined(separator: " ").dropFirst().drop { $0 == " " }.lowercased()
      itemsShown = Self.pageLength
      await showScreen(again: true)
      return true
    }
    if first.hasPrefix("=") {
      await press(line.drop { $0 != "=" }.dropFirst().map { Key(.character($0)) })
    } else if first.hasPrefix(".") {
      guard await press(words) else { return true }
    } else if first.hasPrefix(":") {
      runCommand(line.drop { $0 == " " }.dropFirst().split(whereSeparator: \.isWhitespace).map(String.init), screen)
    } else if let number = Int(first), words.count == 1 {
      guard choose(number, on: screen) else { return false }
    } else if first.hasPrefix("a"), let number = Int(first.dropFirst()), words.count == 1 {
      guard screen.keys.bindings.indices.contains(number - 1) else { return false }
      navigator.perform(screen.controller.perform(screen.keys.bindings[number - 1].invocation), for: screen)
    } else {
      switch line {
      case "q": navigator.end(status: 0)
      case "b":
        if navigator.stack.count > 1 { navigator.back() } else { print("this is the first screen; type q to quit") }
      case "?":
        help(screen)
        return true
      default: return false
      }
    }
    await screenChanged(from: screen)
    return true
  }

  /// Presses the keys that words name, the first after its dot, unless one of them is not a key.
  private func press(_ words: [String]) async -> Bool {
    var keys: [Key] = []
    for word in words.joined(separator: " ").dropFirst().split(separator: " ") {
      guard let key = Key(String(word)) else {
        print("'\(word)' is not a key; write keys as .down, .enter, .ctrl-s or .x")
        return false
      }
      keys.append(key)
    }
    await press(keys)
    return true
  }

  /// Presses keys, each after the work of the one before: a screen may take text, or have no action for a key.
  private func press(_ keys: [Key]) async {
    for key in keys where navigator.exitStatus == nil {
      navigator.take(.input(.key(key)))
      await navigator.untilIdle()
    }
  }

  private func screenChanged(from screen: Screen) async {
    if navigator.focused !== screen { (itemsShown, filter) = (Self.pageLength, "") }
    await showScreen()
  }

  private func choose(_ number: Int, on screen: Screen) -> Bool {
    let choices = PlainOutline.choices(screen)
    guard choices.indices.contains(number - 1), let action = choices[number - 1].action else { return false }
    let effects =
      screen.hostController?.choose(item: choices[number - 1].id) ?? screen.controller.perform(action)
    navigator.perform(effects, for: screen)
    return true
  }

  /// Prints all that can be done here.
  private func help(_ screen: Screen) {
    let actions = screen.keys.bindings.map(\.action)
    for (index, action) in actions.enumerated() { print("a\(index + 1) \(action.title)") }
    for contributions in session.plugins.contributions where contributions.plugin.id == screen.plugin {
      for command in contributions.commands {
        for line in TextWidth.wrapped(":\(command.name) - \(command.summary)", to: 80) { print(line) }
      }
    }
    print("NUMBER chooses an item, aNUMBER runs an action above, :NAME runs a command,")
    print("/TEXT shows the items that have a text, / shows all items,")
    print("=TEXT types a text, .KEY presses keys: .down, .enter, .ctrl-s, .down enter,")
    print(": lists all commands, an empty line shows the screen with more of a long list,")
    print("b goes back, q quits")
  }

  /// Runs a command by name, after an optional plugin's id; the following words are its arguments in order.
  private func runCommand(_ words: [String], _ screen: Screen) {
    if words.isEmpty {
      navigator.showPalette()
      return
    }
    let named = session.plugins.contributions.first { $0.plugin.id == words[0] }
    let rest = named == nil ? words : Array(words.dropFirst())
    let plugins = named.map { [$0] } ?? session.plugins.contributions.filter { $0.plugin.id == screen.plugin }
    for contributions in plugins {
      let matching = contributions.commands.filter {
        rest.starts(with: $0.name.split(separator: " ").map(String.init))
      }
      guard let command = matching.max(by: { $0.name.count < $1.name.count }) else { continue }
      let given = rest.dropFirst(command.name.split(separator: " ").count)
      start(command, of: contributions.plugin.id, Array(given))
      return
    }
    let known = plugins.flatMap(\.commands).map(\.name)
    let nearest = Suggestion.advice(for: rest.joined(separator: " "), in: known).map { "; \($0)" } ?? ""
    print("there is no command '\(words.joined(separator: " "))'\(nearest)")
  }

  private func start(_ command: CommandDescription, of plugin: String, _ given: [String]) {
    guard given.count <= command.arguments.count else {
      print("'\(command.name)' accepts \(command.arguments.count) arguments, not \(given.count)")
      return
    }
    var arguments = Record()
    for (parameter, text) in zip(command.arguments, given) {
      do throws(ParameterError) {
        arguments[parameter.name] = try parameter.value(parsing: text)
      } catch {
        print("error: \(error.description)")
        return
      }
    }
    navigator.start(command, of: plugin, arguments: arguments)
  }
}
