import PluginAPI

/// Checks that what a plugin contributes fits its stamp and itself.
enum ContributionsCheck {
  static func check(_ contributions: Contributions, against stamp: PluginStamp) throws(PluginRefusal) {
    let identity = contributions.plugin
    guard same(identity.id, stamp.id), same(identity.version, stamp.version) else {
      throw .otherIdentity(id: stamp.id, says: "\(identity.id) \(identity.version)")
    }
    try unique(contributions.commands.map(\.name), "command", stamp.id)
    try unique(contributions.screens.map(\.name), "screen", stamp.id)
    try unique(contributions.stores.map(\.name), "store", stamp.id)
    try unique(contributions.settings.map(\.name), "setting", stamp.id)
    try unique(contributions.checks.map(\.name), "check", stamp.id)
    try unique(contributions.topics.map(\.name), "topic", stamp.id)
    for command in contributions.commands {
      guard !command.name.isEmpty, !command.name.hasPrefix("-") else {
        throw .badContributions(id: stamp.id, "a command is called '\(command.name)'")
      }
      try unique((command.arguments + command.options).map(\.name), "parameter of '\(command.name)'", stamp.id)
    }
    try checkFileTypes(contributions, stamp.id)
  }

  private static func checkFileTypes(_ contributions: Contributions, _ id: String) throws(PluginRefusal) {
    for type in contributions.fileTypes {
      if let screen = type.screen, !contributions.screens.contains(where: { same($0.name, screen) }) {
        throw .badContributions(id: id, "file type '\(type.name)' names a screen '\(screen)' it does not have")
      }
      if let command = type.command, !contributions.commands.contains(where: { same($0.name, command) }) {
        throw .badContributions(id: id, "file type '\(type.name)' names a command '\(command)' it does not have")
      }
    }
  }

  private static func unique(_ names: [String], _ what: String, _ id: String) throws(PluginRefusal) {
    var seen: Set<[UInt8]> = []
    for name in names where !seen.insert(Array(name.utf8)).inserted {
      throw .badContributions(id: id, "it has two of \(what) '\(name)'")
    }
  }

  private static func same(_ left: String, _ right: String) -> Bool {
    left.utf8.elementsEqual(right.utf8)
  }
}
