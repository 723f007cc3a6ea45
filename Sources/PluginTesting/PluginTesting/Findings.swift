internal import PluginAPI

// Findings from the contributions alone.
extension Findings {
  mutating func checkNames(_ contributions: Contributions) {
    check(contributions.plugin)
    for command in contributions.commands { check(command) }
    for screen in contributions.screens { check(screen) }
    checkFileTypes(contributions)
    for setting in contributions.settings { check(setting, of: "the settings") }
    checkLists(contributions)
    checkErrorCodes(contributions)
  }

  private mutating func check(_ identity: PluginIdentity) {
    let id = identity.id
    require(
      Findings.isKebabCase(id) && (2...40).contains(id.count), "plugin-id",
      "the id '\(id)' is not 2 to 40 lower-case letters, digits and dashes, a letter first")
    let numbers = identity.version.split(separator: ".", omittingEmptySubsequences: false)
    require(
      numbers.count == 3 && numbers.allSatisfy { Int($0) != nil }, "plugin-version",
      "the version '\(identity.version)' is not major.minor.patch")
    require(!identity.name.isEmpty, "plugin-name", "the plugin has no name")
    checkSummary(identity.summary, of: "the plugin")
  }

  private mutating func checkSummary(_ summary: String, of owner: String) {
    require(
      !summary.isEmpty && !summary.hasSuffix(".") && !summary.contains(where: \.isNewline), "summary",
      "the summary of \(owner) is not one line without a full stop")
  }

  private mutating func check(_ command: CommandDescription) {
    let owner = "command '\(command.name)'"
    require(
      !command.name.isEmpty && command.name.split(separator: " ").allSatisfy { Findings.isKebabCase(String($0)) },
      "name", "\(owner) is not one or more words in kebab-case")
    checkSummary(command.summary, of: owner)
    let parameters = command.arguments + command.options
    for parameter in parameters { check(parameter, of: owner) }
    for name in Findings.repeated(parameters.map(\.name)) { add("parameter", "\(owner) has '\(name)' twice") }
    for option in command.options where ArgumentWords.globalOptions.contains(option.name) {
      add("parameter", "\(owner) has option '--\(option.name)', which is the host's own")
    }
    checkOrder(command.arguments, of: owner)
    for example in command.examples { check(example, of: command) }
  }

  private mutating func check(_ parameter: Parameter, of owner: String) {
    require(Findings.isKebabCase(parameter.name), "name", "'\(parameter.name)' of \(owner) is not in kebab-case")
    require(!parameter.summary.isEmpty, "summary", "'\(parameter.name)' of \(owner) has no summary")
    if parameter.isRequired, !parameter.defaultValue.isNull {
      add("parameter", "'\(parameter.name)' of \(owner) is required and has a default")
    }
    if parameter.defaultValue.isNull { return }
    do {
      _ = try parameter.value(accepting: parameter.defaultValue)
    } catch {
      add("parameter", "the default of '\(parameter.name)' of \(owner) does not fit: \(error.description)")
    }
  }

  private mutating func checkOrder(_ arguments: [Parameter], of owner: String) {
    for (one, next) in zip(arguments, arguments.dropFirst()) where !one.isRequired && next.isRequired {
      add("parameter", "\(owner) takes the required '\(next.name)' behind the optional '\(one.name)'")
    }
    if arguments.count(where: \.isRepeatable) > 1 {
      add("parameter", "\(owner) has more than one repeatable argument")
    }
    for argument in arguments where argument.kind == .flag {
      add("parameter", "\(owner) takes the flag '\(argument.name)' by position; flags are options")
    }
  }

  private mutating func check(_ example: CommandDescription.Example, of command: CommandDescription) {
    do {
      let (named, arguments) = try ArgumentWords.parse(example.line, for: [command])
      _ = try ArgumentWords.complete(arguments, for: named)
    } catch {
      add("example", "example '\(example.line)' of command '\(command.name)' does not parse: \(error)")
    }
  }

  private mutating func check(_ screen: ScreenDescription) {
    let owner = "screen '\(screen.name)'"
    require(Findings.isKebabCase(screen.name), "name", "\(owner) is not in kebab-case")
    require(!screen.title.isEmpty, "summary", "\(owner) has no title")
    var keys: [String] = []
    for action in screen.actions {
      require(Findings.isKebabCase(action.id), "name", "action '\(action.id)' of \(owner) is not in kebab-case")
      require(!action.title.isEmpty, "summary", "action '\(action.id)' of \(owner) has no title")
      for text in action.keys {
        let key = Key(text)
        require(key != nil, "key", "'\(text)' of action '\(action.id)' of \(owner) names no key")
        if let key { keys.append(key.description) }
        if let key, key.description != text {
          add("key", "key '\(text)' of action '\(action.id)' of \(owner) is written '\(key.description)'")
        }
      }
    }
    for key in Findings.repeated(keys) { add("key", "\(owner) gives key '\(key)' to two actions") }
    for key in keys where ["ctrl-c", "ctrl-z", "ctrl-p", "q", ":", "?"].contains(key) {
      add("key", "\(owner) takes key '\(key)', which is the host's own")
    }
  }

