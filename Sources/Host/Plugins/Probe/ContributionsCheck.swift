import PluginAPI

/// Checks that a plugin's contributions are consistent with its stamp, with each other and with the host.
enum ContributionsCheck {
  /// The maximum number of items in a list: commands, parameters of a command, words of a choice, actions of a screen.
  static let longestList = 1000

  static func check(_ contributions: Contributions, against stamp: PluginStamp) throws(ErrorReport) {
    let identity = contributions.plugin
    guard same(identity.id, stamp.id), same(identity.version, stamp.version) else {
      throw PluginRefusal.otherIdentity(id: stamp.id, says: "\(identity.id) \(identity.version)")
    }
    do throws(Contradiction) { try checkConsistency(of: contributions) } catch {
      throw PluginRefusal.badContributions(id: stamp.id, error.reason)
    }
  }

  /// Checks that contributions are consistent.
  static func checkConsistency(of contributions: Contributions) throws(Contradiction) {
    try checkNames(contributions)
    for command in contributions.commands { try check(command) }
    for screen in contributions.screens { try check(screen) }
    for setting in contributions.settings { try check(setting, of: "the settings") }
    try checkTextRenderers(contributions)
    try checkCompletions(contributions)
    try checkFileTypes(contributions)
    try checkTexts(in: contributions.value)
  }

  /// The reason why contributions cannot be used, as the end of a sentence.
  struct Contradiction: Error {
    var reason: String
  }

  private static func checkNames(_ contributions: Contributions) throws(Contradiction) {
    try check(contributions.commands.map(\.name), "command", isPhrase: true)
    try check(contributions.screens.map(\.name), "screen")
    try check(contributions.stores.map(\.name), "store")
    try check(contributions.settings.map(\.name), "setting")
    try check(contributions.checks.map(\.name), "check")
    try check(contributions.topics.map(\.name), "topic")
  }

  private static func check(_ command: CommandDescription) throws(Contradiction) {
    let parameters = command.arguments + command.options
    try check(parameters.map(\.name), "parameter of '\(command.name)'")
    for parameter in parameters { try check(parameter, of: "'\(command.name)'") }
  }

  private static func check(_ parameter: Parameter, of owner: String) throws(Contradiction) {
    try checkNumbers(parameter, of: owner)
    guard case .choice(let choices) = parameter.kind else { return }
    try checkCount(choices.count, "choices of '\(parameter.name)' of \(owner)")
    // A completed word with a dash at its start would be read as an option.
    if let word = choices.first(where: { $0.isEmpty || $0.hasPrefix("-") }) {
      throw Contradiction(reason: "'\(parameter.name)' of \(owner) has the choice '\(word)', which is not a word")
    }
  }

  /// Checks that numbers can be given: help and schemas list as many as a parameter takes.
  private static func checkNumbers(_ parameter: Parameter, of owner: String) throws(Contradiction) {
    if case .numbers(let count) = parameter.kind, !(1...longestList).contains(count) {
      throw Contradiction(reason: "'\(parameter.name)' of \(owner) takes \(count) numbers, not 1 to \(longestList)")
    }
    let isEmpty =
      if case .integer(let bounds) = parameter.kind {
        bounds.minimum > bounds.maximum
      } else if case .number(let bounds) = parameter.kind {
        // Also where one of them is not a number.
        !(bounds.minimum <= bounds.maximum)
      } else {
        false
      }
    if isEmpty { throw Contradiction(reason: "no number is in the bounds of '\(parameter.name)' of \(owner)") }
  }

  private static func check(_ screen: ScreenDescription) throws(Contradiction) {
    try checkCount(screen.actions.count, "actions of screen '\(screen.name)'")
    for action in screen.actions {
      guard isKebabCase(action.id) else {
        throw Contradiction(reason: "action '\(action.id)' of screen '\(screen.name)' is not in kebab-case")
      }
      if let key = action.keys.first(where: { Key($0).map(HostKey.reserved.contains) ?? false }) {
        throw Contradiction(
          reason:
            "action '\(action.id)' of screen '\(screen.name)' uses the key '\(key)', which is reserved for the program")
      }
    }
  }

  private static func checkTextRenderers(_ contributions: Contributions) throws(Contradiction) {
    try checkCount(contributions.textRenderers.count, "text renderers")
    let namespace = contributions.plugin.id + "."
    if let name = contributions.textRenderers.first(where: { !$0.utf8.starts(with: namespace.utf8) }) {
      throw Contradiction(
        reason: "it has a text renderer for '\(name)', but may only render its own types, '\(namespace)…'")
    }
  }

