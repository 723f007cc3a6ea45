internal import PluginAPI

// Findings from the parts that the plugin makes.
extension Findings {
  mutating func checkParts(_ subject: TestPlugin, _ contributions: Contributions) async throws {
    let (plugin, context) = (subject.plugin, subject.context)
    for announced in contributions.commands {
      made("command '\(announced.name)'") {
        try plugin.makeCommand(announced.name, context).declaration == announced
          ? nil : "declares itself otherwise than the contributions do"
      }
    }
    for type in contributions.textRenderers {
      made("text renderer for '\(type)'") {
        let renderer = try plugin.makeTextRenderer(type, context)
        if renderer.typeName != type { return "says it is for '\(renderer.typeName)'" }
        for width in [0, 1, 80] { _ = try? renderer.render(.null, for: TextRequest(width: width)) }
        return nil
      }
    }
    for announced in contributions.stores {
      made("store '\(announced.name)'") {
        let store = try context.store(announced.name)
        if store.name != announced.name { return "says it is '\(store.name)'" }
        if store.schemaVersion < 1 { return "has schema version \(store.schemaVersion), below 1" }
        return store.path.hasPrefix(context.folders.data + "/") ? nil : "does not lie in the plugin's data folder"
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
      for finding in try await store.check() { add("store", "a new store '\(name)' is not whole: \(finding.message)") }
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
      "\(name) says nothing in its outline")
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