  private mutating func checkFileTypes(_ contributions: Contributions) {
    let screens = contributions.screens.map(\.name)
    let commands = contributions.commands.map(\.name)
    for type in contributions.fileTypes {
      let owner = "file type '\(type.name)'"
      require(
        type.extensions.allSatisfy { $0 == $0.lowercased() && !$0.hasPrefix(".") && !$0.isEmpty }, "file-type",
        "extensions of \(owner) are lower case without the dot")
      require(
        !type.extensions.isEmpty || !type.magic.isEmpty, "file-type", "\(owner) has neither extensions nor magic bytes")
      require(type.screen != nil || type.command != nil, "file-type", "nothing opens \(owner)")
      if let screen = type.screen {
        require(screens.contains(screen), "file-type", "\(owner) names the unknown screen '\(screen)'")
      }
      if let command = type.command {
        require(commands.contains(command), "file-type", "\(owner) names the unknown command '\(command)'")
      }
    }
  }

  private mutating func checkLists(_ contributions: Contributions) {
    let id = contributions.plugin.id
    let lists: [(what: String, names: [String], isKebab: Bool)] = [
      ("command", contributions.commands.map(\.name), false), ("screen", contributions.screens.map(\.name), false),
      ("store", contributions.stores.map(\.name), true), ("setting", contributions.settings.map(\.name), false),
      ("check", contributions.checks.map(\.name), true), ("topic", contributions.topics.map(\.name), true),
      ("text renderer", contributions.textRenderers, false),
    ]
    for (what, names, isKebab) in lists {
      for name in Findings.repeated(names) { add("name", "there are two of \(what) '\(name)'") }
      for name in names where isKebab && !Findings.isKebabCase(name) {
        add("name", "\(what) '\(name)' is not in kebab-case")
      }
    }
    for type in contributions.textRenderers where !type.hasPrefix(id + ".") {
      add("name", "the type name '\(type)' of a text renderer does not begin with '\(id).'")
    }
    for command in contributions.commands {
      guard let type = command.output.typeName, type.hasPrefix(id + ".") else { continue }
      // Declared fields have texts of their own.
      if case .record = command.output.schema { continue }
      require(
        contributions.textRenderers.contains(type), "text-renderer",
        "command '\(command.name)' emits '\(type)', for which there is no text renderer")
    }
    for screen in contributions.screens {
      for topic in screen.topics where topic.hasPrefix(id + ".") {
        let name = String(topic.dropFirst(id.count + 1))
        require(
          contributions.topics.contains { $0.name == name }, "topic",
          "screen '\(screen.name)' listens to '\(topic)', which the plugin does not announce")
      }
    }
  }

  private mutating func checkErrorCodes(_ contributions: Contributions) {
    for code in Findings.repeated(contributions.errorCodes.map(\.code)) {
      add("error-code", "there are two of error code '\(code)'")
    }
    for code in contributions.errorCodes {
      let parts = code.code.split(separator: ".", omittingEmptySubsequences: false)
      require(
        parts.count == 2 && parts.allSatisfy { Findings.isKebabCase(String($0)) }, "error-code",
        "error code '\(code.code)' is not area.what-happened")
      require(!code.summary.isEmpty, "error-code", "error code '\(code.code)' has no summary")
    }
  }
}

// Findings from the keys of all screens together.
extension Findings {
  /// Finds keys with several meanings.
  mutating func checkKeys(of screens: [ScreenDescription], except reasons: [String: String]) {
    var uses: [String: [(screen: String, action: ScreenAction)]] = [:]
    for screen in screens {
      for action in screen.actions {
        for key in action.keys { uses[key, default: []].append((screen.name, action)) }
      }
    }
    for (key, all) in uses.sorted(by: { $0.key < $1.key }) {
      guard let first = all.first, let other = all.first(where: { !Self.isSame($0.action, first.action) }) else {
        continue
      }
      if reasons[key] != nil { continue }
      add(
        "key-meanings",
        "key '\(key)' means '\(first.action.title)' on screen '\(first.screen)' and '\(other.action.title)' on "
          + "screen '\(other.screen)'; choose another key for one of them, or say why it may")
    }
    for key in reasons.keys.sorted() where uses[key].map(Self.hasOneMeaning) ?? true {
      add("key-meanings", "key '\(key)' has one meaning only and needs no reason")
    }
  }

  private static func hasOneMeaning(_ uses: [(screen: String, action: ScreenAction)]) -> Bool {
    uses.allSatisfy { use in uses.first.map { isSame($0.action, use.action) } ?? true }
  }

  private static func isSame(_ left: ScreenAction, _ right: ScreenAction) -> Bool {
    left.id == right.id || left.title == right.title
  }
}