  /// Checks that the commands which list values for completion exist and do nothing else.
  private static func checkCompletions(_ contributions: Contributions) throws(Contradiction) {
    let parameters = contributions.commands.flatMap { $0.arguments + $0.options }
    for parameter in parameters + contributions.settings {
      guard let completion = parameter.completion else { continue }
      let claim = "'\(parameter.name)' is completed by '\(completion.command)'"
      guard let command = contributions.commands.first(where: { same($0.name, completion.command) }) else {
        throw Contradiction(reason: claim + ", a command it does not have")
      }
      guard command.effects.isSubset(of: [.reads]), !command.arguments.contains(where: \.isRequired) else {
        throw Contradiction(reason: claim + ", which needs arguments or has effects other than reading")
      }
      let columns =
        [completion.column] + completion.otherColumns + (completion.summaryColumn.map { [$0] } ?? [])
      guard let fields = fields(ofRows: command.output.schema),
        columns.allSatisfy({ column in fields.contains { same($0.name, column) } })
      else {
        throw Contradiction(
          reason: claim + ", whose result does not have the columns \(columns.joined(separator: " and "))")
      }
    }
  }

  private static func checkFileTypes(_ contributions: Contributions) throws(Contradiction) {
    for type in contributions.fileTypes {
      if let screen = type.screen, !contributions.screens.contains(where: { same($0.name, screen) }) {
        throw Contradiction(reason: "file type '\(type.name)' names a screen '\(screen)' it does not have")
      }
      if let command = type.command, !contributions.commands.contains(where: { same($0.name, command) }) {
        throw Contradiction(reason: "file type '\(type.name)' names a command '\(command)' it does not have")
      }
    }
  }

  /// Checks that names are in kebab-case, differ and are not too many.
  ///
  /// - Parameter isPhrase: True if a name may have several words.
  private static func check(_ names: [String], _ kind: String, isPhrase: Bool = false) throws(Contradiction) {
    try checkCount(names.count, "of \(kind)")
    var seen: Set<[UInt8]> = []
    for name in names {
      let parts = isPhrase ? name.split(separator: " ", omittingEmptySubsequences: false).map(String.init) : [name]
      guard parts.allSatisfy(isKebabCase) else {
        throw Contradiction(reason: "the name of \(kind) '\(name)' is not in kebab-case (a-z, 0-9 and -)")
      }
      guard seen.insert(Array(name.utf8)).inserted else {
        throw Contradiction(reason: "it declares \(kind) '\(name)' twice")
      }
    }
  }

  private static func checkCount(_ count: Int, _ items: String) throws(Contradiction) {
    if count > longestList {
      throw Contradiction(reason: "it has \(count) \(items); the limit is \(longestList)")
    }
  }

  /// Checks that no text could command a terminal or continue on another line of a list.
  private static func checkTexts(in value: Value) throws(Contradiction) {
    switch value.content {
    case .text(let text): try check(text, isOneLine: true)
    case .list(let values): for element in values { try checkTexts(in: element) }
    case .record(let record):
      for field in record.fields {
        if field.name == "discussion", let text = field.value.text {
          try check(text, isOneLine: false)
        } else {
          try check(field.name, isOneLine: true)
          try checkTexts(in: field.value)
        }
      }
    default: break
    }
  }

  private static func check(_ text: String, isOneLine: Bool) throws(Contradiction) {
    let isClean = text.unicodeScalars.allSatisfy { scalar in
      scalar == "\n" ? !isOneLine : scalar != "\t" && StyledTextWriter.isHarmless(scalar)
    }
    if !isClean {
      throw Contradiction(
        reason: "its text '\(StyledTextWriter.harmless(text).prefix(60))' contains a control character")
    }
  }

  /// Returns a Boolean value indicating whether a text consists of words of a-z and 0-9 joined by single dashes.
  private static func isKebabCase(_ text: String) -> Bool {
    text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).allSatisfy { word in
      !word.isEmpty && word.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
    }
  }

  /// Returns the columns of a table, or the fields of a list of records; nil for other results.
  private static func fields(ofRows schema: ValueSchema) -> [ValueSchema.Field]? {
    if case .table(let fields) = schema { return fields }
    if case .list(.record(let fields)) = schema { return fields }
    return nil
  }

  private static func same(_ left: String, _ right: String) -> Bool {
    left.utf8.elementsEqual(right.utf8)
  }
}
