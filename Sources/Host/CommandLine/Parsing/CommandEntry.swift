import PluginAPI

/// A command on the command line: its owner and description.
struct CommandEntry: Sendable {
  /// The owner of a command.
  enum Owner: Sendable {
    case host(HostCommand)
    case plugin(String)
  }

  let owner: Owner
  let declaration: CommandDescription

  /// The words of the command: `config get`, `molecules measure distance`.
  var words: String {
    switch owner {
    case .host: declaration.name
    case .plugin(let id): id + " " + declaration.name
    }
  }

  /// A Boolean value indicating whether it shows screens, which can show pictures in several ways.
  private var showsScreens: Bool {
    if case .host = owner { ["run", "open"].contains(declaration.name) } else { false }
  }

  /// The options for pictures that the host adds because the command declares none of that name.
  var pictureOptions: [GlobalOption] {
    let own = Set(declaration.options.map(\.name))
    return GlobalOption.all.filter {
      !own.contains($0.name)
        && (declaration.givesPicture && [.picture, .result].contains($0.scope)
          || showsScreens && $0.name == "graphics")
    }
  }
}