// Findings from the parts that the plugin makes.
extension Findings {
  mutating func checkParts(_ subject: TestPlugin, _ contributions: Contributions) async throws {
    let (plugin, context) = (subject.plugin, subject.context)
    for announced in contributions.commands {
      made("command '\(announced.name)'") {
        try plugin.makeCommand(announced.name, context).declaration == announced
          ? nil : "declares itself differently than the contributions do"
      }
    }
    for type in contributions.textRenderers {
      made("text renderer for '\(type)'") {
        let renderer = try plugin.makeTextRenderer(type, context)
        if renderer.typeName != type { return "is for '\(renderer.typeName)'" }
        let schemas = contributions.commands.map(\.output).filter { $0.typeName == type }.map(\.schema)
        for value in ExtremeValues.others + schemas.flatMap(ExtremeValues.of) {
          for width in [0, 1, 80] {
            for isPlain in [false, true] {
              _ = try? renderer.render(value, for: TextRequest(width: width, detail: .full, isPlain: isPlain))
            }
          }
        }
        return nil
      }
    }
    for announced in contributions.stores {
      made("store '\(announced.name)'") {
        let store = try context.store(announced.name)
        if store.name != announced.name { return "is named '\(store.name)'" }
        if store.schemaVersion < 1 { return "has schema version \(store.schemaVersion), below 1" }
        return store.path.hasPrefix(context.folders.data + "/") ? nil : "is not in the plugin's data folder"
      }
      await checkStore(announced.name, context)
    }
    for announced in contributions.checks {
      do {
        _ = try await plugin.runCheck(announced.name, context)
      } catch {
        add("part", "check '\(announced.name)' fails: \(error)")
      }
    }
  }

  private mutating func made(_ what: String, _ problem: () throws -> String?) {
    do {
      if let problem = try problem() { add("part", "\(what) \(problem)") }
    } catch {
      add("part", "\(what) is announced and not made: \(error)")
    }
  }

  private mutating func checkStore(_ name: String, _ context: TestContext) async {
    do {
      let store = try context.store(name)
      for finding in try await store.check() { add("store", "a new store '\(name)' is damaged: \(finding.message)") }
      let copy = context.folders.cache + "/" + name + ".backup"
      try await store.backup(to: copy)
      try await store.restore(from: copy)
      _ = try await store.export()
    } catch {
      add("store", "a new store '\(name)' cannot be backed up, restored and exported: \(error)")
    }
  }

  @MainActor mutating func checkScreens(_ subject: TestPlugin, _ contributions: Contributions) async {
    for announced in contributions.screens {
      do {
        let driver = try subject.screen(announced.name)
        check(driver, announced)
        await driver.settle()
        check(driver, announced)
        let state = driver.controller.saveState()
        driver.controller.restore(state)
        driver.controller.restore([0xFF, 0, 1, 2, 3])
        check(driver, announced)
      } catch {
        add("part", "screen '\(announced.name)' is announced and not made: \(error)")
      }
    }
  }

  @MainActor private mutating func check(_ driver: ScreenDriver, _ screen: ScreenDescription) {
    let name = "screen '\(screen.name)'"
    require(!driver.controller.title.isEmpty, "view", "\(name) has no title")
    for size in Findings.sizes { driver.resize(size.width, size.height) }
    driver.resize(80, 24)
    check(driver.controller.view, named: name)
    for item in driver.outline.items {
      guard let action = item.action else { continue }
      require(
        screen.actions.contains { $0.id == action.action }, "view",
        "item '\(item.id)' of \(name) names action '\(action.action)', which is not announced")
    }
  }

  mutating func check(_ view: any View, named name: String) {
    for size in Findings.sizes {
      var (one, two) = (TextFrame(size: size), TextFrame(size: size))
      view.draw(into: &one)
      view.draw(into: &two)
      if one.cells != two.cells || one.pictures != two.pictures {
        add("view", "\(name) draws differently the second time in \(size.width)×\(size.height)")
        break
      }
    }
    let outline = view.outline
    require(
      !outline.title.isEmpty || !outline.text.isEmpty || !outline.fields.isEmpty || !outline.items.isEmpty, "view",
      "\(name) has an empty outline")
    for id in Findings.repeated(outline.items.map(\.id)) { add("view", "\(name) has two items '\(id)' in its outline") }
  }

  /// Frame sizes from empty to a usual terminal.
  static let sizes: [Size] = [0, 1, 2, 3, 5, 8, 13, 24].flatMap { height in
    [0, 1, 2, 3, 5, 8, 13, 20, 40, 79, 80].map { Size(width: $0, height: height) }
  }

  mutating func runExamples(_ subject: TestPlugin, _ contributions: Contributions) async {
    for command in contributions.commands where command.effects.isSubset(of: [.reads]) {
      for example in command.examples {
        do {
          _ = try await subject.run(line: example.line)
        } catch {
          add("example", "example '\(example.line)' of command '\(command.name)' fails: \(error)")
        }
      }
    }
  }
}
